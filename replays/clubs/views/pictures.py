"""Preview pictures of a session and of a club's last evening, for other sites."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.models import Session, Space
from archive.reading.clubs import get_club
from archive.reading.sessions import find_sessions, get_session
from replays.clubs import session_page, standings
from replays.pictures import drawing, response


@require_safe
def session_png(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture of an evening, with points and running totals from its public deals."""
    try:
        session = get_session(pk, EVERYBODY)
    except Session.DoesNotExist:
        raise Http404 from None
    return _evening(request, session, session.space.name if session.space.kind == "club" else "")


@require_safe
def club_png(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture of a club's last public evening; without one, a picture with the club's name."""
    try:
        club = get_club(pk)
    except Space.DoesNotExist:
        raise Http404 from None
    for last in find_sessions(EVERYBODY, club.pk, size=1):
        return _evening(request, last, club.name, by_club=True)
    return _standings(request, standings.svg(club.name, club.place, [], None))


def _evening(request: HttpRequest, session: Session, club: str, *, by_club: bool = False) -> HttpResponse:
    with translation.override(response.language(request) or settings.LANGUAGE_CODE):
        svg = session_page.picture(session, club, by_club=by_club)
    return _standings(request, svg)


def _standings(request: HttpRequest, svg: str) -> HttpResponse:
    mark = f"{standings.VERSION}-{sha256(svg.encode()).hexdigest()[:32]}"
    return response.answer(request, mark, lambda: drawing.png(svg))
