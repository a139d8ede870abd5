"""Evenings at the table: started and changed by several phones, read, ended; and who may do what."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Change, Contribution, Deal, Evening, Member, Player, Session, Space, Upload
from archive.storing import players, spaces
from tests.pages.conftest import missing, page_at, present, text_of
from tests.pages.evenings import NAMES, Phone, error, first_duty
from tests.support import samples
from tests.support.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def test_an_evening_is_started_once_however_often_it_is_sent(signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    setup = phone.start(space=club.pk)
    assert setup == phone.setup(space=club.pk, version=1)
    again = phone.put("setup", phone.setup(space=club.pk))
    assert (again.status_code, again.json()["setup"]) == (200, setup)
    assert Evening.objects.count() == Session.objects.count() == 1
    state, address = phone.state(), f"/sessions/{Session.objects.get().pk}/"
    assert (state["setup"], state["deals"]) == (setup, [])
    assert state["address"] == address
    # Two tables of one day are two sessions.
    two = Phone(signed_in)
    assert two.start(space=club.pk)["name"] == "2026-11-24 (2)"
    # Another day or space may have the name, too.
    for other in ({"space": club.pk, "date": "2026-11-25"}, {"space": None}):
        assert Phone(signed_in).start(**other)["name"] == "2026-11-24"
    phone.enter(1, first_duty(60))
    two.enter(1, first_duty(50))
    assert [one.deals()[1]["lines"][-1][-1] for one in (phone, two)] == [60, 50]
    # Asking again for the name that is taken changes nothing.
    setup = two.put("setup", two.setup(space=club.pk, version=1)).json()["setup"]
    assert (setup["name"], setup["version"]) == ("2026-11-24 (2)", 1)


def test_two_phones_change_the_setup(phone: Phone, second: Phone) -> None:
    setup = phone.state()["setup"]
    five = [*NAMES, "Emil"]
    changed = phone.change(setup, table=five, version=0)  # that of the phone that started it
    assert (changed.status_code, changed.json()["setup"]["version"]) == (200, 2)
    late = second.change(setup, stake="0.10", currency="Kč")
    assert late.status_code == 409
    assert late.json()["setup"] == changed.json()["setup"]
    mine = second.change(late.json()["setup"], stake="0.10", currency="Kč")
    assert mine.json()["setup"]["table"] == five
    assert phone.state()["setup"] == mine.json()["setup"]
    assert phone.change(mine.json()["setup"], stake="1", version=4).status_code == 409, "there is none yet"
    # The same sent again, since the answer was lost, is no conflict.
    assert phone.change(mine.json()["setup"], version=1).status_code == 200


def test_a_new_name_day_and_place_are_those_of_the_deals_too(phone: Phone) -> None:
    phone.enter(1, first_duty())
    session = phone.state()["session"]
    setup = phone.state()["setup"]
    for space, date in ((spaces.house(), "2026-11-25"), (Space.objects.get(kind="club"), "2026-11-24")):
        Session.objects.create(space=space, name="Semifinal", date=date)
    answer = phone.change(setup, name="Semifinal", date="2026-11-25", place="")
    assert answer.status_code == 200, answer.content
    state = phone.state()
    assert (state["session"], state["setup"]["name"]) == (session, "Semifinal")
    said = Contribution.objects.get()
    assert (said.session.name, said.date, said.site) == ("Semifinal", "2026-11-25", "")
    assert Session.objects.count() == 3, "also those of that name on another day or in another space"
    # It is known again at its new place: the sheet is changed, not stored a second time.
    deal = phone.deals()[1]
    assert phone.enter(1, first_duty(58), base=deal["version"]).status_code == 200
    assert Deal.objects.count() == 1
    assert [sorted(change.what) for change in Change.objects.order_by("pk")] == [
        ["date", "session", "site"],
        ["sheet"],
    ]
    for changes in ({"place": "Opava"}, {"date": "2026-11-26"}, {"name": "Final"}):
        assert phone.change(phone.state()["setup"], **changes).status_code == 200
        said = Contribution.objects.get()
        found = {"place": said.site, "date": said.date, "name": said.session.name}
        assert found | changes == found
    assert {change.user.username for change in Change.objects.all()} == {"alena"}
    Contribution.objects.update(site="Graz")  # where this deal was played, as was corrected by hand
    assert phone.change(phone.state()["setup"], place="Brno").status_code == 200
    assert Contribution.objects.get().site == "Graz"


def test_the_game_is_fixed_as_soon_as_there_is_a_deal(phone: Phone) -> None:
    setup = phone.state()["setup"]
    other = {"game": "troggu", "seats": 4}
    setup = phone.change(setup, **other).json()["setup"]
    assert setup["game"] == "troggu"
    setup = phone.change(setup, game="taroky").json()["setup"]
    deal = phone.enter(1, first_duty()).json()["deal"]
    assert error(phone.change(setup, **other)) == (422, "refused", "/game")
    phone.withdraw(1, deal["version"])
    assert phone.change(setup, **other).status_code == 200
    lines = [["contract", "solo"], ["tappist", "A"], ["points", "tappist", 70]]
    assert phone.enter(1, first_duty(lines=lines)).json()["deal"]["game"] == "troggu"


def test_a_wrong_setup_is_refused_with_its_place(signed_in: Client) -> None:
    phone = Phone(signed_in)
    for field, *wrong in (
        ("/game", "skat"), ("/seats", 9), ("/options/0", ["no-such"]), ("/name", "", "a\u202eb", "x" * 201),
        ("/table", "Alena", ["Alena", "Alena"], ["Alena Malá", "Bob", "Alena\u00a0 Mala\u0301"],
         [f"P{n}" for n in range(61)]),
        ("/table/1", ["Alena", "x" * 201]), ("/date", "2206-11-24", "0026-11-24", "tomorrow"),
        ("/thrown_in/0", [401], [0], ["x"]), ("/thrown_in/0/n", [{"n": 0, "turn": []}]),
        ("/thrown_in/0/turn", [{"n": 1}]),
        ("/thrown_in/1/turn/1", [1, {"n": 2, "turn": ["Alena", "x" * 201]}]),
        ("/thrown_in/0/dealer", [{"n": 1, "turn": [], "dealer": "Alena"}]),
        ("/stake", "ten", "1234567", "1.23456"), ("/place", "x" * 201), ("/dealer", "x" * 201),
        ("/currency", "x" * 13),
        ("/version", "x"), ("/bet", 1), ("/key", "00000000-0000-0000-0000-000000000000"),
    ):  # fmt: skip
        for value in wrong:
            answer = phone.put("setup", phone.setup(**{field.split("/")[1]: value}))
            assert error(answer) == (400, "invalid_parameter", field), value
    assert not Evening.objects.exists()


def test_the_setup_is_stored_with_names_as_they_are_compared(signed_in: Client) -> None:
    table = [" Alena\u3000Malá", "Bor\u030cek", "?", "?"]
    setup = Phone(signed_in).start(table=table, dealer="Bor\u030cek", place="Hluc\u030ci\u0301n\u00a0")
    assert setup["table"] == ["Alena Malá", "Bořek", "?", "??"]
    assert (setup["dealer"], setup["place"]) == ("Bořek", "Hlučín")
    # A refusal is in the language of the table.
    phone = Phone(signed_in)
    signed_in.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    answer = phone.put("setup", phone.setup(table=["Alena", "Alena"]))
    assert "Zwei Spieler heißen Alena." in answer.json()["detail"]


def test_the_start_has_players_and_evenings(
    phone: Phone, signed_in: Client, club: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(samples.SHEET.replace('"Bob"', '"Zora"'), space=club)  # of June
    phone.enter(1, first_duty())
    ended = Phone(signed_in)
    setup = ended.start(space=club.pk, name="Later", game="troggu", seats=4)
    ended.change(setup, ended=True)
    before = Phone(signed_in)
    before.start(space=club.pk, name="Before", date="2026-11-20")
    start = signed_in.get("/evenings/start.json").json()
    own, kotva = start["spaces"]
    assert start["user"] == "alena"
    assert (own["id"], own["players"], own["last"]) == (None, [], None)
    assert (kotva["id"], kotva["name"], kotva["place"]) == (club.pk, "Tarok", "Hlučín")
    assert set(kotva["players"][:4]) == set(NAMES)
    assert kotva["players"][4] == "Zora"
    assert (kotva["last"]["name"], kotva["last"]["ended"]) == ("Later", True)
    assert [evening["key"] for evening in start["evenings"]] == [before.key, phone.key]
    assert signed_in.get("/evenings/start.json").cookies["csrftoken"].value
    monkeypatch.setattr("archive.reading.evenings.MOST_EVENINGS", 1)
    monkeypatch.setattr("archive.reading.evenings.MOST_PLAYERS", 4)
    start = signed_in.get("/evenings/start.json").json()
    assert [evening["key"] for evening in start["evenings"]] == [before.key]
    assert set(start["spaces"][1]["players"]) == set(NAMES)
    Contribution.objects.filter(session__name="2026-11-24").update(visibility="withdrawn")
    start = signed_in.get("/evenings/start.json").json()
    assert set(start["spaces"][1]["players"]) == {"Alena", "Zora", "Cyril", "Dana"}


def test_players_appear_once_under_their_own_name(phone: Phone, club: Space, signed_in: Client) -> None:
    phone.enter(1, first_duty())
    lena = first_duty()
    lena["players"] = lena["players"] | {"A": "Lena"}
    phone.enter(2, lena)
    alias, head = Player.objects.get(name="Lena"), Player.objects.get(name="Alena")
    players.merge(alias, head)
    players.set_pseudonym(head, "Queen")
    start = signed_in.get("/evenings/start.json").json()
    assert sorted(start["spaces"][1]["players"]) == sorted(NAMES)
    deals = phone.deals()
    assert [deals[n]["players"]["A"] for n in (1, 2)] == ["Alena", "Alena"]
    # The person under her own name is no change of the deal.
    answer = phone.enter(2, {key: deals[2][key] for key in lena}, base=deals[2]["version"])
    assert answer.status_code == 200
    assert not Change.objects.exists()


def test_a_long_evening_costs_the_same(phone: Phone, django_assert_num_queries: Any) -> None:
    address = f"/evenings/{phone.key}/state.json"
    phone.enter(1, first_duty())
    # Session, user, roles; evening, version; five for the deals.
    with django_assert_num_queries(10):
        phone.client.get(address)
    for number in range(2, 12):
        phone.enter(number, first_duty(40 + number))
    with django_assert_num_queries(10):
        answer = phone.client.get(address)
    assert len(answer.json()["deals"]) == 11
    with django_assert_num_queries(5):
        same = phone.client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (same.status_code, same.content) == (304, b"")


def test_many_clubs_cost_the_same_at_the_start(
    phone: Phone, alena: User, django_assert_num_queries: Any
) -> None:
    for name in ("A", "B", "C"):
        club = spaces.found_club(name, by=alena)
        one = Phone(phone.client)
        one.start(space=club.pk)
        one.enter(1, first_duty())
    # Session, user, roles; spaces, players, last evenings, their rules, evenings in course.
    with django_assert_num_queries(8):
        start = phone.client.get("/evenings/start.json").json()
    assert [space["name"] for space in start["spaces"]] == ["", "A", "B", "C", "Tarok"]
    assert len(start["evenings"]) == 4
    phone.change(phone.state()["setup"], stake="1")
    start = phone.client.get("/evenings/start.json").json()
    assert start["evenings"][0]["key"] == phone.key, "the one changed last comes first"


def test_every_change_is_another_state(phone: Phone, second: Phone) -> None:
    seen: list[str] = []

    def note() -> None:
        seen.append(phone.client.get(f"/evenings/{phone.key}/state.json")["ETag"])

    note()
    deal = phone.enter(1, first_duty()).json()["deal"]
    note()
    changed = second.enter(1, first_duty(58), base=deal["version"]).json()["deal"]
    note()
    second.withdraw(1, changed["version"])
    note()
    phone.enter(1, first_duty(58))
    note()
    second.change(second.state()["setup"], thrown_in=[2])
    note()
    assert len({*seen}) == 6


def test_an_evening_is_for_members_of_its_club(phone: Phone, other: Client, club: Space) -> None:
    """Who reads it, enters deals and changes it is in the tables of test_permissions.py."""
    deal = phone.enter(1, first_duty()).json()["deal"]
    stranger, unknown = Phone(other, phone.key), Phone(Client(), phone.key)
    for one, expected in ((stranger, (404, "not_found")), (unknown, (401, "not_authenticated"))):
        new = Phone(one.client)
        answers = one.withdraw(1, deal["version"]), new.put("setup", new.setup(space=club.pk))
        assert [error(answer)[:2] for answer in answers] == [expected] * 2
    assert phone.deals() == {1: deal}
    assert Evening.objects.count() == 1
    assert stranger.client.get("/evenings/start.json").json()["evenings"] == []
    nobody = unknown.client.get("/evenings/start.json").json()
    assert (nobody["user"], nobody["evenings"]) == ("", [])
    own = {"id": None, "name": "", "place": "", "players": [], "rules": {}, "last": None}
    assert nobody["spaces"] == [own | {"choices": ["public", "unlisted"], "visibility": "unlisted"}]


def test_after_its_end_the_rights_of_any_deal_hold(phone: Phone, second: Phone, borek: User) -> None:
    mine = phone.enter(1, first_duty()).json()["deal"]
    theirs = second.enter(2, first_duty()).json()["deal"]
    ended = phone.change(phone.state()["setup"], ended=True).json()["setup"]
    assert ended["ended"]
    # A member's own deal, and one that was on his phone without network, but not another's.
    assert second.enter(2, first_duty(50), base=theirs["version"]).status_code == 200
    assert second.enter(3, first_duty()).status_code == 201
    assert error(second.enter(1, first_duty(50), base=mine["version"]))[:2] == (403, "permission_denied")
    assert error(second.withdraw(1, mine["version"]))[:2] == (403, "permission_denied")
    assert error(second.change(ended, ended=False))[:2] == (403, "permission_denied")
    # Its owner may.
    now = phone.deals()[2]
    assert phone.enter(2, first_duty(40), base=now["version"]).status_code == 200
    again = phone.change(ended, ended=False).json()["setup"]
    assert not again["ended"]
    assert second.enter(1, first_duty(50), base=mine["version"]).status_code == 200
    spaces.leave(Member.objects.get(user=borek))
    assert error(second.enter(4, first_duty()))[:2] == (404, "not_found"), (
        "who leaves the club enters no more"
    )


def test_a_guests_evening_is_of_his_browser_and_is_adopted(client: Client, alena: User) -> None:
    phone = Phone(client)
    phone.start(name="Cellar")
    phone.enter(1, first_duty())
    assert Upload.objects.get().sender.startswith("address-"), "the address has a quota"
    assert error(Phone(Client(), phone.key).enter(1, first_duty()))[:2] == (401, "not_authenticated")
    start = client.get("/evenings/start.json").json()
    assert sorted(start["spaces"][0]["players"]) == sorted(NAMES)
    assert start["spaces"][0]["last"]["key"] == phone.key
    # He signs in amid the evening: the phone goes on.
    client.force_login(alena)
    assert phone.enter(2, first_duty(50)).status_code == 201
    Session.objects.create(space=spaces.own(alena), name="Cellar", date="2026-11-24")
    assert client.post("/uploads/adopt/").status_code == 302
    state = phone.state()
    assert state["setup"]["name"] == "Cellar (2)", "an evening is not mixed with another session"
    assert [deal["n"] for deal in state["deals"]] == [1, 2]
    assert phone.enter(1, first_duty(40), base=state["deals"][0]["version"]).status_code == 200
    assert Deal.objects.count() == 2


def test_pages_lead_members_to_the_evening_in_course(phone: Phone, second: Phone, club: Space) -> None:
    phone.enter(1, first_duty())
    nobody, there, new = Client(), f"/evenings/#{phone.key}", f"/evenings/#new/{club.pk}"
    of_club, session = f"/clubs/{club.pk}/", phone.state()["address"]
    for address, links in ((of_club, {there, new}), (session, {there})):
        assert links <= set(page_at(second.client, address).attributes("href")), address
        assert not links & set(page_at(nobody, address).attributes("href")), address
    for address in ("/", "/upload/"):
        assert "/evenings/" in page_at(nobody, address).attributes("href")
    phone.change(phone.state()["setup"], ended=True)
    assert there not in page_at(second.client, of_club).attributes("href")
    ended = page_at(second.client, session)
    assert there in ended.attributes("href")  # to correct what was entered
    assert "Enter deals" not in ended.text
    assert there not in page_at(nobody, session).attributes("href")


def test_a_deal_that_was_thrown_in_is_no_missing_number(phone: Phone) -> None:
    turn = {"n": 5, "turn": ["Cyril", "Dana", "Alena", "Bořek"]}
    phone.enter(1, first_duty())
    # Whose turn it is after a deal that nobody played is the club's own matter.
    phone.enter(4, first_duty(dealer="A"))
    phone.change(phone.state()["setup"], thrown_in=[turn, 2, turn, 2])
    setup = phone.state()["setup"]
    assert setup["thrown_in"] == [2, turn], "with the turn of its table"
    text = text_of(phone.client, phone.state()["address"])
    assert missing(text, "Missing numbers: 3.", "Thrown in: 2, 5.") == []
    assert "turn." not in text
    # A deal that was played after all is there, and is not thrown in any more.
    phone.change(setup, thrown_in=[2])
    phone.enter(2, first_duty(50, dealer="A"))
    phone.enter(3, first_duty(50, dealer="B"))
    assert present(text_of(phone.client, phone.state()["address"]), "missing", "Thrown in") == []
