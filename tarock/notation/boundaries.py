"""Detection of record boundaries in text and in JSON, so that an invalid record does not affect others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tarock.notation.keys import KEYS
from tarock.notation.limits import MAX_TEXT
from tarock.notation.source import BLANKS, TAG
from tarock.notation.values import SPACES, WORD

#: The beginning of a record in JSON: a brace and any key of a record, because programs may write the keys in
#: any order. No nested object has these keys.
NEXT_RECORD = re.compile(rf'\{{\s*"(?:{"|".join(KEYS)})"\s*:')
_TGN_TAG = re.compile(rf"[{BLANKS}]*\[[{BLANKS}]*TGN[{BLANKS}]", re.IGNORECASE)
_LATER_TGN = re.compile(rf"\n{_TGN_TAG.pattern}", re.IGNORECASE)
#: A line feed followed by a line that may contain a tag; `_TAG_LINES` matches consecutive lines of this kind.
_TAG_LINE = re.compile(rf"\n[{BLANKS}]*\[[^\n]*")
# Begin the pattern with the line feed itself, so that the search jumps to the next line feed. If it began
# with a group, the search would try every character, which takes 10 µs more per record.
_TAG_LINES = re.compile(rf"{_TAG_LINE.pattern}(?:{_TAG_LINE.pattern})*")
#: A line that begins with a word and is not a remark. The match stays within the line, because if it could
#: span the preceding blank lines, the time would grow with the square of their number.
_WORD_LINE = re.compile(rf"^(?:(?!\n)[{SPACES}])*+[^{SPACES};]", re.MULTILINE)
_BLANK_LINE = re.compile(rf"\n[{BLANKS}]*\n")
_BRACE = re.compile(r"[{}]")


def split(text: str, *, is_whole: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the records of a text as (1-based number of the first line, text). A record begins at a tag line
    after moves, at a `[TGN` line after a blank line, or at a `[TGN` line inside a comment that is never
    closed. A comment is never closed if another `{` comes before the next `}`, or if there is no `}` within
    the maximum length of a record. If more text follows (not `is_whole`), a comment without a later brace may
    still be closed."""
    start = after = 0
    line = 1
    brace = -1
    tgn = moves = inside = False
    # Without comments, only the first of consecutive tag lines can begin a record, so match them together.
    for found in (_TAG_LINE if "{" in text else _TAG_LINES).finditer("\n" + text):
        # The searched text has a line feed in front, so this offset is the start of a line in `text`.
        at = found.start()
        between = text[after:at]
        if inside or "{" in between or "}" in between:
            moved, inside = _comments_of(between, inside)
        else:
            moved = _has_words(between)
        moves = moves or moved
        is_tgn = _TGN_TAG.match(text, at) is not None
        if inside and is_tgn and brace < at:
            following = _BRACE.search(text, at)
            brace = following.start() if following else len(text)
        if inside and (not is_tgn or _is_closed(text, at, brace, is_whole)):
            # This line is not a tag, because it is part of the comment.
            after = at
            continue
        if moves or inside or (is_tgn and tgn and _BLANK_LINE.search(between)):
            yield line, text[start : at - 1]
            line += text.count("\n", start, at)
            start, moves, tgn, inside = at, False, False, False
        after = found.end() - 1
        tgn = tgn or is_tgn or _LATER_TGN.search(text, at, after) is not None
        if "{" in found[0]:
            tag = TAG.match(text, text.index("[", at), after)
            inside = _comments_of(text[tag.end() if tag else at : after], False)[1]
    yield line, text[start:]


def chunks(text: str, *, is_whole: bool = True) -> Iterator[tuple[int, str, Exception | None]]:
    """Yield the records like `split`, each with the exception that `split` raised in it, or None. A record
    with an exception ends before the next `[TGN` line, so that the other records can still be read."""
    start, line = 0, 1
    while True:
        begin = start
        try:
            for number, chunk in split(text[begin:], is_whole=is_whole):
                yield line + number - 1, chunk, None
                start += len(chunk) + 1
            return
        except Exception as failure:
            line += text.count("\n", begin, start)
            following = _LATER_TGN.search(text, start)
            chunk = text[start : following.start() if following else len(text)]
            yield line, chunk, failure
            if following is None:
                return
            start += len(chunk) + 1
            line += chunk.count("\n") + 1


def _is_closed(text: str, at: int, brace: int, is_whole: bool) -> bool:
    """Return whether a comment open at `at` is closed. `brace`: offset of the next brace, or of the text's
    end."""
    if brace - at >= MAX_TEXT:
        return False
    return text[brace] == "}" if brace < len(text) else not is_whole


def _has_words(lines: str) -> bool:
    """Return whether lines without braces contain anything except remarks."""
    return _WORD_LINE.search(lines) is not None


def _comments_of(lines: str, inside: bool) -> tuple[bool, bool]:
    """Return two values: whether lines contain anything except comments and remarks, and whether a comment is
    open at the end. `inside`: whether a comment is open at the beginning."""
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
            found = WORD.match(lines, pos)
            words = words or found is not None
            pos = found.end() if found else pos + 1
    return words, inside


def later_tgn(text: str, column: int) -> int | None:
    """Return the offset of the first `[TGN` line, or None. `column`: column at which the text begins."""
    # Only a text that begins at the start of a line can begin with a tag line.
    before = "\n" if column == 1 else ""
    found = _LATER_TGN.search(before + text)
    return found and found.start() + 1 - len(before)
