"""The text of one record: its lines, words and comments, and their offsets."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from tarock.notation.faults import Malformed, quoted
from tarock.notation.names import NOT_STORABLE
from tarock.notation.values import NAME, SPACES, WORD

#: Blanks within a line, for use in a character class, including those that old files contain: byte-order
#: marks between concatenated records, Ctrl-Z at the end, and form feeds.
BLANKS = r" \t\x0b\x0c\x1a\ufeff"
TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_-]*)[ \t]+"([^"\\]*(?:\\["\\][^"\\]*)*)"[ \t]*\]')
#: Like `CONTROLS`, but without tab and line feed, which separate the words of a text.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
#: Bytes that can't start a character matched by `_CONTROL` in UTF-8 (surrogates start with ED). A text of
#: only these bytes has no control characters.
_FINE = bytes(byte for byte in range(256) if byte != 0xED and not _CONTROL.match(chr(byte)))
_BLANK = re.compile(f"[{BLANKS}]")
_NOT_STORABLE = re.compile(f"[{NOT_STORABLE}]")
_SPACE = re.compile(f"[{SPACES}]*")
#: A comment, a tag value, a remark, or a character that `Source.text` may replace.
_PART = re.compile(rf'\{{[^}}]*\}}?|"(?:[^"\\\n]|\\.)*"|;[^\n]*|{_CONTROL.pattern}|\ufeff')


class Line(NamedTuple):
    """A parsed line."""

    words: list[tuple[str, int]]  # each word and its offset
    comments: list[tuple[int, str, int]]  # number of words before the comment, its text, its offset
    end: int  # offset of the next line; a comment may span several lines


class Source:
    """The text of one record. In `text`, unusual blanks are replaced by spaces, and control characters that
    are not allowed at their position by U+FFFD."""

    def __init__(self, sent: str) -> None:
        encoded = sent.encode("utf-8", "surrogatepass")
        self.sent, self.size = sent, len(encoded)  # the text as sent; number of bytes in UTF-8
        is_plain = "\ufeff" not in sent and not encoded.translate(None, _FINE)
        self.text = sent if is_plain else _PART.sub(_replaced, sent)
        self.lines = self.text.split("\n")

    def control_faults(self) -> Iterator[Malformed]:
        """Yield a fault for each line with a forbidden control character."""
        line = -1
        for bad in _CONTROL.finditer(self.sent) if self.text is not self.sent else ():
            if self.text[bad.start()] != "\ufffd":
                continue
            if (number := self.sent.count("\n", 0, bad.start())) != line:
                line = number
                yield Malformed("control-character", offset=bad.start(), found=_named(bad[0]))

    # Compute the offsets on demand, because most records have no faults or comments and never need them.
    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line, and of the end of the text."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def following(self, end: int) -> int:
        """Return the number of the line that begins at an offset. At the end, return the number of lines."""
        return bisect_left(self.starts, end)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def word(self, line: int, word: int) -> int:
        """Return the offset of a word of a line."""
        return self.take_apart(self.starts[line]).words[word][1]

    def take_apart(self, offset: int) -> Line:
        """Parse the rest of a line from an offset on, including comments that span several lines."""
        text = self.text
        words: list[tuple[str, int]] = []
        comments: list[tuple[int, str, int]] = []
        pos, end = offset, len(text)
        while pos < end:
            char = text[pos]
            if char == "\n":
                pos += 1
                break
            if char in " \t":
                pos += 1
            elif char == ";":
                stop = text.find("\n", pos)
                pos = end if stop < 0 else stop
            elif char == "{":
                stop = text.find("}", pos)
                if stop < 0:
                    raise Malformed("comment-not-closed", offset=pos)
                comments.append((len(words), text[pos + 1 : stop], pos))
                pos = stop + 1
            elif char == "}":
                raise Malformed("brace-not-opened", offset=pos)
            else:
                is_name = char == '"' and words and words[0][0].lower() == "result"
                found = (NAME if is_name else WORD).match(text, pos)
                if is_name and found is None:
                    rest = quoted(_line_from(text, pos))
                    raise Malformed("no-result-name", "/result", offset=pos, found=rest)
                if found is None:
                    raise Malformed("no-blank", offset=pos, found=f"U+{ord(char):04X}")
                words.append((found[0], pos))
                pos = found.end()
        return Line(words, comments, pos)


def _line_from(text: str, offset: int) -> str:
    """Return the rest of a line from an offset on."""
    return text[offset : offset + 100].partition("\n")[0]


def _replaced(part: re.Match[str]) -> str:
    text = part[0]
    if text[0] == "{":
        return _NOT_STORABLE.sub("\ufffd", text)
    return _CONTROL.sub("\ufffd", text if text[0] == '"' else _BLANK.sub(" ", text))


def is_blank(text: str) -> bool:
    """Return whether a text consists only of white space."""
    return _SPACE.fullmatch(text) is not None


def is_plain(text: str) -> bool:
    """Return whether a text has no comments, no remarks, and no characters that are invalid in moves."""
    return text.isascii() and "{" not in text and ";" not in text and "}" not in text


def _named(char: str) -> str:
    """Return the code of a control character or of an invalid UTF-8 byte, for a message."""
    code = ord(char)
    return f"0x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"U+{code:04X}"
