"""Uploads that the database refuses for a moment, or for longer: real deadlocks, real locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg.errors
import pytest
from django.db import InterfaceError, OperationalError, connection, connections, transaction
from django.utils import timezone

from archive import conf, services
from archive.models import Deal, Player, Upload, UploadItem, VerificationRun
from archive.services import read_again, read_waiting, store_upload, sweep
from archive.tasks import read_upload
from tests.archive import samples

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]

RAW = samples.dealt(1, players=("Ada", "Ben", "Cleo", "Zoe")).encode()


@pytest.fixture(autouse=True)
def messages(monkeypatch) -> list[tuple[str, tuple[int, ...], dict]]:
    """What would have been sent to workers; none listens here."""
    sent: list[tuple[str, tuple[int, ...], dict]] = []
    monkeypatch.setattr(
        services,
        "_publish",
        lambda task, ids, **options: sent.append((task.name.rpartition(".")[2], tuple(ids), options)),
    )
    return sent


@pytest.fixture
def impatient() -> Iterator[None]:
    """This connection waits but a moment for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SET lock_timeout = '50ms'" if connection.vendor == "postgresql" else "PRAGMA busy_timeout = 50"
        )
    yield
    connection.close()


@contextmanager
def held(seconds: float | None = None) -> Iterator[None]:
    """Another connection holds what storing `RAW` needs, until the end of the block or for some seconds."""
    taken, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Player.objects.create(name="Zoe")
                taken.set()
                done.wait(seconds or 60)
                transaction.set_rollback(True)
        finally:
            connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert taken.wait(20)
        yield
    finally:
        done.set()
        thread.join(20)
    assert not thread.is_alive()


@contextmanager
def kept_only() -> Iterator[list[int]]:
    """Within, the database takes an upload's bytes, but no record of it: as under a lock that lasts. Yields a
    row for each try."""
    real = services._Storing.store
    tries: list[int] = []

    def refused(*_: object, **__: object) -> None:
        tries.append(1)
        raise OperationalError("deadlock detected") from psycopg.errors.DeadlockDetected("deadlock detected")

    services._Storing.store = refused  # type: ignore[method-assign, assignment]
    try:
        yield tries
    finally:
        services._Storing.store = real  # type: ignore[method-assign]


def later(seconds: float = 0) -> object:
    return timezone.now() + conf.lease() + timedelta(seconds=seconds + 1)


def until(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def due_now(upload: Upload) -> None:
    Upload.objects.filter(pk=upload.pk).update(next_try_at=timezone.now())


# --- tried again at once ---


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has one writer and no deadlock")
def test_a_deadlock_is_survived(caplog):
    """The upload has Ada and waits for Zoe, the other has Zoe and waits for Ada: PostgreSQL ends the upload's
    transaction, which is done again when the other is through."""
    caplog.set_level("INFO", logger="archive.services")
    results: list[Upload] = []
    pids: list[int] = []

    def store() -> None:
        try:
            with connection.cursor() as cursor:
                # Who has waited for so long looks for deadlocks, and gives way: that shall be the upload.
                cursor.execute("SET deadlock_timeout = '2s'")
                cursor.execute("SELECT pg_backend_pid()")
                pids.extend(cursor.fetchone())
            results.append(store_upload(raw=RAW))
        finally:
            connections.close_all()

    def waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_locks WHERE pid = ANY(%s) AND NOT granted", [pids])
            return cursor.fetchone() is not None

    thread = threading.Thread(target=store)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '60s'")
        Player.objects.create(name="Zoe")
        thread.start()
        until(waits)
        Player.objects.create(name="Ada")
    thread.join(60)
    (upload,) = results
    assert "trying again: deadlock detected" in caplog.text
    assert (upload.error, upload.is_waiting, upload.attempts) == ("", False, 1)
    assert [item.outcome for item in upload.items.all()] == ["stored"]
    assert set(Player.objects.values_list("name", flat=True)) == {"Ada", "Ben", "Cleo", "Zoe"}
    assert VerificationRun.objects.get().deal == Deal.objects.get()


def test_a_lock_that_is_held_for_a_moment_is_waited_for(impatient, caplog):
    caplog.set_level("INFO", logger="archive.services")
    with held(seconds=0.3):
        upload = store_upload(raw=RAW)
    assert caplog.text.count("trying again") >= 1
    assert (upload.error, upload.is_waiting) == ("", False)
    assert [item.outcome for item in upload.items.all()] == ["stored"]
    assert Deal.objects.get().seating.count() == 4


def test_what_will_not_pass_is_not_tried_again(monkeypatch):
    tries = []

    def broken(*_: object, **__: object) -> None:
        tries.append(1)
        raise OperationalError("no space left on device") from psycopg.errors.DiskFull("no space left")

    monkeypatch.setattr(services._Storing, "store", broken)
    upload = store_upload(raw=RAW)
    assert len(tries) == 1
    assert upload.is_waiting, "a worker tries again later"


@pytest.mark.parametrize(("patience", "tries"), [(10.0, 5), (0.0, 1)])
def test_it_is_tried_a_few_times_unless_each_takes_long(monkeypatch, patience, tries):
    monkeypatch.setattr(services, "_PATIENCE", patience)
    with kept_only() as counted:
        upload = store_upload(raw=RAW)
    assert len(counted) == tries
    assert upload.is_waiting


# --- left for a worker ---


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite locks the whole database")
def test_a_lock_that_lasts_leaves_the_upload_to_a_worker(impatient, messages):
    with held():
        upload = store_upload(raw=RAW)
        assert upload.is_waiting
        assert not upload.items.exists()
    kept = Upload.objects.get()
    assert bytes(kept.raw) == RAW
    assert kept.next_try_at > timezone.now()
    assert "lock timeout" in kept.error
    assert sweep().unread == 0, "its time has not come"
    assert sweep(later()).unread == 1
    assert messages == [("read_upload", (kept.pk,), {"expires": conf.sweep_every()})]
    due_now(kept)
    read_upload(kept.pk)
    kept.refresh_from_db()
    assert (kept.error, kept.is_waiting, kept.attempts) == ("", False, 2)
    assert [item.outcome for item in kept.items.all()] == ["stored"]
    assert messages[1:] == [("verify_deal", (Deal.objects.get().pk,), {})]
    assert sweep(later()).unread == 0


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite locks the whole database")
def test_where_nothing_can_be_written_the_sender_is_told_so(impatient):
    with held(), pytest.raises(services.ArchiveBusy):
        store_upload(raw=RAW)
    assert not Upload.objects.exists()
    assert not store_upload(raw=RAW).is_waiting


def test_a_waiting_upload_is_read_by_one_worker(messages):
    with kept_only():
        upload = store_upload(raw=RAW)
    assert read_waiting(upload.pk) is None, "its time has not come"
    due_now(upload)
    assert not read_waiting(upload.pk).is_waiting
    assert read_waiting(upload.pk) is None
    assert read_waiting(4711) is None
    assert Deal.objects.count() == 1
    assert UploadItem.objects.count() == 1


def test_an_upload_whose_reader_died_is_found_by_the_sweeper(monkeypatch, messages):
    """As after SIGKILL: the bytes are committed, and nothing more ever happens to them."""

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(services._Storing, "store", killed)
        with pytest.raises(Killed):
            store_upload(raw=RAW)
    upload = Upload.objects.get()
    assert upload.is_waiting
    assert not upload.items.exists()
    assert sweep(later()).unread == 1
    due_now(upload)
    assert [item.outcome for item in read_waiting(upload.pk).items.all()] == ["stored"]


def test_the_next_try_comes_later_each_time_and_the_last_is_the_operators(messages, settings):
    settings.ARCHIVE_MAX_ATTEMPTS = 3
    with kept_only():
        upload = store_upload(raw=RAW)
        pauses = [upload.next_try_at - timezone.now()]
        due_now(upload)
        pauses.append(read_waiting(upload.pk).next_try_at - timezone.now())
        due_now(upload)
        last = read_waiting(upload.pk)
    assert [round(pause.total_seconds() / 30) for pause in pauses] == [1, 2]
    assert not last.is_waiting
    assert "deadlock" in last.error
    assert sweep(later()).unread == 0
    (item,) = last.items.all()
    assert item.outcome == "refused"
    assert "has been kept" in item.message
    assert [item.outcome for item in read_again(upload.pk).items.all()] == ["stored"]
    assert Upload.objects.get().error == ""


def test_an_upload_that_kills_every_reader_is_given_up(messages, settings):
    upload = store_upload(raw=RAW)
    UploadItem.objects.all().delete()
    Upload.objects.update(attempts=settings.ARCHIVE_MAX_ATTEMPTS, next_try_at=timezone.now())
    assert sweep(later()).unread == 0
    upload.refresh_from_db()
    assert not upload.is_waiting
    assert "was lost" in upload.error
    assert upload.items.get().outcome == "refused"


def test_nothing_is_written_under_a_claim_that_was_lost(monkeypatch):
    """A reader so slow that another has read the upload meanwhile."""
    real = services.read_each

    def slow(raw: bytes) -> object:
        monkeypatch.setattr(services, "read_each", real)
        read_again(Upload.objects.get().pk)
        return real(raw)

    monkeypatch.setattr(services, "read_each", slow)
    upload = store_upload(raw=RAW)
    assert (upload.attempts, upload.error, upload.is_waiting) == (2, "", False)
    assert [item.outcome for item in upload.items.all()] == ["stored"]
    assert Deal.objects.count() == 1


def test_a_connection_that_breaks_while_storing(monkeypatch):
    def broken(*_: object, **__: object) -> None:
        connection.connection.close()
        raise InterfaceError("connection already closed")

    with monkeypatch.context() as breaking:
        breaking.setattr(services._Storing, "store", broken)
        upload = store_upload(raw=RAW)
    assert Upload.objects.get().is_waiting
    due_now(upload)
    assert not read_waiting(upload.pk).is_waiting
