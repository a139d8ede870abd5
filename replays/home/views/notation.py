"""Pages about the notation."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive.web.documents import document
from replays.home.notation_page import samples, sheet_samples


@require_safe
def notation(request: HttpRequest) -> HttpResponse:
    """Show a complete deal of each game to copy, and the published notation."""
    context = {"samples": samples(), "specification": document("notation.md")}
    return render(request, "home/notation.html", context)


@require_safe
def score_sheets(request: HttpRequest) -> HttpResponse:
    """Show how to write a score sheet without cards, with a sample and the fields of each game."""
    return render(request, "home/score_sheets.html", {"samples": sheet_samples()})
