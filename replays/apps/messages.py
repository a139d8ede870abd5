"""The messages of the apps' scripts."""

from __future__ import annotations

import json
from typing import Any, cast

from django.http import HttpRequest
from django.views.i18n import JSONCatalog

_view = JSONCatalog.as_view(packages=["replays"])


def catalog(request: HttpRequest, app: str) -> dict[str, Any]:
    """Return the messages of an app's scripts (`board`, `evening`) with their translations. For English the
    result is empty, because the scripts contain the English texts."""
    return cast(dict[str, Any], json.loads(_view(request, domain=app).content)["catalog"])
