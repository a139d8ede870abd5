"""Preview pictures of a session and of a club's last evening, for other sites."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.models import Session
from archive.reading.sessions import find_sessions, get_session
from replays.clubs import session_page, standings
from replays.clubs.views.clubs import club_or_404
from replays.pictures import drawing, response
from replays.site.common import found_or_404


@require_safe
def session_png(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture of an evening, with points and running totals from its public deals or, with the
    parameter `own`, from the deals that this viewer may see."""
    viewer = request.viewer if "own" in request.GET else EVERYBODY
    session = found_or_404(get_session, pk, viewer)
    club = session.space.name if session.space.kind == "club" else ""
    answer = _evening(request, session, club, viewer=viewer)
    if viewer is not EVERYBODY:
        answer["Cache-Control"] = "private, no-cache"
    return answer


@require_safe
def club_png(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture of a club's last public evening; if there is none, return a picture with the club's
    name."""
    club = club_or_404(pk)
    for last in find_sessions(EVERYBODY, club.pk, size=1):
        return _evening(request, last, club.name, by_club=True)
    return _standings(request, standings.svg(club.name, club.place, [], None))


def _evening(request: HttpRequest, session: Session, club: str, **how: Any) -> HttpResponse:
    with translation.override(response.language(request) or settings.LANGUAGE_CODE):
        svg = session_page.picture(session, club, **how)
    return _standings(request, svg)


def _standings(request: HttpRequest, svg: str) -> HttpResponse:
    mark = f"{standings.VERSION}-{sha256(svg.encode()).hexdigest()[:32]}"
    return response.answer(request, mark, lambda: drawing.png(svg))
