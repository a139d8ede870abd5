"""The deals of an evening: entered by several phones, changed, withdrawn, refused, and never overwritten; and
whatever is sent to the addresses of an evening is stored, or refused with a reason."""

from __future__ import annotations

import csv
import io
import json
import logging
from dataclasses import replace
from itertools import product
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from archive.models import Change, Contribution, Deal, Evening, Space, Upload
from archive.storing import corrections, uploads
from archive.web import throttles
from replays.apps.engine import engine
from replays.apps.views import evenings_data
from tarock.analysis.simulate import simulate
from tarock.notation import write_text
from tarock.view.answers.questions import answer_to
from tests.browser.evening_deals import EVENINGS
from tests.browser.evening_deals import Evening as WholeEvening
from tests.pages.conftest import text_of
from tests.pages.evenings import NAMES, Phone, error, first_duty
from tests.support import samples
from tests.support.storing import shown, stored

pytestmark = pytest.mark.django_db


def test_a_deal_is_entered_and_changed(phone: Phone) -> None:
    answer = phone.enter(1, first_duty(comment="the deal of the evening"))
    assert answer.status_code == 201
    deal = answer.json()["deal"]
    assert deal | {"version": "", "address": "", "audit": ""} == {
        **first_duty(comment="the deal of the evening"),
        "n": 1, "game": "taroky", "kind": "sheet", "verdict": "computed",
        "score": {"A": 25, "B": -25, "C": -25, "D": 25}, "entered_by": "alena",
        "version": "", "address": "", "audit": "",
    }  # fmt: skip
    assert text_of(phone.client, deal["audit"]).count("60 − 35 = 25")
    said = Contribution.objects.get()
    assert (said.date, said.site, said.session.name) == ("2026-11-24", "Hlučín", "2026-11-24")
    changed = phone.enter(1, first_duty(58), base=deal["version"])
    assert changed.status_code == 200
    assert changed.json()["deal"]["lines"][-1] == ["points", "bidder", 58]
    # 58 - 35 = 23
    assert shown(Deal.objects.get()).score == {"A": 23, "B": -23, "C": -23, "D": 23}
    assert Change.objects.get().user.username == "alena"
    assert phone.deals() == {1: changed.json()["deal"]}


def test_what_another_phone_entered_is_never_overwritten(phone: Phone, second: Phone) -> None:
    first = phone.enter(1, first_duty(60), key="a").json()["deal"]
    late = second.enter(1, first_duty(50), key="b")
    assert (late.status_code, late.json()["deal"]) == (409, first)
    both = phone.enter(1, first_duty(58), base=first["version"])
    assert both.status_code == 200
    stale = second.enter(1, first_duty(50), base=first["version"])
    assert (stale.status_code, stale.json()["deal"]) == (409, both.json()["deal"])
    assert second.withdraw(1, first["version"]).status_code == 409
    assert phone.deals()[1] == both.json()["deal"]
    # The same entered by both is no conflict.
    same = second.enter(1, first_duty(58))
    assert (same.status_code, same.json()["deal"]) == (200, both.json()["deal"])


def test_two_sheets_on_their_way_at_once_are_not_mixed(phone: Phone, second: Phone) -> None:
    with mock.patch.object(uploads, "wait", return_value=False):
        waiting = phone.enter(1, first_duty(60), key="a")
    assert (waiting.status_code, waiting.json()) == (202, {"deal": None})
    late = second.enter(1, first_duty(50), key="b")  # now both are stored, in this order
    assert late.status_code == 409
    assert late.json()["deal"]["lines"][-1][-1] == 60
    again = phone.enter(1, first_duty(60), key="a")
    assert again.status_code == 201
    assert second.enter(1, first_duty(50), key="b").status_code == 409, "also when it is sent again"
    assert Deal.objects.count() == 1


def test_a_request_sent_again_is_not_done_again(phone: Phone, second: Phone) -> None:
    """Neither after somebody else's correction nor after a withdrawal."""
    first = phone.enter(1, first_duty(60), key="enter").json()["deal"]
    mine = phone.enter(1, first_duty(58), base=first["version"], key="change").json()["deal"]
    theirs = second.enter(1, first_duty(40), base=mine["version"], key="change").json()["deal"]
    for again in (
        phone.enter(1, first_duty(60), key="enter"),
        phone.enter(1, first_duty(58), base=first["version"], key="change"),
    ):
        assert again.status_code in (200, 201), again.content
        assert again.json()["deal"] == theirs
    assert (Change.objects.count(), Upload.objects.count()) == (2, 1)
    second.withdraw(1, theirs["version"])
    again = phone.enter(1, first_duty(60), key="enter")
    assert (again.status_code, again.json()) == (409, {"deal": None})
    assert phone.deals() == {}
    assert phone.enter(1, first_duty(60), key="another").status_code == 200
    assert [*phone.deals()] == [1]
    for expected in (200, 409):  # entered again as it was, which is no correction
        second.withdraw(1, phone.deals()[1]["version"])
        assert phone.enter(1, first_duty(60), key="as it was").status_code == expected
    # Another deal's requests may have the same keys.
    other = phone.enter(2, first_duty(60), key="enter").json()["deal"]
    changed = phone.enter(2, first_duty(50), base=other["version"], key="change").json()["deal"]
    assert changed["lines"][-1][-1] == 50


def test_a_withdrawn_deal_frees_its_number(phone: Phone, second: Phone) -> None:
    deal = phone.enter(1, first_duty(60)).json()["deal"]
    for wrong in (None, 1, [], "", "\x00", deal["version"][:-1]):
        assert phone._send("DELETE", "deals/1", {"base": wrong}).status_code in (400, 409), wrong
    assert phone.deals() == {1: deal}
    answer = phone.withdraw(1, deal["version"], key="gone")
    assert (answer.status_code, answer.json()) == (200, {"deal": None})
    assert phone.deals() == {}
    for base in (deal["version"], "0" * 16):
        assert phone.withdraw(1, base).status_code == 200, "it is gone already"
    for number, points in ((1, 58), (1, 60), (2, 60)):
        late = second.enter(number, first_duty(points), base=deal["version"])
        assert (late.status_code, late.json()) == (409, {"deal": None})
    again = second.enter(1, first_duty(40), key="again")
    assert (again.status_code, again.json()["deal"]["lines"][-1][-1]) == (200, 40)
    # 40 - 35 = 5
    assert shown(Deal.objects.get()).score == {"A": 5, "B": -5, "C": -5, "D": 5}
    # The withdrawal that comes again does not take away what was entered since.
    assert phone.withdraw(1, deal["version"], key="gone").status_code == 200
    assert phone.deals()[1]["lines"][-1][-1] == 40


def test_what_cannot_be_and_what_lacks_something_is_stored_and_shown(phone: Phone) -> None:
    illegal = phone.enter(1, first_duty(71))
    assert (illegal.status_code, illegal.json()["deal"]["verdict"]) == (201, "illegal")
    lacking = first_duty()
    lacking["lines"] = lacking["lines"][:2]
    assert phone.enter(2, lacking).json()["deal"]["verdict"] == "incomplete"
    assert text_of(phone.client, phone.state()["address"]).count("No score.") == 2


def on_the_evening(text: str, session: str, date: str) -> str:
    """A record as one of the evening's, with its session and date in place of these."""
    text = text.replace(f'[Session "{session}"]', '[Session "2026-11-24"]')
    return text.replace(f'[Date "{date}"]', '[Date "2026-11-24"]')


def test_a_deal_with_its_cards_is_not_overwritten(phone: Phone, club: Space) -> None:
    stored(on_the_evening(samples.TAROKY, "2026-11-20 table 2", "2026-11-20"), space=club)
    deal = phone.deals()[7]
    assert (deal["kind"], deal["verdict"]) == ("played", "verified")
    assert deal["lines"][:4] == first_duty()["lines"]
    for answer in (
        phone.enter(7, first_duty()),
        phone.enter(7, first_duty(), base=deal["version"]),
        phone.withdraw(7, deal["version"]),
    ):
        assert (answer.status_code, answer.json()["deal"]) == (409, deal)


def test_a_changed_sheet_keeps_what_the_form_does_not_have(phone: Phone, club: Space) -> None:
    # 110 as the sheet's own test calculates it, 5 less without the tarocky.
    text = samples.SHEET.replace("{ the deal of the evening }", "{ the deal }\n{ of the evening }")
    stored(on_the_evening(text, "June", "2026-06-05"), space=club)
    deal = phone.deals()[7]
    changed = {key: deal[key] for key in first_duty()}
    changed["lines"] = [line for line in deal["lines"] if line[0] != "hand"]
    answer = phone.enter(7, changed, base=deal["version"])
    assert (answer.status_code, answer.json()["deal"]["verdict"]) == (200, "disputed")
    record = shown(Contribution.objects.get()).record
    assert (record.tags["Annotator"], record.tags["Date"]) == ("Petr", "2026-11-24")
    assert record.score == {"A": 110, "B": -110, "C": -110, "D": 110}
    assert record.comments == {0: ["the deal", "of the evening"]}


def seated(*names: Any) -> dict[str, Any]:
    """These players, from seat A on."""
    return dict(zip("ABCDE", names, strict=False))


def test_a_sheet_may_get_another_number_of_seats(signed_in: Client) -> None:
    phone = Phone(signed_in)
    phone.start(game="troggu", seats=4, name="T")
    four, five = seated(*NAMES), seated(*NAMES, "Emil")
    lines = [["contract", "solo"], ["tappist", "A"], ["points", "tappist", 70]]
    deal = {"dealer": "B", "options": [], "lines": lines, "comment": ""}
    first = phone.enter(1, deal | {"players": four}).json()["deal"]
    assert first["verdict"] == "computed"
    # A score that was written down for four is none for five.
    Contribution.objects.update(claim=" ".join(f"{seat}={n}" for seat, n in first["score"].items()))
    second = phone.enter(1, deal | {"players": five}, base=first["version"])
    assert second.json()["deal"]["verdict"] == "computed"
    assert (second.status_code, second.json()["deal"]["players"]) == (200, five)
    assert set(shown(Deal.objects.get()).score or ()) == set("ABCDE")
    third = phone.enter(1, deal | {"players": four}, base=second.json()["deal"]["version"])
    assert third.json()["deal"]["players"] == four
    assert third.json()["deal"]["version"] == first["version"]


def test_a_deal_with_something_wrong_is_refused_with_its_place(phone: Phone) -> None:
    for wrong, code, field in (
        ({"players": {}}, "malformed", "/deal/players"),
        ({"players": ["Alena"]}, "malformed", "/deal/players"),
        ({"players": seated(*"abcde")}, "malformed", "/deal/players"),
        ({"players": seated(*NAMES[:3], "x" * 201)}, "malformed", "/deal/players"),
        ({"players": seated(*NAMES[:3], 4)}, "malformed", "/deal/players/D"),
        ({"dealer": "X"}, "malformed", "/deal/dealer"),
        ({"options": ["no-such"]}, "malformed", "/deal/options/0"),
        ({"lines": []}, "malformed", "/deal/lines"),
        ({"lines": [["contract", "grand"]]}, "malformed", "/deal/lines/0/1"),
        ({"lines": [["price", 3]]}, "malformed", "/deal/lines/0"),
        ({"lines": 7}, "malformed", "/deal/lines"),
        ({"comment": "a } b"}, "malformed", "/deal/comment"),
        ({"comment": "x" * 2001}, "malformed", "/deal/comment"),
        ({"n": 2}, "invalid_parameter", "/deal/n"),
        ({"players": seated(*NAMES[:3], "Alena ")}, "invalid_parameter", "/deal/players"),
        ({"events": []}, "invalid_parameter", "/deal/events"),
    ):
        body = {"deal": first_duty() | {"n": 1} | wrong, "base": ""}
        found = error(phone.put("deals/1", body))
        assert found == ({"malformed": 422}.get(code, 400), code, field), wrong
    twice = first_duty() | {"n": 1, "dealer": "X", "comment": "a } b"}
    first = phone.put("deals/1", {"deal": twice, "base": ""})
    assert error(first) == (422, "malformed", "/deal/dealer")
    assert "X" in first.json()["detail"]
    for number in (0, 401):
        assert error(phone.enter(number, first_duty())) == (400, "invalid_parameter", "/deal/n")
    Evening.objects.update(date="2206-11-24")  # it was started before dates were checked
    answer = phone.enter(1, first_duty())
    assert error(answer) == (400, "invalid_parameter", "")
    assert "Did you mean 2026-11-24?" in answer.json()["detail"]
    assert not Upload.objects.exists()


def test_what_is_no_request_is_refused(phone: Phone, settings: Any) -> None:
    raw = (b"", b"{", b"[]", b"1", b'"x"', b"null", b"\xff", b"[" * 60_000, b"1" * 5000, b"NaN",
           b'{"deal": 1}', b'{"deal": {}, "score": {"A": "x"}}')  # fmt: skip
    for (method, path), body in product((("PUT", "setup"), ("PUT", "deals/1"), ("DELETE", "deals/1")), raw):
        answer = phone.raw(method, path, body)
        assert answer.status_code == 400, (method, path, body[:9])
        assert answer.json()["code"] in ("bad_request", "invalid_parameter")
    # Numbers of deals have bounds.
    good = json.dumps({"deal": first_duty(), "base": "x"})
    for method, number in product(("PUT", "DELETE"), (0, 401, 10**30)):
        assert phone.raw(method, f"deals/{number}", good).status_code == 400, (method, number)
    assert error(phone.enter(401, first_duty())) == (400, "invalid_parameter", "/deal/n")
    assert error(phone.put("deals/1", json.dumps({"deal": "x" * 70_000}))) == (413, "too_large", "")
    assert error(phone.enter(1, first_duty(), key="x" * 101)) == (400, "invalid_parameter", "")
    settings.ARCHIVE_QUOTA_DEALS = 1
    assert phone.enter(1, first_duty()).status_code == 201
    over = phone.enter(2, first_duty())
    assert error(over) == (429, "throttled", "")
    assert int(over["Retry-After"]) > 0
    assert list(phone.deals()) == [1]


def test_too_many_requests_and_a_database_that_is_away(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as away:

        def gone(*_: Any, **__: Any) -> Any:
            raise OperationalError("gone")

        away.setattr(evenings_data, "get_evening", gone)
        for answer in (phone.enter(1, first_duty()), phone.client.get(f"/evenings/{phone.key}/state.json")):
            assert error(answer) == (503, "busy", "")
            assert answer["Retry-After"] == "60"
    monkeypatch.setattr(throttles.NewEvenings, "rate", "2/hour")
    # The first is that of the phone.
    others = [Phone(phone.client), Phone(phone.client)]
    started = [one.put("setup", one.setup()) for one in others]
    assert [one.status_code for one in started] == [201, 429]
    assert int(started[1]["Retry-After"]) > 60
    assert others[0].put("setup", others[0].setup()).status_code == 200, "it is there"
    monkeypatch.setattr(throttles.Entries, "rate", "1/min")
    monkeypatch.setattr(throttles.Entries, "get_rate", lambda self: "1/min")
    answers = [phone.withdraw(1, "x") for _ in range(3)]
    assert error(answers[-1])[:2] == (429, "throttled")
    assert int(answers[-1]["Retry-After"]) > 0


def test_a_request_of_another_site_is_refused(alena: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alena)
    phone = Phone(strict)
    assert error(phone.put("setup", phone.setup())) == (403, "permission_denied", "")
    assert not Evening.objects.exists()
    strict.get("/evenings/start.json")
    strict.defaults["HTTP_X_CSRFTOKEN"] = strict.cookies["csrftoken"].value
    assert phone.put("setup", phone.setup()).status_code == 201


def test_another_score_on_the_phone_is_our_fault(phone: Phone, caplog: pytest.LogCaptureFixture) -> None:
    right = {"A": 25, "B": -25, "C": -25, "D": 25}
    with caplog.at_level(logging.ERROR):
        phone.enter(1, first_duty(), score=right, engine=engine().version)
        phone.enter(2, first_duty(71), score=None, engine=engine().version)
        phone.enter(3, first_duty(), score=right | {"A": 26}, engine="0.1")
        assert not caplog.records
        answer = phone.enter(4, first_duty(), score=right | {"A": 26}, engine=engine().version)
        for number, made_up in enumerate(({"A": 26}, {"<b>": 1}, right | {"A": 27}), start=5):
            claim = {"score": made_up, "engine": engine().version}
            assert phone.enter(number, first_duty(), **claim).status_code == 201
    assert answer.status_code == 201
    # Whatever more is claimed within a minute is not in the log.
    (record,) = caplog.records
    assert f"deal 4 of evening {phone.key}" in record.getMessage()
    assert "{'A': 26, 'B': -25, 'C': -25, 'D': 25}, here as {'A': 25," in record.getMessage()


def test_cards_that_give_no_score_do_not_stand_in_front_of_the_sheet(phone: Phone, club: Space) -> None:
    deal = phone.enter(7, first_duty(60)).json()["deal"]
    stored(on_the_evening(samples.INCOMPLETE, "2026-11-20 table 2", "2026-11-20"), space=club)
    assert Contribution.objects.filter(session__name="2026-11-24", number=7).count() == 2
    # The page at the table adds up what the page of the session does: each number once.
    assert [(one["n"], one["kind"]) for one in phone.state()["deals"]] == [(7, "sheet")]
    changed = phone.enter(7, first_duty(50), base=deal["version"])
    assert (changed.status_code, changed.json()["deal"]["lines"][-1][-1]) == (200, 50)
    gone = phone.withdraw(7, changed.json()["deal"]["version"])
    assert (gone.status_code, gone.json()["deal"]["kind"]) == (200, "played")
    # With the cards alone the number is taken: they are put right where cards are.
    (cards_alone,) = phone.state()["deals"]
    assert cards_alone["kind"] == "played"
    answer = phone.enter(7, first_duty(40))
    assert (answer.status_code, answer.json()["deal"]) == (409, cards_alone)
    corrections.set_visibility(Contribution.objects.get(deal__kind="played"), "withdrawn", by=None)
    assert phone.enter(7, first_duty(40)).status_code == 200


def test_a_deal_of_another_game_is_not_the_evenings(phone: Phone, club: Space) -> None:
    (record,) = simulate("troggu", deals=1, seed=3)
    record = replace(record, tags={"Session": "2026-11-24", "Date": "2026-11-24", "Deal": "2"})
    stored(write_text(record), space=club)
    phone.enter(1, first_duty(60))
    assert [*phone.deals()] == [1]
    # Its number is taken all the same.
    assert phone.enter(2, first_duty(60)).status_code == 409


@pytest.mark.parametrize("evening", EVENINGS, ids=[one.game for one in EVENINGS])
@pytest.mark.usefixtures("sweeper")
def test_a_whole_evening_as_it_is_tapped(evening: WholeEvening, signed_in: Client, club: Space) -> None:
    phone, table = Phone(signed_in), list(evening.players)
    phone.start(game=evening.game, seats=0, table=table, dealer=table[0], space=club.pk)
    for number, one in enumerate(evening.deals, start=1):
        state = phone.state()
        question = {"setup": state["setup"], "deals": state["deals"]}
        seats = answer_to({"ask": "evening", **question})["next"]
        assert (seats["number"], seats["deals"]) == (number, table[(number - 1) % len(table)])
        deal = {"players": seats["players"], "dealer": seats["dealer"], "options": [], "comment": ""}
        lines = [[int(word) if word.isdigit() else word for word in line.split()] for line in one.lines]
        if "contract" not in [line[0] for line in lines]:
            # The form before the first tap.
            form = {"ask": "form", "setup": state["setup"], "deal": {**deal, "n": number, "lines": []}}
            lines = answer_to(form)["lines"] + lines
        entered = phone.enter(number, {**deal, "lines": lines}).json()["deal"]
        score = {entered["players"][seat]: points for seat, points in entered["score"].items()}
        assert (number, entered["verdict"], score) == (number, "computed", one.score)
    state = phone.state()
    stand = answer_to({"ask": "evening", "setup": state["setup"], "deals": state["deals"]})
    assert {row["name"]: row["total"] for row in stand["standings"]} == evening.totals
    assert [row["score"] for row in stand["deals"]] == [one.score for one in evening.deals]
    assert stand["deals"][-1]["totals"] == evening.totals
    text = signed_in.get(f"{state['address']}session.csv").getvalue().decode("utf-8-sig")
    last = list(csv.DictReader(io.StringIO(text)))[-1]
    assert {name: int(last[f"{name} (total)"]) for name in table} == evening.totals
    rows = Client().get("/api/v1/scores", {"club": club.pk, "game": evening.game}).json()["results"]
    assert {row["player"]: (row["points"], row["deals"]) for row in rows} == {
        name: (total, 12) for name, total in evening.totals.items()
    }
    page = text_of(signed_in, state["address"])
    signs = {name: f"+{total}" if total > 0 else f"−{-total}" for name, total in evening.totals.items()}
    assert [f"{name} {total}" for name, total in signs.items() if f"{name} {total} " not in page] == []
    assert "missing" not in page


def test_a_setup_at_its_limits_is_accepted_and_read_by_the_engine(signed_in: Client) -> None:
    long, many = "x" * 200, [str(number) for number in range(60)]
    for changes in (
        {"name": long, "place": long, "table": [long, *many[1:]], "dealer": long, "stake": "999999.9999",
         "currency": "x" * 12, "thrown_in": [*range(1, 401)]},
        {"name": '"\\', "place": "\u05d0", "table": [], "dealer": "", "stake": "0,5", "currency": "Kč",
         "thrown_in": [1, {"n": 400, "turn": many}], "counts_thrown_in": True},
        {"game": "strohmann", "seats": 2}, {"game": "troggu", "seats": 0},
        {"game": "grosstarock", "seats": 3},
    ):  # fmt: skip
        phone = Phone(signed_in)
        setup = phone.start(**changes)
        assert setup | changes == setup
        assert "error" not in answer_to({"ask": "evening", "setup": setup, "deals": []})
        if setup["game"] == "taroky":
            assert phone.enter(1, first_duty()).status_code == 201


def test_a_deal_at_its_limits_is_accepted_and_read_by_the_engine(phone: Phone) -> None:
    far = {"score": {"A": 10**6, "B": -(10**6)}, "engine": "x" * 20}
    for number, changes in enumerate(
        (
            {"comment": "x" * 2000}, {"comment": '"; {'}, {"players": seated("x" * 200, *"BCD")},
            {"lines": [["contract", "first"]]}, {"lines": [["surrendered"]]},
            {"lines": [["contract", "varsava"]]}, {"options": ["settle-uncontested"]},
        ),
        start=1,
    ):  # fmt: skip
        assert phone.enter(number, first_duty(**changes), **far).status_code == 201, changes
    state = phone.state()
    rows = answer_to({"ask": "evening", "setup": state["setup"], "deals": state["deals"]})["deals"]
    assert [row["verdict"] for row in rows] == [deal["verdict"] for deal in state["deals"]]
    for wrong in ({"score": {"A": 10**6 + 1}}, {"score": {"A": -(10**6) - 1}}, {"engine": "x" * 21}):
        assert phone.enter(8, first_duty(), **wrong).status_code == 400, wrong
    assert phone.enter(8, first_duty(), base="x" * 33).status_code == 400
    assert phone.enter(400, first_duty()).status_code == 201
