"""Two small fonts for pictures: the characters they contain, and the width of a text.

They are in `fonts/` with their licence. Pictures use only these fonts, so they look the same on a machine
without fonts. `advances.json` has the widths of their letters; `tools/advances.py` writes it.
"""

from __future__ import annotations

import functools
import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
ADVANCES = FOLDER / "advances.json"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Font:
    """A font: its file, its family, and the advance of each character it can draw, in units of 1."""

    path: Path
    family: str
    advances: dict[str, float]


def _load(name: str, family: str) -> Font:
    letters = json.loads(ADVANCES.read_text(encoding="utf-8"))[name]
    return Font(FOLDER / name, family, {c: int(width) / 1000 for width in letters for c in letters[width]})


@functools.cache
def latin() -> Font:
    """Latin, Greek, Cyrillic."""
    return _load("names-latin.ttf", "Noto Sans SemiBold")


@functools.cache
def japanese() -> Font:
    """Kana and kanji."""
    return _load("names-japanese.ttf", "Noto Sans JP SemiBold")


def _advance(character: str) -> float | None:
    for font in (latin, japanese):
        width = font().advances.get(character)
        if width is not None:
            return width
    return None


def drawable(text: str) -> str:
    """The text as the fonts can draw it: composed, one blank for any white space; empty if most of it would
    be missing (a name in another script: half a name is worse than none)."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    drawn = "".join(c for c in composed if _advance(c) is not None).strip()
    return drawn if drawn and 2 * len(drawn) > len(composed) else ""


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
    if any(c not in latin().advances for c in text):
        needed.append(japanese())
    return [str(font.path) for font in needed]
