"""The form for entering a score sheet by taps, generated from the description of the fields
(`tarock.core.outcome`).

A *row* of the form is a choice between words, or a number, for one position in a line. A *tap* names the
field, the words that distinguish its lines, the position after these words, and the tapped word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Any, NamedTuple

from tarock.core.findings import Finding, NotationError
from tarock.core.outcome import Field, Outcome, Part, Word, values_of
from tarock.core.record import Line, Record
from tarock.games import GAMES
from tarock.notation.faults import quoted
from tarock.notation.limits import MAX_WORDS
from tarock.notation.sheet_part import read_line
from tarock.words.names import SUIT_SIGNS, PlayerNames, label
from tarock.words.sheets import sheet_row, word_name, word_names

#: If a number has at most this many values, they are shown as separate choices.
_FEW = 5


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on a word in the form. If the line already has the word and it is optional, the tap removes
    it."""

    field: str
    key: tuple[Word, ...] = ()  # first words of the line
    place: Annotated[int, range(MAX_WORDS)] = 0
    word: Word | None = None  # None removes a number
    then: Word | None = None  # word after it, if the form offers both together


class Choice(NamedTuple):
    """A word that can be tapped. `on`: whether the line already has it; `then`: words of which one is tapped
    together with it, each with its sign."""

    word: Word
    label: str
    on: bool
    sign: str = ""
    then: tuple[Choice, ...] = ()


class Number(NamedTuple):
    """A number that can be entered."""

    value: int | None
    low: int
    high: int | None  # None if it is limited only by the rules for the whole sheet
    rest: int | None = None  # value that follows from other numbers if this one is left out
    prefix: str = ""  # text before the number in its word


class Row(NamedTuple):
    """Choices, or a number to enter, for one position in one line."""

    label: str
    key: tuple[Word, ...]
    place: int
    choices: tuple[Choice, ...] = ()
    number: Number | None = None


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form."""

    name: str
    label: str
    clause: str
    needed: bool  # whether the sheet must have the field
    stated: tuple[str, ...]  # lines of the field as text
    rows: tuple[Row, ...]
    findings: list[Finding] = field(default_factory=list)


def tapped(record: Record, tap: Tap | None) -> tuple[Line, ...]:
    """Return the lines of a sheet after a tap. Drop lines that no longer apply, and add lines that now follow
    from others. Keep the order of entry, which shows which lines followed from the lines before them.

    :raises NotationError: if the field, the key, the place, or the line with the tapped word is invalid.
    """
    kind = GAMES[record.game].table.OUTCOME
    lines = list(record.sheet or ())
    if tap is not None:
        lines = _changed(kind, record, lines, tap)
    return tuple(_with_usual(kind, record, _belonging(kind, record, lines)))


def reseated(game: str, lines: Iterable[Any], seats: Mapping[str, str]) -> list[Any]:
    """Return the lines of a sheet after its players have changed seats. `lines`: as in the JSON form, not yet
    checked; `seats`: new seat by former seat. Words for other seats are dropped."""
    fields = GAMES[game].table.OUTCOME.fields()
    found = []
    for line in lines:
        one = fields.get(str(line[0])) if isinstance(line, list) and line else None
        parts = one.parts if one else ()
        words = list(line[:1]) if parts else line
        for at, word in enumerate(line[1:] if parts else ()):
            part = parts[min(at, len(parts) - 1)]
            is_seat = part.seats and isinstance(word, str) and word not in part.words
            if not is_seat or word in seats:
                words.append(seats[word] if is_seat else word)
            elif not part.many:
                break
        if not parts or len(words) > 1 or len(line) < 2:
            found.append(words)
    return found


def _changed(kind: type[Outcome], record: Record, lines: list[Line], tap: Tap) -> list[Line]:
    head = read_line((tap.field, *tap.key), record.info, record.seating)
    one = kind.fields()[str(head[0])]
    after = _line_after(one, line_of(one, lines, head), head, tap)
    others = [line for line in lines if line[: len(head)] != head]
    if after is not None:
        others.append(read_line(after, record.info, record.seating))
    return _following(kind, record, others, _followed(kind, record, lines))


def _followed(kind: type[Outcome], record: Record, lines: list[Line]) -> set[Line]:
    """Return the lines that follow from the lines before them, so that nobody had to enter them."""
    return {line for n, line in enumerate(lines) if line in _usual(kind, record, lines[:n])}


def _following(kind: type[Outcome], record: Record, lines: list[Line], followed: set[Line]) -> list[Line]:
    """Return the lines after a change, without those that `followed` from others before the change and no
    longer do. If such a line follows with another word, add it at the end."""
    fields = kind.fields()
    keys = {fields[str(line[0])].key_of(line) for line in lines if line in followed}
    usual = _usual(kind, record, [line for line in lines if line not in followed])
    kept = [line for line in lines if line not in followed or line in usual]
    return kept + [line for line in usual if line not in kept and fields[str(line[0])].key_of(line) in keys]


def _usual(kind: type[Outcome], record: Record, lines: Sequence[Line]) -> list[Line]:
    return list(kind.usual(record.seating, values_of(kind, record.seating, record.rules, tuple(lines))))


def line_of(one: Field, lines: Iterable[Line], head: Line) -> Line | None:
    """Return the field's line that begins with `head`, if any. Of several doubles, return the highest."""
    found = [line for line in lines if line[: len(head)] == head]
    at = len(head) - 1
    return max(found, key=lambda line: one.parts[at].rank(line[-1]) if one.parts[at:] else 0, default=None)


def _line_after(one: Field, there: Line | None, head: Line, tap: Tap) -> Line | None:
    """Return a line as it is after a tap; None if nothing is left of it."""
    parts = one.parts[len(tap.key) :]
    words = list(there[len(head) :]) if there else []
    key = [part for part in one.parts[: one.key] if not part.steps]
    if len(tap.key) != len(key) or tap.place > min(len(words), max(len(parts) - 1, 0)):
        at = {"key": list(tap.key), "place": tap.place}
        raise NotationError(Finding("no-row", {"found": quoted(at), "field": one.name}))
    if not parts:
        return None if there else head
    part = parts[tap.place]
    new = [word for word in (tap.word, tap.then) if word is not None]
    if part.many:
        words = _with_item(words, tap.word)
    elif tap.word is None or words[tap.place : tap.place + len(new)] == new:
        if tap.word is None or part.optional or one.optional or one.key:
            words = words[: tap.place]
    else:
        # A new step drops the seat after it, because that seat made only the previous step.
        words[tap.place : None if part.steps else tap.place + len(new)] = new
    return (*head, *words) if words else None


def _with_item(words: list[Word], word: Word | None) -> list[Word]:
    """Add a word to a list, or remove it if the list has it. `tarocks:11` replaces any other `tarocks:…`."""
    if word is None or word in words:
        return [other for other in words if other != word]
    if _is_numbered(word):
        name = str(word).partition(":")[0]
        words = [other for other in words if not (_is_numbered(other) and str(other).startswith(f"{name}:"))]
    return [*words, word]


def _is_numbered(word: object) -> bool:
    return str(word).partition(":")[2].isdigit()


def _belonging(kind: type[Outcome], record: Record, lines: list[Line]) -> list[Line]:
    """Return the lines, and the beginnings of lines, that still apply to the deal with its current values."""
    while True:
        values = values_of(kind, record.seating, record.rules, tuple(lines))
        owners = kind.owners(record.seating, values)
        rest = []
        for line in lines:
            one = kind.fields()[str(line[0])]
            of_nobody = one.name == "points" and line[1:2] and line[1] not in owners
            if one.applies(values) and not of_nobody and (words := _offered_of(kind, record, values, line)):
                rest.append(words)
        if rest == lines:
            return rest
        lines = rest


def _offered_of(kind: type[Outcome], record: Record, values: Mapping[str, Any], line: Line) -> Line:
    """Return a line up to the first word that is no longer offered; empty if too few words remain."""
    one, words = kind.fields()[str(line[0])], line[:1]
    for word in line[1:]:
        many = one.parts[-1].many and len(words) >= len(one.parts)
        beginning = words[: len(one.parts)] if many else words
        offered = kind.offered(record.seating, record.rules, values, beginning)
        if offered is None or word in offered:
            words = (*words, word)
        elif not many:
            break
    if len(line) == 1:
        return () if kind.offered(record.seating, record.rules, values, line) == () else line
    return words if len(words) > 1 + one.key or words == line else ()


def _with_usual(kind: type[Outcome], record: Record, lines: list[Line]) -> list[Line]:
    """Add lines that follow from others or are usual, unless lines with other values have been entered."""
    for line in _usual(kind, record, lines):
        one = kind.fields()[str(line[0])]
        at = next((n for n, other in enumerate(lines) if one.key_of(other) == one.key_of(line)), None)
        if at is None:
            if one.applies(values_of(kind, record.seating, record.rules, tuple(lines))):
                lines.append(line)
        elif lines[at] == line[: len(lines[at])] or (one.parts[-1].many and {*lines[at]} <= {*line}):
            lines[at] = line
    return lines


# --- the rows -----------------------------------------------------------------------------------------------


def form_fields(record: Record, findings: Iterable[Finding], names: PlayerNames) -> list[FormField]:
    """Return the form's fields that apply to the deal of a sheet. `record`: the record with the lines entered
    so far; `findings`: findings of the record's check, which go next to their fields."""
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
    """Return a line as text, without the name of its field."""
    name, stated = sheet_row(game, line, names)
    comma = names.between("comma")
    return comma.join(filter(None, (name.partition(comma)[2], stated))) or name


class _Rows:
    """The rows of the form for a sheet with the lines entered so far."""

    def __init__(self, record: Record, names: PlayerNames) -> None:
        self.record, self.names, self.seating = record, names, record.seating
        self.kind = GAMES[record.game].table.OUTCOME
        self.values = values_of(self.kind, self.seating, record.rules, record.sheet or ())
        self.owners = self.kind.owners(self.seating, self.values)
        self.points = [line for line in record.sheet or () if line[0] == "points" and len(line) > 2]

    def of(self, one: Field, own: Sequence[Line]) -> Iterator[Row]:
        """Yield the rows of a field: for each line, one row per position, up to the first empty position."""
        for key in self._keys(one):
            head = (one.name, *key)
            there = line_of(one, own, head)
            words = (there or head)[len(head) :]
            parts = one.parts[len(key) :]
            if not parts and self._offered(head, [""]):
                # No word follows the key, so the only choice is whether the line is present.
                choice = Choice("", self.names.name("field", one.name), bool(there))
                yield Row(label(self._title(one, key)), key, 0, (choice,))
            for place, part in enumerate(parts[: len(words) + 1]):
                if not part.signs:
                    yield from self._row(one, part, (key, place), words)
                if part.steps:
                    # The form does not ask for the seat that raised a stake, so skip that position.
                    break

    def _keys(self, one: Field) -> Iterator[tuple[Word, ...]]:
        """Yield the key of each possible line of a field: for doubles, which replace one another, the
        stake."""
        if one.name == "points":
            yield from ((owner,) for owner in self.owners)
            return
        parts = [part for part in one.parts[: one.key] if not part.steps]
        for key in product(*(self._words(part) for part in parts)):
            if all(self._offered((one.name, *key[:at]), [word]) for at, word in enumerate(key)):
                yield key

    def _words(self, part: Part) -> list[Word]:
        return [*part.words, *(self.seating.active if part.seats else ())]

    def _offered(self, line: Line, words: Sequence[Word]) -> list[Word]:
        """Return those of the `words` that may come next in a line that begins with `line`."""
        offered = self.kind.offered(self.seating, self.record.rules, self.values, line)
        return [word for word in words if offered is None or word in offered]

    def _row(
        self, one: Field, part: Part, at: tuple[tuple[Word, ...], int], words: tuple[Word, ...]
    ) -> Iterator[Row]:
        """Yield the row for a position in a line, and a row for the number in each declaration that has one.
        `words`: words of the line after its key."""
        key, place = at
        before: Line = (one.name, *key, *words[:place])
        there = words[place:] if part.many else words[place : place + 1]
        choices = self._words(part)
        choices += [word for form in part.forms for word in _spelled(form, there)]
        number = None
        if part.marks is not None:
            choices += _marked(part.marks, there)
        elif part.number and not part.words and part.number[1] - part.number[0] < _FEW:
            choices += range(part.number[0], part.number[1] + 1)
        elif part.number:
            value = next((word for word in there if isinstance(word, int)), None)
            number = Number(value, *part.number, rest=self._rest(one, key))
        position = len(key) + place
        choices = self._offered(before, choices)
        if not (choices or number):
            return
        title = "" if place else self._title(one, key)
        if number:
            # The title says which trick the number means.
            unit = str(self.names.words["sheet_numbers"].get(one.name, "")).format(nth=number.value or "n")
            title = self.names.between("comma").join(filter(None, (title, unit)))
        yield Row(
            label(title),
            key,
            place,
            tuple(
                Choice(
                    word,
                    label(word_name(one, position, word, self.names)),
                    word in there,
                    then=tuple(self._then(one, (*before, word), words[place:])),
                )
                for word in choices
            ),
            number,
        )
        for word in filter(_is_numbered, there):
            name, _, count = str(word).partition(":")
            least = next(int(form.partition(":")[2]) for form in part.forms if form.startswith(f"{name}:"))
            entered = Number(int(count), least, None, prefix=f"{name}:")
            yield Row(label(word_name(one, position, word, self.names)), key, place, (), entered)

    def _then(self, one: Field, before: Line, there: Sequence[Word]) -> Iterator[Choice]:
        """Yield the words with signs that may follow the last word of `before`. `there`: words of the line
        from that word on."""
        at = len(before) - 1
        for part in one.parts[at : at + 1]:
            for word, sign in zip(part.words, part.signs, strict=False):
                if self._offered(before, [word]):
                    name = label(word_name(one, at, word, self.names))
                    yield Choice(word, name, there[:2] == (before[-1], word), sign)

    def _title(self, one: Field, key: tuple[Word, ...]) -> str:
        return self.names.between("comma").join(word_names(one, key, self.names))

    def _rest(self, one: Field, key: tuple[Word, ...]) -> int | None:
        """Return the remaining card points for a side or seat, if the points of all others are entered."""
        if one.name != "points" or any(line[1:2] == key[:1] for line in self.points):
            return None
        rest = self.kind.points_of(self.seating, self.values).get(str(key[0]))
        return None if rest is None else max(0, rest)


def _marked(marks: tuple[int, ...], there: Sequence[Word]) -> list[int]:
    """Return the numbers to offer, with an entered number in place of the next of the `marks`."""
    entered = next((word for word in there if isinstance(word, int)), None)
    if entered is None:
        return [*marks]
    lower = [mark for mark in marks if mark < entered]
    return [*lower, entered, *marks[len(lower) + 1 :]]


def _spelled(form: str, there: Sequence[Word]) -> Iterator[str]:
    """Yield the words that an example in `Part.forms` represents: one word if it has a number, with the
    entered number or else the lowest; one word per suit if it has a suit; otherwise the example."""
    name, colon, argument = form.partition(":")
    if argument.isdigit():
        yield next((str(word) for word in there if str(word).startswith(f"{name}:")), form)
    elif colon:
        yield from (f"{name}:{suit}" for suit in SUIT_SIGNS)
    else:
        yield form
