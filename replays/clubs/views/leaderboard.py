"""Rankings of players by points: in all clubs, in a club's season, and in the user's own space."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive.models import Space
from archive.reading import scores, statistics
from archive.reading.clubs import seasons_of
from archive.storing import spaces
from replays.clubs.ranking import RankingForm, as_csv
from replays.clubs.views.clubs import club_or_404
from replays.site.common import delimiter_of, download, is_about, nonempty_query, without_empty
from replays.site.paths import path

ROWS = 100
"""Maximum number of players listed."""


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Rank the players of a game by points, leaving out players with too few deals. Points from different
    games are not comparable, so the page shows one game, by default the one with the most deals. Only deals
    by the source rules count, unless the user chooses other rules."""
    return _page(request, None, path("leaderboard-csv"))


@never_cache
@require_safe
def club_season(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club's players ranked by their points in a season."""
    return _page(request, club_or_404(pk), path("club-season-csv", pk), path("club-seating", pk))


@never_cache
@login_required
@require_safe
def own_season(request: HttpRequest) -> HttpResponse:
    """Show the players in the user's own space ranked by their points in a season."""
    return _page(request, spaces.own(request.user), path("own-season-csv"), path("own-seating"))


@require_safe
def public_csv(request: HttpRequest, pk: int | None = None) -> HttpResponseBase:
    """Return the whole leaderboard as CSV or, with a club's id, the ranking of the club's season."""
    if pk is None:
        return _csv(request, None, "leaderboard.csv")
    return _csv(request, club_or_404(pk), f"season-{pk}.csv")


@login_required
@require_safe
def own_season_csv(request: HttpRequest) -> HttpResponseBase:
    """Return the ranking of the user's own season as CSV."""
    return _csv(request, spaces.own(request.user), "season.csv")


def form_of(request: HttpRequest, space: Space | None) -> RankingForm:
    """Return the ranking form, filled in from the query string."""
    seasons = seasons_of(space, request.viewer) if space else ()
    games = statistics.games_played(space, request.viewer)
    return RankingForm(request.GET, space=space, seasons=seasons, games=games)


def ranking(
    request: HttpRequest, form: RankingForm, game: str, most: int | None = None
) -> tuple[scores.Scores, scores.Choice]:
    """Return the ranking of a game (or all games, if empty) selected by a valid form, with the minimum number
    of deals that applies; with `most`, only its first `most` rows."""
    window, rows, choice = slice(0, most), scores.Scores(), form.choice
    filters = replace(form.filters, game=game)
    for least in form.minimums:
        choice = replace(form.choice, least_deals=least)
        rows = scores.player_scores(filters, request.viewer, choice, request.LANGUAGE_CODE, window)
        if rows:
            break
    return rows, choice


def _page(request: HttpRequest, space: Space | None, csv: str, seating: str = "") -> HttpResponse:
    if shorter := without_empty(request):
        return shorter
    if space:
        is_about(request, space)
    form = form_of(request, space)
    game = form.chosen_game if form.is_valid() else ""
    rows, choice = ranking(request, form, game, ROWS) if game else (scores.Scores(), form.choice)
    query = nonempty_query(request)
    query["game"] = game
    context: dict[str, Any] = {
        "form": form,
        "space": space,
        "game": game,
        "whole_query": query.urlencode(),
        "csv": csv,
        "seating": seating,
        "rows": rows,
        "tables": [(rules, list(of_rules)) for rules, of_rules in groupby(rows, attrgetter("rules"))],
        "choice": choice,
        "count": choice.count,
        "days": {"date_from": form.filters.date_from, "date_to": form.filters.date_to} if game else {},
        "own": request.viewer.players,
        "most": ROWS,
        "most_evenings": scores.MOST_EVENINGS,
    }
    return render(request, "clubs/leaderboard.html", context)


def _csv(request: HttpRequest, space: Space | None, name: str) -> HttpResponseBase:
    form = form_of(request, space)
    if not form.is_valid():
        raise Http404
    rows, _choice = ranking(request, form, form.cleaned_data["game"])
    return download(as_csv(rows, delimiter_of(request)), "text/csv", name)
