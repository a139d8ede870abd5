"""Several at the same time: real threads, real transactions, each deal once and in order."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone

from archive import database
from archive.errors import Unavailable
from archive.models import Chunk, Contribution, Deal, FormerVerdict, Part, Player, Seat, Session, Upload
from archive.storing import campaigns, claims, intake, spaces, sweeper
from tests.support import samples
from tests.support.storing import outcomes, part_of, receive, small_parts, store, stored, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]

on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer, and nobody to wait for"
)


def storing(*uploads: Upload) -> Callable[[], None]:
    """Store all parts of these, waiting for the turn as long as it takes."""

    def run() -> None:
        for upload in uploads:
            for pk in upload.parts.values_list("pk", flat=True):
                intake.store(pk)

    return run


def all_is_there_once(number: int) -> None:
    """So many deals, each with a verdict, a first contribution and its seats."""
    assert Deal.objects.count() == number
    assert not Part.objects.exclude(state="done").exists()
    assert not Deal.objects.filter(contributions=None).exists()
    assert Seat.objects.count() == 4 * Contribution.objects.count()


def test_the_same_record_from_several_sides_at_once() -> None:
    for seed in range(6):
        found = [receive(samples.dealt(seed, Session=f"Table {seed}")) for _ in range(3)]
        together(*map(storing, found))
        assert sorted(outcomes(upload)[0] for upload in found) == ["known", "known", "stored"]
    all_is_there_once(6)
    assert (Player.objects.count(), Session.objects.count(), Contribution.objects.count()) == (4, 6, 6)


def test_overlapping_uploads_in_any_order(ada, ben) -> None:
    """Nobody locks another out, and every deal is there once; each space says its own of it."""
    rng = random.Random(4)
    texts = [samples.dealt(seed, players=(f"P{seed}", f"Q{seed}", f"R{seed}", "Sam")) for seed in range(40)]
    found = [receive("\n".join(rng.sample(texts, 30)), user=user) for user in (ada, ben, None, None)]
    together(*map(storing, found))
    told = [outcome for upload in found for outcome in outcomes(upload)]
    assert set(told) == {"stored", "known"}
    assert told.count("stored") == Deal.objects.count()
    all_is_there_once(Deal.objects.count())
    for user in (ada, ben):
        assert Contribution.objects.filter(space=spaces.own(user)).count() == 30


def test_the_parts_of_one_upload_by_several_workers(monkeypatch) -> None:
    small_parts(monkeypatch, 12_000)
    upload = receive(samples.many(190))
    parts = list(upload.parts.values_list("pk", flat=True))
    assert len(parts) > 2
    together(*[lambda some=some: [*map(intake.store, some)] for some in (parts, parts[::-1], parts[1:])])
    upload.refresh_from_db()
    assert upload.is_finished
    assert set(Part.objects.values_list("claims", flat=True)) == {1}
    all_is_there_once(190)


def test_a_part_is_claimed_by_one_of_many_and_stored_once_though_its_message_comes_twice() -> None:
    pk = part_of(receive(samples.TAROKY)).pk
    taken = together(*[lambda: claims.claim(Part, pk)] * 6)
    assert [part.claims for part in taken if part is not None] == [1]
    upload = receive(samples.many(50))
    together(*[lambda: intake.store(part_of(upload).pk)] * 3)
    assert (outcomes(upload), Deal.objects.count()) == (["stored"] * 50, 50)


@on_postgresql
def test_numbers_grow_in_the_order_in_which_deals_are_seen() -> None:
    """A client that looks for deals after the last id that it saw misses none."""
    found = [receive(samples.many(5, first=10 * n)) for n in range(12)]
    done = threading.Event()

    def look() -> list[int]:
        seen: list[int] = []
        while True:
            last = done.is_set()
            later = Deal.objects.filter(pk__gt=seen[-1] if seen else 0).order_by("pk")
            seen += later.values_list("pk", flat=True)
            if last:
                return seen

    def storers() -> list[int]:
        together(*[storing(*found[n::3]) for n in range(3)])
        done.set()
        return []

    seen, _ = together(look, storers)
    assert seen == list(Deal.objects.order_by("pk").values_list("pk", flat=True))
    assert len(seen) == 60


@on_postgresql
def test_who_stores_waits_for_who_stores_before_him() -> None:
    """The number of a deal that is not committed yet is below that of every deal seen later."""
    first, second = receive(samples.dealt(1)), receive(samples.dealt(2))
    thread = threading.Thread(target=lambda: (storing(second)(), connections.close_all()))
    with transaction.atomic():
        storing(first)()
        thread.start()
        thread.join(0.5)
        assert (thread.is_alive(), Deal.objects.count()) == (True, 1), "it waits"
    thread.join(20)
    assert not thread.is_alive()
    deals = [Deal.objects.get(contributions__part__upload=upload).pk for upload in (first, second)]
    assert deals == sorted(deals)


@contextmanager
def locked(by: Callable[[], object]) -> Iterator[None]:
    """Another connection has done this and does not commit, until the end of the block; then it undoes it."""
    taken, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                by()
                taken.set()
                done.wait(60)
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


@on_postgresql
def test_a_lock_that_lasts_is_tried_again_later(impatient) -> None:
    upload = receive(samples.dealt(1, players=("Ada", "Ben", "Cleo", "Zoe")))
    with locked(lambda: Player.objects.create(space=upload.space, name="Zoe")):
        store(upload)
    part = part_of(upload)
    assert (part.state, part.claims, part.failed) == ("waiting", 1, 0)
    assert "lock timeout" in part.error
    Part.objects.update(due_at=timezone.now())
    assert outcomes(store(upload)) == ["stored"]


@on_postgresql
def test_who_waits_too_long_in_inserting_many_rows_may_try_again(impatient) -> None:
    """And is not taken for one whose rows are refused."""
    house = spaces.house()
    rows = [{"space": house.pk, "name": "Zoe", "search_name": "zoe", "pseudonym": ""}]
    with locked(lambda: Player.objects.create(space=house, name="Zoe")):
        with pytest.raises(OperationalError) as caught, transaction.atomic():
            database.insert(Player, rows)
        assert database._is_passing(caught.value)
    database.retry_transient(lambda: database.insert(Player, rows))
    assert Player.objects.get().name == "Zoe"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite locks the whole database")
def test_where_nothing_can_be_written_the_sender_is_told_so(impatient) -> None:
    house = spaces.house()
    with locked(lambda: Player.objects.create(space=house, name="Zoe")), pytest.raises(Unavailable):
        receive(samples.TAROKY)
    assert not Upload.objects.exists()
    assert receive(samples.TAROKY).pk


def test_two_sweeps_beside_workers_harm_nothing() -> None:
    found = [receive(samples.many(5, first=10 * n)) for n in range(8)]

    def sweep() -> None:
        for _ in range(8):
            sweeper.sweep()

    together(sweep, sweep, storing(*found), storing(*found[::-1]))
    all_is_there_once(40)
    assert set(Part.objects.values_list("claims", flat=True)) == {1}
    assert not Upload.objects.filter(finished_at=None).exists()


def test_a_campaign_beside_intake(ada, ben) -> None:
    """A contribution to a deal that is being checked again gets a verdict by the new answer."""
    texts = [samples.TAROKY, *map(samples.dealt, range(40))]
    stored(*texts, user=ada)
    Deal.objects.update(engine_version="0", verdict="illegal")
    Contribution.objects.update(verdict="illegal")
    campaign = campaigns.start()
    chunk = Chunk.objects.get().pk
    later = [receive(text, user=ben) for text in texts[:12]]
    together(lambda: campaigns.verify_chunk(chunk), storing(*later[::2]), storing(*later[1::2]))
    campaign.refresh_from_db()
    assert campaign.state == "done"
    assert not Contribution.objects.filter(verdict="illegal").exists()
    assert Contribution.objects.filter(space__user=ben, verdict="verified").count() == 1
    assert FormerVerdict.objects.count() == 41


def test_the_same_deals_verified_anew_from_two_sides() -> None:
    stored(*map(samples.dealt, range(20)))
    Deal.objects.update(engine_version="0", clauses="old")
    deals = list(Deal.objects.order_by("pk"))
    together(lambda: campaigns.verify_now(deals), lambda: campaigns.verify_now(deals[::-1]))
    assert FormerVerdict.objects.count() == 20


@on_postgresql
def test_a_process_that_stops_while_it_has_the_turn_loses_it(monkeypatch) -> None:
    """It gets the lock and does nothing more: PostgreSQL ends it, and the next has its turn; to have waited
    counts as no try."""
    monkeypatch.setattr(database, "_IDLE_TIMEOUT", "2s")
    monkeypatch.setattr(database, "_LOCK_TIMEOUT", "200ms")
    monkeypatch.setattr(database, "_PAUSES", (0.01,))
    upload = receive(samples.dealt(1))
    stopped, thawed = threading.Event(), threading.Event()

    def stop_with_the_lock(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if "pg_advisory_xact_lock" in sql:
            stopped.set()
            assert thawed.wait(30)
        return result

    def stop_within_the_turn() -> None:
        stopping = connection.execute_wrapper(stop_with_the_lock)
        with pytest.raises(database.AWAY), stopping, transaction.atomic():
            database.insert_lock()

    def store_meanwhile() -> None:
        assert stopped.wait(30)
        intake.store(part_of(upload).pk)
        part = part_of(upload)
        assert (part.state, part.claims, part.error) == ("waiting", 0, "")
        while part_of(upload).state != "done":
            Part.objects.update(due_at=timezone.now())
            intake.store(part_of(upload).pk)
        thawed.set()

    together(stop_within_the_turn, store_meanwhile)
    assert (Deal.objects.count(), part_of(upload).claims) == (1, 1)
