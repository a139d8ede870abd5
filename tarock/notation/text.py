"""Reading the text form.

`split` finds where records begin, so that one bad record costs only itself. Records in canonical shape are
read by `tarock.notation.quick`; whatever surprises that is read again by `_Reader`, which knows every
leniency, keeps the place of every value, and turns the text into the JSON form for `interpret`. The two
agree; a test holds them to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tarock.cards import (
    looks_like_card,
    parse_card,
)
from tarock.findings import Finding
from tarock.games.info import INFO, SEATS, GameInfo
from tarock.notation.interpret import (
    KNOWN_TAGS,
    SEAT_TAGS,
    VERBS,
    Malformed,
    escape,
    interpret,
)
from tarock.notation.quick import order_from, read_quickly
from tarock.record import Record

#: So many records are read together.
_AT_ONCE = 64
_BOUNDARY = '\n\n[TGN "1"]\n'
_TGN_TAG = re.compile(r"[ \t]*\[[ \t]*TGN[ \t]", re.IGNORECASE)
_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\]')
_ESCAPE = re.compile(r"\\(.)")
_TAG_START = re.compile(r"\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+")
_SCORE_PART = re.compile(r"(\S+)=(-?\d{1,10})", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_TOKEN = re.compile(r"[^\s{};]+")
_WORD_CARD = re.compile(r"([A-Za-z0-9]+)(?:\(([A-Za-z]+)\))?", re.ASCII)
_NUMBER = re.compile(r"(\d{1,4})\.", re.ASCII)


def split(text: str) -> Iterator[tuple[int, str]]:
    """The records of a text as (1-based line where it begins, its lines): a record begins at a tag line that
    follows moves, or at a `[TGN` line after a blank line, or at a `[TGN` line inside a comment never
    closed."""
    lines = text.split("\n")
    start = 0
    tags = moves = blank = tgn = inside = False
    for number, line in enumerate(lines):
        bare = line.lstrip(" \t")
        if not bare:
            blank = blank or tags
            continue
        if bare[0] == "[" and not inside:
            is_tgn = _TGN_TAG.match(line) is not None
            if moves or (is_tgn and tgn and blank):
                yield start + 1, "\n".join(lines[start:number])
                start, moves, tgn = number, False, False
            tags, blank, tgn = True, False, tgn or is_tgn
            if "{" in bare:
                found = _TAG.match(bare)
                inside = _opens_comment(bare[found.end() :] if found else bare, False)
            continue
        if inside and _TGN_TAG.match(line):
            yield start + 1, "\n".join(lines[start:number])
            start, tags, moves, blank, tgn, inside = number, True, False, False, True, False
            continue
        if inside or "{" in bare or bare[0] == ";":
            was = inside
            inside = _opens_comment(bare, inside)
            outside_words = not was and bare[0] not in "{;"
            moves = moves or outside_words
        else:
            moves = True
    if start < len(lines):
        yield start + 1, "\n".join(lines[start:])


def read_records(text: str) -> Iterator[tuple[int, str, Record | Finding]]:
    """The records of a text: (line where each begins, its own text, the record or what is wrong)."""
    if "{" in text or ";" in text:
        yield from _read_slowly(text, 1)
        return
    # Without comments and remarks, canonical records part at these lines; a piece out of shape is split with
    # care.
    if not text.startswith("[TGN "):
        yield from _read_slowly(text, 1)
        return
    line = 1
    pieces = _pieces(text)
    while some := list(islice(pieces, _AT_ONCE)):
        for piece, record in zip(some, read_quickly(some), strict=True):
            if record is not None:
                yield line, piece, record
            else:
                yield from _read_slowly(piece, line)
            line += piece.count("\n") + 1


def _pieces(text: str) -> Iterator[str]:
    """A text cut where canonical records begin."""
    start = 0
    while (end := text.find(_BOUNDARY, start)) >= 0:
        yield text[start : end + 1]
        start = end + 2
    yield text[start:]


def _read_slowly(text: str, first_line: int) -> Iterator[tuple[int, str, Record | Finding]]:
    for line, chunk in split(text):
        if chunk.strip(" \t\n"):
            yield first_line + line - 1, chunk, read_record(chunk, first_line + line - 1)


def _opens_comment(text: str, inside: bool) -> bool:
    """Whether a comment is open at the end of the line, given whether one was at its beginning."""
    for char in text:
        if inside:
            inside = char != "}"
        elif char == "{":
            inside = True
        elif char == ";":
            return False
    return inside


class _SyntaxFault(Exception):
    """What was found and expected, at an offset of the chunk; `pointer` if the place has one in the JSON
    form."""

    def __init__(
        self, offset: int, found: str, expected: str, pointer: str | None = None, event: int | None = None
    ):
        super().__init__(expected)
        self.offset, self.found, self.expected, self.pointer, self.event = (
            offset,
            found,
            expected,
            pointer,
            event,
        )


class _Reader:
    """Reads one record's text with every leniency; `form` is its JSON form, `places` the offset of each
    pointer."""

    def __init__(self, chunk: str) -> None:
        self.chunk = chunk
        self.form: dict[str, Any] = {
            "players": {},
            "options": [],
            "tags": {},
            "deal": {},
            "events": [],
            "comments": {},
        }
        self.places: dict[str, int] = {"": 0}
        self.given: dict[str, str] = {}
        self.lowered: set[str] = set()
        self.tricks = 0
        self.short_at: int | None = None
        self.info: GameInfo | None = None
        self.seats: tuple[str, ...] = ()
        self.active: tuple[str, ...] = ()

    def read(self) -> Record:
        bad = _CONTROL.search(self.chunk)
        if bad:
            code = ord(bad[0])
            what = (
                f"the byte {code - 0xDC00:#04x}"
                if 0xDC80 <= code <= 0xDCFF
                else f"the character U+{code:04X}"
            )
            raise _SyntaxFault(bad.start(), what, "UTF-8 text without control characters")
        pos, end = 0, len(self.chunk)
        while pos < end:
            pos = self._line(pos)
        self._finish_tags(end)
        return interpret(self.form)

    def _line(self, pos: int) -> int:
        """Reads the logical line at `pos` (comments may stretch it over several); gives where the next
        begins."""
        words: list[tuple[str, int]] = []
        texts: list[tuple[int, str, int]] = []
        chunk, end = self.chunk, len(self.chunk)
        is_tag = False
        while pos < end:
            char = chunk[pos]
            if char == "\n":
                pos += 1
                break
            if char in " \t":
                pos += 1
            elif char == ";":
                stop = chunk.find("\n", pos)
                pos = end if stop < 0 else stop
            elif char == "{":
                stop = chunk.find("}", pos)
                if stop < 0:
                    raise _SyntaxFault(pos, "a comment that is never closed", "a closing brace }")
                texts.append((len(words), chunk[pos + 1 : stop], pos))
                pos = stop + 1
            elif char == "}":
                raise _SyntaxFault(pos, "a closing brace", "an opening brace { before it")
            elif char == "[" and not words and not is_tag:
                pos = self._tag(pos)
                is_tag = True
            else:
                found = _TOKEN.match(chunk, pos)
                if found is None:
                    raise _SyntaxFault(pos, f"the character U+{ord(char):04X}", "a blank or a word")
                if is_tag:
                    raise _SyntaxFault(pos, f"“{found[0]}”", "the end of the line after a tag")
                words.append((found[0], pos))
                pos = found.end()
        self._moves(words, texts)
        return pos

    def _tag(self, pos: int) -> int:
        if self.info is not None:
            raise _SyntaxFault(pos, "a tag among the moves", "all tags before the first move")
        stop = self.chunk.find("\n", pos)
        line = self.chunk[pos : len(self.chunk) if stop < 0 else stop]
        found = _TAG.match(line)
        if found is None:
            start = _TAG_START.match(line)
            if start is None:
                raise _SyntaxFault(pos, f"“{line[:30]}”", 'a tag [Name "value"]')
            at = start.end()
            raise _SyntaxFault(
                pos + at, f"“{line[at : at + 30]}”", 'a value in quotes, \\" and \\\\ inside it, then ]'
            )
        given, quoted = str(found[1]), str(found[2])
        name = KNOWN_TAGS.get(given.lower(), given)
        value = _ESCAPE.sub(r"\1", quoted)
        if name.lower() in self.lowered:
            raise _SyntaxFault(pos + found.start(1), f"the tag {name} a second time", "each tag once")
        self.given[name] = value
        self.lowered.add(name.lower())
        self._keep_tag(name, value, pos + found.start(2))
        return pos + found.end()

    def _keep_tag(self, name: str, value: str, offset: int) -> None:
        form, places = self.form, self.places
        if name == "TGN":
            form["tgn"] = 1 if value == "1" else value
        elif name in ("Game", "Dealer"):
            form[name.lower()] = value
        elif name in SEAT_TAGS:
            form["players"][name] = value
            places[f"/players/{name}"] = offset
            places.setdefault("/players", offset)
        elif name == "Options":
            form["options"] = value.split(" ") if value else []
            form["options"] = [o for o in form["options"] if o]
        elif name == "Score":
            form["score"] = self._score(value, offset)
        else:
            form["tags"][name] = value
            places[f"/tags/{escape(name)}"] = offset
        places[f"/{name.lower()}"] = offset

    def _score(self, value: str, offset: int) -> dict[str, int]:
        points: dict[str, int] = {}
        for part in value.split():
            found = _SCORE_PART.fullmatch(part)
            if found is None or found[1] in points:
                raise _SyntaxFault(
                    offset + value.find(part), f"“{part}”", "SEAT=INTEGER for every seat once", "/score"
                )
            points[found[1]] = int(found[2])
        return points

    def _finish_tags(self, offset: int) -> None:
        """When the first move (or the end) comes: are the tags there that every record needs?"""
        if self.info is not None:
            return
        for name in ("TGN", "Game", "Dealer"):
            if name not in self.given:
                raise _SyntaxFault(offset, "no tag " + name, f'[{name} "…"] in the tags of every record', "")
        info = INFO.get(self.given["Game"])
        self.info = info
        if info is None:
            interpret(self.form | {"tgn": 1})
            raise AssertionError("unreachable: interpret refuses an unknown game")
        self.seats = tuple(s for s in SEATS if s in self.form["players"])
        allowed = len(self.seats) in info.seats and self.seats == info.seat_letters(len(self.seats))
        dealer = self.given["Dealer"]
        if not allowed or dealer not in self.seats or self.form["tgn"] != 1:
            interpret(self.form)
            raise AssertionError("unreachable: interpret refuses these seats")
        self.active = info.active(len(self.seats), dealer)

    def _moves(self, words: list[tuple[str, int]], texts: list[tuple[int, str, int]]) -> None:
        before = len(self.form["events"])
        events_at = [before] * (len(words) + 1)
        if words:
            self._finish_tags(words[0][1])
            head, offset = words[0]
            number = _NUMBER.fullmatch(head)
            if head.lower() == "deal":
                self._deal_line(words)
            elif number:
                self._trick_line(int(number[1]), words)
                for i in range(len(words) + 1):
                    events_at[i] = before + max(0, i - 2)
            else:
                self._event_line(words)
                events_at[1:] = [before + 1] * len(words)
        for after, raw, offset in texts:
            text = " ".join(raw.split())
            if text:
                key = str(min(events_at[after], len(self.form["events"])))
                self.form["comments"].setdefault(key, []).append(text)
                self.places.setdefault(f"/comments/{key}", offset)

    def _deal_line(self, words: list[tuple[str, int]]) -> None:
        offset = words[0][1]
        if self.form["events"]:
            raise _SyntaxFault(
                offset, "a deal line among the events", "all deal lines before the first event"
            )
        if len(words) < 2:
            raise _SyntaxFault(
                offset, "deal without a place", "deal WHERE CARD…: a seat, a pile such as A/1, or talon"
            )
        given, at = words[1]
        where = given.lower() if given.lower() == "talon" else given.upper()
        pointer = f"/deal/{escape(where)}"
        if where in self.form["deal"]:
            raise _SyntaxFault(
                at, f"the place {where} a second time", "one deal line for each place", pointer
            )
        self.places[pointer] = at
        self.places.setdefault("/deal", offset)
        self.form["deal"][where] = [w for w, _ in words[2:]]
        for i, (_, place) in enumerate(words[2:]):
            self.places[f"{pointer}/{i}"] = place

    def _event_line(self, words: list[tuple[str, int]]) -> None:
        head, offset = words[0]
        number = len(self.form["events"])
        pointer = f"/events/{number}"
        self._after_short(offset)
        if head.upper() not in self.seats:
            expected = f"a seat ({' '.join(self.seats)}), deal, or a trick number such as {self.tricks + 1}."
            raise _SyntaxFault(offset, f"“{head}”", expected, pointer, number)
        if len(words) < 2:
            raise _SyntaxFault(
                offset, "a seat without a verb", f"one of {' '.join(sorted(VERBS))}", pointer, number
            )
        verb, at = words[1]
        if verb.lower() not in VERBS:
            raise _SyntaxFault(at, f"“{verb}”", f"one of {' '.join(sorted(VERBS))}", pointer, number)
        self.form["events"].append([w for w, _ in words])
        self.places[pointer] = offset
        for i, (_, place) in enumerate(words):
            self.places[f"{pointer}/{i}"] = place

    def _after_short(self, offset: int) -> None:
        if self.short_at is not None:
            raise _SyntaxFault(
                self.short_at,
                "a trick with too few cards before the end of the record",
                f"{len(self.active)} cards; only the last trick may be short",
            )

    def _trick_line(self, number: int, words: list[tuple[str, int]]) -> None:
        offset = words[0][1]
        self._after_short(offset)
        first = len(self.form["events"])
        if number != self.tricks + 1:
            raise _SyntaxFault(offset, f"“{words[0][0]}”", f"{self.tricks + 1}.", f"/events/{first}", first)
        if len(words) < 3:
            expected = f"{number}. LEADER CARD… with up to {len(self.active)} cards"
            raise _SyntaxFault(offset, "a trick without a card", expected, f"/events/{first}", first)
        leader, at = words[1]
        if leader.upper() not in self.seats:
            expected = f"the leader's seat ({' '.join(self.seats)})"
            raise _SyntaxFault(at, f"“{leader}”", expected, f"/events/{first}", first)
        self.tricks = number
        turn = order_from(self.active, self.seats, leader.upper())
        cards = words[2:]
        for i, (word, place) in enumerate(cards):
            pointer = f"/events/{first + i}"
            if i >= len(turn):
                raise _SyntaxFault(
                    place, f"“{word}”", f"no more than {len(turn)} cards in a trick", pointer, first + i
                )
            shape = _WORD_CARD.fullmatch(word)
            if shape is None or (parse_card(shape[1]) is None and not looks_like_card(shape[1])):
                raise _SyntaxFault(place, f"“{word}”", "a card", pointer, first + i)
            self.form["events"].append([turn[i], "play", word])
            self.places[pointer] = self.places[f"{pointer}/2"] = place
        if len(cards) < len(turn):
            self.short_at = offset

    def line_column(self, offset: int, first_line: int) -> tuple[int, int]:
        """1-based line of the whole input and column of an offset of the chunk."""
        line = self.chunk.count("\n", 0, offset)
        return first_line + line, offset - (self.chunk.rfind("\n", 0, offset) + 1) + 1

    def offset_of(self, pointer: str) -> int:
        """Where the value of a pointer, or the nearest thing around it, stands."""
        while pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places[pointer]


def read_record(chunk: str, first_line: int) -> Record | Finding:
    """The record of one chunk of `split`, or the finding that says why it is none."""
    (record,) = read_quickly([chunk])
    if record is not None:
        return record
    reader = _Reader(chunk)
    try:
        return reader.read()
    except _SyntaxFault as fault:
        line, column = reader.line_column(fault.offset, first_line)
        message = f"line {line}, column {column}: found {fault.found}, expected {fault.expected}"
        return Finding(message, event=fault.event, line=line, column=column, pointer=fault.pointer)
    except Malformed as fault:
        line, column = reader.line_column(reader.offset_of(fault.pointer), first_line)
        message = f"line {line}, column {column}: {fault.message}"
        return Finding(
            message, event=fault.event, clause=fault.clause, line=line, column=column, pointer=fault.pointer
        )


def event_place(chunk: str, first_line: int, event: int) -> tuple[int, int] | None:
    """Line and column of an event of a record that reads well; for the number after the last, its last
    line."""
    reader = _Reader(chunk)
    try:
        reader.read()
    except (_SyntaxFault, Malformed):
        return None
    if event >= len(reader.form["events"]):
        return reader.line_column(len(chunk.rstrip()), first_line)
    return reader.line_column(reader.offset_of(f"/events/{event}"), first_line)
