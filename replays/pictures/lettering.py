"""Two small fonts for pictures: the characters that they can draw, and the width of texts.

The fonts are stored in `fonts/` with their licence. Pictures use only these fonts, so they look the same on a
machine without fonts. `tools/advances.py` writes the widths of their letters to `advances.json`.
"""

from __future__ import annotations

import functools
import json
import unicodedata
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
ADVANCES = FOLDER / "advances.json"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Font:
    """A font: its file, its family, and the advance of each character in units of the font size."""

    path: Path
    family: str
    advances: dict[str, float]


@functools.cache
def fonts() -> tuple[Font, ...]:
    """Return the font for Latin, Greek and Cyrillic, and the font for kana and kanji."""
    letters = json.loads(ADVANCES.read_text(encoding="utf-8"))
    families = {"names-latin.ttf": "Noto Sans SemiBold", "names-japanese.ttf": "Noto Sans JP SemiBold"}
    made = []
    for name, family in families.items():
        advances = {c: int(width) / 1000 for width, row in letters[name].items() for c in row}
        made.append(Font(FOLDER / name, family, advances))
    return tuple(made)


def _advance(character: str) -> float | None:
    return next((font.advances[character] for font in fonts() if character in font.advances), None)


def drawable(text: str) -> str:
    """Return the characters of a text that the fonts can draw, in composed form with single spaces. Return an
    empty string if most of the text would be missing, because half of a name is worse than no name."""
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    drawn = "".join(c for c in composed if _advance(c) is not None).strip()
    return drawn if drawn and 2 * len(drawn) > len(composed) else ""


def width(text: str, size: float) -> float:
    """Return the width of a drawable text at a font size. Kerning is ignored, because it only makes the text
    narrower."""
    return size * sum(_advance(c) or 0.0 for c in text)


def fit(text: str, size: float, room: float) -> str:
    """Return the drawable part of a text, cut with an ellipsis if it is wider than `room`."""
    text = drawable(text)
    if width(text, size) <= room:
        return text
    room -= width(ELLIPSIS, size)
    text = text[: sum(end <= room for end in accumulate(width(c, size) for c in text))]
    return text.rstrip() + ELLIPSIS if text else ""


def files(text: str) -> list[str]:
    """Return the paths of the fonts that a text needs. The Japanese font is large, so omit it if possible."""
    latin, japanese = fonts()
    needed = [latin] if latin.advances.keys() >= set(text) else [latin, japanese]
    return [str(font.path) for font in needed]
