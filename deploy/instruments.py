"""Metrics that each process of the web server counts for Prometheus.

Under gunicorn, the processes of a server write their metrics to files in the same folder
(`PROMETHEUS_MULTIPROC_DIR`, set in `gunicorn_conf`), and any of them can return the totals.
"""

import os
import time

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram, multiprocess

from archive.web import GetResponse

_OWN = CollectorRegistry()

REQUESTS = Counter(
    "tarock_requests", "Requests answered, by route and status.", ("method", "route", "status"), registry=_OWN
)
SECONDS = Histogram(
    "tarock_request_seconds",
    "Seconds until an answer begins, by route.",
    ("route",),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
    registry=_OWN,
)
CACHE_ERRORS = Counter(
    "tarock_cache_errors", "Times that the cache did not answer, and was then left alone.", registry=_OWN
)

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def registry() -> CollectorRegistry:
    """Return a registry with the totals of all processes of this server."""
    found = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    else:  # the only process, as in tests and under `manage.py runserver`
        found.register(_OWN)
    return found


def count_requests(get_response: GetResponse) -> GetResponse:
    """Return middleware that counts and times requests by URL pattern (`none` for files and unknown URLs)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        route = f"/{match.route}" if match else "none"
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        SECONDS.labels(route).observe(time.perf_counter() - began)
        return response

    return middleware
