"""The form for entering a score sheet by taps: which fields there are, what can be tapped, and what a tap
changes. Made from the description of the fields alone (`tarock.outcome`).

A *row* of the form is one choice among words, or one number, at a place of a line. A *tap* names the field,
the words that tell its line apart, the place behind them, and the word.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tarock.findings import Finding
from tarock.games import GAMES
from tarock.naming import SUIT_SIGNS, PlayerNames, label
from tarock.outcome import Field, Outcome, Part, Word, values_of
from tarock.record import Line, Record
from tarock.sheet_words import sheet_row, word_name

#: Up to so many numbers stand as choices beside each other.
_FEW = 5


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap: the `word` at the `place` of the line of a `field` with this `key`, its first words. A word that
    is there is taken away, where it may be left out; None takes a number away."""

    field: str
    key: tuple[Word, ...] = ()
    place: int = 0
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that can be tapped, its name, and whether it is there."""

    word: Word
    label: str
    on: bool


@dataclass(frozen=True, slots=True)
class Number:
    """A number that can be entered: what is there, its bounds (None where only the rules of the whole sheet
    bound it), the number that follows from the others if it is left out, and what stands before it in its
    word."""

    value: int | None
    low: int
    high: int | None
    rest: int | None = None
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What can be tapped for one place of one line."""

    label: str
    key: tuple[Word, ...]
    place: int
    choices: tuple[Choice, ...] = ()
    number: Number | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form: `stated`: its lines in words; `needed`: whether the sheet must have it."""

    name: str
    label: str
    clause: str
    needed: bool
    stated: tuple[str, ...]
    rows: tuple[Row, ...]
    findings: list[Finding] = field(default_factory=list)


def tapped(record: Record, tap: Tap | None) -> tuple[Line, ...]:
    """The lines of a sheet after a tap: without what no longer belongs there, with what then follows. In the
    order in which they were entered, so that of numbers that follow from each other the oldest goes."""
    kind = GAMES[record.game].table.OUTCOME
    lines = list(record.sheet or ())
    if tap is not None and tap.field in kind.fields():
        lines = _changed(kind, record, lines, tap)
    lines = _belonging(kind, record, lines)
    there = {line[0] for line in lines}
    for line in kind.usual(record.seating, values_of(kind, record.seating, tuple(lines))):
        one = kind.fields()[str(line[0])]
        if line[0] not in there and one.applies(values_of(kind, record.seating, tuple(lines))):
            lines.append(line)
    return tuple(lines)


def _changed(kind: type[Outcome], record: Record, lines: list[Line], tap: Tap) -> list[Line]:
    one = kind.fields()[tap.field]
    head: Line = (one.name, *tap.key)
    others = [line for line in lines if line[: len(head)] != head]
    there = next((line for line in lines if line[: len(head)] == head), None)
    after = _line_after(one, there, head, tap)
    if after is not None:
        others.append(after)
    if one.name == "points" and after is not None:
        others = _without_oldest(kind, record, others)
    return others


def _line_after(one: Field, there: Line | None, head: Line, tap: Tap) -> Line | None:
    """A line after a tap; None if nothing is left of it."""
    if not one.parts:
        return None if there else head
    words = list(there[len(head) :]) if there else []
    parts = one.parts[len(tap.key) :]
    part = parts[min(tap.place, len(parts) - 1)]
    if part.many:
        words = _with_item(words, tap.word)
    elif tap.word is None or words[tap.place : tap.place + 1] == [tap.word]:
        if tap.word is None or part.optional or one.optional or one.key:
            words = words[: tap.place]
    else:
        words[tap.place : tap.place + 1] = [tap.word]
    return (*head, *words) if words else None


def _with_item(words: list[Word], word: Word | None) -> list[Word]:
    """Words with one more, or without one that is there. Of numbered ones, such as `tarocks:10`, one of a
    name is there at most."""
    if word is None or word in words:
        return [other for other in words if other != word]
    if _is_numbered(word):
        name = str(word).partition(":")[0]
        words = [other for other in words if not (_is_numbered(other) and str(other).startswith(f"{name}:"))]
    return [*words, word]


def _is_numbered(word: object) -> bool:
    return str(word).partition(":")[2].isdigit()


def _without_oldest(kind: type[Outcome], record: Record, lines: list[Line]) -> list[Line]:
    """Leave out the oldest card points where they follow from the others."""
    values = values_of(kind, record.seating, tuple(lines))
    owners = kind.owners(record.seating, values)
    points = [line for line in lines if line[0] == "points"]
    if kind.total(values) is not None and len(points) == len(owners):
        lines.remove(points[0])
    return lines


def _belonging(kind: type[Outcome], record: Record, lines: list[Line]) -> list[Line]:
    """The lines that belong to the deal with its present values."""
    while True:
        values = values_of(kind, record.seating, tuple(lines))
        owners = kind.owners(record.seating, values)
        rest = [
            line
            for line in lines
            if kind.fields()[str(line[0])].applies(values)
            and not (line[0] == "points" and line[1:2] and line[1] not in owners)
            and (line[1:2] == () or _is_offered(kind, record, values, line))
        ]
        if rest == lines:
            return rest
        lines = rest


def _is_offered(kind: type[Outcome], record: Record, values: Mapping[str, Any], line: Line) -> bool:
    offered = kind.offered(record.seating, record.options, values, str(line[0]))
    return offered is None or line[1] in offered


# --- the rows -----------------------------------------------------------------------------------------------


def form_fields(record: Record, findings: Iterable[Finding], names: PlayerNames) -> list[FormField]:
    """The fields of the form for a sheet, those that apply to its deal. `record`: with the lines entered so
    far, none at first; `findings`: those of its check, put beside their fields."""
    rows = _Rows(record, names)
    kind, values = rows.kind, rows.values
    needed = {*kind.needed(record.seating, values)}
    needed |= {str(key[0]) for key in kind.needed_lines(record.seating, values)}
    found = {}
    for one in kind.fields().values():
        own = [line for line in record.sheet or () if line[0] == one.name]
        if one.applies(values) and (of_field := tuple(rows.of(one, own))):
            stated = tuple(_stated(record.game, line, names) for line in own)
            found[one.name] = FormField(
                one.name, names.name("field", one.name), one.clause, one.name in needed, stated, of_field
            )
    for finding in findings:
        if finding.field in found:
            found[finding.field].findings.append(finding)
    return [*found.values()]


def _stated(game: str, line: Line, names: PlayerNames) -> str:
    """A line in words, without the name of its field."""
    name, stated = sheet_row(game, line, names)
    comma = names.between("comma")
    return comma.join(filter(None, (name.partition(comma)[2], stated))) or name


class _Rows:
    """The rows of the form for a sheet with the lines entered so far."""

    def __init__(self, record: Record, names: PlayerNames) -> None:
        self.record, self.names = record, names
        self.kind = GAMES[record.game].table.OUTCOME
        self.values = values_of(self.kind, record.seating, record.sheet or ())
        self.owners = self.kind.owners(record.seating, self.values)

    def of(self, one: Field, own: Sequence[Line]) -> Iterator[Row]:
        """Yield the rows of a field: for each of its lines, and each place of it up to the first that is
        empty. `own`: its lines."""
        if not one.parts and self._offered(one) is None:
            yield Row("", (), 0, (Choice("", self.names.name("field", one.name), bool(own)),))
        if not one.parts:
            return
        for key in self._keys(one):
            words = next(
                (line[1 + len(key) :] for line in own if line[: 1 + len(key)] == (one.name, *key)), ()
            )
            parts = one.parts[len(key) :]
            for place, part in enumerate(parts[: len(words) + 1]):
                yield from self._row(one, part, (key, place), words[place:])
                if part.steps:
                    # Who raised a stake is not entered.
                    break

    def _keys(self, one: Field) -> Iterator[tuple[Word, ...]]:
        """Yield the words that tell the lines of a field apart, for each line that it can have. A double
        stands for those below it, so of doubles these are the stakes."""
        if one.name == "points":
            yield from ((owner,) for owner in self.owners)
            return
        parts = [part for part in one.parts[: one.key] if not part.steps]
        for key in product(*(self._words(part) for part in parts)):
            if not key or self._is_offered(one, key[0]):
                yield key

    def _words(self, part: Part) -> list[Word]:
        return [*part.words, *(self.record.active if part.seats else ())]

    def _offered(self, one: Field) -> Container[Word] | None:
        return self.kind.offered(self.record.seating, self.record.options, self.values, one.name)

    def _is_offered(self, one: Field, word: Word) -> bool:
        offered = self._offered(one)
        return offered is None or word in offered

    def _row(
        self, one: Field, part: Part, at: tuple[tuple[Word, ...], int], words: tuple[Word, ...]
    ) -> Iterator[Row]:
        """Yield the row for a place of a line, and one for the number in each declaration that has one.
        `words`: those of the line from there on."""
        key, place = at
        there = words if part.many else words[:1]
        choices = [word for word in self._words(part) if key or place or self._is_offered(one, word)]
        choices += [word for form in part.forms for word in _spelled(form, there)]
        number = None
        if part.number and not part.words and part.number[1] - part.number[0] < _FEW:
            choices += range(part.number[0], part.number[1] + 1)
        elif part.number:
            value = next((word for word in there if isinstance(word, int)), None)
            number = Number(value, *part.number, rest=self._rest(one, key))
        title = self.names.between("comma").join(
            word_name(one, number, word, self.names) for number, word in enumerate(key)
        )
        position = len(key) + place
        yield Row(
            "" if place else label(title),
            key,
            place,
            tuple(
                Choice(word, label(word_name(one, position, word, self.names)), word in there)
                for word in choices
            ),
            number,
        )
        for word in filter(_is_numbered, there):
            name, _, count = str(word).partition(":")
            least = next(int(form.partition(":")[2]) for form in part.forms if form.startswith(f"{name}:"))
            entered = Number(int(count), least, None, prefix=f"{name}:")
            yield Row(label(word_name(one, position, word, self.names)), key, place, (), entered)

    def _rest(self, one: Field, key: tuple[Word, ...]) -> int | None:
        """The card points of the one side, or seat, for which none are entered."""
        points, total = dict(self.values.get("points", ())), self.kind.total(self.values)
        lacking = [owner for owner in self.owners if points.get(owner) is None]
        if one.name != "points" or total is None or not points or lacking != [key[0]]:
            return None
        return max(0, total - sum(points.values()))


def _spelled(form: str, there: Sequence[Word]) -> Iterator[str]:
    """The words of a form: with the number that is there, or the least; with each suit."""
    name, colon, argument = form.partition(":")
    if argument.isdigit():
        yield next((str(word) for word in there if str(word).startswith(f"{name}:")), form)
    elif colon:
        yield from (f"{name}:{suit}" for suit in SUIT_SIGNS)
    else:
        yield form
