"""Variations: alternative continuations of a deal from one of its steps, and their scores.

The variations of a deal form a tree, written as a list. Each variation branches from its origin, which is the
deal as it was played (0) or an earlier variation in the list, and shares the origin's first `step` events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tarock.analysis.verify import Check
from tarock.core.findings import NotationError
from tarock.core.record import Event, Record
from tarock.core.scoring import ScoreLine
from tarock.notation import read_value, write_json
from tarock.notation.faults import Malformed, escape, quoted, unlisted
from tarock.notation.keys import ORIGIN_TAG
from tarock.notation.values import read_list, read_object

#: Maximum number of variations of a deal.
MOST = 30
#: Maximum numbers of characters in a name and in a comment.
LONGEST_NAME, LONGEST_COMMENT = 60, 500
#: Tags that belong only to the deal as it was played.
_OF_THE_DEAL = ("Session", "Deal", "Agreed", "Round")


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation: its place in the tree, its texts, and its complete record."""

    number: int  # public number of the variation, from 1
    origin: int  # number of the variation it branches from; 0 for the deal as it was played
    step: int  # number of events that it shares with its origin
    start: int  # number of events that it shares with the deal as it was played
    name: str
    comment: str
    record: Record

    @property
    def events(self) -> list[Event]:
        """Events of the variation after the shared ones."""
        return self.record.events[self.step :]

    def as_json(self) -> dict[str, Any]:
        """Return the variation in canonical JSON form."""
        return {
            "id": self.number,
            "from": self.origin,
            "step": self.step,
            "events": [list(event) for event in self.events],
            "name": self.name,
            "comment": self.comment,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A clause that scored differently in the deal and in the variation."""

    clause: str
    before: dict[str, int]  # points by seat in the deal
    after: dict[str, int]  # points by seat in the variation
    lines: tuple[ScoreLine, ...]  # score lines of the deal
    lines_instead: tuple[ScoreLine, ...]  # score lines of the variation


def read_variations(value: object, played: Record) -> list[Variation]:
    """Read the variations of a deal from their JSON form; `name` and `comment` are optional.

    :raises NotationError: at the first error, with a JSON pointer relative to the list.
    """
    lines: dict[int, Variation] = {}
    try:
        given = read_list(value, "")
        if len(given) > MOST:
            raise Malformed("too-many-variations", "", found=len(given), limit=MOST)
        for place, one in enumerate(given):
            found = _read(one, f"/{place}", lines, played)
            lines[found.number] = found
    except Malformed as fault:
        raise NotationError(fault.finding()) from None
    return list(lines.values())


def _read(value: object, pointer: str, lines: Mapping[int, Variation], played: Record) -> Variation:
    given = read_object(value, pointer)
    if unknown := [key for key in given if key not in _KEYS]:
        raise unlisted("unknown-key", f"{pointer}/{escape(unknown[0])}", unknown[0], _KEYS)
    number, origin = (_number(given, key, pointer) for key in ("id", "from"))
    if number == 0 or number in lines:
        raise Malformed("variation-number", f"{pointer}/id", found=number)
    if origin and origin not in lines:
        raise Malformed("variation-origin", f"{pointer}/from", found=origin)
    before = lines[origin].record.events if origin else played.events
    step = _number(given, "step", pointer)
    if step > len(before):
        raise Malformed("variation-step", f"{pointer}/step", found=step, expected=len(before))
    events = read_list(given.get("events"), f"{pointer}/events")
    own_start = lines[origin].start if origin else len(before)
    start = min(step, own_start)
    record = _record(played, before[:step], events, start, f"{pointer}/events")
    if len(record.events) == step or record.events[: step + 1] == before[: step + 1]:
        raise Malformed("variation-same", f"{pointer}/events")
    name, comment = (_text(given, key, most, pointer) for key, most in _TEXTS.items())
    return Variation(number, origin, step, start, name, comment, record)


_TEXTS = {"name": LONGEST_NAME, "comment": LONGEST_COMMENT}
_KEYS = ("id", "from", "step", "events", *_TEXTS)


def _number(given: Mapping[str, Any], key: str, pointer: str) -> int:
    found = given.get(key)
    if type(found) is not int or not 0 <= found < 10**6:
        raise Malformed("no-count", f"{pointer}/{key}", found=quoted(found))
    return found


def _text(given: Mapping[str, Any], key: str, most: int, pointer: str) -> str:
    found = given.get(key, "")
    if not isinstance(found, str):
        raise Malformed("no-string", f"{pointer}/{key}", found=quoted(found))
    words = " ".join(found.split())
    if len(words) > most:
        raise Malformed("variation-text", f"{pointer}/{key}", found=len(words), limit=most)
    return words


def _record(
    played: Record, before: Sequence[Event], events: Sequence[Any], start: int, pointer: str
) -> Record:
    """Return the record of a variation: the deal with other events, without its score and without the tags
    and comments that belong only to the deal as it was played."""
    form = write_json(played)
    form["events"] = [*(list(event) for event in before), *events]
    form["comments"] = {at: texts for at, texts in form["comments"].items() if 0 < int(at) <= start}
    tags = {name: text for name, text in played.tags.items() if name not in _OF_THE_DEAL}
    form["tags"] = tags | {ORIGIN_TAG: f"{played.digest} {start}"}
    form.pop("score", None)
    try:
        return read_value(form)
    except NotationError as bad:
        found = bad.finding
        where = found.pointer or ""
        if where.startswith("/events/"):
            number, _, rest = where.removeprefix("/events/").partition("/")
            where = f"{pointer}/{int(number) - len(before)}" + (f"/{rest}" if rest else "")
        raise NotationError(replace(found, pointer=where, line=None, column=None)) from None


# --- differences in score -----------------------------------------------------------------------------------


def difference(played: Check, other: Check) -> list[Difference]:
    """Return the clauses that score differently in a deal and a variation. The clauses on the variation's
    score sheet come first. Empty unless both records have a score."""
    if played.score is None or other.score is None:
        return []
    clauses = dict.fromkeys(line.clause for line in (*other.lines, *played.lines))
    rows = []
    for clause in clauses:
        lines, instead = (
            tuple(line for line in one.lines if line.clause == clause) for one in (played, other)
        )
        before, after = _points(lines), _points(instead)
        if before != after:
            rows.append(Difference(clause, before, after, lines, instead))
    return rows


def _points(lines: Sequence[ScoreLine]) -> dict[str, int]:
    """Add up the points of some lines by seat. Leave out seats whose points add up to 0."""
    found: dict[str, int] = {}
    for line in lines:
        for seat, points in line.points.items():
            found[seat] = found.get(seat, 0) + points
    return {seat: points for seat, points in found.items() if points}


def origin_of(record: Record) -> tuple[str, int] | None:
    """Return the digest of the deal that a variation branches from, and the step at which it branches off;
    None for a played deal."""
    written = record.tags.get(ORIGIN_TAG, "")
    digest, _, step = written.partition(" ")
    return (digest, int(step)) if written else None
