"""Two people change the same object at the same time: the second one must confirm."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

import replays.urls
from archive.models import Contribution, Member, Player, Space, Token, Webhook
from archive.publishing import webhooks
from archive.storing import corrections, players, spaces
from tests import samples
from tests.pages.conftest import Page, Store
from tests.pages.test_again import sent_again
from tests.storing import stored, together

from .test_permissions import World, address, world  # noqa: F401 - the fixture

pytestmark = pytest.mark.django_db

VERSIONED = {
    "club-settings", "member", "player-manage", "correct", "deal-edit", "show", "deal-move",
    "deals-visibility", "adopt", "token-change", "club-webhooks", "webhooks",
}  # fmt: skip
"""The addresses whose forms change what is stored."""

OTHERWISE = {
    **dict.fromkeys(["upload", "upload-edit", "club-new", "token"], "adds something new"),
    **dict.fromkeys(["check", "language", "evenings-ask"], "stores nothing"),
    **dict.fromkeys(["join", "invite", "readmit"], "buttons that do the same whatever was seen"),
    "account-delete": "asks for the password",
    "adopt-guest": "adopts what this browser sent",
    "session-visibility": "has the evening's version",
    **dict.fromkeys(["evening-setup", "evening-deal"], "carry the evening's version"),
    "deal-variations": "carries their version",
}
"""The addresses that receive something else, and why it needs no version of this kind."""


@pytest.mark.parametrize("world", ["for members from the beginning"], indirect=True)
def test_every_address_that_receives_a_form_is_in_a_table(world: World) -> None:  # noqa: F811
    """A new form can't be forgotten. An address that refuses POST and PUT receives none."""
    browser = world.client("owner")
    receiving = set()
    for entry in replays.urls.urlpatterns:
        if entry.name:
            where = address(
                str(entry.pattern), entry.name, world.numbers | {"int:pk": Numbers(world), "int:number": 1}
            )
            if any(send(where).status_code != 405 for send in (browser.post, browser.put)):
                receiving.add(entry.name)
    assert receiving == VERSIONED | OTHERWISE.keys()


class Numbers(dict[str, Any]):
    """Numbers of the world's things; of others one that is not there."""

    def __init__(self, world: World) -> None:  # noqa: F811
        super().__init__(world.numbers["int:pk"])

    def __missing__(self, key: str) -> int:
        return 10**6


@pytest.fixture
def deal(store: Store, club: Space, alena: User, borek: User) -> Any:
    spaces.set_role(spaces.join(spaces.invite(club, by=alena), borek), "owner")
    return store(samples.ANNOTATED, user=alena, space=club)[0]


def version_in(browser: Client, page: str, after: str = "") -> str:
    """The version in the first form of a page after some text."""
    text = (
        browser.get(page).content.decode().partition(after)[2]
        if after
        else browser.get(page).content.decode()
    )
    found = re.search('name="version" value="([^"]*)"', text)
    assert found is not None, page
    assert found[1], page
    return found[1]


def changed_place(club: Space, place: str) -> None:
    spaces.change_club(Space.objects.get(pk=club.pk), name="Tarok", place=place, visibility="public")


def someone_elses_change(name: str, deal: Any, club: Space, borek: User) -> Any:
    """For each form: its page, what is sent, where, what somebody else does, what is stored, what the answer
    says."""
    said, alena = deal.contribution, Player.objects.get(name="Alena")
    settings, manage = f"/clubs/{club.pk}/settings/", f"/players/{alena.pk}/manage/"
    other = Member.objects.get(user=borek, space=club)

    def correction() -> Any:
        record = Contribution.objects.get(pk=said.pk)
        record.event = "Evening of the club"
        record.save()

    names = {"name_A": "Ada", "name_B": "Bořek", "name_C": "Cyril", "name_D": "Dana"}

    def show() -> Any:
        corrections.set_visibility(said, "unlisted", by=borek)

    seen = lambda: Contribution.objects.values_list("visibility", "event").get(pk=said.pk)  # noqa: E731
    forms: dict[str, Any] = {
        "club": (
            settings, {"action": "club", "name": "Tarok", "place": "Brno"}, settings,
            lambda: changed_place(club, "Opava"),
            lambda: Space.objects.get(pk=club.pk).place, "Place: Opava",
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
            f"/players/{alena.pk}/", {"action": "rename", "text": "Alena N."}, manage,
            lambda: players.rename(alena, "Alena Nová"), lambda: Player.objects.get(pk=alena.pk).name,
            "Name: Alena Nová",
        ),
        "pseudonym": (
            f"/players/{alena.pk}/", {"action": "pseudonym", "text": "A."}, manage,
            lambda: players.set_pseudonym(alena, "Mme A."), lambda: Player.objects.get(pk=alena.pk).pseudonym,
            "Pseudonym: Mme A.",
        ),
        "correct": (
            f"/deals/{deal.pk}/correct/",
            names | {"Session": "S"},
            f"/deals/{deal.pk}/correct/", correction, seen, "Event: Evening of the club",
        ),
        "edit": (
            f"/deals/{deal.pk}/edit/", {"action": "send", "text": samples.ANNOTATED.replace("Alena", "Ada")},
            f"/deals/{deal.pk}/edit/", correction, seen, "Evening of the club",
        ),
        "show": (
            f"/deals/{deal.pk}/", {"visibility": "public"}, f"/deals/{deal.pk}/visibility/", show, seen,
            "Who can see it: ",
        ),
        "many": (
            "/deals/visibility/", {"visibility": "members"}, "/deals/visibility/", show, seen,
            "Number of deals",
        ),
    }  # fmt: skip
    return forms[name]


each_form = pytest.mark.parametrize(
    "name", ["club", "who sees it", "role", "rename", "pseudonym", "correct", "edit", "show", "many"]
)


def version_of_form(name: str, browser: Client, page: str, club: Space, borek: User) -> str:
    """The version that the page has in this form."""
    after = {
        "who sees it": 'value="visibility"',
        "role": f"members/{Member.objects.get(user=borek, space=club).pk}/",
    }
    return version_in(browser, page, after.get(name, ""))


@each_form
def test_one_who_is_alone_is_not_asked(
    name: str, deal: Any, club: Space, signed_in: Client, borek: User
) -> None:
    page, form, where, *_ = someone_elses_change(name, deal, club, borek)
    form["version"] = version_of_form(name, signed_in, page, club, borek)
    assert form["version"]
    assert signed_in.post(where, form).status_code == 302


@each_form
def test_the_second_is_told_and_decides(
    name: str, deal: Any, club: Space, signed_in: Client, borek: User
) -> None:
    page, form, where, change, state, told = someone_elses_change(name, deal, club, borek)
    form["version"] = version_of_form(name, signed_in, page, club, borek)
    change()
    theirs = state()
    answer = signed_in.post(where, form)
    assert answer.status_code == 409
    text = Page(answer.content.decode()).text
    assert "Somebody else changed this" in text
    assert told in text
    assert state() == theirs, "nothing is undone"
    again = sent_again(answer)
    assert {
        key: [value] for key, value in form.items() if key not in ("version", "text")
    }.items() <= again.items()
    assert [again["version"]] != [[form["version"]]]
    answer = signed_in.post(where, again)
    assert answer.status_code == 302
    assert state() != theirs


def test_what_the_second_left_alone_is_as_the_first_made_it(deal: Any, signed_in: Client) -> None:
    where = f"/deals/{deal.pk}/correct/"
    form = sent_again(signed_in.get(where), 'method="post">')
    form["name_A"] = ["Ada"]
    Contribution.objects.update(event="Evening of the club", site="Opava")
    form["Site"] = ["Brno"]
    answer = signed_in.post(where, form)
    assert "Event: Evening of the club" in Page(answer.content.decode()).text
    again = sent_again(answer)
    assert (again["name_A"], again["Event"], again["Site"]) == (["Ada"], ["Evening of the club"], ["Brno"])
    assert signed_in.post(where, again).status_code == 302
    said = Contribution.objects.get()
    assert (said.event, said.site, said.seats.get(seat="A").player.name) == (
        "Evening of the club",
        "Brno",
        "Ada",
    )


def test_who_sees_what_is_stored_is_not_asked(deal: Any, club: Space, signed_in: Client, borek: User) -> None:
    """Nor is somebody whose form was wrong at first; nor a request without a version."""
    form = {"action": "club", "name": "Tarok", "place": "Brno"}
    assert signed_in.post(f"/clubs/{club.pk}/settings/", form).status_code == 302
    form = form | {"place": "Opava", "version": version_in(signed_in, f"/clubs/{club.pk}/settings/")}
    assert signed_in.post(f"/clubs/{club.pk}/settings/", form).status_code == 302
    version = version_in(signed_in, f"/clubs/{club.pk}/settings/")
    wrong = {"action": "club", "name": "", "place": "Opava", "version": version}
    answer = signed_in.post(f"/clubs/{club.pk}/settings/", wrong)
    assert (answer.status_code, f'value="{version}"' in answer.content.decode()) == (400, True)
    changed_place(club, "Zlín")
    answer = signed_in.post(f"/clubs/{club.pk}/settings/", wrong)
    assert f'value="{version}"' in answer.content.decode(), "it keeps the version that it began with"
    assert signed_in.post(f"/clubs/{club.pk}/settings/", wrong | {"name": "Tarok"}).status_code == 409


def test_what_is_garbage_is_another_version(club: Space, signed_in: Client) -> None:
    for version in ("", "x", ".", "a.b.c", "0" * 10_000, "\x00"):
        form = {"action": "club", "name": "Tarok", "place": "Brno", "version": version}
        assert signed_in.post(f"/clubs/{club.pk}/settings/", form).status_code == 409, version


def test_a_record_sent_with_other_details(
    deal: Any, club: Space, signed_in: Client, borek: User, alena: User
) -> None:
    upload = stored(samples.ANNOTATED.replace('"Dana"', '"Dora"'), user=alena, space=club)
    version = version_in(signed_in, f"/uploads/{upload.pk}/")
    Contribution.objects.update(fingerprint=7)
    answer = signed_in.post(f"/uploads/{upload.pk}/records/1/adopt/", {"version": version})
    assert answer.status_code == 409
    again = sent_again(answer)
    assert signed_in.post(f"/uploads/{upload.pk}/records/1/adopt/", again).status_code == 302


def test_a_token_and_a_webhook(club: Space, deal: Any, signed_in: Client, alena: User, borek: User) -> None:
    signed_in.post("/accounts/token/", {"name": "phone"})
    token = Token.objects.get(user=alena)
    version = version_in(signed_in, "/accounts/token/")
    Token.objects.update(name="laptop")
    answer = signed_in.post(f"/accounts/token/{token.pk}/", {"name": "tablet", "version": version})
    assert (answer.status_code, Token.objects.get().name) == (409, "laptop")
    webhook = webhooks.add(club, "https://receiver.example/", by=borek)
    where = f"/clubs/{club.pk}/webhooks/"
    form = {"action": "adopt", "number": webhook.pk, "url": "https://mine.example/"}
    form["version"] = version_in(signed_in, where)
    Webhook.objects.update(made_by=User.objects.create_user("eva"))
    answer = signed_in.post(where, form)
    assert answer.status_code == 409
    assert "Owner: eva" in Page(answer.content.decode()).text


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_one_is_told(club: Space, signed_in: Client, alena: User) -> None:
    version = version_in(signed_in, f"/clubs/{club.pk}/settings/")

    def save(place: str) -> int:
        browser = Client()
        browser.force_login(alena)
        form = {"action": "club", "name": "Tarok", "place": place, "version": version}
        return int(browser.post(f"/clubs/{club.pk}/settings/", form).status_code)

    assert sorted(together(*[lambda place=place: save(place) for place in ("Brno", "Opava", "Zlín")])) == [
        302,
        409,
        409,
    ]
