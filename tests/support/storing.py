"""Storing in the test's own process, and reading what is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.db import connections

from archive import access, tokens
from archive.access import EVERYBODY, Viewer
from archive.models import Contribution, Deal, Part, Puzzle, Upload, UploadItem
from archive.reading.deals import deals_by_id, find_ids, iter_deals
from archive.reading.filters import Filters
from archive.reading.uploads import results_of
from archive.shown import ShownDeal
from archive.storing import intake, uploads
from tarock.notation import pieces
from tests.support import samples

T = TypeVar("T")


def receive(*chunks: bytes | str, **how: Any) -> Upload:
    """Receive what comes in these chunks, without a message to a worker."""
    found = [chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks]
    return uploads.receive(found, **{"limit": 10**9, "send": False} | how)


def small_parts(patched: pytest.MonkeyPatch, size: int) -> None:
    """Receive uploads in parts of about this size in bytes, so that a few deals make several parts."""
    patched.setattr(pieces, "PIECE", size)
    patched.setattr(pieces, "MAX_TEXT", size // 10)


def store(upload: Upload) -> Upload:
    """Store the parts of an upload that wait, one after the other. Sums stay as they are (`settling.py`)."""
    for pk in upload.parts.filter(state="waiting").values_list("pk", flat=True):
        intake.store(pk)
    upload.refresh_from_db()
    return upload


def stored(*texts: bytes | str, **how: Any) -> Upload:
    """An upload of these records, received and stored."""
    records = [text.encode() if isinstance(text, str) else text for text in texts]
    return store(receive(b"\n".join(records), **how))


def shown(what: Deal | ShownDeal | Contribution | int) -> ShownDeal:
    """Return a deal, by itself or by its id, as it is in the database now and as its first contribution, or
    this one, describes it; regardless of permissions."""
    contributions = access.readable(Viewer(operator=True)).select_related("deal").prefetched()
    if isinstance(what, Contribution):
        contribution = contributions.get(pk=what.pk)
    else:
        contribution = contributions.filter(deal=what if isinstance(what, int) else what.pk)[0]
    return ShownDeal(contribution.deal, contribution)


def deal_of(text: str, **how: Any) -> ShownDeal:
    """The deal of a record, which is stored now or was before."""
    return shown(UploadItem.objects.get(part__upload=stored(text, **how)).deal_id)


def deals_of(text: str, **how: Any) -> list[ShownDeal]:
    """The deals of a text, which are stored now or were before; what holds no deal is left out."""
    results = results_of(stored(text, **how))
    return [shown(result.deal) for result in results if result.deal]


def puzzle_of(deal: int) -> Puzzle:
    """A puzzle from the deal `samples.TAROKY`: D leads to the last trick but one."""
    choices = {"CJ": [0, "CJ T16 S10 CC T1 S7 SC SQ"], "SQ": [5, "SQ T16 S10 SC T1 S7 CC CJ"]}
    step = samples.LAST_STEP - 8
    return Puzzle.objects.create(
        deal_id=deal, game="taroky", step=step, theme="points", choices=choices, key="7" * 32
    )


def items(upload: Upload) -> list[tuple[int, int, str]]:
    """The rows of the result: first record, last record, outcome."""
    found = UploadItem.objects.filter(part__upload=upload).order_by("part__number", "n")
    return list(found.values_list("n", "last", "outcome"))


def outcomes(upload: Upload) -> list[str]:
    """Return the outcome of each record."""
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
            barrier.wait(timeout=300)
            results[number] = calls[number]()
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(calls))]


def deals(filters: Filters | None = None, viewer: Viewer = EVERYBODY) -> list[ShownDeal]:
    """All deals that fit, the newest first; the same as a page of a search finds."""
    filters = filters or Filters()
    found = list(iter_deals(filters, viewer, newest_first=True, without=()))
    numbers = find_ids(filters, viewer, "stored", len(found) + 1)
    listed = deals_by_id(numbers, filters, viewer)
    assert [deal.key for deal in listed] == [deal.key for deal in found]
    return found


def deal(filters: Filters | None = None) -> ShownDeal:
    """The only deal that fits."""
    (found,) = deals(filters)
    return found


def secret_of(user: Any, scopes: Iterable[str] | None = None) -> str:
    """The secret of a new token of a user: for all that he may do, or for these scopes."""
    return tokens.make(user, "test", scopes=tokens.allowed(user) if scopes is None else scopes)[1]
