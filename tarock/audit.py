"""What an auditor asks beyond the score sheet: where a claim and the result part, and which line would
explain it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tarock.findings import Illegal
from tarock.game import Threshold
from tarock.games import start
from tarock.position import Step
from tarock.record import Record
from tarock.replay import fold, outline
from tarock.scoring import Note, ScoreLine
from tarock.table import Table


class Explanation(NamedTuple):
    """One way in which the claim would follow from the score sheet.

    `how`: `left-out` (the line was forgotten), `twice` (it was counted twice), `reversed` (it went to the
    wrong side), `undoubled` (its doubling was forgotten), `unrated` (as if the contract paid only one for
    each card point), `swapped` (two seats' scores stand in each other's place), or `signs` (every sign is
    the wrong way round). `line`: index of the line of the score sheet, None where it is no matter of one
    line; `seats`: the seats that were swapped.
    """

    how: str
    line: int | None = None
    seats: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The explanation as plain values."""
        return {"how": self.how, "line": self.line, "seats": list(self.seats)}


def difference(score: Mapping[str, int], claim: Mapping[str, int]) -> dict[str, int]:
    """What the claim says more (or, negative, less) than the rules give, by seat."""
    return {seat: claim[seat] - points for seat, points in score.items()}


def explain(
    lines: Sequence[ScoreLine], score: Mapping[str, int], claim: Mapping[str, int]
) -> list[Explanation]:
    """Every single slip by which the claim would come out of the score sheet; empty if no one slip explains
    it.

    >>> game = ScoreLine("x.game", {"A": 4, "B": -4}, {"factor": 2}, ())
    >>> bonus = ScoreLine("x.bonus", {"A": -1, "B": 1}, {}, ())
    >>> [e.how for e in explain([game, bonus], {"A": 3, "B": -3}, {"A": 4, "B": -4})]
    ['left-out']
    >>> [e.how for e in explain([game, bonus], {"A": 3, "B": -3}, {"A": 1, "B": -1})]
    ['undoubled']
    """
    more = difference(score, claim)
    if not any(more.values()):
        return []
    found = []
    for number, line in enumerate(lines):
        points = {seat: line.points.get(seat, 0) for seat in score}
        if not any(points.values()):
            continue
        factor = line.quantity.get("factor", 1)
        if more == {seat: -p for seat, p in points.items()}:
            found.append(Explanation("left-out", number))
        if more == points:
            found.append(Explanation("twice", number))
        if more == {seat: -2 * p for seat, p in points.items()}:
            found.append(Explanation("reversed", number))
        rate = line.quantity.get("rate", 1)
        if rate > 1 and more == {seat: p // rate - p for seat, p in points.items()}:
            found.append(Explanation("unrated", number))
        if factor > 1 and more == {seat: p // factor - p for seat, p in points.items()}:
            found.append(Explanation("undoubled", number))
    if dict(claim) == {seat: -points for seat, points in score.items()} and not any(
        e.how == "reversed" for e in found
    ):
        found.append(Explanation("signs"))
    for one, other in combinations(score, 2):
        swapped = dict(score) | {one: score[other], other: score[one]}
        if score[one] != score[other] and swapped == dict(claim):
            found.append(Explanation("swapped", None, (one, other)))
    return found


def notes(record: Record) -> list[Note]:
    """What nearly scored in a deal that was played to its end, and what was announced and failed; of any
    other record nothing."""
    done = fold(record)
    return list(done.table.notes()) if done.finding is None else []


class Account(NamedTuple):
    """How a deal stood after one trick: its number, the step after its last card, who took it, and the card
    points so far by side, or by seat."""

    trick: int
    step: int
    winner: str
    points: dict[str, int]


class Running(NamedTuple):
    """The account of a deal from trick to trick, and the points that decide it, if any do."""

    by: str
    before: dict[str, int]
    rows: tuple[Account, ...]
    threshold: Threshold | None


def running(record: Record, steps: int | None = None, *, public: bool = False) -> Running:
    """The card points after each trick that is complete within the first `steps` events (all, without a
    number).

    By side (`by` is `side`), with what each side has put away counted in, as the finished deal will be;
    `before` is what it has before the first trick. `public`: by seat (`by` is `seat`), only what lies in the
    tricks taken, which everybody at the table has seen. Deals in which the most points pay (Varšava, the
    misère of Troggu) have no threshold, and go by seat; so does a play without sides. Grosstarock for two has
    no threshold either: only the difference of the accounts counts.
    """
    table, keeper = start(record), _Keeper(public)
    keeper.look(table)
    for event in record.events if steps is None else record.events[:steps]:
        try:
            table.apply(event)
        except Illegal:
            break
        keeper.look(table)
    return keeper.running()


def outline_and_running(record: Record) -> tuple[list[Step], Running]:
    """The outline of a deal with all hands open (`tarock.replay.outline`) and its running account by side,
    for who wants both."""
    keeper = _Keeper(False)
    return outline(record, look=keeper.look), keeper.running()


class _Keeper:
    """Keeps the account of a deal: it looks at the table before the first event and after each."""

    def __init__(self, public: bool) -> None:
        self.public = public
        self.table: Table | None = None
        self.before: dict[str, int] | None = None
        self.rows: list[Account] = []

    def _reckon(self, table: Table) -> dict[str, int]:
        return {s: table.points_of(s) for s in table.active} if self.public else table.sides_points()

    def look(self, table: Table) -> None:
        """Looks at the table after one more event."""
        self.table = table
        if self.before is None and table.phase == "play":
            self.before = self._reckon(table)
        if len(table.tricks) > len(self.rows):
            won = table.tricks[-1]
            self.rows.append(Account(won.number, table.step, won.winner, self._reckon(table)))

    def running(self) -> Running:
        """The account so far."""
        table, before = self.table, self.before or {}
        assert table is not None
        by = "seat" if self.public or all(name in table.seats for name in before) else "side"
        return Running(by, before, tuple(self.rows), table.threshold())
