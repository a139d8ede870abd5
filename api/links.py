"""Build the absolute URLs and the `Link` headers of responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from rest_framework.request import Request

from archive.addresses import Key


def link(request: Request | HttpRequest, name: str, *args: Any, **query: Any) -> str:
    """Return the absolute URL of the view `name` in `api.urls`, with path arguments and query parameters."""
    address = reverse(f"api:{name}", args=args)
    return request.build_absolute_uri(f"{address}?{urlencode(query)}" if query else address)


def of_deals(request: Request) -> Callable[[Key], str]:
    """Return a function that converts the key of a deal to the deal's absolute URL."""
    deals = link(request, "deals")
    return lambda key: f"{deals}/{key}"


def next_url(request: Request, **changed: Any) -> str:
    """Return the URL of the request with the given query parameters set. Leave out `format=json`, because it
    is the default."""
    query = QueryDict(request.META.get("QUERY_STRING", ""), mutable=True)
    if query.get("format") == "json":
        del query["format"]
    for name, value in changed.items():
        query[name] = str(value)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}" if query else request.path)


def header(**links: str) -> dict[str, str]:
    """Return a `Link` header (RFC 8288) for the given URLs. The keywords are the link relations:
    `service_doc=…` becomes `rel="service-doc"`."""
    written = (f'<{address}>; rel="{name.replace("_", "-")}"' for name, address in links.items())
    return {"Link": ", ".join(written)}
