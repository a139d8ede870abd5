"""With a real Celery worker: verdicts arrive, and survive its being killed."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from archive import conf, selectors, services
from archive.models import Deal, ScoreLine, Upload, VerificationRun
from archive.services import queue_verification, reverify, store_upload, sweep
from archive.tasks import sweep_unverified, verify_deal
from tests.archive import samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


def until(condition: Callable[[], object], what: str, worker, seconds: float = 60) -> None:
    """Wait for what the worker is to do; fail with its log when it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come\n{worker.log[-4000:]}"
        time.sleep(0.05)


def none_pending() -> bool:
    return not Deal.objects.pending().exists()


def after_the_lease():
    return timezone.now() + conf.lease() + timedelta(seconds=1)


def test_the_verdicts_of_an_upload_arrive(live_worker):
    raw = "\n".join(
        [samples.TAROKY, samples.ILLEGAL, samples.INCOMPLETE, samples.MALFORMED, samples.many(40).decode()]
    ).encode()
    upload = store_upload(raw=raw)
    until(none_pending, "the verdicts", live_worker)
    verdicts = [item.deal.verdict if item.deal else None for item in upload.items.select_related("deal")]
    assert verdicts == ["verified", "illegal", "incomplete", None] + ["incomplete"] * 40
    assert {
        seat.seat: seat.points for seat in upload.items.get(n=0).deal.seating.all()
    } == samples.TAROKY_SCORE
    assert set(VerificationRun.objects.values_list("state", "attempts")) == {("done", 1)}


def test_a_doubled_message_writes_once(live_worker):
    deal = store_upload(raw=samples.TAROKY.encode(), queue=False).items.get().deal
    for _ in range(5):
        verify_deal.delay(deal.pk)
    until(none_pending, "the verdict", live_worker)
    lines = list(ScoreLine.objects.values_list("pk", flat=True))
    verify_deal.delay(deal.pk)
    marker = store_upload(raw=samples.dealt(1).encode()).items.get().deal
    until(lambda: Deal.objects.get(pk=marker.pk).verdict, "the verdict after it", live_worker)
    assert list(ScoreLine.objects.values_list("pk", flat=True)) == lines
    assert VerificationRun.objects.get(deal=deal).attempts == 1


def test_the_sweeper_task_finds_what_no_message_told_of(live_worker):
    store_upload(raw=samples.many(5), queue=False)
    VerificationRun.objects.all().delete()
    sweep_unverified.delay()
    until(none_pending, "the verdicts", live_worker)


def test_an_upload_that_could_not_be_stored_is_stored_by_a_worker(live_worker, monkeypatch):
    def refused(*_: object, **__: object) -> None:
        raise OperationalError("the database system is shutting down")

    with monkeypatch.context() as broken:
        broken.setattr(services._Storing, "store", refused)
        upload = store_upload(raw=samples.many(5))
    assert upload.is_waiting
    Upload.objects.update(next_try_at=timezone.now())
    sweep_unverified.delay()
    until(lambda: upload.deals.exclude(verdict="").count() == 5, "the verdicts", live_worker)
    assert [item.outcome for item in upload.items.all()] == ["stored"] * 5
    assert not Upload.objects.get().is_waiting


def test_verifying_all_anew(live_worker):
    store_upload(raw=samples.many(20))
    until(none_pending, "the verdicts", live_worker)
    assert reverify() == 20
    until(
        lambda: VerificationRun.objects.filter(state="done").count() == 40, "the second verdicts", live_worker
    )
    assert none_pending()


def test_a_worker_killed_while_it_holds_a_claim(live_worker):
    if connection.vendor == "sqlite":
        pytest.skip("the worker is stopped in its tracks by a row lock, which SQLite does not have")
    deal = store_upload(raw=samples.TAROKY.encode(), queue=False).items.get().deal
    run = deal.runs.get()
    with transaction.atomic():
        # The worker can claim the run, but not write to the deal: there it waits, and there it is killed.
        Deal.objects.select_for_update().get(pk=deal.pk)
        verify_deal.delay(deal.pk)
        until(lambda: VerificationRun.objects.get(pk=run.pk).state == "running", "the claim", live_worker)
        live_worker.kill()
    deal.refresh_from_db()
    run.refresh_from_db()
    assert (deal.verdict, run.state, run.attempts) == ("", "running", 1)
    assert sweep().lost == 0, "the lease still runs"

    live_worker.start()
    assert sweep(after_the_lease()).lost == 1
    until(none_pending, "the verdict", live_worker)
    deal.refresh_from_db()
    assert deal.verdict == "verified"
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("done", 2)


def test_a_worker_killed_again_and_again_amid_an_upload(live_worker):
    store_upload(raw=samples.many(300))
    for share in (250, 150, 50):
        until(lambda share=share: Deal.objects.pending().count() <= share, "the first verdicts", live_worker)
        live_worker.kill()
        live_worker.start()
        sweep(after_the_lease())
    until(none_pending, "the last verdicts", live_worker)
    assert VerificationRun.objects.count() == 300
    assert set(VerificationRun.objects.values_list("state", flat=True)) == {"done"}


def test_a_fault_of_ours_is_tried_again_and_then_shown_to_the_operator(live_worker, admin_client, settings):
    deal = store_upload(raw=samples.TAROKY.encode(), queue=False).items.get().deal
    good = deal.text
    Deal.objects.filter(pk=deal.pk).update(text="[TGN]")  # what we stored ourselves cannot be read any more
    queue_verification([deal.pk])
    run = deal.runs.get()

    def attempts_failed(number: int) -> bool:
        run.refresh_from_db()
        return run.state == "failed" and run.attempts == number

    for attempt in range(1, conf.max_attempts()):
        until(lambda attempt=attempt: attempts_failed(attempt), f"failure {attempt}", live_worker)
        assert run.next_try_at == run.finished_at + conf.retry_delay(attempt)
        assert sweep(run.next_try_at).retried == 1
    until(lambda: attempts_failed(conf.max_attempts()), "the last failure", live_worker)
    assert run.next_try_at is None
    assert sweep(timezone.now() + timedelta(days=30)).retried == 0

    deal.refresh_from_db()
    assert deal.is_pending
    assert not selectors.history(deal).exists()
    page = admin_client.get(f"/admin/archive/verificationrun/{run.pk}/change/").content.decode()
    assert "NotationError" in page
    assert "Traceback (most recent call last)" in page

    Deal.objects.filter(pk=deal.pk).update(text=good)
    reverify(Deal.objects.filter(pk=deal.pk))
    until(none_pending, "the verdict after the fault was mended", live_worker)
    deal.refresh_from_db()
    assert deal.verdict == "verified"
