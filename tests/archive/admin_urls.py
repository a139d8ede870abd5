"""The admin alone, for tests of it, with plain words where something is refused."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls), path("accounts/", include("allauth.account.urls"))]


def handler403(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return HttpResponse("forbidden", status=403)


def handler404(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return HttpResponse("not found", status=404)
