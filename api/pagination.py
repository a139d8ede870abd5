"""Pagination of lists.

Lists of deals and uploads use a cursor, which encodes the id of a page's last row, so that new rows never
make a client miss a row or get it twice. The ranking of players uses an offset.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.links import header, next_url
from archive.web.errors import ApiError

BIGGEST_ID = 2**63 - 1


def page_of(
    rows: Callable[[int | None, int], Iterable[Any]], request: Request, limit: int, cursor: str | None
) -> dict[str, Any]:
    """Return the page of `limit` rows after the cursor; without a cursor, the first page. `rows(last, most)`
    returns up to `most` rows after the row with id `last`. Raise `ApiError` for an invalid cursor."""
    fetched = list(rows(None if cursor is None else read_cursor(cursor), limit + 1))
    more = len(fetched) > limit
    following = next_url(request, cursor=write_cursor(fetched[limit - 1].pk)) if more else None
    return {"next": following, "results": fetched[:limit]}


def paged(page: dict[str, Any]) -> Response:
    """Return a response with a page. Its `Link` header also contains the URL of the next page."""
    return Response(page, headers=header(next=page["next"]) if page["next"] else {})


def write_cursor(number: int) -> str:
    """Encode the id of a page's last row as an opaque cursor.

    >>> write_cursor(4711)
    'NDcxMQ'
    >>> read_cursor(write_cursor(4711))
    4711
    """
    return urlsafe_b64encode(str(number).encode()).decode().rstrip("=")


def read_cursor(word: str) -> int:
    """Return the id that a cursor encodes. Raise `ApiError` if the cursor is invalid."""
    try:
        number = int(urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode("ascii"))
        if not 0 <= number <= BIGGEST_ID or write_cursor(number) != word:
            raise ValueError
    except ValueError:
        detail = "This cursor is not one that was given out here."
        raise ApiError("invalid_cursor", detail, field="cursor") from None
    return number
