"""Errors for requests that the archive rejects or can't serve now, each with a code for API clients."""

from __future__ import annotations

from django.http import Http404


class ArchiveError(Exception):
    """The archive rejects a request or can't serve it now. The message is a sentence for users."""

    code: str
    """Error code, one of `archive.web.problems.CODES`."""

    message = ""
    """Default message."""

    seconds: int | None = None
    """Number of seconds after which the client can try again; None if it is unknown."""

    field: str | None = None
    """Name of the parameter with the invalid value, if any."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.message)


class Gone(ArchiveError, Http404):
    """A row was deleted after the request found it. Pages show that there is no such object."""

    code = "not_found"
    message = "It was deleted meanwhile."


class Unavailable(ArchiveError):
    """The database doesn't respond, or accepts no writes at the moment. Nothing was stored."""

    code = "busy"
    message = "The archive is too busy to answer. Try it again in a minute."
    seconds = 60
