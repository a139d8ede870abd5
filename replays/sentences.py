"""What the engine reckoned, as a sentence in the reader's language.

A score line carries its reckoning as an English sentence and, beside it, the quantities that it was made
from. Here the sentence is made anew from the quantities, a template for each clause; nothing is reckoned. A
test holds every template, in English, to the sentence of the engine. Where a clause has no template or a
quantity lacks something (a line stored by another version of the engine), the engine's own sentence is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

from django.utils.html import format_html
from django.utils.translation import get_language, ngettext

from replays import words
from replays.spoken import said as _
from tarock.clauses import clause


class Line(Protocol):
    """A line of a score sheet, the engine's or a stored one."""

    clause: str
    points: dict[str, int]
    quantity: dict[str, Any]
    reckoning: str
    events: Any


def reckoning(line: Line, game: str, sheet: Iterable[Line] = ()) -> str:
    """The reckoning of a line in the language in use, with cards as signs. `sheet`: all lines of the deal.

    In English it is what the engine said and what is stored.
    """
    english = words.codes_to_signs(line.reckoning, game)
    if (get_language() or "en").startswith("en"):
        return english
    return made(line, game, sheet) or english


def made(line: Line, game: str, sheet: Iterable[Line] = ()) -> str | None:
    """The sentence made from the quantities; None without a template, or where something is lacking."""
    try:
        if line.clause in _ALONE:
            return _ALONE[line.clause](line, game)
        if line.clause == "grosstarock.null-refund":
            return _null_refund(line, sheet)
        if line.clause.startswith("taroky.hand-"):
            return _taroky_hand(line)
        if line.clause.startswith("grosstarock.declare-"):
            return _declared(line)
    except (KeyError, IndexError, StopIteration, TypeError, ValueError):
        return None
    return None


def _gaining(line: Line) -> str:
    return next(seat for seat, points in line.points.items() if points > 0)


def _listed(seats: Sequence[str]) -> str:
    """“A”, “A and B”, “A and B and C”."""
    return reduce(lambda one, other: _("%(one)s and %(other)s") % {"one": one, "other": other}, seats)


def _sign(code: str, game: str) -> str:
    return words.codes_to_signs(code, game)


def _times(factor: int) -> str:
    return f" × {factor}" if factor > 1 else ""


def _product(amount: int, factor: int) -> str:
    return f"{amount} × {factor} = {amount * factor}" if factor > 1 else str(amount)


# --- Strohmanntarock ----------------------------------------------------------------------------------------


def _last_tricks(line: Line, game: str) -> str:
    return _("%(card)s in trick %(trick)s, won by %(seat)s: 1") % {
        "card": _sign(line.quantity["card"], game),
        "trick": line.quantity["trick"],
        "seat": _gaining(line),
    }


def _rostopschin(line: Line, game: str) -> str:
    first, second = line.quantity["tricks"]
    return _("%(first_card)s and %(second_card)s called and won in tricks %(first)s and %(second)s: 1") % {
        "first_card": _sign("T17", game),
        "second_card": _sign("T18", game),
        "first": first,
        "second": second,
    }


def _strohmann_valat(line: Line, game: str) -> str:
    return _("all 27 tricks: 12")


def _undeclared(line: Line, game: str) -> str:
    if not line.points:
        return _("35 to 35 without a declarer: nothing")
    points = line.quantity["card_points"][_gaining(line)]
    return _("%(points)s card points, 36 or more without a declarer: 2") % {"points": points}


def _strohmann_game(line: Line, game: str) -> str:
    bands = {
        "45 or more": _("45 or more"),
        "36 to 44": _("36 to 44"),
        "27 to 35": _("27 to 35"),
        "26 or fewer": _("26 or fewer"),
    }
    winner = _gaining(line)
    return _("the declarer has %(points)s card points, %(band)s: %(score)s to %(seat)s") % {
        "points": line.quantity["card_points"][line.quantity["declarer"]],
        "band": bands[line.quantity["band"]],
        "score": line.points[winner],
        "seat": winner,
    }


# --- Taroky -------------------------------------------------------------------------------------------------


def _taroky_game(line: Line, game: str) -> str:
    q = line.quantity
    return f"({q['card_points'][q['side']]} − 35) × {q['rate']}{_times(q['factor'])} = {q['amount']}"


def _taroky_tie(line: Line, game: str) -> str:
    factor = line.quantity["factor"]
    if factor > 1:
        return _("35 to 35: 1 × %(factor)s = %(factor)s to the side without the bidder") % {"factor": factor}
    return _("35 to 35: 1 to the side without the bidder")


def _surrender(line: Line, game: str) -> str:
    bidder = next(seat for seat, points in line.points.items() if points < 0)
    return _("%(seat)s pays %(points)s to each of three") % {"seat": bidder, "points": line.quantity["each"]}


def _uncontested(line: Line, game: str) -> str:
    return _("not played: %(points)s for the game") % {"points": line.quantity["amount"]}


def _pagat_announced(line: Line, game: str) -> str:
    q = line.quantity
    how = (
        _("%(seat)s announced the pagat and won the last trick with %(card)s: %(sum)s")
        if q["made"]
        else _("%(seat)s announced the pagat and did not win the last trick with %(card)s: %(sum)s")
    )
    total = _product(20, q["factor"])
    return how % {"seat": q["announcer"], "card": _sign("T1", game), "sum": total}


def _pagat_ultimo(line: Line, game: str) -> str:
    q = line.quantity
    how = (
        _("%(seat)s played %(card)s to the last trick and won it: %(points)s")
        if q["made"]
        else _("%(seat)s played %(card)s to the last trick and lost it: %(points)s")
    )
    return how % {"seat": q["player"], "card": _sign("T1", game), "points": q["amount"]}


def _valat_announced(line: Line, game: str) -> str:
    q = line.quantity
    how = (
        _("%(seat)s announced the valat, and his side took every trick: %(sum)s")
        if q["made"]
        else _("%(seat)s announced the valat, and his side did not take every trick: %(sum)s")
    )
    return how % {"seat": q["announcer"], "sum": _product(140, q["factor"])}


def _taroky_valat(line: Line, game: str) -> str:
    return _("all 12 tricks, not announced: %(points)s") % {"points": line.quantity["amount"]}


def _taroky_hand(line: Line) -> str:
    item = line.clause.removeprefix("taroky.hand-")
    return _("%(seat)s declares %(item)s: %(points)s") % {
        "seat": line.quantity["seat"],
        "item": words.item(item),
        "points": line.quantity["amount"],
    }


def _varsava(line: Line, game: str) -> str:
    q = line.quantity
    payers, payment = q["payers"], q["payment"]
    most = q["card_points"][payers[0]]
    if not any(line.points.values()):
        return _("all four have %(points)s points: nothing is paid") % {"points": most}
    values = {"payers": _listed(payers), "points": most, "payment": payment}
    if len(payers) == 1:
        said = (
            _("%(payers)s has the most points, %(points)s: pays %(payment)s to each of the others") % values
        )
    else:
        said = _("%(payers)s tie with %(points)s points and share %(payment)s to each of the others") % values
    trickless = [seat for seat, points in line.points.items() if points == 2 * payment]
    if trickless:
        said += _(", twice that to %(seats)s without a trick") % {"seats": _listed(trickless)}
    return said


# --- Troggu -------------------------------------------------------------------------------------------------


def _troggu_game(line: Line, game: str) -> str:
    q = line.quantity
    own, others = q["card_points"]["tappist"], q["card_points"]["opponents"]
    if not line.points:
        return _("57 to 57: a draw, nothing is paid")
    lost = others if own > others else own
    level, chips, opponents = q["level"], q["chips"], q["opponents"]
    values = {"own": own, "others": others, "lost": lost, "level": level}
    if level == 3:
        said = _("%(own)s to %(others)s: the losing side has no trick: %(level)s") % values
    elif level == 2:
        said = (
            _("%(own)s to %(others)s: the losing side has %(lost)s points, 30 or fewer: %(level)s") % values
        )
    else:
        said = _("%(own)s to %(others)s: the losing side has %(lost)s points: %(level)s") % values
    if q["solo"]:
        said += _(" × 2 = %(chips)s (solo)") % {"chips": chips}
    said += ngettext(" for each of %(number)s opponent", " for each of %(number)s opponents", opponents) % {
        "number": opponents
    }
    if line.clause == "troggu.partner-split":
        said += _("; partner 2 × %(chips)s, Tappist %(number)s × %(chips)s") % {
            "chips": chips,
            "number": opponents - 2,
        }
    return said


def _misere(line: Line, game: str) -> str:
    q = line.quantity
    others = len(q["card_points"]) - len(q["payers"])
    return ngettext(
        "most points: %(points)s (%(payers)s); each pays 1 to each of %(number)s other",
        "most points: %(points)s (%(payers)s); each pays 1 to each of %(number)s others",
        others,
    ) % {"points": q["most"], "payers": ", ".join(q["payers"]), "number": others}


# --- Grosstarock --------------------------------------------------------------------------------------------


def _declared(line: Line) -> str:
    return _("%(seat)s declares %(item)s: %(points)s from each") % {
        "seat": line.quantity["seat"],
        "item": words.item(line.quantity["item"]),
        "points": line.quantity["amount"],
    }


def _card_bonus(line: Line, game: str) -> str:
    q = line.quantity
    how = (
        _("%(seat)s plays %(card)s in trick %(trick)s and wins it: gets %(points)s")
        if q["won"]
        else _("%(seat)s plays %(card)s in trick %(trick)s and loses it: pays %(points)s")
    )
    return how % {
        "seat": q["seat"],
        "card": _sign(q["card"], game),
        "trick": q["trick"],
        "points": abs(q["amount"]),
    }


def _last_trick(line: Line, game: str) -> str:
    return _("the last trick holds neither Pagat nor King; %(seat)s wins it: %(points)s from each") % {
        "seat": _gaining(line),
        "points": line.quantity["amount"],
    }


def _bole_or_null(line: Line, game: str) -> str:
    q = line.quantity
    item = line.clause.removeprefix("grosstarock.")
    named = {"bole": _("bolé"), "null": _("null")}[item]
    values = {"seat": q["seat"], "item": named, "points": abs(q["amount"]), "trick": q.get("before_trick")}
    if q["made"] and "before_trick" not in q:
        return _("%(seat)s makes %(item)s, not announced: %(points)s from each") % values
    if q["made"]:
        return _("%(seat)s announces %(item)s before trick %(trick)s and makes it: gets %(points)s") % values
    return _("%(seat)s announces %(item)s before trick %(trick)s and fails: pays %(points)s") % values


def _null_refund(line: Line, sheet: Iterable[Line]) -> str:
    seat, events = line.quantity["seat"], list(line.events)
    paid = {e: -other.points[seat] for other in sheet for e in other.events if other.clause in _REFUNDED}
    # Without the lines that are paid back, only their sum can be told.
    parts = [str(paid[event]) for event in events] if set(events) <= set(paid) else []
    total = " + ".join(parts) + " = " if parts else ""
    return _("%(seat)s is paid back %(sum)s") % {"seat": seat, "sum": f"{total}{line.quantity['amount']}"}


def _shares(line: Line, game: str) -> str:
    return "; ".join(f"{s}: {p} − 26 = {p - 26}".replace("= -", "= −") for s, p in _points(line).items())


def _points(line: Line) -> Mapping[str, int]:
    counted: Mapping[str, int] = line.quantity["card_points"]
    return counted


_REFUNDED = {f"grosstarock.{name}" for name in ("pagat", "pagat-ultimo", "king", "king-ultimo")}
_ALONE: dict[str, Callable[[Line, str], str]] = {
    "strohmann.pagat-ultimo": _last_tricks,
    "strohmann.uhu": _last_tricks,
    "strohmann.kakadu": _last_tricks,
    "strohmann.rostopschin": _rostopschin,
    "strohmann.valat": _strohmann_valat,
    "strohmann.game-undeclared": _undeclared,
    "strohmann.game": _strohmann_game,
    "taroky.game": _taroky_game,
    "taroky.game-tie": _taroky_tie,
    "taroky.surrender": _surrender,
    "taroky.settle-uncontested": _uncontested,
    "taroky.pagat-announced": _pagat_announced,
    "taroky.pagat-ultimo": _pagat_ultimo,
    "taroky.valat-announced": _valat_announced,
    "taroky.valat": _taroky_valat,
    "taroky.varsava-pay": _varsava,
    "taroky.varsava-tie": _varsava,
    "troggu.game": _troggu_game,
    "troggu.solo": _troggu_game,
    "troggu.partner-split": _troggu_game,
    "troggu.misere": _misere,
    **dict.fromkeys(_REFUNDED, _card_bonus),
    "grosstarock.last-trick": _last_trick,
    "grosstarock.bole": _bole_or_null,
    "grosstarock.null": _bole_or_null,
    "grosstarock.card-points": _shares,
}


# --- findings -----------------------------------------------------------------------------------------------


def finding(stored: Mapping[str, Any], players: Mapping[str, str], game: str) -> str:
    """What is wrong with a record, for a page: without the event's number, cards as signs.

    The engine says it in English. In another language a sentence is made from the clause and the seat, and
    the engine's own, which tells more, stands behind it, marked as English.
    """
    english = words.codes_to_signs(_EVENT.sub("", stored.get("message") or ""), game)
    language = get_language() or "en"
    if not english or language.startswith("en"):
        return english
    seat = stored.get("seat") or ""
    player = players.get(seat, seat)
    slug = stored.get("clause")
    if slug:
        title = clause(slug, language).title
        said = (
            _("%(player)s breaks “%(clause)s”.") % {"player": player, "clause": title}
            if player
            else _("This breaks “%(clause)s”.") % {"clause": title}
        )
    else:
        said = _("The record ends too early; %(player)s is to go on.") % {"player": player}
    return format_html('{} <span class="in-english muted" lang="en">{}</span>', said, english)


_EVENT = re.compile(r"^event \d+: ")
