"""Views to share a deal: a page for embedding, the oEmbed response for it, and a page for printing.

Other sites get only public data, as in `replays.deal.views.pictures`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, urlsplit

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import resolve
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key, number_of
from archive.shown import ShownDeal
from replays.deal import printing, sharing
from replays.deal.about import AboutDeal
from replays.deal.analysis import analysis_of
from replays.deal.hindsight import hindsight_view
from replays.deal.page import Page
from replays.deal.steps import Steps
from replays.language.names import Names
from replays.pictures import drawing
from replays.site.common import ONLY_POINTS, deal_or_404
from replays.site.paths import path


@require_safe
@csp_replace({"frame-ancestors": ["*"]})
@xframe_options_exempt
def embed(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the table at a step, or the points of a score sheet, in a frame on another site. The page has no
    script and only links to pages, so it cannot be used for clickjacking."""
    deal = deal_or_404(key, EVERYBODY)
    if deal.is_result:
        raise Http404(ONLY_POINTS)
    if deal.is_sheet:
        about = AboutDeal(deal, Names(deal.game, deal.players), EVERYBODY, "")
        context = {"deal": deal, "about": about, "full": path("audit", deal.key)}
        return render(request, "deal/embed_sheet.html", context)
    page = Page(steps_of(deal, request.GET))
    replay = sharing.link("replay", deal, replace(page.address, step=page.steps.current))
    return render(request, "deal/embed.html", {"deal": deal, "page": page, "full": replay})


def steps_of(deal: ShownDeal, query: QueryDict) -> Steps:
    """Return the steps of a deal for the address in a query string, with guessing turned off."""
    analysis = analysis_of(deal)
    return Steps(deal, analysis, replace(analysis.address(query), guess=False))


_EMBEDDABLE = {"deal", "replay", "audit", "deal-embed"}


def _own(request: HttpRequest, address: str) -> tuple[ShownDeal, QueryDict]:
    """Return the deal that a URL of this site shows, and the URL's query. Raise `Http404` for any other
    URL, and for a deal without cards."""
    try:
        parts: SplitResult = urlsplit(address)
        host = parts.netloc.lower()
    except ValueError:
        raise Http404 from None
    if parts.scheme not in ("http", "https") or host != request.get_host().lower():
        raise Http404
    # Accept URLs without the final slash, too, since they redirect to the page.
    match = resolve(parts.path.rstrip("/") + "/")
    if match.namespace != "replays" or match.url_name not in _EMBEDDABLE:
        raise Http404
    deal = deal_or_404(match.kwargs["key"], EVERYBODY)
    if deal.is_result:
        raise Http404(ONLY_POINTS)
    return deal, QueryDict(parts.query)


def _shown_in(deal: ShownDeal, query: QueryDict) -> tuple[str, str, list[tuple[int, int]]]:
    """Return the URL paths of what an embedding page shows: the page for the frame, and its picture; and the
    sizes of that picture, the second with `&size=small`."""
    large = drawing.WIDTH, drawing.HEIGHT
    if deal.is_sheet:
        picture = f"{path('sheet-picture', deal.key)}?language={get_language()}"
        return path("deal-embed", deal.key), picture, [large]
    steps = steps_of(deal, query)
    address = replace(steps.address, step=steps.state.step)
    framed, picture = (sharing.link(page, deal, address) for page in ("deal-embed", "deal-picture"))
    return framed, picture, [large, sharing.SMALL]


def _at_most(limit: str | None, size: int) -> int:
    """Return the smaller of a size and an optional limit, at least 1."""
    number = number_of(limit)
    return size if number is None else max(1, min(number, size))


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Return the oEmbed 1.0 response (type `rich`, JSON) for the page at `url`.

    Return 404 if the URL is not that of a deal or score sheet on this site, and 501 for a format other than
    JSON.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(
            _("Only JSON is available here."), status=501, content_type="text/plain; charset=utf-8"
        )
    deal, query = _own(request, request.GET.get("url", ""))
    framed, picture, sizes = _shown_in(deal, query)
    width = _at_most(request.GET.get("maxwidth"), sharing.EMBED_WIDTH)
    height = _at_most(request.GET.get("maxheight"), sharing.EMBED_HEIGHT)
    title = sharing.title(deal)
    answer: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": _("Tarock archive"),
        "provider_url": request.build_absolute_uri("/"),
        "title": title,
        "width": width,
        "height": height,
        "html": sharing.iframe(request.build_absolute_uri(framed), title, width, height),
        "cache_age": 86400,
    }
    # The picture must fit into the requested size, too: use the large picture, the small one, or none.
    for (wide, high), small in zip(sizes, ("", "&size=small"), strict=False):
        room = _at_most(request.GET.get("maxwidth"), wide), _at_most(request.GET.get("maxheight"), high)
        if room == (wide, high):
            answer |= {
                "thumbnail_url": request.build_absolute_uri(picture + small),
                "thumbnail_width": wide,
                "thumbnail_height": high,
            }
            break
    response = JsonResponse(answer)
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=3600"
    return response


@require_safe
def print_page(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the whole deal for printing: hands, auction, tricks, score sheet, verdict, URL; of a score sheet
    what it has."""
    deal = deal_or_404(key, request.viewer)
    if deal.is_result:
        raise Http404(ONLY_POINTS)
    sheet = printing.sheet(deal)
    address = request.build_absolute_uri(path("deal", deal.key))
    hindsight = hindsight_view(deal, Names(deal.game, deal.players))
    context = {"deal": deal, "sheet": sheet, "address": address, "hindsight": hindsight}
    return render(request, "deal/print.html", context)
