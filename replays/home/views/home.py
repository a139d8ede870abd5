"""The front page, the open data, the choice of language, and small files for browsers and robots."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language

from archive import conf
from archive.publishing import dumps
from archive.reading import deals, statistics
from archive.reading.filters import Filters
from replays.deal.address import OPENED, Address
from replays.deal.analysis import analysis_of
from replays.deal.steps import Steps
from replays.home.lessons import lessons
from replays.puzzles.views import of_today
from replays.site.paths import path
from tarock.games import games
from tarock.words.clauses import book

NEWEST = 8
LATEST = 10
"""Number of latest deals from which the front page's deal is chosen. A single deal would not be enough,
because some deals end before the first trick."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show an introduction, a deal to watch, the archive's counts, and the latest valid deals."""
    counts = statistics.count_archive()
    return render(
        request,
        "home/home.html",
        {
            "counts": counts,
            "games": [
                {"info": g, "book": book(g.id, request.LANGUAGE_CODE), "deals": counts.by_game.get(g.id, 0)}
                for g in games()
            ],
            "opening": _opening(),
            "lessons": lessons(),
            "today": of_today(request),
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
    """Return the deal that the front page plays, or None if no deal has a trick. Of the operator's latest
    deals (or all latest ones, if there are none), try those with most comments first. The deal begins at the
    end of its first trick with a comment, so that the first picture has a caption; otherwise of its first
    trick."""
    today = timezone.localdate()
    found = deals.latest_verified(today, LATEST, house=True) or deals.latest_verified(today, LATEST)
    for deal in sorted(found, key=lambda deal: (len(deal.record.comments), len(deal.lines)), reverse=True):
        analysis = analysis_of(deal)
        ends = [row for row in analysis.outline(OPENED) if row.trick and row.winner]
        if ends:
            begin = next((row for row in ends if row.comments), ends[0])
            steps = Steps(deal, analysis, Address(begin.event + 1))
            return {"deal": deal, "steps": steps, "frame": steps.frame(steps.state)}
    return None


@require_safe
def dump_list(request: HttpRequest) -> HttpResponse:
    """List the dumps of the public deals by month, the latest first, with their contents."""
    names = {"sums": dumps.SUMS, "log": dumps.LOG}
    is_written = conf.dump_dir() is not None
    context = {**names, "months": dumps.months(), "license": conf.data_license(), "is_written": is_written}
    return render(request, "home/dumps.html", context)


language = csrf_exempt(never_cache(require_POST(set_language)))
"""View that stores the language in a cookie and redirects to the page `next` on this site. It has no CSRF
check: another site could only switch the language, and a CSRF token would set a cookie for every reader."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt. Robots may read deals and rules, but not lists with every possible filter. URLs of
    pictures, replay steps and oEmbed responses have a query, but are allowed because previews use them."""
    lines = [
        "User-agent: *",
        f"Disallow: {reverse('replays:upload')}",
        f"Disallow: {reverse('replays:uploads')}",
        "Disallow: /accounts/",
        "Disallow: /evenings/",
        f"Disallow: /{settings.STATIC_URL.lstrip('/')}admin/",
        "Disallow: /*?",
        f"Allow: {reverse('replays:oembed')}?",
        *(f"Allow: /*/{name}?" for name in ("replay/", "embed/", "*.png")),
        "Allow: /site.png?",
        "Allow: /sitemap-*.xml?",
        f"Sitemap: {request.build_absolute_uri(reverse('replays:sitemap'))}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def web_app(name: str, page: str) -> HttpResponse:
    """Return the manifest of a web app that begins at a page and consists of the pages below it."""
    icons = [
        {
            "src": static(f"replays/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": use,
        }
        for size, use in ((192, "any"), (512, "any"), (512, "maskable"))
    ]
    body = {
        "name": name,
        "short_name": _("Tarock"),
        "start_url": page,
        "scope": page,
        "display": "standalone",
        "background_color": "#f4f1e9",
        "theme_color": "#1d5c48",
        "icons": icons,
    }
    return JsonResponse(body, content_type="application/manifest+json")


@cache_control(no_cache=True)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest of the whole site, for readers. It needs no service worker."""
    return web_app(_("Tarock archive"), path("home"))


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect the URL that browsers request by default to the site's icon."""
    return HttpResponsePermanentRedirect(static("replays/favicon.svg"))
