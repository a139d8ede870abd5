"""Storing a part: every column of each verdict, once and as a whole, and at what cost."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.utils import timezone

import tarock
from archive.models import Contribution, Deal, Part, Player, Seat, Session, UploadItem
from archive.reading import operation
from archive.reading.uploads import failed_records, results_of
from archive.storing import contribution_data, intake, uploads
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.notation import read_one
from tests import samples
from tests.storing import (
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

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


# --- what is stored -----------------------------------------------------------------------------------------


def test_a_verified_deal_and_all_that_its_sender_said(ada) -> None:
    before = timezone.now()
    upload = stored(samples.PLACED, user=ada)
    deal = shown(Deal.objects.get())
    record = read_one(samples.PLACED)
    assert deal.hex_digest == record.digest
    assert (deal.game, deal.deal.players_count, deal.deal.dealer) == ("taroky", 4, "D")
    assert (deal.declarer, deal.contract, deal.verdict) == ("A", deal.checked.facts["contract"], "verified")
    assert deal.engine_version == tarock.__version__
    assert before <= deal.stored_at == deal.verified_at <= timezone.now()
    assert [line.clause for line in deal.lines] == [
        word.partition("=")[0] for word in deal.deal.clauses.split()
    ]
    assert deal.lines == deal.checked.lines
    assert sum(line.points["A"] for line in deal.lines) == 105
    assert deal.score == samples.TAROKY_SCORE
    assert deal.finding is None
    bare = read_one(deal.deal.text)
    assert bare.players == {"A": "A", "B": "B", "C": "C", "D": "D"}
    assert (bare.tags, bare.score, bare.comments) == ({}, None, {})
    assert bare.digest == record.digest

    lead = deal.contribution
    assert lead == Contribution.objects.get()
    assert (lead.deal, lead.sender, lead.part, lead.n) == (deal.deal, ada, part_of(upload), 0)
    assert lead.verdict == "verified"
    assert (lead.session.name, lead.number) == ("2026-11-20 table 2", 7)
    assert (lead.date, lead.played_on) == ("2026-11-20", date(2026, 11, 20))
    assert (lead.event, lead.site) == ("Hlučín club evening", "Hlučín")
    assert lead.claim == "A=105 B=-105 C=-105 D=105"
    assert lead.claimed == samples.TAROKY_SCORE
    assert (lead.tags, lead.comments) == ("", "")
    assert [(seat.seat, seat.player.name, seat.points) for seat in deal.seats] == [
        ("A", "Alena", 105),
        ("B", "Bořek", -105),
        ("C", "Cyril", -105),
        ("D", "Dana", 105),
    ]
    assert deal.record == record
    assert read_one(deal.canonical) == record
    assert [str(thing) for thing in (deal.deal, lead, lead.seats.all()[0])] == [
        f"deal {deal.pk} (taroky)",
        f"contribution {lead.pk} to deal {deal.pk}",
        "A Alena",
    ]


def test_what_is_noted_of_a_part_and_its_upload() -> None:
    upload = stored(samples.TAROKY)
    part = part_of(upload)
    assert (part.state, part.claims, part.error) == ("done", 1, "")
    assert [getattr(part, name) for name in ("records", *Part.COUNTS)] == [1, 1, 0, 0, 0, 0]
    assert upload.accepted_at <= upload.finished_at <= timezone.now()
    item = UploadItem.objects.get()
    assert (item.n, item.last, item.outcome, item.line) == (0, 0, "stored", 1)
    assert (item.deal_id, item.differs, item.finding, item.error) == (Deal.objects.get().pk, "", "", "")
    assert str(item) == f"records 0 to 0 of part {part.pk}: stored"
    assert str(part) == f"part 0 of upload {upload.pk}: done"


@pytest.mark.parametrize(
    ("text", "verdict", "clause", "event"),
    [
        (samples.ILLEGAL_BID, "illegal", "taroky.bid-turn", 1),
        (samples.INCOMPLETE, "incomplete", None, None),
    ],
)
def test_a_deal_without_a_score(text: str, verdict: str, clause: str | None, event: int | None) -> None:
    deal = deal_of(text)
    assert (deal.verdict, deal.contribution.verdict, deal.score, deal.lines) == (verdict, verdict, None, ())
    assert [seat.points for seat in deal.seats] == [None] * 4
    assert deal.checked.verdict == verdict
    assert deal.finding.reason
    assert deal.finding.clause == deal.checked.error.clause
    assert deal.deal.clauses == (deal.checked.error.clause or "")
    assert deal.finding.line == deal.checked.error.line
    if event is not None:
        assert deal.finding.event == event
        assert deal.canonical.splitlines()[deal.finding.line - 1].startswith("C pass")
    assert deal.record == read_one(text)


def test_a_disputed_claim_is_the_senders_and_not_the_deals() -> None:
    deal = deal_of(samples.DISPUTED)
    assert (deal.verdict, deal.contribution.verdict) == ("verified", "disputed")
    assert deal.contribution.claimed == {"A": 100, "B": -100, "C": -100, "D": 100}
    assert deal.score == samples.TAROKY_SCORE


def test_a_record_that_only_json_can_hold() -> None:
    events = [["A", "bid", "first"], ["A", "play", "T1"], ["C", "play", "T2"], ["B", "play", "T3"]]
    deal = deal_of(samples.as_json(1, events=events).decode())
    assert deal.canonical is None
    assert deal.verdict == "illegal"
    assert [list(event) for event in deal.record.events] == events
    assert deal.finding.pointer


def test_tags_and_comments_are_kept_whole() -> None:
    text = samples.dealt(1, Event="e" * 300, Deal="007", Referee="Zoe \\\\u0000", Date="2026-??-??")
    text = text.replace("deal talon", "{ before the talon }\ndeal talon")
    deal = deal_of(text)
    assert deal.record == read_one(text)
    assert (deal.contribution.number, deal.contribution.event) == (None, "e" * 300)
    assert json.loads(deal.contribution.tags) == {"Deal": "007", "Referee": "Zoe \\u0000"}


@pytest.mark.parametrize(("number", "kept"), [("9" * 9, 999_999_999), ("1", 1), ("007", None)])
def test_the_number_of_a_deal(number: str, kept: int | None) -> None:
    deal = deal_of(samples.dealt(1, Deal=number))
    assert deal.contribution.number == kept
    assert deal.record.tags["Deal"] == number


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", date(2026, 11, 20)),
        ("2026-11-??", date(2026, 11, 1)),
        ("2026-??-??", date(2026, 1, 1)),
        ("????-??-??", None),
        ("2026-02-31", None),
        ("0000-01-01", None),
        ("2026-??-15", date(2026, 1, 15)),
        ("", None),
        ("yesterday", None),
    ],
)
def test_the_first_day_of_a_partly_known_date(text: str, day: date | None) -> None:
    assert contribution_data.first_day(text) == day


def test_players_and_sessions_are_found_again_by_name() -> None:
    stored(samples.many(3, Session="Table 1"))
    stored(samples.many(3, first=3, Session="Table 1"))
    stored(samples.dealt(9, players=("Ada", "Ben", "Ada", "Dov")))
    assert Player.objects.count() == 4
    assert Session.objects.get().contributions.count() == 6
    # Of the seventh deal nobody knows which seat is Ada's.
    assert Seat.objects.filter(player__name="Ada").count() == 6
    assert Seat.objects.filter(player=None, name="Ada").count() == 2


# --- the result ---------------------------------------------------------------------------------------------


def test_records_whose_deals_follow_one_another_share_a_row() -> None:
    many = samples.many(5).decode()
    upload = stored(many, samples.MALFORMED, samples.dealt(5), many, samples.dealt(6))
    assert items(upload) == [
        (0, 4, "stored"),
        (5, 5, "malformed"),
        (6, 6, "stored"),
        (7, 11, "known"),
        (12, 12, "stored"),
    ]
    first = Deal.objects.order_by("pk").values_list("pk", flat=True)[0]
    deals = [result.deal for result in results_of(upload)]
    assert deals == [*range(first, first + 5), None, first + 5, *range(first, first + 5), first + 6]
    part = part_of(upload)
    assert [getattr(part, name) for name in ("records", *Part.COUNTS)] == [13, 7, 5, 1, 0, 0]


def test_known_deals_in_another_order_have_rows_of_their_own() -> None:
    stored(samples.many(4))
    upload = stored(*[samples.dealt(seed) for seed in (2, 0, 1, 3)])
    assert items(upload) == [(0, 0, "known"), (1, 2, "known"), (3, 3, "known")]


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
    ]
    upload = stored(*texts)
    assert outcomes(upload) == ["stored", "malformed", "refused", "failed", "stored", "refused"]
    results = results_of(upload)
    begins = ["\n".join(texts[:n]).count("\n") + 1 + bool(n) for n in range(6)]
    card = samples.MALFORMED.split("\n").index("deal B SX SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3")
    assert [result.line for result in results] == [1, begins[1] + card, *begins[2:]]
    assert [result.finding and result.finding.reason for result in results] == [
        None, "not-in-pack", "name-too-long", None, None, "session-too-long",
    ]  # fmt: skip
    assert results[2].finding.values == {"found": 201, "limit": 200}
    failed = UploadItem.objects.get(outcome="failed")
    assert "ZeroDivisionError: ours" in failed.error
    assert part_of(upload).state == "done"
    assert upload.is_finished
    assert operation.count_faults() == 1


@pytest.mark.parametrize("name", ["A\0da", "A\ud800da"], ids=["NUL", "half a surrogate"])
def test_what_the_database_cannot_hold_is_not_kept(name: str) -> None:
    bad = samples.as_json(1, players={"A": name, "B": "Ben", "C": "Cleo", "D": "Dov"})
    upload = stored(bad, samples.as_json(2), samples.as_json(3, tags={"Referee": name}))
    assert outcomes(upload)[1] == "stored"
    assert {outcomes(upload)[0], outcomes(upload)[2]} <= {"refused", "malformed"}
    assert Deal.objects.count() == 1


def test_bytes_that_are_no_utf8_are_told_with_their_place() -> None:
    upload = stored(samples.TAROKY.encode().replace("Bořek".encode(), b"Bo\xf8ek"))
    (result,) = results_of(upload)
    assert (result.outcome, result.line) == ("malformed", 4)
    assert not Deal.objects.exists()


@pytest.mark.parametrize("raw", [b"", b" \n", b"\xef\xbb\xbf", b"[]"])
def test_an_upload_of_nothing_says_so(raw: bytes) -> None:
    upload = stored(raw)
    (result,) = results_of(upload)
    assert (result.outcome, result.finding.reason) == ("malformed", "nothing")
    assert upload.is_finished


# --- twice --------------------------------------------------------------------------------------------------

TEXTS = [
    samples.TAROKY,
    samples.ILLEGAL_BID,
    samples.MALFORMED,
    *map(samples.dealt, range(5)),
    samples.TAROKY,
]


@pytest.mark.parametrize("signed_in", [True, False])
def test_the_same_file_again_changes_nothing_but_the_result(signed_in: bool, ada) -> None:
    who = {"user": ada if signed_in else None}
    stored(*TEXTS, **who)
    before = everything(without=WHAT_IS_SENT)
    again = stored(*TEXTS, **who)
    assert everything(without=WHAT_IS_SENT) == before
    assert outcomes(again) == ["known"] * 2 + ["malformed"] + ["known"] * 6
    assert {result.differs for result in results_of(again)} == {()}


@pytest.mark.parametrize("signed_in", [True, False])
def test_the_same_part_again_changes_nothing(signed_in: bool, ada) -> None:
    stored(samples.dealt(3))
    upload = stored(*TEXTS, user=ada if signed_in else None)
    before, result = everything(without=WHAT_IS_SENT), items(upload)
    assert intake.store(part_of(upload).pk) is None
    uploads.read_again(upload)
    store(upload)
    assert everything(without=WHAT_IS_SENT) == before
    assert items(upload) == result


# --- cost ---------------------------------------------------------------------------------------------------


def test_three_hundred_records_in_few_queries(django_assert_max_num_queries) -> None:
    raw = samples.many(300, Session="A long evening")
    for _ in range(2):
        upload = receive(raw)
        with django_assert_max_num_queries(32):
            intake.store(part_of(upload).pk)
    assert Deal.objects.count() == 300
    assert Seat.objects.count() == 1200
    assert items(upload) == [(0, 299, "known")]


# --- many faulty records ------------------------------------------------------------------------------------


def test_faults_alike_in_a_row_share_a_row(monkeypatch) -> None:
    """Each record has its own result all the same; the place is that of the first."""
    monkeypatch.setattr(intake, "_MOST_PLACES", 1)
    upload = stored("[" + ",".join(["{}"] * 900) + "]")
    assert items(upload) == [(0, 899, "malformed")]
    found = results_of(upload, after=499, most=3)
    assert [(result.n, result.outcome) for result in found] == [(n, "malformed") for n in (500, 501, 502)]
    first = results_of(upload, most=1)[0]
    assert (first.finding.line, first.finding.column) == (1, 2)
    assert found[0].finding == first.finding.anywhere
    assert part_of(upload).malformed == 900


def test_the_first_faults_of_a_part_have_their_places() -> None:
    upload = stored("[" + ",".join(["{}"] * 900) + "]")
    assert items(upload)[98:] == [(98, 98, "malformed"), (99, 899, "malformed")]
    assert [result.finding.column for result in results_of(upload, most=3)] == [2, 5, 8]


def test_other_faults_and_good_records_between_have_rows_of_their_own(monkeypatch) -> None:
    monkeypatch.setattr(intake, "_MOST_PLACES", 1)
    upload = stored("{}\n{}\n", samples.as_json().decode(), "{}\n", '{"tgn": 2}\n{}\n')
    assert items(upload) == [
        (0, 1, "malformed"), (2, 2, "stored"), (3, 3, "malformed"), (4, 4, "malformed"), (5, 5, "malformed"),
    ]  # fmt: skip


def test_a_part_has_a_limit_of_faults() -> None:
    """After the limit nothing is parsed, and the result says so; the unparsed records can be downloaded."""
    faulty = [f'{{"tgn": {n}}}' for n in range(2, 90_000)]
    upload = stored("\n".join([samples.as_json().decode().strip(), *faulty[:10_000]]))
    part = part_of(upload)
    assert (part.records, part.stored, part.malformed) == (1002, 1, 1001)
    last = results_of(upload, after=1000)[0]
    assert (last.finding.reason, last.finding.values) == ("too-many-faults", {"number": 1000})
    assert "".join(failed_records(upload)).split("\n")[:-1] == faulty[:10_000]


def test_a_flood_of_tiny_records_takes_little_room() -> None:
    """Of 240 kB with 80,000 records as of 300 deals: some hundred rows."""
    upload = stored("[" + ",".join(["{}"] * 80_000) + "]")
    assert UploadItem.objects.filter(part__upload=upload).count() == 101


def test_a_comment_is_stored_with_all_its_characters() -> None:
    comment = (
        "".join(map(chr, [*range(1, 9), *range(0xE, 0x1B), 0x7F, 0xFEFF, 0x202E, 0xFFFF])) + '[TGN "1"] {'
    )
    deal = deal_of(samples.ANNOTATED.replace("B pass", f"B pass {{ {comment} }}", 1))
    assert [comment] in deal.record.comments.values()
    assert read_one(deal.canonical) == deal.record
