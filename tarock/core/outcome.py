"""The outcome of a deal: only the facts that the settlement needs. `Table.outcome` returns the outcome of a
played deal, and a score sheet states an outcome directly. Each game describes the fields of its outcomes in
one place. The lines of a sheet, their schema and the entry form are generated from this description.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple

from tarock.core.findings import Finding
from tarock.core.game import SEATS, Seating
from tarock.core.options import Options
from tarock.core.record import Line

Word = str | int
_DEFAULTS = Options.default()
#: Key of a sheet line: the name of its field and the words that distinguish the field's lines, such as
#: `("points", "bidder")`.
Key = tuple[Word, ...]


#: Reasons of findings that report missing parts of a sheet. All other findings report impossible parts.
LACKING = frozenset(("field-missing", "line-missing", "line-breaks-off", "points-missing"))


class Part(NamedTuple):
    """The description of one word of a sheet line. The field's name, which begins a line, is not a part."""

    table: str = ""  # text table with the names of the words (`tarock.words.clauses.words`)
    words: tuple[str, ...] = ()  # allowed words
    seats: bool = False  # whether a seat is allowed
    pattern: str = ""  # regular expression for words that can't all be listed
    number: tuple[int, int] | None = None  # lowest and highest number
    many: bool = False  # whether more words of this kind may follow (last part only)
    optional: bool = False  # whether the word may be left out (end of the line only)
    forms: tuple[str, ...] = ()  # examples of words that match the pattern
    steps: bool = False  # whether each word in `words` is one step above the previous word
    #: Signs of the `words`. A form offers words with signs together with the word before them.
    signs: tuple[str, ...] = ()
    #: Numbers up to which the score is the same. A form offers only these; None if it offers all numbers.
    marks: tuple[int, ...] | None = None

    def rank(self, word: Word) -> int:
        """Return the position of a word in the canonical order: first the allowed words, then the seats."""
        if word in self.words:
            return self.words.index(str(word))
        return len(self.words) + (SEATS.find(str(word)) if self.seats else 0)


class When(NamedTuple):
    """A condition for a field: the other field `field` must have one of the `values`. The value None means
    that the field is absent. The field name `seats` means the number of active seats."""

    field: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an outcome, and the format of its lines in a sheet.

    The value of a line is True if the field has no parts, a word if it has one part, and otherwise an
    instance of `row`. A field with a key can have several lines. Its value is a tuple of the lines' values.
    """

    name: str  # name in sheet lines and in the outcome
    clause: str  # clause that the field belongs to
    parts: tuple[Part, ...] = ()  # words of a line; empty for a field that is either present or absent
    key: int = 0  # number of words that distinguish the lines; 0 for at most one line
    when: tuple[When, ...] = ()  # conditions under which the field applies
    optional: bool = False  # whether the field may be left out
    ordered: bool = False  # whether the order of the lines has a meaning
    row: Callable[..., Any] | None = None  # type for the words of a line, if there are several

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Return whether the field applies, given the values of the other fields."""
        return all(values.get(other) in allowed for other, allowed in self.when)

    def key_of(self, line: Line) -> Key:
        """Return the key of a line of this field (see `Key`)."""
        return line[: 1 + self.key]

    def value(self, line: Line) -> Any:
        """Return the value of a line, with None for each word that the line leaves out."""
        words: list[Any] = list(line[1:])
        if not self.parts:
            return True
        if self.parts[-1].many:
            fixed = len(self.parts) - 1
            words = [*words[:fixed], tuple(words[fixed:])]
        words += [None] * (len(self.parts) - len(words))
        return words[0] if self.row is None else self.row(*words)

    def lines(self, value: Any) -> Iterator[Line]:
        """Yield the sheet lines for a value of this field; if the value has several rows, one line per row,
        in order."""
        if not self.parts:
            if value:
                yield (self.name,)
            return
        for row in value if self.key else () if value is None else (value,):
            words: tuple[Any, ...] = (row,) if self.row is None else tuple(row)
            if self.parts[-1].many:
                words = (*words[:-1], *words[-1])
            yield (self.name, *(word for word in words if word is not None))

    def is_complete(self, line: Line) -> bool:
        """Return whether a line has all required words."""
        return len(line) > sum(not part.optional for part in self.parts)


def sheet_field(clause: str, *parts: Part, **options: Any) -> Any:
    """Return a dataclass field that describes an outcome's field. Take the same arguments as `Field`."""
    default = () if options.get("key") else None if parts else False
    return field(default=default, metadata={"clause": clause, "parts": parts, **options})


class Impossible(NamedTuple):
    """A contradiction in an outcome. `field`: name of the field; `reason`: key of the clause's sentence;
    `values`: values for the sentence."""

    clause: str
    field: str
    reason: str
    values: dict[str, Any]


class Points(NamedTuple):
    """The card points of a side, or of a seat that plays alone: the value of a line of the field `points`."""

    owner: str
    points: int


def wrong_total(clause: str, points: Mapping[str, int], low: int, high: int) -> Iterator[Impossible]:
    """Yield a contradiction if the sum of all card points is out of bounds. `points`: card points by side or
    seat, empty if the sheet leaves them out; `clause`: clause that fixes the sum."""
    total = sum(points.values())
    if points and not low <= total <= high:
        reason = "points-do-not-add-up" if low == high else "points-without-rest"
        values = {"card_points": points, "total": total, "low": low, "high": high}
        yield Impossible(clause, "points", reason, values)


@dataclass(kw_only=True)
class Outcome:
    """Base class of outcomes. Each game has a subclass that adds fields.

    Treat an outcome as immutable. The class is not frozen, because creating a frozen one takes twice as long.
    """

    seating: Seating
    options: Options = _DEFAULTS
    #: Key of a line → numbers of the events that the line follows from; empty if a sheet states the outcome.
    events: Mapping[Key, tuple[int, ...]] = field(default_factory=dict)

    # Cache the fields, which depend only on the class. Otherwise they would be built again for every sheet.
    @classmethod
    @cache
    def fields(cls) -> Mapping[str, Field]:
        """Return the fields of this class of outcomes: name → field, in sheet order."""
        return {one.name: Field(one.name, **one.metadata) for one in dataclasses.fields(cls) if one.metadata}

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that take part in the deal."""
        return self.seating.active

    def lines(self) -> tuple[Line, ...]:
        """Return the outcome as the lines of a sheet, in canonical order."""
        lines = [line for one in self.fields().values() for line in one.lines(getattr(self, one.name))]
        return in_order(type(self), lines)

    #: `TOTAL`: sum of all card points, if it is fixed. `SIDES`: sides of a deal, if there are any. `ALONE`:
    #: contract in which each seat plays alone and the sum is not fixed, because the talon counts for nobody.
    #: `PAID_AT_ONCE`: fields whose lines are paid during the deal.
    TOTAL: ClassVar[int | None] = None
    SIDES: ClassVar[tuple[str, ...]] = ()
    ALONE: ClassVar[str] = ""
    PAID_AT_ONCE: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def total(cls, values: Mapping[str, Any]) -> int | None:
        """Return the sum of all card points on a sheet with these values; None if the sum is not fixed. If it
        is fixed, the sheet may leave out the card points of one side or seat."""
        return None if values.get("contract") == cls.ALONE else cls.TOTAL

    @classmethod
    def owners(cls, seating: Seating, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the sides or seats whose card points a sheet with these values states."""
        return seating.active if values.get("contract") == cls.ALONE or not cls.SIDES else cls.SIDES

    @classmethod
    def needed(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[str]:
        """Return the names of the fields that a sheet with these values must have. A game overrides this to
        add fields for which `Field.when` is not enough."""
        return (one.name for one in cls.fields().values() if not one.optional and one.applies(values))

    @classmethod
    def needed_lines(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Key]:
        """Yield the keys of lines that a sheet with these values must have. By default, there are none."""
        return iter(())

    @classmethod
    def usual(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Line]:
        """Yield the lines that an entry form fills in if they are missing or incomplete, because these values
        imply them or because most deals have them."""
        return iter(())

    @classmethod
    def offered(
        cls, seating: Seating, options: Any, values: Mapping[str, Any], line: Line
    ) -> Container[Word] | None:
        """Return the words that an entry form offers as the next word of a line. None means all allowed
        words; an empty result means that the form hides the field. `line`: the words of the line so far."""
        return None

    @classmethod
    def points_of(cls, seating: Seating, values: Mapping[str, Any]) -> dict[str, int]:
        """Return the stated card points by side or seat. If the total is fixed and exactly one side or seat
        is left out, give it the remaining points."""
        points = {owner: count for owner, count in values.get("points", ()) if count is not None}
        total = cls.total(values)
        lacking = [owner for owner in cls.owners(seating, values) if owner not in points]
        if total is not None and len(lacking) == 1:
            points[lacking[0]] = total - sum(points.values())
        return points

    def facts(self) -> dict[str, Any]:
        """Return the searchable facts that the outcome alone determines: name → value."""
        raise NotImplementedError

    def doubled(self) -> dict[str, tuple[str, ...]]:
        """Return the doubled stakes (`Table.STAKES`), each with the seats of the side that doubled it first.
        Leave out stakes for which this side is unknown. By default, there are none."""
        return {}

    def impossible(self) -> Iterator[Impossible]:
        """Yield the contradictions between the fields of this outcome."""
        return iter(())

    def odd(self) -> Iterator[Impossible]:
        """Yield the contradictions that only an entry form reports, without a change of the verdict."""
        return iter(())


def in_order(kind: type[Outcome], lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return lines in canonical order: by field, then by key. Lines of an ordered field keep their order."""
    fields = list(kind.fields().values())
    rank = {one.name: number for number, one in enumerate(fields)}

    def key(line: Line) -> tuple[int, list[int]]:
        one = fields[rank[str(line[0])]]
        words = () if one.ordered else zip(one.parts, line[1 : 1 + one.key], strict=False)
        return rank[one.name], [part.rank(word) for part, word in words]

    return tuple(sorted(lines, key=key))


def from_lines(
    kind: type[Outcome], seating: Seating, options: Options, lines: tuple[Line, ...]
) -> Outcome | tuple[Finding, ...]:
    """Return the outcome that the lines of a sheet state or, if they have errors, the findings of the first
    check that fails. The checks are for impossible lines, then for missing parts, and then for contradictions
    between lines."""
    sheet = _Sheet(kind, seating, options, lines)
    found = [*sheet.misplaced(), *sheet.of_nobody(), *sheet.more_than_all()] or [*sheet.missing()]
    if found:
        return tuple(found)
    outcome = sheet.outcome()
    return tuple(sheet.contradiction(one) for one in outcome.impossible()) or outcome


def paid_at_once(
    kind: type[Outcome], seating: Seating, options: Options, lines: tuple[Line, ...]
) -> tuple[Outcome | None, tuple[Finding, ...]]:
    """Return the outcome of an unfinished deal, from those complete lines that are paid during the deal, and
    the findings that only an entry form reports (`Outcome.odd`). Without such lines, the outcome is None."""
    due = [line for line in lines if line[0] in kind.PAID_AT_ONCE]
    sheet = _Sheet(
        kind, seating, options, tuple(line for line in due if kind.fields()[str(line[0])].is_complete(line))
    )
    if not sheet.lines or any(sheet.misplaced()):
        return None, ()
    outcome = sheet.outcome()
    return outcome, tuple(sheet.contradiction(one) for one in outcome.odd())


def values_of(
    kind: type[Outcome], seating: Seating, options: Options, lines: tuple[Line, ...]
) -> dict[str, Any]:
    """Return the values of the fields that are present, by name, the number of active seats as `seats`, and
    the options of the deal as `options`. The value of an incomplete line has None for each missing word."""
    values: dict[str, Any] = {"seats": len(seating.active), "options": options}
    for line in lines:
        one = kind.fields()[str(line[0])]
        value = one.value(line)
        values[one.name] = (*values.get(one.name, ()), value) if one.key else value
    return values


class _Sheet:
    """The lines of a sheet with their values, and the checks of `from_lines`."""

    def __init__(
        self, kind: type[Outcome], seating: Seating, options: Options, lines: tuple[Line, ...]
    ) -> None:
        self.kind, self.seating, self.lines, self.fields = kind, seating, lines, kind.fields()
        self.options = options
        self.values = values_of(kind, seating, options, lines)
        #: Stated card points by side or seat; None if the line is incomplete.
        self.points: dict[Any, int | None] = dict(self.values.get("points", ()))
        self.total, self.owners = kind.total(self.values), kind.owners(seating, self.values)
        #: Whether a field that every sheet needs is missing, so that it is unclear which other fields apply.
        self.is_open = any(
            self.values.get(one.name) is None
            for one in self.fields.values()
            if not (one.optional or one.when or one.key)
        )

    def outcome(self) -> Outcome:
        """Return the outcome that the lines state, without looking for errors."""
        values = self.values
        if points := self.kind.points_of(self.seating, values):
            values["points"] = tuple(Points(owner, points[owner]) for owner in self.owners)
        given = {name: value for name, value in values.items() if name in self.fields}
        return self.kind(seating=self.seating, options=self.options, **given)

    def misplaced(self) -> Iterator[Finding]:
        """Yield findings about impossible lines: a field that doesn't belong to this deal, a second line with
        the same key, a repeated word, or a number out of bounds."""
        seen: set[Key] = set()
        for number, line in enumerate(self.lines):
            one = self.fields[str(line[0])]
            other = self._barring(one)
            if other == "seats":
                yield _at(one, "not-for-seats", number, line, seats=self.values["seats"])
            elif other:
                clause = one.clause if self.fields[other].parts else self.fields[other].clause
                yield replace(_at(one, "not-with", number, line, other_field=other), clause=clause)
            elif one.key_of(line) in seen:
                yield _at(one, "field-twice", number, line)
            elif len(set(line)) < len(line) and one.parts[-1].many:
                yield _at(one, "word-twice", number, line)
            for part, word in zip(one.parts, line[1:], strict=False):
                if part.number and isinstance(word, int) and not part.number[0] <= word <= part.number[1]:
                    low, high = part.number
                    yield _at(one, "number-out-of-bounds", number, line, found=word, low=low, high=high)
            seen.add(one.key_of(line))

    def _barring(self, one: Field) -> str:
        """Return the name of another field whose value excludes the field `one`; empty if there is none."""
        for name, allowed in one.when:
            other, value = self.fields.get(name), self.values.get(name)
            lacking = other is not None and not other.optional and value is None
            if value not in allowed and not lacking:
                return name
        return ""

    def of_nobody(self) -> Iterator[Finding]:
        """Yield a finding for each line with card points of a side or seat that this deal doesn't count."""
        for number, line in enumerate(() if self.is_open else self.lines):
            if line[0] == "points" and len(line) > 1 and line[1] not in self.owners:
                sides = list(self.owners)
                yield _at(self.fields["points"], "points-of-nobody", number, line, sides=sides)

    def more_than_all(self) -> Iterator[Finding]:
        """Yield a finding if the stated card points exceed the fixed total, so that the side or seat that is
        left out would have a negative number."""
        if self.total is None or self.is_open or self.points.keys() >= set(self.owners):
            return
        one, counts = self.fields["points"], [count or 0 for count in self.points.values()]
        bounds = one.parts[-1].number
        # Ignore a single number that is too high, because `misplaced` already reports it.
        if sum(counts) > self.total and not (bounds and max(counts) > bounds[1]):
            values = {"total": sum(counts), "high": self.total}
            yield _finding(one, "points-too-many", self._first("points"), **values)

    def missing(self) -> Iterator[Finding]:
        """Yield findings about missing fields, lines, words of lines, and card points."""
        for number, line in enumerate(self.lines):
            one = self.fields[str(line[0])]
            if not one.is_complete(line):
                yield _at(one, "line-breaks-off", number, line)
        for name in self.kind.needed(self.seating, self.values):
            if name not in self.values:
                yield _finding(self.fields[name], "field-missing")
        there = {self.fields[str(line[0])].key_of(line) for line in self.lines}
        for key in self.kind.needed_lines(self.seating, self.values):
            if key not in there:
                yield _at(self.fields[str(key[0])], "line-missing", None, key)
        lacking = [owner for owner in self.owners if owner not in self.points]
        if self.points and not self.is_open and len(lacking) > (self.total is not None):
            yield _finding(self.fields["points"], "points-missing", sides=lacking)

    def contradiction(self, found: Impossible) -> Finding:
        """Return a contradiction as a finding, located at the first line of its field."""
        at = self._first(found.field)
        finding = _finding(self.fields[found.field], found.reason, at, **found.values)
        return replace(finding, clause=found.clause)

    def _first(self, name: str) -> int | None:
        """Return the number of a field's first line; None if the field has no line."""
        return next((number for number, line in enumerate(self.lines) if line[0] == name), None)


def _finding(one: Field, reason: str, at: int | None = None, **values: Any) -> Finding:
    """Return a finding about a field, located at line number `at` or, if it is None, at the whole sheet."""
    pointer = "/sheet" if at is None else f"/sheet/{at}"
    return Finding(reason, {"field": one.name, **values}, clause=one.clause, field=one.name, pointer=pointer)


def _at(one: Field, reason: str, at: int | None, line: Line, **values: Any) -> Finding:
    """Return a finding that quotes a line, or the beginning of a missing line."""
    return _finding(one, reason, at, written=" ".join(map(str, line)), **values)
