"""The visibility of an evening, which all its deals have; and its page when it is over: who won, who pays
whom, and what can be shared."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Change, Contribution, Evening, Session, Space
from archive.storing import corrections, evenings, spaces
from tests.pages.conftest import browser_of, missing, page_at, present, text_of
from tests.pages.evenings import Phone, error, first_duty
from tests.support.storing import secret_of, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

RARE = ("Quirin", "Xaver", "Ysolde", "Zdislava")
"""Names that no page has of its own."""

LISTS = ("/", "/deals/", "/sessions/", "/players/", "/leaderboard/", "/api/v1/deals", "/api/v1/changes")


def visibilities() -> set[str]:
    """Those of all deals that count or were withdrawn."""
    return set(Contribution.objects.values_list("visibility", flat=True))


def show(client: Client, session: int, visibility: str, **more: Any) -> Any:
    version = Evening.objects.get(session=session).version
    return client.post(
        f"/sessions/{session}/visibility/", {"visibility": visibility, "version": version} | more
    )


def seen_by_strangers(address: str) -> bool:
    return Client().get(address).status_code == 200


@pytest.fixture
def guest(db: None) -> Phone:
    """A guest's phone at an evening, started as the page does without a choice, with one deal."""
    phone = Phone(Client())
    phone.start(visibility="", table=list(RARE))
    players = dict(zip("ABCD", RARE, strict=True))
    assert phone.enter(1, first_duty(players=players)).status_code == 201
    return phone


def test_a_guests_evening_is_by_link_and_strangers_see_nothing_of_it(guest: Phone) -> None:
    state = guest.state()
    assert state["setup"]["visibility"] == state["visibility"] == "unlisted"
    assert state["choices"] == ["public", "unlisted"]
    own = [state["address"], f"{state['address']}print/", state["deals"][0]["address"]]
    for address in LISTS:
        assert present(Client().get(address).text, *RARE) == [], address
    for address in own:
        assert not seen_by_strangers(address), address
    friend = Client()
    assert RARE[0] in text_of(friend, state["link"], follow=True)
    for address in (*own, f"{state['address']}session.csv"):
        assert friend.get(address, follow=True).status_code == 200, address
    # The page of the session offers the same link, and the deals to come are covered by it.
    assert state["link"] in page_at(guest.client, state["address"]).attributes("value")
    guest.enter(2, first_duty(50))
    assert "50" in friend.get(state["address"]).text
    # It can be shared before its first deal.
    empty = Phone(guest.client)
    empty.start(visibility="unlisted", name="Empty")
    state = empty.state()
    assert not seen_by_strangers(state["address"])
    assert Client().get(state["link"], follow=True).status_code == 200


@pytest.mark.parametrize("kind", ["guest", "own", "public", "unlisted", "members"])
def test_a_phone_gets_the_visibility_of_its_space(kind: str, signed_in: Client, club: Space) -> None:
    phone, of_club = Phone(Client() if kind == "guest" else signed_in), kind not in ("guest", "own")
    if of_club:
        Space.objects.filter(pk=club.pk).update(visibility=kind)
    sent = phone.setup(space=club.pk if of_club else None)
    del sent["visibility"]
    setup = phone.put("setup", sent).json()["setup"]
    assert setup["visibility"] == (kind if of_club else "unlisted")
    # It changes something else later, and the visibility stays.
    sent |= {"version": 1, "stake": "0.10", "name": setup["name"]}
    assert phone.put("setup", sent).json()["setup"]["visibility"] == setup["visibility"]


def test_a_guest_has_no_members(guest: Phone, signed_in: Client, club: Space) -> None:
    wrong = Phone(Client())
    for answer in (
        wrong.put("setup", wrong.setup(visibility="members")),
        wrong.put("setup", wrong.setup(visibility="withdrawn")),
        guest.change(guest.state()["setup"], visibility="members"),
    ):
        assert error(answer) == (400, "invalid_parameter", "/visibility")
    assert show(guest.client, Session.objects.get().pk, "members").status_code == 404
    assert Phone(signed_in).start(visibility="members")["visibility"] == "members"
    Space.objects.filter(pk=club.pk).update(visibility="members")
    (guests,) = Client().get("/evenings/start.json").json()["spaces"]
    assert (guests["choices"], guests["visibility"]) == (["public", "unlisted"], "unlisted")
    own, clubs = signed_in.get("/evenings/start.json").json()["spaces"]
    every = ["public", "unlisted", "members"]
    assert own["choices"] == clubs["choices"] == every
    assert (own["visibility"], clubs["visibility"]) == ("unlisted", "members")


@pytest.mark.parametrize("way", ["phone", "page"])
def test_the_switch_holds_for_all_deals_and_those_to_come(way: str, guest: Phone) -> None:
    guest.enter(2, first_duty(50))
    state = guest.state()
    withdrawn = guest.deals()[2]
    guest.withdraw(2, withdrawn["version"])
    if way == "phone":
        assert guest.change(state["setup"], visibility="public").status_code == 200
    else:
        assert show(guest.client, state["session"], "public").status_code == 302
    assert visibilities() == {"public", "withdrawn"}
    assert seen_by_strangers(state["address"])
    guest.enter(3, first_duty(45))
    guest.enter(2, first_duty(40))  # at the place of the deal that was withdrawn
    assert visibilities() == {"public"}
    assert guest.change(guest.state()["setup"], visibility="unlisted").status_code == 200
    assert visibilities() == {"unlisted"}
    assert not seen_by_strangers(state["address"])
    # A correction leaves it.
    guest.enter(1, first_duty(44), base=guest.deals()[1]["version"])
    assert visibilities() == {"unlisted"}


def test_two_who_switch_at_the_same_time_are_told(guest: Phone) -> None:
    state = guest.state()
    assert guest.change(state["setup"], visibility="public").status_code == 200
    assert guest.change(state["setup"], stake="1").status_code == 409
    answer = show(guest.client, state["session"], "unlisted", version=1)
    assert "Somebody else changed the evening in the meantime" in text_of(guest.client, answer["Location"])
    assert visibilities() == {"public"}


def test_an_evening_from_before_goes_on_until_its_switch_is_used(guest: Phone) -> None:
    corrections.show_session(Session.objects.get(), "public", by=None)
    Evening.objects.update(visibility=None)
    for word in ("unlisted", "public"):
        assert corrections.set_visibility(Contribution.objects.get(), word, by=None)
    state = guest.state()
    assert (state["setup"]["visibility"], state["visibility"]) == ("", "public")
    guest.enter(2, first_duty(50))
    assert visibilities() == {"public"}
    # A phone that changes something else sends what it has.
    setup = guest.change(state["setup"], stake="1").json()["setup"]
    assert setup["visibility"] == ""
    assert show(guest.client, state["session"], "unlisted").status_code == 302
    guest.enter(3, first_duty(45))
    assert visibilities() == {"unlisted"}


def test_who_may_switch(phone: Phone, second: Phone, other: Client, club: Space) -> None:
    phone.enter(1, first_duty())
    state, session = phone.state(), Session.objects.get().pk
    assert second.state()["choices"] == []
    assert error(second.change(state["setup"], visibility="members"))[:2] == (403, "permission_denied")
    for client in (second.client, other, Client()):
        assert show(client, session, "members").status_code == 404
    assert 'id="visibility"' not in second.client.get(state["address"]).text
    assert 'id="visibility"' in phone.client.get(state["address"]).text
    assert visibilities() == {"public"}
    assert phone.change(state["setup"], visibility="members").status_code == 200
    assert visibilities() == {"members"}
    assert Change.objects.get().user.username == "alena"
    second.enter(2, first_duty(50))
    assert visibilities() == {"members"}
    operator = browser_of(User.objects.create_user("operator", is_staff=True))
    assert show(operator, session, "public").status_code == 302
    assert visibilities() == {"public"}


def test_who_has_left_the_club_no_longer_switches_an_evening_they_started(
    phone: Phone, second: Phone, alena: User, borek: User, club: Space
) -> None:
    phone.enter(1, first_duty())
    Evening.objects.update(made_by=borek)
    assert "public" in second.state()["choices"]
    spaces.leave(club.members.get(user=borek))
    session = Session.objects.get().pk
    assert 'id="visibility"' not in second.client.get(f"/sessions/{session}/").text
    assert show(second.client, session, "members").status_code == 404
    assert visibilities() == {"public"}


def sheet(number: int, points: int = 50, session: str = "2026-11-24") -> str:
    """The score sheet of a deal of the evening as text."""
    tags = {"name": session, "date": "2026-11-24", "place": "Hlučín"}
    form = evenings.record_form(first_duty(points) | {"n": number}, "taroky", **tags)
    return json.dumps(form)


def test_what_is_sent_otherwise_is_never_seen_by_more(phone: Phone, club: Space) -> None:
    order = ["public", "unlisted", "members"]
    for number, (evening, sent) in enumerate(product(order, order), start=1):
        assert phone.change(phone.state()["setup"], visibility=evening).status_code == 200
        stored(sheet(number), space=club, visibility=sent)
        found = Contribution.objects.get(number=number).visibility
        assert found == max(evening, sent, key=order.index), (evening, sent)


def test_a_deal_that_is_corrected_or_moved_into_the_evening_takes_its_visibility(
    phone: Phone, club: Space, alena: User
) -> None:
    phone.change(phone.state()["setup"], visibility="members")
    stored(sheet(1, session="Another"), space=club, visibility="public")
    deal = Contribution.objects.get()
    record = evenings.read_deal(Evening.objects.get(), 1, first_duty())
    corrections.correct(deal, record, by=None)
    deal.refresh_from_db()
    assert (deal.session.name, deal.visibility) == ("2026-11-24", "members")
    stored(sheet(2), user=alena)
    corrections.move(Contribution.objects.get(number=2), club, by=alena)
    assert visibilities() == {"members"}
    stored(sheet(3, session="Another"), space=club, visibility="public")
    stored(sheet(4), space=club, replaces=Contribution.objects.get(number=3))
    assert Contribution.objects.get(number=4).visibility == "members"
    phone.change(phone.state()["setup"], visibility="public")
    stored(sheet(5, session="Another"), space=club, visibility="members")
    deal = Contribution.objects.get(number=5)
    corrections.correct(deal, evenings.read_deal(Evening.objects.get(), 5, first_duty()), by=None)
    deal.refresh_from_db()
    assert (deal.session.name, deal.visibility) == ("2026-11-24", "members"), "more people see no deal"
    phone.change(phone.state()["setup"], visibility="members")
    other_day = sheet(6).replace('"Date": "2026-11-24"', '"Date": "2026-11-23"')
    stored(other_day, space=club, visibility="public")
    deal = Contribution.objects.get(number=6)
    assert deal.visibility == "public"
    corrections.correct(deal, evenings.read_deal(Evening.objects.get(), 6, first_duty()), by=None)
    deal.refresh_from_db()
    assert (deal.date, deal.visibility) == ("2026-11-24", "members")


def test_a_phone_overrides_the_visibility_of_its_club(phone: Phone, club: Space) -> None:
    """A sheet that is covered by its cards has that of the evening, too."""
    phone.change(phone.state()["setup"], visibility="public")
    Space.objects.filter(pk=club.pk).update(visibility="members")
    phone.enter(1, first_duty())
    assert visibilities() == {"public"}
    Contribution.objects.update(visibility="covered", covered_visibility="public")
    phone.change(phone.state()["setup"], visibility="unlisted")
    covered = Contribution.objects.get()
    assert (covered.visibility, covered.covered_visibility) == ("covered", "unlisted")


def test_one_deal_keeps_the_visibility_of_its_evening_but_can_be_withdrawn(phone: Phone, alena: User) -> None:
    phone.enter(1, first_duty())
    phone.enter(2, first_duty(50))
    one = Contribution.objects.get(number=1)
    address = f"/deals/{one.key}/visibility/"
    page = phone.client.post(address, {"visibility": "members"}, follow=True).text
    assert "All deals of an evening have the same visibility" in page
    assert f'href="/sessions/{one.session_id}/"' in page
    headers, path = {"authorization": f"Bearer {secret_of(alena)}"}, f"/api/v1/deals/{one.key}/visibility"
    refused, done = [403, "permission_denied"], [200, None]
    for word, expected in (("members", refused), ("withdrawn", done), ("public", done)):
        body = {"visibility": word}
        answer = Client().post(path, body, content_type="application/json", headers=headers)
        assert [answer.status_code, answer.json().get("code")] == expected, word
        assert (word in visibilities()) == (word != "members")
    phone.client.post(address, {"visibility": "withdrawn"})
    assert visibilities() == {"public", "withdrawn"}


@pytest.mark.parametrize("before", [True, False])
def test_many_deals_change_with_their_whole_evening_or_not_at_all(before: bool, phone: Phone) -> None:
    phone.enter(1, first_duty())
    phone.enter(2, first_duty(50))
    if before:
        Evening.objects.update(visibility=None)
    phone.withdraw(3, phone.enter(3, first_duty(40)).json()["deal"]["version"])  # which counts for neither
    some = Contribution.objects.exclude(number=2)
    assert corrections.set_visibilities(some, "members", by=None) == int(before)
    listed, version = Contribution.objects.exclude(visibility="withdrawn"), Evening.objects.get().version
    for number in (2 - before, 0):
        assert corrections.set_visibilities(listed, "members", by=None) == number
        assert Evening.objects.get().version == version + 1
    assert visibilities() == {"members", "withdrawn"}
    phone.enter(3, first_duty(45))
    assert visibilities() == {"members"}, "it holds for the deals to come"
    assert corrections.set_visibilities(some, "withdrawn", by=None) == 2


def test_a_club_changes_its_evenings_with_its_deals(phone: Phone, club: Space, alena: User) -> None:
    phone.enter(1, first_duty())
    empty, old = Phone(phone.client), Phone(phone.client)
    setup = empty.start(space=club.pk)
    old.start(space=club.pk)
    Evening.objects.filter(key=old.key).update(visibility=None)
    spaces.set_visibility(club, "members", by=alena, all_deals=False)
    phone.enter(2, first_duty(50))
    assert visibilities() == {"public"}, "an evening has one visibility"
    spaces.set_visibility(club, "members", by=alena, all_deals=True)
    phone.enter(3, first_duty(45))
    empty.enter(1, first_duty())
    assert visibilities() == {"members"}
    assert empty.change(setup, stake="1").status_code == 409, "the phone has not seen it yet"
    assert old.state()["setup"]["visibility"] == ""


@pytest.mark.parametrize("way", ["account", "club"])
def test_an_evening_keeps_its_visibility_when_its_guest_signs_up(way: str, guest: Phone, alena: User) -> None:
    if way == "account":
        form = {"username": "fresh", "password1": "-secret-7x", "password2": "-secret-7x"}
        assert guest.client.post("/accounts/signup/", form).status_code == 302
        assert guest.state()["choices"] == ["public", "unlisted", "members"]
        space = spaces.own(User.objects.get(username="fresh"))
    else:
        space = spaces.found_club("Tarok", by=alena)
        guest.client.force_login(alena)
        guest.client.post("/uploads/adopt/", {"space": space.pk})
    guest.enter(2, first_duty(50))
    assert visibilities() == {"unlisted"}
    assert Evening.objects.get().session.space == space
    assert not Space.objects.filter(kind="guest").exists()


# --- an evening that is over --------------------------------------------------------------------------------


def ended(phone: Phone, visibility: str, **more: object) -> str:
    """End an evening of two deals at 0.50 a point: 60 - 35 = 25, and 2 × (50 - 35) = 30, are 55 for Alena and
    Dana; the address of its page."""
    phone.start(visibility=visibility, stake="0.50", currency="Kč", **more)
    phone.enter(1, first_duty())
    flek = [*first_duty(50)["lines"], ["double", "game", "flek"]]
    assert phone.enter(2, first_duty(lines=flek)).status_code == 201
    state = phone.state()
    assert phone.change(state["setup"], ended=True).status_code == 200
    address: str = state["address"]
    return address


def message(client: Client, address: str) -> str:
    """The text to share."""
    found = re.search(r'<textarea id="message"[^>]*>\n(.*?)</textarea>', client.get(address).text, re.S)
    assert found
    return found[1].replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def at_club(signed_in: Client, club: Space) -> tuple[Phone, str]:
    """The phone of a member, and the page of a public evening of the club."""
    phone = Phone(signed_in)
    return phone, ended(phone, "public", space=club.pk)


RESULT = "24 November 2026\nAlena +55, Dana +55, Bob −55, Cyril −55\n"


def test_the_page_says_who_won_who_pays_and_which_deal_was_most_expensive(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    told = (
        "Winners: Alena, Dana Rank",
        "Who pays whom Bob → Alena 55 27.50 Kč Cyril → Dana 55 27.50 Kč",
        "Most expensive deal: 2 · First Duty Alena +30 Bob −30 Cyril −30 Dana +30",
    )
    assert missing(text_of(phone.client, address), *told) == []
    # What a point is worth is for members; what they pay in points follows from the public deals.
    text = text_of(Client(), address)
    assert missing(text, "Winners: Alena, Dana", "Bob → Alena 55 Cyril → Dana 55", "Kč") == ["Kč"]


@pytest.mark.parametrize("visibility", ["public", "unlisted", "members"])
def test_an_evening_is_shared_as_its_visibility_says(visibility: str, signed_in: Client, club: Space) -> None:
    """A public evening has its URL, an unlisted one a secret link, and one for members no link. Everyone who
    sees it can save its picture."""
    phone, friend = Phone(signed_in), Client()
    address = ended(phone, visibility, space=club.pk)
    link = {"public": f"http://testserver{address}", "unlisted": phone.state()["link"], "members": ""}
    own = f"{RESULT}Bob → Alena: 55 (27.50 Kč)\nCyril → Dana: 55 (27.50 Kč)\n{link[visibility]}"
    assert message(signed_in, address) == own.rstrip()
    (picture,) = (one for one in page_at(signed_in, address).attributes("href") if "session.png" in one)
    answer = signed_in.get(picture)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["Cache-Control"] == "private, no-cache"
    others = f"{RESULT}Bob → Alena: 55\nCyril → Dana: 55"
    if visibility == "unlisted":
        friend.get(link[visibility])
        assert message(friend, address) == others
        assert friend.get(picture).content == answer.content
    for page in (address, picture):
        assert Client().get(page).status_code == (200 if visibility == "public" else 404)
    if visibility == "public":
        assert message(Client(), address) == f"{others}\n{link[visibility]}"
        # While it goes on it has no winners and payments.
        assert phone.change(phone.state()["setup"], ended=False).status_code == 200
        assert present(text_of(signed_in, address), "Winner", "pays", "→") == []
        assert message(signed_in, address) == f"{RESULT}{link[visibility]}"


def test_an_evening_whose_players_are_not_all_known_has_no_payments(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    phone.enter(3, first_duty(players={"A": "Alena", "B": "?", "C": "Cyril", "D": "Dana"}))
    assert phone.deals().keys() == {1, 2, 3}
    assert Evening.objects.get().has_ended
    text = text_of(phone.client, address)
    assert missing(text, "Winners: Alena, Dana", "Who pays whom") == ["Who pays whom"]
