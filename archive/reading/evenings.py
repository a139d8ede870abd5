"""Evenings at the table: those that one may enter, and how one stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet

from archive.access import Viewer
from archive.models import CHOSEN, Contribution, Evening, Player, Space

MOST_PLAYERS = 200
"""The players of a space that are offered, those who played last first."""

MOST_EVENINGS = 30


def _with_session() -> QuerySet[Evening]:
    return Evening.objects.select_related("session__space")


def find_evening(key: UUID) -> Evening | None:
    """The evening with this key, with its session and space."""
    return _with_session().filter(key=key).first()


def recent_evenings(viewer: Viewer) -> QuerySet[Evening]:
    """The latest evenings of the viewer's spaces."""
    return _with_session().filter(session__space__in=viewer.spaces("member"))[:MOST_EVENINGS]


def spaces_for(viewer: Viewer) -> list[Space]:
    """The spaces in which the viewer may start an evening, clubs first."""
    spaces = Space.objects.filter(pk__in=viewer.spaces("member"), kind__in=("club", "own", "guest"))
    return sorted(spaces, key=lambda space: (space.kind != "club", space.name))


def last_evenings(spaces: Iterable[Space]) -> dict[int, Evening]:
    """The last evening of each of these spaces."""
    rows = Evening.objects.filter(session__space__in=[space.pk for space in spaces]).order_by()
    latest = rows.values("session__space").annotate(last=Max("pk")).values("last")
    return {one.session.space_id: one for one in _with_session().filter(pk__in=latest)}


def players_of(space: Space) -> list[str]:
    """The names of a space's players, as they are written in its records, those who played last first."""
    rows = Player.objects.filter(space=space).annotate(last=Max("seats__contribution"))
    return list(rows.order_by("-last", "name").values_list("name", flat=True)[:MOST_PLAYERS])


def deals_of(evening: Evening) -> list[Contribution]:
    """The deals of an evening that count, each with its deal and seats, by their numbers."""
    rows = Contribution.objects.prefetched().select_related("deal").with_is_alone()
    rows = rows.filter(session=evening.session_id, visibility__in=CHOSEN, number__isnull=False)
    return list(rows.order_by("number", "pk"))


def state_of(evening: Evening) -> tuple[Any, ...]:
    """By what it is known whether an evening has changed. One query."""
    rows = Contribution.objects.filter(session=evening.session_id).order_by("pk")
    return (evening.version, *rows.values_list("pk", "fingerprint", "visibility", "verdict"))
