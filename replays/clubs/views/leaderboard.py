"""Rankings of players by points: in all clubs, in a club's season, and in the user's own space."""

from __future__ import annotations

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
from archive.reading import scores
from archive.reading.clubs import seasons_of
from archive.storing import spaces
from replays.clubs.ranking import RankingForm, as_csv
from replays.clubs.views.clubs import club_or_404
from replays.site.common import delimiter_of, download, is_about, nonempty_query, without_empty
from replays.site.paths import path
from tarock.games import GAMES

ROWS = 100
"""Maximum number of players listed."""


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Rank the players of a game by points, leaving out players with too few deals. Points from different
    games are not comparable, so the page first asks the user to choose a game. Only deals by the source rules
    count, unless the user chooses other rules."""
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
    return RankingForm(request.GET, space=space, seasons=seasons)


def ranking(request: HttpRequest, form: RankingForm, most: int | None = None) -> scores.Scores:
    """Return the ranking selected by a valid form; with `most`, only its first `most` rows."""
    window = slice(0, most)
    return scores.player_scores(form.filters, request.viewer, form.choice, request.LANGUAGE_CODE, window)


def _page(request: HttpRequest, space: Space | None, csv: str, seating: str = "") -> HttpResponse:
    if shorter := without_empty(request):
        return shorter
    if space:
        is_about(request, space)
    form = form_of(request, space)
    game = form.cleaned_data["game"] if form.is_valid() else ""
    rows = ranking(request, form, ROWS) if game else scores.Scores()
    query = nonempty_query(request)
    whole_query = query.urlencode()
    query.pop("game", None)
    context: dict[str, Any] = {
        "form": form,
        "space": space,
        "game": game,
        "games": list(GAMES),
        "query_string": query.urlencode(),
        "whole_query": whole_query,
        "csv": csv,
        "seating": seating,
        "rows": rows,
        "tables": [(rules, list(of_rules)) for rules, of_rules in groupby(rows, attrgetter("rules"))],
        "choice": form.choice,
        "own": request.viewer.players,
        "most": ROWS,
        "most_evenings": scores.MOST_EVENINGS,
    }
    return render(request, "clubs/leaderboard.html", context)


def _csv(request: HttpRequest, space: Space | None, name: str) -> HttpResponseBase:
    form = form_of(request, space)
    if not form.is_valid():
        raise Http404
    return download(as_csv(ranking(request, form), delimiter_of(request)), "text/csv", name)
