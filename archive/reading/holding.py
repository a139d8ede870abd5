"""What holds a part of a text: sessions, clubs, contributions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from django.db.models import Q, QuerySet

from archive import lookups
from archive.fields import searchable
from archive.models import Contribution, Session, Space

MOST_LISTED = 500
"""Ids of sessions that stand in a query themselves."""


def _containing(named: QuerySet[Any], part: str) -> Any:
    """The ids of the sessions or clubs whose name contains this, in any case, with or without marks. Few of
    them are a list, which a plan can begin with: no database looks into a query first to see that there are
    none."""
    matching = named.filter(search_name__contains=searchable(part)).order_by()
    few = list(matching.values_list("pk", flat=True)[: MOST_LISTED + 1])
    return few if len(few) <= MOST_LISTED else matching.values("pk")


def sessions_holding(part: str) -> Any:
    """The ids of the sessions whose name contains this."""
    few = lookups.few_holding(Session, ["search_name"], searchable(part), MOST_LISTED)
    return _containing(Session.objects.all(), part) if few is None else few


def clubs_holding(part: str) -> Any:
    """The ids of the clubs whose name contains this."""
    return _containing(Space.objects.filter(kind="club"), part)


def contributions_holding(columns: Sequence[str], part: str) -> Q:
    """The contributions of which one of these columns contains a text."""
    few = lookups.few_holding(Contribution, columns, part, MOST_LISTED)
    if few is not None:
        return Q(pk__in=few)
    return reduce(Q.__or__, (Q(**{f"{column}__contains": part}) for column in columns))
