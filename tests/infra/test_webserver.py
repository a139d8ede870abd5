"""The web server as it is run, by real sockets: no client keeps it from answering the others."""

from __future__ import annotations

import contextlib
import http.client
import os
import select
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from waitress import wasyncore
from waitress.server import create_server

from deploy import gunicorn_conf, webserver
from tools import steady
from tools.site import Site
from tools.waiting import eventually

LIMIT = 300_000
"""The largest upload of the server under test."""
THREADS = 4


def web_site(folder: Path, **settings: str) -> Site:
    """A web server with one process and few threads, not yet started; its database is in the folder."""
    settings |= {"WEB_PROCESSES": "1", "WEB_THREADS": str(THREADS), "API_RATE_READ": "100000/min"}
    settings |= {"ARCHIVE_MAX_UPLOAD_BYTES": str(LIMIT), "ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES": "1000"}
    # With DEBUG, static files need not be collected.
    return Site(folder, "web", REDIS_URL=os.environ["REDIS_URL"], DEBUG="true", **settings)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A running server."""
    site = web_site(tmp_path_factory.mktemp("web"))
    site.manage("migrate", "--noinput")
    site.start()
    yield site
    site.stop()


@pytest.fixture
def web(shared: Site) -> Site:
    """The same, for a test that leaves it as it was."""
    shared.forget()
    return shared


@pytest.fixture
def own(shared: Site, tmp_path: Path) -> Iterator[Site]:
    """A running server on the same database, for a test that ends it."""
    site = web_site(tmp_path)
    (tmp_path / "archive.sqlite3").symlink_to(shared.folder / "archive.sqlite3")
    site.start()
    yield site
    site.stop()


def connect(web: Site, *parts: bytes) -> socket.socket:
    """A new connection over which these bytes are sent."""
    client = socket.create_connection(("127.0.0.1", web.port), timeout=20)
    for part in parts:
        client.sendall(part)
    return client


def exchange(web: Site, *parts: bytes, half_close: bool = False) -> bytes:
    """All that is answered until the server closes."""
    with connect(web, *parts) as client:
        if half_close:
            client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


def head(length: int | str = "", *more: str, path: str = "/api/v1/deals") -> bytes:
    """The head of an upload without an account."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *more]
    if length != "":
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def test_clients_that_announce_a_body_and_send_none_silence_nobody(web: Site) -> None:
    slow = [connect(web, head(1000), b"{") for _ in range(100)]
    slow += [connect(web, b"GET / HTTP/1.1\r\nHost: loc") for _ in range(100)]
    try:
        for path in ("/", "/api/v1/games"):
            assert web.request("GET", path)[0] == 200
        answered, _, _ = select.select(slow, [], [], 0)
        assert not answered, "all of them are still waited for"
    finally:
        for client in slow:
            client.close()


def test_an_answer_without_a_body_keeps_the_connection(web: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=30)
    connection.request("GET", "/api/v1/games")
    first = connection.getresponse()
    assert (first.status, bool(first.read())) == (200, True)
    own = connection.sock
    for method, headers, status in (
        ("GET", {"If-None-Match": first.headers["ETag"]}, 304),
        ("OPTIONS", {}, 204),
        ("GET", {"If-None-Match": first.headers["ETag"]}, 304),
        ("GET", {}, 200),
    ):
        connection.request(method, "/api/v1/games", headers=headers)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Connection"]) == (status, None)
        answer.read()
        assert connection.sock is own
    connection.request("OPTIONS", "/api/v1/games", headers={"Connection": "close"})
    assert connection.getresponse().headers["Connection"] == "close"
    connection.close()


CHUNKED = "Transfer-Encoding: chunked"
TWO_HOSTS = "GET / HTTP/1.1\r\nHost: localhost\r\nHost: {}\r\nConnection: close\r\n\r\n"
BROKEN_OFF = {
    "body": [head(1000), b"x" * 500],
    "chunks": [head("", CHUNKED), b"5\r\nhello\r\n"],
    "head": [b"GET / HTTP/1.1\r\nHost: loc"],
}
MALFORMED = {
    "size": (head("", CHUNKED) + b"zz\r\nhello\r\n0\r\n\r\n", 400),
    "end": (head("", CHUNKED) + b"5\r\nhello!!0\r\n\r\n", 400),
    "announced": (head(LIMIT + 2 * 1024 * 1024), 413),
    "head": (b"GET / HTTP/1.1\r\nX-Long: ".ljust(32 * 1024, b"x"), 431),
    "scanner": (b"SSH-2.0-scanner\r\n\r\n", 400),
    "both": (head(5, CHUNKED) + b"5\r\nhello\r\n0\r\n\r\n", 400),
    "twice": (head(5, "Content-Length: 5") + b"hello", 400),
    "other": (head(5, "Content-Length: 6") + b"hello", 400),
    "old": (head("", CHUNKED).replace(b"/1.1", b"/1.0") + b"0\r\n\r\n", 400),
    "coding": (head("", "Transfer-Encoding: gzip"), 501),
    "the same host twice": (TWO_HOSTS.format("localhost").encode(), 400),
    "two hosts": (TWO_HOSTS.format("elsewhere.example").encode(), 400),
}


@pytest.mark.parametrize(
    ("parts", "status", "half_close"),
    [
        *(pytest.param(parts, 400, True, id=f"{what} broken off") for what, parts in BROKEN_OFF.items()),
        *(pytest.param([sent], status, False, id=what) for what, (sent, status) in MALFORMED.items()),
    ],
)
def test_what_is_no_whole_request_is_refused(
    web: Site, parts: list[bytes], status: int, half_close: bool
) -> None:
    answer = exchange(web, *parts, half_close=half_close)
    assert f" {status} ".encode() in answer.split(b"\r\n")[0]
    assert "POST" not in web.output, "Django, which logs every request, has not seen it"
    assert "Traceback" not in web.output


def test_a_connection_is_kept_and_a_body_is_asked_for(web: Site) -> None:
    with connect(web) as client, client.makefile("rb") as answers:

        def status() -> bytes:
            first, length = answers.readline(), 0
            for line in iter(answers.readline, b"\r\n"):
                if line.startswith(b"Content-Length:"):
                    length = int(line.split()[1])
            answers.read(length)
            return first

        client.sendall(b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status() == b"HTTP/1.1 200 OK\r\n"
        client.sendall(b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n")
        assert status() == b"HTTP/1.1 200 OK\r\n", "without a body there is no 100 Continue"
        client.sendall(head(9, "Expect: 100-continue"))
        assert status() == b"HTTP/1.1 100 Continue\r\n"
        client.sendall(b"[TGN] bad")
        assert status().startswith(b"HTTP/1.1 4")


def test_chunks_arrive_as_one_body(web: Site) -> None:
    whole = exchange(web, head(9, "Connection: close"), b"[TGN] bad")
    chunks = b"5\r\n[TGN]\r\n4\r\n bad\r\n0\r\n\r\n"
    chunked = exchange(web, head("", "Connection: close", CHUNKED), chunks)
    assert whole.split(b"\r\n")[0] == chunked.split(b"\r\n")[0]
    assert whole.partition(b"\r\n\r\n")[2] == chunked.partition(b"\r\n\r\n")[2]


def test_a_killed_master_takes_its_processes_along(own: Site) -> None:
    children = own.processes(own.web)[1:]
    assert children
    own.web.process.kill()
    own.web.process.wait()

    def gone(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except FileNotFoundError:
            return True

    assert eventually(lambda: all(gone(pid) for pid in children), 15)


def test_a_reload_replaces_processes_and_fails_nobody_and_all_end_in_good_order(own: Site) -> None:
    """Fifty requests a second, every other one over a kept connection."""
    before = own.processes(own.web)
    assert own.web.process is not None
    with steady.reading(own.port) as readers:
        assert eventually(lambda: readers.seen.total() > 50, 60)
        own.web.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: not set(before[1:]) & set(own.processes(own.web)), 120)
        answered = readers.seen.total()
        assert eventually(lambda: readers.seen.total() > answered + 50, 60)
    assert own.processes(own.web)[0] == before[0]
    assert readers.failed == 0, readers.seen
    with connect(own):  # one that says nothing does not hold it
        own.web.process.terminate()
        assert own.web.process.wait(timeout=12) == 0, "gunicorn itself would wait for 15 seconds"

    # A kept connection would be reset with its process, and a request over it lost.
    assert not hasattr(gunicorn_conf, "max_requests")


class Here:
    """A server in this process."""

    def __init__(self, application: Callable[..., Any]) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.sockets: dict[int, wasyncore.dispatcher] = {}
        self.server = create_server(
            application, self.sockets, sockets=[self.listener], **{**settings.WAITRESS, "threads": 1}
        )
        self.server.channel_class = webserver.Channel

    def ask(self, request: bytes = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") -> socket.socket:
        client = socket.create_connection(self.listener.getsockname(), timeout=20)
        client.sendall(request)
        return client

    def turn(self) -> None:
        wasyncore.poll2(0.05, self.sockets)

    def end(self) -> None:
        self.server.task_dispatcher.shutdown(timeout=5)
        self.server.close()


class Endless(Here):
    """Its answers have no end."""

    def __init__(self) -> None:
        self.made = 0
        self.ended = threading.Event()
        super().__init__(self.application)

    def application(self, environ: Any, start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [])
        try:
            while True:
                self.made += 65_536
                yield b"x" * 65_536
        finally:
            self.ended.set()


@pytest.fixture
def endless() -> Iterator[Endless]:
    endless = Endless()
    yield endless
    endless.end()


def test_an_answer_ends_with_its_client(endless: Endless) -> None:
    with endless.ask() as client:
        assert eventually(lambda: endless.turn() or endless.made > 10_000_000)
        assert b"Transfer-Encoding: chunked" in client.recv(65_536)
        for _ in range(20):
            endless.turn()
        assert endless.made < 100_000_000  # it waits for the slow reader
        assert not endless.ended.is_set()
    assert eventually(lambda: endless.turn() or endless.ended.is_set())


@pytest.mark.parametrize(
    ("path", "media_type", "words"),
    [
        ("/api/v1/uploads", b"application/problem+json", "The archive has no room for this"),
        ("/upload/", b"text/html", "Dem Archiv ist der Platz ausgegangen"),
    ],
)
@pytest.mark.parametrize(("size", "chunked"), [(2_000_000, False), (600_000, True)])
def test_a_full_folder_for_temporary_files(
    path: str, media_type: bytes, words: str, size: int, chunked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = lambda mode: Path("/dev/full").open(mode)  # noqa: E731, SIM115
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    here = Here(get_wsgi_application())
    body = b"x" * size
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % size
    if chunked:
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (size, body)
    heads = [f"POST {path} HTTP/1.1".encode(), b"Host: localhost", b"Accept-Language: de", length]
    heads.append(b"Connection: close")
    answer = b""
    try:
        client = here.ask(b"\r\n".join(heads) + b"\r\n\r\n")
        client.setblocking(False)

        def ended() -> bool:
            nonlocal body, answer
            for _ in range(50):
                wasyncore.poll2(0, here.sockets)
            with contextlib.suppress(BlockingIOError):
                body = body[client.send(body) :]
            with contextlib.suppress(BlockingIOError):
                got = client.recv(65536)
                answer += got
                return not got
            return False

        assert eventually(ended)
    finally:
        client.close()
        here.end()
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 507 ")
    assert media_type in head
    assert words in rest.decode()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone has it")
def test_a_reader_who_stands_still_loses_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gunicorn_conf, "STANDS_STILL", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket() as reader:
        listener = SimpleNamespace(sock=listening)
        gunicorn_conf.when_ready(SimpleNamespace(LISTENERS=[listener]))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect(listening.getsockname())
        connection, _address = listening.accept()
        with connection, pytest.raises(TimeoutError):
            connection.sendall(bytes(50_000_000))
