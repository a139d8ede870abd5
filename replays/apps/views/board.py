"""The board, where users lay out and play a deal by tapping cards."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from archive import conf
from archive.access import Viewer
from archive.addresses import Key, number_of
from archive.models import Session, Space
from archive.reading import clubs
from archive.reading.evenings import players_of
from archive.reading.sessions import get_session
from replays.apps.engine import description
from replays.apps.views.evenings import APP_MODULES, catalog
from replays.deal.about import may_edit
from replays.language.verdicts import VERDICTS, verdict
from replays.site.common import played_or_404
from replays.site.jinja import sprite
from replays.site.paths import path
from replays.uploads.editing import record_text
from replays.uploads.forms import UploadForm
from tarock.notation import write_json


@never_cache
@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Show the board with the form that sends the entered deal to the upload page. For a member of a club,
    `?club=3` or `?session=7` suggests the players of that club or of the session's space."""
    viewer = request.viewer
    space, session = _come_from(request, viewer)
    form = UploadForm(viewer=viewer, initial={"space": space or clubs.upload_space(viewer)})
    context = board_context(request) | {"form": form, "offered": _offered(space, session), "edits": None}
    context |= {"license": conf.data_license(), "space": space}
    return render(request, "apps/board.html", context)


@never_cache
@require_safe
def edit(request: HttpRequest, key: Key) -> HttpResponse:
    """Show the board with a stored deal, as it was entered. The board sends it to the editor, which corrects
    or replaces the record."""
    deal = played_or_404(key, request.viewer)
    if not may_edit(request.viewer, deal):
        raise Http404
    edited = {"key": f"deal-{key}", "record": write_json(deal.record_to_correct)}
    offered = _offered(deal.contribution.space, None) | {"edited": edited}
    context = board_context(request) | {"offered": offered, "edits": key}
    context |= {"stored": {"text": record_text(deal)}, "space": deal.contribution.space}
    return render(request, "apps/board.html", context)


def _come_from(request: HttpRequest, viewer: Viewer) -> tuple[Space | None, Session | None]:
    """Return the space and session in the query, or (None, None) if the viewer may not send deals there."""
    session = None
    club = number_of(request.GET.get("club"), 9)
    if number := number_of(request.GET.get("session"), 9):
        try:
            session = get_session(number, viewer)
        except Session.DoesNotExist:
            return None, None
        club = session.space_id
    if not club or not viewer.is_at_least("member", club):
        return None, None
    return Space.objects.filter(pk=club).first(), session


def _offered(space: Space | None, session: Session | None) -> dict[str, Any]:
    """Return the board's suggestions: names of the space's players, and tags for a deal in the session."""
    found: dict[str, Any] = {"players": players_of([space.pk])[space.pk] if space else []}
    if session is not None:
        found["tags"] = {"Session": session.name} | ({"Date": session.date} if session.date else {})
    return found


def board_context(request: HttpRequest, *more: str) -> dict[str, Any]:
    """Return the template context of a page with the board. `more`: additional script modules, with the entry
    module last."""
    return {
        "catalog": catalog(request, "board"),
        "labels": {"verdicts": {key: verdict(key).word for key in VERDICTS}},
        "addresses": {"cards": sprite(), "clause": path("rules") + "clause/"},
        "engine": description(),
        "modules": [*_MODULES, *more],
    }


_MODULES = (
    *APP_MODULES,
    *("table/table", "table/panel"),
    *(f"board/{name}" for name in ("deal", "setup", "hands", "play", "values", "stage", "panel", "pages")),
)
