"""Pictures for other sites: a moment of a deal, some of its tricks played, an evening.

They show what everybody may see, whoever asks for them. Unchanged ones cost nothing: they have an ETag, and
the last ones are cached. 429 for more than are drawn in a minute. Words are in the ``language`` of the
address, so that caches of others may keep them.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key
from archive.models import Deal, Session, Space
from archive.reading.clubs import get_club
from archive.reading.sessions import find_sessions, get_session
from archive.web import throttles
from replays import session_page
from replays.deal import sharing
from replays.deal.steps import Steps
from replays.pictures import animation, drawing, picture, standings
from replays.views.common import played_or_404
from replays.views.share import steps_of

SECONDS = 120
"""How long a drawn picture stays in the cache: for the readers who come at once when a link is shared. It is
short, so that pictures never take more than a few dozen MB of the cache; browsers cache them for a day."""

CARD, TRICK, END = 0.9, 2.0, 3.5
"""Seconds for which an animated picture shows a card, a trick that is full, and the last one of them."""


def _language(request: HttpRequest) -> str:
    """The language that the address names; empty without one, and for one that the site does not have."""
    language = request.GET.get("language", "")
    return language if language in dict(settings.LANGUAGES) else ""


def _answer(
    request: HttpRequest, mark: str, draw: Callable[[], bytes], form: str = "image/png", pictures: int = 1
) -> HttpResponse:
    """The response with a picture. ``mark``: all that it is made of; ``pictures``: as how many it counts."""
    headers = {"ETag": f'"{mark}"', "Cache-Control": "public, max-age=86400", "X-Robots-Tag": "noindex"}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if isinstance(unchanged, HttpResponseNotModified):
        for name, value in headers.items():
            unchanged[name] = value
        return unchanged
    drawn: bytes | None = cache.get(f"picture:{mark}")
    if drawn is None:
        limits = [(throttles.PicturesOfAddress(), throttles.Pictures()) for _number in range(pictures)]
        for limit in limits:
            if wait := throttles.seconds_to_wait(request, *limit):
                return _too_many(wait)
        drawn = draw()
        cache.set(f"picture:{mark}", drawn, timeout=SECONDS)
    return HttpResponse(drawn, content_type=form, headers=headers)


def _too_many(wait: int) -> HttpResponse:
    answer = HttpResponse(
        _("Too many pictures at once."), status=429, content_type="text/plain; charset=utf-8"
    )
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer


# --- a deal -------------------------------------------------------------------------------------------------


def _about(deal: Deal) -> str:
    return " · ".join(part for part in (deal.representative.event, deal.representative.date) if part)


def _mark(deal: Deal, steps: Steps, *more: Any) -> str:
    """All that a picture of a deal is made of, but for its step."""
    contribution, parts = deal.representative, ".".join(steps.address.parts.values())
    what = f"{deal.pk}-{deal.hex_digest[:32]}-{contribution.pk}-{contribution.fingerprint & 0xFFFFFFFF:x}"
    return "-".join(map(str, (picture.VERSION, what, deal.engine_version, parts, *more)))


@require_safe
def position_png(request: HttpRequest, key: Key) -> HttpResponse:
    """The table at ``?step=N&view=B&hands=all`` as a PNG of 1200 by 630; half as large with ``size=small``.
    With a ``language`` it says what happened."""
    deal, language = played_or_404(key, EVERYBODY), _language(request)
    with translation.override(language or translation.get_language()):
        steps = steps_of(deal, request.GET)
        position = steps.frame(steps.state).position
        small = request.GET.get("size") == "small"

        def draw() -> bytes:
            caption = steps.caption(position) if language else None
            svg = picture.svg(position, _about(deal), caption, steps=steps.address.spoilers)
            return drawing.png(svg, sharing.SMALL[0] if small else drawing.WIDTH)

        mark = _mark(deal, steps, position.step, "s" if small else "l", language)
        return _answer(request, mark, draw)


@require_safe
def tricks_webp(request: HttpRequest, key: Key) -> HttpResponse:
    """The trick at ``?step=N`` card by card as an animated WebP, 800 wide and of 600 kB at most; with
    ``tricks=3`` the last three. Seen as the address says; where later steps are secret only up to the step
    that everybody foresees. 404 before a card was played."""
    deal, language = played_or_404(key, EVERYBODY), _language(request)
    number = 3 if request.GET.get("tricks") == "3" else 1
    with translation.override(language or translation.get_language()):
        steps = steps_of(deal, request.GET)
        frames = [frame.position for frame in steps.tricks(number)]
        if not frames:
            raise Http404

        def draw() -> bytes:
            captions = [steps.caption(position) if language else None for position in frames]
            with_steps, about = steps.address.spoilers, _about(deal)
            pictures = [
                picture.svg(position, about, caption, steps=with_steps)
                for position, caption in zip(frames, captions, strict=True)
            ]
            full = [bool(position.trick and position.trick.done) for position in frames]
            seconds = [TRICK if done else CARD for done in full[:-1]]
            return animation.webp(pictures, [*seconds, END])

        first, last = frames[0].step, frames[-1].step
        mark = _mark(deal, steps, f"{first}to{last}", language)
        # Two frames take as long as a picture.
        return _answer(request, mark, draw, "image/webp", (len(frames) + 1) // 2)


# --- evenings -----------------------------------------------------------------------------------------------


@require_safe
def session_png(request: HttpRequest, pk: int) -> HttpResponse:
    """An evening: who has how many points, and how these came about, from the deals that everybody sees."""
    try:
        session = get_session(pk, EVERYBODY)
    except Session.DoesNotExist:
        raise Http404 from None
    return _evening(request, session, session.space.name if session.space.kind == "club" else "")


@require_safe
def club_png(request: HttpRequest, pk: int) -> HttpResponse:
    """The last evening of a club that everybody sees; without one, its name."""
    try:
        club = get_club(pk)
    except Space.DoesNotExist:
        raise Http404 from None
    for last in find_sessions(EVERYBODY, club.pk, size=1):
        return _evening(request, last, club.name, by_club=True)
    return _standings(request, standings.svg(club.name, club.place, [], None))


def _evening(request: HttpRequest, session: Session, club: str, *, by_club: bool = False) -> HttpResponse:
    with translation.override(_language(request) or settings.LANGUAGE_CODE):
        svg = session_page.picture(session, club, by_club=by_club)
    return _standings(request, svg)


def _standings(request: HttpRequest, svg: str) -> HttpResponse:
    mark = f"{standings.VERSION}-{sha256(svg.encode()).hexdigest()[:32]}"
    return _answer(request, mark, lambda: drawing.png(svg))
