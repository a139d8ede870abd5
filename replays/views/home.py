"""The front page, and the small files that browsers and robots ask for."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

import tarock.replay
from archive.models import VERDICTS
from archive.reading import deals, statistics
from archive.reading.filters import Filters
from replays.deal.address import OPENED
from replays.deal.analysis import analysis_of
from replays.lessons import lessons
from replays.names import Names
from tarock.clauses import book
from tarock.games import games
from tarock.table_page import table_view

NEWEST = 8
LATEST = 5
"""Candidates for the deal to open with: some are settled before the first trick."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """An introduction, a deal to watch, the archive's counts, and its latest deals that are in order."""
    counts = statistics.count_archive()
    verdicts = {v: counts.by_verdict[v] for v in VERDICTS if v in counts.by_verdict}
    return render(
        request,
        "replays/home.html",
        {
            "counts": counts,
            "verdicts": verdicts,
            "games": [
                {"info": g, "book": book(g.id, request.LANGUAGE_CODE), "deals": counts.by_game.get(g.id, 0)}
                for g in games()
            ],
            "opening": _opening(),
            "lessons": lessons(),
            "deals": list(
                deals.iter_deals(
                    Filters(good=True, without_guests=True),
                    newest_first=True,
                    limit=NEWEST,
                    without=("text", "sheet"),
                )
            ),
        },
    )


def _opening() -> dict[str, Any] | None:
    """A deal to watch, in the middle of its play; None if none of the latest was played."""
    for deal in deals.latest_verified(timezone.localdate(), LATEST):
        analysis = analysis_of(deal)
        tricks = [row.event + 1 for row in analysis.outline(OPENED) if row.winner]
        if tricks:
            position = tarock.replay.position(analysis.record, tricks[len(tricks) // 2])
            return {"deal": deal, "position": table_view(position, Names(deal.game, deal.players))}
    return None


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Robots may read deals and rules; the steps of every replay and every filter of a list are too many."""
    lines = [
        "User-agent: *",
        f"Disallow: {reverse('replays:upload')}",
        f"Disallow: {reverse('replays:uploads')}",
        "Disallow: /accounts/",
        "Disallow: /evenings/",
        f"Disallow: /{settings.STATIC_URL.lstrip('/')}admin/",
        "Disallow: /*?",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon at the address that browsers request whatever the page says."""
    return HttpResponsePermanentRedirect(static("replays/favicon.svg"))
