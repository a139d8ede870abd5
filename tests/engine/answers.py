"""Digests of what the engine answers about deals: the score with its quantities and facts, positions from
every seat, the errors of wrong events, the results with hidden hands, of score sheets, and the form for them.

    python -m tests.engine.answers    # write the digests again, after an intended change

Sentences are left out, because they may be reworded. The deals are some of `tests/conformance`, which
together have every kind of line, happening, note, finding, bid and announcement.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from hashlib import blake2s
from itertools import pairwise
from typing import Any

from tarock.analysis.audit import notes, running
from tarock.analysis.fold import fold
from tarock.analysis.replay import last_step, position
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import Check, check
from tarock.core.findings import Finding, Illegal
from tarock.core.record import Event, Line, Record
from tarock.notation import read, write_json
from tarock.view.entry.sheet_form import Tap, form_fields, tapped
from tarock.words.names import PlayerNames
from tests import conformance
from tests.engine.builder import pack_of

DIGESTS = conformance.FOLDER / "answers.json"


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def finding(found: Finding) -> list[Any]:
    where = [found.reason, found.clause, found.field, found.event, found.trick, found.seat]
    return [*where, found.legal, found.values]


def result(checked: Check) -> list[Any]:
    """A check without its sentences."""
    errors = [finding(error) for error in (*checked.errors, *checked.warnings)]
    rows = [checked.lines, checked.countings, checked.happenings, checked.facts]
    return [checked.verdict, checked.score, errors, *map(plain, rows)]


def scores(record: Record, _key: str) -> list[Any]:
    account = None if record.sheet is not None or fold(record).finding else plain(running(record))
    near = [] if record.sheet is not None else plain(notes(record))
    return [result(check(record)), near, account]


def views(record: Record, _key: str) -> Iterator[Any]:
    """Some positions from every seat, never the same moments in two deals."""
    for view in (None, *record.seats):
        last = last_step(record, view)
        for step in {*range(int(record.digest[:4], 16) % 6, last, 6), last}:
            found = position(record, step, view)
            yield plain(replace(found, error=None)), found.error and finding(found.error)


def tries(record: Record, seats: Iterable[str]) -> Iterator[Event]:
    """Events that may be wrong: all cards, items and bids by these seats."""
    items = [(item,) for item in record.info.items]
    cards = [(card,) for card in pack_of(record.game)]
    words = [(word,) for word in ("first", "second", "preference", "solo", "1", "2", "3")]
    names: dict[str, list[tuple[str, ...]]] = {
        "cards": [tuple(pack_of(record.game)[at : at + 3]) for at in range(0, 54, 4)],
        "items": [*items, *(a + b for a, b in pairwise(items))],
        "words": words,
        "none": [("T1",)],
    }
    for verb, kind in record.info.verbs.items():
        for seat in seats:
            yield (seat, verb)
            for arguments in names.get(kind, [*cards, *words[:2]]):
                yield (seat, verb, *arguments)


def wrong(record: Record, _key: str) -> Iterator[Any]:
    """What the rules say to any event at some moments of the deal."""
    said = sum(event[1] != "play" for event in record.events)
    moments = {*range(len(record.deal) % 3, said, 3), *range(said, len(record.events) + 1, 17)}
    for moment in sorted(moments):
        table = fold(record, moment).table
        state = table.twin()
        yield table.legal()
        for event in tries(record, [seat for seat in (table.turn, table.next.get(table.turn or "")) if seat]):
            try:
                state.apply(event)
            except Illegal as illegal:
                yield illegal.reason, illegal.clause, plain(illegal.values)
            else:
                yield event
                state = table.twin()


def read_form(record: Record, **changes: Any) -> list[Any]:
    """The result for a record with changes in its JSON form."""
    entry = read(json.dumps(write_json(record) | changes))[0]
    return [[finding(error) for error in entry.errors], entry.record and result(check(entry.record))]


def hidden(record: Record, _key: str) -> Iterator[Any]:
    """The deal with the cards of one place or two unknown, with positions from two seats."""
    places = list(record.deal)
    for number, place in enumerate(places):
        for other in (place, places[number - 1]):
            unknown = {name: ["?"] * len(record.deal[name]) for name in (place, other)}
            yield read_form(record, deal={**record.deal, **unknown})
        entry = read(json.dumps(write_json(record) | {"deal": {**record.deal, place: unknown[place]}}))[0]
        for view in (None, record.seats[number % len(record.seats)]) if entry.record else ():
            yield plain(replace(position(entry.record, 4 + 9 * number, view), error=None))


def stated(key: str, seats: int) -> list[Line]:
    """The lines on the sheets of some deals after this one, with as many seats."""
    file, _, number = key.rpartition("-")
    size = len(conformance.rows(file))
    near = [conformance.record(f"{file}-{(int(number) + n) % size}") for n in range(1, 9)]
    sheets = [sheet_of(one) for one in near if one and len(one.seats) == seats]
    return sorted({line for sheet in sheets if sheet for line in sheet.sheet or ()}, key=str)


def spoilt(lines: tuple[Line, ...], seats: tuple[str, ...]) -> Iterator[tuple[Line, ...]]:
    """The sheet without a line, and with a number, seat or word changed."""
    for at, line in enumerate(lines):
        yield (*lines[:at], *lines[at + 1 :])
        for place, word in enumerate(line[1:], 1):
            others: list[Any] = ["made", "failed", "alone", "solo", "first", "bidder", "opponents", "tappist"]
            if isinstance(word, int):
                others = [word - 1, word + 1, 0]
            elif word in seats:
                others = [seats[(seats.index(word) + 1) % len(seats)]]
            for other in others:
                if other != word:
                    yield (*lines[:at], (*line[:place], other, *line[place + 1 :]), *lines[at + 1 :])


def sheets(record: Record, key: str) -> Iterator[Any]:
    sheet = sheet_of(record)
    if sheet is None or not sheet.sheet:
        return
    yield sheet.sheet, result(check(sheet))
    added = [(*sheet.sheet, line) for line in stated(key, len(record.seats))]
    for lines in (*spoilt(sheet.sheet, record.seats), *added):
        yield read_form(sheet, sheet=[list(line) for line in lines])


def forms(record: Record, _key: str) -> Iterator[Any]:
    """The form while the lines of the sheet are entered, and some not in the order of the rules."""
    sheet = sheet_of(record)
    lines = (sheet.sheet if sheet else None) or ()
    names = PlayerNames(record.game, record.players, "en")
    for entered in ((), *(lines[:at] for at in range(1, len(lines) + 1)), lines[1:], lines[::2]):
        entry = replace(record, deal={}, events=[], sheet=entered)
        for field in form_fields(entry, check(entry).errors, names):
            rows = [
                [row.key, row.place, [(c.word, c.on, *c.then) for c in row.choices], row.number]
                for row in field.rows
            ]
            yield field.name, field.clause, field.needed, rows, [finding(one) for one in field.findings]
            for row in field.rows:
                for choice in row.choices[:2]:
                    for then in (None, *(one.word for one in choice.then)):
                        yield tapped(entry, Tap(field.name, row.key, row.place, choice.word, then))


ASPECTS: dict[str, Callable[[Record, str], Iterable[Any]]] = {
    function.__name__: function for function in (scores, views, wrong, hidden, sheets, forms)
}


def digest(aspect: str, key: str) -> str:
    """The digest of one aspect of a deal."""
    record = conformance.record(key)
    if record is None or (record.sheet is not None and aspect in ("views", "wrong", "hidden")):
        return ""
    answer = json.dumps(plain(list(ASPECTS[aspect](record, key))), sort_keys=True)
    return blake2s(answer.encode(), digest_size=5).hexdigest()


if __name__ == "__main__":
    deals = json.loads(DIGESTS.read_text(encoding="utf-8"))
    digests = {key: {aspect: digest(aspect, key) for aspect in ASPECTS} for key in deals}
    DIGESTS.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
