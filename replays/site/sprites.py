"""The files with the card faces: one SVG sprite with a symbol for each card and for the back, and one more
for each language with other letters on the courts. `python -m tools.cards_svg` draws them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

SPRITE = Path(__file__).parents[1] / "static" / "replays" / "cards.svg"
OWN = frozenset({"cs", "de"})
"""The languages that have a sprite of their own."""


def sprite_file(language: str | None) -> Path:
    """The file of the sprite for a language: its own where it has letters of its own, else the common one."""
    return SPRITE.with_name(f"cards-{language}.svg") if language in OWN else SPRITE


@cache
def symbols(sprite: Path) -> dict[str, str]:
    """Return each symbol of a sprite by its name."""
    found = re.finditer(r'<symbol id="(\w+)".*?</symbol>', sprite.read_text(encoding="utf-8"), re.DOTALL)
    return {symbol[1]: symbol[0] for symbol in found}
