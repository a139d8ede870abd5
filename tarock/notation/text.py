"""Reading the text form: lines become the JSON form, which `interpret` turns into a record.

The offset of a value is looked up only when there is a fault. An unreadable line is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation.boundaries import chunks, later_tgn
from tarock.notation.faults import Enough, Faults, Malformed, quoted, unescape
from tarock.notation.jsonform import interpret
from tarock.notation.limits import MAX_TEXT
from tarock.notation.moves import Moves, is_trick
from tarock.notation.source import Source, is_blank, is_plain
from tarock.notation.tags import PLAIN_TAG, Tags

#: Keys that `Tags.form` always has.
EMPTY = ("players", "options")
_CONTROLLED = "control-character"


def read_text_records(
    text: str, first: int = 1, column: int = 1, *, torn: bool = False, any_length: bool = False
) -> Iterator[tuple[int, str, Record | tuple[Finding, ...] | Exception]]:
    """Yield the records of a text, or of a piece of a text (`Piece`), that begins at this line and column.
    Each record is (first line, source text, result). The result is a record, its findings, or the exception
    that was raised while reading it."""
    for line, chunk, failure in chunks(text):
        if torn and line == 1:
            begins = later_tgn(chunk, column)
            if begins is None:
                continue
            line += chunk.count("\n", 0, begins)
            chunk = chunk[begins:]
        line += first - 1
        result: Record | tuple[Finding, ...] | Exception
        try:
            if is_blank(chunk):
                continue
            result = failure or read_record(chunk, line, any_length=any_length)
        except Exception as raised:
            result = raised
        yield line, chunk, result


def read_record(chunk: str, first_line: int, *, any_length: bool = False) -> Record | tuple[Finding, ...]:
    """Read one of the `chunks` of a text. Return the record or, if the text is invalid, the findings."""
    reader = Reader(chunk)
    return reader.read(any_length) or reader.findings(first_line)


def read_again(chunk: str) -> Reader:
    """Return the reader of a valid record, which knows the places of the record's values."""
    reader = Reader(chunk)
    reader.read(any_length=True)
    return reader


class Reader:
    """Reader of one record's text that continues after faults."""

    def __init__(self, text: str) -> None:
        self.source, self.faults = Source(text), Faults()
        self.tags = Tags(self.source, self.faults)
        self.moves = Moves(self.source, self.faults)
        self.tags_over = False  # whether the first move has been reached
        self.comments: dict[str, list[str]] = {}  # number of events before them → comments
        self.comment_offsets: dict[str, int] = {}  # JSON pointer of a comment → its offset

    def read(self, any_length: bool) -> Record | None:
        """Return the record; None if there are faults."""
        faults, size = self.faults, self.source.size
        if not any_length and size > MAX_TEXT:
            faults.note(Malformed("text-too-long", offset=0, found=size, limit=MAX_TEXT))
            return None
        try:
            for fault in self.source.control_faults():
                faults.note(fault)
            self._read_lines()
        except Enough:
            self._lose_rest()
        # Faults in lines must not crowd out faults in the values of earlier lines, so allow the maximum
        # number again.
        faults.most = len(faults.found) + faults.MOST
        moves: dict[str, Any] = {"comments": self.comments}
        if self.moves.sheet:
            moves["sheet"] = self.moves.sheet
        if self.moves.result:
            # Without seats and options, the tags leave empty values, which a result doesn't have.
            tags = {key: value for key, value in self.tags.form.items() if value or key not in EMPTY}
            return interpret(tags | moves | {"result": self.moves.result}, faults)
        if self.moves.deal or self.moves.events or not self.moves.sheet:
            moves |= {"deal": self.moves.deal, "events": self.moves.events}
        return interpret(self.tags.form | moves, faults)

    def _lose_rest(self) -> None:
        """Mark the tags as unread if the seats are still unknown, because no more lines are read."""
        if not self.moves.turns:
            self.tags.lose_all()

    def _read_lines(self) -> None:
        text, moves = self.source.text, self.moves
        # Most records have no comments or remarks after the last tag, and such lines can be read faster.
        tags_end = text.find("\n", text.rfind("\n[") + 1)
        following = text.count("\n", 0, tags_end) + 1
        plain_from = following if is_plain(text[tags_end:]) else len(text)
        plain_tags = PLAIN_TAG.findall(text, 0, tags_end)
        if len(plain_tags) == following:
            for number, (name, value) in enumerate(plain_tags):
                try:
                    self.tags.add(name, value, number)
                except Malformed as fault:
                    self.faults.note(fault)
        else:
            following = 0
        for number, line in enumerate(self.source.lines):
            if not line or number < following:
                continue
            try:
                if line[0] in "[ \t" and line.lstrip(" \t")[:1] == "[":
                    following = self._read_tag(line, number)
                elif number >= plain_from or is_plain(line):
                    if words := line.split():
                        if not self.tags_over:
                            self._end_tags(number, words[0])
                        moves.read(words, number)
                else:
                    following = self._read_careful(number)
            except Malformed as fault:
                self.faults.note(fault)
                following = self._after(fault)
        self._end_tags(None)

    def _after(self, fault: Malformed) -> int:
        """Return the number of the line at which to continue after an unreadable line."""
        if fault.reason == "comment-not-closed":
            self._lose_rest()
            return len(self.source.lines)
        return self.source.text.count("\n", 0, fault.offset) + 1

    def _read_tag(self, line: str, number: int) -> int:
        """Read a line with a tag. Return the number of the line at which to continue; 0 for the next line."""
        start = self.source.starts[number]
        at = 0 if line[0] == "[" else len(line) - len(line.lstrip(" \t"))
        if self.moves.turns:
            raise Malformed("tag-among-moves", offset=start + at)
        end = self.tags.read(number, at)
        if end == len(line):
            return 0
        words, comments, following = self.source.take_apart(start + end)
        if words:
            self.faults.note(Malformed("words-after-tag", offset=words[0][1], found=quoted(words[0][0])))
        self._add_comments(comments, [len(self.moves.events)])
        return self.source.following(following)

    def _end_tags(self, line: int | None, head: str = "") -> None:
        """At the first move (or the end if `line` is None), check the required tags and prepare to read
        moves. `head`: first word of the move."""
        if not self.tags_over:
            self.tags_over = True
            if table := self.tags.finish(line, is_result=head.lower() == "result"):
                self.moves.begin(*table)

    def _read_careful(self, number: int) -> int:
        """Read a line with comments, remarks or unusual characters. Return the number of the next line."""
        moves = self.moves
        try:
            words, comments, end = self.source.take_apart(self.source.starts[number])
        except Malformed:
            moves.lose_line()
            raise
        before = len(moves.events)
        events_at = [before] * (len(words) + 1)
        if words:
            try:
                self._end_tags(number, words[0][0])
                moves.read([word for word, _ in words], number)
            except Malformed as fault:
                # Don't raise: reading continues after the line's comments, which may span several lines.
                self.faults.note(fault)
            if is_trick(words[0][0]):
                events_at = [before + max(0, i - 2) for i in range(len(words) + 1)]
            else:
                events_at[1:] = [len(moves.events)] * len(words)
        self._add_comments(comments, events_at)
        return self.source.following(end)

    def _add_comments(self, comments: list[tuple[int, str, int]], events_at: list[int]) -> None:
        for after, raw, offset in comments:
            text = " ".join(raw.split())
            if text:
                # There may be fewer events than words, because some words could not be read.
                key = str(min(events_at[min(after, len(events_at) - 1)], len(self.moves.events)))
                key = "0" if self.moves.sheet else key
                texts = self.comments.setdefault(key, [])
                self.comment_offsets[f"/comments/{key}/{len(texts)}"] = offset
                texts.append(text)

    # -- places --------------------------------------------------------------------------------------

    def findings(self, first_line: int) -> tuple[Finding, ...]:
        """Return the findings in text order, at most `Faults.MOST`."""
        faults = self.faults.found
        places = [
            self.source.place(self._offset(f.pointer or "") if f.offset is None else f.offset) for f in faults
        ]
        # In a line with a control character, report only that character: it may cause the other faults.
        masked = {line for f, (line, _) in zip(faults, places, strict=True) if f.reason == _CONTROLLED}
        found = [
            fault.finding(first_line + line - 1, column)
            for (line, column), fault in sorted(zip(places, faults, strict=True), key=lambda row: row[0])
            if fault.reason == _CONTROLLED or line not in masked
        ]
        return tuple(found[: Faults.MOST])

    def place(self, first_line: int, pointer: str = "") -> tuple[int, int]:
        """Return the line and column of the value with this JSON pointer, by default of the record's end."""
        offset = self._offset(pointer) if pointer else len(self.source.text.rstrip())
        line, column = self.source.place(offset)
        return first_line + line - 1, column

    def _offset(self, pointer: str) -> int:
        """Return the offset of the value with this JSON pointer, or of the nearest enclosing value."""
        _, kind, *rest = pointer.split("/") if pointer else ["", ""]
        key = rest[0] if rest else ""
        item = int(rest[1]) if len(rest) > 1 and kind in ("events", "deal", "sheet", "result") else None
        if kind == "events" and key.isdigit() and self.moves.event_rows:
            return self.moves.event_offset(int(key), item or 0)
        if kind in ("tags", "deal") and not key and self.moves.sheet_rows:
            return self.source.word(self.moves.sheet_fault(beside=kind == "deal"), 0)
        if kind == "deal":
            return self.moves.deal_offset(key, item)
        if kind == "sheet" and key.isdigit() and self.moves.sheet_rows:
            return self.moves.sheet_offset(int(key), item or 0)
        if kind in ("result", "tags") and not key and self.moves.result_rows:
            return self.source.word(self.moves.result_rows[0], 0)
        if kind == "result" and key.isdigit() and self.moves.result_rows:
            return self.moves.result_offset(int(key), item)
        if kind == "comments":
            whole = [
                at for place, at in self.comment_offsets.items() if (place + "/").startswith(pointer + "/")
            ]
            return min(whole, default=0)
        if kind == "players" and not key:
            key = next(iter(self.tags.form["players"]), "")
        return self.tags.offset(unescape(key) if kind in ("players", "tags") else kind)
