"""Dumps of the public deals."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive import conf
from archive.publishing import dumps


@require_safe
def dump_list(request: HttpRequest) -> HttpResponse:
    """List the dumps by month, the latest first, with their contents."""
    context = {"months": dumps.months(), "sums": dumps.SUMS, "license": conf.data_license()}
    return render(request, "home/dumps.html", context)
