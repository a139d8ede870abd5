"""Audit of a score: slips that explain a disputed claim, near misses, and card points after each trick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tarock.analysis.fold import fold
from tarock.analysis.position import Step
from tarock.analysis.replay import outline
from tarock.analysis.sheet_mistakes import slips
from tarock.core.game import Threshold
from tarock.core.outcome import Outcome, from_lines, in_order
from tarock.core.record import Line, Record
from tarock.core.scoring import Note, ScoreLine, add_up
from tarock.core.table import Table
from tarock.games import GAMES


class Explanation(NamedTuple):
    """A single slip that would explain a wrong claim.

    Values of `how` for a score line or the whole score: `left-out` (the line was forgotten), `twice` (it was
    counted twice), `reversed` (it went to the wrong side), `undoubled` (its doubling was forgotten),
    `unrated` (each card point was paid as 1 instead of at the contract's rate), `swapped` (two seats' scores
    were exchanged), `signs` (every sign is reversed).

    Values of `how` for a score sheet without cards (`explain_sheet`): `points` (card points are off by one or
    two), `exchanged` (the card points of two sides were exchanged), `number` or `word` (a line has a wrong
    number or word), `more` or `fewer` (the claim counts one double more or fewer than the sheet).
    """

    how: str
    line: int | None = None  # index of the score line; None if the slip is not in a single line
    seats: tuple[str, ...] = ()  # the seats that were swapped
    written: Line | None = None  # line of the sheet
    meant: Line | None = None  # corrected line, with which the sheet gives the claim

    def as_json(self) -> dict[str, Any]:
        return self._asdict() | {"seats": list(self.seats)}


def explain(
    lines: Sequence[ScoreLine], score: Mapping[str, int], claim: Mapping[str, int]
) -> list[Explanation]:
    """List every slip that on its own would turn the calculated score into the claim.

    >>> game = ScoreLine("x.game", {"A": 4, "B": -4}, {"factor": 2}, ())
    >>> bonus = ScoreLine("x.bonus", {"A": -1, "B": 1}, {}, ())
    >>> [e.how for e in explain([game, bonus], {"A": 3, "B": -3}, {"A": 4, "B": -4})]
    ['left-out']
    >>> [e.how for e in explain([game, bonus], {"A": 3, "B": -3}, {"A": 1, "B": -1})]
    ['undoubled']

    In a game that scores only the difference between the accounts, apply each slip to the accounts, and
    compare the claim with the resulting difference.
    """
    if all(claim[seat] == points for seat, points in score.items()):
        return []
    found = []
    last = _difference_line(lines)
    without = dict(score) if last is None else accounts(lines, score)
    for number, line in enumerate(lines):
        points = {seat: line.points.get(seat, 0) for seat in score}
        if number == last:
            if dict(claim) == without:
                found.append(Explanation("left-out", number))
            continue
        slips = {"left-out": {seat: -p for seat, p in points.items()}, "twice": points}
        if last is None and len(score) == 2:
            # Reversing a line swaps the points of two players, also where they do not pay each other.
            one, other = score
            slips["reversed"] = {one: points[other] - points[one], other: points[one] - points[other]}
        elif last is None or len(line.points) == 1:
            # In a game with accounts, only a line for a single account can go to the wrong side.
            slips["reversed"] = {seat: -2 * p for seat, p in points.items()}
        for how, quantity in (("unrated", "rate"), ("undoubled", "factor")):
            if (times := line.quantity.get(quantity, 1)) > 1:
                slips[how] = {seat: p // times - p for seat, p in points.items()}
        for how, more in slips.items():
            wrong = {seat: without[seat] + more[seat] for seat in score}
            lowest = 0 if last is None else min(wrong.values())
            if dict(claim) == {seat: p - lowest for seat, p in wrong.items()}:
                found.append(Explanation(how, number))
    if dict(claim) == {seat: -points for seat, points in score.items()} and not any(
        e.how == "reversed" for e in found
    ):
        found.append(Explanation("signs"))
    for one, other in combinations(score, 2):
        swapped = dict(score) | {one: score[other], other: score[one]}
        if swapped == dict(claim):
            found.append(Explanation("swapped", None, (one, other)))
    return found


def _difference_line(lines: Sequence[ScoreLine]) -> int | None:
    """Return the index of the line that subtracts the lowest account (`GameInfo.difference`), or None."""
    for number, line in enumerate(lines):
        game = GAMES.get(line.clause.partition(".")[0])
        if game is not None and line.clause == game.table.info.difference:
            return number
    return None


def accounts(lines: Sequence[ScoreLine], seats: Iterable[str]) -> dict[str, int]:
    """Return each seat's account: its points before the lowest account is subtracted. Return an empty dict
    unless the game scores only the difference between the accounts."""
    last = _difference_line(lines)
    return {} if last is None else add_up(seats, [line for n, line in enumerate(lines) if n != last])


def explain_sheet(record: Record) -> list[Explanation]:
    """List every slip that on its own explains the claim of a disputed score sheet; empty for any other
    record. If several numbers in one position would explain the claim, list only the one nearest to the
    written number."""
    claim, table = record.score, GAMES[record.game].table
    if record.sheet is None or claim is None:
        return []

    def outcome_of(lines: Sequence[Line]) -> Outcome | None:
        ordered = in_order(table.OUTCOME, lines)
        found = from_lines(table.OUTCOME, record.seating, record.rules, ordered)
        return None if isinstance(found, tuple) else found

    def follows(outcome: Outcome) -> bool:
        return add_up(record.seats, table.settle(outcome)) == claim

    outcome = outcome_of(record.sheet)
    if outcome is None or follows(outcome):
        return []
    found: dict[tuple[Line, ...], Explanation] = {}
    for place in slips(outcome, record.sheet):
        for slip in place:
            other = outcome_of(slip.lines)
            if other is not None and follows(other):
                found.setdefault(other.lines(), Explanation(slip.how, None, (), slip.written, slip.meant))
                break
    return list(found.values())


def notes(record: Record) -> list[Note]:
    """Return the notes on a finished deal: bonuses that nearly scored, and announcements that failed."""
    done = fold(record)
    return list(done.table.notes()) if done.finding is None else []


class Account(NamedTuple):
    """Card points after one trick."""

    trick: int  # number of the trick
    step: int  # step of the replay after the trick's last card
    winner: str
    points: dict[str, int]  # points so far by side or by seat


class Running(NamedTuple):
    """Card points of a deal after each trick, and the threshold that decides the deal, if there is one."""

    by: str  # `side` or `seat`
    before: dict[str, int]  # points before the first trick
    rows: tuple[Account, ...]
    threshold: Threshold | None


def running(record: Record, *, public: bool = False) -> Running:
    """Return the card points after each finished trick.

    By default the points are by side and include the discards of each side, as in the finished deal. With
    `public` they are by seat and count only the cards of the tricks taken, which everybody at the table has
    seen. Deals in which the player with the most points pays (Varšava, the misère of Troggu) have no
    threshold and are counted by seat, like every deal without sides. Grosstarock for two has no threshold
    either, because only the difference between the accounts counts.
    """
    return outline_and_running(record, public=public)[1]


def outline_and_running(record: Record, *, public: bool = False) -> tuple[list[Step], Running]:
    """Return the outline of a deal with all hands open, and its card points (`running`), in one pass."""
    keeper = _Keeper(public)
    return outline(record, look=keeper.look), keeper.running()


class _Keeper:
    """Collector of the card points of a deal. Call `look` before the first event and after each event."""

    def __init__(self, public: bool) -> None:
        self.public = public
        self.table: Table | None = None
        self.before: dict[str, int] | None = None
        self.rows: list[Account] = []

    def _points(self, table: Table) -> dict[str, int]:
        return {s: table.points_of(s) for s in table.active} if self.public else table.sides_points()

    def look(self, table: Table) -> None:
        """Store the table and, at the start of the play and after each trick, the card points."""
        self.table = table
        if self.before is None and table.phase == "play":
            self.before = self._points(table)
        if len(table.tricks) > len(self.rows):
            won = table.tricks[-1]
            self.rows.append(Account(won.number, table.step, won.winner, self._points(table)))

    def running(self) -> Running:
        """Return the card points collected so far."""
        table, before = self.table, self.before or {}
        assert table is not None
        by = "seat" if self.public or all(name in table.seats for name in before) else "side"
        return Running(by, before, tuple(self.rows), table.threshold())
