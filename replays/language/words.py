"""Texts in the active language. The texts of each game are in `tarock.words.clauses.words`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.utils import dateformat
from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext, pgettext

from archive.models import Seat, Seated, Session, Space
from archive.rules import Rules
from tarock.core.game import UNKNOWN_GAME
from tarock.core.options import POINT
from tarock.core.persons import is_nobody
from tarock.words import amounts, clauses, house_rules
from tarock.words import names as naming
from tarock.words.house_rules import RuleLine
from tarock.words.names import label

DETAILS = {
    "sheet": gettext_lazy("score sheet or points"),
    "players": gettext_lazy("players"),
    "session": gettext_lazy("session"),
    "number": gettext_lazy("deal number"),
    "date": gettext_lazy("date"),
    "event": gettext_lazy("event"),
    "site": gettext_lazy("site"),
    "claim": gettext_lazy("score written down"),
    "tags": gettext_lazy("other tags"),
    "comments": gettext_lazy("comments"),
    "visibility": gettext_lazy("who can see it"),
    "club": gettext_lazy("club"),
}
"""Labels of the fields of a contribution that can be corrected."""

SHARING = {
    "private": gettext_lazy("Only me"),
    "link": gettext_lazy("Anyone with the link"),
    "public": gettext_lazy("Everybody"),
}

VISIBILITIES = {
    "public": gettext_lazy("Everybody"),
    "unlisted": gettext_lazy("Anyone with the link"),
    "members": gettext_lazy("Members only"),
    "withdrawn": gettext_lazy("Nobody: withdrawn"),
    "replaced": gettext_lazy("Nobody: replaced by a corrected record"),
    "covered": gettext_lazy(
        "Everyone who could see it before; the score from the recorded cards counts instead"
    ),
}
"""Labels of the visibilities, which say who can see a contribution."""

SCOPES = {
    "deals:write": gettext_lazy("Send deals, and correct those that I sent"),
    "deals:delete": gettext_lazy("Withdraw deals"),
    "club:admin": gettext_lazy(
        "Apply these permissions to other people’s deals, too, as secretary or owner of a club"
    ),
    "campaigns:write": gettext_lazy("Check stored deals again, as the operator"),
}
"""Descriptions of the scopes that a token can have. Reading needs no scope."""

RULE_ORIGINS = {
    "S": gettext_lazy("the source says so"),
    "I": gettext_lazy("inferred from other values"),
    "A": gettext_lazy("the source is silent; converted from the rules of the game"),
}
"""Labels of the origins of values in published rules."""

KINDS = {
    "played": gettext_lazy("Card by card"),
    "sheet": gettext_lazy("As a score sheet"),
    "result": gettext_lazy("Only the points"),
}
"""Labels of the ways to record a deal."""

COUNTS = {
    "all": gettext_lazy("Everything"),
    "computed": gettext_lazy("Cards and score sheets"),
    "verified": gettext_lazy("Only cards"),
}
"""Labels of what counts in a ranking or a session."""

ROLES = {
    "member": gettext_lazy("Member"),
    "secretary": gettext_lazy("Secretary"),
    "owner": gettext_lazy("Owner"),
}


IN_ROLES = {
    "opponent": gettext_lazy("Opponent"),
    "alone": gettext_lazy("Everybody alone"),
    "partners": gettext_lazy("On one side"),
    "opponents": gettext_lazy("Against each other"),
    "against": gettext_lazy("Not on one side"),
}
"""Labels of the roles other than declarer and partner, and of the relations between two players."""

RELATIONS = {name: IN_ROLES[name] for name in ("partners", "opponents", "alone", "against")}
"""Labels of the relations between two players."""

SEAT_ROLES = {
    "declarer": gettext_lazy("Declarer"),
    "partner": gettext_lazy("Partner"),
    "opponent": gettext_lazy("Opponent"),
    "alone": gettext_lazy("Everybody alone"),
}
"""Labels of the roles in the search for deals."""

OUTCOMES = {"won": gettext_lazy("above 0"), "lost": gettext_lazy("below 0")}
"""Labels of the outcomes of a deal for a player."""

EFFECTS = {
    "gained": gettext_lazy("a gain for the player you searched for or, without one, for the declarer"),
    "lost": gettext_lazy("a loss for the player you searched for or, without one, for the declarer"),
    "broken": gettext_lazy("broken"),
}
"""Labels of the effects that a clause can have in a deal."""

ORDERS = {
    "": gettext_lazy("day played, latest first"),
    "stored": gettext_lazy("day stored, latest first"),
    "score": gettext_lazy("most points of any player first"),
    "gain": gettext_lazy("the player’s points, highest first"),
    "loss": gettext_lazy("the player’s points, lowest first"),
}
"""Labels of the sort orders of a list of deals."""


def of(game: str = "", language: str | None = None) -> Mapping[str, Any]:
    """Return the texts of a game in the active language or, without a game, the texts common to all games."""
    return clauses.words(game or "common", language or get_language() or "en")


def listed(things: Iterable[str], between: str = "comma") -> str:
    """Join texts into a list. Use `semicolon` as the separator for texts that may contain commas."""
    return str(of()[between]).join(things)


def colon(name: str, what: str) -> str:
    """Join a name and a text with a colon as the language writes it: “Trick 4: Alena 12, Bořek 9”."""
    values = {"name": name, "what": what}
    return pgettext("a name and what is said of it", "%(name)s: %(what)s") % values


def comma() -> str:
    """Return the list separator."""
    return str(of()["comma"])


# --- games --------------------------------------------------------------------------------------------------


def game_name(game: str) -> str:
    """Return the name of a game, or the id itself if the engine doesn't know it."""
    if game == UNKNOWN_GAME:
        return gettext("Unknown game")
    try:
        return clauses.book(game, get_language() or "en").name
    except KeyError:
        return game


def contract(game: str, name: str | None) -> str:
    """Return the name of a contract, or an empty string if there is none."""
    return naming.contract(of(game), name) if name else ""


def stake(game: str, name: str) -> str:
    """Return the name of a stake that can be doubled."""
    return label(of(game)["stakes"].get(name, name))


def in_role(game: str, name: str) -> str:
    """Return the name of a player's role in a deal, or of the relation between two players."""
    return str(IN_ROLES[name]) if name in IN_ROLES else label(naming.role(of(game), name))


def options(game: str, names: Sequence[str]) -> str:
    """Return the options of a deal as text: a switch that is on by its name, others with their value."""
    names_of = of(game).get("options", {})
    parts = [name.partition("=") for name in names]
    named = [(names_of.get(slug, slug), value) for slug, _sign, value in parts]
    return listed((colon(name, value) if value else name for name, value in named), "semicolon")


SHOWN_OPTIONS = 3
"""Maximum number of options in the name of unnamed rules."""


def rules_name(rules: Rules, label: str = "", club: Space | None = None) -> str:
    """Return the name of a game and of its rules: the game alone for the source rules, the first options for
    rules that have no name. `label`: the name that a table gives them; `club`: a club whose names count."""
    name = game_name(rules.game)
    if not rules.options:
        return name
    if club and not (label or rules.name):
        own = club.house_rules.filter(game=rules.game, options=list(rules.options))
        label = own.values_list("name", flat=True).first() or ""
    more = " …" if len(rules.options) > SHOWN_OPTIONS else ""
    return f"{name} · {label or rules.name or ' '.join(rules.options[:SHOWN_OPTIONS]) + more}"


def rule_lines(game: str, options: Sequence[str], name: str = "") -> list[RuleLine]:
    """Return all options of a rule set in the active language. `name`: its name."""
    return house_rules.rule_lines(game, options, get_language() or "en", name)


def own_rules_name(club: Space) -> str:
    """Return the usual name of a club's own rules, without a version."""
    name = slugify(club.name)[:50].strip("-_").replace("_", "-")
    return name or f"club-{club.pk}"


def unit_note(unit: str) -> str:
    """Return what a unit is worth: “Amounts in haléře: 100 h = 1 Kč”; empty for plain points."""
    if unit == POINT:
        return ""
    values = {"unit": amounts.unit_name(unit, get_language() or "en")}
    if coins := amounts.money(100, unit, get_language() or "en"):
        values |= {"hundred": amounts.amount(100, unit, get_language() or "en", money=False), "money": coins}
        return gettext("Amounts in %(unit)s: %(hundred)s = %(money)s") % values
    return gettext("Amounts in %(unit)s") % values


# --- days ---------------------------------------------------------------------------------------------------


SAMPLE = "comment in a sample deal"
"""The gettext context of comments in the sample deals."""
_translation = pgettext  # Use another name, so that the call below is not extracted as a message.


def comment(text: str) -> str:
    """Return a comment from a record, translated if it comes from one of the sample deals."""
    return _translation(SAMPLE, text)


def day(when: date | str | None) -> str:
    """Return a date as text, such as “21 November 2026”, without unknown parts: “November 2026” for
    `2026-11-??`. If the month is unknown, the day is left out, too."""
    if not when:
        return ""
    parts = when.split("-") if isinstance(when, str) else f"{when:%Y-%m-%d}".split("-")
    year, month, number = (int(part) if part.isdigit() else 0 for part in parts)
    if year and number and month:
        form = pgettext("day, month and year, as Django’s filter “date” has it", "j F Y")
    elif year and month:
        form = pgettext("month and year, as Django’s filter “date” has it", "F Y")
    elif year:
        form = pgettext("year, as Django’s filter “date” has it", "Y")
    elif month and number:
        form = pgettext("day and month, as Django’s filter “date” has it", "j F")
    elif month:
        form = pgettext("month, as Django’s filter “date” has it", "F")
    else:
        return ""
    # For an unknown year use a leap year, so that 29 February is valid.
    return dateformat.format(date(year or 2000, month or 1, number or 1), form)


def months_of(year: int) -> Iterator[tuple[str, str, str]]:
    """Yield the months of a year: name, first day and last day."""
    for month in range(1, 13):
        first = date(year, month, 1)
        last = first.replace(day=monthrange(year, month)[1])
        yield dateformat.format(first, "M"), first.isoformat(), last.isoformat()


def moment(when: datetime) -> str:
    """Return a day and time in the operator's time zone: “21 November 2026, 09:05 CET”. A time zone that has
    no name is written as its offset: “UTC-03”."""
    there = when.astimezone(settings.PAGES_TIME_ZONE)
    zone = f"{there:%Z}"
    pattern = pgettext("a day and a time", "%(day)s, %(time)s")
    time = f"{there:%H:%M} {zone if zone.isalpha() else f'UTC{zone}'}"
    return pattern % {"day": day(there.date()), "time": time}


# --- players and sessions ---------------------------------------------------------------------------------


def seat_name(seat: Seat | Seated) -> str:
    """Return the name to display for the player at a seat."""
    return gettext("unknown player") if is_nobody(seat.display_name) else seat.display_name


def session_title(session: Session) -> str:
    """Return the name of a session for a place next to its date: without the date, if the name has it."""
    if not day(session.date):
        return session.name
    return session.name.replace(session.date, "").strip(" ,·–-") or session.name


def session_name(session: Session) -> str:
    """Return the name of a session and its date: sessions on different dates may have the same name."""
    when, title = day(session.date), session_title(session)
    return listed([title, when]) if when and title != session.date else when or title


# --- numbers ------------------------------------------------------------------------------------------------


def points(number: int | None, unit: str = POINT, *, money: bool = True) -> str:
    """Return points with a sign and, except for points, their unit; a dash for None. `money`: whether to add
    the currency of small units."""
    return amounts.amount(number, unit, get_language() or "en", signed=True, money=money)


def money(number: int, unit: str) -> str:
    """Return an amount of a small unit in its currency, with the sign of a gain: “+9,30 Kč”. Empty for
    points."""
    coins = amounts.money(number, unit, get_language() or "en")
    return f"+{coins}" if coins and number > 0 else coins


def amount(number: int, unit: str) -> str:
    """Return an amount with its unit, and no sign for a gain."""
    return amounts.amount(number, unit, get_language() or "en")


def unit(name: str) -> str:
    """Return the name of a unit."""
    return amounts.unit_name(name, get_language() or "en")


def mean(number: float, unit: str = POINT) -> str:
    """Return average points with their sign, two decimals and, except for points, their unit."""
    rounded = round(number, 2)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else ""
    return amounts.mean(sign + number_format(abs(rounded), 2), unit, get_language() or "en")


def sense(number: int | None) -> str:
    """Return the CSS class for points: `gain`, `loss` or `none`."""
    return "none" if not number else "gain" if number > 0 else "loss"


def first_sentence(text: str) -> str:
    """Return a text up to its first full stop."""
    return re.split(r"(?<=\.)\s|(?<=。)", text, maxsplit=1)[0]


def counted(visibilities: Mapping[str, int]) -> str:
    """Return the number of deals with each visibility, as one line of text."""
    return " · ".join(colon(VISIBILITIES[word], str(number)) for word, number in visibilities.items())


def changed_visibility(number: int, visibility: str) -> str:
    """Return the message that reports a change of the visibility of many deals."""
    who = VISIBILITIES[visibility]
    if not number:
        return gettext("No existing deals had to be changed. Who can see them: %(who)s.") % {"who": who}
    return ngettext(
        "%(number)d deal was changed. Who can see it now: %(who)s.",
        "%(number)d deals were changed. Who can see them now: %(who)s.",
        number,
    ) % {"number": number, "who": who}
