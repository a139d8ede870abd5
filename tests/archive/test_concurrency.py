"""Two at the same time: one deal, one player, one verdict. Real threads, real transactions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from django.db import connections

from archive import services
from archive.models import Deal, Player, ScoreLine, Seat, Session, VerificationRun
from archive.services import claim, queue_verification, store_upload, sweep, verify
from tests.archive import samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]

T = TypeVar("T")


@pytest.fixture(autouse=True)
def no_messages(monkeypatch):
    """These tests are about the rows; a worker listening beside them would only disturb."""
    monkeypatch.setattr(services, "_send", lambda deal_ids: None)


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


def test_the_same_record_from_two_sides_at_once():
    for seed in range(10):
        raw = samples.dealt(seed, Session=f"Table {seed}").encode()
        uploads = together(*[lambda raw=raw: store_upload(raw=raw)] * 2)
        items = [upload.items.get() for upload in uploads]
        assert sorted(item.outcome for item in items) == ["known", "stored"]
        assert items[0].deal_id == items[1].deal_id is not None
    assert Deal.objects.count() == 10
    assert Player.objects.count() == 4
    assert Session.objects.count() == 10
    assert Seat.objects.count() == 40
    assert VerificationRun.objects.count() == 10


def test_overlapping_uploads_in_opposite_order_do_not_lock_each_other_out():
    texts = [samples.dealt(seed, players=(f"P{seed}", f"Q{seed}", f"R{seed}", "Sam")) for seed in range(450)]
    forwards = "\n".join(texts[:400]).encode()
    backwards = "\n".join(reversed(texts[50:])).encode()
    uploads = together(
        lambda: store_upload(raw=forwards),
        lambda: store_upload(raw=backwards),
        lambda: store_upload(raw=forwards),
    )
    assert [upload.error for upload in uploads] == ["", "", ""]
    assert {item.outcome for upload in uploads for item in upload.items.all()} == {"stored", "known"}
    assert Deal.objects.count() == 450
    assert sum(upload.items.filter(outcome="stored").count() for upload in uploads) == 450
    assert Seat.objects.count() == 1800
    assert VerificationRun.objects.count() == 450


def test_one_claim_of_many_succeeds():
    store_upload(raw=samples.TAROKY.encode())
    run = VerificationRun.objects.get()
    assert sorted(together(*[lambda: claim(run.pk)] * 6)) == [False] * 5 + [True]


def test_two_workers_on_one_deal_write_one_verdict():
    store_upload(raw=samples.TAROKY.encode())
    deal = Deal.objects.get()
    runs = together(*[lambda: verify(deal.pk)] * 4)
    assert [run.state for run in runs if run is not None] == ["done"]
    deal.refresh_from_db()
    assert deal.verdict == "verified"
    assert ScoreLine.objects.filter(deal=deal).count() == len(
        deal.score_lines.values_list("position").distinct()
    )
    assert deal.runs.get().attempts == 1


def test_queueing_from_two_sides_makes_one_run():
    store_upload(raw=samples.many(50), queue=False)
    ids = list(Deal.objects.values_list("pk", flat=True))
    for deal_id in ids:
        verify(deal_id)
    together(lambda: queue_verification(ids), lambda: queue_verification(reversed(ids)))
    assert VerificationRun.objects.filter(state="queued").count() == 50


def test_sweeping_beside_workers_harms_nothing():
    store_upload(raw=samples.many(60))
    ids = list(Deal.objects.order_by("pk").values_list("pk", flat=True))

    def work(order: list[int]) -> int:
        return sum(verify(deal_id) is not None for deal_id in order)

    def keep_sweeping() -> int:
        for _ in range(10):
            sweep()
        return 0

    done = together(lambda: work(ids), lambda: work(ids[::-1]), keep_sweeping)
    assert sum(done) == 60
    assert not Deal.objects.pending().exists()
    assert VerificationRun.objects.count() == 60
    assert set(VerificationRun.objects.values_list("state", "attempts")) == {("done", 1)}
