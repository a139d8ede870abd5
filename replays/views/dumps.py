"""All that everybody sees, as files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive import conf
from archive.publishing import dumps as files


@require_safe
def dumps(request: HttpRequest) -> HttpResponse:
    """The dumps by month, the latest first, with what is in them."""
    return render(
        request,
        "replays/dumps.html",
        {"months": files.months(), "sums": files.SUMS, "license": conf.data_license()},
    )
