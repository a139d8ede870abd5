"""Odd, broken and too large bodies get a response, never a server error, and nothing is half stored."""

import gzip
import io
import tracemalloc
import zipfile
from itertools import product
from typing import Any

import pytest

from archive.models import Deal, Part, Upload
from archive.reading import uploads
from tests.support import samples

from .conftest import JSON, NDJSON, TGN, ApiClient
from .shape import assert_error

_DEEP = 30_000
BODY = samples.TAROKY.encode()


def _json(**changes: Any) -> bytes:
    return samples.json_text(samples.taroky_json(**changes)).encode()


UNREADABLE = {
    TGN: [b"\xff\xfe\x41\x01", BODY.replace(b"Alena", b"Al\xed\xa0\x80ena"), b"\x00" * 1000, b"hello"],
    JSON: [
        *(b"null", b"42", b"[]", b"{}", b"[null, 1]", b'{"tgn": 1', b'{"tgn": 1}}', b'{"tgn": 1, "tgn": 1}'),
        *(b'{"tgn": %s}' % value for value in (b"NaN", b"1e999", b"1" + b"0" * 10_000)),
        *(b"[" * _DEEP, b'{"tgn":' * _DEEP + b"1" + b"}" * _DEEP),
        *(b'{"tgn": 1, "game": "\\ud800"}', b'{"tgn": 1, "game": "\\u0000"}'),
        *(_json(score={"A": 1e400}), _json(dealer="Z"), _json(events=None), _json(extra=1)),
    ],
    NDJSON: [b'{"a": 1}\n{"b": 2}\n'],
}
"""Bodies by their media type; the engine's tests have many more."""


def test_packed_files_and_old_encodings_are_read(writer) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("first.tgn", samples.TAROKY.encode("utf-16"))
        file.writestr("second.json", samples.as_json(1))
        file.writestr("table.csv", "Anna;Bruno\n1;-1\n")
    report = writer.send(out.getvalue(), "application/zip").json()
    assert (report["stored"], report["malformed"]) == (2, 1)
    assert report["results"][2]["error"]["detail"].startswith("line 50, column 1: found a table")
    known = [
        (gzip.compress(BODY), "application/gzip", "utf-8"),
        (samples.TAROKY.encode("iso-8859-2"), TGN, "cp1250"),  # its letters are the same in both
    ]
    for body, content_type, encoding in known:
        report = writer.send(body, content_type).json()
        assert (report["known"], report["encoding"]) == (1, encoding)
    unclear = samples.TAROKY.replace("Hlučín", "").replace("Bořek", "Søren").encode("cp1252")
    assert writer.send(unclear, TGN).json()["code"] == "malformed"
    report = writer.send(unclear, TGN, "deals?encoding=cp1252").json()
    assert (report["malformed"], report["encoding"]) == (0, "cp1252")


@pytest.mark.parametrize("content_type", UNREADABLE)
def test_nothing_that_can_be_read(content_type, writer) -> None:
    for body in UNREADABLE[content_type]:
        error = assert_error(writer.send(body, content_type), 422, "malformed", report=True, record=0)
        assert error["stored"] == 0
        for result in error["results"]:
            assert result["outcome"] == "malformed"
            place = result["error"]["where"]
            assert place["line"] is not None or place["pointer"] is not None
        assert b"".join(uploads.upload_bytes(Upload.objects.latest("pk"))) == body
    for body in (b"", b" ", b"\n\n\r\n\t"):
        response = writer.send(body, content_type, CONTENT_TYPE=content_type)
        assert assert_error(response, 422, "malformed", report=True, record=0)["malformed"] == 1
    twice = _json().replace(b'"dealer": "D"', b'"dealer": "D", "dealer": "A"')
    assert "dealer" in assert_error(writer.send(twice, JSON), 422, "malformed", report=True)["detail"]
    assert not Deal.objects.exists()


def test_much_of_anything_is_read_while_one_waits(writer) -> None:
    # How the work grows is counted with the engine (`tests/engine/test_limits.py`).
    for body, content_type in (
        (b"{}\n" * 40_000, NDJSON),
        (b'{"tgn":[' * 500 + b"0," * 60_000 + b"NaN", JSON),
        (b'[TGN "1"]\n' + b"".join(b'[X%d ""]\n' % n for n in range(10_000)), TGN),
    ):
        response = writer.send(body, content_type, path="uploads", headers={"Prefer": "wait=60"})
        assert response.status_code == 200
        assert response.json()["finished"]


def test_media_types_that_are_not_read_and_packed_bodies(writer) -> None:
    for content_type in (
        *("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/octet-stream"),
        *("application/xml", "text/html", "image/png", "nonsense", "", "application/" + "x" * 2000),
        *("application/vnd.tgn; charset=iso-8859-2", "text/plain; charset=utf-16"),
        "text/plain; charset=no-such-thing",
    ):
        assert_error(writer.send(samples.TAROKY, content_type), 415, "unsupported_media_type")
    for coding in ("gzip", "br", "deflate", "GZIP"):
        response = writer.send(samples.TAROKY, headers={"Content-Encoding": coding})
        assert_error(response, 415, "unsupported_media_type")
    assert not Upload.objects.exists()


# --- as servers hand them over ------------------------------------------------------------------------------


class Untouched(io.RawIOBase):
    """A body that must not be read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("the body was read")


class Endless(io.RawIOBase):
    """A body that does not end by itself; counts what was taken of it."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        assert 0 < size <= 65_536, "one read of an endless body was too large"
        self.taken += size
        return b"x" * size


class Failing(io.RawIOBase):
    """A body whose server raises after the first half."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.half = io.BytesIO(BODY[:500])

    def read(self, size: int = -1) -> bytes:
        if chunk := self.half.read(size):
            return chunk
        raise self.error


class BadChunk(Exception):
    """As servers have them: no OSError."""


CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}


def post(client: ApiClient, body: Any, path: str = "uploads", **environ: Any) -> Any:
    """Send a body as a server hands it over: a stream, with these variables about it."""
    return client.send(b"", path=path, CONTENT_TYPE=TGN, **{"wsgi.input": body, **environ})


@pytest.mark.parametrize("path", ["deals", "uploads"])
def test_a_body_is_refused_before_it_is_read(path, writer, settings) -> None:
    """If it is too large, if it needs a token, or if its length is no number or not said."""
    limit = settings.ARCHIVE_MAX_UPLOAD_BYTES = len(BODY)
    for size, said in ((str(limit + 1), f"{limit + 1:,} bytes"), ("9" * 5000, "")):
        error = assert_error(post(writer, Untouched(), path, CONTENT_LENGTH=size), 413, "too_large")
        assert f"{limit:,} bytes" in error["detail"]
        assert said in error["detail"]
    nobody = ApiClient("none")
    assert_error(post(nobody, Untouched(), path, CONTENT_LENGTH="10"), 401, "authentication_failed")
    for length in ("-1", "1.5", "x", "١٢"):
        assert_error(post(writer, Untouched(), path, CONTENT_LENGTH=length), 400, "bad_request")
    head = {"HTTP_TRANSFER_ENCODING": "chunked"}
    assert_error(post(writer, Untouched(), path, **head), 411, "length_required")
    assert not Upload.objects.exists()
    assert post(writer, io.BytesIO(BODY), path, CONTENT_LENGTH=str(limit)).status_code in (201, 202)
    # A sender over the quota is refused before the body is read, too.
    settings.ARCHIVE_QUOTA_BYTES = 1000
    answer = post(writer, Untouched(), path, CONTENT_LENGTH="100")
    assert_error(answer, 429, "throttled")
    assert 3500 < int(answer["Retry-After"]) <= 3601
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("path", ["deals", "uploads"])
def test_a_body_that_ends_before_its_length_or_cannot_be_read_to_its_end(path, writer) -> None:
    for body in (BODY, BODY[:500], b""):
        answer = post(writer, io.BytesIO(body), path, CONTENT_LENGTH=str(len(body) + 1))
        error = assert_error(answer, 400, "bad_request")
        assert f"ended after {len(body):,} of the {len(body) + 1:,} bytes" in error["detail"]
    for fault, head in product(
        (ConnectionResetError(), TimeoutError(), BadChunk("xyz")), ({"CONTENT_LENGTH": "1000"}, CHUNKED)
    ):
        assert_error(post(writer, Failing(fault), path, **head), 400, "bad_request")
    assert not Upload.objects.exists()
    assert not Part.objects.exists()


def test_a_long_body_that_breaks_off_leaves_nothing(writer) -> None:
    body = (BODY + b"\n") * 1000
    kept: list[int] = []

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            kept.append(Part.objects.count())
            return super().read(size)

    broken_off = Counting(body[:-1])
    assert_error(post(writer, broken_off, CONTENT_LENGTH=str(len(body))), 400, "bad_request")
    assert max(kept) >= 2  # parts were stored as they arrived
    assert not Part.objects.exists()
    assert not Upload.objects.exists()


def test_what_follows_a_body_is_not_read(writer) -> None:
    body = io.BytesIO(BODY + b"GET / HTTP/1.1")
    answer = post(writer, body, "deals", CONTENT_LENGTH=str(len(BODY)))
    assert answer.status_code == 201
    assert Upload.objects.get().size == len(BODY)


def test_a_body_in_chunks_is_held_to_the_limit_while_it_is_read(writer, settings) -> None:
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 100_000
    body = Endless()
    assert_error(post(writer, body, **CHUNKED), 413, "too_large")
    assert body.taken == 100_001
    assert not Upload.objects.exists()
    # The server says where it ends.
    assert post(writer, io.BytesIO(BODY), "deals", **CHUNKED).status_code == 201


def test_a_long_body_is_not_held_in_memory(writer, workers) -> None:
    workers.away = True
    body = io.BytesIO(BODY * 9_000)
    size = len(body.getbuffer())
    tracemalloc.start()
    try:
        answer = post(writer, body, CONTENT_LENGTH=str(size))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer.status_code == 202
    assert Upload.objects.get().size == size
    assert peak < 8_000_000


def test_a_quota_is_a_sender_s_own(writer, stranger, settings) -> None:
    settings.ARCHIVE_QUOTA_DEALS = 1
    assert writer.send(samples.TAROKY).status_code == 201
    assert_error(writer.send(samples.TAROKY), 429, "throttled")
    assert stranger.send(samples.TAROKY).status_code == 200
