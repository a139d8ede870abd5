"""Servers that stand in for other machines in tests and faults: a silent server and a mail server."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


@contextlib.contextmanager
def silent_server(port: int = 0) -> Iterator[int]:
    """Yield the port of a server that accepts connections but never responds."""
    with socket.create_server(("127.0.0.1", port), backlog=128) as server:
        yield server.getsockname()[1]


@dataclass
class MailServer:
    """A mail server that stores all mails or, if `refusal` is set, rejects them with this response."""

    port: int = 0
    refusal: str = ""
    mails: list[bytes] = field(default_factory=list)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextlib.contextmanager
def mail_server(port: int = 0) -> Iterator[MailServer]:
    """Run a mail server while the `with` block runs. Yield its port and its mails."""
    it = MailServer()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 ready")
            while line := self.rfile.readline():
                verb = line[:4].upper()
                if verb == b"MAIL" and it.refusal:
                    self.say(it.refusal)
                elif verb == b"DATA":
                    self.say("354 go on")
                    self.take()
                    self.say("250 accepted")
                elif verb == b"QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 ok")

        def take(self) -> None:
            text = b""
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                text += line
            it.mails.append(text)

        def say(self, answer: str) -> None:
            self.wfile.write(answer.encode() + b"\r\n")

    with _Server(("127.0.0.1", port), Handler) as server:
        it.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield it
        server.shutdown()
