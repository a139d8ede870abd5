"""Comparison of a table's score sheet with the cards that were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tarock.analysis.sheets import sheet_lines
from tarock.core.outcome import Field, from_lines, in_order, values_of
from tarock.core.record import Line, Record
from tarock.games import GAMES


class Difference(NamedTuple):
    """A field in which the score sheet differs from the cards."""

    field: str  # name of the field
    sheet: tuple[Line, ...]  # lines of the sheet that don't agree with the cards
    cards: tuple[Line, ...]  # lines that follow from the cards instead

    def as_json(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "sheet": [list(line) for line in self.sheet],
            "cards": [list(line) for line in self.cards],
        }


def compare(sheet: Record, played: Record) -> list[Difference]:
    """Return the fields in which a sheet differs from a played deal, in sheet order.

    A sheet may leave out details that nobody writes down (the trick in which a King was won, the seat that
    doubled) and values that follow from other lines or are not paid (the card points of the other side, or in
    a bolé). Any other omission, such as an announcement or a King, is a difference. A deal without a score
    has no differences.
    """
    found = sheet_lines(played)
    if sheet.sheet is None or found is None:
        return []
    cards = found if played.game == sheet.game else ()
    fields = GAMES[sheet.game].table.OUTCOME.fields()
    tricks = sheet.seating.tricks
    return [
        difference
        for one in fields.values()
        if (difference := _difference(one, _of(one, sheet.sheet), _to_compare(one, sheet, cards), tricks))
        and not _follows(difference, sheet)
    ]


def _of(one: Field, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line[0] == one.name]


def _to_compare(one: Field, sheet: Record, cards: Sequence[Line]) -> list[Line]:
    """Return a field's lines that follow from the cards, except card points that the sheet may leave out."""
    lines, written = _of(one, cards), _of(one, sheet.sheet or ())
    if one.name != "points":
        return lines
    kind = GAMES[sheet.game].table.OUTCOME
    owners = [line[1] for line in written if len(line) > 1]
    left = [line for line in lines if line[1] not in owners]
    if len(left) != 1 or kind.total(values_of(kind, sheet.seating, sheet.rules, sheet.sheet or ())) is None:
        return lines
    return [line for line in lines if line not in left]


def _difference(one: Field, sheet: list[Line], cards: list[Line], tricks: int) -> Difference | None:
    """Return the lines of a field that differ between sheet and cards; None if all lines agree."""
    same = [(line, other) for line in sheet for other in cards if _agree(one, line, other, tricks)]
    wrong = tuple(line for line in sheet if line not in [pair[0] for pair in same])
    instead = tuple(other for other in cards if other not in [pair[1] for pair in same])
    return Difference(one.name, wrong, instead) if wrong or instead else None


def _agree(one: Field, line: Line, cards: Line, tricks: int) -> bool:
    """Return whether a line of a sheet, complete or not, agrees with the line that follows from the cards."""
    # Replace the number of the last trick with `last`, because both mean the same.
    named = [None, *one.parts]
    words = tuple(
        "last" if word == tricks and part and "last" in part.words else word
        for part, word in zip(named, line, strict=False)
    )
    if not one.parts or one.parts[-1].many or not one.is_complete(line):
        return line == cards
    left_out = list(zip(one.parts, cards[1:], strict=False))[len(line) - 1 :]
    # A word from a fixed list can't be left out: a King without `last` was not won in the last trick.
    return words == cards[: len(words)] and not any(word in part.words for part, word in left_out)


def _follows(difference: Difference, sheet: Record) -> bool:
    """Return whether the sheet only leaves out lines that would not change its score lines."""
    if difference.sheet:
        return False
    lines = sheet.sheet or ()
    without = _priced(sheet, lines)
    return without is not None and without == _priced(sheet, (*lines, *difference.cards))


def _priced(sheet: Record, lines: tuple[Line, ...]) -> list[tuple[str, dict[str, int]]] | None:
    """Score sheet lines, and return each score line's clause and points; None if the lines are invalid."""
    table = GAMES[sheet.game].table
    outcome = from_lines(table.OUTCOME, sheet.seating, sheet.rules, in_order(table.OUTCOME, lines))
    if isinstance(outcome, tuple):
        return None
    return [(line.clause, line.points) for line in table.settle(outcome)]
