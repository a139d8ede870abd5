"""Clause texts and links to clauses."""

from __future__ import annotations

import re
from functools import lru_cache

from django.urls import get_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from replays.markup.text import esc, joined
from replays.paths import path
from tarock.clauses import Clause, book_names
from tarock.clauses import clause as find_clause


def clause_link(slug: str, clause: Clause | None = None) -> str:
    """A link to a clause by its slug, with its title (if it is given) for who points at it."""
    titled = f' title="{esc(clause.title)}"' if clause else ""
    return f'<a href="{path("clause", slug)}"{titled}>{esc(slug)}</a>'


def clause_html(text: str) -> SafeString:
    """A clause's text (or reason) as HTML: paragraphs, lists, notation, references to other clauses."""
    return _html(get_script_prefix(), get_language() or "en", text)


_SLUG = re.compile(rf"(?<![\w.-])(?:{'|'.join(book_names())})\.[a-z]+(?:-[a-z]+)*")
_CODE = re.compile(r"`([^`]*)`")


def _reference(match: re.Match[str]) -> str:
    slug = match.group()
    try:
        return clause_link(slug, find_clause(slug, get_language() or "en"))
    except KeyError:
        return slug


def _inline(text: str) -> str:
    """A line of a clause text with its notation and its references to other clauses marked."""
    out = []
    for i, piece in enumerate(_CODE.split(text)):
        escaped = esc(piece)
        # A slug holds nothing that escaping changes, so references can be looked for afterwards.
        out.append(f"<code>{escaped}</code>" if i % 2 else _SLUG.sub(_reference, escaped))
    return "".join(out)


@lru_cache(maxsize=2048)
def _html(prefix: str, language: str, text: str) -> SafeString:
    blocks = []
    for paragraph in text.split("\n\n"):
        plain: list[str] = []
        items: list[str] = []
        for line in paragraph.split("\n"):
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += " " + line
            else:
                plain.append(line)
        if plain:
            blocks.append(f"<p>{_inline(' '.join(plain))}</p>")
        if items:
            blocks.append("<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in items) + "</ul>")
    return joined(blocks)
