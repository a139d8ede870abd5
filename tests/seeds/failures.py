"""The other servers of the archive, which can fail, and what is stored before and after a history."""

from __future__ import annotations

import json
import logging
import shutil
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

import httpcore
import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection, models, transaction

from archive import database
from archive.access import Viewer
from archive.models import Contribution, Deal, Removed, Space
from archive.storing import campaigns, queue
from archive.storing.verdicts import contribution_verdict
from tests.archive.test_sequences import Mirror, all_rows, check_counts, check_what_is_stored
from tests.seeds.scheduler import Scheduler

# --- other servers ------------------------------------------------------------------------------------------


class Broker:
    """Celery's application, as `archive.storing.queue` uses it. `messages`: task and number of each;
    `early`: tasks of messages that were sent before COMMIT, although a worker may be faster."""

    def __init__(self, steps: Scheduler) -> None:
        self._steps = steps
        self.messages: list[tuple[str, int]] = []
        self.early: list[str] = []

    def producer_or_acquire(self) -> Any:
        return nullcontext()

    def send_task(self, task: str, args: tuple[int], **_how: Any) -> None:
        with self._steps.step(f"publish {task}", self._fail, self._fail):
            self.messages.append((task.rpartition(".")[2], *args))
            if connection.in_atomic_block:
                self.early.append(task)

    def _fail(self) -> NoReturn:
        raise ConnectionError("the broker is away")


class Receiver(httpcore.NetworkStream):
    """The receiver of a webhook, as `archive.publishing.outgoing` connects to it. `messages`: id and body of
    each message that has arrived."""

    def __init__(self, steps: Scheduler) -> None:
        self._steps, self._request = steps, b""
        self.messages: list[tuple[str, bytes]] = []

    def _step(self, name: str) -> Any:
        return self._steps.step(name, self._fail, self._fail)

    def _fail(self) -> NoReturn:
        raise httpcore.NetworkError("the connection was lost")

    def connect_tcp(self, *_where: Any) -> Receiver:
        with self._step("connect"):
            self._request = b""
        return self

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._step("send"):
            self._request += buffer
            head, _, body = self._request.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().splitlines()[1:])
            if buffer and len(body) == int(headers["Content-Length"]):
                self.messages.append((headers["webhook-id"], body))

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._step("receive"):
            return b"HTTP/1.1 204 No Content\r\n\r\n"

    def close(self) -> None:
        pass


@contextmanager
def without_servers(patched: pytest.MonkeyPatch, broker: Broker, receiver: Any) -> Iterator[None]:
    """Use this broker and this receiver of webhooks, and wait for nothing."""
    patched.setattr(queue, "current_app", broker)
    patched.setattr(httpcore, "SyncBackend", receiver)
    tls = ssl.create_default_context()  # takes longer than everything else in a delivery
    patched.setattr(ssl, "create_default_context", lambda: tls)
    patched.setattr(database.time, "sleep", lambda seconds: None)
    logging.disable()  # thousands of tracebacks, as expected
    yield
    logging.disable(logging.NOTSET)


# --- what is stored -----------------------------------------------------------------------------------------


def check_rows(viewer: Viewer, space: int) -> list[Contribution]:
    """Check what holds of all rows at any time, and the feeds of everybody and a viewer. Return the rows."""
    rows = all_rows()
    check_what_is_stored(rows)
    check_counts(rows)
    Mirror(Viewer()).check(9, rows)
    Mirror(viewer, space).check(9, rows)
    for said in rows:
        score = {seat.seat: seat.points or 0 for seat in said.seats.all()} if said.deal.has_score else None
        assert said.verdict == contribution_verdict(said.claimed, said.deal.verdict, score)
    assert campaigns._checked(Deal.objects.all()).changed == []
    return rows


class Saved:
    """The rows of the archive and its users, and the files of a folder, as they are now."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._copy = folder, folder.with_name(f"{folder.name} before")
        shutil.copytree(folder, self._copy)
        self._rows = {}
        with connection.cursor() as cursor:
            cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'")
            self._sequences = cursor.fetchall()
            for model in _MODELS:
                with cursor.copy(f"COPY {model._meta.db_table} TO STDOUT") as copying:
                    self._rows[model._meta.db_table] = b"".join(copying)

    def put_back(self) -> None:
        """Replace all rows, sequences and files."""
        shutil.rmtree(self._folder)
        shutil.copytree(self._copy, self._folder)
        with transaction.atomic(), connection.cursor() as cursor:
            # Without triggers and without checks of foreign keys.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("".join(f"DELETE FROM {table};" for table in self._rows))
            for table, rows in self._rows.items():
                if rows:
                    with cursor.copy(f"COPY {table} FROM STDIN") as copying:
                        copying.write(rows)
            cursor.execute(
                "SELECT setval(name::regclass, coalesce(last, 1), last IS NOT NULL)"
                " FROM unnest(%s::text[], %s::bigint[]) AS there (name, last)",
                [*map(list, zip(*self._sequences, strict=True))],
            )


_MODELS: list[Any] = [get_user_model(), *apps.get_app_config("archive").get_models()]

_LEFT_OUT = {"Mark", "Cell", "Total", "Tally", "Figure", "Delivery", "Note"}
"""Models that are not compared: sums, which are checked on their own, and attempts."""

_VARYING = {
    "Deal": {"place", "digest"},
    "Part": {"claims"},
    "Chunk": {"claims", "error", "first", "last", "excepted"},
    "User": {"last_login"},
}
"""Columns that are not compared: they contain ids (the digest only of a sheet), or tell of attempts."""

_IDS = {
    ("UploadItem", "deal_id"): Deal,
    ("Removed", "deal_id"): Deal,
    ("Removed", "contribution_id"): Contribution,
    ("Removed", "space"): Space,
    ("Contribution", "feed_number"): Removed,
    ("Webhook", "after"): Removed,
}
"""Ids in columns that are not foreign keys."""


def picture() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all tables, without times, and with ranks instead of ids. Two archives with the same
    history have the same picture, even if one of them needed more attempts."""
    tables = [f"SELECT {n}, to_jsonb(t)::text FROM {one._meta.db_table} t" for n, one in enumerate(_MODELS)]
    rows: dict[Any, list[dict[str, Any]]] = {model: [] for model in _MODELS}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(tables))
        for n, text in cursor.fetchall():
            rows[_MODELS[n]].append(json.loads(text))
    ranks = {
        model: {pk: rank for rank, pk in enumerate(sorted(row["id"] for row in found if "id" in row))}
        for model, found in rows.items()
    }
    changes = [*ranks[Removed], *(row["feed_number"] for row in rows[Contribution])]
    ranks[Removed] = {number: rank for rank, number in enumerate(sorted(changes))}
    found = {}
    for model in _MODELS:
        name = model.__name__
        if name in _LEFT_OUT:
            continue
        without = {"id", *getattr(model, "FIGURES", ()), *_VARYING.get(name, ())}
        fields = [
            field for field in model._meta.concrete_fields if field.column and field.column not in without
        ]
        found[name] = [
            {field.column: _told(field, row[field.column], ranks) for field in fields}
            for row in sorted(
                rows[model], key=lambda row: (row.get("id") or row["contribution_id"], row.get("seat"))
            )
        ]
    return found


def _told(field: Any, value: Any, ranks: dict[Any, dict[Any, int]]) -> Any:
    if isinstance(field, models.DateTimeField):
        return value is not None
    if field.column == "error":
        return bool(value)
    target = field.related_model if field.is_relation else _IDS.get((field.model.__name__, field.column))
    return ranks[target].get(value) if target else value
