"""Answers as JSON to what the pages of the apps send.

An error is `{"error": {"code", "message", "field"}}`, `field` a JSON pointer into what was sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from archive.database import AWAY
from archive.errors import ArchiveError, Unavailable
from archive.web import throttles
from archive.web.problems import CODES
from replays.apps.evening_form import first_error
from replays.site.common import is_forged, over_quota

BODY = 64 * 1024
"""Bytes of a request that are read."""

View = TypeVar("View", bound=Callable[..., HttpResponse])


class Refused(Exception):
    """A request that is refused."""

    def __init__(self, status: int, code: str, message: str, field: str = "", seconds: int = 0) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field, self.seconds = status, code, message, field, seconds

    def answer(self) -> HttpResponse:
        """The response."""
        error = {"code": self.code, "message": self.message, "field": self.field}
        response = JsonResponse({"error": error}, status=self.status)
        if self.seconds:
            response["Retry-After"] = str(self.seconds)
        return response


_STATUS = {"refused": 400, "key_in_use": 503}
"""The status of codes for which it is another than `archive.web.problems` has, or which are not there: 409 is
an answer with what stands there now."""


_SENTENCES = {
    "busy": gettext_lazy("The archive is busy. Send it again in a minute."),
    "server_error": gettext_lazy("An error on our side. The deal was not stored; we know of it."),
}
"""What is said to players in place of the sentence for programs, which stays where only a program can have
made the mistake."""


def _of_archive(error: ArchiveError, sentences: Mapping[str, Any]) -> Refused:
    status = _STATUS.get(error.code) or CODES[error.code].status
    field = f"/{error.field}" if error.field else ""
    seconds = error.seconds or 0
    message = over_quota(seconds) if error.code == "throttled" else sentences.get(error.code, str(error))
    return Refused(status, error.code, str(message), field, seconds)


def answering(sentences: Mapping[str, Any] | None = None) -> Callable[[View], View]:
    """A decorator: the view with its errors as JSON, and with the guards of what is sent before it is read.
    `sentences`: those for players, by the code of an error of the archive."""
    known = _SENTENCES | dict(sentences or {})

    def decorated(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                if request.method not in ("GET", "HEAD"):
                    _guard(request)
                return view(request, *args, **kwargs)
            except Refused as error:
                return error.answer()
            except ArchiveError as error:
                return _of_archive(error, known).answer()
            except AWAY:
                return _of_archive(Unavailable(), known).answer()

        return answer

    return decorated


def count(request: HttpRequest, throttle: throttles.Throttle) -> None:
    """Count a request; refuse it if there were too many."""
    if seconds := throttles.seconds_to_wait(request, throttle):
        raise Refused(429, "throttled", _("That was too often. Wait a minute."), seconds=seconds)


def _guard(request: HttpRequest) -> None:
    if int(request.META.get("CONTENT_LENGTH") or 0) > BODY:
        raise Refused(413, "too_large", _("This is too much for one deal."))
    if is_forged(request):
        raise Refused(403, "csrf", _("The page is too old. Load it again; nothing is lost."))
    count(request, throttles.Entries())


def read_body(request: HttpRequest, form: type[Any]) -> Any:
    """The body of a request, checked by a serializer."""
    try:
        given = json.loads(request.body)
    except (ValueError, RecursionError):
        raise Refused(400, "not_json", "This is no JSON.") from None
    serializer = form(data=given)
    if not serializer.is_valid():
        field, message = first_error(serializer.errors)
        raise Refused(400, "invalid", message, field)
    return serializer
