"""How a process of gunicorn serves: with waitress, so that no thread waits for a client.

An event loop receives whole requests (a long body in a temporary file) and sends whole answers; only what
lies between is done in threads. What does not arrive in time, or not in good order, is refused by the loop
and never reaches Django.
"""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import os
import resource
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.workers.base import Worker as GunicornWorker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError, get_header_lines
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import BadRequest, Error

IDLE_SECONDS = 30
"""A connection on which nothing moves for so long is closed."""
HEAD_SECONDS = 20
"""So long a request line and headers may take in all."""
BODY_SECONDS, SLOWEST = 60, 16 * 1024
"""So long a body may take in all, and a second more for so many bytes of it that have come."""
ANSWER_SECONDS = 60
"""Who does not fetch so many times `SLOWEST` bytes of an answer in so many seconds, while a thread waits for
him with the rest of it, loses the connection."""
LAST_SECONDS = 2
"""A process that is to end waits for another request of who was here so long ago, to say that it is the
last."""
LINGER_SECONDS = 5
"""So long what a refused client still sends is read: else the network takes the answer away from it."""
HEAD_BYTES = 32 * 1024
CHUNK_LINE_BYTES = 4096
"""The longest line between two chunks, and the longest trailer."""
CONNECTIONS = 1000
"""Open connections of one process."""


class TooSlow(Error):  # type: ignore[misc]
    """The answer to a request that does not arrive."""

    code = 408
    reason = "Request Timeout"


class AddressTooLong(Error):  # type: ignore[misc]
    """The answer to a request line without an end."""

    code = 414
    reason = "URI Too Long"


class VersionUnknown(Error):  # type: ignore[misc]
    """The answer to a request in another version of HTTP than 1."""

    code = 505
    reason = "HTTP Version Not Supported"


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Waitress's, which would let the line between two chunks grow as long as a body, and forgets the address
    of what it refuses."""

    completed: bool
    error: Error | None
    body_rcv: Any
    start = b""
    """The first bytes, the request line among them."""
    no_room = False
    """Whether the body was too much for the folder for temporary files; then it is empty."""

    @property
    def below_api(self) -> bool:
        """Whether the address begins with `/api/`."""
        return self.start.lstrip().partition(b" ")[2].startswith(b"/api/")

    def received(self, data: bytes) -> int:
        """Takes in what has come; says how much of it belongs to this request."""
        if b"\n" not in self.start.lstrip():
            self.start += data[:HEAD_BYTES]
        try:
            consumed: int = super().received(data)
            if self.completed:
                self.get_body_stream().flush()
        except OSError:
            self._lose_body()
            return len(data)
        if self.error is not None and self.error.code == 431 and b"\n" not in self.start.lstrip():
            self.error = AddressTooLong("The request line has no end")
        if self.error is None and self.headers_finished and self.version[:2] not in ("", "1."):
            self.error, self.completed = VersionUnknown("Speak HTTP/1.1"), True
        if self.chunked and not self.completed:
            between = max(len(self.body_rcv.control_line), len(self.body_rcv.trailer))
            if between > CHUNK_LINE_BYTES:
                self.error, self.completed = BadRequest("Chunk without an end"), True
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Refuses, beside what waitress does, what two servers in a row may take for two different bodies."""
        super().parse_header(header_plus)
        codings = [
            line.partition(b":")[2].strip(b" \t").lower()
            for line in get_header_lines(header_plus.partition(b"\r\n")[2])
            if line.lower().startswith(b"transfer-encoding:")
        ]
        if codings and self.version != "1.1":
            raise ParsingError("Transfer-Encoding is of HTTP/1.1")
        if codings and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        if codings not in ([], [b"chunked"]):
            raise ParsingError("Transfer-Encoding is “chunked”, once")

    def _lose_body(self) -> None:
        self.close()
        self.body_rcv, self.no_room, self.completed = None, True, True
        self.headers["CONTENT_LENGTH"] = "0"

    def close(self) -> None:
        """Removes the file of the body."""
        with contextlib.suppress(OSError):  # that is full still
            super().close()


class Refusal(ErrorTask):  # type: ignore[misc]
    """Answers what never comes to Django; below `/api/` in the shape of the API's errors."""

    CODES = {
        408: "timeout",
        413: "too_large",
        414: "head_too_large",
        431: "head_too_large",
        500: "server_error",
    }

    def execute(self) -> None:
        """Writes the answer."""
        if not self.channel.requests[0].below_api:
            super().execute()
            return
        from api.errors import PROBLEM, problem

        error = self.request.error
        detail = f"{error.body}."
        if error.body == "Bad URI":
            detail = (
                "The address is none; letters beyond ASCII are written so: %C5%99 (UTF-8, in hexadecimals)."
            )
        told = problem(error.code, self.CODES.get(error.code, "bad_request"), detail)
        body = json.dumps(told, ensure_ascii=False).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", PROBLEM), ("Access-Control-Allow-Origin", "*")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Answer(WSGITask):  # type: ignore[misc]
    """An answer of Django's."""

    def get_environment(self) -> dict[str, Any]:
        """What Django is told; also that there was no room for the body."""
        environ: dict[str, Any] = super().get_environment()
        if self.request.no_room:
            from api.handlers import NO_ROOM

            environ[NO_ROOM] = True
        return environ

    def build_response_header(self) -> bytes:
        """The head; it says that the connection ends with this answer where the process is to end, or where
        the rest of a body still comes."""
        if self.channel.server.retiring or self.request.no_room:
            self.set_close_on_finish()
        head: bytes = super().build_response_header()
        return head


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection."""

    parser_class = Parser
    task_class = Answer
    error_task_class = Refusal
    request: Any
    close_when_flushed: bool

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.receiving_since = time.time()
        self.lingering_until: float | None = None
        self.sending_since, self.sent = time.time(), 0
        super().__init__(*arguments, **named)

    def send_continue(self) -> None:
        """Asks for the body, but not for one that is refused already, and not where there is none."""
        if not self.request.completed:
            super().send_continue()

    def handle_read(self) -> None:
        """Takes in what has come. A client that ends in the middle of a request is told so."""
        try:
            data = self.socket.recv(self.adj.recv_bytes)
        except BlockingIOError:
            return
        except OSError:
            self.handle_close()
            return
        if data and self.lingering_until is None:
            self.last_activity = time.time()
            self.received(data)
        elif not data and self.request is not None and self.lingering_until is None:
            self.refuse(BadRequest("The request ended before it was complete"))
        elif not data:
            self.handle_close()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Sends what the network takes of it, and counts it."""
        sent: int = super().send(data, do_close=do_close)
        self.sent += sent
        return sent

    def handle_write(self) -> None:
        """Sends what there is. Who is to go is told that no more comes, and then listened to a while."""
        going, self.close_when_flushed = self.close_when_flushed, False
        super().handle_write()
        if not going or self.socket is None:
            return
        if self.total_outbufs_len:
            self.close_when_flushed = True
            return
        self.lingering_until = time.time() + LINGER_SECONDS
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.handle_close()

    def refuse(self, error: Error) -> None:
        """Answers a request that is not complete with an error; the connection ends with it."""
        with self.requests_lock:
            request, self.request = self.request, None
            request.error, request.completed = error, True
            self.requests.append(request)
            if len(self.requests) == 1:
                self.server.add_task(self)

    def look_after(self, now: float) -> None:
        """Called every second: ends what has lasted too long."""
        receiving = self.request is not None and not self.requests
        if not receiving:
            self.receiving_since = now
        idle = now - self.last_activity
        if self.lingering_until is not None:
            if now > self.lingering_until:
                self.handle_close()
        elif receiving:
            if idle > IDLE_SECONDS or now - self.receiving_since > self._allowed_seconds():
                self.refuse(TooSlow("The request did not arrive in time"))
        elif self._fetches_too_slowly(now):
            self.handle_close()
        elif idle > IDLE_SECONDS and (self.total_outbufs_len or not self.requests):
            # Kept open for nothing, or it does not fetch its answer.
            self.handle_close()

    def _fetches_too_slowly(self, now: float) -> bool:
        """Whether a thread has had to wait for a slow reader for `ANSWER_SECONDS`."""
        if not (self.requests and self.total_outbufs_len):
            self.sending_since, self.sent = now, 0
        elif now - self.sending_since > ANSWER_SECONDS:
            too_slow = self.sent < SLOWEST * ANSWER_SECONDS
            self.sending_since, self.sent = now, 0
            return too_slow
        return False

    def _allowed_seconds(self) -> float:
        if not self.request.headers_finished:
            return HEAD_SECONDS
        return BODY_SECONDS + float(self.request.body_bytes_received) / SLOWEST


class Server(TcpWSGIServer):  # type: ignore[misc]
    """One listening socket, and the connections made to it."""

    channel_class = Channel
    retiring = False
    """Whether its process is to end, and connections with it."""

    def look_after(self, now: float) -> None:
        """Called every second."""
        for channel in list(self.active_channels.values()):
            channel.look_after(now)

    def busy(self, now: float) -> bool:
        """Whether a request is on its way in or an answer on its way out, or somebody was here just now who
        does not know yet that his connection ends."""
        return any(
            channel.requests
            or channel.request
            or channel.total_outbufs_len
            or (channel.lingering_until is None and now - channel.last_activity < LAST_SECONDS)
            for channel in self.active_channels.values()
        )

    def stop_listening(self) -> None:
        """Leaves new connections to other processes; those that are there go on."""
        wasyncore.dispatcher.close(self)


class Worker(GunicornWorker):  # type: ignore[misc]
    """One process. `threads`, `max_requests`, `keepalive`, `graceful_timeout` and the heartbeat are
    gunicorn's."""

    alive: bool
    _full_since: float | None = None
    """When it had as many requests as a process may have."""

    def run(self) -> None:
        """Serves until told to stop, or until gunicorn's own process is gone."""
        from django.conf import settings

        collect_less()
        limits = (settings.ARCHIVE_MAX_UPLOAD_BYTES, settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES)
        _allow_files(3 * CONNECTIONS)  # a connection's, its body's, its answer's
        # It warns of every request that waits for a thread.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        adjustments = Adjustments(
            threads=self.cfg.threads,
            max_request_header_size=HEAD_BYTES,
            max_request_body_size=max(limits) + 1024 * 1024,
            connection_limit=CONNECTIONS,
            # More of a body goes to the disk: many slow clients together shall not fill the memory.
            inbuf_overflow=64 * 1024,
            asyncore_use_poll=True,
            log_socket_errors=False,
            # Django reads X-Forwarded-For and X-Forwarded-Proto itself.
            clear_untrusted_proxy_headers=False,
        )
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        sockets: dict[int, Any] = {}
        servers = [self._server(listener.sock, sockets, threads, adjustments) for listener in self.sockets]
        self._looked = time.time()
        while self.alive and self._parent_lives():
            self._turn(servers, sockets)
            # Connections end with their next answer, or as there is none for so long; new ones are taken.
            if self._full_since is not None:
                for server in servers:
                    server.retiring = True
                self.alive = time.monotonic() - self._full_since < self.cfg.keepalive
        for server in servers:
            server.stop_listening()
            server.retiring = True
        until = time.monotonic() + self.cfg.graceful_timeout
        while self._parent_lives() and time.monotonic() < until:
            self._turn(servers, sockets)
            if not any(server.busy(time.time()) for server in servers):
                break
        threads.shutdown(timeout=0.5)

    def _server(
        self, listener: socket.socket, sockets: dict[int, Any], threads: Any, adjustments: Any
    ) -> Server:
        return Server(
            self._application,
            map=sockets,
            _sock=listener,
            dispatcher=threads,
            adj=adjustments,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def _turn(self, servers: list[Server], sockets: dict[int, Any]) -> None:
        """One turn of the event loop, half a second at most."""
        self.notify()
        wasyncore.poll2(0.5, sockets)
        now = time.time()
        if abs(now - self._looked) >= 1:
            self._looked = now
            for server in servers:
                server.look_after(now)

    def _parent_lives(self) -> bool:
        return bool(self.ppid == os.getppid())

    def _application(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Django, counting requests: after `max_requests` of them the process is replaced."""
        self.nr += 1
        if self.nr >= self.max_requests and self._full_since is None:
            self.log.info("Autorestarting worker after %s requests.", self.nr)
            self._full_since = time.monotonic()
        answer: Iterable[bytes] = self.wsgi(environ, start_response)
        return answer


def collect_less() -> None:
    """What is loaded stays: to look through it for garbage again and again takes a sixth of a long export."""
    gc.freeze()
    gc.set_threshold(10_000)


def _allow_files(number: int) -> None:
    """Raise what this process may have open, as far as it may itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
