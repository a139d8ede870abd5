"""Keeping uploads: the bytes exactly, in parts, all of them or nothing, and no more memory than a part."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.utils import timezone

from archive import conf
from archive.access import Viewer
from archive.errors import Unavailable
from archive.models import Contribution, Part, Player, Upload
from archive.reading.uploads import get_upload, progress_of, results_of, upload_bytes
from archive.storing import intake, players, queue, spaces, sweeper, uploads
from tarock.notation import pieces
from tests.support import samples
from tests.support.storing import outcomes, part_of, receive, small_parts, store, stored

pytestmark = pytest.mark.django_db

MANY = [samples.dealt(seed) for seed in range(140)]
"""Some 41 kB: two parts."""
VALUES = [json.loads(samples.as_json(seed)) for seed in range(30)]

FORMS = {
    "one record": samples.TAROKY.encode(),
    "text": "\n".join(MANY).encode(),
    "CRLF": "\n".join(MANY).replace("\n", "\r\n").encode(),
    "BOM": b"\xef\xbb\xbf" + "\n".join(MANY).encode(),
    "lines of JSON": b"\n".join([json.dumps(value).encode() for value in VALUES * 2]),
    "array": json.dumps(VALUES * 2).encode(),
    "pretty array": json.dumps(VALUES * 5, indent=2).encode(),
    "garbage": bytes(range(256)) * 400,
    "half JSON": b"[1, 2",
    "UTF-16": samples.TAROKY.encode("utf-16"),
    "NUL": b"\0" * 100,
    "nothing": b"",
    "a BOM alone": b"\xef\xbb\xbf",
}


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch, 25_000)


@pytest.mark.storage
@pytest.mark.parametrize("size", [10_000, 1 << 20])
def test_the_bytes_come_back_exactly(size: int) -> None:
    for name, raw in FORMS.items():
        upload = receive(*[raw[at : at + size] for at in range(0, len(raw), size)])
        assert b"".join(upload_bytes(upload)) == raw, name
        # What is stored is counted: UTF-8, which has two bytes where UTF-16 has four with the mark.
        stored_bytes = len(raw if name != "UTF-16" else samples.TAROKY.encode("utf-8-sig"))
        assert upload.size == Upload.objects.get(pk=upload.pk).size == stored_bytes, name
        parts = list(upload.parts.all())
        assert [part.number for part in parts] == list(range(len(parts)))
        assert all(part.bytes for part in parts) or not raw, name


def test_parts_end_with_a_record() -> None:
    first, second = receive(FORMS["text"]).parts.all()
    assert pieces.PIECE - 1000 < len(first.bytes) < pieces.PIECE + 3000
    assert second.bytes.startswith(b'[TGN "1"]')
    assert second.line == first.bytes.count(b"\n") + 1
    assert (first.last, second.last, {first.queue, second.queue}) == (False, True, {"bulk"})
    assert part_of(receive(samples.TAROKY)).queue == "interactive"


@pytest.mark.storage
def test_parts_are_stored_as_the_whole_would_be() -> None:
    for name in ("text", "CRLF", "BOM", "lines of JSON", "array", "pretty array"):
        upload = store(receive(FORMS[name], space=spaces.guest(), visibility="members"))
        assert upload.parts.count() > 1 or name == "pretty array"
        told = progress_of(upload)
        assert told.stored == (140 if name in ("text", "CRLF", "BOM") else 30), name
        assert (told.malformed, told.refused, told.failed, told.finished) == (0, 0, 0, True), name
        assert told.records == told.stored + told.known


def test_an_upload_keeps_its_sender_but_no_address_and_its_file_name(ada) -> None:
    upload = receive("x", user=ada, source="api", filename="n\0" + "a" * 300, media_type="text/\ud800plain")
    upload.refresh_from_db()
    assert (upload.user, upload.source, upload.sender) == (ada, "api", f"user-{ada.pk}")
    assert upload.filename == "n\N{REPLACEMENT CHARACTER}" + "a" * 253
    assert upload.media_type == "text/\N{REPLACEMENT CHARACTER}plain"
    assert upload.received_at <= upload.accepted_at <= timezone.now()
    assert upload.finished_at is None
    assert str(upload).startswith(f"upload {upload.pk} (n")
    upload = receive("x", user=AnonymousUser(), address="192.0.2.7")
    assert (upload.user, upload.sender.partition("-")[0]) == (None, "address")
    assert "192" not in upload.sender
    assert upload.sender == receive("y", address="192.0.2.7").sender
    assert upload.sender not in (receive("z", address="192.0.2.8").sender, receive("x").sender)
    assert receive("x").sender == ""


def nothing_is_there() -> bool:
    return not Upload.objects.exists() and not Part.objects.exists()


def test_the_limit_is_exact_and_beyond_it_no_more_is_asked_for(messages) -> None:
    assert receive(b"x" * 60, b"x" * 40, limit=100).size == 100
    Upload.objects.all().delete()
    with pytest.raises(uploads.TooLarge) as caught:
        receive(b"x" * 60, b"x" * 41, limit=100, send=True)
    assert (caught.value.limit, "100" in str(caught.value)) == (100, True)
    text = FORMS["text"]
    with pytest.raises(uploads.TooLarge):  # a packed file counts as what it holds
        receive(gzip.compress(text), limit=len(text) // 3)
    asked = 0

    def endless() -> Iterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield MANY[asked % 140].encode()

    with pytest.raises(uploads.TooLarge):
        uploads.receive(endless(), limit=40_000)
    assert asked * 290 < 41_000
    assert (nothing_is_there(), messages) == (True, [])


class Stopped(BaseException):
    """An exception that ends a process, as SystemExit does."""


@pytest.mark.storage
@pytest.mark.parametrize(
    ("before", "error"),
    [
        (0, uploads.BrokenOff("gone")),
        (10, OSError("reset")),
        (100, uploads.BrokenOff("gone")),
        (100, Stopped()),
    ],
)
def test_what_breaks_off_leaves_nothing(before: int, error: BaseException, messages) -> None:
    def broken() -> Iterator[bytes]:
        yield from (text.encode() + b"\n" for text in MANY[:before])
        raise error

    with pytest.raises(type(error)):
        uploads.receive(broken(), limit=10**9)
    assert (nothing_is_there(), messages) == (True, [])


@pytest.mark.storage
def test_an_upload_without_room_or_that_is_removed_or_breaks_off_leaves_nothing(monkeypatch) -> None:
    def removed() -> Iterator[bytes]:
        yield from (text.encode() + b"\n" for text in MANY)
        Upload.objects.all().delete()  # as with the account of its sender

    with pytest.raises(Unavailable):
        uploads.receive(removed(), limit=10**9, send=False)
    assert nothing_is_there()
    real = uploads._receive_part

    def full(upload: Upload, part: Part, *more: bool) -> None:
        if part.number:
            raise OperationalError("no space left on device")
        real(upload, part, *more)

    with monkeypatch.context() as without_room:
        without_room.setattr(uploads, "_receive_part", full)
        with pytest.raises(Unavailable):
            receive(FORMS["text"])
    assert nothing_is_there()

    def broken() -> Iterator[bytes]:
        yield from (text.encode() + b"\n" for text in MANY)
        monkeypatch.setattr(Upload.objects, "filter", Mock(side_effect=OperationalError("away")))
        raise uploads.BrokenOff

    with pytest.raises(uploads.BrokenOff):
        uploads.receive(broken(), limit=10**9)
    monkeypatch.undo()
    assert Upload.objects.get().accepted_at is None
    assert sweeper.clean(timezone.now() + timedelta(minutes=11)) == 1
    assert nothing_is_there()


@pytest.mark.storage
def test_workers_see_nothing_of_an_upload_that_still_comes(
    messages, django_capture_on_commit_callbacks
) -> None:
    seen = []

    def looking() -> Iterator[bytes]:
        for number, text in enumerate(MANY):
            if number % 10 == 0 and Part.objects.exists():
                sweep = sweeper.sweep(timezone.now() + timedelta(hours=2))
                seen.append((sweep.sent, sweep.lost, Upload.objects.get().accepted_at))
                with pytest.raises(Upload.DoesNotExist):
                    get_upload(Upload.objects.get().pk, Viewer(operator=True))
            yield text.encode() + b"\n"

    with django_capture_on_commit_callbacks(execute=True):
        upload = uploads.receive(looking(), limit=10**9)
    assert set(seen) == {(0, 0, None)}
    assert messages == [("store_part", list(upload.parts.values_list("pk", flat=True)), "bulk")]
    with django_capture_on_commit_callbacks(execute=True):
        small = receive(samples.TAROKY, send=True)
        assert len(messages) == 1, "a message is sent after the commit"
    assert messages[1:] == [("store_part", [part_of(small).pk], "interactive")]


def test_memory_stays_at_a_few_parts(monkeypatch) -> None:
    """3 MB in all, and never more than a few parts of 250 kB of them at a time."""
    small_parts(monkeypatch, 250_000)
    block = MANY[0].encode() * 30
    chunks = (bytes(bytearray(block)) for _ in range(3_000_000 // len(block)))
    tracemalloc.start()
    try:
        upload = uploads.receive(chunks, limit=10**9, send=False)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert upload.size > 2_900_000
    assert peak < 2_000_000


def test_a_text_is_read_again_after_its_players_were_renamed(ada) -> None:
    upload = stored(samples.TAROKY, samples.SHEET, user=ada)
    for name in ("Cyril", "Bořek"):
        players.rename(Player.objects.get(name=name), f"{name} sen.")
    before = list(Contribution.objects.values_list()), Player.objects.count()
    uploads.read_again(upload)
    assert outcomes(store(upload)) == ["stored", "stored"]
    assert (list(Contribution.objects.values_list()), Player.objects.count()) == before
    assert [result.differs for result in results_of(upload)] == [(), ()]


def test_reading_again_what_was_read_well_changes_nothing(
    messages, settings, django_capture_on_commit_callbacks
) -> None:
    upload = stored(samples.dealt(1), samples.MALFORMED, samples.dealt(2), samples.dealt(1))
    assert outcomes(upload) == ["stored", "malformed", "stored", "known"]
    before = list(Contribution.objects.values_list())
    with django_capture_on_commit_callbacks(execute=True):
        uploads.read_again(upload)
    assert messages == [("store_part", [part_of(upload).pk], "interactive")]
    upload.refresh_from_db()
    assert not upload.is_finished
    assert outcomes(store(upload)) == ["stored", "malformed", "stored", "known"]
    assert upload.is_finished
    assert list(Contribution.objects.values_list()) == before
    # A part without bytes is not read again.
    settings.ARCHIVE_RETENTION_DAYS = 1
    upload = stored(samples.dealt(3))
    sweeper.clean(timezone.now() + timedelta(days=2))
    assert b"".join(upload_bytes(upload)) == b""
    uploads.read_again(upload)
    upload.refresh_from_db()
    assert (upload.is_finished, part_of(upload).state, outcomes(upload)) == (True, "done", ["stored"])


def test_waiting_for_an_upload(monkeypatch) -> None:
    upload = receive(samples.TAROKY)
    assert not uploads.wait(upload, 0)
    monkeypatch.setattr(uploads.time, "sleep", lambda seconds: store(upload))
    assert uploads.wait(upload, 60)
    assert upload.is_finished


@pytest.mark.storage
def test_a_quota_of_bytes_and_of_records(settings, ada) -> None:
    settings.ARCHIVE_QUOTA_BYTES = 100_000
    who = uploads.sender(ada)
    assert uploads.wait_for_quota(who) == 0
    upload = receive(b"x" * 99_999, user=ada)
    assert uploads.wait_for_quota(who) == 0
    receive(b"x", user=ada)
    assert 3500 < uploads.wait_for_quota(who) <= 3601
    assert uploads.wait_for_quota(uploads.sender(None, "192.0.2.7")) == 0
    Upload.objects.filter(pk=upload.pk).update(received_at=timezone.now() - timedelta(minutes=59))
    assert 1 <= uploads.wait_for_quota(who) <= 61
    Upload.objects.filter(pk=upload.pk).update(received_at=timezone.now() - timedelta(minutes=61))
    assert uploads.wait_for_quota(who) == 0
    # Of records.
    settings.ARCHIVE_ANONYMOUS_QUOTA_DEALS = 3
    who = uploads.sender(None, "192.0.2.7")
    stored(samples.many(2), address="192.0.2.7")
    assert uploads.wait_for_quota(who) == 0
    stored(samples.MALFORMED, address="192.0.2.7")
    assert uploads.used_quota(who)["deals"] == 3
    assert uploads.wait_for_quota(who) > 0


def test_many_small_uploads_count_for_more_than_their_bytes(settings, ada) -> None:
    settings.ARCHIVE_QUOTA_BYTES = 3 * uploads._LEAST_BYTES
    for _ in range(3):
        assert uploads.wait_for_quota(uploads.sender(ada)) == 0
        receive("x", user=ada)
    assert uploads.wait_for_quota(uploads.sender(ada)) > 0


def test_the_quota_counts_while_bytes_come_in(settings, ada, monkeypatch) -> None:
    """Records by the looks of them, before anything is read: what would go beyond leaves nothing."""
    settings.ARCHIVE_QUOTA_DEALS = 100
    whole = [samples.many(60), b"[" + b",".join([b"{}"] * 60) + b"]", b"{}\n" * 60]
    for data in whole:
        Upload.objects.all().delete()
        receive(data, user=ada)
        assert uploads.used_quota(uploads.sender(ada))["deals"] == 60
        with pytest.raises(uploads.OverQuota) as over:
            receive(data, user=ada)
        assert 3500 < over.value.seconds <= 3601
        assert Upload.objects.count() == Part.objects.count() == 1
    Upload.objects.all().delete()
    settings.ARCHIVE_QUOTA_BYTES = 100_000
    with pytest.raises(uploads.OverQuota):
        receive(b"x" * 100_001, user=ada)
    assert not Upload.objects.exists()


def test_limits_by_sender_and_none_for_a_command(settings) -> None:
    for account, anonymous in ((200_000_000, 5_000_000), (7, 3)):
        limits = conf.max_upload_bytes(), conf.max_upload_bytes(anonymous=True)
        assert limits == (account, anonymous)
        settings.ARCHIVE_MAX_UPLOAD_BYTES, settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 7, 3
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 0
    receive("x")
    assert uploads.wait_for_quota("") == 0


def test_a_broker_that_is_away_loses_nothing(monkeypatch, caplog, django_capture_on_commit_callbacks) -> None:
    monkeypatch.undo()  # the real `queue.send`
    monkeypatch.setattr(queue.current_app, "send_task", Mock(side_effect=ConnectionRefusedError))
    with django_capture_on_commit_callbacks(execute=True):
        upload = receive(samples.TAROKY, send=True)
    assert "1 pieces of work wait" in caplog.text
    assert intake.store(part_of(upload).pk).pk == part_of(upload).pk
