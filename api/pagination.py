"""Pages of lists.

Deals and uploads are paged by a cursor, the id of the last row. Ids of deals grow in the order in which deals
become visible, so new deals never cause a repeated or a missing row. The ranking of players is paged by an
offset.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.links import header, next_url
from archive.web.errors import ApiError

BIGGEST_ID = 2**63 - 1


def page_of(
    rows: Callable[[int | None, int], Iterable[Any]], request: Request, limit: int, cursor: str | None
) -> dict[str, Any]:
    """Return the page of `limit` rows after the cursor. `rows(last, most)` returns up to `most` rows after
    the one with id `last`. Raise `ApiError` for an invalid cursor."""
    fetched = list(rows(None if cursor is None else read_cursor(cursor), limit + 1))
    more = len(fetched) > limit
    following = next_url(request, cursor=write_cursor(fetched[limit - 1].pk)) if more else None
    return {"next": following, "results": fetched[:limit]}


def slice_of(rows: Sequence[Any], request: Request, limit: int, offset: int) -> dict[str, Any]:
    """Return the page of `limit` rows from `offset` on. `rows`: these, and one more if there is one."""
    fetched = rows
    following = next_url(request, offset=offset + limit) if len(fetched) > limit else None
    return {"next": following, "results": fetched[:limit]}


def paged(page: dict[str, Any], **options: Any) -> Response:
    """Return a page as a response, with its `next` in the header `Link`, too."""
    headers = header(next=page["next"]) if page["next"] else {}
    return Response(page, headers={**options.pop("headers", {}), **headers}, **options)


def write_cursor(number: int) -> str:
    """Encode the position after a row as an opaque word.

    >>> write_cursor(4711)
    'NDcxMQ'
    >>> read_cursor(write_cursor(4711))
    4711
    """
    return urlsafe_b64encode(str(number).encode()).decode().rstrip("=")


def read_cursor(word: str) -> int:
    """Decode a cursor into the id of the row before it; raise `ApiError` if it is invalid."""
    try:
        number = int(urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode("ascii"))
        if not 0 <= number <= BIGGEST_ID or write_cursor(number) != word:
            raise ValueError
    except ValueError:
        detail = "This cursor is not one that was given out here."
        raise ApiError("invalid_cursor", detail, field="cursor") from None
    return number
