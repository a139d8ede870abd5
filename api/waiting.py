"""Waiting with an answer until an upload is stored: how long a client is ready to (RFC 7240), and how many
may wait at a time, since each of them holds a thread.
"""

from rest_framework.request import Request

from archive import limits
from archive.models import Upload
from archive.storing import uploads

LONGEST = 60
"""The most seconds that an answer is waited for."""


def preferred(request: Request) -> int | None:
    """The seconds of ``Prefer: wait=…``, `LONGEST` at most; None if the client says nothing of it."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        value = value.strip().strip('"')
        if name.strip().lower() == "wait" and value.isascii() and value.isdigit():
            return min(int(value[:9]), LONGEST)
    return None


def wait(upload: Upload, seconds: int) -> bool | None:
    """Wait until an upload is stored; whether it is. None, and at once, if too many wait already."""
    if not limits.WAIT_PLACES.acquire(blocking=False):
        return None
    try:
        return uploads.wait(upload, seconds)
    finally:
        limits.WAIT_PLACES.release()
