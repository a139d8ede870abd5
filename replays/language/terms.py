"""Words of the glossary in the sentences of a page, each with its explanation in place."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from tarock.words.terms import Term, marked, terms

_BUTTON = Markup('<dfn><button type="button" class="term" popovertarget="term-{slug}">{word}</button></dfn>')


def _explained(request: HttpRequest) -> dict[str, Term]:
    """Return the terms by slug that the page has explained so far."""
    found: dict[str, Term] = request.__dict__.setdefault("explained_terms", {})
    return found


@pass_context
def with_terms(context: Context, text: Any, game: str, *, by_itself: bool = False) -> Markup:
    """Return a sentence in which each term of the glossary is a button that opens its explanation, unless the
    page has explained it before. The page must include `parts/terms.html` below its last sentence, with all
    terms (`all_terms`) if a sentence stands `by_itself`: a script replaces it by others."""
    explained: dict[str, Term] = {} if by_itself else _explained(context["request"])
    pieces = []
    for piece, term in marked(str(text), game, get_language() or "en"):
        if term is None or term.slug in explained:
            pieces.append(escape(piece))
        else:
            explained[term.slug] = term
            pieces.append(_BUTTON.format(slug=term.slug, word=piece))
    return Markup("").join(pieces)


@pass_context
def explained_terms(context: Context) -> list[Term]:
    """Return the terms that the page explains, in the order of their first use."""
    return list(_explained(context["request"]).values())


def all_terms(game: str) -> tuple[Term, ...]:
    """Return all terms of a game."""
    return terms(game, get_language() or "en")
