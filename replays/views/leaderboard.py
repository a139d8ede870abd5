"""The players with the most points."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive.access import Viewer
from archive.reading import players, scores
from archive.reading.filters import Filters
from replays.forms import LeaderboardForm
from replays.views.common import nonempty_query, without_empty
from tarock.games import GAMES

ROWS = 100
"""Players listed."""


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """The players with the most points in a game, of a club, a year or month, of those with some deals at
    least. Points of different games do not compare: until a game is chosen the page offers the games."""
    if shorter := without_empty(request):
        return shorter
    form, viewer = LeaderboardForm(request.GET), request.viewer
    rows: list[scores.Ranked] = []
    least = form.LEAST
    game = ""
    if form.is_valid():
        game, least = form.cleaned_data["game"], form.cleaned_data["least"] or least
        by = form.cleaned_data["by"] or "mean"
        if game:
            rows = scores.ranked(_ranking(form.filters, viewer, least, by), by)
    query = nonempty_query(request)
    query.pop("game", None)
    context = {
        "form": form,
        "game": game,
        "games": list(GAMES),
        "query_string": query.urlencode(),
        "rows": rows,
        "least": least,
        "own": players.own_players(viewer),
        "most": ROWS,
    }
    return render(request, "replays/leaderboard.html", context)


def _ranking(filters: Filters, viewer: Viewer, least: int, by: str) -> list[dict[str, Any]]:
    """The ranking. That of all clubs is cached for a minute for viewers in none: to add up the points of
    100,000 deals takes a quarter of a second."""

    def ranking() -> list[dict[str, Any]]:
        return scores.ranking(filters, viewer, least=least, by=by, most=ROWS)

    if viewer.roles or filters.club or least != LeaderboardForm.LEAST:
        return ranking()
    key = f"leaderboard-{filters.game}-{filters.date_from}-{filters.date_to}-{by}"
    rows: list[dict[str, Any]] = cache.get_or_set(key, ranking, 60)
    return rows
