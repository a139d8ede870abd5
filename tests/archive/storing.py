"""Storing in the test's own process, and looking at everything that is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.apps import apps
from django.db import connections

from archive.models import Deal, Part, Upload, UploadItem
from archive.storing import intake, uploads

T = TypeVar("T")


def keep(*chunks: bytes | str, **how: Any) -> Upload:
    """Keep what comes in these chunks, and tell nobody."""
    found = [chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks]
    return uploads.receive(found, **{"limit": 10**9, "send": False} | how)


def store(upload: Upload) -> Upload:
    """Store the parts of an upload that wait, one after the other."""
    for pk in upload.parts.filter(state="waiting").values_list("pk", flat=True):
        intake.store(pk)
    upload.refresh_from_db()
    return upload


def stored(*texts: bytes | str, **how: Any) -> Upload:
    """An upload of these records, kept and stored."""
    records = [text.encode() if isinstance(text, str) else text for text in texts]
    return store(keep(b"\n".join(records), **how))


def deal_of(text: str, **how: Any) -> Deal:
    """The deal of a record, which is stored now or was before."""
    upload = stored(text, **how)
    return Deal.objects.get(pk=UploadItem.objects.get(part__upload=upload).deal_id)


def items(upload: Upload) -> list[tuple[int, int, str]]:
    """The rows of the result: first record, last record, outcome."""
    found = UploadItem.objects.filter(part__upload=upload).order_by("part__number", "n")
    return list(found.values_list("n", "last", "outcome"))


def outcomes(upload: Upload) -> list[str]:
    """What became of each record."""
    return [outcome for n, last, outcome in items(upload) for _ in range(n, last + 1)]


def part_of(upload: Upload) -> Part:
    """The only part of an upload, as it is in the database."""
    return upload.parts.get()


def everything(without: Iterable[str] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """Every value of every row of the archive's tables, but of these tables."""
    return {
        model.__name__: [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in model.objects.order_by("pk").values_list()
        ]
        for model in apps.get_app_config("archive").get_models()
        if model.__name__ not in without
    }


WHAT_IS_SENT = ("Upload", "Part", "UploadItem")


def together(*calls: Callable[[], T]) -> list[T]:
    """Run these at one time, each in a thread with its own connection; what they returned, in order."""
    barrier = threading.Barrier(len(calls))
    results: dict[int, T] = {}
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            barrier.wait(timeout=20)
            results[number] = calls[number]()
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(calls))]
