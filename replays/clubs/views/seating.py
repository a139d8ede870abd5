"""Views of the seating for the next evening, based on a session or a season."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive.models import Space
from archive.reading.scores import Score
from archive.reading.sessions import Standing
from archive.storing import spaces
from replays.clubs.seating import SeatingForm, placed
from replays.clubs.views.clubs import club_or_404
from replays.clubs.views.leaderboard import form_of, ranking
from replays.clubs.views.sessions import session_or_404
from replays.site.common import is_about, nonempty_query
from replays.site.paths import path


@require_safe
def after_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next evening's seating from a session's standings in `?game=` (default: its first game)."""
    session, table = session_or_404(request, pk)
    is_about(request, session.space)
    # By several rules of a game, the first ones decide.
    games = {rules.game: rows for rules, rows in reversed(table.standings.items())}
    if not games:
        raise Http404
    names = list(dict.fromkeys(rules.game for rules in table.standings))
    game = request.GET.get("game", "")
    game = game if game in games else names[0]
    return _page(request, game, games[game], path("session", pk), session.name, names)


@never_cache
@require_safe
def after_club_season(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next evening's seating, based on a club's season. The query string has the parameters of the
    ranking form and of the seating form."""
    return _after_season(request, club_or_404(pk), path("club-season", pk))


@never_cache
@login_required
@require_safe
def after_own_season(request: HttpRequest) -> HttpResponse:
    """Show the next evening's seating, based on a season of the user's own space."""
    return _after_season(request, spaces.own(request.user), path("own-season"))


def _after_season(request: HttpRequest, space: Space, season: str) -> HttpResponse:
    is_about(request, space)
    form = form_of(request, space)
    query = nonempty_query(request)
    for name in SeatingForm.base_fields:
        query.pop(name, None)
    back = f"{season}?{query.urlencode()}".rstrip("?")
    if not form.is_valid() or not form.cleaned_data["game"]:
        return HttpResponseRedirect(back)
    found, _choice = ranking(request, form, form.chosen_game)
    rows = next((list(rows) for _rules, rows in groupby(found, attrgetter("rules"))), [])
    return _page(request, form.chosen_game, rows, back, space.name)


def _page(
    request: HttpRequest,
    game: str,
    rows: Iterable[Score | Standing],
    back: str,
    name: str,
    games: Iterable[str] = (),
) -> HttpResponse:
    """Render the seating page. `back`, `name`: URL and name of session or season; `games`: game choices."""
    players = placed(rows)
    form = SeatingForm(request.GET, players, game)
    tables, rest = form.seating
    hidden = [(key, value) for key, value in request.GET.items() if key not in form.fields and key != "game"]
    context = {
        "form": form,
        "players": players,
        "present": form.present,
        "tables": [(table, form.remark(table)) for table in tables],
        "rest": rest,
        "game": game,
        "games": list(games),
        "hidden": hidden,
        "back": back,
        "name": name,
    }
    return render(request, "clubs/seating.html", context)
