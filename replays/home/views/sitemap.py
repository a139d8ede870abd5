"""The sitemap of the public pages. Its parts are ranges of ids, so that no part grows with the archive."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.contrib.sitemaps import Sitemap, views
from django.core.paginator import Page, Paginator
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from archive import access
from archive.models import Deal, Session
from archive.reading.clubs import all_clubs
from replays.site.paths import path
from tarock.games import GAMES

SIZE = 5000
"""Number of consecutive ids in a part; the protocol allows 50,000 URLs."""


class _Ids(Paginator):
    """Pages of ids, each with the ids in a range of `SIZE`. `last`: the highest id."""

    def __init__(self, ids: QuerySet[Any], column: str, last: int) -> None:
        super().__init__(ids, SIZE)
        self.column, self.last = column, last

    @cached_property
    def num_pages(self) -> int:
        return self.last // SIZE + 1

    def page(self, number: Any) -> Page:
        first = (self.validate_number(number) - 1) * SIZE
        ids = self.object_list.filter(**{f"{self.column}__gte": first, f"{self.column}__lt": first + SIZE})
        return self._get_page(list(ids.order_by(self.column)), number, self)


class _Public(Sitemap):
    """The public things of a kind. `name`: name of the URL pattern of their pages."""

    def __init__(self, name: str, ids: QuerySet[Any], column: str, model: type[Deal | Session]) -> None:
        self.name, self.ids, self.column, self.model = name, ids, column, model

    @property
    def paginator(self) -> _Ids:
        last = self.model.objects.order_by().aggregate(last=Max("pk"))["last"] or 0
        return _Ids(self.ids, self.column, last)

    def location(self, item: int) -> str:
        return path(self.name, item)


class _Pages(Sitemap):
    """The clubs, and the pages that every archive has."""

    def items(self) -> list[str]:
        names = ("home", "deals", "players", "sessions", "clubs", "leaderboard", "rules", "notation", "dumps")
        games = (path(name, game) for game in GAMES for name in ("learn", "learn-rules", "rules-game"))
        clubs = (path("club", club.pk) for club in all_clubs("en"))
        return [*(path(name) for name in names), *games, *clubs]

    def location(self, item: str) -> str:
        return item


def _sitemaps() -> dict[str, Sitemap]:
    # Guests' deals are public, too, but nobody answers for them.
    deals = access.listed().without_guests().values_list("deal_id", flat=True).distinct()
    sessions = Session.objects.filter(public_deals__gt=0).exclude(space__kind="guest")
    return {
        "pages": _Pages(),
        "deals": _Public("deal", deals, "deal_id", Deal),
        "sessions": _Public("session", sessions.values_list("pk", flat=True), "pk", Session),
    }


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Return the list of the parts of the sitemap."""
    return views.index(request, _sitemaps(), sitemap_url_name="replays:sitemap-part")


@require_safe
def part(request: HttpRequest, section: str) -> HttpResponse:
    """Return a part of the sitemap: a section, and of it the page `?p=2`."""
    return views.sitemap(request, _sitemaps(), section)
