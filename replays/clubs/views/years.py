"""Views of a year: of the user, for them alone, and of a club, for its annual meeting."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive.addresses import number_of
from archive.reading import years
from archive.reading.clubs import seasons_of
from replays.clubs.views.clubs import own_club
from replays.clubs.views.pictures import in_language, standings_png
from replays.clubs.years import picture
from replays.deal.hindsight import costs_by_rules
from replays.language import words
from replays.site.common import MOST_YEARS
from replays.site.paths import path

MOST_ROWS = 40
"""Maximum number of players on a club's sheet, which must fit on one page."""


@never_cache
@login_required
@require_safe
def my_year(request: HttpRequest, year: int | None = None) -> HttpResponse:
    """Show what the user played in a year, by default the latest, as the player `?player=` or as the one with
    the most deals. Nobody else can see it."""
    found = _own_year(request, year)
    base = {"player_id": found.player.pk, "scored": "computed", **_days(found.year)} if found else {}
    return render(request, "clubs/my_year.html", {"found": found, "base": base, "most": years.MOST_DEALS})


@login_required
@require_safe
def my_year_png(request: HttpRequest, year: int) -> HttpResponse:
    """Return the picture of the user's year, for them to share."""
    found = _own_year(request, year)
    if found is None:
        raise Http404
    with in_language(request):
        answer = standings_png(request, picture(found))
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _own_year(request: HttpRequest, year: int | None) -> years.PlayerYear | None:
    return years.own_year(request.viewer, year, number_of(request.GET.get("player"), 17))


def _days(year: int) -> dict[str, str]:
    """Return the filters for a year's first and last day."""
    return {"date_from": f"{year:04}-01-01", "date_to": f"{year:04}-12-31"}


@never_cache
@login_required
@require_safe
def club_year(request: HttpRequest, pk: int, year: int) -> HttpResponse:
    """Show a club's year on one page to print: standings, champions, most deals, and the largest scores."""
    club = own_club(request, pk, "member")
    seasons = seasons_of(club, request.viewer, MOST_YEARS)
    found = years.ClubYear(club, year)
    if year in seasons:
        found = years.club_year(club, request.viewer, year, translation.get_language() or "en")
    rules = {*found.standings, *found.best, *found.dearest}
    context = {
        "club": club,
        "found": found,
        "names": {one: words.rules_name(one, club=club) for one in rules},
        "seasons": seasons,
        "most": max(5, MOST_ROWS // max(len(found.standings), 1)),
        "dearest": costs_by_rules(found.dearest),
        "address": request.build_absolute_uri(path("club", pk)),
    }
    return render(request, "clubs/club_year.html", context)
