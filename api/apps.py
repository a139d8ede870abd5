"""The Django app `api`."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST API."""

    name = "api"
