"""Storing a part: every column, once and as a whole; when something fails, or a worker dies."""

from __future__ import annotations

import json
import time
from datetime import date, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

import tarock
from archive import conf, database, packed_sheets
from archive.models import Contribution, Deal, Part, Player, Seat, Session, UploadItem
from archive.reading import operation
from archive.reading.uploads import failed_records, progress_of, results_of
from archive.storing import claims, contribution_data, intake, spaces, uploads
from archive.storing.contribution_data import ContributionData
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.notation import read_each, read_one
from tests.archive.test_results import result
from tests.support import samples
from tests.support.failing import MIDDLES, failing, input_of, steps
from tests.support.storing import (
    WHAT_IS_SENT,
    deal_of,
    everything,
    items,
    outcomes,
    part_of,
    receive,
    shown,
    store,
    stored,
)

pytestmark = pytest.mark.django_db


@pytest.mark.storage
def test_a_verified_deal_and_all_that_its_sender_said(ada) -> None:
    before = timezone.now()
    upload = stored(samples.PLACED, user=ada)
    deal = shown(Deal.objects.get())
    record = read_one(samples.PLACED)
    assert deal.hex_digest == record.digest
    assert (deal.game, deal.deal.players_count, deal.deal.dealer) == ("taroky", 4, "D")
    assert (deal.declarer, deal.contract, deal.verdict) == ("A", deal.checked.facts["contract"], "verified")
    assert (deal.engine_version, deal.finding) == (tarock.__version__, None)
    assert before <= deal.stored_at == deal.verified_at <= timezone.now()
    clauses = [word.partition("=")[0] for word in deal.deal.clauses.split()]
    assert [line.clause for line in deal.lines] == clauses
    assert deal.lines == deal.checked.lines
    assert sum(line.points["A"] for line in deal.lines) == 105
    assert deal.score == samples.TAROKY_SCORE
    bare = read_one(deal.deal.text)
    assert bare.players == {"A": "A", "B": "B", "C": "C", "D": "D"}
    assert (bare.tags, bare.score, bare.comments, bare.digest) == ({}, None, {}, record.digest)
    lead = deal.contribution
    assert lead == Contribution.objects.get()
    assert (lead.deal, lead.sender, lead.part, lead.n) == (deal.deal, ada, part_of(upload), 0)
    assert (lead.verdict, lead.session.name, lead.number) == ("verified", "2026-11-20 table 2", 7)
    assert (lead.date, lead.played_on) == ("2026-11-20", date(2026, 11, 20))
    assert (lead.event, lead.site) == ("Hlučín club evening", "Hlučín")
    assert (lead.claim, lead.claimed) == ("A=105 B=-105 C=-105 D=105", samples.TAROKY_SCORE)
    assert (lead.tags, lead.comments) == ("", "")
    assert [(seat.seat, seat.player.name, seat.points) for seat in deal.seats] == [
        ("A", "Alena", 105), ("B", "Bořek", -105), ("C", "Cyril", -105), ("D", "Dana", 105),
    ]  # fmt: skip
    assert (deal.record, read_one(deal.canonical)) == (record, record)
    part = part_of(upload)
    assert (part.state, part.claims, part.error) == ("done", 1, "")
    assert [getattr(part, name) for name in ("records", *Part.COUNTS)] == [1, 1, 0, 0, 0, 0]
    assert upload.accepted_at <= upload.finished_at <= timezone.now()
    item = UploadItem.objects.get()
    assert (item.n, item.last, item.outcome, item.line, item.deal_id) == (0, 0, "stored", 1, deal.pk)
    assert (item.differs, item.finding, item.error) == ("", "", "")


@pytest.mark.parametrize(
    ("text", "verdict", "event"),
    [(samples.ILLEGAL_BID, "illegal", 1), (samples.INCOMPLETE, "incomplete", None)],
)
def test_a_deal_without_a_score(text: str, verdict: str, event: int | None) -> None:
    deal = deal_of(text)
    assert (deal.verdict, deal.contribution.verdict, deal.score, deal.lines) == (verdict, verdict, None, ())
    assert [seat.points for seat in deal.seats] == [None] * 4
    error = deal.checked.error
    assert (deal.checked.verdict, deal.deal.clauses) == (verdict, error.clause or "")
    assert deal.finding.reason
    assert (deal.finding.clause, deal.finding.line) == (error.clause, error.line)
    if event is not None:
        assert deal.finding.event == event
        assert deal.canonical.splitlines()[deal.finding.line - 1].startswith("C pass")
    assert deal.record == read_one(text)


@pytest.mark.storage
def test_tags_comments_and_what_only_json_can_hold_are_kept_whole() -> None:
    events = [["A", "bid", "first"], ["A", "play", "T1"], ["C", "play", "T2"], ["B", "play", "T3"]]
    deal = deal_of(samples.as_json(1, events=events).decode())
    assert (deal.canonical, deal.verdict, bool(deal.finding.pointer)) == (None, "illegal", True)
    assert [list(event) for event in deal.record.events] == events
    text = samples.dealt(1, Event="e" * 300, Deal="007", Referee="Zoe \\\\u0000", Date="2026-??-??")
    text = text.replace("deal talon", "{ before the talon }\ndeal talon")
    deal = deal_of(text)
    assert deal.record == read_one(text)
    assert (deal.contribution.number, deal.contribution.event) == (None, "e" * 300)
    assert json.loads(deal.contribution.tags) == {"Deal": "007", "Referee": "Zoe \\u0000"}

    for seed, (number, kept) in enumerate((("9" * 9, 999_999_999), ("1", 1), ("007", None)), start=2):
        deal = deal_of(samples.dealt(seed, Deal=number))
        assert (deal.contribution.number, deal.record.tags["Deal"]) == (kept, number)


def test_the_first_day_of_a_partly_known_date() -> None:
    for text, day in (
        ("2026-11-20", date(2026, 11, 20)), ("2026-11-??", date(2026, 11, 1)), ("????-??-??", None),
        ("2026-??-??", date(2026, 1, 1)), ("2026-02-31", None), ("0000-01-01", None),
        ("2026-??-15", date(2026, 1, 15)), ("", None), ("yesterday", None),
    ):  # fmt: skip
        assert contribution_data.first_day(text) == day, text


@pytest.mark.storage
def test_players_and_sessions_are_found_again_by_name() -> None:
    stored(samples.many(3, Session="Table 1"))
    stored(samples.many(3, first=3, Session="Table 1"))
    stored(samples.dealt(9, players=("Ada", "Ben", "Ada", "Dov")))
    assert (Player.objects.count(), Session.objects.get().contributions.count()) == (4, 6)
    # Of the seventh deal nobody knows which seat is Ada's.
    assert Seat.objects.filter(player__name="Ada").count() == 6
    assert Seat.objects.filter(player=None, name="Ada").count() == 2


@pytest.mark.storage
def test_records_whose_deals_follow_one_another_share_a_row() -> None:
    many = samples.many(5).decode()
    upload = stored(many, samples.MALFORMED, samples.dealt(5), many, samples.dealt(6))
    rows = [(0, 4, "stored"), (5, 5, "malformed"), (6, 6, "stored"), (7, 11, "known"), (12, 12, "stored")]
    assert items(upload) == rows
    first = Deal.objects.order_by("pk").values_list("pk", flat=True)[0]
    deals = [result.deal for result in results_of(upload)]
    assert deals == [*range(first, first + 5), None, first + 5, *range(first, first + 5), first + 6]
    part = part_of(upload)
    assert [getattr(part, name) for name in ("records", *Part.COUNTS)] == [13, 7, 5, 1, 0, 0]
    # Known deals in another order have rows of their own.
    upload = stored(*[samples.dealt(seed) for seed in (2, 0, 1, 3)])
    assert items(upload) == [(0, 0, "known"), (1, 2, "known"), (3, 3, "known")]
    # So have a deal with other details, and points that do not add up.
    for outcome, texts in (
        ("known", [samples.dealt(0), samples.dealt(1, Event="Cup"), samples.dealt(2)]),
        ("stored", [result(number=1), result('result 21 "Alena"\n', 2), result(number=3)]),
    ):
        upload = stored(*texts)
        assert items(upload) == [(n, n, outcome) for n in range(3)]
        noted = [bool(one.differs or one.findings) for one in results_of(upload)]
        assert noted == [False, True, False]


def test_malformed_refused_and_failed_beside_good_ones(monkeypatch) -> None:
    real = intake.check

    def check(record: Record) -> Check:
        if record.players["A"] == "Eva":
            raise ZeroDivisionError("ours")
        return real(record)

    monkeypatch.setattr(intake, "check", check)
    texts = [
        samples.dealt(1),
        samples.MALFORMED,
        samples.dealt(2, players=("y" * 201, "Ben", "Cleo", "Dov")),
        samples.dealt(3, players=("Eva", "Ben", "Cleo", "Dov")),
        samples.dealt(4),
        samples.dealt(5, Session="x" * 201),
        samples.dealt(6, Options="stake=2"),
    ]
    upload = stored(*texts)
    assert outcomes(upload) == ["stored", "malformed", "refused", "failed", "stored", "refused", "stored"]
    results = results_of(upload)
    begins = ["\n".join(texts[:n]).count("\n") + 1 + bool(n) for n in range(7)]
    card = samples.MALFORMED.split("\n").index("deal B SX SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3")
    assert [result.line for result in results] == [1, begins[1] + card, *begins[2:]]
    reasons = [result.finding and result.finding.reason for result in results]
    refused = ["name-too-long", None, None, "session-too-long", None]
    assert reasons == [None, "not-in-pack", *refused]
    assert results[2].finding.values == {"found": 201, "limit": 200}
    assert "ZeroDivisionError: ours" in UploadItem.objects.get(outcome="failed").error
    assert (part_of(upload).state, upload.is_finished, operation.count_faults()) == ("done", True, 1)


@pytest.mark.storage
@pytest.mark.parametrize("name", ["A\0da", "A\ud800da"], ids=["NUL", "half a surrogate"])
def test_what_the_database_cannot_hold_is_not_kept(name: str) -> None:
    bad = samples.as_json(1, players={"A": name, "B": "Ben", "C": "Cleo", "D": "Dov"})
    upload = stored(bad, samples.as_json(2), samples.as_json(3, tags={"Referee": name}))
    before, stored_one, after = outcomes(upload)
    assert stored_one == "stored"
    assert {before, after} <= {"refused", "malformed"}
    assert Deal.objects.count() == 1
    # The place of bytes that are no UTF-8.
    upload = stored(samples.TAROKY.encode().replace("Bořek".encode(), b"Bo\xf8ek"))
    (result,) = results_of(upload)
    assert (result.outcome, result.line, Deal.objects.count()) == ("malformed", 4, 1)


def test_an_upload_of_nothing_says_so() -> None:
    for raw in (b"", b" \n", b"\xef\xbb\xbf", b"[]"):
        upload = stored(raw)
        (one,) = results_of(upload)
        found = one.outcome, one.finding.reason, upload.is_finished
        assert found == ("malformed", "nothing", True), raw
        assert (one.n, one.line, one.finding.line, one.finding.column) == (0, 1, 1, 1)


OTHERS = map(samples.dealt, range(5))
TEXTS = [samples.TAROKY, samples.ILLEGAL_BID, samples.MALFORMED, *OTHERS, samples.TAROKY]


@pytest.mark.storage
@pytest.mark.parametrize("signed_in", [True, False])
def test_the_same_file_or_part_again_changes_nothing_but_the_result(signed_in: bool, ada) -> None:
    who = {"user": ada if signed_in else None}
    stored(samples.dealt(3))
    first = stored(*TEXTS, **who)
    before, result = everything(without=WHAT_IS_SENT), items(first)
    again = stored(*TEXTS, **who)
    assert outcomes(again) == ["known"] * 2 + ["malformed"] + ["known"] * 6
    assert {result.differs for result in results_of(again)} == {()}
    assert intake.store(part_of(first).pk) is None
    uploads.read_again(first)
    assert (items(store(first)), everything(without=WHAT_IS_SENT)) == (result, before)


@pytest.mark.storage
def test_a_hundred_records_in_few_queries(django_assert_max_num_queries) -> None:
    raw = samples.many(100, Session="A long evening")
    for _ in range(2):
        upload = receive(raw)
        with django_assert_max_num_queries(32):
            intake.store(part_of(upload).pk)
    assert (Deal.objects.count(), Seat.objects.count()) == (100, 400)
    assert items(upload) == [(0, 99, "known")]


def test_the_first_faults_of_a_part_have_their_places_and_many_take_little_room() -> None:
    """Each record has its own result all the same; the place in a shared row is that of the first."""
    upload = stored("[" + ",".join(["{}"] * 900) + "]")
    assert items(upload)[98:] == [(98, 98, "malformed"), (99, 899, "malformed")]
    faults = [result.finding for result in results_of(upload, most=100)]
    assert [(fault.line, fault.column) for fault in faults] == [(1, 2 + 3 * n) for n in range(100)]
    found = results_of(upload, after=499, most=3)
    assert [(result.n, result.outcome) for result in found] == [(n, "malformed") for n in (500, 501, 502)]
    assert (found[0].finding, part_of(upload).malformed) == (faults[-1].anywhere, 900)
    # Of 240 kB with 80,000 records as of 300 deals: some hundred rows.
    upload = stored("[" + ",".join(["{}"] * 80_000) + "]")
    assert UploadItem.objects.filter(part__upload=upload).count() == 101


def test_other_faults_and_good_records_between_have_rows_of_their_own(monkeypatch) -> None:
    monkeypatch.setattr(intake, "_MOST_PLACES", 1)
    upload = stored("{}\n{}\n", samples.as_json().decode(), "{}\n", '{"tgn": 2}\n{}\n')
    found = [(0, 1, "malformed"), (2, 2, "stored"), *((n, n, "malformed") for n in (3, 4, 5))]
    assert items(upload) == found


def test_a_part_has_a_limit_of_faults() -> None:
    """After the limit nothing is parsed, and the result says so; the unparsed records can be downloaded."""
    faulty = [f'{{"tgn": {n}}}' for n in range(2, 10_002)]
    upload = stored("\n".join([samples.as_json().decode().strip(), *faulty]))
    assert [getattr(part_of(upload), name) for name in ("records", "stored", "malformed")] == [1002, 1, 1001]
    last = results_of(upload, after=1000)[0]
    assert (last.finding.reason, last.finding.values) == ("too-many-faults", {"number": 1000})
    assert "".join(failed_records(upload)).split("\n")[:-1] == faulty


@pytest.mark.storage
def test_a_comment_is_stored_with_all_its_characters() -> None:
    characters = [*range(1, 9), *range(0xE, 0x1B), 0x7F, 0xFEFF, 0x202E, 0xFFFF]
    comment = "".join(map(chr, characters)) + '[TGN "1"] {'
    deal = deal_of(samples.ANNOTATED.replace("B pass", f"B pass {{ {comment} }}", 1))
    assert [comment] in deal.record.comments.values()
    assert read_one(deal.canonical) == deal.record


class Killed(BaseException):
    """An exception that ends a worker at once: our code doesn't catch it."""


AWAY = OperationalError("server closed the connection")


def refuse_the_deal_number_13(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the database refuse the row of a deal with this number."""
    real = contribution_data._deal_number
    monkeypatch.setattr(contribution_data, "_deal_number", lambda text: 2**70 if text == "13" else real(text))


def test_a_fault_in_packing_or_preparing_marks_its_record_alone(monkeypatch) -> None:
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
    assert outcomes(store(upload)) == ["stored", "stored", "malformed", *["stored"] * 5, "known"]
    from_record = intake.from_record

    def tell(record: Record, **options: bool) -> ContributionData:
        return from_record(record, **options) if record.tags.get("Date") != "1999-01-01" else 1 // 0

    monkeypatch.setattr(intake, "from_record", tell)
    upload = stored(samples.dealt(11), samples.dealt(12, Date="1999-01-01"), samples.dealt(13))
    assert outcomes(upload) == ["stored", "failed", "stored"]


@pytest.mark.parametrize(("form", "step"), [("tgn", "text:Reader.findings"), ("json", "jsonform:interpret")])
def test_a_fault_in_reading_marks_its_record_alone(form: str, step: str, caplog) -> None:
    number = next(number for *where, number in steps() if where == [form, step])
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
    assert outcomes(stored('{"tgn": 1}\n' * 10)) == ["failed"] * 5 + ["malformed"]


@pytest.mark.storage
def test_a_row_that_the_database_refuses_marks_its_record_alone(monkeypatch, ada) -> None:
    refuse_the_deal_number_13(monkeypatch)
    texts = [samples.dealt(seed, Deal="13" if seed == 11 else str(seed + 20)) for seed in range(30)]
    upload = stored(*texts)
    assert outcomes(upload) == ["failed" if seed == 11 else "stored" for seed in range(30)]
    assert (Deal.objects.count(), Contribution.objects.count(), Seat.objects.count()) == (29, 29, 116)
    assert part_of(upload).failed == 1
    # The same deal three times: the first can't be written, and nothing of it is left.
    upload = stored(*[samples.dealt(50, Deal=number) for number in ("13", "14", "14")], user=ada)
    assert outcomes(upload) == ["failed", "stored", "known"]
    assert [result.differs for result in results_of(upload)] == [(), (), ()]
    assert Contribution.objects.get(space__user=ada).number == 14


def test_an_engine_that_fails_is_no_verdict_and_a_known_deal_needs_none(monkeypatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(intake, "check", lambda record: 1 / 0)
        assert outcomes(stored(samples.dealt(1), samples.dealt(1))) == ["failed", "failed"]
    assert (Deal.objects.count(), Player.objects.count()) == (0, 0)
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
    assert (upload.is_finished, results_of(upload)) == (True, [])
    assert operation.count_faults() == progress_of(upload).failed == 1
    assert intake.store(pk) is None
    assert "given up" in caplog.text
    monkeypatch.undo()
    uploads.read_again(upload)
    assert outcomes(store(upload)) == ["stored"]
    assert (part_of(upload).error, operation.count_faults()) == ("", 0)
    settings.ARCHIVE_RETRY_SECONDS = 5
    delays = [conf.retry_delay(attempt).total_seconds() for attempt in (1, 2, 3, 4, 40)]
    assert delays == [5, 10, 20, 40, 3600]


def lose_the_claim() -> None:
    """As if the worker had not been heard of within its lease."""
    Part.objects.update(due_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.storage
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
    assert (outcomes(upload), part_of(upload).state) == (["stored", "stored"], "done")
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
    assert (part.state, part.claims, part.error, outcomes(upload)) == ("done", 2, "", ["stored"])


@pytest.mark.storage
def test_a_part_is_taken_once_and_not_at_all_when_it_is_done_or_given_up() -> None:
    pk = part_of(receive(samples.TAROKY)).pk
    part = claims.claim(Part, pk)
    assert (part.state, part.claims) == ("working", 1)
    assert timezone.now() < part.due_at <= timezone.now() + conf.lease()
    assert claims.claim(Part, pk) is None
    assert claims.claim(Part, 999999) is None
    lose_the_claim()
    again = claims.claim(Part, pk)
    assert again.claims == 2
    assert (claims.held(part).exists(), claims.held(again).exists()) == (False, True)
    for state in ("done", "failed"):
        Part.objects.update(state=state)
        assert claims.claim(Part, pk) is None
    # A clock that is behind the sender's does not matter.
    pk = part_of(receive(samples.dealt(1))).pk
    Part.objects.update(due_at=timezone.now() + timedelta(minutes=30))
    assert claims.claim(Part, pk).claims == 1
    Part.objects.update(state="waiting", due_at=timezone.now() + timedelta(seconds=3))
    assert claims.claim(Part, pk).claims == 2, "the sweeper's clock is ahead"
    Part.objects.update(due_at=timezone.now() + timedelta(days=1))
    assert claims.claim(Part, pk).claims == 3, "no lease is so long: the clock was put back"


def test_a_note_that_the_database_does_not_take_is_no_second_fault(monkeypatch, caplog) -> None:
    upload = receive(samples.TAROKY)
    monkeypatch.setattr(intake, "_read", Mock(side_effect=AWAY))
    monkeypatch.setattr(database, "retry_transient", Mock(side_effect=AWAY))
    assert (intake.store(part_of(upload).pk).claims, part_of(upload).state) == (1, "working")
    assert "could not take a note" in caplog.text


def test_a_note_waits_for_a_database_that_is_away(monkeypatch) -> None:
    """Without it the claim would stand until its lease is over."""
    upload = receive(samples.TAROKY)
    answers = iter([False, False, True])
    monkeypatch.setattr(intake, "_read", Mock(side_effect=AWAY))
    monkeypatch.setattr(database, "is_available", lambda: next(answers))
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    intake.store(part_of(upload).pk)
    part = part_of(upload)
    assert not list(answers), "it was tried until it responded"
    assert (part.state, part.claims) == ("waiting", 1)
    assert part.due_at <= timezone.now() + conf.retry_delay(1) - conf.GRACE


@pytest.mark.storage
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
