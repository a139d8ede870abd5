"""Reading the JSON form of a record. This module checks types and values, not legality.

The text reader turns its lines into the JSON form first, so that one module checks the values of both forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from datetime import date
from typing import Any

from tarock.core.game import NO_GAME, UNKNOWN_GAME, GameInfo
from tarock.core.options import CLAUSE
from tarock.core.record import Record
from tarock.games import GAMES
from tarock.notation.deal_part import any_dealer, read_deal
from tarock.notation.events import read_events
from tarock.notation.faults import Enough, Faults, Malformed, escape, quoted, unlisted
from tarock.notation.keys import (
    AGREED_TAG,
    KEYS,
    KNOWN_TAGS,
    OPTIONAL_TAGS,
    ORIGIN_TAG,
    PLAYED_TAG,
    RULES_TAG,
    SEAT_TAGS,
    SHEET_TAGS,
    STRUCTURAL_TAGS,
)
from tarock.notation.limits import MAX_COMMENT, MAX_COMMENTS, MAX_POINTS, MAX_TAGS
from tarock.notation.names import NOT_STORABLE
from tarock.notation.options_part import check_rules, is_rules_name, read_options
from tarock.notation.result_part import read_result
from tarock.notation.sheet_part import read_sheet
from tarock.notation.unknown_cards import follow, has_unknown
from tarock.notation.values import read_list, read_object, read_string, read_tag

_NEEDED = frozenset(KEYS) - {"options", "sheet", "result", "tags", "comments", "score", "deal"}
#: Keys that a record with a `sheet` must not have.
_NOT_BESIDE_SHEET = frozenset(("deal", "events"))
#: Keys that a record with a `result` can have, and keys that it must have.
_OF_RESULT = frozenset(("tgn", "game", "options", "tags", "result", "comments"))
_RESULT_NEEDED = frozenset(("tgn", "game", "result"))
_PLAIN_TAGS = frozenset(OPTIONAL_TAGS)
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_DATE = re.compile(r"(\d{4}|\?{4})-(\d\d|\?\?)-(\d\d|\?\?)", re.ASCII)
#: Origin of a variation: the digest of the played deal, and the step at which the variation branches off.
_ORIGIN = re.compile(r"[0-9a-f]{64} \d{1,6}", re.ASCII)
_AGREED = re.compile(r"[A-H]=-?\d{1,9}(?: [A-H]=-?\d{1,9})*", re.ASCII)
_DEAL = re.compile(r"(?=0*[1-9])\d{1,9}", re.ASCII)
_BLANK = re.compile(r"\s+")
_NOT_STORABLE = re.compile(f"[{NOT_STORABLE}]")


def _is_date(value: str) -> bool:
    """Return whether a text is a possible date `YYYY-MM-DD`, with `?` for the digits of an unknown part."""
    found = _DATE.fullmatch(value)
    if not found:
        return False
    year, month, day = found.groups()
    if month == "??":
        return day == "??" or 1 <= int(day) <= 31
    try:
        # An unknown year may be a leap year, such as 2000.
        date(2000 if year == "????" else int(year), int(month), 1 if day == "??" else int(day))
    except ValueError:
        return False
    return True


#: Tag → reason to report for an invalid value, and the function that checks the value.
_TAG_VALUES: dict[str, tuple[str, Callable[[str], object]]] = {
    "Date": ("no-date", _is_date),
    "Deal": ("no-deal-number", _DEAL.fullmatch),
    AGREED_TAG: ("no-score", _AGREED.fullmatch),
    ORIGIN_TAG: ("no-origin", _ORIGIN.fullmatch),
    RULES_TAG: ("rules-name", is_rules_name),
}


def _players(value: object, info: GameInfo, faults: Faults) -> dict[str, str] | None:
    """Map each seat to its player's name. Return None if the seats are unknown because of faults."""
    given = read_object(value, "/players")
    names = {}
    for key, name in given.items():
        try:
            if key not in SEAT_TAGS:
                raise Malformed("no-seat", f"/players/{escape(key)}", found=quoted(key))
            names[key] = ""
            names[key] = read_tag(name, f"/players/{key}")
        except Malformed as fault:
            faults.note(fault)
    number = len(names)
    if number < len(given) or "players" in faults.unread:
        return None
    if number not in info.seats:
        numbers = info.seats
        expected = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 2 else list(map(str, numbers))
        raise Malformed("wrong-number-of-seats", "/players", found=number, expected=expected, game=info.id)
    letters = info.seat_letters(number)
    for letter in letters:
        if letter not in names:
            raise Malformed("seat-missing", "/players", seat=letter, expected=" ".join(letters))
    return {letter: names[letter] for letter in letters}


def _tags(value: object, faults: Faults) -> dict[str, str]:
    given = read_object(value, "/tags")
    if len(given) > MAX_TAGS:
        name = list(given)[MAX_TAGS]
        raise Malformed("too-many-tags", f"/tags/{escape(name)}", found=len(given), limit=MAX_TAGS)
    found: dict[str, str] = {}
    for name, content in given.items():
        try:
            proper = name if name in _PLAIN_TAGS and name not in found else _proper_tag(name, found)
            text = read_tag(content, f"/tags/{name}")
            reason, is_valid = _TAG_VALUES.get(proper, ("", None))
            if is_valid and not is_valid(text):
                clause = CLAUSE if proper == RULES_TAG else None
                raise Malformed(reason, f"/tags/{name}", clause=clause, found=quoted(text))
            found[proper] = text
        except Malformed as fault:
            faults.note(fault)
    known = {name: found.pop(name) for name in OPTIONAL_TAGS if name in found}
    return known | dict(sorted(found.items())) if found else known


def _proper_tag(name: str, tags: dict[str, str]) -> str:
    """Return the canonical name of a tag, ignoring case. Raise Malformed if the tag is not allowed here."""
    pointer = f"/tags/{escape(name)}"
    if not _TAG_NAME.fullmatch(name):
        raise Malformed("tag-name", pointer, found=quoted(name))
    proper: str = KNOWN_TAGS.get(name.lower(), name)
    if proper in STRUCTURAL_TAGS or proper in SEAT_TAGS:
        raise Malformed("tag-elsewhere", pointer, found=proper)
    if proper.lower() in map(str.lower, tags):
        raise Malformed("tag-twice", pointer, found=proper)
    return proper


def _comments(value: object, events: int, faults: Faults) -> dict[int, list[str]]:
    given = read_object(value, "/comments")
    found: dict[int, list[str]] = {}
    number = 0
    for key, texts in given.items():
        pointer = f"/comments/{escape(key)}"
        if not (
            key.isascii() and key.isdigit() and len(key) < 7 and int(key) <= events and str(int(key)) == key
        ):
            faults.note(Malformed("no-number-of-events", pointer, found=quoted(key), expected=events))
            continue
        cleaned = []
        for i, text in enumerate(faults.attempt(read_list, texts, pointer) or ()):
            words = faults.attempt(_comment, text, f"{pointer}/{i}")
            number += 1
            if number > MAX_COMMENTS:
                raise Malformed("too-many-comments", f"{pointer}/{i}", limit=MAX_COMMENTS)
            if words:
                cleaned.append(words)
        if cleaned:
            found[int(key)] = cleaned
    return dict(sorted(found.items()))


def _comment(value: object, pointer: str) -> str:
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    words = _BLANK.sub(" ", value).strip()
    if "}" in words:
        raise Malformed("brace-in-comment", pointer)
    if bad := _NOT_STORABLE.search(words):
        raise Malformed("control-character", pointer, found=f"U+{ord(bad[0]):04X}")
    if len(words) > MAX_COMMENT:
        raise Malformed("comment-too-long", pointer, found=len(words), limit=MAX_COMMENT)
    return words


def _score(value: object, seats: tuple[str, ...], faults: Faults) -> dict[str, int]:
    given = read_object(value, "/score")
    points, unknown = {}, False
    for key, number in given.items():
        if key not in seats:
            unknown = True
            faults.note(unlisted("unknown-seat", f"/score/{escape(key)}", key, seats))
        elif type(number) is not int or abs(number) > MAX_POINTS:
            faults.note(Malformed("no-points", f"/score/{key}", found=quoted(number)))
        else:
            points[key] = number
    for seat in seats:
        if seat not in given and not unknown:
            faults.note(Malformed("score-missing", "/score", seat=seat))
    return {} if faults.found else {seat: points[seat] for seat in seats}


def _listed(form: dict[str, Any], key: str, allowed: Collection[str]) -> str:
    """Return the value of a key. Raise Malformed if it is not one of the allowed words."""
    word = read_string(form[key], f"/{key}")
    if word not in allowed:
        raise unlisted(f"unknown-{key}", f"/{key}", word, allowed)
    return word


def interpret(value: object, faults: Faults | None = None) -> Record | None:
    """Return the record for a value in JSON form; None if there are faults, which are added to `faults`."""
    try:
        return _interpret(value, faults or Faults())
    except Enough:
        return None


def _interpret(value: object, faults: Faults) -> Record | None:
    form = faults.attempt(read_object, value, "")
    if form is None:
        return None
    for key in form:
        if key not in KEYS:
            faults.note(unlisted("unknown-key", f"/{escape(key)}", key, KEYS))
    needed = _NEEDED
    if "result" in form:
        needed = _RESULT_NEEDED
    elif "sheet" in form:
        needed = _NEEDED - _NOT_BESIDE_SHEET
    # A key may seem missing because it is misspelled, so report missing keys only if there is no other fault.
    if not (faults.found or form.keys() >= needed):
        for key in KEYS:
            if key in needed and key not in form:
                faults.note(Malformed("key-missing", "", key=key))
    version = form.get("tgn", 1)
    if type(version) is not int or version != 1:
        faults.note(Malformed("unknown-version", "/tgn", found=quoted(version)))
    if "result" in form:
        return _interpret_result(form, faults)
    if "sheet" in form and (beside := sorted(form.keys() & _NOT_BESIDE_SHEET)):
        faults.note(Malformed("beside-sheet", f"/{beside[0]}"))
    info = players = dealer = options = deal = events = sheet = None
    seats: tuple[str, ...] = ()
    given = form.get("events")
    # Each of these values depends on the previous one, so stop at the first fault.
    try:
        if "game" in form:
            info = GAMES[_listed(form, "game", GAMES)].info
        if info and "players" in form:
            players = _players(form["players"], info, faults)
        if players:
            seats = tuple(players)
            dealer = _listed(form, "dealer", seats) if "dealer" in form else None
    except Malformed as fault:
        faults.note(fault)
    tags = faults.attempt(_tags, form.get("tags", {}), faults)
    if info:
        options = _options(form, tags, info, faults)
    if info and seats:
        anybody = dealer or any_dealer(info, len(seats))
        if anybody and "sheet" not in form:
            deal = faults.attempt(read_deal, form.get("deal", {}), info, len(seats), anybody, faults)
        if anybody and "sheet" in form:
            sheet = faults.attempt(read_sheet, form["sheet"], info, info.seating(len(seats), anybody), faults)
            _check_needed_tags(form, tags, SHEET_TAGS, faults)
        elif "events" in form:
            events = faults.attempt(read_events, given, info, seats, faults)
    if seats and tags and AGREED_TAG in tags:
        _check_agreed(tags[AGREED_TAG], seats, faults)
    comments = form.get("comments", {})
    if comments != {} and ("sheet" in form or isinstance(given, list)):
        # A sheet has no events, so its comments refer to the whole deal.
        number = len(given) if isinstance(given, list) else 0
        comments = faults.attempt(_comments, comments, number, faults)
    score = faults.attempt(_score, form["score"], seats, faults) if seats and "score" in form else None
    if faults.found:
        return None
    assert info
    assert players
    assert dealer
    assert options is not None
    assert tags is not None
    if sheet is not None:
        return Record(info, dealer, players, options, tags, {}, [], comments, score, sheet)
    assert deal is not None
    assert events is not None
    if has_unknown(deal, events):
        deal, events = follow(deal, events, GAMES[info.id].table, info.seating(len(seats), dealer))
    return Record(info, dealer, players, options, tags, deal, events, comments, score)


def _options(
    form: dict[str, Any], tags: dict[str, str] | None, info: GameInfo, faults: Faults
) -> tuple[str, ...] | None:
    """Return the options of a record, or those of the published rules that its tags name."""
    options = faults.attempt(read_options, form.get("options", []), info, faults)
    if tags and options is not None and RULES_TAG in tags:
        return check_rules(tags[RULES_TAG], bool(form.get("options")), options, info, faults)
    return options


def _interpret_result(form: dict[str, Any], faults: Faults) -> Record | None:
    """Return the record of a result. It names players, not seats, so it has no other parts of a deal except
    options, which say in which unit and by which rules its points were counted."""
    tags = faults.attempt(_tags, form.get("tags", {}), faults)
    others = [f"/{key}" for key in form if key in KEYS and key not in _OF_RESULT]
    others += [f"/tags/{name}" for name in (AGREED_TAG, ORIGIN_TAG) if name in (tags or ())]
    for pointer in others:
        faults.note(Malformed("beside-result", pointer, found=quoted(pointer.rpartition("/")[2])))
    is_total = tags is not None and "Deal" not in tags
    info = None
    if "game" in form:
        games = (*GAMES, UNKNOWN_GAME) if is_total else tuple(GAMES)
        if name := faults.attempt(_listed, form, "game", games):
            info = GAMES[name].info if name in GAMES else NO_GAME
    if tags and (played := tags.get(PLAYED_TAG)):
        if not is_total:
            faults.note(Malformed("played-and-deal", f"/tags/{PLAYED_TAG}"))
        elif not _DEAL.fullmatch(played):
            faults.note(Malformed("no-deal-number", f"/tags/{PLAYED_TAG}", found=quoted(played)))
    options = _options(form, tags, info, faults) if info else ()
    _check_needed_tags(form, tags, ("Session",), faults)
    lines = faults.attempt(read_result, form["result"], faults)
    comments = faults.attempt(_comments, form.get("comments", {}), 0, faults)
    if faults.found:
        return None
    assert info
    assert tags is not None
    assert lines is not None
    assert options is not None
    assert comments is not None
    names = {str(place): name for place, (name, _) in enumerate(lines, 1)}
    points = {str(place): points for place, (_, points) in enumerate(lines, 1)}
    return Record(info, "", names, options, tags, {}, [], comments, result=points)


def agreed(record: Record) -> dict[str, int] | None:
    """Return the score that the players agreed on, by seat; None if there is none."""
    written = record.tags.get(AGREED_TAG)
    if written is None:
        return None
    return {part[0]: int(part[2:]) for part in written.split()}


def _check_agreed(score: str, seats: tuple[str, ...], faults: Faults) -> None:
    """Add a fault for each seat that an agreed score lacks, repeats, or must not have."""
    given = [part[0] for part in score.split()]
    for seat in seats if given else ():
        if given.count(seat) != 1:
            faults.note(Malformed("score-missing", f"/tags/{AGREED_TAG}", seat=seat))
    for seat in given:
        if seat not in seats:
            faults.note(unlisted("unknown-seat", f"/tags/{AGREED_TAG}", seat, seats))


def _check_needed_tags(
    form: dict[str, Any], tags: dict[str, str] | None, needed: Collection[str], faults: Faults
) -> None:
    """Add a fault for each missing tag that identifies a sheet or a result."""
    if tags is None:
        return
    # A tag with an invalid value already has a fault, so don't report it as missing.
    given = {name.lower() for name, value in form.get("tags", {}).items() if str(value).strip()}
    for name in needed:
        if not tags.get(name) and name.lower() not in given:
            faults.note(Malformed("sheet-without-tag", "/tags", tag=name))
