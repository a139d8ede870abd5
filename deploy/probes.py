"""Endpoints for load balancers and monitoring: `/healthz`, `/readyz`, `/metrics`.

The middleware responds before other middleware runs. Probes therefore work under any host name, without HTTPS
and while the database is down, and have no session, cookies, rate limits or log lines.
"""

from collections.abc import Callable

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST

from archive import database, migration_hashes
from archive.storing import queue
from archive.web import GetResponse
from deploy import metrics

OK = "ok"


class _Migrations:
    """Readiness check: all migrations of this code are applied, and their files have not changed since then.
    Each process compares the files only once."""

    done = False
    problem: str | None = None
    """Reason why this code can't use the database; empty if it can, None if not yet known."""

    def __call__(self) -> str:
        try:
            if self.problem is None:
                self.problem = migration_hashes.find_problem()
            if not self.done:
                executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
                self.done = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        except database.AWAY:
            return "not known"
        return self.problem or (OK if self.done else "not all are applied")


MIGRATIONS = _Migrations()


class _StaticFiles:
    """Readiness check: the static files were collected before this process started."""

    done = False

    def __call__(self) -> str:
        names = getattr(staticfiles_storage, "hashed_files", None)
        if not self.done and names is not None:
            ignored = apps.get_app_config("staticfiles").ignore_patterns
            own = {path for finder in finders.get_finders() for path, _ in finder.list(ignored)}
            if missing := sorted(own - names.keys()):
                return f"not collected: {missing[0]} (of {len(missing)}); run collectstatic, then restart"
        self.done = True
        return OK


CHECKS: dict[str, Callable[[], str]] = {
    "database": lambda: OK if database.is_available() else "does not answer",
    "broker": lambda: "does not answer" if queue.length(queue.INTERACTIVE) is None else OK,
    "migrations": MIGRATIONS,
    "static files": _StaticFiles(),
}
"""Readiness checks by name; each returns `OK` or the error."""


def healthz(request: HttpRequest) -> HttpResponse:
    """Respond with 200, to show that the process is running."""
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> HttpResponse:
    """Respond with 200 if all `CHECKS` succeed, otherwise with 503. `?exclude=NAME` skips a check, and can be
    repeated. Load balancers can exclude `broker`, because pages and the API work without it."""
    excluded = request.GET.getlist("exclude")
    found = {name: check() for name, check in CHECKS.items() if name not in excluded}
    ready = all(state == OK for state in found.values())
    body = {"status": "ready" if ready else "not ready", "checks": found}
    return JsonResponse(body, status=200 if ready else 503)


def figures(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus. Respond with 401 unless the request has the `METRICS_TOKEN`
    (`Authorization: Bearer …`), and with 404 if the site has no such token."""
    if not settings.METRICS_TOKEN:
        return HttpResponse("METRICS_TOKEN is not set.\n", status=404, content_type="text/plain")
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not constant_time_compare(token.strip(), settings.METRICS_TOKEN):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(metrics.text(), content_type=CONTENT_TYPE_LATEST)


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": figures,
}


def answer_probes(get_response: GetResponse) -> GetResponse:
    """Return middleware that answers probes. If this code can't use the database, other requests get 503.
    Only `give_request_id` may come before this middleware."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path_info)
        if probe is None and MIGRATIONS.problem:
            words = "The archive is out of service. Its operator finds the reason at /readyz.\n"
            headers = {"Retry-After": "60", "Cache-Control": "no-store"}
            return HttpResponse(words, status=503, content_type="text/plain", headers=headers)
        if probe is None:
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            response = HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        else:
            response = probe(request)
        response["Cache-Control"] = "no-store"
        return response

    return middleware
