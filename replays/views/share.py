"""A deal on other sites: a page to embed, its oEmbed response, a picture; and a page to print.

Other sites get what everybody may see, whoever views them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import SplitResult, urlsplit

from csp.decorators import csp_replace
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key, number_of
from archive.models import Deal
from archive.web import throttles
from replays.deal import printing, sharing
from replays.deal.analysis import analysis_of
from replays.deal.page import Page
from replays.deal.steps import Steps
from replays.paths import path
from replays.pictures import picture
from replays.views.common import played_or_404

PICTURE_SECONDS = 120
"""How long a drawn picture stays in the cache: for the readers who come at once when a link is shared. It is
short, so that pictures never take more than a few dozen MB of the cache; browsers cache them for a day."""


# --- a page in another page ---------------------------------------------------------------------------------


@require_safe
@csp_replace({"frame-ancestors": ["*"]})
@xframe_options_exempt
def embed(request: HttpRequest, key: Key) -> HttpResponse:
    """The table at a step, for a frame in any other site's page.

    It only has links to other steps, so there is nothing that a foreign page could make somebody click
    unawares. It needs no script.
    """
    deal = played_or_404(key, EVERYBODY)
    page = Page(_steps(deal, request.GET))
    replay = sharing.link("replay", deal, replace(page.address, step=page.steps.current))
    return render(request, "replays/embed.html", {"deal": deal, "page": page, "replay": replay})


def _steps(deal: Deal, query: QueryDict) -> Steps:
    """The steps of a deal at the address that a query names, with nothing to be guessed."""
    analysis = analysis_of(deal)
    return Steps(deal, analysis, replace(analysis.address(query), guess=False))


# --- oEmbed -------------------------------------------------------------------------------------------------

_EMBEDDABLE = {"deal", "replay", "audit", "deal-embed"}


def _own(request: HttpRequest, address: str) -> tuple[Deal, QueryDict]:
    """The deal of an address of this site, and its query.

    :raises Http404: for every other address.
    """
    try:
        parts: SplitResult = urlsplit(address)
        host = parts.netloc.lower()
    except ValueError:
        raise Http404 from None
    if parts.scheme not in ("http", "https") or host != request.get_host().lower():
        raise Http404
    try:
        # Also without the slash at its end, with which it leads to the page.
        match = resolve(parts.path.rstrip("/") + "/")
    except Resolver404:
        raise Http404 from None
    if match.namespace != "replays" or match.url_name not in _EMBEDDABLE:
        raise Http404
    return played_or_404(match.kwargs["key"], EVERYBODY), QueryDict(parts.query)


def _at_most(limit: str | None, size: int) -> int:
    """A size, or the requested limit if it is smaller; a limit that is no number is none."""
    number = number_of(limit)
    return size if number is None else max(1, min(number, size))


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """The oEmbed 1.0 response (type ``rich``, JSON) for the page at ``url``.

    404 for an address that is not a deal of this site; 501 for a format other than JSON.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(
            _("Only JSON is available here."), status=501, content_type="text/plain; charset=utf-8"
        )
    deal, query = _own(request, request.GET.get("url", ""))
    analysis = analysis_of(deal)
    address = analysis.address(query)
    address = replace(address, step=Steps(deal, analysis, address).state.step)
    pages = "deal-embed", "deal-picture"
    embedded, drawn = (request.build_absolute_uri(sharing.link(page, deal, address)) for page in pages)
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
        "html": sharing.iframe(embedded, title, width, height),
        "cache_age": 86400,
    }
    # The picture has to fit, too: in the large size, the small one, or none.
    for small in (False, True):
        wide, high = sharing.SMALL if small else (picture.WIDTH, picture.HEIGHT)
        room = _at_most(request.GET.get("maxwidth"), wide), _at_most(request.GET.get("maxheight"), high)
        if room == (wide, high):
            answer |= {
                "thumbnail_url": drawn + ("&size=small" if small else ""),
                "thumbnail_width": wide,
                "thumbnail_height": high,
            }
            break
    response = JsonResponse(answer)
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=3600"
    return response


# --- the picture --------------------------------------------------------------------------------------------


@require_safe
def position_png(request: HttpRequest, key: Key) -> HttpResponse:
    """The table at ``?step=N&view=B&hands=all`` as a PNG of 1200 by 630; half as large with ``size=small``.

    429 for more pictures than are drawn in a minute. Unchanged ones cost nothing: they have an ETag, and the
    last ones are cached.
    """
    deal = played_or_404(key, EVERYBODY)
    steps = _steps(deal, request.GET)
    address, position = steps.address, steps.frame(steps.state).position
    small = request.GET.get("size") == "small"
    parts = ".".join(address.parts.values())
    contribution = deal.representative
    what = f"{deal.pk}-{deal.hex_digest[:32]}-{contribution.pk}-{contribution.fingerprint & 0xFFFFFFFF:x}"
    mark = f"{picture.VERSION}-{what}-{position.step}-{parts}-{'s' if small else 'l'}"
    headers = {"ETag": f'"{mark}"', "Cache-Control": "public, max-age=86400", "X-Robots-Tag": "noindex"}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if isinstance(unchanged, HttpResponseNotModified):
        for name, value in headers.items():
            unchanged[name] = value
        return unchanged
    drawn: bytes | None = cache.get(f"picture:{mark}")
    if drawn is None:
        wait = throttles.seconds_to_wait(request, throttles.PicturesOfAddress(), throttles.Pictures())
        if wait:
            answer = HttpResponse(
                _("Too many pictures at once."), status=429, content_type="text/plain; charset=utf-8"
            )
            answer["Retry-After"] = str(wait)
            answer["Cache-Control"] = "no-store"
            return answer
        about = " · ".join(part for part in (deal.representative.event, deal.representative.date) if part)
        drawing = picture.svg(position, about, steps=address.spoilers)
        drawn = picture.png(drawing, sharing.SMALL[0] if small else picture.WIDTH)
        cache.set(f"picture:{mark}", drawn, timeout=PICTURE_SECONDS)
    return HttpResponse(drawn, content_type="image/png", headers=headers)


# --- on paper -----------------------------------------------------------------------------------------------


@require_safe
def print_page(request: HttpRequest, key: Key) -> HttpResponse:
    """The whole deal on one sheet of A4: hands, auction, tricks, score sheet, verdict, address."""
    deal = played_or_404(key, request.viewer)
    sheet = printing.sheet(deal)
    address = request.build_absolute_uri(path("deal", deal.key))
    return render(request, "replays/print.html", {"deal": deal, "sheet": sheet, "address": address})
