"""Puzzles: positions in which exactly one card keeps the result, with all cards open.

The values of the cards come from `analysis.endings`. A position is no puzzle if a player finds the card by a
rule of thumb, or if the position after a wrong card needs more than a few tricks to explain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tarock.analysis.endings import Limit, Search, Solver, position, settled, solve
from tarock.analysis.fold import fold
from tarock.core.cards import BEATS, CARDS, INDEX, SUIT_SET, TAROCKS, VALUE, bits, cheapest, indices
from tarock.core.record import Event, Record
from tarock.core.scoring import ScoreLine, add_up
from tarock.core.table import Table

#: Most tricks left, with the trick on the table, so that the line after a wrong card is short.
TRICKS = 5
#: Most cards left, because nobody reads a line of five tricks of eight players.
CARDS_LEFT = 24
#: Points that each opponent must pay more or less after a wrong card, if it leaves the result as it is.
LOSS = 5
#: Fewest choices that are not equal.
CHOICES = 3
#: Theme of a puzzle that decides who wins, and of one that decides only how high.
RESULT, POINTS = "result", "points"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one best card."""

    step: int
    """Number of events before the position."""
    seat: str
    """Seat on turn."""
    theme: str
    """Slug of the clause that every wrong card loses; `result` or `points` if it is no bonus."""
    right: tuple[str, ...]
    """The best card, and cards that are equal to it."""
    lines: dict[str, tuple[Event, ...]]
    """Argument of `play` → best play of both sides to the end of the deal, beginning with this card."""
    losses: dict[str, int]
    """The same → what the card costs in the settlement of the seat."""
    key: str
    """Hash of the position that is the same if plain suits change places."""

    def as_json(self) -> dict[str, Any]:
        """Return the puzzle as it is stored: for each card what it costs, and the cards of its line."""
        choices = {
            token: [self.losses[token], " ".join(event[2] for event in line)]
            for token, line in self.lines.items()
        }
        return {"step": self.step, "theme": self.theme, "key": self.key, "choices": choices}


def find(record: Record, solver: Solver = solve) -> Puzzle | None:
    """Return the puzzle of a verified deal: the first position that its player got wrong, otherwise the first
    one. None if there is none, or none that the solver finds within its limit."""
    found = list(puzzles(record, solver))
    missed = (one for one in found if record.events[one.step][2] not in one.right)
    return next(missed, found[0] if found else None)


def puzzles(record: Record, solver: Solver = solve, tricks: int = TRICKS) -> Iterator[Puzzle]:
    """Yield the puzzles in the last tricks of a verified deal, except where the solver reaches its limit."""
    step, table, why = position(record, tricks=tricks)
    if step is None or table is None or why:
        return
    for number, event in enumerate(record.events[step:], step):
        if event[1] == "play":
            try:
                found = _puzzle(table, record.events[number:], solver)
            except Limit:
                found = None
            if found is not None:
                yield found
        table.apply(event)


def _puzzle(table: Table, played: list[Event], solver: Solver) -> Puzzle | None:
    search = Search(table, None, None)
    unlike, seat = search.moves(table), search.seat
    left = len(table.active) * (table.total - len(table.tricks)) - len(table.trick)
    if left > CARDS_LEFT or len({_card(token) for token in unlike}) < CHOICES:
        return None
    solved = solver(table, played)
    assert solved.values is not None
    top = max(solved.values.values())
    right = tuple(token for token, worth in solved.values.items() if worth == top)
    if len([token for token in unlike if token in right]) != 1 or _is_plain(
        solved.values, right, _cheap_win(table)
    ):
        return None
    lines = {}
    for token in solved.values:
        after = search.after(table, token)
        rest = () if after.over else solver(after, []).best or ()
        lines[token] = ((seat, "play", token), *rest)
    losses = {token: top - worth for token, worth in solved.values.items()}
    theme = _theme(table, right, lines)
    return Puzzle(table.step, seat, theme, right, lines, losses, position_key(table)) if theme else None


def _card(token: str) -> int:
    """Return the card of an argument of `play`."""
    return INDEX[token.partition("(")[0]]


def highest(cards: Iterable[int]) -> int:
    """Return the highest tarock of these cards, or without a tarock the first card in the order of a hand."""
    return min(cards, key=lambda card: (not TAROCKS >> card & 1, card))


def _cheap_win(table: Table) -> int:
    """Return the lowest card, as a bit, with which the last player takes the trick; 0 if there is none."""
    seat = str(table.turn)
    if len(table.trick) != len(table.active) - 1 or table.best_seat is None:
        return 0
    winning = table.playable(seat) & BEATS[table.best]
    return 1 << max(indices(winning)) if winning else 0


def _is_plain(values: dict[str, int], right: tuple[str, ...], cheap_win: int = 0) -> bool:
    """Return whether a rule of thumb finds a right card: the highest, the cheapest or the most valuable one,
    the lowest one that takes the trick (`cheap_win`), or the only tarock or only plain cards."""
    cards, best = {_card(token) for token in values}, {_card(token) for token in right}
    high = highest(cards)
    rich, cheap = max(cards, key=VALUE.__getitem__), cheapest(bits(CARDS[card] for card in cards))
    kinds = {bool(TAROCKS >> card & 1) for card in cards - best}
    return bool(best & {high, rich, *indices(cheap | cheap_win)}) or not kinds & {
        bool(TAROCKS >> c & 1) for c in best
    }


def _theme(table: Table, right: tuple[str, ...], lines: dict[str, tuple[Event, ...]]) -> str:
    """Return what every wrong card loses: a bonus, the result, or points. Empty if one of them loses neither
    the result nor enough points."""
    result, sheet = settled(table, lines[right[0]])
    score = add_up(table.active, sheet)
    common: set[str] | None = None
    for token in lines.keys() - set(right):
        other, instead = settled(table, lines[token])
        after = add_up(table.active, instead)
        # The smallest difference is that of a seat that pays once. With two players, one may never score.
        lost = min(
            (abs(score[seat] - after[seat]) for seat in score if score[seat] != after[seat]), default=0
        )
        if other == result and lost < LOSS:
            return ""
        themes = differing(sheet, instead) - table.record.info.main
        themes |= {POINTS} | ({RESULT} if other != result else set())
        common = themes if common is None else common & themes
    last = {RESULT: 1, POINTS: 2}
    return min(common or (), key=lambda theme: (last.get(theme, 0), theme), default="")


def differing(sheet: list[ScoreLine], instead: list[ScoreLine]) -> set[str]:
    """Return the clauses that score differently on two sheets."""
    clauses = {line.clause for line in (*sheet, *instead)}
    one, other = (
        {
            clause: [line.points for line in lines if line.clause == clause and any(line.points.values())]
            for clause in clauses
        }
        for lines in (sheet, instead)
    )
    return {clause for clause in clauses if one[clause] != other[clause]}


def position_key(table: Table) -> str:
    """Return the hash of what matters in a position: who holds which cards, in the order of play from the
    seat on turn, the trick, the sides and the options. Plain suits may change places."""
    order = table.active.index(str(table.turn))
    seats = [*table.active[order:], *table.active[:order]]
    owner = {card: n for n, seat in enumerate(seats) for card in indices(table.hands[seat])}
    piles = table.visible_piles()
    owner |= {
        INDEX[card]: 10 + n
        for n, pile in enumerate(sorted(piles))
        for card in piles[pile][0]
        if card in INDEX
    }
    owner |= {INDEX[token.partition("(")[0]]: 50 + n for n, token in enumerate(table.trick)}
    suits = {
        suit: [(VALUE[card], owner[card]) for card in indices(cards) if card in owner]
        for suit, cards in SUIT_SET.items()
    }
    tarocks = [(card, owner[card]) for card in indices(SUIT_SET["T"]) if card in owner]
    sides = table.known_sides(None)
    told = [table.record.game, table.record.options, [sides.get(seat) for seat in seats], tarocks]
    plain = sorted(cards for suit, cards in suits.items() if suit != "T")
    return hashlib.sha256(repr([*told, plain]).encode()).hexdigest()[:32]


def with_line(record: Record, step: int, line: str) -> Record:
    """Return a record that continues after `step` events with the cards of a line (see `Puzzle.as_json`)."""
    table, events = fold(record, step).table, record.events[:step]
    for token in line.split():
        events.append((str(table.turn), "play", token))
        table.play_cards(events[-1:])
    return replace(record, events=events, comments={}, score=None)
