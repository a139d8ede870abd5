"""The published notation as a page, and a whole deal of each game to copy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tarock.games import games

SAMPLES = {
    "strohmann": "strohmann-2-rostopschin",
    "taroky": "taroky-05-troika-level-3",
    "troggu": "troggu-01-misere",
    "grosstarock": "grosstarock-2-bole",
}
"""Game → its sample on the page; a game may have none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A whole deal of a game, as text."""

    game: str
    text: str


# 60 ms of work on a file that does not change while the site runs.
@cache
def specification() -> str:
    """The specification as HTML: each heading with the anchor that its own links lead to, each table in a box
    in which it can be moved sideways."""
    text = (Path(settings.BASE_DIR) / "docs" / "notation.md").read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text.partition("\n")[2])  # without its title, which is the page's
    boxed, heading = [], ""
    for token, following in pairwise([*tokens, tokens[-1]]):
        if token.type == "heading_open":
            heading = re.sub(r"[^a-z0-9]+", "-", following.content.lower()).strip("-")
            token.attrSet("id", heading)
        elif token.type == "table_open":
            token.attrSet("class", "list")
            box = f'<div class="table-scroll" tabindex="0" role="region" aria-labelledby="{heading}">\n'
            boxed.append(Token("html_block", "", 0, content=box))
        boxed.append(token)
        if token.type == "table_close":
            boxed.append(Token("html_block", "", 0, content="</div>\n"))
    return str(markdown.renderer.render(boxed, markdown.options, {}))


@cache
def samples() -> tuple[Sample, ...]:
    """The samples that ship with the project, one of each game."""
    folder = Path(settings.BASE_DIR) / "deploy" / "samples"
    return tuple(
        Sample(game.id, (folder / f"{SAMPLES[game.id]}.tgn").read_text(encoding="utf-8"))
        for game in games()
        if game.id in SAMPLES
    )
