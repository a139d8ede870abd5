"""The one statement of what an error of the API looks like; every endpoint's tests hold it to this."""

from typing import Any

from django.http import HttpResponse

from archive.web.problems import CODES, WHERE


def assert_error(
    response: HttpResponse, status: int, code: str | None = None, *, report: bool = False, **where: Any
) -> dict[str, Any]:
    """Fail unless the response is an error of the one shape, with this status, code and parts of its place.

    It may have only its six members, and the `report` of an upload without accepted records. Return the
    error.
    """
    assert response.status_code == status, response.content[:500]
    assert response["Content-Type"] == "application/problem+json"
    error = response.json()
    check_problem(error)
    assert error["status"] == status
    assert report or len(error) == 6, list(error)
    if code is not None:
        assert error["code"] == code, error
    for name, value in where.items():
        assert error["where"] is not None, error
        assert error["where"][name] == value, error
    return error


def check_problem(error: dict[str, Any]) -> None:
    """Fail unless this begins as every error does (RFC 9457)."""
    assert list(error)[:6] == ["type", "title", "status", "detail", "code", "where"]
    assert error["type"] == f"/api/v1/docs#error-{error['code']}"
    assert error["title"]
    check_error(error)


def check_error(error: dict[str, Any]) -> None:
    """Fail unless these are a documented code, a sentence, and a place or null."""
    assert error["code"] in CODES, error["code"]
    message = error["detail"]
    assert isinstance(message, str)
    assert message.strip()
    assert "Traceback" not in message
    place = error["where"]
    if place is not None:
        assert tuple(place) == WHERE
        for number in ("record", "line", "column"):
            assert place[number] is None or isinstance(place[number], int)
        for word in ("pointer", "field"):
            assert place[word] is None or isinstance(place[word], str)
        assert any(value is not None for value in place.values())
