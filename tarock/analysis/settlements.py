"""The same cards settled by two rule sets, line by line, with the options that make the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tarock.analysis.verify import Check, check
from tarock.core.findings import Finding
from tarock.core.options import CLAUSE
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.games import profiles_of
from tarock.notation.keys import RULES_TAG

#: What tells the lines of a clause apart: the values that name a seat, a card or a declaration.
_SUBJECT = ("seat", "item", "card")
Key = tuple[object, ...]


class Row(NamedTuple):
    """A line of the score by both rule sets."""

    clause: str
    lines: tuple[ScoreLine | None, ScoreLine | None]  # None if a rule set has no such line
    because: tuple[str, ...]  # slugs of the options that make the difference

    @property
    def points(self) -> tuple[dict[str, int], dict[str, int]]:
        """The points by seat according to each rule set."""
        one, other = (line.points if line else {} for line in self.lines)
        return one, other


@dataclass(frozen=True)
class Settlements:
    """The settlement of the same cards by two rule sets."""

    records: tuple[Record, Record]
    checks: tuple[Check, Check]
    rows: tuple[Row, ...]
    #: For each rule set that the deal could not have been played by: the options without which it could.
    because: tuple[tuple[str, ...], tuple[str, ...]]


def rules_of(record: Record) -> str:
    """Return the name of a record's rules: the one that it states or, without options, that of the source.
    Empty if the rules have no name."""
    stated = record.tags.get(RULES_TAG, "")
    if stated or record.options:
        return stated
    return next((one.name for one in profiles_of(record.game) if not one.words), "")


def by_rules(record: Record, words: Iterable[str], name: str = "") -> Record:
    """Return a deal or a score sheet under other options, without its claim, which is by its own. `words`:
    valid options of the game; `name`: name of the rule set, if it has one."""
    if record.result is not None:
        return record
    tags = {tag: value for tag, value in record.tags.items() if tag != RULES_TAG}
    tags |= {RULES_TAG: name} if name else {}
    return replace(record, options=record.info.rules.of(tuple(words)).words(), tags=tags, score=None)


def settlements(one: Record, other: Record) -> Settlements:
    """Compare the settlement of the same cards by the options of two records."""
    checks = check(one), check(other)
    without = _exchanged(one, other)
    lines = _by_subject(checks[0]), _by_subject(checks[1])
    # Keep the order of the first rule set, and put further lines of the second at their place after them.
    keys = [*lines[0], *(key for key in lines[1] if key not in lines[0])]
    rows = tuple(
        Row(str(key[0]), (lines[0].get(key), lines[1].get(key)), _makers(key, one, checks, without))
        for key in keys
    )
    blamed = [_blamed(checks[n], {slug: pair[n] for slug, pair in without.items()}) for n in (0, 1)]
    return Settlements((one, other), checks, rows, (blamed[0], blamed[1]))


def changed_by_options(record: Record) -> dict[int, tuple[str, ...]]:
    """Return the options that changed the amount of a line of the score: number of the line → slugs."""
    found = settlements(by_rules(record, ()), record)
    numbers = {id(line): number for number, line in enumerate(found.checks[1].lines)}
    lines = ((row.lines[1], row.because) for row in found.rows)
    return {numbers[id(line)]: because for line, because in lines if line is not None and because}


def _exchanged(one: Record, other: Record) -> dict[str, tuple[Check, Check]]:
    """Return, for each option in which two records differ, each record's check with only this option taken
    from the other."""
    found = {}
    for slug, option in one.info.rules.table().items():
        values = one.rules.value(slug), other.rules.value(slug)
        if values[0] != values[1] and slug != "unit":
            found[slug] = (_with(one, option.word(values[1])), _with(other, option.word(values[0])))
    return found


def _with(record: Record, word: str) -> Check:
    slug = word.partition("=")[0]
    kept = [other for other in record.options if other.partition("=")[0] != slug]
    return check(by_rules(record, [*kept, word]))


def _by_subject(checked: Check) -> dict[Key, ScoreLine]:
    """Return the score lines by clause and subject."""
    seen: Counter[Key] = Counter()
    found = {}
    for line in checked.lines:
        key = (line.clause, *(str(line.quantity.get(name)) for name in _SUBJECT))
        found[(*key, seen[key])] = line
        seen[key] += 1
    return found


def _points(lines: Mapping[Key, ScoreLine], key: Key) -> dict[str, int]:
    line = lines.get(key)
    return {seat: points for seat, points in line.points.items() if points} if line else {}


def _makers(
    key: Key, record: Record, checks: tuple[Check, Check], without: Mapping[str, tuple[Check, Check]]
) -> tuple[str, ...]:
    """Return the options that make the difference in a line. An option that the line's clause reads comes
    before options that only have an effect on it, such as a price on the ceiling."""
    now = [_points(_by_subject(checked), key) for checked in checks]
    if now[0] == now[1] or not all(checked.score is not None for checked in checks):
        return ()
    found = [
        slug
        for slug, pair in without.items()
        if any(
            one.score is not None and _points(_by_subject(one), key) != points
            for one, points in zip(pair, now, strict=True)
        )
    ]
    table = record.info.rules.table()
    own = [slug for slug in found if {str(key[0]), CLAUSE} & {*table[slug].clauses}]
    return tuple(own or found)


def _blamed(checked: Check, without: Mapping[str, Check]) -> tuple[str, ...]:
    """Return the options without which a deal would not break the same rule at the same place."""
    if checked.score is not None:
        return ()
    place = _place(checked.error)
    return tuple(slug for slug, one in without.items() if _place(one.error) != place)


def _place(finding: Finding | None) -> tuple[object, ...] | None:
    return None if finding is None else (finding.event, finding.clause, finding.field)
