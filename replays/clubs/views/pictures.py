"""Preview pictures of sessions, clubs, players and score sheets, and of the site, for other sites."""

from __future__ import annotations

from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from archive.access import EVERYBODY
from archive.addresses import Key
from archive.models import Session
from archive.reading import statistics
from archive.reading.players import get_player
from archive.reading.sessions import find_sessions, get_session
from archive.rules import SEED
from replays.clubs import session_page, standings
from replays.clubs.career import MOST_DRAWN, results
from replays.clubs.views.clubs import club_or_404
from replays.deal import sharing
from replays.language import words
from replays.pictures import drawing, response
from replays.site.common import deal_or_404, found_or_404


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
    return standings_png(request, standings.svg(club.name, club.place, [], None))


@require_safe
def player_png(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture of a player: the points in each game, and the running totals."""
    player = found_or_404(get_player, pk, EVERYBODY)
    with in_language(request):
        by_month = player.whole_deals > statistics.MOST_DEALS
        days = statistics.by_day(player, by_month=by_month)
        chart = results(pk, SEED, days, statistics.deal_by_deal(player, EVERYBODY, MOST_DRAWN)).chart
        colours = {one.name: standings.curve_colour(one.number) for one in chart.curves} if chart else {}
        names = [(words.rules_name(row["rules"]), row) for row in statistics.by_game(player)]
        rows = [
            standings.Row(0, name, row["total"], colours.get(name, ""), row["rules"].unit)
            for name, row in names
        ]
        club = player.space.name if player.space.kind == "club" else _("Tarock archive")
        return standings_png(request, standings.svg(player.display_name, club, rows, chart))


@require_safe
def sheet_png(request: HttpRequest, key: Key) -> HttpResponse:
    """Return the picture of a score sheet: the points of its players."""
    deal = deal_or_404(key, EVERYBODY)
    if not deal.is_sheet:
        raise Http404
    with in_language(request):
        ranked = sorted(deal.seats, key=lambda seat: -(seat.points or 0))
        rows = [
            standings.Row(0, words.seat_name(seat), seat.points or 0, unit=deal.unit)
            for seat in ranked
            if deal.has_score
        ]
        about = sharing.occasion(deal)
        return standings_png(request, standings.svg(words.game_name(deal.game), about, rows, None))


@require_safe
def site_png(request: HttpRequest) -> HttpResponse:
    """Return the picture of all pages that have no picture of their own."""
    with in_language(request):
        about = _("Every deal is checked against the rules. Every point has a reason.")
        return standings_png(request, standings.svg(_("Tarock archive"), about, [], None))


def in_language(request: HttpRequest) -> AbstractContextManager[None]:
    """Return a context in which texts are in the language of the URL of a picture."""
    return translation.override(response.language(request) or settings.LANGUAGE_CODE)


def _evening(request: HttpRequest, session: Session, club: str, **how: Any) -> HttpResponse:
    with in_language(request):
        svg = session_page.picture(session, club, **how)
    return standings_png(request, svg)


def standings_png(request: HttpRequest, svg: str) -> HttpResponse:
    """Return a picture of standings or results."""
    mark = f"{standings.VERSION}-{sha256(svg.encode()).hexdigest()[:32]}"
    return response.answer(request, mark, lambda: drawing.png(svg))
