"""The URLs under `/.well-known/` (RFC 8615)."""

from __future__ import annotations

from django.urls import URLPattern, path

from api.views.certificates import Keys

urlpatterns: list[URLPattern] = [
    path("tarock-archive-keys.json", Keys.as_view(), name="certificate-keys"),
]
