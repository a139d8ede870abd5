"""The published notation as a page, and a whole deal of each game to copy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from markdown_it import MarkdownIt

from tarock.games import games

SAMPLES = {
    "strohmann": "strohmann-2-rostopschin",
    "taroky": "taroky-05-troika-level-3",
    "troggu": "troggu-01-misere",
    "grosstarock": "grosstarock-2-bole",
}
"""The sample of each game that is shown; of a game without one, none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A whole deal of a game, as text."""

    game: str
    text: str


# 60 ms of work on a file that does not change while the site runs.
@cache
def specification() -> str:
    """The specification as HTML, each heading with the anchor that its own links lead to."""
    text = (Path(settings.BASE_DIR) / "docs" / "notation.md").read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text.partition("\n")[2])  # without its title, which is the page's
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^a-z0-9]+", "-", following.content.lower()).strip("-"))
        elif token.type == "table_open":
            token.attrSet("class", "list")
    return str(markdown.renderer.render(tokens, markdown.options, {}))


@cache
def samples() -> tuple[Sample, ...]:
    """The samples that ship with the project, one of each game."""
    folder = Path(settings.BASE_DIR) / "deploy" / "samples"
    return tuple(
        Sample(game.id, (folder / f"{SAMPLES[game.id]}.tgn").read_text(encoding="utf-8"))
        for game in games()
        if game.id in SAMPLES
    )
