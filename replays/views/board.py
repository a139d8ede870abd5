"""The page of the board: a deal is laid out and played there by taps."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive.reading import clubs
from replays.board_texts import TEXTS
from replays.engine import description
from replays.forms import UploadForm
from replays.jinja import sprite
from replays.paths import path


@never_cache
@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """The board, with the form that sends what was entered to the upload page."""
    viewer = request.viewer
    form = UploadForm(viewer=viewer, initial={"space": clubs.upload_space(viewer)})
    return render(request, "replays/board.html", board_context() | {"form": form})


def board_context(*more: str) -> dict[str, Any]:
    """What every page with the board has; ``more``: scripts of its own."""
    return {
        "texts": {name: str(text) for name, text in TEXTS.items()},
        "addresses": {"cards": sprite(), "clause": path("rules") + "clause/"},
        "engine": description(),
        "scripts": [f"board/{name}" for name in ("deal", "setup", "hands", "play", *more, "pages")],
    }
