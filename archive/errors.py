"""Errors of the archive: requests that it rejects or can't answer now, with a code for programs."""

from __future__ import annotations


class ArchiveError(Exception):
    """A request that the archive rejects or can't serve now; the message is a sentence for people."""

    code: str
    """The reason, as a word of `archive.web.problems.CODES`."""

    message = ""
    """The sentence, if it is always the same."""

    seconds: int | None = None
    """Seconds after which to try again."""

    field: str | None = None
    """The parameter with the invalid value."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.message)


class Unavailable(ArchiveError):
    """The database does not respond or accepts no writes at the moment. Nothing was stored."""

    code = "busy"
    message = "The archive is too busy to answer. Try it again in a minute."
    seconds = 60
