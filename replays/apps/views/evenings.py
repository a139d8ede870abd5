"""The page of the app for an evening at the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from archive import conf
from replays.apps.engine import description
from replays.apps.evening_texts import TEXTS
from replays.site.jinja import url
from replays.site.paths import path

SCRIPTS = tuple(f"evening/{name}" for name in ("phone", "sending", "entry", "pages"))
"""The scripts of the page beside those of all apps, by their paths among the static files."""


@ensure_csrf_cookie
@require_safe
def evenings(request: HttpRequest) -> HttpResponse:
    """The app. The page is the same for everybody, since phones keep it: whose evenings there are is asked by
    its script."""
    addresses = {
        "evenings": path("evenings"),
        "start": path("evenings-start"),
        "serviceWorker": path("evenings-service-worker"),
        "board": path("board"),
        "clause": path("rules") + "clause/",
        "login": url("account_login"),
        "logout": url("account_logout"),
    }
    texts = {name: str(text) for name, text in TEXTS.items()}
    context = {"texts": texts, "addresses": addresses, "engine": description(), "scripts": SCRIPTS}
    context["license"] = conf.data_license()
    return render(request, "apps/evenings.html", context)
