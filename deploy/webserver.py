"""A gunicorn worker that serves requests with waitress. A request gets a thread only after it has arrived
completely."""

import os
import socket
import time
from contextlib import suppress

from django.conf import settings
from gunicorn.workers.base import Worker as GunicornWorker
from waitress import buffers, channel, parser, server, task, utilities, wasyncore

from deploy import gunicorn_conf


class Body(buffers.OverflowableBuffer):  # type: ignore[misc]
    """A request body. If the disk for temporary files is full, the server reads the body and discards it."""

    headers: dict[str, str]

    def append(self, data: bytes) -> None:
        """Store the data. If the disk is full, mark the request and discard the data."""
        try:
            if "ARCHIVE_NO_ROOM" not in self.headers:
                super().append(data)
        except OSError:
            self.headers["ARCHIVE_NO_ROOM"] = "true"  # Django gets it as a request header

    def close(self) -> None:
        with suppress(OSError):  # still no room
            super().close()


class Parser(parser.HTTPRequestParser):  # type: ignore[misc]
    """HTTP parser that rejects requests with an ambiguous body length, to prevent request smuggling."""

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the headers; raise `ParsingError` if the length of the body is ambiguous."""
        super().parse_header(header_plus)
        if getattr(self.adj, "ending", False):
            self.headers["CONNECTION"] = "close"  # this is the last request on the connection
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise parser.ParsingError("Transfer-Encoding is of HTTP/1.1, and without Content-Length")
        self.expect_continue &= self.body_rcv is not None
        if self.body_rcv is not None:
            self.body_rcv.buf = Body(self.adj.inbuf_overflow)
            self.body_rcv.buf.headers = self.headers


class Task(task.WSGITask):  # type: ignore[misc]
    """A request and its response. After a response that can't have a body, the connection stays open.
    waitress would close it, because such a response has no Content-Length."""

    def build_response_header(self) -> bytes:
        head: bytes = super().build_response_header()
        closes = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.status[:3] in ("204", "304") and self.version == "1.1" and not closes:
            self.close_on_finish = False
            head = head.replace(b"\r\nConnection: close\r\n", b"\r\n")
        return head


class Channel(channel.HTTPChannel):  # type: ignore[misc]
    """A connection. If the client closes its sending side in the middle of a request, the response is 400."""

    parser_class = Parser
    task_class = Task
    request: Parser | None

    def handle_read(self) -> None:
        with suppress(OSError):
            if self.request is not None and not self.socket.recv(1, socket.MSG_PEEK):
                self.request.error = utilities.BadRequest("The request ended before it was complete")
                self.requests, self.request = [self.request], None
                self.server.add_task(self)
                return
        super().handle_read()


class Worker(GunicornWorker):  # type: ignore[misc]
    """A process that serves requests with the options in the setting `WAITRESS`. At a reload, it accepts
    connections until a new process does. Then it finishes its requests, and answers one more request on each
    connection that a client keeps open."""

    LOADING = 30.0
    """Maximum number of seconds to wait for a new process."""
    KEEP_ALIVE = 5.0
    """Seconds to wait for one more request on connections that clients keep open."""

    def run(self) -> None:
        """Serve requests until a signal arrives or gunicorn's main process is gone."""
        reloads = gunicorn_conf.RELOAD[0]
        connections: dict[int, wasyncore.dispatcher] = {}
        sockets = [listener.sock for listener in self.sockets]
        site = server.create_server(self.wsgi, connections, sockets=sockets, **settings.WAITRESS)
        site.channel_class = Channel
        signalled = ending = None
        while self.ppid == os.getppid():
            self.notify()
            wasyncore.loop(0.5, use_poll=True, map=connections, count=1)
            if self.alive:
                continue
            now = time.monotonic()
            signalled = signalled or now
            replaced = gunicorn_conf.RELOAD[0] != reloads
            if replaced and not gunicorn_conf.RELOAD[1] and now < signalled + self.LOADING:
                continue
            ending = ending or now
            site.accepting, site.adj.ending = False, True
            here = site.active_channels.values()
            busy = any(one.request or one.requests or one.total_outbufs_len for one in here)
            if now > ending + (
                self.cfg.graceful_timeout if busy else self.KEEP_ALIVE if here and replaced else 0
            ):
                break
        site.task_dispatcher.shutdown(timeout=0.5)
