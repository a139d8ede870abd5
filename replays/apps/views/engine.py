"""Views of the files of the engine and the evening app, a view that runs the engine on the server, and the
page on which the browser checks records without sending them."""

from __future__ import annotations

import hashlib

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from archive.web import problems, throttles
from replays.apps.engine import description, engine
from replays.apps.views.evenings import MODULES
from replays.home.views.home import web_app
from replays.language.verdicts import VERDICTS, verdict
from replays.site.jinja import written
from replays.site.paths import path
from tarock.view.answers.questions import answer

MOST_BYTES = 256_000
"""Maximum size of a question, in bytes. A question about an evening of 400 deals is half this size."""

_FOR_EVER = cache_control(max_age=365 * 24 * 3600, public=True, immutable=True)


def _of_version(version: str) -> None:
    """Raise `Http404` unless `version` is the version of the current engine."""
    if version != engine().version:
        raise Http404


@_FOR_EVER
@csp_replace({"script-src": [SELF, "'wasm-unsafe-eval'"]})
@require_safe
def worker(request: HttpRequest, version: str) -> HttpResponse:
    """Return the script of the engine's worker, the only script that may compile WebAssembly."""
    _of_version(version)
    return HttpResponse(engine().worker, content_type="text/javascript; charset=utf-8")


@_FOR_EVER
@require_safe
def package(request: HttpRequest, version: str) -> HttpResponse:
    """Return the package `tarock` as a zip."""
    _of_version(version)
    return HttpResponse(engine().zip, content_type="application/zip")


@never_cache
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """Answer a question to the engine (`tarock.view.answers.questions`) for a page without a ready worker."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
        return problems.answer("too_large", f"A question has {MOST_BYTES} bytes at most.")
    if wait := throttles.seconds_to_wait(request, throttles.Questions()):
        refusal = problems.answer("throttled", _("Too many checks. Wait a minute."))
        refusal["Retry-After"] = str(wait)
        return refusal
    text = request.body.decode("utf-8", "replace")
    return HttpResponse(answer(text), content_type="application/json")


_FILES = (
    "site.css",
    "evening.css",
    *(f"{name}.js" for name in MODULES),
    "favicon.svg",
    "icon-192.png",
)
"""Static files of the evening app that the service worker caches."""


@cache_control(no_cache=True)
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which keeps the evening app available offline."""
    files = [*(static(f"replays/{name}") for name in _FILES), path("evenings-manifest")]
    values = {"files": files, "page": path("evenings")}
    version = hashlib.sha256(written("service-worker.js", {**values, "version": ""}).encode()).hexdigest()
    text = written("service-worker.js", {**values, "version": version[:16]})
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@cache_control(no_cache=True)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest of the evening app."""
    return web_app(_("Tarock evenings"), path("evenings"))


@require_safe
def own_check(request: HttpRequest) -> HttpResponse:
    """Show the page that checks records with the engine in the browser, without sending them anywhere."""
    verdicts = {}
    for key in VERDICTS:
        of_deal, of_sheet = verdict(key), verdict(key, is_sheet=True)
        verdicts[key] = {
            "sign": of_deal.sign,
            "word": of_deal.word,
            "meanings": [of_deal.meaning, of_sheet.meaning],
        }
    texts = {
        "verdicts": verdicts,
        "place": _("Line %(line)d, column %(column)d"),
        "event": _("%(place)s: %(finding)s"),
        "number": _("Records checked: %(number)s"),
        "stopped": _("Stopped. Records checked: %(number)s"),
        "clauses": path("rules") + "clause/",
    }
    return render(request, "apps/own_check.html", {"texts": texts, "engine": description()})
