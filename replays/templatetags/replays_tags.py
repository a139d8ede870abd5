"""Tags and filters of the pages: cards as pictures, verdict badges, clause texts, addresses with a query."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.safestring import SafeString

from replays import jinja, presenters, words
from replays.presenters import Face, Position, Verdict

register = template.Library()


@register.simple_tag(takes_context=True)
def part(context: Any, name: str, **values: Any) -> SafeString:
    """A part of the page from `templates/parts/`, given what this template knows."""
    return jinja.part(name, {**context.flatten(), **values})


@register.simple_tag
def card(face: Face | str, extra: str = "", game: str = "") -> SafeString:
    """A card as a picture with its name for who can't see it; a card code will do."""
    return jinja.macro("card", presenters.face(face, game) if isinstance(face, str) else face, extra)


@register.simple_tag
def table(position: Position) -> SafeString:
    """The seats round the table with what they hold, and the middle of it."""
    return jinja.part("table", {"position": position})


@register.simple_tag
def standing(position: Position) -> SafeString:
    """Phase, contract, what was announced and doubled, card points so far."""
    return jinja.part("standing", {"position": position})


@register.simple_tag
def badge(verdict: Verdict | str) -> SafeString:
    """A verdict as a small label: a sign and a word, never a colour alone."""
    return jinja.macro("badge", verdict if isinstance(verdict, Verdict) else presenters.verdict(verdict))


@register.filter
def game_name(game: str) -> str:
    """The name of a game by its id."""
    return presenters.game_name(game)


@register.filter
def contract_name(deal: Any) -> str:
    """What the contract of a stored deal is called."""
    return words.contract(deal.game, deal.contract)


@register.filter
def day(said: date | str | None) -> str:
    """A day, or a date as it stands in a record, in the reader's form; empty where nothing is known."""
    return words.day(said)


@register.filter
def moment(when: datetime) -> str:
    """A day and the time in the reader's form."""
    return words.moment(when)


@register.filter
def options(deal: Any) -> str:
    """What was agreed at the table of a deal, in words."""
    return words.options(deal.game, deal.record.options)


@register.filter
def listed(things: list[str], between: str = "comma") -> str:
    """Some things, named one after the other."""
    return words.listed(things, between)


@register.simple_tag
def comma() -> str:
    """What goes between two things of a list, with its blank."""
    return str(words.of()["comma"])


@register.filter
def signed(points: int | None) -> str:
    """Points with their sign."""
    return words.points(points)


@register.filter
def sense(points: int | None) -> str:
    """``gain``, ``loss`` or ``none``: a class name for points."""
    return "none" if not points else "gain" if points > 0 else "loss"


@register.filter
def lookup(mapping: dict[Any, Any], key: Any) -> Any:
    """The value of a key that is itself a variable; None where there is none."""
    return mapping.get(key)


@register.filter
def clause_text(text: str) -> SafeString:
    """A clause's text (or reason) as HTML: paragraphs, lists, notation, references to other clauses."""
    return jinja.macro("clause_text", text)


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """The languages to choose from: code and own name. (Django's tag of this sort translates the names.)"""
    return list(settings.LANGUAGES)


@register.simple_tag(takes_context=True)
def query(context: Any, **changes: Any) -> str:
    """The query of this page with some parts changed, or left out where they are empty."""
    parts: QueryDict = context["request"].GET.copy()
    for name, value in changes.items():
        if value in (None, ""):
            parts.pop(name, None)
        else:
            parts[name] = str(value)
    return "?" + parts.urlencode()


@register.filter
def is_below(request: HttpRequest | None, prefix: str) -> bool:
    """Whether the page asked for lies below a link of the main menu."""
    path = request.path if request else ""
    return path == prefix if prefix == "/" else path.startswith(prefix)
