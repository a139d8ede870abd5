"""The way of phones to the archive: a web server whose changes wait until a history lets them through."""

from __future__ import annotations

import io
import json
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections

STATIC = "/static/replays/"


@dataclass
class Request:
    """A request of a phone that waits. `tab`: the name of the phone, and a number of its page; `answer`:
    status, headers and content; None if the answer is lost."""

    tab: str
    environ: dict[str, Any]
    body: bytes
    answer: tuple[str, list[tuple[str, str]], bytes] | None = None
    answered: threading.Event = field(default_factory=threading.Event)

    @property
    def phone(self) -> str:
        return self.tab[0]

    @property
    def path(self) -> str:
        return str(self.environ["PATH_INFO"])

    def __str__(self) -> str:
        return f"{self.phone}:{self.environ['REQUEST_METHOD']} {self.path.rpartition('/evenings/')[2][36:]}"


@dataclass(frozen=True)
class Change:
    """A change that the archive has accepted: of the deal at a path or of the setup, from the version `base`.
    `content`: empty if the deal was withdrawn."""

    path: str
    base: str
    content: str


class Gate:
    """The web server. Pages and files are answered immediately; states and changes of evenings wait for
    `pass_through`. `release`: number of the release, which is in the addresses of its files."""

    def __init__(self) -> None:
        self.waiting: list[Request] = []
        self.late: list[Request] = []
        self.accepted: list[Change] = []
        self.versions: dict[tuple[int, Any], set[str]] = defaultdict(set)
        self.release = 0
        self._site = StaticFilesHandler(get_wsgi_application())

    @contextmanager
    def open(self) -> Iterator[str]:
        """Serve the site. Yield its address."""
        server = _Server(("localhost", 0), _Handler, ipv6=False)
        server.daemon_threads = True
        server.set_app(self)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            self.clear()
            server.shutdown()
            thread.join()
            server.server_close()

    def clear(self) -> None:
        """Forget all requests: the phones are gone."""
        for request in [*self.waiting, *self.late]:
            request.answer = None
            request.answered.set()
        self.waiting, self.late, self.accepted, self.release = [], [], [], 0
        self.versions.clear()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # answers are read here
        if tab := environ.get("HTTP_X_TAB"):
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            request = Request(tab, environ, body)
            self.waiting.append(request)
            request.answered.wait()
            answer = request.answer
        else:
            answer = self._answer_now(environ)
        if answer is None:
            environ["socket"].shutdown(socket.SHUT_RDWR)
            start("500 Lost", [])
            return []
        start(answer[0], answer[1])
        return [answer[2]]

    def _answer_now(self, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
        """Answer a page or a file. An address of a file contains the release, as a hash of its content would,
        and the files of an earlier release are gone."""
        first, files = f"/static/r{self.release}/", "/static/r"
        if environ["PATH_INFO"].startswith(first):
            environ["PATH_INFO"] = "/static/replays/" + environ["PATH_INFO"].removeprefix(first)
        elif environ["PATH_INFO"][:9] == files and environ["PATH_INFO"][9].isdigit():
            return "404 Not Found", [("Content-Type", "text/plain")], b""
        status, headers, content = self._respond(environ)
        is_page = dict(headers).get("Content-Type", "").startswith("text/html")
        if is_page or environ["PATH_INFO"].endswith("sw.js"):
            content = content.replace(STATIC.encode(), first.encode())
            headers = [(name, value) for name, value in headers if name != "Content-Length"]
        return status, headers, content

    def _respond(self, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
        head: list[Any] = []
        answer = self._site(environ, lambda *given, **_rest: head.extend(given))
        try:
            return head[0], head[1], b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()

    # --- the requests that wait

    def count(self, tab: str) -> int:
        """Return the number of requests of a page without an answer."""
        return sum(request.tab == tab for request in [*self.waiting, *self.late])

    def take(self, phones: set[str]) -> list[Request]:
        """Take the requests that wait, except those of these phones, in the order of the phones."""
        taken = sorted((one for one in self.waiting if one.phone not in phones), key=lambda one: one.tab)
        for request in taken:
            self.waiting.remove(request)
        return taken

    def carry_out(self, request: Request) -> None:
        """Let the archive carry out a request, and keep its answer."""
        request.environ["wsgi.input"] = io.BytesIO(request.body)
        request.answer = self._respond(request.environ)
        told = json.loads(request.answer[2] or "{}")
        for deal in [*told.get("deals", ()), *filter(None, [told.get("deal")])]:
            self.versions[deal["n"], deal["lines"][-1][-1]].add(deal["version"])
        if request.answer[0][:1] == "2" and request.environ["REQUEST_METHOD"] != "GET":
            self.accepted.append(_change_of(request))

    def answer(self, request: Request, how: str = "") -> None:
        """Send the answer of a request: `lost` or `late`, or immediately."""
        if how == "late":
            self.late.append(request)
            return
        if how == "lost":
            request.answer = None
        request.answered.set()

    def answer_late(self) -> None:
        for request in self.late:
            request.answered.set()
        self.late.clear()


def _change_of(request: Request) -> Change:
    """Return what a request changes, and from which version."""
    sent = json.loads(request.body)
    if request.path.endswith("/setup"):
        content = {
            name: value for name, value in sent.items() if name not in ("version", "visibility", "space")
        }
        return Change(request.path, str(sent["version"] or 1), json.dumps(content, sort_keys=True))
    return Change(request.path, sent["base"], json.dumps(sent["deal"]["lines"]) if "deal" in sent else "")


class _Handler(WSGIRequestHandler):
    def get_environ(self) -> dict[str, Any]:
        return super().get_environ() | {"socket": self.connection}

    def log_message(self, *_words: Any) -> None:
        pass


class _Server(ThreadedWSGIServer):
    def close_request(self, request: Any) -> None:
        """End the connections to the database of this request's thread."""
        connections.close_all()
        super().close_request(request)

    def handle_error(self, *_request: Any) -> None:
        """Say nothing about phones that have closed their connection."""
