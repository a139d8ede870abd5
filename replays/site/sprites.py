"""The SVG sprites of the card faces, with a symbol for each card and for the back. Languages with different
court letters have their own sprite. `python -m tools.cards_svg` draws the sprites."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

SPRITE = Path(__file__).parents[1] / "static" / "replays" / "cards.svg"
OWN = frozenset({"cs", "de"})
"""Languages with a separate sprite."""


def sprite_file(language: str | None) -> Path:
    """Return the file of the sprite for a language; languages without a separate sprite share one."""
    return SPRITE.with_name(f"cards-{language}.svg") if language in OWN else SPRITE


@cache
def symbols(sprite: Path) -> dict[str, str]:
    """Map the names of a sprite's symbols to their SVG elements, as text."""
    found = re.finditer(r'<symbol id="(\w+)".*?</symbol>', sprite.read_text(encoding="utf-8"), re.DOTALL)
    return {symbol[1]: symbol[0] for symbol in found}
