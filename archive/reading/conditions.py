"""Conditions on rules, sides of a deal and effects of a clause, for searches and statistics."""

from __future__ import annotations

from django.db.models import Exists, ExpressionWrapper, F, IntegerField, OuterRef, Q
from django.db.models.functions import Coalesce, Substr
from django.db.models.lookups import Regex

from archive import packed_sheets
from archive.database import storable
from archive.hands import Hand
from archive.models import HouseRules, Player, Seat
from archive.rules import Rules, rules_of
from archive.storing.sums import ROLES
from tarock.core.game import SEATS

_DECLARER = F("contribution__deal__declarer")
_ONE_SIDE = Q(seat=_DECLARER) | Q(seat=Coalesce("contribution__deal__partner", _DECLARER))
"""The seat of the declarer or of the partner."""
OTHER_SIDE = Q(contribution__deal__declarer__isnull=False) & ~_ONE_SIDE


def in_relation(other: int, relation: str) -> Q:
    """Return the condition that another player, with points, sat in this relation to a seat
    (`archive.reading.statistics.Together`), or `against`: as opponents, or each alone."""
    if relation == "alone":
        return ROLES["alone_"]
    names = Player.objects.meant_by(other).with_aliases().order_by()
    seats = Seat.objects.filter(
        contribution=OuterRef("contribution"),
        player__in=list(names.values_list("pk", flat=True)),
        points__isnull=False,
    ).order_by()
    on_one, on_other = Exists(seats.filter(_ONE_SIDE)), Exists(seats.filter(OTHER_SIDE))
    if relation == "partners":
        return _ONE_SIDE & on_one | OTHER_SIDE & on_other
    opponents = _ONE_SIDE & on_other | OTHER_SIDE & on_one
    return opponents | ROLES["alone_"] if relation == "against" else opponents


def effect_on_seat(clause: str, sign: str, column: str = "clauses") -> Q:
    """Return the condition that the clause gave points to a seat (sign `+`) or cost it points (`-`). In the
    column `doubles`, the condition is that the seat's side doubled a stake first, and what it got by it."""
    condition = Q()
    for number in range(len(SEATS)):
        pattern = packed_sheets.effect_pattern(clause, number, sign)
        condition |= Q(**{"seat": number, f"contribution__deal__{column}__regex": pattern})
    return condition


def held_by_seat(hand: Hand) -> Q:
    """Return the condition that a seat was dealt a hand."""
    start = ExpressionWrapper(F("seat") * 4 + 1, IntegerField())
    return Q(Regex(Substr("contribution__deal__hands", start, 4), hand.pattern(0)))


def dealt(hand: Hand | None, role: str) -> Q:
    """Return the condition that a seat of a deal had a role and, if one is given, was dealt a hand."""
    condition = Q()
    for number, seat in enumerate(SEATS):
        held = Q(hands__regex=hand.pattern(number)) if hand else Q()
        condition |= held & _has_role(seat, role)
    return condition


def _has_role(seat: str, role: str) -> Q:
    """Return the condition that a seat had a role in a deal."""
    if role == "alone":
        return Q(declarer__isnull=True)
    if role == "declarer":
        return Q(declarer=seat)
    is_partner = Q(declarer__isnull=False) & ~Q(declarer=seat) & Q(partner=seat)
    others = Q(declarer__isnull=False) & ~Q(declarer=seat) & (Q(partner__isnull=True) | ~Q(partner=seat))
    return is_partner if role == "partner" else others


def cites(clause: str, sign: str = "", column: str = "clauses") -> Q:
    """Return the condition that a deal's score has a line of the clause, which gave the declarer points
    (sign `+`), cost them points (`-`), or either. In the column `doubles`, the condition is that a stake was
    doubled, and what the side that doubled it first got by it."""
    start = f"{clause}={sign}"
    return Q(**{f"{column}__startswith": start}) | Q(**{f"{column}__contains": f" {start}"})


def rules_meant(text: str) -> tuple[Rules, ...]:
    """Return the rule sets that a text means: as `archive.rules.rules_of`, or a version of a club's rules.

    :raises ValueError: if it means none.
    """
    try:
        return rules_of(text)
    except ValueError:
        own = HouseRules.objects.filter(name=storable(text)).values_list("game", "options")
        if found := {Rules.of(game, options) for game, options in own}:
            return tuple(found)
        raise


def by_rules(text: str, seed: int | None = None) -> Q:
    """Return the condition that the column `rules` has one of the rule sets that a text means
    (`rules_meant`). `seed`: value of the column for the source rules."""
    found = rules_meant(text)
    others = Q(rules__in=[one.id for one in found if one.options])
    games = [one.game for one in found if not one.options]
    return Q(rules=seed, game__in=games) | others if games else others


def prefixed(condition: Q, prefix: str) -> Q:
    """Convert a condition on a table to a condition on another table that refers to it by the path `prefix`
    (`deal__`)."""
    children = [
        prefixed(one, prefix) if isinstance(one, Q) else (prefix + one[0], one[1])
        for one in condition.children
    ]
    return Q.create(children, condition.connector, condition.negated)
