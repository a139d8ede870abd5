"""A form that could not be accepted comes back filled in, with one button to send it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from replays.forms import TAGS

_LABELS: dict[str, Any] = {
    "text": gettext_lazy("Text"),
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Place"),
    "url": gettext_lazy("URL"),
    "email": gettext_lazy("Email"),
    "login": gettext_lazy("Username"),
    "username": gettext_lazy("Username"),
    **TAGS,
}

_WORD = re.compile(r"[\w.:/-]*", re.ASCII)
"""The values of buttons, choices and hidden fields."""


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Send a form of this site back with a new token; say nothing of one from another site. Django's
    ``CSRF_FAILURE_VIEW``."""
    if not _is_of_this_site(request):
        return render(request, "403_csrf.html", status=403)
    lead = _(
        "The page was too old, for example because you signed in or out in another tab. Nothing was stored "
        "yet. Check what you wrote, and send it again. Cookies must be allowed."
    )
    return again(request, 403, lead)


def _is_of_this_site(request: HttpRequest) -> bool:
    """Whether a page of this site sent the request, as its browser says."""
    fetched_from = request.headers.get("Sec-Fetch-Site")
    if fetched_from is not None:
        return fetched_from == "same-origin"
    return urlsplit(request.headers.get("Origin", "")).netloc == request.get_host()


def keep_typed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Send back a form that needs a sign-in, or whose page is not found: the redirect or the error page would
    lose what the user wrote. A middleware."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        to_sign_in = response.get("Location", "").startswith(reverse("account_login") + "?")
        is_page = response.get("Content-Type", "").startswith("text/html")
        if request.method != "POST" or not (to_sign_in or (response.status_code == 404 and is_page)):
            return response
        if not any(label for _name, label, _value in _fields(request)):
            return response
        lead = _("This can’t be stored now: it isn’t there any more, or you may not change it.")
        if not request.user.is_authenticated:
            lead = _("You are not signed in. Sign in, come back to this page, and send it again.")
        return again(request, 403 if to_sign_in else 404, lead)

    return respond


def again(request: HttpRequest, status: int, lead: str) -> HttpResponse:
    """Render the page with the form."""
    context = {
        "lead": lead,
        "fields": _fields(request),
        "passwords": sorted(name for name in request.POST if "password" in name),
        "files": {name: [file.name for file in request.FILES.getlist(name)] for name in request.FILES},
    }
    response = render(request, "replays/again.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _fields(request: HttpRequest) -> list[tuple[str, Any, str]]:
    """Name, label and value of each field, in their order; without passwords. No label: it was not typed."""
    return [
        (name, _label(name, value), value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and "password" not in name
    ]


def _label(name: str, value: str) -> Any:
    if match := re.fullmatch("(name|claim)_(.)", name):
        label = (
            _("Player at seat %(seat)s") if match[1] == "name" else _("Points written down at seat %(seat)s")
        )
        return label % {"seat": match[2]}
    return (_LABELS.get(name) if value else "") or ("" if _WORD.fullmatch(value) else name)
