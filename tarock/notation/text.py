"""Reading the text form: from lines to the JSON form, which `interpret` turns into a record.

`split` finds the beginnings of records, so that one bad record does not spoil the others. The offset of a
value is only looked up when there is a fault. A line that can't be read is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from operator import getitem
from typing import Any, NamedTuple

from tarock.cards import looks_like_card, parse_card
from tarock.findings import Finding
from tarock.game import SEATS, GameInfo
from tarock.games import GAMES
from tarock.notation.interpret import (
    KNOWN_TAGS,
    SEAT_TAGS,
    STRUCTURAL_TAGS,
    Enough,
    Faults,
    Malformed,
    any_dealer,
    escape,
    interpret,
    quoted,
    trick_plays,
    verbs,
)
from tarock.notation.limits import MAX_TEXT
from tarock.record import Event, Record

_TGN_TAG = re.compile(r"[ \t]*\[[ \t]*TGN[ \t]", re.IGNORECASE)
_LATER_TGN = re.compile(r"\n[ \t]*\[[ \t]*TGN[ \t]", re.IGNORECASE)
#: The end of a line and a line on which a tag may stand; and such lines one after the other.
_TAG_LINE = re.compile(r"\n[ \t]*\[[^\n]*")
_TAG_LINES = re.compile(r"\n[ \t]*\[[^\n]*(?:\n[ \t]*\[[^\n]*)*")
_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+"([^"\\]*(?:\\["\\][^"\\]*)*)"[ \t]*\]')
_PLAIN_TAG = re.compile(r'^\[([A-Za-z][A-Za-z0-9_-]*) "([^"\\\n]*)"\]$', re.MULTILINE)
_TAG_START = re.compile(r"\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+")
_ESCAPE = re.compile(r"\\(.)")
_SCORE_PART = re.compile(r"(\S+)=(-?\d{1,10})", re.ASCII)
_TOKEN = re.compile(r"[^\s{};]+")
_WORD_CARD = re.compile(r"([A-Za-z0-9]+)(?:\(([A-Za-z]+)\))?", re.ASCII)
_NUMBER = re.compile(r"(\d{1,4})\.", re.ASCII)
#: As `CONTROLS` of strings, but for tab and line feed: they are blanks between the words of a text.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
#: The bytes of UTF-8 that occur in none of these (surrogates begin with ED).
_FINE = bytes(byte for byte in range(256) if byte != 0xED and not _CONTROL.match(chr(byte)))
_CONTROLLED = "control-character"
#: The keys that every record needs, all from tags but the last.
_HEAD = ("tgn", "game", "dealer")
_NEEDED = (*_HEAD, "players", "deal")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


# -- where records begin -----------------------------------------------------------------------------


def split(text: str) -> Iterator[tuple[int, str]]:
    """The records of a text as (1-based line where it begins, its lines): a record begins at a tag line that
    follows moves, or at a `[TGN` line after a blank line, or at a `[TGN` line inside a comment never
    closed."""
    start = after = 0
    line = 1
    tgn = moves = inside = False
    # Where there are no comments, of tag lines that follow one another only the first can begin a record.
    for found in (_TAG_LINE if "{" in text else _TAG_LINES).finditer("\n" + text):
        # With a line feed before the text, where a line ends in the one the next begins in the other.
        at = found.start()
        between = text[after:at]
        if inside or "{" in between or "}" in between:
            moved, inside = _comments_of(between, inside)
        else:
            moved = not between.isspace() and _has_words(between)
        moves = moves or moved
        is_tgn = _TGN_TAG.match(text, at) is not None
        if inside and not is_tgn:
            # No tag: the comment goes on over this line.
            after = at
            continue
        if moves or inside or (is_tgn and tgn and _BLANK_LINE.search(between)):
            yield line, text[start : at - 1]
            line += text.count("\n", start, at)
            start, moves, tgn, inside = at, False, False, False
        after = found.end() - 1
        tgn = tgn or is_tgn or _LATER_TGN.search(text, at, after) is not None
        if "{" in found[0]:
            tag = _TAG.match(text, text.index("[", at), after)
            inside = _comments_of(text[tag.end() if tag else at : after], False)[1]
    yield line, text[start:]


def _has_words(lines: str) -> bool:
    """Whether lines without braces have anything but remarks."""
    return any(line and line[0] != ";" for line in map(str.strip, lines.split("\n")))


def _comments_of(lines: str, inside: bool) -> tuple[bool, bool]:
    """Whether lines have anything but comments and remarks, and whether a comment is open at their end;
    `inside`: whether one is open at their beginning."""
    words, pos = False, 0
    while pos < len(lines):
        if inside:
            stop = lines.find("}", pos)
            if stop < 0:
                return words, True
            inside, pos = False, stop + 1
        elif lines[pos] == "{":
            inside, pos = True, pos + 1
        elif lines[pos] == ";":
            stop = lines.find("\n", pos)
            pos = len(lines) if stop < 0 else stop
        else:
            found = _TOKEN.match(lines, pos)
            words = words or found is not None
            pos = found.end() if found else pos + 1
    return words, inside


def later_tgn(text: str, column: int) -> int | None:
    """The offset of a ``[TGN`` line in a text that begins at this column of a line; None if there is none."""
    # A text that begins within a line begins with no tag.
    before = "\n" if column == 1 else ""
    found = _LATER_TGN.search(before + text)
    return found and found.start() + 1 - len(before)


def read_records(
    text: str, first: int = 1, column: int = 1, *, torn: bool = False, any_length: bool = False
) -> Iterator[tuple[int, str, Record | tuple[Finding, ...]]]:
    """Yield the records of a text, or of a piece of one (`Piece`), which begins at this line and column:
    (first line, own text, record or findings)."""
    for line, chunk in split(text):
        if torn and line == 1:
            begins = later_tgn(chunk, column)
            if begins is None:
                continue
            line += chunk.count("\n", 0, begins)
            chunk = chunk[begins:]
        if chunk and not chunk.isspace():
            line += first - 1
            yield line, chunk, read_record(chunk, line, any_length=any_length)


# -- one record --------------------------------------------------------------------------------------


class _Line(NamedTuple):
    """A line taken apart with care: words and comments, each with its offset; comments also with the number
    of words before them; `end` is where the next line begins (a comment may stretch over several)."""

    words: list[tuple[str, int]]
    comments: list[tuple[int, str, int]]
    end: int


def _take_apart(chunk: str, pos: int) -> _Line:
    words: list[tuple[str, int]] = []
    comments: list[tuple[int, str, int]] = []
    end = len(chunk)
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
                raise Malformed("comment-not-closed", offset=pos)
            comments.append((len(words), chunk[pos + 1 : stop], pos))
            pos = stop + 1
        elif char == "}":
            raise Malformed("brace-not-opened", offset=pos)
        else:
            found = _TOKEN.match(chunk, pos)
            if found is None:
                raise Malformed("no-blank", offset=pos, found=f"U+{ord(char):04X}")
            words.append((found[0], pos))
            pos = found.end()
    return _Line(words, comments, pos)


class _Reader:
    """The lenient reader of one record's text; `form` is its JSON form."""

    def __init__(self, chunk: str, any_length: bool) -> None:
        self.chunk = chunk
        self.any_length = any_length
        self.lines = chunk.split("\n")
        #: The offset of each line; computed on first use, and most records never need it.
        self.starts: list[int] = []
        self.events: list[list[str] | Event] = []
        self.form: dict[str, Any] = {
            "players": {},
            "options": [],
            "tags": {},
            "deal": {},
            "events": self.events,
            "comments": {},
        }
        #: Tag, in small letters → the number of its line.
        self.given: dict[str, int] = {}
        #: Of each line of moves: the number of its event (of the first card, −1 in a deal line), the number
        #: of the line, which of its words is the first card, and its pointer if it is a deal line.
        self.rows: list[tuple[int, int, int, str]] = []
        self.comments_at: dict[str, int] = {}
        self.tricks, self.next_trick = 0, "1."
        self.short_at: int | None = None
        self.info: GameInfo | None = None
        self.turns: Mapping[str, tuple[str, ...]] = {}
        self.size = 0
        self.verbs: frozenset[str] = frozenset()
        self.plays: dict[str, tuple[dict[str, Event], ...]] = {}
        self.faults = Faults()
        #: Whether there are moves that cannot be read, since the tags leave the seats open.
        self.blind = False

    def read(self) -> Record | None:
        """The record; None if there are faults."""
        faults = self.faults
        raw = self.chunk.encode("utf-8", "surrogatepass")
        if not self.any_length and len(raw) > MAX_TEXT:
            faults.note(Malformed("text-too-long", offset=0, found=len(raw), limit=MAX_TEXT))
            return None
        try:
            if raw.translate(None, _FINE):
                self._mask_controls()
            self._read_lines()
        except Enough:
            self._lose_rest()
        # Faults of the lines must not hide those of values before them.
        faults.most = len(faults.found) + faults.MOST
        try:
            return interpret(self.form, faults)
        except Enough:
            return None

    def _mask_controls(self) -> None:
        """Add a fault for each line with control characters, and replace them."""
        chunk, line = self.chunk, -1
        self.chunk = _CONTROL.sub("\ufffd", chunk)
        self.lines = self.chunk.split("\n")
        for bad in _CONTROL.finditer(chunk):
            if (number := chunk.count("\n", 0, bad.start())) != line:
                line = number
                self.faults.note(Malformed(_CONTROLLED, offset=bad.start(), found=_named(bad[0])))

    def _lose(self, *keys: str) -> None:
        """Mark keys as unread, since an unreadable line may have held them."""
        self.faults.unread.update([f"/{key}" for key in keys])

    def _lose_rest(self) -> None:
        """Mark the keys of the remaining lines as unread."""
        self._lose(*_NEEDED if self.info is None else ["deal"])

    def _read_lines(self) -> None:
        chunk = self.chunk
        # After the last tag most records have nothing but words.
        tags_end = chunk.find("\n", chunk.rfind("\n[") + 1)
        following = chunk.count("\n", 0, tags_end) + 1
        plain_from = following if _is_plain(chunk[tags_end:]) else len(chunk)
        plain_tags = _PLAIN_TAG.findall(chunk, 0, tags_end)
        if len(plain_tags) == following:
            for number, (given, value) in enumerate(plain_tags):
                try:
                    self._set_tag(given, value, number)
                except Malformed as fault:
                    self.faults.note(fault)
        else:
            following = 0
        moves = self._moves
        for number, line in enumerate(self.lines):
            if not line or number < following:
                continue
            try:
                if line[0] == "[" or (line[0] in " \t" and line.lstrip(" \t")[:1] == "["):
                    following = self._tag_line(line, number)
                elif number >= plain_from or _is_plain(line):
                    if words := line.split():
                        moves(words, number)
                else:
                    following = self._careful_line(number)
            except Malformed as fault:
                self.faults.note(fault)
                following = self._after(fault)
        self._finish_tags(len(self.lines) - 1, None)

    def _after(self, fault: Malformed) -> int:
        """The number of the line to go on with after an unreadable one."""
        if fault.reason == "comment-not-closed":
            self._lose_rest()
            return len(self.lines)
        return self.chunk.count("\n", 0, fault.offset) + 1

    def _start(self, number: int) -> int:
        """The offset at which a line begins."""
        if not self.starts:
            self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        return self.starts[number]

    def _following(self, end: int) -> int:
        """The number of the line that begins at an offset, or where the text ends."""
        return bisect_left(self.starts, end)

    # -- tags ----------------------------------------------------------------------------------------

    def _tag_line(self, line: str, number: int) -> int:
        at = 0 if line[0] == "[" else len(line) - len(line.lstrip(" \t"))
        if self.info is not None:
            raise Malformed("tag-among-moves", offset=self._start(number) + at)
        found = _TAG.match(line, at)
        if found is None:
            begun = _TAG_START.match(line, at)
            self._lose(*_NEEDED[:-1] if begun is None else self._key_of(begun[1]))
            if begun is None:
                raise Malformed("no-tag", offset=self._start(number) + at, found=quoted(line[at : at + 30]))
            value = line[begun.end() : begun.end() + 30]
            raise Malformed("no-tag-value", offset=self._start(number) + begun.end(), found=quoted(value))
        self._set_tag(found[1], found[2], number)
        if found.end() == len(line):
            return 0
        words, comments, end = _take_apart(self.chunk, self._start(number) + found.end())
        if words:
            self.faults.note(Malformed("words-after-tag", offset=words[0][1], found=quoted(words[0][0])))
        self._comments(comments, [len(self.events)])
        return self._following(end)

    def _key_of(self, given: str) -> list[str]:
        """The keys of the JSON form that a tag of this name sets."""
        name = KNOWN_TAGS.get(given.lower(), given)
        return ["players"] if name in SEAT_TAGS else [name.lower()]

    def _set_tag(self, given: str, value: str, number: int) -> None:
        """Store the tag of a line at its place in the JSON form."""
        form, lowered = self.form, given.lower()
        name = KNOWN_TAGS.get(lowered, given)
        if lowered in self.given:
            self._lose(*["players"] if name in SEAT_TAGS else _HEAD)
            raise Malformed("tag-twice", offset=self._tag_offset(number, 1), found=name)
        self.given[lowered] = number
        if "\\" in value:
            value = _ESCAPE.sub(r"\1", value)
        if name in SEAT_TAGS:
            form["players"][name] = value
        elif name not in STRUCTURAL_TAGS:
            form["tags"][name] = value
        elif name == "TGN":
            form["tgn"] = 1 if value == "1" else value
        elif name == "Options":
            form["options"] = [option for option in value.split(" ") if option]
        elif name == "Score":
            form["score"] = self._score(value)
        else:
            form[name.lower()] = value

    def _score(self, value: str) -> dict[str, int]:
        points: dict[str, int] = {}
        for part in value.split():
            found = _SCORE_PART.fullmatch(part)
            if found is None or found[1] in points:
                at = self._tag_offset(self.given["score"], 2) + value.find(part)
                raise Malformed("no-score", "/score", offset=at, found=quoted(part))
            points[found[1]] = int(found[2])
        return points

    def _tag_offset(self, number: int, part: int) -> int:
        """The offset of the name (1) or the value (2) of the tag of a line."""
        found = _TAG.search(self.lines[number])
        assert found is not None
        return self._start(number) + found.start(part)

    def _finish_tags(self, line: int, word: int | None) -> None:
        """Check that the required tags are there, at the first move (word 0 of its line) or at the end, and
        set up the reading of moves."""
        if self.info is not None or self.blind:
            return
        faults, form = self.faults, self.form
        for name in ("TGN", "Game", "Dealer"):
            if name.lower() not in self.given and f"/{name.lower()}" not in faults.unread:
                offset = len(self.chunk) if word is None else self._offset(line, word)
                self._lose(name.lower())
                faults.note(Malformed("tag-missing", "", offset=offset, tag=name))
        game = GAMES.get(form.get("game", ""))
        seats = tuple(s for s in SEATS if s in form["players"])
        dealer = form.get("dealer")
        known = game is not None and len(seats) in game.info.seats and "/players" not in faults.unread
        if known and dealer not in seats:
            assert game is not None
            dealer = any_dealer(game.info, len(seats))
        if not known or dealer is None or seats != tuple(SEATS[: len(seats)]):
            self.blind = True
            return
        assert game is not None
        self.info = game.info
        seating = self.info.seating(len(seats), dealer)
        self.turns, self.size = seating.turns, len(seating.active)
        self.verbs = frozenset(self.info.verbs) - {"play"}
        self.plays = trick_plays(self.info, len(seats), dealer)

    # -- moves ---------------------------------------------------------------------------------------

    def _careful_line(self, number: int) -> int:
        """Read a line with comments, remarks, or characters that no move has. Returns the number of the next
        line."""
        try:
            words, comments, end = _take_apart(self.chunk, self._start(number))
        except Malformed:
            self._lose_line()
            raise
        before = len(self.events)
        events_at = [before] * (len(words) + 1)
        if words:
            try:
                self._moves([word for word, _ in words], number)
            except Malformed as fault:
                # The line is passed over, a comment that stretches over more of them is not torn up.
                self.faults.note(fault)
            after = len(self.events)
            if _NUMBER.fullmatch(words[0][0]):
                events_at = [before + max(0, i - 2) for i in range(len(words) + 1)]
            else:
                events_at[1:] = [after] * len(words)
        self._comments(comments, events_at)
        return self._following(end)

    def _comments(self, comments: list[tuple[int, str, int]], events_at: list[int]) -> None:
        for after, raw, offset in comments:
            text = " ".join(raw.split())
            if text:
                # There may be more words than events if some could not be read.
                key = str(min(events_at[min(after, len(events_at) - 1)], len(self.events)))
                texts = self.form["comments"].setdefault(key, [])
                self.comments_at[f"/comments/{key}/{len(texts)}"] = offset
                texts.append(text)

    def _moves(self, words: list[str], line: int) -> None:
        if self.info is None:
            self._finish_tags(line, 0)
            if self.blind:
                return
        head = words[0]
        if head == self.next_trick or (head[-1] == "." and _NUMBER.fullmatch(head)):
            self._trick_line(words, line)
        elif head == "deal" or head.lower() == "deal":
            self._deal_line(words, line)
        else:
            self._event_line(words, line)

    def _offset(self, line: int, word: int) -> int:
        """The offset of a word of a line."""
        return _take_apart(self.chunk, self._start(line)).words[word][1]

    def _lose_line(self) -> None:
        """Mark an unreadable line of moves: it may have been a deal line or a trick line."""
        self._lose("deal")
        self.next_trick = ""

    def _deal_line(self, words: list[str], line: int) -> None:
        if self.events:
            # The bad event may be a deal line, so the places are not complete.
            self._lose("deal")
            if "deal-among-events" in [fault.reason for fault in self.faults.found]:
                return
            raise Malformed("deal-among-events", offset=self._offset(line, 0))
        if len(words) < 2:
            self._lose("deal")
            raise Malformed("deal-without-place", offset=self._offset(line, 0))
        given = words[1]
        where = given.lower() if given.lower() in ("talon", "stock") else given.upper()
        pointer = f"/deal/{escape(where)}"
        if where in self.form["deal"]:
            self._lose("deal")
            raise Malformed("place-twice", pointer, offset=self._offset(line, 1), place=where)
        self.rows.append((-1, line, 2, pointer))
        self.form["deal"][where] = words[2:]

    def _event_line(self, words: list[str], line: int) -> None:
        if self.short_at is not None:
            self._note_short()
        number = len(self.events)
        if words[0] not in self.turns and words[0].upper() not in self.turns:
            self._lose_line()
            raise self._fault(
                "no-line",
                number,
                line,
                0,
                found=quoted(words[0]),
                expected=self._seats(),
                trick=self.tricks + 1,
            )
        self.rows.append((number, line, 0, ""))
        if len(words) > 1 and (words[1] in self.verbs or _is_verb(words[1].lower())):
            self.events.append(words)
            return
        self.events.append(())
        if len(words) < 2:
            raise self._fault("no-verb", number, line, 0)
        expected = " ".join(verbs())
        raise self._fault("unknown-verb", number, line, 1, found=quoted(words[1]), expected=expected)

    def _fault(self, reason: str, event: int, line: int, word: int, **values: Any) -> Malformed:
        """A fault of an event, at a word of a line."""
        offset = self._offset(line, word)
        return Malformed(reason, f"/events/{event}", event=event, offset=offset, **values)

    def _seats(self) -> str:
        return " ".join(self.turns)

    def _note_short(self) -> None:
        """Add the fault of a trick with too few cards, when more moves follow."""
        at, self.short_at = self.short_at or 0, None
        self.faults.note(Malformed("short-trick", offset=self._offset(at, 0), size=self.size))

    def _trick_line(self, words: list[str], line: int) -> None:
        if self.short_at is not None:
            self._note_short()
        first = len(self.events)
        lost = words[0] != self.next_trick and self._is_lost(words[0], line)
        self.tricks += 1
        self.next_trick = "" if lost else f"{self.tricks + 1}."
        if len(words) < 3:
            raise self._fault("trick-without-card", first, line, 0, trick=self.tricks)
        leader = words[1] if words[1] in self.turns else words[1].upper()
        if leader not in self.turns:
            raise self._fault("no-leader", first, line, 1, found=quoted(words[1]), expected=self._seats())
        self.rows.append((first, line, 2, ""))
        cards, turn = words[2:], self.turns[leader]
        if len(cards) == len(turn):
            try:
                self.events += list(map(getitem, self.plays[leader], cards))
                return
            except KeyError:
                pass
        self._look_at_cards(cards, first, turn, line)

    def _is_lost(self, given: str, line: int) -> bool:
        """Go on from the number of a trick that is not the next one. Returns whether it is wrong: after an
        unreadable line, and after a wrong number, any number is right."""
        number = int(given[:-1])
        wrong = number != self.tricks + 1 and bool(self.next_trick)
        if wrong:
            fault = self._fault(
                "trick-number", len(self.events), line, 0, found=quoted(given), trick=self.tricks + 1
            )
            self.faults.note(fault)
        self.tricks = number - 1
        return wrong

    def _look_at_cards(self, cards: list[str], first: int, turn: tuple[str, ...], line: int) -> None:
        """Read the words of a trick line that are not the right number of cards in canonical spelling."""
        size, sound = len(turn), True
        for i, (seat, word) in enumerate(zip(turn, cards, strict=False)):
            if _card_like(word):
                self.events.append([seat, "play", word])
                continue
            sound = False
            self.events.append(())
            self.faults.note(self._fault("no-card", first + i, line, 2 + i, found=quoted(word), size=size))
        # A word that is no card may be two cards in one word, or half a card.
        if sound and len(cards) > size:
            found = quoted(cards[size])
            self.faults.note(
                self._fault("trick-too-long", first + size, line, 2 + size, found=found, size=size)
            )
        if sound and len(cards) < size:
            self.short_at = line

    # -- places --------------------------------------------------------------------------------------

    def findings(self, first_line: int) -> tuple[Finding, ...]:
        """The findings in the order of the text, those on missing places last."""
        faults = self.faults.found
        places = [
            self.place(self.offset_of(f.pointer or "") if f.offset is None else f.offset, first_line)
            for f in faults
        ]
        # A line with a control character has no other finding.
        masked = {line for f, (line, _) in zip(faults, places, strict=True) if f.reason == _CONTROLLED}
        found = [
            fault.finding(*place)
            for place, fault in sorted(zip(places, faults, strict=True), key=_order)
            if fault.reason == _CONTROLLED or place[0] not in masked
        ]
        return tuple(found[: Faults.MOST])

    def place(self, offset: int, first_line: int) -> tuple[int, int]:
        """1-based line of the whole input and column of an offset of the record's text."""
        line = self.chunk.count("\n", 0, offset)
        return first_line + line, offset - (self.chunk.rfind("\n", 0, offset) + 1) + 1

    def offset_of(self, pointer: str) -> int:
        """The offset of the value of a pointer, or of the nearest value around it."""
        _, kind, *rest = pointer.split("/") if pointer else ["", ""]
        key = rest[0] if rest else ""
        if kind == "events" and key.isdigit() and self.rows:
            return self._event_offset(int(key), int(rest[1]) if len(rest) > 1 else None)
        if kind == "deal":
            for _, line, first_word, deal_pointer in self.rows:
                if deal_pointer == f"/deal/{key}":
                    return self._offset(line, first_word + int(rest[1]) if len(rest) > 1 else 1)
            return self._offset(self.rows[0][1], 0) if self.rows else 0
        if kind == "comments":
            whole = [at for place, at in self.comments_at.items() if (place + "/").startswith(pointer + "/")]
            return min(whole, default=0)
        if kind == "players" and not key:
            key = next(iter(self.form["players"]), "")
        tag = (key if kind in ("players", "tags") else kind).replace("~1", "/").replace("~0", "~")
        return self._tag_offset(self.given[tag.lower()], 2) if tag.lower() in self.given else 0

    def _event_offset(self, event: int, word: int | None) -> int:
        rows = [row for row in self.rows if row[0] >= 0]
        number, line, first_card, _ = rows[bisect_right(rows, event, key=lambda row: row[0]) - 1]
        # In a trick line every card is an event.
        return self._offset(line, first_card + event - number if first_card else word or 0)


def _order(found: tuple[tuple[int, int], Malformed]) -> tuple[bool, tuple[int, int]]:
    """The sort key of a fault: the order of the text, missing places last."""
    place, fault = found
    return fault.reason == "place-missing", place


def _is_plain(text: str) -> bool:
    """Whether moves are only words: no comments, no remarks, no characters that no move has."""
    return text.isascii() and "{" not in text and ";" not in text and "}" not in text


def _is_verb(word: str) -> bool:
    """Whether this is a verb of some game, and not the one of trick lines."""
    return word != "play" and word in verbs()


def _named(char: str) -> str:
    """The name of a control character, or of a byte that is no UTF-8."""
    code = ord(char)
    return f"0x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"U+{code:04X}"


def _card_like(word: str) -> bool:
    shape = _WORD_CARD.fullmatch(word)
    return shape is not None and (parse_card(shape[1]) is not None or looks_like_card(shape[1]))


def read_record(chunk: str, first_line: int, *, any_length: bool = False) -> Record | tuple[Finding, ...]:
    """Read the record of one chunk of `split`. Returns the record, or the findings."""
    reader = _Reader(chunk, any_length)
    return reader.read() or reader.findings(first_line)


def event_place(chunk: str, first_line: int, event: int) -> tuple[int, int] | None:
    """Line and column of an event of a good record; for the number after the last event, the end of the
    text."""
    reader = _Reader(chunk, any_length=True)
    if reader.read() is None:
        return None
    if event >= len(reader.events):
        return reader.place(len(chunk.rstrip()), first_line)
    return reader.place(reader.offset_of(f"/events/{event}"), first_line)
