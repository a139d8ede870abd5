"""Whatever is lost is found again: messages, workers, uploads, a broker, a clock that is set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from django.utils import timezone

from archive import conf, database, tasks
from archive.models import Campaign, Chunk, Deal, Part, Upload, UploadItem
from archive.reading import operation
from archive.reading.uploads import original_of, progress_of
from archive.storing import campaigns, claims, intake, queue, spaces, sweeper, uploads
from archive.storing.sweeper import Sweep, clean, sweep
from tests.support import samples
from tests.support.storing import everything, outcomes, part_of, receive, shown, store, stored

pytestmark = pytest.mark.django_db


def after(seconds: float = 0, **more: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds, **more)


def after_the_lease() -> datetime:
    return after(1) + conf.lease()


def due_now(**state: str) -> None:
    Part.objects.filter(**state).update(due_at=timezone.now())


@pytest.fixture(autouse=True)
def lengths(monkeypatch) -> dict[str, int | None]:
    """How many messages the broker says that there are."""
    found: dict[str, int | None] = {"interactive": 0, "bulk": 0}
    monkeypatch.setattr(queue, "length", found.get)
    return found


@pytest.mark.storage
def test_a_lost_message_is_sent_again(messages) -> None:
    small, large = receive(samples.TAROKY), receive(b"\n".join([samples.many(900)] * 2))
    number, parts = 1 + large.parts.count(), list(large.parts.values_list("pk", flat=True))
    assert sweep() == Sweep(0, 0, 0), "they may be on their way"
    assert sweep(after(6)) == Sweep(0, 0, number)
    assert messages == [("store_part", [part_of(small).pk], "interactive"), ("store_part", parts, "bulk")]
    assert sweep(after(7)) == Sweep(0, 0, 0), "they may be on their way again"
    assert sweep(after(12)).sent == number


def test_a_backlog_is_not_sent_again(lengths, monkeypatch) -> None:
    for n in range(3):
        receive(samples.dealt(n))
    for length, seconds, sent in ((sweeper._FEW, 6, 0), (sweeper._FEW - 1, 6, 3), (None, 12, 3)):
        lengths["interactive"] = length  # None: the broker does not say
        assert sweep(after(seconds)).sent == sent
    monkeypatch.undo()
    assert queue.length("no such queue") == 0
    monkeypatch.setattr(queue.current_app, "connection_for_write", lambda: 1 / 0)
    assert queue.length("interactive") is None


def test_the_queue_does_not_grow_forever_and_more_than_one_sweep_sends(
    lengths, monkeypatch, messages
) -> None:
    for n in range(5):
        receive(samples.dealt(n))
    with monkeypatch.context() as limited:
        limited.setattr(sweeper, "_MOST", 2)
        assert [sweep(after(6)).sent for _ in range(4)] == [2, 2, 1, 0]
        assert len({pk for _, numbers, _ in messages for pk in numbers}) == 5

    def send(task: str, numbers: Iterator[int], name: str) -> None:
        lengths[name] += len(list(numbers))

    monkeypatch.setattr(queue, "send", send)
    monkeypatch.setattr(sweeper, "_FEW", 10)
    for minutes in range(20):
        sweep(after(minutes=minutes + 1))
    assert lengths["interactive"] <= 15


@pytest.mark.parametrize(
    ("error", "pause", "grace"),
    [
        pytest.param(ZeroDivisionError("ours"), 60, 6, id="a bug"),
        pytest.param(OperationalError("away"), 5, 1, id="the database was away: the first sweep sends it"),
    ],
)
def test_what_is_tried_again_later_is_sent_when_its_time_has_come(
    error: Exception, pause: int, grace: int, monkeypatch, settings
) -> None:
    settings.ARCHIVE_RETRY_SECONDS = pause
    upload = receive(samples.TAROKY)
    with monkeypatch.context() as broken:
        broken.setattr(intake, "_read", Mock(side_effect=error))
        intake.store(part_of(upload).pk)
    assert [sweep(after(seconds)).sent for seconds in (pause - 1, pause + grace)] == [0, 1]
    assert outcomes(store(upload)) == []
    due_now()
    assert outcomes(store(upload)) == ["stored"]


@pytest.mark.storage
def test_a_lost_worker_loses_its_claim(messages) -> None:
    upload = receive(samples.TAROKY)
    part = claims.claim(Part, part_of(upload).pk)
    assert sweep(after(6)) == Sweep(0, 0, 0), "its lease runs"
    assert sweep(after_the_lease()) == Sweep(1, 0, 1)
    assert messages == [("store_part", [part.pk], "interactive")]
    assert not claims.held(part).exists()
    due_now()
    assert (outcomes(store(upload)), part_of(upload).claims) == (["stored"], 2)


def test_who_is_lost_again_and_again_is_given_up(settings, messages) -> None:
    settings.ARCHIVE_MAX_ATTEMPTS = 3
    upload = receive(samples.TAROKY)
    pk = part_of(upload).pk
    found = []
    for _ in range(3):
        assert claims.claim(Part, pk) is not None
        found.append(sweep(after_the_lease()))
        due_now(state="waiting")
    assert found == [Sweep(1, 0, 1), Sweep(1, 0, 1), Sweep(0, 1, 0)]
    part = part_of(upload)
    assert (part.state, part.claims, claims.claim(Part, pk)) == ("failed", 3, None)
    assert "lost" in part.error
    upload.refresh_from_db()
    assert upload.is_finished
    assert progress_of(upload).failed == operation.count_faults() == 1
    uploads.read_again(upload)
    assert outcomes(store(upload)) == ["stored"]


@pytest.mark.storage
def test_an_upload_whose_last_worker_died_before_it_said_so_is_finished(monkeypatch) -> None:
    with monkeypatch.context() as dead:
        dead.setattr(intake, "finish", lambda uploads: None)
        upload = stored(samples.TAROKY)
    for seconds, finished in ((0, False), (6, True)):  # it may be about to say so
        assert not upload.is_finished
        sweep(after(seconds))
        upload.refresh_from_db()
        assert upload.is_finished == finished


def test_a_clock_that_is_put_back_holds_nothing_up(messages) -> None:
    """What waits, and what a lost worker had, was due in what is now tomorrow. Each is stored once."""
    waiting, held = receive(samples.dealt(1)), receive(samples.dealt(2))
    claims.claim(Part, part_of(held).pk)
    Part.objects.update(due_at=after(days=1))
    assert sweep() == Sweep(1, 0, 2)
    due_now()
    assert [outcomes(store(upload)) for upload in (waiting, held)] == [["stored"]] * 2


@pytest.mark.storage
def test_a_clock_that_is_put_forward_costs_at_most_a_second_try() -> None:
    upload = receive(samples.TAROKY)
    part = claims.claim(Part, part_of(upload).pk)
    assert sweep(after(days=30)).lost == 1
    storing = intake._read(part)
    database.retry_transient(lambda: intake._write(storing))
    assert outcomes(upload) == ["stored"], "who is done first commits"
    assert sweep(after(days=60)) == Sweep(0, 0, 0)
    # The sweeper looks at the clock, and then a worker takes a part.
    now = timezone.now() - timedelta(seconds=2)
    claims.claim(Part, part_of(receive(samples.dealt(1))).pk)
    assert sweep(now) == Sweep(0, 0, 0)


def broken_off(minutes: float) -> Upload:
    """An upload that has come in so far, its last part so long ago."""
    upload = Upload.objects.create(space=spaces.house(), size=3, received_at=after(minutes=-60))
    Part.objects.create(upload=upload, number=0, data=b"x", last=False, due_at=after(minutes=-minutes))
    return upload


@pytest.mark.storage
def test_what_broke_off_is_removed_and_what_still_comes_is_not(monkeypatch, settings) -> None:
    gone, coming = broken_off(11), broken_off(9)
    assert (sweep(after(6)).sent, clean(), list(Upload.objects.all())) == (0, 1, [coming])
    assert not Part.objects.filter(upload=gone.pk).exists()
    gone_too, good = stored(b"no record at all"), stored(samples.TAROKY, samples.MALFORMED)
    refused = stored(samples.dealt(1, Session="x" * 201))
    coming.delete()
    settings.ARCHIVE_MAX_ATTEMPTS = 1
    failed = []
    for name in ("_read", "from_record"):
        with monkeypatch.context() as broken:
            broken.setattr(intake, name, lambda *_: 1 / 0)
            failed.append(stored(samples.dealt(2)))
        assert failed[-1].is_finished
    for hours, removed in ((23, 0), (25, 1), (48, 0)):  # what could not be read at all, after a day
        assert clean(after(hours=hours)) == removed
    assert set(Upload.objects.all()) == {good, refused, *failed}, "our own mistakes wait for the operator"
    assert not UploadItem.objects.filter(part__upload=gone_too.pk).exists()
    for upload, outcome in zip(failed, ("stored", "known"), strict=True):
        uploads.read_again(upload)
        assert outcomes(store(upload)) == [outcome]


@pytest.mark.storage
def test_bytes_are_kept_for_ever_or_for_some_days(settings) -> None:
    old, waiting = stored(samples.TAROKY), receive(samples.dealt(1))
    deal = shown(Deal.objects.get())
    clean(after(days=1000))
    assert original_of(deal.contribution).text == samples.TAROKY
    settings.ARCHIVE_RETENTION_DAYS = 30
    before = everything(without=["Part"])
    for days, kept in ((29, True), (31, False)):
        clean(after(days=days))
        assert bool(part_of(old).bytes) == kept
    assert original_of(deal.contribution) is None
    assert everything(without=["Part"]) == before
    assert shown(Deal.objects.get()).record
    assert outcomes(store(waiting)) == ["stored"], "what is not stored yet keeps its bytes"


@pytest.fixture
def campaign(monkeypatch) -> Campaign:
    """A campaign of three chunks whose messages were not sent."""
    monkeypatch.setattr(campaigns, "CHUNK", 2)
    stored(samples.many(6))
    return campaigns.start()


@pytest.mark.storage
def test_a_lost_chunk_is_found(campaign, messages, lengths) -> None:
    first, second, _ = campaign.chunks.all()
    claims.claim(Chunk, first.pk)
    lengths["bulk"] = 1
    assert sweep(after_the_lease()) == Sweep(1, 0, 0), "others wait: one of them sends the next"
    lengths["bulk"] = 0
    assert sweep(after_the_lease()) == Sweep(0, 0, 1)
    assert messages == [("verify_chunk", [first.pk], "bulk")]
    assert sweep(after_the_lease()).sent == 1
    assert messages[1:] == [("verify_chunk", [second.pk], "bulk")]


def test_chunks_of_a_stopped_campaign_stay_and_one_whose_worker_died_is_finished(campaign, messages) -> None:
    campaigns.stop(campaign)
    assert (sweep(after(60)), messages) == (Sweep(0, 0, 0), [])
    campaigns.resume(campaign)
    campaign.chunks.update(state="done")
    sweep(after(6))
    campaign.refresh_from_db()
    assert (campaign.state, bool(campaign.finished_at)) == ("done", True)


def test_a_task_leaves_its_work_to_the_sweeper_if_the_database_is_away(campaign, monkeypatch) -> None:
    upload = receive(samples.TAROKY)
    pk, claim = part_of(upload).pk, claims.claim
    with monkeypatch.context() as away:
        away.setattr(database, "wait_until_available", lambda seconds: False)
        for task in (tasks.store_part, tasks.verify_chunk):
            task(pk)
    assert (part_of(upload).claims, sweep(after(6)).sent) == (0, 2)

    def claimed(*given: Any) -> None:
        claim(*given)
        raise OperationalError("away")

    with monkeypatch.context() as away:  # nobody knows then whether it was claimed
        away.setattr(claims, "claim", claimed)
        tasks.store_part(pk)
    assert sweep(after_the_lease()).lost == 1
    due_now()
    tasks.store_part(pk)
    assert outcomes(upload) == ["stored"]
    for chunk in campaign.chunks.all():
        tasks.verify_chunk(chunk.pk)
    campaign.refresh_from_db()
    assert campaign.state == "done"
    tasks.store_part(pk)
    assert part_of(upload).claims == 2
