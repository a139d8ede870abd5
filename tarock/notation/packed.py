"""The bytes of a file before they are parsed: opening zip and gzip, and decoding texts that are not UTF-8.

A byte that is no UTF-8 comes from an old editor. Each candidate encoding is tried: it fits if the letters of
each word belong to one language. If all encodings that fit give the same text, the text is read in it.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO

MOST_UNPACKED, MOST_FILES = 256 * 1024 * 1024, 1000
"""Maximum size of the files in a packed file together, in bytes, and their maximum number."""
MOST_RATIO = 50
"""Maximum size of the unpacked files as a multiple of the packed size. For records it is about 10."""
_SUFFIXES = (".tgn", ".json", ".jsonl", ".ndjson", ".txt", ".csv", ".tsv", ".xlsx", ".xls", ".ods")
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
_CHUNK = 64 * 1024
_IN_MEMORY = 1024 * 1024
_LOOKED_AT = 256 * 1024
"""Number of bytes, from the first one that isn't ASCII on, by which the encoding is judged."""

ENCODINGS = ("cp1250", "cp1252", "iso8859-2", "cp932")
"""Encodings that are tried: Windows in Central and Western Europe, Czech Unix, and Shift_JIS."""

_LANGUAGES = [set(letters + letters.upper()) for letters in ("áčďéěíňóřšťúůýž", "äöüßé", "æøåé")]
_JAPANESE = re.compile("[々〆ぁ-ゖァ-ヺー一-龥ｦ-ﾟＡ-Ｚａ-ｚ]+")
_WORD = re.compile(r"[^\W_]+")
_SIGN_IN_WORD = re.compile(r"[^\W\d_][«»§°´×€„…][^\W\d_]")
_SIGNS = set("“”„‚‘’‹›«»–—…§°×´·€\xa0、。，．・：；？！「」『』（）［］／〜～　０１２３４５６７８９")


class Content:
    """The content of a file in UTF-8, to iterate over once.

    `encoding`: its encoding, known from the first byte that isn't ASCII on; empty if the bytes are left as
    they are, because they are UTF-8, or no single encoding fits. A byte order mark stays. Lines that end in
    CR alone, as on old computers, end in LF. `chosen`: the encoding to choose if several fit. `more`: whether
    another file follows, after a line feed.
    """

    def __init__(self, chunks: Iterable[bytes], chosen: str = "", more: bool = False) -> None:
        self._chunks, self._chosen, self.more = filter(None, chunks), chosen, more
        self.encoding = ""

    def __iter__(self) -> Iterator[bytes]:
        beginning = b"".join(self._next(1000))
        self.encoding = _wide(beginning)
        has_old_lines = beginning.count(b"\r") > 1 and b"\n" not in beginning
        for chunk in self._in_utf8(beginning):
            yield chunk.replace(b"\r", b"\n") if has_old_lines else chunk
        if self.more:
            yield b"\n"

    def _in_utf8(self, beginning: bytes) -> Iterator[bytes]:
        looked_at = [beginning]
        if not self.encoding:
            while looked_at[0].isascii():
                yield looked_at[0]
                if not (chunk := next(self._chunks, b"")):
                    return
                looked_at = [chunk]
            looked_at += self._next(_LOOKED_AT)
            found = readings(b"".join(looked_at))
            is_clear = len(set(found.values())) == 1
            self.encoding = next(iter(found)) if is_clear else self._chosen if self._chosen in found else ""
        everything = chain(looked_at, self._chunks)
        yield from _recoded(everything, self.encoding) if self.encoding else everything

    def _next(self, size: int) -> Iterator[bytes]:
        """Yield the next chunks, of at least `size` bytes together if there are so many."""
        while size > 0 and (chunk := next(self._chunks, b"")):
            size -= len(chunk)
            yield chunk


def unpacked(chunks: Iterable[bytes], encoding: str = "") -> Iterator[Content]:
    """Yield the content of each file in a zip or gzip file, or of the input itself if it isn't packed (see
    `files_in`). `encoding`: for texts that fit several."""
    for _name, file, more in files_in(chunks):
        yield Content(file, encoding, more)


def files_in(chunks: Iterable[bytes]) -> Iterator[tuple[str, Iterable[bytes], bool]]:
    """Yield each file in a zip or gzip file: its name, its bytes, and whether another one follows. The input
    itself, with an empty name, if it isn't packed, or is damaged, too large, or without a file to read."""
    given = iter(chunks)
    beginning = b""
    for chunk in given:
        beginning += chunk
        if len(beginning) >= 4:
            break
    rest = chain((beginning,), given)
    if not is_packed(beginning):
        yield "", rest, False
        return
    with SpooledTemporaryFile(_IN_MEMORY) as file:
        for chunk in rest:
            file.write(chunk)
        size = file.tell()
        file.seek(0)
        opened = _zipped if beginning.startswith(b"PK") else _gzipped
        try:
            yield from opened(file, size)
        except _DAMAGED:
            file.seek(0)
            yield "", _read(file), False


def is_packed(beginning: bytes) -> bool:
    """Return whether bytes begin a zip or gzip file."""
    return beginning.startswith((b"PK\x03\x04", b"\x1f\x8b"))


def _zipped(file: IO[bytes], size: int) -> Iterator[tuple[str, Iterable[bytes], bool]]:
    with zipfile.ZipFile(file) as packed:
        entries = packed.infolist()
        if any(entry.filename.startswith(("xl/", "word/", "mimetype")) for entry in entries):
            raise ValueError("a document of an office program")
        chosen = [one for one in entries if _is_read(one.filename)]
        unpacked_size = sum(one.file_size for one in chosen)
        if not chosen or len(entries) > MOST_FILES or unpacked_size > min(MOST_UNPACKED, MOST_RATIO * size):
            raise ValueError("nothing to read, or too much")
        for one in chosen:
            with packed.open(one) as member:  # damage shows before anything of it is stored
                for _chunk in _read(member):
                    pass
        for one in chosen:
            with packed.open(one) as member:
                yield one.filename, _read(member), one is not chosen[-1]


def _is_read(name: str) -> bool:
    """Return whether a file in a zip file is read, judging by its name. macOS adds files of its own."""
    is_own = name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")
    return name.lower().endswith(_SUFFIXES) and not is_own


def _gzipped(file: IO[bytes], size: int) -> Iterator[tuple[str, Iterable[bytes], bool]]:
    with gzip.open(file) as packed, SpooledTemporaryFile(_IN_MEMORY) as text:
        for chunk in _read(packed):
            text.write(chunk)
            if text.tell() > min(MOST_UNPACKED, MOST_RATIO * size):
                raise ValueError("too much")
        text.seek(0)
        yield "", _read(text), False


def _read(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _wide(beginning: bytes) -> str:
    """Return which kind of UTF-16 a text is, with or without a mark at its beginning, or an empty string."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if beginning.startswith(mark):
            return name
    halves = [beginning[at::2].count(0) / max(1, len(beginning) // 2) for at in (0, 1)]
    for few, many, name in ((0, 1, "utf-16-le"), (1, 0, "utf-16-be")):
        if halves[few] < 0.05 and halves[many] > 0.5:
            return name
    return ""


def _recoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    errors = "replace" if encoding.startswith("utf-16") else "surrogateescape"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "surrogateescape")
    yield decoder.decode(b"", final=True).encode("utf-8", "surrogateescape")


def readings(data: bytes) -> dict[str, str]:
    """Return encoding → text for each encoding that fits; nothing for UTF-8, even cut off at its end."""
    found = {name: _decoded(data, name) for name in ENCODINGS if _decoded(data, "utf-8") is None}
    return {name: text for name, text in found.items() if text is not None and _fits(text)}


def sample_lines(data: bytes) -> dict[str, str]:
    """Return encoding → how the first line that differs reads in it, for bytes that fit several encodings.
    Encodings in which this line reads the same count as one. Empty if at most one fits."""
    found = readings(data)
    for lines in zip(*(text.splitlines() for text in found.values()), strict=False):
        different: dict[str, str] = {}
        for name, line in zip(found, lines, strict=True):
            different.setdefault(line.strip()[:60], name)
        if len(different) > 1:
            return {name: line for line, name in different.items()}
    return {}


def _decoded(data: bytes, encoding: str) -> str | None:
    """Return a text that may be cut off within a character; None if it is not in this encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return None


def _fits(text: str) -> bool:
    """Return whether the letters of each word belong to one language, and all other signs to a text."""
    signs = {sign for sign in text if not sign.isascii() and not sign.isalnum()}
    if signs - _SIGNS or _SIGN_IN_WORD.search(text):
        return False
    words = {word for word in _WORD.findall(text) if not word.isascii() and not _JAPANESE.fullmatch(word)}
    special = [{letter for letter in word if not letter.isascii()} for word in words]
    return all(any(letters <= language for language in _LANGUAGES) for letters in special)
