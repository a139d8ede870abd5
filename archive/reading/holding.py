"""Search for sessions, clubs and contributions by the words in their texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from archive.lookups import MOST_LISTED, Word, holding, words
from archive.models import Contribution, ContributionQuerySet, Session, Space
from archive.storing.contribution_data import SEARCH


def _named(rows: QuerySet[Any], words: Iterable[Word]) -> Any:
    """Return the ids of the sessions or clubs whose name contains each of these words: as a list if there are
    at most `MOST_LISTED`, otherwise as a subquery. Given a list, the database knows how few ids there are
    when it plans the query; for a subquery it doesn't."""
    matching = rows.filter(holding(rows.model, ["search_name"], words)).order_by()
    few = list(matching.values_list("pk", flat=True)[: MOST_LISTED + 1])
    return few if len(few) <= MOST_LISTED else matching.values("pk")


def sessions_holding(text: str) -> Any:
    """Return the ids of the sessions whose name contains each word of a text."""
    return _named(Session.objects.all(), words(text))


def clubs_holding(text: str) -> Any:
    """Return the ids of the clubs whose name contains each word of a text."""
    return _named(Space.objects.filter(kind="club"), words(text))


def with_text(contributions: ContributionQuerySet, text: str) -> ContributionQuerySet:
    """Return the contributions whose event, place, session, tags or comments contain each word of a text."""
    for word in words(text):
        held = holding(Contribution, SEARCH, [word])
        contributions = contributions.filter(held | Q(session__in=_named(Session.objects.all(), [word])))
    return contributions
