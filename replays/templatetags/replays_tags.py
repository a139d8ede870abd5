"""Tags and filters of the pages: cards as pictures, verdict badges, clause texts, addresses with a query."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from replays import cards, jinja, verdicts, words
from replays.cards import Face
from replays.clauses import clause
from replays.deal.commentary import Remark
from replays.deal.position import Position
from replays.verdicts import Verdict

register = template.Library()


@register.simple_tag(takes_context=True)
def part(context: Any, name: str, **values: Any) -> SafeString:
    """A part of the page from `templates/parts/`, given what this template knows."""
    return jinja.part(name, {**context.flatten(), **values})


@register.simple_tag
def fixed(name: str) -> SafeString:
    """A part of the page that is the same whatever is shown."""
    return jinja.fixed(name)


@register.simple_tag
def card(face: Face | str, extra: str = "", game: str = "") -> SafeString:
    """A card as a picture with its name for who can't see it; a card code will do."""
    return jinja.macro("card", cards.face(face, game) if isinstance(face, str) else face, extra)


@register.simple_tag
def icon(name: str) -> SafeString:
    """The picture on a button that leads to another step."""
    return jinja.macro("icon", name)


@register.simple_tag
def happenings(remarks: list[Remark]) -> SafeString:
    """What the rules did by themselves, each with its clause."""
    return jinja.macro("happenings", remarks)


@register.simple_tag
def table(position: Position) -> SafeString:
    """The seats round the table with what they hold, and the middle of it."""
    return jinja.part("table", {"position": position})


@register.simple_tag
def standing(position: Position) -> SafeString:
    """Phase, contract, what was announced and doubled, card points so far."""
    return jinja.part("standing", {"position": position})


@register.simple_tag(takes_context=True)
def person(context: Any, pk: int, name: str, most: int = 0) -> SafeString:
    """A player’s name in a list, marked if he is the reader himself; of a long one the first letters."""
    viewer = getattr(context.get("request"), "viewer", None)
    label = Truncator(name).chars(most) if most else name
    return jinja.macro("person", label, viewer is not None and pk in viewer.players)


@register.simple_tag
def badge(verdict: Verdict | str) -> SafeString:
    """A verdict as a small label: a sign and a word, never a colour alone."""
    return jinja.macro("badge", verdict if isinstance(verdict, Verdict) else verdicts.verdict(verdict))


@register.filter
def game_name(game: str) -> str:
    """The name of a game by its id."""
    return words.game_name(game)


@register.filter
def role_name(role: str) -> str:
    """What a member of a club is, by the word for it."""
    return str(words.ROLES[role])


@register.filter
def in_role(game: str, role: str) -> str:
    """What a player was in a deal of a game, or two were to one another."""
    return words.in_role(game, role)


@register.filter
def clause_title(slug: str) -> str:
    """The title of a clause."""
    found = clause(slug)
    return found.title if found else slug


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
    return words.comma()


@register.filter
def signed(points: int | None) -> str:
    """Points with their sign."""
    return words.points(points)


@register.filter
def mean(points: float) -> str:
    """Points a deal with their sign."""
    return words.mean(points)


@register.filter
def sense(points: int | None) -> str:
    """``gain``, ``loss`` or ``none``: a class name for points."""
    return words.sense(points)


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


@register.simple_tag(takes_context=True)
def without(context: Any, *names: str) -> str:
    """The query of this page with some parts left out."""
    return query(context, **dict.fromkeys(names))


@register.filter
def is_below(request: HttpRequest | None, prefix: str) -> bool:
    """Whether the page asked for lies below a link of the main menu."""
    path = request.path if request else ""
    return path == prefix if prefix == "/" else path.startswith(prefix)
