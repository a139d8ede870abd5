"""Players and sessions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive import selectors
from archive.models import Player, Session
from replays.views.common import page_of


@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """All players by name, or those whose name holds ``?q=``."""
    search = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    return render(
        request,
        "replays/players.html",
        {"page": page_of(request, selectors.players(search, request.LANGUAGE_CODE), 60), "search": search},
    )


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """One player: what he has made in each game, and his deals."""
    try:
        found = selectors.player(pk)
    except Player.DoesNotExist:
        raise Http404 from None
    return render(
        request,
        "replays/player.html",
        {
            "player": found,
            "scores": list(selectors.scores_by_game(found)),
            "page": page_of(request, selectors.deals(selectors.Filters(player=found))),
        },
    )


@require_safe
def sessions(request: HttpRequest) -> HttpResponse:
    """All sessions, the latest first."""
    return render(request, "replays/sessions.html", {"page": page_of(request, selectors.sessions())})


@require_safe
def session(request: HttpRequest, pk: int) -> HttpResponse:
    """One session as it stands on paper: its deals in order, running totals, places."""
    try:
        found = selectors.session(pk)
    except Session.DoesNotExist:
        raise Http404 from None
    table = selectors.session_table(found, request.LANGUAGE_CODE)
    return render(request, "replays/session.html", {"session": found, "table": table})
