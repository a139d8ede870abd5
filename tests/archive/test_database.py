"""The few things that the two back ends do each in its own way, and patience with both."""

from __future__ import annotations

import sqlite3

import psycopg.errors
import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from archive import database
from archive.models import Deal, Player, Session
from archive.storing import spaces
from tests.support import samples
from tests.support.storing import deal_of

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(database.time, "sleep", found.append)
    return found


def busy() -> OperationalError:
    """Return the error of each database when another transaction is in the way."""
    if connection.vendor == "sqlite":
        cause: Exception = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    else:
        cause = psycopg.errors.DeadlockDetected("deadlock detected")
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def failing(times: int, error: Exception) -> tuple[list[int], object]:
    tries: list[int] = []

    def action() -> str:
        tries.append(1)
        Player.objects.create(space=spaces.house(), name=f"try {len(tries)}")
        if len(tries) <= times:
            raise error
        return "done"

    return tries, action


def test_what_passes_is_tried_again_and_leaves_nothing_of_the_tries_before(pauses) -> None:
    tries, action = failing(3, busy())
    assert (database.retry_transient(action), len(tries)) == ("done", 4)
    assert list(Player.objects.values_list("name", flat=True)) == ["try 4"]
    for pause, planned in zip(pauses, (0.05, 0.1, 0.2), strict=True):
        assert 0.5 <= pause / planned <= 1.5


@pytest.mark.parametrize("seconds", [None, -1.0], ids=["the last try is the last", "a try takes long"])
def test_tries_come_to_an_end(seconds: float | None, pauses, monkeypatch) -> None:
    if seconds is not None:
        monkeypatch.setattr(database, "_MAX_SECONDS", seconds)
    tries, action = failing(99, busy())
    with pytest.raises(OperationalError):
        database.retry_transient(action)
    assert len(tries) == (5 if seconds is None else 1)
    assert not Player.objects.exists()


def test_what_does_not_pass_is_not_tried_again(pauses) -> None:
    errors = (OperationalError("no space left on device"), IntegrityError("twice"), InterfaceError("closed"))
    for error in (*errors, KeyError()):
        tries, action = failing(99, error)
        with pytest.raises(type(error)):
            database.retry_transient(action)
        assert (len(tries), pauses) == (1, [])


def test_other_errors_of_sqlite_and_of_postgresql_do_not_pass() -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    for cause, passing in (
        (full, False), (psycopg.errors.DiskFull(), False), (psycopg.errors.LockNotAvailable(), True),
        (psycopg.errors.SerializationFailure(), True), (None, False),
    ):  # fmt: skip
        error = OperationalError("x")
        error.__cause__ = cause
        assert database._is_passing(error) == passing


def test_reserved_numbers_are_nobody_elses() -> None:
    house = spaces.house()
    with transaction.atomic():
        database.insert_lock()
        numbers = database.reserve_ids(Player, 3)
        assert len(numbers) == 3
        database.insert(Player, [{"id": pk, **row_of(f"P{pk}")} for pk in numbers])
    assert list(Player.objects.order_by("pk").values_list("pk", flat=True)) == list(numbers)
    later = Player.objects.create(space=house, name="later")
    assert later.pk == numbers[-1] + 1
    with transaction.atomic():
        assert database.reserve_ids(Player, 1)[0] == later.pk + 1
        assert database.reserve_ids(Session, 2)[0] > 0
    Player.objects.all().delete()
    with transaction.atomic():
        assert database.reserve_ids(Player, 1)[0] > later.pk, "no number is given twice"


def row_of(name: str) -> dict[str, object]:
    return {"space": spaces.house().pk, "name": name, "search_name": "x", "pseudonym": ""}


def test_rows_go_in_as_they_are_and_come_out() -> None:
    names = ["a\tb", "back\\slash", "new\nline", "\\N", "", "'quoted\"", "ř", "\N{GRINNING FACE}", "\\."]
    database.insert(Player, [row_of(name) for name in names])
    assert set(Player.objects.values_list("name", flat=True)) == set(names)
    database.insert(Player, [])
    with pytest.raises(IntegrityError), transaction.atomic():
        database.insert(Player, [row_of("one"), row_of("one")])
    assert Player.objects.count() == len(names), "a refused row leaves the transaction usable"


def test_columns_of_many_rows_are_set() -> None:
    first, second = deal_of(samples.TAROKY), deal_of(samples.ILLEGAL_BID)
    now = timezone.now()
    of_all = {"verified_at": now}
    database.update(Deal, [
        {"id": first.pk, "contract": "x", "declarer": None, **of_all},
        {"id": second.pk, "contract": "y", "declarer": "C", **of_all},
    ])  # fmt: skip
    for deal, contract, declarer in ((first, "x", ""), (second, "y", "C")):
        deal.deal.refresh_from_db()
        assert (deal.contract, deal.verified_at, deal.declarer) == (contract, now, declarer)


def test_whether_the_database_answers(monkeypatch, pauses) -> None:
    assert database.is_available()
    assert database.wait_until_available(0)
    answers = iter([False, False, True])
    monkeypatch.setattr(database, "is_available", lambda: next(answers))
    assert database.wait_until_available(60)
    assert pauses == [1, 1]
    monkeypatch.setattr(database, "is_available", lambda: False)
    assert not database.wait_until_available(-1)
