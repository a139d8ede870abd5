"""How a process of gunicorn serves: with waitress, which takes a thread when a whole request is there."""

import os
import socket
import time
from contextlib import suppress

from django.conf import settings
from gunicorn.workers.base import Worker as GunicornWorker
from waitress import buffers, channel, parser, server, utilities, wasyncore


class Body(buffers.OverflowableBuffer):  # type: ignore[misc]
    """A body; one for which the folder for temporary files has no room is read to its end, and lost."""

    headers: dict[str, str]

    def append(self, data: bytes) -> None:
        """Keeps it, as long as there is room."""
        try:
            if "ARCHIVE_NO_ROOM" not in self.headers:
                super().append(data)
        except OSError:
            self.headers["ARCHIVE_NO_ROOM"] = "true"  # so Django is told

    def close(self) -> None:
        """Removes the file."""
        with suppress(OSError):  # still no room
            super().close()


class Parser(parser.HTTPRequestParser):  # type: ignore[misc]
    """Refuses what two servers in a row may take for two different bodies."""

    def parse_header(self, header_plus: bytes) -> None:
        """Called when all headers are there."""
        super().parse_header(header_plus)
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise parser.ParsingError("Transfer-Encoding is of HTTP/1.1, and without Content-Length")
        self.expect_continue &= self.body_rcv is not None
        if self.body_rcv is not None:
            self.body_rcv.buf = Body(self.adj.inbuf_overflow)
            self.body_rcv.buf.headers = self.headers


class Channel(channel.HTTPChannel):  # type: ignore[misc]
    """A connection; who ends it for his part in the middle of a request is told so."""

    parser_class = Parser
    request: Parser | None

    def handle_read(self) -> None:
        """Called when something has come, or the end."""
        with suppress(OSError):
            if self.request is not None and not self.socket.recv(1, socket.MSG_PEEK):
                self.request.error = utilities.BadRequest("The request ended before it was complete")
                self.requests, self.request = [self.request], None
                self.server.add_task(self)
                return
        super().handle_read()


class Worker(GunicornWorker):  # type: ignore[misc]
    """One process. What waitress is told stands in the settings, `WAITRESS`."""

    def run(self) -> None:
        """Serves until told to stop, or until gunicorn's own process is gone."""
        connections: dict[int, wasyncore.dispatcher] = {}
        sockets = [listener.sock for listener in self.sockets]
        site = server.create_server(self.wsgi, connections, sockets=sockets, **settings.WAITRESS)
        site.channel_class, until = Channel, float("inf")
        while self.ppid == os.getppid() and time.monotonic() < until:
            self.notify()
            wasyncore.loop(0.5, use_poll=True, map=connections, count=1)
            if not self.alive:  # others take new connections; what is under way here is done
                site.accepting, until = False, min(until, time.monotonic() + self.cfg.graceful_timeout)
                here = site.active_channels.values()
                if not any(one.request or one.requests or one.total_outbufs_len for one in here):
                    break
        site.task_dispatcher.shutdown(timeout=0.5)
