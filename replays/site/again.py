"""The page that shows a rejected form again, filled in, with one button to send it again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays.language import words
from replays.site.forms import TAGS
from replays.site.versions import Outdated

_LABELS: dict[str, Any] = {
    "text": gettext_lazy("Text"),
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Place"),
    "url": gettext_lazy("URL"),
    "email": gettext_lazy("Email"),
    "title": gettext_lazy("Title"),
    "about": gettext_lazy("Description"),
    "note": gettext_lazy("Your note"),
    "login": gettext_lazy("Username"),
    "username": gettext_lazy("Username"),
    "visibility": gettext_lazy("Who can see it"),
    "role": gettext_lazy("Role"),
    **TAGS,
}

_STORED = _LABELS | {
    "pseudonym": gettext_lazy("Pseudonym"),
    "person": gettext_lazy("The same person as"),
    "club": gettext_lazy("Club"),
    "owner": gettext_lazy("Owner"),
    "deals": gettext_lazy("Number of deals"),
    "details": gettext_lazy("Details"),
}
"""Labels of the fields in the list of another user's changes."""

_CHOSEN: dict[str, Mapping[str, Any]] = {
    "visibility": words.SHARING | words.VISIBILITIES,
    "role": words.ROLES,
}
"""Labels of the values of choice fields, by field and value."""

_WORD = re.compile(r"[\w.:/-]*", re.ASCII)
"""Pattern of values that are keywords, as in buttons and hidden fields, rather than text typed by a user."""


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show a form of this site again, filled in and with a new token; for a request from another site, show
    an error page without the form. This is Django's `CSRF_FAILURE_VIEW`."""
    if not _is_of_this_site(request):
        return render(request, "403_csrf.html", status=403)
    lead = _(
        "The page was out of date, for example because you signed in or out in another tab. Nothing has "
        "been stored yet. Check what you wrote, and send it again. Your browser must allow cookies."
    )
    return again(request, 403, lead)


def _is_of_this_site(request: HttpRequest) -> bool:
    """Return whether the request came from a page of this site, according to the browser."""
    fetched_from = request.headers.get("Sec-Fetch-Site")
    if fetched_from is not None:
        return fetched_from == "same-origin"
    return urlsplit(request.headers.get("Origin", "")).netloc == request.get_host()


class KeepTyped:
    """Middleware that shows a submitted form again, filled in, if the user must sign in, if the page is not
    found, or if another user's change made the form outdated. Otherwise the user's text would be lost."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "POST" or response.status_code not in (302, 404):
            return response
        to_sign_in = response.get("Location", "").startswith(reverse("account_login") + "?")
        is_page = response.get("Content-Type", "").startswith("text/html")
        if not (to_sign_in or (response.status_code == 404 and is_page)):
            return response
        is_signing_in = any("password" in name for name in request.POST)
        if is_signing_in or not any(field.is_typed for field in _fields(request)):
            return response
        lead = _(
            "Your changes can’t be stored: the page they belong to no longer exists, or you don’t have "
            "permission to change it."
        )
        if not request.user.is_authenticated:
            lead = _("You are not signed in. Sign in, come back to this page, and send it again.")
        return again(request, 403 if to_sign_in else 404, lead)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Show the form again if another user's change made it outdated."""
        if not isinstance(exception, Outdated):
            return None
        lead = _(
            "Somebody else changed this after you opened the page, so your version has not been "
            "stored yet. If it is right, send it again."
        )
        return again(request, 409, lead, exception)


class _Field(NamedTuple):
    """A submitted form field. `words`: label of the chosen value. A field without a label is hidden."""

    name: str
    value: str
    label: Any = ""
    words: Any = ""

    @property
    def is_typed(self) -> bool:
        """Whether the user typed the value."""
        return bool(self.label and self.value and not self.words)


def again(request: HttpRequest, status: int, lead: str, outdated: Outdated | None = None) -> HttpResponse:
    """Render the page that shows the submitted form again. `lead`: the text above the form."""
    fields = _fields(request)
    if outdated is not None:
        # Text fields that the sender left unchanged get the other user's values. Everything that the sender
        # typed, and choices such as the visibility, stay as they were sent.
        now = {name: str(value) for name, value in outdated.changes.items() if name in outdated.untouched}
        now = {one.name: now[one.name] for one in fields if one.name in now and not one.words}
        fields = [one._replace(value=now.get(one.name, one.value)) for one in fields if one.name != "version"]
        fields.append(_Field("version", outdated.version))
    context = {
        "lead": lead,
        "fields": fields,
        "passwords": sorted(name for name in request.POST if "password" in name),
        "files": {name: [file.name for file in request.FILES.getlist(name)] for name in request.FILES},
        "changes": [
            _field(name, str(value), _STORED)
            for name, value in (outdated.changes if outdated else {}).items()
        ],
    }
    response = render(request, "site/again.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _fields(request: HttpRequest) -> list[_Field]:
    """Return the submitted fields in order, without passwords and the CSRF token."""
    return [
        _field(name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and "password" not in name
    ]


def _field(name: str, value: str, labels: Mapping[str, Any] = _LABELS) -> _Field:
    if chosen := _CHOSEN.get(name, {}).get(value):
        return _Field(name, value, labels[name], chosen)
    if match := re.fullmatch("(name|claim)_(.)", name):
        label = (
            _("Player at seat %(seat)s") if match[1] == "name" else _("Points written down for seat %(seat)s")
        )
        return _Field(name, value, label % {"seat": match[2]})
    if match := re.fullmatch(r"note-\d+-(\d+)", name):
        return _Field(name, value, _("Note at step %(step)s") % {"step": match[1]})
    return _Field(name, value, labels.get(name) or ("" if _WORD.fullmatch(value) else name))
