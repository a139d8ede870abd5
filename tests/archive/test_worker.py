"""With a real Celery worker: what is sent is stored, and survives its being killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from archive import database
from archive.models import Chunk, Contribution, Deal, FormerVerdict, Part, Upload
from archive.reading import operation
from archive.reading.uploads import progress_of, results_of
from archive.storing import campaigns, queue, sweeper, uploads
from archive.storing.sweeper import Sweep
from tests.support import samples
from tests.support.storing import outcomes, part_of, receive, shown, small_parts
from tools.site import Site
from tools.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no lock at which a worker could be held up"
)


def finished(upload: Upload, worker: Site, seconds: float = 60) -> None:
    """Wait until an upload is finished, as a page does; fail with the worker's log."""
    assert uploads.wait(upload, seconds), worker.output[-4000:]


def send(raw: bytes | str) -> Upload:
    return receive(raw, send=True)


def make_due(seconds: float = 10) -> None:
    Part.objects.exclude(state="done").update(due_at=timezone.now() - timedelta(seconds=seconds))


@contextmanager
def held_up(worker: Site) -> Iterator[Upload]:
    """An upload of one deal: within, a worker has its part and has read it, and waits for its turn to store
    it."""
    upload = receive(samples.TAROKY)
    with transaction.atomic():
        database.insert_lock()
        uploads.notify_workers(upload)
        assert eventually(lambda: part_of(upload).state == "working", 60), worker.output[-4000:]
        yield upload


LARGE = samples.many(160)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an upload of LARGE four parts."""
    small_parts(monkeypatch, 12_000)


def test_what_is_sent_is_stored_once_and_verified_again_by_a_campaign(live_worker, monkeypatch) -> None:
    """Whether five messages, one or none told of it."""
    texts = [samples.TAROKY, samples.ILLEGAL_BID, samples.INCOMPLETE, samples.MALFORMED]
    small = receive("\n".join(texts))
    queue.send(queue.STORE_PART, [part_of(small).pk] * 5, queue.INTERACTIVE)
    finished(small, live_worker)
    assert [result.verdict for result in results_of(small)] == ["verified", "illegal", "incomplete", None]
    assert shown(Deal.objects.get(verdict="verified")).score == samples.TAROKY_SCORE
    finished(send(samples.dealt(999)), live_worker)
    large = receive(LARGE)
    make_due()
    assert sweeper.sweep().sent == large.parts.count()
    finished(large, live_worker)
    told = progress_of(large)
    assert (told.stored, told.records, told.failed, told.parts > 2) == (160, 160, 0, True)
    assert set(Part.objects.values_list("state", "claims")) == {("done", 1)}
    assert Contribution.objects.count() == 3 + 1 + 160
    monkeypatch.setattr(campaigns, "CHUNK", 20)
    some = list(Deal.objects.filter(verdict="incomplete").order_by("-pk").values_list("pk", flat=True)[:7])
    Deal.objects.filter(pk__in=some).update(engine_version="0", clauses="old")
    campaign = campaigns.start()
    assert eventually(lambda: operation.get_campaign(campaign.pk).state == "done", 60), live_worker.output
    told = operation.get_campaign(campaign.pk)
    assert (told.checked, told.changed, told.faulty, told.waiting) == (164, 7, 0, 0)
    assert FormerVerdict.objects.count() == 7
    assert set(Chunk.objects.values_list("claims", flat=True)) == {1}


@on_postgresql
@pytest.mark.parametrize("whole", [False, True], ids=["child", "worker"])
def test_a_claim_is_renewed_until_its_worker_is_killed(whole: bool, live_worker) -> None:
    with held_up(live_worker) as upload:
        if whole:
            first = part_of(upload).due_at
            assert eventually(lambda: part_of(upload).due_at > first, 60), live_worker.output
            assert part_of(upload).state == "working"
            live_worker.kill()
        else:
            for pid in live_worker.processes(live_worker.worker)[1:]:
                os.kill(pid, signal.SIGKILL)
    assert sweeper.sweep().lost == 0, "the lease runs"
    assert part_of(upload).state == "working"
    make_due(1)
    assert sweeper.sweep() == Sweep(1, 0, 1)
    if whole:
        live_worker.start()
    finished(upload, live_worker)
    assert outcomes(upload) == ["stored"]
    assert (part_of(upload).claims, Contribution.objects.count()) == (2, 1)


@pytest.mark.storage
def test_a_worker_killed_again_and_again_amid_an_upload(live_worker, settings) -> None:
    settings.ARCHIVE_MAX_ATTEMPTS = 100
    upload = send(LARGE)
    for done in (1, 2):
        stored = upload.parts.filter(state="done")
        assert eventually(lambda done=done, stored=stored: stored.count() >= done, 60), live_worker.output
        live_worker.kill()
        make_due()
        sweeper.sweep()
        live_worker.start()
    finished(upload, live_worker)
    assert set(upload.parts.values_list("state", flat=True)) == {"done"}
    assert set(outcomes(upload)) == {"stored"}
    assert Deal.objects.count() == Contribution.objects.count() == 160
