"""The site's root: the front page or, for a signed-in user, their own page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from replays.clubs.own_page import own_page
from replays.home.views.home import home
from replays.puzzles.views import of_today


@require_safe
def root(request: HttpRequest) -> HttpResponse:
    """Show signed-in users their running evenings, clubs, last evening and latest deals. Show others the
    front page."""
    if not request.user.is_authenticated:
        return home(request)
    context = own_page(request.viewer, request.LANGUAGE_CODE) | {"today": of_today(request)}
    return render(request, "clubs/own.html", context)
