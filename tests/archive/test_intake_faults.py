"""Storing a part when something fails, another worker has it, or a worker dies."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from archive import conf, database, packed_sheets
from archive.models import Contribution, Deal, Part, Player, Seat, Upload, UploadItem
from archive.reading import operation
from archive.reading.uploads import progress_of, results_of
from archive.storing import claims, contribution_data, insertion, intake, spaces, sweeper, uploads
from archive.storing.contribution_data import ContributionData
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.notation import read_each
from tests import samples
from tests.archive.test_intake import TEXTS
from tests.failing import MIDDLES, failing, input_of, steps
from tests.storing import everything, items, outcomes, part_of, receive, store, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


class Killed(BaseException):
    """An exception that ends a worker at once: our code doesn't catch it."""


# --- errors in our own code ---------------------------------------------------------------------------------


def test_a_fault_in_packing_marks_its_record_alone(monkeypatch) -> None:
    real = packed_sheets.pack

    def pack(checked: Check) -> tuple[str, str]:
        if checked.verdict == "illegal":
            raise KeyError("an error in our own code")
        return real(checked)

    monkeypatch.setattr(packed_sheets, "pack", pack)
    upload = stored(*TEXTS)
    assert outcomes(upload) == ["stored", "failed", "malformed", *["stored"] * 5, "known"]
    assert "KeyError: 'an error in our own code'" in UploadItem.objects.get(outcome="failed").error
    monkeypatch.undo()
    uploads.read_again(upload)
    store(upload)
    assert outcomes(upload) == ["stored", "stored", "malformed", *["stored"] * 5, "known"]


@pytest.mark.parametrize(("form", "step", "number"), steps())
def test_a_fault_in_reading_marks_its_record_alone(form: str, step: str, number: int, caplog) -> None:
    text = input_of(form, MIDDLES[form][number])
    line = [entry.line for entry in read_each(text)][1]
    with failing(form, step):
        upload = stored(text)
    assert outcomes(upload) == ["stored", "failed", "stored"]
    item = UploadItem.objects.get(outcome="failed")
    assert (item.n, item.line, item.finding) == (1, line, "")
    assert f"RuntimeError: a fault put into {step}" in item.error
    assert (part_of(upload).failed, progress_of(upload).failed, operation.count_faults()) == (1, 1, 1)
    assert Deal.objects.count() == 2
    assert any(record.exc_info for record in caplog.records)


def test_reading_ends_where_it_fails_again_and_again(monkeypatch) -> None:
    monkeypatch.setattr("tarock.notation.json_text.interpret", lambda value, faults: 1 // 0)
    monkeypatch.setattr(intake, "_MOST_FAULTY", 5)
    upload = stored('{"tgn": 1}\n' * 10)
    assert outcomes(upload) == ["failed"] * 5 + ["malformed"]


def test_a_fault_in_preparing_marks_its_record_alone(monkeypatch) -> None:
    real = intake.from_record

    def tell(record: Record, **options: bool) -> ContributionData:
        return real(record, **options) if record.tags.get("Date") != "1999-01-01" else 1 // 0

    monkeypatch.setattr(intake, "from_record", tell)
    upload = stored(samples.dealt(1), samples.dealt(2, Date="1999-01-01"), samples.dealt(3))
    assert outcomes(upload) == ["stored", "failed", "stored"]


def test_a_row_that_the_database_refuses_marks_its_record_alone(monkeypatch) -> None:
    real = contribution_data._deal_number
    monkeypatch.setattr(contribution_data, "_deal_number", lambda text: 2**70 if text == "13" else real(text))
    texts = [samples.dealt(seed, Deal="13" if seed == 11 else str(seed + 20)) for seed in range(30)]
    upload = stored(*texts)
    assert outcomes(upload) == ["failed" if seed == 11 else "stored" for seed in range(30)]
    assert (Deal.objects.count(), Contribution.objects.count(), Seat.objects.count()) == (29, 29, 116)
    assert part_of(upload).failed == 1


def test_who_repeats_a_record_that_could_not_be_stored_is_first(monkeypatch, ada) -> None:
    """The same deal three times. The first can't be written, and nothing of it is left."""
    real = contribution_data._deal_number
    monkeypatch.setattr(contribution_data, "_deal_number", lambda text: 2**70 if text == "13" else real(text))
    upload = stored(*[samples.dealt(1, Deal=number) for number in ("13", "14", "14")], user=ada)
    assert outcomes(upload) == ["failed", "stored", "known"]
    assert [result.differs for result in results_of(upload)] == [(), (), ()]
    assert Contribution.objects.get().number == 14


def test_an_engine_that_never_comes_back_well_is_no_verdict(monkeypatch) -> None:
    monkeypatch.setattr(intake, "check", lambda record: 1 / 0)
    upload = stored(samples.dealt(1), samples.dealt(1))
    assert outcomes(upload) == ["failed", "failed"]
    assert not Deal.objects.exists()
    assert not Player.objects.exists()


def test_a_known_deal_needs_no_engine(monkeypatch) -> None:
    stored(samples.TAROKY)
    monkeypatch.setattr(intake, "check", lambda record: pytest.fail("it was checked"))
    assert outcomes(stored(samples.DISPUTED, space=spaces.guest())) == ["known"]
    assert Contribution.objects.order_by("-pk")[0].verdict == "disputed"


def test_a_part_that_fails_as_a_whole_is_tried_again_and_then_given_up(monkeypatch, settings, caplog) -> None:
    settings.ARCHIVE_MAX_ATTEMPTS, settings.ARCHIVE_RETRY_SECONDS = 3, 60
    monkeypatch.setattr(intake, "_entries", lambda part: 1 / 0)
    upload = receive(samples.dealt(1))
    pk = part_of(upload).pk
    for attempt in (1, 2):
        began = timezone.now()
        intake.store(pk)
        part = part_of(upload)
        assert (part.state, part.claims) == ("waiting", attempt)
        assert "ZeroDivisionError" in part.error
        assert part.due_at >= began + conf.retry_delay(attempt)
        assert intake.store(pk) is None, "its time has not come"
        Part.objects.update(due_at=timezone.now())
    intake.store(pk)
    part = part_of(upload)
    assert (part.state, part.claims, part.records) == ("failed", 3, 0)
    assert "ZeroDivisionError" in part.error
    upload.refresh_from_db()
    assert upload.is_finished
    assert operation.count_faults() == progress_of(upload).failed == 1
    assert results_of(upload) == []
    assert intake.store(pk) is None
    assert "given up" in caplog.text

    monkeypatch.undo()
    uploads.read_again(upload)
    assert outcomes(store(upload)) == ["stored"]
    assert (part_of(upload).error, operation.count_faults()) == ("", 0)


def test_the_next_try_comes_later_each_time(settings) -> None:
    settings.ARCHIVE_RETRY_SECONDS = 5
    delays = [conf.retry_delay(attempt).total_seconds() for attempt in (1, 2, 3, 4, 40)]
    assert delays == [5, 10, 20, 40, 3600]


def test_a_database_that_goes_away_is_no_records_fault(monkeypatch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("server closed the connection")

    upload = receive(samples.dealt(1), samples.MALFORMED)
    with monkeypatch.context() as broken:
        broken.setattr(database, "insert", away)
        store(upload)
    assert (part_of(upload).state, items(upload)) == ("waiting", [])
    Part.objects.update(due_at=timezone.now())
    assert outcomes(store(upload)) == ["stored", "malformed"]


# --- who holds a part ---------------------------------------------------------------------------------------


def lose_the_claim() -> None:
    """As if the worker had not been heard of within its lease."""
    Part.objects.update(due_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("winner", [0, 1])
def test_of_two_who_have_the_same_part_the_first_to_be_done_commits(monkeypatch, winner: int) -> None:
    """The first is so slow that its lease ends, and another takes the part, too."""
    upload = receive(samples.TAROKY, samples.dealt(1))
    pk = part_of(upload).pk
    real = intake._write
    slow: list[Any] = []

    def stop(storing: Any) -> None:
        slow.append(storing)
        raise Killed

    monkeypatch.setattr(intake, "_write", stop)
    for _ in range(2):
        with pytest.raises(Killed):
            intake.store(pk)
        lose_the_claim()
    monkeypatch.undo()
    first, second = slow
    assert (first.part.claims, second.part.claims) == (1, 2)
    database.retry_transient(lambda: real(slow[winner]))
    assert outcomes(upload) == ["stored", "stored"]
    assert part_of(upload).state == "done"
    before = everything()
    database.retry_transient(lambda: real(slow[1 - winner]))
    assert everything() == before


def test_who_was_given_up_and_comes_back_with_a_fault_changes_nothing(monkeypatch) -> None:
    upload = receive(samples.TAROKY)
    pk = part_of(upload).pk
    real = intake._read

    def slow(part: Part) -> Any:
        monkeypatch.setattr(intake, "_read", real)
        lose_the_claim()
        intake.store(pk)
        raise ZeroDivisionError

    monkeypatch.setattr(intake, "_read", slow)
    intake.store(pk)
    part = part_of(upload)
    assert (part.state, part.claims, part.error) == ("done", 2, "")
    assert outcomes(upload) == ["stored"]


def test_what_is_taken_is_taken_once() -> None:
    pk = part_of(receive(samples.TAROKY)).pk
    part = claims.claim(Part, pk)
    assert (part.state, part.claims) == ("working", 1)
    assert timezone.now() < part.due_at <= timezone.now() + conf.lease()
    assert claims.claim(Part, pk) is None
    assert claims.claim(Part, 4711) is None
    lose_the_claim()
    again = claims.claim(Part, pk)
    assert again.claims == 2
    assert not claims.held(part).exists()
    assert claims.held(again).exists()


def test_what_is_done_or_given_up_is_not_taken() -> None:
    pk = part_of(receive(samples.TAROKY)).pk
    for state in ("done", "failed"):
        Part.objects.update(state=state)
        assert claims.claim(Part, pk) is None


def test_a_clock_that_is_behind_the_senders_does_not_matter() -> None:
    pk = part_of(receive(samples.TAROKY)).pk
    Part.objects.update(due_at=timezone.now() + timedelta(minutes=30))
    assert claims.claim(Part, pk).claims == 1
    Part.objects.update(state="waiting", due_at=timezone.now() + timedelta(seconds=3))
    assert claims.claim(Part, pk).claims == 2, "the sweeper's clock is ahead"
    Part.objects.update(due_at=timezone.now() + timedelta(days=1))
    assert claims.claim(Part, pk).claims == 3, "no lease is so long: the clock was put back"


def test_a_note_that_the_database_does_not_take_is_no_second_fault(monkeypatch, caplog) -> None:
    def away(*_: object) -> None:
        raise OperationalError("away")

    upload = receive(samples.TAROKY)
    monkeypatch.setattr(intake, "_read", away)
    monkeypatch.setattr(database, "retry_transient", away)
    part = intake.store(part_of(upload).pk)
    assert part.claims == 1
    assert part_of(upload).state == "working"
    assert "could not take a note" in caplog.text


def test_a_note_waits_for_a_database_that_is_away(monkeypatch) -> None:
    """Without it the claim would stand until its lease is over."""

    def away(*_: object) -> None:
        raise OperationalError("away")

    upload = receive(samples.TAROKY)
    answers = iter([False, False, True])
    monkeypatch.setattr(intake, "_read", away)
    monkeypatch.setattr(database, "is_available", lambda: next(answers))
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    intake.store(part_of(upload).pk)
    part = part_of(upload)
    assert not list(answers), "it was tried until it responded"
    assert (part.state, part.claims) == ("waiting", 1)
    assert part.due_at <= timezone.now() + conf.retry_delay(1) - conf.GRACE


# --- killed -------------------------------------------------------------------------------------------------

POINTS = {
    "before reading": (intake, "_entries"),
    "in checking": (intake, "check"),
    "before the transaction": (database, "retry_transient"),
    "at its beginning": (database, "insert_lock"),
    "before the first row": (intake, "insert"),
    "before the contributions": (insertion.names, "seat"),
    "between the tables": (database, "insert"),
    "before the result": (intake, "_write_result"),
    "at its beginning or before its end": (claims, "undone"),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", [1, 2])
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_any_point_and_taken_again(point: str, call: int, monkeypatch) -> None:
    """Each deal is there once in the end, with its verdict, as if nothing had been."""
    module, name = POINTS[point]
    real, calls = getattr(module, name), 0

    def dies(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise Killed
        return real(*arguments)

    upload = receive(*TEXTS)
    with monkeypatch.context() as dying:
        dying.setattr(module, name, dies)
        try:
            intake.store(part_of(upload).pk)
        except Killed:
            assert not connection.in_atomic_block
            assert not Deal.objects.exists()
            assert not Player.objects.exists()
            assert part_of(upload).state == "working"
        else:
            assert calls < call, "it is called no more often"
    lose_the_claim()
    store(upload) if part_of(upload).state == "waiting" else intake.store(part_of(upload).pk)
    assert outcomes(upload) == ["stored", "stored", "malformed", *["stored"] * 5, "known"]
    verdicts = list(Deal.objects.order_by("pk").values_list("verdict", flat=True))
    assert verdicts == ["verified", "illegal", *["incomplete"] * 5]
    assert Contribution.objects.count() == 7
    assert Upload.objects.get().is_finished


@pytest.mark.django_db(transaction=True)
def test_killed_after_the_commit_changes_nothing(monkeypatch) -> None:
    upload = receive(*TEXTS)
    real = database.retry_transient

    def dies(action: Any) -> None:
        real(action)
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(database, "retry_transient", dies)
        with pytest.raises(Killed):
            intake.store(part_of(upload).pk)
    before = everything()
    assert intake.store(part_of(upload).pk) is None
    assert everything() == before
    assert part_of(upload).state == "done"
    sweeper.sweep(timezone.now() + 2 * conf.GRACE)
    assert Upload.objects.get().is_finished


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_breaks_is_no_records_fault(monkeypatch) -> None:
    upload = receive(*TEXTS)
    real = intake.insert

    def breaks(*arguments: Any) -> Any:
        connection.connection.close()
        return real(*arguments)

    with monkeypatch.context() as breaking:
        breaking.setattr(intake, "insert", breaks)
        intake.store(part_of(upload).pk)
    part = part_of(upload)
    assert (part.state, part.failed, items(upload)) == ("waiting", 0, [])
    Part.objects.update(due_at=timezone.now())
    assert outcomes(store(upload)) == ["stored", "stored", "malformed", *["stored"] * 5, "known"]
