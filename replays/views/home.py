"""The front page, and the small files that browsers and robots ask for."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from archive import selectors
from archive.models import VERDICTS
from tarock.clauses import book
from tarock.games import games

NEWEST = 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, what is in it, and the latest deals."""
    counts = selectors.counts()
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
            "deals": selectors.deals()[:NEWEST],
        },
    )


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Robots may read deals and rules; the steps of every replay and every filter of a list are too many."""
    lines = [
        "User-agent: *",
        f"Disallow: {reverse('replays:upload')}",
        f"Disallow: {reverse('replays:uploads')}",
        "Disallow: /accounts/",
        f"Disallow: /{settings.STATIC_URL.lstrip('/')}admin/",
        "Disallow: /*?",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """For browsers that ask for the old address whatever the page says."""
    return HttpResponsePermanentRedirect(static("replays/favicon.svg"))
