"""Files from `docs/` as pages of the site."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from markdown_it import MarkdownIt
from markdown_it.token import Token


# Cached, because rendering takes 60 ms and the files don't change while the site runs.
@cache
def document(name: str) -> str:
    """Return a file from `docs/` as HTML, without its title. Each heading has the anchor used by links in the
    file, and each table is in a box that scrolls sideways."""
    text = (Path(settings.BASE_DIR) / "docs" / name).read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text.partition("\n")[2])
    boxed, heading = [], ""
    for token, following in pairwise([*tokens, tokens[-1]]):
        if token.type == "heading_open":
            heading = re.sub(r"[^a-z0-9]+", "-", following.content.lower()).strip("-")
            token.attrSet("id", heading)
        elif token.type == "table_open":
            token.attrSet("class", "list")
            box = f'<div class="table-scroll" tabindex="0" role="group" aria-labelledby="{heading}">\n'
            boxed.append(Token("html_block", "", 0, content=box))
        boxed.append(token)
        if token.type == "table_close":
            boxed.append(Token("html_block", "", 0, content="</div>\n"))
    return str(markdown.renderer.render(boxed, markdown.options, {}))
