"""Views of statistics: of a game in all public deals, of a club, and of a hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive.models import Space
from archive.reading.figures import FEWEST
from archive.reading.statistics import games_played
from archive.rules import SEED, rules_of
from replays.clubs.figures import ExplorerForm, FiguresForm, hands, statistics
from replays.clubs.views.clubs import club_or_404
from replays.site.common import is_about, without_empty


@require_safe
def archive_statistics(request: HttpRequest) -> HttpResponse:
    """Show the statistics of a game (`?game=`) over all public deals."""
    return _statistics(request, None)


@never_cache
@require_safe
def club_statistics(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the statistics of a game over a club's deals that the viewer may see."""
    return _statistics(request, club_or_404(pk))


def _statistics(request: HttpRequest, space: Space | None) -> HttpResponse:
    if shorter := without_empty(request):
        return shorter
    if space:
        is_about(request, space)
    games = games_played(space, request.viewer, with_stated=False)
    form = FiguresForm(request.GET, games=games)
    context: dict[str, Any] = {"form": form, "space": space, "fewest": FEWEST, "game": ""}
    if form.is_valid():
        context |= statistics(form, request.viewer, space)
    return render(request, "clubs/statistics.html", context)


@never_cache
@require_safe
def explorer(request: HttpRequest) -> HttpResponse:
    """Show the results of a hand: how often each contract was played with it, and how it ended."""
    if shorter := without_empty(request):
        return shorter
    form = ExplorerForm(request.GET or None)
    found = hands(form, request.viewer) if form.is_valid() else []
    context: dict[str, Any] = {"form": form, "found": found, "fewest": FEWEST}
    if found:
        context["unit"] = rules_of(form.filters.rules or SEED)[0].unit
    return render(request, "clubs/explorer.html", context)
