"""The format of all errors (RFC 9457): `application/problem+json`.

`type` is a URL with an explanation of the error, `title` its name, `status` the status of the response,
`detail` a sentence for people. We add two members. `code` is a stable identifier for programs. `where` is the
location of the error: an object with five keys (`record`, `line`, `column`, `pointer`, `field`, each null if
it does not apply), or null if the error has no location. In a list of records, an error in a record has only
`code`, `detail` and `where` (`fault`).
"""

import errno
import json
from typing import Any, NamedTuple

from django.http import HttpResponse

from archive.database import storable

PROBLEM = "application/problem+json"
"""The media type of every error."""


class Code(NamedTuple):
    """A kind of error."""

    status: int
    """Status of the response."""
    meaning: str
    """Meaning of the code. The part before a semicolon is also the title of the error."""


#: Every code of the API's errors. Tests compare the guide and the schema with this table.
CODES = {
    "bad_request": Code(400, "The request is invalid: it can't be parsed, or its body ended too early."),
    "invalid_parameter": Code(400, "A query parameter is unknown, repeated, or has an invalid value."),
    "invalid_cursor": Code(400, "The cursor of a page is not one that this API returned."),
    "not_authenticated": Code(401, "Writing, and reading your own uploads, needs a token."),
    "authentication_failed": Code(401, "The token is invalid, or its user was deactivated."),
    "permission_denied": Code(403, "The user may not do this."),
    "scope_needed": Code(
        403, "The user may do this, but not with this token; WWW-Authenticate names the scope."
    ),
    "https_required": Code(
        403, "A request with a token, or one that writes, was sent over plain HTTP; nothing was done."
    ),
    "not_found": Code(404, "There is nothing at this URL, or nothing that this user can see."),
    "method_not_allowed": Code(
        405, "This URL does not support the method; the Allow header lists those it supports."
    ),
    "not_acceptable": Code(406, "This URL has none of the forms requested by Accept or ?format=."),
    "no_text_form": Code(406, "TGN text can't express the record; its JSON form is available."),
    "no_play": Code(404, "The play of this deal was not recorded. There is only its score sheet or result."),
    "not_verified": Code(409, "The deal is not verified, so it has no certificate."),
    "no_certificates": Code(404, "The archive has no key to sign certificates with."),
    "no_such_range": Code(416, "The file does not have the bytes that Range requests."),
    "length_required": Code(411, "The size of the body must be given in advance (Content-Length)."),
    "too_large": Code(413, "The body is larger than this URL accepts in one request."),
    "unsupported_media_type": Code(415, "The body's media type, character set or encoding is not supported."),
    "refused": Code(422, "The record was parsed but can't be stored; the message says why."),
    "unclear": Code(
        422, "The record was stored, but can't be used completely; the message says why and what to do."
    ),
    "malformed": Code(422, "There is no record, or it can't be parsed; message and place say why."),
    "key_in_use": Code(
        409, "Another request with the same Idempotency-Key is still being received; try it again."
    ),
    "key_reused": Code(422, "Another request with the same Idempotency-Key was sent within a day."),
    "already_there": Code(
        409, "The club already has the deal with other details, or withdrew it; nothing was moved."
    ),
    "changed_meanwhile": Code(409, "The object to replace has changed in the meantime; nothing was saved."),
    "throttled": Code(
        429, "Too many requests, or too much sent in an hour; Retry-After says how many seconds to wait."
    ),
    "busy": Code(
        503, "The archive cannot answer now, and stored nothing; Retry-After says how many seconds to wait."
    ),
    "no_room": Code(507, "The archive has no room for the body, and stored nothing of it."),
    "server_error": Code(500, "An error in the archive itself; it was logged."),
}

#: The keys of `where`, in the order they are written.
WHERE = ("record", "line", "column", "pointer", "field")


def place(**known: Any) -> dict[str, Any] | None:
    """Return the `where` object, or None if no location is known. Raise TypeError for unknown names."""
    strange = set(known) - set(WHERE)
    if strange:
        raise TypeError(f"not a part of a place: {sorted(strange)}")
    if all(value is None for value in known.values()):
        return None
    values = ((key, known.get(key)) for key in WHERE)
    return {key: storable(value) if isinstance(value, str) else value for key, value in values}


def fault(code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the members that problems share with errors in records. Raise KeyError for a code that is not in
    `CODES`, because it would be undocumented."""
    if code not in CODES:
        raise KeyError(code)
    # Replace lone surrogates from a sender's text, because they can't be encoded.
    return {"code": code, "detail": storable(detail), "where": where}


def problem(code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the body of an error response (RFC 9457)."""
    status, meaning = CODES[code]
    title = meaning.partition(";")[0].rstrip(".")
    named = {"type": f"/api/v1/docs#error-{code}", "title": title, "status": status, "detail": detail}
    return named | fault(code, detail, where)


def answer(code: str, detail: str) -> HttpResponse:
    """Return an error response, for code outside of views."""
    body = problem(code, detail)
    return HttpResponse(json.dumps(body, ensure_ascii=False), status=body["status"], content_type=PROBLEM)


def is_full(error: BaseException | None) -> bool:
    """Return whether a write failed because the disk is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


FULL = "The archive has no room for this just now, and kept nothing of it. Try it again later."
