"""Views of puzzles: the list, and the page on which one is solved."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from archive.addresses import number_of
from archive.models import Attempt, Puzzle, Space
from archive.reading import puzzles as reading
from archive.storing import puzzles as storing
from replays.language import words
from replays.puzzles.page import DIFFICULTIES, PuzzlePage, theme_title
from replays.site.common import found_or_404, page_of, user_of
from replays.site.paths import path
from tarock.games import games

PER_PAGE = 50


class PuzzleFilter(forms.Form):
    """The filters of the list."""

    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    theme = forms.ChoiceField(required=False, label=gettext_lazy("Theme"))
    difficulty = forms.ChoiceField(required=False, label=gettext_lazy("Difficulty"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        every = [("", _("All"))]
        ids = [info.id for info in games()]
        game = self.data.get("game", "")
        themes = reading.themes(game if game in ids else "")
        titles = {theme: theme_title(theme.partition(".")[0], theme) for theme in themes}
        choices = {
            "game": [(game, words.game_name(game)) for game in ids],
            "theme": sorted(titles.items(), key=lambda row: row[1]),
            "difficulty": list(DIFFICULTIES.items()),
        }
        for name, pairs in choices.items():
            self.fields[name].choices = every + pairs


@never_cache
@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """List the public puzzles by game, theme and difficulty; with `?due=1` those that a signed-in user failed
    and that have come back."""
    form = PuzzleFilter(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    viewer = request.viewer
    is_due = viewer.user is not None and "due" in request.GET
    found = reading.due(viewer) if is_due else reading.public()
    found = found.rated().filter(**{name: value for name, value in chosen.items() if value})
    page = page_of(request, found.defer("text", "choices", "deal__text").order_by("-pk"), PER_PAGE)
    tried = Attempt.objects.filter(user=viewer.user, puzzle__in=[one.pk for one in page])
    results = dict(tried.values_list("puzzle", "first_right")) if viewer.user else {}
    rows = [(one, theme_title(one.game, one.theme), results.get(one.pk)) for one in page]
    context = {"form": form, "page": page, "rows": rows, "due": is_due, "difficulties": DIFFICULTIES}
    context["record"] = reading.own_record(viewer)
    return render(request, "puzzles/puzzles.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a puzzle. A card that is sent is the user's attempt; `?card=T17&at=3` shows its line up to the
    third card."""
    found = found_or_404(reading.get_puzzle, pk, request.viewer)
    card = (request.POST if request.method == "POST" else request.GET).get("card", "")
    if card and card not in found.choices:
        raise Http404
    if request.method == "POST" and card:
        user = user_of(request)
        if user is not None:
            storing.answer(found, user, card)
        return HttpResponseRedirect(f"{request.path}?{urlencode({'card': card})}#answer")
    context = {
        "page": PuzzlePage(found, card, number_of(request.GET.get("at")) or 0),
        "puzzle": found,
        "difficulty": DIFFICULTIES[found.difficulty],
        "next": _next(found),
        "record": reading.own_record(request.viewer),
    }
    return render(request, "puzzles/puzzle.html", context)


def _next(found: Puzzle) -> str:
    """Return the URL of another public puzzle of the game; empty if there is none."""
    others = reading.public().filter(game=found.game).exclude(pk=found.pk).order_by("key")
    numbers = others.values_list("pk", flat=True)
    number = numbers.filter(key__gt=found.key).first() or numbers.first()
    return path("puzzle", number) if number else ""


def of_today(request: HttpRequest, club: Space | None = None) -> PuzzlePage | None:
    """Return the puzzle of the day, or the one from a club's own evenings for its members."""
    among = reading.public() if club is None else reading.of_club(club, request.viewer)
    found = reading.of_day(among, timezone.localdate())
    return None if found is None else PuzzlePage(found)
