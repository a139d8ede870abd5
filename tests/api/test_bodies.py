"""Bodies that are odd, broken, or too large: always an answer, never a fault of ours, and nothing half
stored."""

import io
import json
import time
from typing import Any

import pytest
from django.test import RequestFactory
from rest_framework.authtoken.models import Token

from api.views.deals import Deals
from archive.models import Deal, Upload

from . import samples
from .conftest import JSON, NDJSON, TGN, ApiClient
from .shape import assert_error


@pytest.mark.parametrize("body", [b"", b" ", b"\n\n\r\n\t"])
@pytest.mark.parametrize("content_type", [TGN, JSON, NDJSON, "text/plain"])
def test_nothing_in_it(body: bytes, content_type: str, writer: ApiClient) -> None:
    response = writer.send(body, content_type, CONTENT_TYPE=content_type)
    error = assert_error(response, 422, "malformed", report=True, record=0)
    assert error["malformed"] == 1
    assert not Deal.objects.exists()


_DEEP = 100_000


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"\xff\xfe\x00\x01", TGN),
        (samples.TAROKY.encode("utf-16"), TGN),
        (samples.TAROKY.encode("iso-8859-2"), TGN),
        (samples.TAROKY.encode().replace(b"Alena", b"Al\xc3ena"), TGN),
        (samples.TAROKY.encode().replace(b"Alena", b"Al\xed\xa0\x80ena"), TGN),
        (b"\x00" * 1000, TGN),
        (b"hello", TGN),
        (b"null", JSON),
        (b"true", JSON),
        (b"42", JSON),
        (b'"text"', JSON),
        (b"[]", JSON),
        (b"{}", JSON),
        (b"[[]]", JSON),
        (b"[null, 1]", JSON),
        (b'{"tgn": 1', JSON),
        (b'{"tgn": 1}}', JSON),
        (b'{"tgn": NaN}', JSON),
        (b'{"tgn": Infinity}', JSON),
        (b'{"tgn": 1e999}', JSON),
        (b'{"tgn": 1' + b"0" * 10_000 + b"}", JSON),
        (b'{"tgn": 1, "tgn": 1}', JSON),
        (b"[" * _DEEP, JSON),
        (b"[" * _DEEP + b"]" * _DEEP, JSON),
        (b'{"tgn":' * _DEEP + b"1" + b"}" * _DEEP, JSON),
        (b'{"tgn": 1, "game": "\\ud800"}', JSON),
        (b'{"tgn": 1, "game": "\\u0000"}', JSON),
        (samples.json_text(samples.taroky_json(score={"A": float("nan")})).encode(), JSON),
        (samples.json_text(samples.taroky_json(score={"A": 1e400})).encode(), JSON),
        (samples.json_text(samples.taroky_json(dealer="Z")).encode(), JSON),
        (samples.json_text(samples.taroky_json(dealer=["D"])).encode(), JSON),
        (samples.json_text(samples.taroky_json(events=None)).encode(), JSON),
        (samples.json_text(samples.taroky_json(extra=1)).encode(), JSON),
        (b'{"tgn":' * _DEEP + b'{"tgn": 1}', JSON),
        (b'{"a": 1}\n{"b": 2}\n', NDJSON),
        (b"tgn=1&game=taroky", TGN),
        (b"<html></html>", "text/plain"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_nothing_that_can_be_read(body: bytes, content_type: str, writer: ApiClient) -> None:
    error = assert_error(writer.send(body, content_type), 422, "malformed", report=True, record=0)
    assert error["stored"] == 0
    for result in error["results"]:
        assert result["outcome"] == "malformed"
        place = result["error"]["where"]
        assert place["line"] is not None or place["pointer"] is not None
    assert not Deal.objects.exists()
    assert bytes(Upload.objects.get().raw) == body


def test_a_duplicate_key_is_no_second_opinion(writer: ApiClient) -> None:
    body = samples.json_text(samples.taroky_json()).replace('"dealer": "D"', '"dealer": "D", "dealer": "A"')
    error = assert_error(writer.send(body, JSON), 422, "malformed", report=True)
    assert "dealer" in error["message"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"{}\n" * 170_000, NDJSON),
        (b'{"tgn": x' * 55_000, NDJSON),
        (b'{"tgn":' * 70_000, JSON),
        (b'{"tgn":[' * 500 + b"0," * 250_000 + b"NaN", JSON),
        (samples.json_text(samples.taroky_json(tags={f"X{n}": "" for n in range(40_000)})).encode(), JSON),
        (b'[TGN "1"]\n' + b"".join(b'[X%d ""]\n' % n for n in range(40_000)), TGN),
        (b'[TGN "1"]\n\nx\n\n' * 35_000, TGN),
    ],
    ids=["lines", "faults", "nested", "nested with an end", "tags in JSON", "tags in text", "records"],
)
def test_time_goes_with_the_length(body: bytes, content_type: str, writer: ApiClient) -> None:
    # Half a megabyte each. What is linear needs a second or two; what was quadratic needed minutes.
    began = time.monotonic()
    assert writer.send(body, content_type).status_code in (201, 422)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("name", ["\x00", "A\x00B", "\x7f", "\ud800", "‮Alena", "A" * 200, "💣"])
def test_strange_names(name: str, writer: ApiClient) -> None:
    record = samples.taroky_json()
    record["players"]["A"] = name
    response = writer.send(json.dumps(record), JSON)
    assert response.status_code in (201, 422)
    if response.status_code == 422:
        assert_error(response, 422, report=True)
    else:
        deal = writer.ask(f"deals/{response.json()['results'][0]['id']}").json()
        assert deal["players"][0]["player"] == name


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/xml",
        "text/html",
        "image/png",
        "nonsense",
        "",
        "application/vnd.tgn; charset=iso-8859-2",
        "text/plain; charset=utf-16",
        "text/plain; charset=no-such-thing",
        "application/" + "x" * 2000,
    ],
)
def test_media_types_that_are_not_read(content_type: str, writer: ApiClient) -> None:
    assert_error(writer.send(samples.TAROKY, content_type), 415, "unsupported_media_type")
    assert not Upload.objects.exists()


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "GZIP"])
def test_packed_bodies_are_not_read(coding: str, writer: ApiClient) -> None:
    response = writer.send(samples.TAROKY, headers={"Content-Encoding": coding})
    assert_error(response, 415, "unsupported_media_type")


def test_too_large_by_its_own_word(writer: ApiClient, settings: Any) -> None:
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 500
    error = assert_error(writer.send(samples.TAROKY), 413, "too_large")
    assert "500 bytes" in error["message"]
    assert f"{len(samples.TAROKY.encode()):,} bytes" in error["message"]
    assert not Upload.objects.exists()


def test_just_large_enough(writer: ApiClient, settings: Any) -> None:
    settings.ARCHIVE_MAX_UPLOAD_BYTES = len(samples.TAROKY.encode())
    assert writer.send(samples.TAROKY).status_code == 201


class Unread(io.RawIOBase):
    """A body that must not be touched."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("the body was read")


class Endless(io.RawIOBase):
    """A body that does not end by itself; counts what was taken of it."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "all of an endless body was asked for"
        self.taken += size
        return b"x" * size


def _post(token: str, **environ: Any) -> Any:
    """The answer to a request with this WSGI environment, which no test client would make."""
    request = RequestFactory().post(
        "/api/v1/deals", content_type=TGN, headers={"Authorization": f"Token {token}"}
    )
    request.META.update(environ)
    for key in [key for key, value in environ.items() if value is None]:
        del request.META[key]
    request._stream = environ.get("wsgi.input", request._stream)
    response = Deals.as_view()(request)
    response.render()
    return response


def _assert_error(response: Any, status: int, code: str) -> None:
    response.json = lambda: json.loads(response.content)
    assert_error(response, status, code)


@pytest.fixture
def token(alena: Any) -> str:
    return Token.objects.create(user=alena).key


def test_a_large_body_is_refused_before_it_is_read(token: str, settings: Any) -> None:
    size = str(settings.ARCHIVE_MAX_UPLOAD_BYTES + 1)
    _assert_error(_post(token, CONTENT_LENGTH=size, **{"wsgi.input": Unread()}), 413, "too_large")


def test_a_body_that_needs_a_token_is_not_read_without(settings: Any, db: None) -> None:
    _assert_error(
        _post("none", CONTENT_LENGTH="10", **{"wsgi.input": Unread()}), 401, "authentication_failed"
    )


def test_a_body_in_chunks_is_held_to_the_limit_while_it_is_read(token: str, settings: Any) -> None:
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 100_000
    body = Endless()
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": None, "wsgi.input_terminated": True}
    _assert_error(_post(token, **chunked, **{"wsgi.input": body}), 413, "too_large")
    assert body.taken == 100_001


def test_a_body_in_chunks_is_read_where_the_server_ends_it(token: str) -> None:
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": None, "wsgi.input_terminated": True}
    response = _post(token, **chunked, **{"wsgi.input": io.BytesIO(samples.TAROKY.encode())})
    assert response.status_code == 201


def test_a_body_of_unsaid_length_is_refused_where_it_is_not(token: str) -> None:
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": None}
    _assert_error(_post(token, **chunked, **{"wsgi.input": Unread()}), 411, "length_required")


def test_a_client_that_hangs_up(token: str) -> None:
    class Gone(io.RawIOBase):
        def read(self, *_: Any) -> bytes:
            raise ConnectionResetError

    _assert_error(_post(token, CONTENT_LENGTH="100", **{"wsgi.input": Gone()}), 400, "bad_request")
    assert not Upload.objects.exists()
