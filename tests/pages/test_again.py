"""Forms that come back: sent with an outdated token or sign-in, or after somebody else's change."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import resolve

import replays.urls
from archive import tokens
from archive.models import Collection, Contribution, Member, Player, Space, Token, Upload, Webhook
from archive.publishing import webhooks
from archive.shown import ShownDeal
from archive.storing import collections, corrections, players, spaces
from tests.pages.conftest import Page, Store, browser_of, missing, page_of
from tests.support import samples
from tests.support.storing import stored, together

pytestmark = pytest.mark.django_db

HERE = {"origin": "http://testserver"}
TEXT = '\r\n{手札と "<b>"}\r\n\r\n' + 200 * samples.ANNOTATED.replace("\n", "\r\n") + "\r\n \r\n"
"""A long text with blank lines at both ends, other letters, characters that HTML escapes."""


@pytest.fixture
def strict(alena: User) -> Client:
    """Alena's browser, which gives no token."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alena)
    return strict


def sent_again(answer: Any, form: str = "data-again") -> dict[str, list[str]]:
    """Return the data that the button of a form sends, without new passwords and files."""
    text = answer.text.partition(form)[2].partition("</form>")[0]
    assert text.count("<button") == 1
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input[^>]*? name="([^"]+)"[^>]*? value="([^"]*)"', text):
        found.setdefault(name, []).append(html.unescape(value))
    for name, value in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n(.*?)</textarea>', text, re.S):
        lines = html.unescape(value).replace("\r\n", "\n").replace("\n", "\r\n")
        found.setdefault(name, []).append(lines)
    return found


def test_what_was_typed_comes_back_with_a_new_token(strict: Client) -> None:
    """A chosen file can't, so the page asks for it again."""
    form = {"text": TEXT, "visibility": "members", "more": ["a", "b"]}
    file = SimpleUploadedFile("evening.tgn", samples.ANNOTATED.encode())
    answer = strict.post("/upload/", form | {"files": file}, headers=HERE)
    page = page_of(answer, 403)
    assert not page.unsafe
    told = "Nothing you wrote is lost", "You are signed in as alena.", "Choose them again: evening.tgn"
    assert missing(page.text, *told) == []
    assert 'enctype="multipart/form-data"' in answer.text
    assert re.search('<input[^>]*name="files" type="file"', answer.text)
    again = sent_again(answer)
    token = again.pop("csrfmiddlewaretoken")
    assert again == {"text": [TEXT], "visibility": ["members"], "more": ["a", "b"]}
    assert not Upload.objects.exists()
    strict.post("/upload/", {**again, "csrfmiddlewaretoken": token[0]}, headers=HERE)
    assert Contribution.objects.get().visibility == "members"


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "null"}, {"origin": "https://other.example"},
     {"origin": "http://testserver", "sec-fetch-site": "cross-site"},
     {"origin": "http://testserver", "sec-fetch-site": "same-site"}, {"sec-fetch-site": "none"}],
)  # fmt: skip
def test_another_site_gets_nothing_back(strict: Client, headers: dict[str, str]) -> None:
    own = "/upload/", "/uploads/1/records/1/edit/", "/import/", "/check/"  # they look themselves
    for where in (*own, "/accounts/token/", "/clubs/new/", "/accounts/login/"):
        answer = strict.post(where, {"text": "kontra", "name": "kontra", "page": "1"}, headers=headers)
        assert answer.status_code == 403, where
        assert "kontra" not in answer.text, where
        assert "was not sent from a page of this site" in Page(answer.text).text


def test_no_password_comes_back(strict: Client) -> None:
    words = {"login": "alena", "password": "secret1", "password1": "secret2", "oldpassword": "secret3"}
    for where in ("/accounts/login/", "/accounts/delete/", "/accounts/password/change/"):
        answer = strict.post(where, words, headers=HERE)
        assert (answer.status_code, "secret" in answer.text) == (403, False)
        assert len(re.findall('<input[^>]*type="password"', answer.text)) == 3
        assert 'value="alena"' in answer.text


def test_a_form_that_needs_a_sign_in_waits_for_it(taroky: ShownDeal, club: Space) -> None:
    player = Player.objects.get(name="Alena").pk
    for where, typed, status in (
        ("/clubs/new/", {"name": "Tarok Čáslav", "visibility": "public"}, 403),
        (f"/players/{player}/manage/", {"action": "rename", "text": "Alena"}, 403),
        (f"/clubs/{club.pk}/settings/", {"action": "club", "name": "Tarok", "place": "Brno"}, 403),
        ("/accounts/token/", {"name": "my phone"}, 403),
        (f"/deals/{taroky.pk}/correct/", {"name_A": "Ada", "Session": "S"}, 404),
    ):
        answer = Client().post(where, typed)
        assert answer.status_code == status, where
        assert re.search(r"You are not signed in\..*Sign in \(in a new tab\)", Page(answer.text).text)
        again = sent_again(answer)
        del again["csrfmiddlewaretoken"]
        assert again == {name: [value] for name, value in typed.items()}
    answer = Client().post(f"/clubs/{club.pk}/invitations/", {"end": "1"})
    assert answer["Location"].startswith("/accounts/login/"), "nothing was typed"
    assert Client().post("/deals/999999/visibility/", {"visibility": "members"}).status_code == 404


def test_who_lost_the_right_meanwhile_gets_the_text_back(other: Client, taroky: ShownDeal) -> None:
    answer = other.post(f"/deals/{taroky.pk}/correct/", {"name_A": "Ada Nováková"})
    text = page_of(answer, 404).text
    assert missing(text, "don’t have permission to change it", "Player at seat A") == []
    assert sent_again(answer)["name_A"] == ["Ada Nováková"]


VERSIONED = """
    club-settings member player-manage correct deal-edit show deal-move deal-count deals-visibility adopt
    token-change club-webhooks webhooks club-rules-change collection"""
"""The addresses whose forms change what is stored."""

OTHERWISE = {
    "adds something new": "upload import upload-edit upload-encoding club-new token collect",
    "stores nothing": "check language evenings-ask deal-form",
    "gives this browser an evening": "evening-join evening-recover",
    "does the same whatever was seen": "evening-link join invite readmit following stop-mail upload-withdraw",
    "asks for the password": "account-delete",
    "adopts what this browser sent": "adopt-guest",
    "has a version of its own": "session-visibility evening-setup evening-deal deal-variations",
    "counts only the first attempt, and a later one when the puzzle is back": "puzzle",
}
"""The addresses that receive something else, by why it needs no version of this kind."""


KINDS = {"uuid": str(UUID(int=1)), "str": "taroky", "int": "999999"}
"""A value for each kind of variable in a URL; most of them name nothing that exists."""


def refuses(where: str, method: str, user: User) -> bool:
    """Whether the view of an address refuses a method. One that doesn't gets no further: it lacks the rest of
    the request."""
    view, args, kwargs = resolve(where)
    if of_class := getattr(view, "view_class", None):
        return not hasattr(of_class, method.lower())
    request = RequestFactory().generic(method, where)
    request.user = user
    try:
        return bool(view(request, *args, **kwargs).status_code == 405)
    except Exception:
        return False


def test_every_address_that_receives_a_form_is_in_a_table(alena: User) -> None:
    """A new form can't be forgotten. An address that refuses POST and PUT receives none."""
    receiving = set()
    for entry in replays.urls.urlpatterns:
        if entry.name:
            where = "/" + re.sub(r"<(\w+):\w+>", lambda one: KINDS.get(one[1], "1"), str(entry.pattern))
            if not all(refuses(where, method, alena) for method in ("POST", "PUT")):
                receiving.add(entry.name)
    assert receiving == {*VERSIONED.split(), *" ".join(OTHERWISE.values()).split()}


@pytest.fixture
def deal(store: Store, club: Space, alena: User, borek: User) -> Any:
    spaces.set_role(spaces.join(spaces.invite(club, by=alena), borek), "owner")
    return store(samples.ANNOTATED, user=alena, space=club)[0]


def version_in(browser: Client, page: str, after: str = "") -> str:
    """The version in the first form of a page after some text."""
    found = re.search(re.escape(after) + '.*?name="version" value="([^"]+)"', browser.get(page).text, re.S)
    assert found is not None, page
    return found[1]


def changed_place(club: Space, place: str) -> None:
    spaces.change_club(Space.objects.get(pk=club.pk), name="Tarok", place=place, visibility="public")


def someone_elses_change(deal: Any, club: Space, user: User, borek: User) -> dict[str, tuple[Any, ...]]:
    """For each form: its page, what is sent, where, what somebody else does, what is stored, what the answer
    says."""
    said, alena = deal.contribution, Player.objects.get(name="Alena")
    upload = stored(samples.ANNOTATED.replace('"Dana"', '"Dora"'), user=user, space=club)
    token, _secret = tokens.make(user, "phone")
    webhook = webhooks.add(club, "https://receiver.example/", by=borek)
    eva = User.objects.create_user("eva")
    course = f"/collections/{collections.begin(user, 'The flek').key}/"
    settings, player = f"/clubs/{club.pk}/settings/", f"/players/{alena.pk}/"
    here, correct, edit = (f"/deals/{deal.pk}/{page}" for page in ("", "correct/", "edit/"))
    other = Member.objects.get(user=borek, space=club)

    def correction() -> None:
        Contribution.objects.filter(pk=said.pk).update(event="Evening of the club")

    def show() -> None:
        corrections.set_visibility(said, "unlisted", by=borek)

    def seen() -> Any:
        return Contribution.objects.values_list("visibility", "event").get(pk=said.pk)

    names = {"name_A": "Ada", "name_B": "Bořek", "name_C": "Cyril", "name_D": "Dana"}
    return {
        "club": (
            settings, {"action": "club", "name": "Tarok", "place": "Brno"}, settings,
            lambda: changed_place(club, "Opava"), lambda: Space.objects.get(pk=club.pk).place, "Place: Opava",
        ),
        "who sees it": (
            settings, {"action": "visibility", "visibility": "members", "deals": "all"}, settings, show, seen,
            "Number of deals: Everybody: 0",
        ),
        "role": (
            f"/clubs/{club.pk}/", {"role": "secretary"}, f"/clubs/{club.pk}/members/{other.pk}/",
            lambda: spaces.set_role(other, "member"), lambda: Member.objects.get(pk=other.pk).role,
            "Role: Member",
        ),
        "rename": (
            player, {"action": "rename", "text": "Alena N."}, f"{player}manage/",
            lambda: players.rename(alena, "Alena Nová"), lambda: Player.objects.get(pk=alena.pk).name,
            "Name: Alena Nová",
        ),
        "pseudonym": (
            player, {"action": "pseudonym", "text": "A."}, f"{player}manage/",
            lambda: players.set_pseudonym(alena, "Mme A."), lambda: Player.objects.get(pk=alena.pk).pseudonym,
            "Pseudonym: Mme A.",
        ),
        "correct": (
            correct, names | {"Session": "S"}, correct, correction, seen, "Event: Evening of the club",
        ),
        "edit": (
            edit, {"action": "send", "text": samples.ANNOTATED.replace("Alena", "Ada")}, edit,
            correction, seen, "Evening of the club",
        ),
        "show": (here, {"visibility": "public"}, f"{here}visibility/", show, seen, "Who can see it: "),
        "many": (
            "/deals/visibility/", {"visibility": "members"}, "/deals/visibility/", show, seen,
            "Number of deals",
        ),
        "adopt": (
            f"/uploads/{upload.pk}/", {}, f"/uploads/{upload.pk}/records/1/adopt/",
            lambda: Contribution.objects.update(fingerprint=7),
            lambda: Contribution.objects.get().fingerprint, "Details: 7",
        ),
        "token": (
            "/accounts/token/", {"name": "tablet"}, f"/accounts/token/{token.pk}/",
            lambda: Token.objects.update(name="laptop"), lambda: Token.objects.get().name, "Name: laptop",
        ),
        "webhook": (
            f"/clubs/{club.pk}/webhooks/",
            {"action": "adopt", "number": str(webhook.pk), "url": "https://mine.example/"},
            f"/clubs/{club.pk}/webhooks/", lambda: Webhook.objects.update(made_by=eva),
            lambda: Webhook.objects.get().made_by_id, "Owner: eva",
        ),
        "collection": (
            course, {"title": "Mine", "about": "", "visibility": "public"}, course,
            lambda: Collection.objects.update(title="The kontra"), lambda: Collection.objects.get().title,
            "Title: The kontra",
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["club", "who sees it", "role", "rename", "pseudonym", "correct", "edit", "show", "many", "adopt",
     "token", "webhook", "collection"],
)  # fmt: skip
def test_the_second_user_decides(
    name: str, deal: Any, club: Space, signed_in: Client, alena: User, borek: User
) -> None:
    page, form, where, change, state, told = someone_elses_change(deal, club, alena, borek)[name]
    after = {"who sees it": 'value="visibility"', "role": where.removeprefix(f"/clubs/{club.pk}/")}
    form["version"] = version_in(signed_in, page, after.get(name, ""))
    change()
    theirs = state()
    answer = signed_in.post(where, form)
    assert missing(page_of(answer, 409).text, "Somebody else changed this", told) == []
    assert state() == theirs, "nothing is undone"
    again = sent_again(answer)
    same = {key: [value] for key, value in form.items() if key not in ("version", "text")}
    assert same.items() <= again.items()
    assert again["version"] != [form["version"]]
    assert signed_in.post(where, again).status_code == 302, "one who is alone is not asked"
    assert state() != theirs


def test_what_the_second_left_alone_is_as_the_first_made_it(deal: Any, signed_in: Client) -> None:
    where = f"/deals/{deal.pk}/correct/"
    form = sent_again(signed_in.get(where), 'method="post">') | {"name_A": ["Ada"]}
    Contribution.objects.update(event="Evening of the club", site="Opava")
    answer = signed_in.post(where, form | {"Site": ["Brno"]})
    assert "Event: Evening of the club" in Page(answer.text).text
    again = sent_again(answer)
    assert (again["name_A"], again["Event"], again["Site"]) == (["Ada"], ["Evening of the club"], ["Brno"])
    assert signed_in.post(where, again).status_code == 302
    said = Contribution.objects.get()
    assert (said.event, said.site) == ("Evening of the club", "Brno")
    assert said.seats.get(seat="A").player.name == "Ada"


def test_who_sees_what_is_stored_is_not_asked(club: Space, signed_in: Client) -> None:
    """Nor is somebody whose form was wrong at first; nor a request without a version."""
    where, form = f"/clubs/{club.pk}/settings/", {"action": "club", "name": "Tarok", "place": "Brno"}
    assert signed_in.post(where, form).status_code == 302
    form |= {"place": "Opava", "version": version_in(signed_in, where)}
    assert signed_in.post(where, form).status_code == 302
    version = version_in(signed_in, where)
    form |= {"version": version}
    for place in ("Opava", "Zlín"):
        changed_place(club, place)
        answer = signed_in.post(where, form | {"name": ""})
        kept = f'value="{version}"' in answer.text
        assert (answer.status_code, kept) == (400, True), "it keeps the version that it began with"
    assert signed_in.post(where, form).status_code == 409
    for garbage in ("", "x", ".", "a.b.c", "0" * 10_000, "\x00"):
        assert signed_in.post(where, form | {"version": garbage}).status_code == 409, garbage


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_is_told(club: Space, signed_in: Client, alena: User) -> None:
    version = version_in(signed_in, f"/clubs/{club.pk}/settings/")

    def save(place: str) -> int:
        form = {"action": "club", "name": "Tarok", "place": place, "version": version}
        return int(browser_of(alena).post(f"/clubs/{club.pk}/settings/", form).status_code)

    saves = [lambda place=place: save(place) for place in ("Brno", "Opava", "Zlín")]
    assert sorted(together(*saves)) == [302, 409, 409]
