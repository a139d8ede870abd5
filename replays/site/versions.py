"""Versions of forms, to detect that two people change the same thing at the same time.

A form contains a short hash of each stored value that it was made from. The view compares the hashes with
those of the current values under the insert lock. If they differ, it stores nothing: the form is returned
with the other user's changes, and can be sent again (`replays.site.again`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from django.http import HttpRequest
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from archive import database

T = TypeVar("T")

Stored = Mapping[str, Any]
"""Values by field name."""


class Outdated(Exception):
    """Error for an outdated form. `changes`: the current values of the fields that another user changed;
    `untouched`: names of those that the sender did not change."""

    def __init__(self, changes: Stored, version: str, untouched: set[str]) -> None:
        super().__init__(", ".join(changes))
        self.changes, self.version, self.untouched = changes, version, untouched


def version_of(stored: Stored) -> str:
    """Return the version of stored values: a hash of 8 hex digits for each value, joined by dots."""
    return ".".join(
        sha256(str(value).encode(errors="surrogatepass")).hexdigest()[:8] for value in stored.values()
    )


@pass_context
def version_field(context: Context, stored: Stored) -> Markup:
    """Render the hidden version field of a form. A form with errors keeps the version that was sent."""
    now, request = version_of(stored), context.get("request")
    sent = request.POST.get("version", "") if request else ""
    value = sent if sent and sent.count(".") == now.count(".") else now
    return Markup('<input type="hidden" name="version" value="{}">').format(value)


@database.holding_insert_lock
def change(request: HttpRequest, stored: Callable[[], Stored], action: Callable[[], T]) -> T:
    """Run an action in a transaction, unless somebody else changed the values that the form was made from.
    `stored` reads the current values. A request without a version is from another client and is not checked.

    :raises Outdated: if the values were changed. Nothing is stored.
    """
    sent = request.POST.get("version")
    now = stored()
    if sent is not None and sent != version_of(now):
        hashes = dict(zip(now, sent.split("."), strict=False))
        changes = {name: now[name] for name in now if version_of({"": now[name]}) != hashes.get(name)}
        left = {name for name in changes if version_of({"": request.POST.get(name)}) == hashes.get(name)}
        raise Outdated(changes, version_of(now), left)
    return action()
