"""Files that contain no records: recognizing what they are, to say so in one sentence."""

from __future__ import annotations

import re
from typing import Any

from tarock.core.findings import Finding
from tarock.notation.packed import sample_lines
from tarock.notation.source import BLANKS
from tarock.notation.values import SPACES

#: Number of characters at the beginning of a file that are looked at.
_LOOKED_AT = 20_000

_OLE, *_PICTURES = (
    start.decode("utf-8", "surrogateescape")
    for start in (
        b"\xd0\xcf\x11\xe0\xa1\xb1",
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"BM",
        b"II*\0",
        b"MM\0*",
    )
)

#: Beginnings of zip and gzip files that can't be opened, and of 7-Zip, RAR, bzip2 and xz files.
_PACKED = ("PK\x03\x04", "PK\x05\x06", "\x1f\udc8b", "7z\udcbc\udcaf", "Rar!\x1a", "BZh", "\udcfd7zXZ")

#: Reasons of the findings about files that contain no records.
REASONS = frozenset({"other-game", "document", "table", "picture", "packed", "free-text", "encoding-unclear"})
ENCODING_NAMES = {
    "cp1250": "Windows-1250",
    "cp1252": "Windows-1252",
    "iso8859-2": "ISO-8859-2",
    "cp932": "Shift_JIS",
}
#: Notation of another game → what the beginning of such a file matches.
_OTHER_GAMES = {
    "PBN": re.compile(r'% PBN|(?=[\s\S]*\n\[Vulnerable ")(?![\s\S]*\[TGN)\[', re.IGNORECASE),
    "PGN": re.compile(r'(?=[\s\S]*\[White ")(?=[\s\S]*\[Black ")(?![\s\S]*\[TGN)\[', re.IGNORECASE),
    "LIN": re.compile(r"(?:[a-z]{2}\|[^|]*\|\s*){2}", re.IGNORECASE),
    "ISS": re.compile(r"\(\s*;\s*GM\[Skat\]"),
    "SGF": re.compile(r"\(\s*;\s*[A-Z]{1,2}\["),
    "PHH": re.compile(r"(?:#[^\n]*\n\s*)*variant\s*=\s*['\"]"),
    "tenhou": re.compile(r'<mjloggm|\{"(?:title|ref|log)":\[?"?[\s\S]*"log":\[\[', re.IGNORECASE),
    "mjai": re.compile(r'\{\s*"type"\s*:\s*"start_(?:game|kyoku)"'),
}
_DOCUMENTS = {
    "PDF": re.compile(r"%PDF-"),
    "Word": re.compile(r"\{\\rtf|PK\x03\x04[\s\S]*(?:word/|opendocument\.text)"),
    "HTML": re.compile(r"<(?:!doctype html|\?xml|html|head|body|table|div|p)\b", re.IGNORECASE),
}
_WORKBOOK = re.compile(r"PK\x03\x04[\s\S]*(?:xl/|opendocument\.spreadsheet)")
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
#: A line that only a record has: a tag, an object, a line of a deal or sheet, or an event of a seat.
_OF_RECORD = re.compile(
    rf"^[{BLANKS}]*(?:\[[{BLANKS}]*\w+[{BLANKS}]*[\"“„»”]|\[(?!\d+[:./])|{{"
    rf"|(?:deal|sheet|result)\b|[A-H](?:/\d)?[{BLANKS}]+[a-z])",
    re.MULTILINE | re.IGNORECASE,
)


def finding_in(text: str) -> Finding | None:
    """Return a finding that says what a file is, judging by its beginning; None if it may contain records."""
    try:
        return _finding(text)
    except Exception:  # a bug here must not cost a file of good records
        return None


def _finding(text: str) -> Finding | None:
    data = text.encode("utf-8", "surrogateescape") if _NOT_UTF8.search(text) else b""
    if unclear := sample_lines(data):
        found = [f"{ENCODING_NAMES[name]}: {line}" for name, line in unclear.items()]
        return _found("encoding-unclear", found=" / ".join(found), encodings=unclear)
    beginning = text[:_LOOKED_AT].lstrip("\ufeff")
    if beginning.startswith("[TGN ") or not (start := re.sub(rf"\A[{SPACES}]+", "", beginning)):
        return None
    for name, pattern in _OTHER_GAMES.items():
        if pattern.match(start):
            return _found("other-game", found=name)
    for name, pattern in _DOCUMENTS.items():
        if pattern.match(start):
            return _found("document", found=name)
    if beginning.startswith(_OLE):
        is_workbook = "W\0o\0r\0k\0b\0o\0o\0k" in text
        return _found("table") if is_workbook else _found("document", found="Word")
    if _WORKBOOK.match(start):
        return _found("table")
    if beginning.startswith(_PACKED):
        return _found("packed")
    if _is_binary(beginning):
        named = "WEBP" in beginning[:12] or "ftyp" in beginning[:12]
        return _found("picture") if named or start.startswith(tuple(_PICTURES)) else None
    if _OF_RECORD.search(beginning):
        return None
    return _found("table" if _is_table(start) else "free-text")


def _found(reason: str, **values: Any) -> Finding:
    return Finding(reason, values, line=1, column=1, pointer="")


def _is_binary(text: str) -> bool:
    return "\0" in text or _NOT_UTF8.search(text) is not None


def _is_table(text: str) -> bool:
    """Return whether the first two lines have the same number of the same separator."""
    first, _, rest = text.partition("\n")
    second = rest.partition("\n")[0]
    return any(0 < first.count(sign) == second.count(sign) for sign in ";\t,|")
