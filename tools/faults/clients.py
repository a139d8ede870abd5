"""Faults of clients and of webhook receivers."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

from tools.faults.load import PATIENCE, Load, deals
from tools.outside import silent_server
from tools.site import USER, Site
from tools.waiting import eventually


def flood_of_faults(site: Site, load: Load) -> None:
    """Send uploads with 80,000 invalid records each. They must store few rows and not delay other uploads."""
    from archive.models import UploadItem

    flood = b"[" + b",".join([b"{}"] * 80_000) + b"]"
    connection.close()
    reports = [site.send(flood, Content_Type="application/json") for _ in range(5)]
    began = time.monotonic()
    load.send(0)
    site.finished(load.accepted[0][-1], PATIENCE)
    load.seen[f"stored in {time.monotonic() - began:.0f} s during the flood"] += 1
    for report in reports:
        site.finished(report["url"], PATIENCE)
    uploads = [int(report["upload"]) for report in reports]
    rows = UploadItem.objects.filter(part__upload__in=uploads).count()
    load.seen["rows for 400,000 faulty records"] += rows
    if rows > 2000:
        load.errors.append(f"a flood of faulty records took {rows} rows")


def body_broken_off(site: Site, load: Load) -> None:
    """Announce the length of a body, send half of the body, and disconnect."""
    for number in range(20):
        data = deals(4, 900_000 + number)[0].encode()
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        connection.putrequest("POST", "/api/v1/deals" if number % 2 else "/api/v1/uploads")
        connection.putheader("Authorization", f"Token {site.token}")
        connection.putheader("Content-Type", "text/plain")
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders()
        connection.send(data[: len(data) // 2])
        if number % 4 < 2 and connection.sock is not None:
            connection.sock.shutdown(1)
            with suppress(OSError, http.client.HTTPException):
                load.seen[f"half: {connection.getresponse().status}"] += 1
        connection.close()


def hanging_webhook(site: Site, load: Load) -> None:
    """Let webhook receivers accept connections but never respond. Another receiver must still get its
    messages."""
    from archive.publishing import webhooks
    from archive.storing import spaces

    connection.close()
    user = get_user_model().objects.get(username=USER)
    with silent_server() as hanging, _receiver() as (url, received):
        for number in range(webhooks.MOST - 1):
            webhooks.add(spaces.own(user), f"http://127.0.0.1:{hanging}/{number}", by=user)
        webhooks.add(spaces.own(user), url, by=user)
        load.send(0)
        if not eventually(lambda: received, 15):
            load.errors.append("the working webhook was sent nothing in 15 seconds")
        time.sleep(15)
        load.seen["messages to the working webhook"] += len(received)
    spaces.own(user).webhooks.all().delete()


@contextmanager
def _receiver() -> Iterator[tuple[str, list[bytes]]]:
    """Run a webhook receiver that accepts everything; yield its URL and the received messages."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", received
        finally:
            server.shutdown()
