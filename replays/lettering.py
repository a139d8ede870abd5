"""Two small fonts for names in pictures: which characters they can draw, and how wide a text is.

They lie in ``fonts/`` with their licence. A picture is made of them alone, so it looks the same on a machine
that has no fonts at all.
"""

from __future__ import annotations

import functools
import struct
import unicodedata
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Font:
    """A TrueType font: its file, its family, and the advance of each character it can draw, in units of 1."""

    path: Path
    family: str
    advances: dict[int, float]


def _tables(data: bytes) -> dict[str, bytes]:
    (count,) = struct.unpack_from(">H", data, 4)
    found = {}
    for n in range(count):
        tag, _sum, offset, length = struct.unpack_from(">4sLLL", data, 12 + 16 * n)
        found[tag.decode("ascii")] = data[offset : offset + length]
    return found


def _glyphs(cmap: bytes) -> dict[int, int]:
    """The glyph of each character, from the subtables of format 4 (the first plane) and 12 (all planes)."""
    found: dict[int, int] = {}
    (count,) = struct.unpack_from(">H", cmap, 2)
    for n in range(count):
        _platform, _encoding, at = struct.unpack_from(">HHL", cmap, 4 + 8 * n)
        (kind,) = struct.unpack_from(">H", cmap, at)
        if kind == 12:
            (groups,) = struct.unpack_from(">L", cmap, at + 12)
            for g in range(groups):
                first, last, glyph = struct.unpack_from(">LLL", cmap, at + 16 + 12 * g)
                found.update(zip(range(first, last + 1), range(glyph, glyph + last - first + 1), strict=True))
        elif kind == 4:
            (twice,) = struct.unpack_from(">H", cmap, at + 6)
            size = twice // 2
            ends = struct.unpack_from(f">{size}H", cmap, at + 14)
            starts = struct.unpack_from(f">{size}H", cmap, at + 16 + twice)
            deltas = struct.unpack_from(f">{size}H", cmap, at + 16 + 2 * twice)
            offsets_at = at + 16 + 3 * twice
            offsets = struct.unpack_from(f">{size}H", cmap, offsets_at)
            for k in range(size):
                for code in range(starts[k], min(ends[k], 0xFFFE) + 1):
                    if offsets[k]:
                        where = offsets_at + 2 * k + offsets[k] + 2 * (code - starts[k])
                        (glyph,) = struct.unpack_from(">H", cmap, where)
                        glyph = (glyph + deltas[k]) % 0x10000 if glyph else 0
                    else:
                        glyph = (code + deltas[k]) % 0x10000
                    if glyph:
                        found.setdefault(code, glyph)
    return found


def _load(name: str, family: str) -> Font:
    path = FOLDER / name
    tables = _tables(path.read_bytes())
    (units,) = struct.unpack_from(">H", tables["head"], 18)
    (measured,) = struct.unpack_from(">H", tables["hhea"], 34)
    widths = [struct.unpack_from(">H", tables["hmtx"], 4 * n)[0] for n in range(measured)]
    advances = {
        code: widths[min(glyph, measured - 1)] / units for code, glyph in _glyphs(tables["cmap"]).items()
    }
    return Font(path, family, advances)


@functools.cache
def latin() -> Font:
    """Latin, Greek, Cyrillic."""
    return _load("names-latin.ttf", "Noto Sans SemiBold")


@functools.cache
def japanese() -> Font:
    """Kana and kanji."""
    return _load("names-japanese.ttf", "Noto Sans JP SemiBold")


def _advance(character: str) -> float | None:
    code = ord(character)
    for font in (latin, japanese):
        width = font().advances.get(code)
        if width is not None:
            return width
    return None


def drawable(text: str) -> str:
    """The text as the fonts can draw it: composed, one blank for any white space; empty if most of it would
    be missing (a name in another script: half a name is worse than none)."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    kept = "".join(c for c in composed if _advance(c) is not None).strip()
    return kept if kept and 2 * len(kept) > len(composed) else ""


def width(text: str, size: float) -> float:
    """How wide a drawable text is at a size; kerning, which only makes it narrower, left out."""
    return size * sum(_advance(c) or 0.0 for c in text)


def fit(text: str, size: float, room: float) -> str:
    """The drawable part of the text, cut with an ellipsis where it is wider than there is room."""
    text = drawable(text)
    if width(text, size) <= room:
        return text
    while text and width(text + ELLIPSIS, size) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS if text else ""


def files(text: str) -> list[str]:
    """The font files that this text needs; the large one only where it does."""
    needed = [latin()]
    if any(ord(c) not in latin().advances for c in text):
        needed.append(japanese())
    return [str(font.path) for font in needed]
