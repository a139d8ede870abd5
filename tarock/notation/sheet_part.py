"""Reading the lines of a score sheet: fields, words and numbers. The rules check how the lines combine."""

from __future__ import annotations

import re
from typing import Any

from tarock.core.cards import CARDS, parse_card
from tarock.core.findings import NotationError
from tarock.core.game import GameInfo, Seating
from tarock.core.outcome import Field, Part, Word, in_order
from tarock.core.record import Line
from tarock.games import GAMES
from tarock.notation.events import canonical_item, item_key
from tarock.notation.faults import Faults, Malformed, quoted
from tarock.notation.limits import MAX_SHEET_LINES, MAX_SHEET_NUMBER, MAX_WORDS
from tarock.notation.values import read_list, read_string

_NUMBER = re.compile(rf"-?\d{{1,{len(str(MAX_SHEET_NUMBER))}}}", re.ASCII)


def read_sheet(value: object, info: GameInfo, seating: Seating, faults: Faults) -> tuple[Line, ...]:
    """Return the lines of a sheet in canonical form and order. Lines may be incomplete."""
    return tuple(line for _, line in numbered(value, info, seating, faults))


def numbered(value: object, info: GameInfo, seating: Seating, faults: Faults) -> list[tuple[int, Line]]:
    """Return the lines of a sheet in canonical form and order, each with its number in the original order."""
    given = read_list(value, "/sheet")
    if not given:
        raise Malformed("sheet-without-lines", "/sheet")
    if len(given) > MAX_SHEET_LINES:
        where = f"/sheet/{MAX_SHEET_LINES}"
        raise Malformed("too-many-sheet-lines", where, found=len(given), limit=MAX_SHEET_LINES)
    kind = GAMES[info.id].table.OUTCOME
    lines: dict[int, Line] = {}
    for number, words in enumerate(given):
        line = faults.attempt(_line, words, number, kind.fields(), seating, info)
        if line is not None:
            lines[number] = line
    rest = list(lines.items())
    ordered = []
    for line in in_order(kind, list(lines.values())):
        # Equal lines can't be distinguished, so number them in their original order.
        at = next(i for i, (_, other) in enumerate(rest) if other == line)
        ordered.append(rest.pop(at))
    return ordered


def read_line(words: Line, info: GameInfo, seating: Seating) -> Line:
    """Return a sheet line in canonical form.

    :raises NotationError: if the line is invalid.
    """
    try:
        return _line(list(words), 0, GAMES[info.id].table.OUTCOME.fields(), seating, info)
    except Malformed as fault:
        raise NotationError(fault.finding()) from None


def _line(given: object, number: int, fields: Any, seating: Seating, info: GameInfo) -> Line:
    pointer = f"/sheet/{number}"
    words = read_list(given, pointer)
    name = read_string(words[0], f"{pointer}/0").lower() if words else ""
    if name not in fields:
        found = quoted(words[0]) if words else "–"
        raise Malformed("unknown-field", pointer, found=found, expected=" ".join(fields), game=info.id)
    one: Field = fields[name]
    parts = list(one.parts)
    if parts and parts[-1].many:
        parts += [parts[-1]] * (MAX_WORDS - 1 - len(parts))
    if len(words) - 1 > len(parts):
        where, found = f"{pointer}/{len(parts) + 1}", quoted(words[len(parts) + 1])
        raise Malformed("field-too-long", where, found=found, field=name)
    rest = zip(parts, words[1:], strict=False)
    read = [_word(word, part, seating, f"{pointer}/{i}", name) for i, (part, word) in enumerate(rest, 1)]
    if one.parts and one.parts[-1].many:
        begin, part = len(one.parts) - 1, one.parts[-1]
        read[begin:] = sorted(read[begin:], key=lambda w: (part.rank(w), item_key(str(w), info.items)))
    return (name, *read)


def _word(given: object, part: Part, seating: Seating, pointer: str, field: str) -> Word:
    """Return a word of a sheet line in canonical spelling."""
    if isinstance(given, str):
        given = read_string(given, pointer)
        if part.number and _NUMBER.fullmatch(given):
            return int(given)
        for word in (given, given.lower(), canonical_item(given), _card(given)):
            if word in part.words or (part.pattern and re.fullmatch(part.pattern, word, re.ASCII)):
                return word
        if part.seats and given.upper() in seating.active:
            return given.upper()
    elif part.number and type(given) is int and abs(given) <= MAX_SHEET_NUMBER:
        return given
    raise Malformed(
        "sheet-word", pointer, found=quoted(given), field=field, expected=_expected(part, seating)
    )


def _card(word: str) -> str:
    card = parse_card(word)
    return "" if card is None else CARDS[card]


def _expected(part: Part, seating: Seating) -> str:
    """Return the words allowed at a position of a sheet line, as text for an error message."""
    numbers = ["{}–{}".format(*part.number)] if part.number else []
    return " ".join([*part.words, *(seating.active if part.seats else ()), *numbers]) or " ".join(part.forms)
