"""Hindsight: which cards are analysed, and which of the losses are turning points."""

from __future__ import annotations

from typing import Any

import pytest

from tarock.analysis import hindsight
from tarock.analysis.endings import LIMIT, NOT_IN_PLAY, Ending
from tarock.analysis.fold import fold
from tarock.analysis.hindsight import Hindsight, Loss, at_step, rated, tables, why_not
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.notation import read_one
from tests.support.samples import BROKEN_OFF, TAROKY


def solved(table: Any, _played: object) -> Ending:
    return Ending(table.step, table.turn, {}, (), None)


@pytest.mark.parametrize(("game", "players", "at_once"), [("taroky", 4, 8), ("strohmann", 2, 5)])
def test_the_last_tricks_are_analysed(game: str, players: int, at_once: int) -> None:
    """With the kernel, 10, and at once 8; in games that it does not know, 6 and 5."""
    record = next(
        one
        for one in simulate(game, players=players, deals=30, seed=2)
        if fold(one).table.tricks and not why_not(one)
    )
    table = fold(record).table
    assert bool(table.special_rules()) == (at_once == 8)
    last = 10 if at_once == 8 else 6
    first = table.tricks[-last]
    assert tables(record)[0].step == first.event
    assert len(tables(record)) == last * players
    for left, why in ((at_once, None), (at_once + 1, LIMIT)):
        assert at_step(record, table.tricks[-left].event, solved).why == why
    loss = Loss(first.event + 1, "B", "SK", 3, 1, "x")
    cards = rated(record, Hindsight(first.event, (loss,)))
    assert [card.step for card in cards] == list(range(first.event, len(record.events)))
    assert cards[0][3:] == (0, cards[0].card, 0, "")
    assert cards[1][3:] == (3, "SK", 1, "x")


def test_a_deal_that_is_not_over_has_no_hindsight() -> None:
    unfinished: Record = read_one(BROKEN_OFF)
    assert why_not(unfinished) == NOT_IN_PLAY
    assert hindsight.hindsight(unfinished, solved) is None
    assert why_not(read_one(TAROKY)) is None


def test_turning_points_changed_the_result_before_a_clause_and_a_clause_before_points() -> None:
    losses = [(9, False, []), (1, False, ["a", "b"]), (8, False, []), (2, True, []), (1, True, ["c"])]
    losses += [(2, False, ["d"])]
    found = [
        hindsight._Compared(Loss(step, "A", "SK", points), turned, list(clauses))
        for step, (points, turned, clauses) in reversed(list(enumerate(losses)))
    ]
    ranked = hindsight._ranked(found)
    assert [(one.step, one.rank, one.clause) for one in ranked] == [
        (0, 0, ""), (1, 0, ""), (2, 0, ""), (3, 2, ""), (4, 1, "c"), (5, 3, "d"),
    ]  # fmt: skip


@pytest.mark.parametrize("result", ["won", "lost"])
def test_a_clause_counts_if_its_effect_is_worse_and_the_most_expensive_comes_first(
    monkeypatch: pytest.MonkeyPatch, result: str
) -> None:
    points = {"y": (1, 0), "x": (5, -5), "z": (3, 1), "w": (-2, 2)}
    sheets = {
        name: (of, [ScoreLine(clause, {"A": both[n], "B": 9}, {}, ()) for clause, both in points.items()])
        for n, (name, of) in enumerate({"best": "won", "played": result}.items())
    }
    monkeypatch.setattr(hindsight, "settled", lambda _table, events: sheets[events])
    found = hindsight._compared(Loss(0, "A", "SK", 1), None, "best", "played")  # type: ignore[arg-type]
    assert (found.turned, found.clauses) == (result == "lost", ["x", "y"])
