"""The running account, what everybody knows, and why a card could be played: facts that the pages show."""

from __future__ import annotations

import json
import re

import pytest

from tarock.analysis import audit, commentary, public_knowledge, replay
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.games import game, games
from tarock.words.clauses import clause
from tests.engine.driver import ALL, deals


@ALL
def test_the_account_ends_where_the_counting_does(game: str, players: int) -> None:
    for record in deals(game, players, 4):
        account = audit.running(record)
        counted = {c.side: c.points for c in check(record).countings}
        if account.rows:
            assert account.rows[-1].points == counted
            assert [row.trick for row in account.rows] == list(range(1, len(account.rows) + 1))
            begun = replay.position(record, min(n for n, e in enumerate(record.events) if e[1] == "play"))
            assert account.before == begun.side_points
            end = replay.position(record, len(record.events))
            assert [row.winner for row in account.rows] == [trick.winner for trick in end.tricks]


@ALL
def test_the_public_account_has_the_points_that_every_seat_sees(game: str, players: int) -> None:
    record = next(deals(game, players, 1))
    for row in audit.running(record, public=True).rows:
        assert row.points == replay.position(record, row.step, record.seats[0]).points


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_thresholds_are_of_the_pack_and_in_their_clause(info: object) -> None:
    found = info.threshold  # type: ignore[attr-defined]
    assert found.of == game(info.id).points  # type: ignore[attr-defined]
    text = clause(found.clause).text
    # The clause names the number, or the one that must be passed.
    assert str(found.points) in text or str(found.points - 1) in text


def test_where_the_most_points_pay_nothing_is_to_be_reached() -> None:
    for name, players, word in (("troggu", 4, "misere"), ("taroky", 4, "varsava")):
        found = 0
        for record in simulate(name, players=players, deals=30, seed=3):
            pays = check(record).lines[0].clause.startswith(f"{name}.{word}")
            found += pays
            assert (audit.running(record).threshold is None) == pays, record
        assert found


def codes(values: object) -> set[str]:
    return set(re.findall(r'"(?:play |discard )?([SHDCT](?:[KQCJ]|\d+))["(]', json.dumps(values)))


@ALL
def test_what_everybody_knows_is_known_to_each(game: str, players: int) -> None:
    record = next(deals(game, players, 1))
    rows = [codes(row.as_json()) for row in public_knowledge.outline(record)]
    theirs = {seat: [codes(row.as_json()) for row in replay.outline(record, seat)] for seat in record.seats}
    for step in range(0, len(record.events), 5):
        known = public_knowledge.position(record, step)
        assert known.legal is None
        assert all(hand.cards is None or not hand.count for hand in known.hands.values())
        cards = codes(known.as_json())
        for seat in record.seats:
            mine = replay.position(record, step, seat)
            assert cards <= codes(mine.as_json())
            assert set().union(*rows[:step]) <= set().union(*theirs[seat][:step])
            assert known.partner in (None, mine.partner)


@ALL
def test_one_reason_is_that_of_all(game: str, players: int) -> None:
    for record in simulate(game, players=players, deals=2, seed=11):
        for view in (None, *record.seats):
            reasons = commentary.reasons(record, view)
            some = range(0, len(reasons), 5)
            assert [reasons[n] for n in some] == [commentary.reason(record, n, view) for n in some]
            for event, reason in zip(record.events, reasons, strict=True):
                if reason and view not in (None, event[0]):
                    assert reason["legal"] is reason["choices"] is None
                    card = event[2].partition("(")[0]
                    if reason["kind"] == "follow":
                        assert card[0] == reason["suit"]
                    if reason["kind"] in ("tarock", "free"):
                        assert card != "T0"


def test_no_reason_where_there_is_no_play() -> None:
    record = next(deals("taroky", 4, 1))
    assert [commentary.reason(record, n) for n in (-1, 0, len(record.events))] == [None] * 3
