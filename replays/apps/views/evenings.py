"""The page of the evening app, for scoring at the table."""

from __future__ import annotations

import json
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import JSONCatalog

from archive import conf
from archive.addresses import Key
from archive.models import CHOSEN
from archive.storing.evenings import of_sheet
from replays.apps.engine import description
from replays.deal.about import may_edit
from replays.language.words import VISIBILITIES
from replays.site.common import deal_or_404
from replays.site.jinja import url
from replays.site.paths import path
from tarock.games import games
from tarock.words.clauses import book

APP_MODULES = ("idb-8.0.4", "store", "device", "engine", "app")
"""Script modules that all apps import, as paths within the static files."""

_EVENING = ("phone", "seats", "sending", "fields", "entry", "links", "end", "rules", "pages")

MODULES = (*APP_MODULES, "share", *(f"evening/{name}" for name in _EVENING))
"""Script modules of the evening page, with the entry module last."""

_messages = JSONCatalog.as_view(packages=["replays"])


def catalog(request: HttpRequest, app: str) -> dict[str, Any]:
    """Return the translated messages of an app's scripts (`board`, `evening`). For English the result is
    empty, because the scripts contain the English texts."""
    return cast(dict[str, Any], json.loads(_messages(request, domain=app).content)["catalog"])


@require_POST
def deal_form(request: HttpRequest, key: Key) -> HttpResponse:
    """Open a sheet in the form of its evening; if the form can't show the sheet, open it in the editor."""
    deal = deal_or_404(key, request.viewer)
    if not deal.is_sheet or not may_edit(request.viewer, deal):
        raise Http404
    evening = of_sheet(deal.contribution)
    if evening is None:
        return redirect(path("deal-edit", key))
    return redirect(f"{path('evenings')}#{evening.key}/{deal.contribution.number}")


@ensure_csrf_cookie
@require_safe
def evenings(request: HttpRequest) -> HttpResponse:
    """Show the evening app. Phones cache this page, so it contains no data about the user."""
    addresses = {
        "evenings": path("evenings"),
        "start": path("evenings-start"),
        "serviceWorker": path("evenings-service-worker"),
        "board": path("board"),
        "clause": path("rules") + "clause/",
        "login": url("account_login"),
        "logout": url("account_logout"),
    }
    context = {
        "catalog": catalog(request, "evening"),
        "labels": {
            "visibilities": {word: str(VISIBILITIES[word]) for word in CHOSEN},
            "games": {game.id: book(game.id, request.LANGUAGE_CODE).name for game in games()},
        },
        "addresses": addresses,
        "engine": description(),
        "modules": MODULES,
        "license": conf.data_license(),
    }
    return render(request, "apps/evenings.html", context)
