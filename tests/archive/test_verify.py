"""Verification: a claim, an answer of the engine, one transaction; and what a fault of ours does."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

import tarock
from archive import selectors, services
from archive.models import Deal, ScoreLine, VerificationRun
from archive.services import claim, queue_verification, reverify, store_upload, sweep, verify
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def stored(text: str = samples.TAROKY) -> Deal:
    return store_upload(raw=text.encode()).items.get().deal


def written(deal: Deal) -> tuple:
    """All that a verification writes about a deal."""
    deal = Deal.objects.get(pk=deal.pk)
    return (
        deal.verdict,
        deal.score,
        deal.finding,
        deal.verified_at,
        [(line.pk, line.clause, line.points) for line in deal.score_lines.all()],
        [(seat.seat, seat.points) for seat in deal.seating.all()],
    )


@pytest.fixture
def broken_engine(monkeypatch):
    """An engine that raises; calling the fixture's value mends it."""
    real = services.check_entry

    def check(record, n=0):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(services, "check_entry", check)
    return lambda: monkeypatch.setattr(services, "check_entry", real)


def make_due(run: VerificationRun) -> None:
    VerificationRun.objects.filter(pk=run.pk).update(next_try_at=timezone.now() - timedelta(seconds=1))


# --- the four verdicts --------------------------------------------------------------------------------------


def test_a_verified_deal():
    deal = stored()
    run = verify(deal.pk)
    assert (run.state, run.verdict, run.score, run.finding) == (
        "done",
        "verified",
        samples.TAROKY_SCORE,
        None,
    )
    assert (run.attempts, run.engine_version) == (1, tarock.__version__)
    assert run.queued_at <= run.claimed_at <= run.finished_at

    deal = selectors.deal(deal.pk)
    assert deal.verdict == "verified"
    assert deal.score == samples.TAROKY_SCORE
    assert deal.finding is None
    assert deal.engine_version == tarock.__version__
    assert deal.verified_at == run.finished_at
    assert (deal.declarer, deal.contract) == ("A", deal.facts["contract"])
    assert deal.facts["partner"] == "D"
    assert sorted(deal.facts["card_points"].values()) == [10, 60]
    assert sorted(counting["points"] for counting in deal.countings) == [10, 60]
    assert {seat.seat: seat.points for seat in deal.seating.all()} == samples.TAROKY_SCORE


def test_the_score_sheet_is_kept_line_by_line():
    deal = stored()
    run = verify(deal.pk)
    lines = list(deal.score_lines.all())
    assert [line.position for line in lines] == list(range(len(lines)))
    assert {line.run_id for line in lines} == {run.pk}
    by_clause = {line.clause: line.points["A"] for line in lines if any(line.points.values())}
    assert sorted(by_clause.values()) == [-5, 5, 25, 80]
    assert by_clause["taroky.game"] == 25
    totals = {seat: sum(line.points.get(seat, 0) for line in lines) for seat in "ABCD"}
    assert totals == samples.TAROKY_SCORE
    assert all(line.reckoning for line in lines)


def test_a_disputed_deal_keeps_claim_and_result_apart():
    deal = stored(samples.DISPUTED)
    assert verify(deal.pk).verdict == "disputed"
    deal.refresh_from_db()
    assert deal.claim == {"A": 100, "B": -100, "C": -100, "D": 100}
    assert deal.score == samples.TAROKY_SCORE
    assert {seat.seat: seat.points for seat in deal.seating.all()} == samples.TAROKY_SCORE


def test_an_illegal_deal_has_a_finding_and_no_score():
    deal = stored(samples.ILLEGAL)
    run = verify(deal.pk)
    assert (run.state, run.verdict, run.traceback) == ("done", "illegal", "")
    deal.refresh_from_db()
    assert (deal.finding["event"], deal.finding["seat"], deal.finding["clause"]) == (1, "C", "common.turn")
    assert run.finding == deal.finding
    assert deal.score is None
    assert not deal.score_lines.exists()
    assert {seat.points for seat in deal.seating.all()} == {None}


def test_an_incomplete_deal():
    deal = stored(samples.INCOMPLETE)
    assert verify(deal.pk).verdict == "incomplete"
    deal.refresh_from_db()
    assert (deal.verdict, deal.score) == ("incomplete", None)


def test_a_verification_takes_few_queries(django_assert_max_num_queries):
    deal = stored()
    with django_assert_max_num_queries(14):
        verify(deal.pk)


# --- claims -------------------------------------------------------------------------------------------------


def test_a_run_is_claimed_once():
    run = stored().runs.get()
    assert claim(run.pk)
    assert not claim(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("running", 1)
    assert run.claimed_at is not None


def test_a_claim_goes_by_the_attempt_that_was_seen():
    run = stored().runs.get()
    assert not claim(run.pk, attempt=2)
    assert claim(run.pk, attempt=1)


def test_verifying_twice_writes_once():
    deal = stored()
    verify(deal.pk)
    before = written(deal)
    assert verify(deal.pk) is None
    assert written(deal) == before
    assert deal.runs.count() == 1


def test_a_deal_in_other_hands_is_left_alone():
    deal = stored()
    assert claim(deal.runs.get().pk)
    assert verify(deal.pk) is None
    deal.refresh_from_db()
    assert deal.is_pending


def test_nothing_is_written_under_a_claim_that_was_lost(monkeypatch):
    """While one worker thinks, its lease ends, the sweeper gives the run to another, which finishes."""
    deal = stored()
    real = services.check_entry
    seen = {}

    def slow(record, n=0):
        monkeypatch.setattr(services, "check_entry", real)
        VerificationRun.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
        assert sweep().lost == 1
        assert verify(deal.pk).state == "done"
        seen["written"] = written(deal)
        return replace(real(record), verdict="disputed")

    monkeypatch.setattr(services, "check_entry", slow)
    assert verify(deal.pk) is None
    assert written(deal) == seen["written"]
    assert deal.runs.get().attempts == 2


def test_a_failure_under_a_claim_that_was_lost_is_not_written_either(monkeypatch):
    deal = stored()
    real = services.check_entry

    def slow(record, n=0):
        monkeypatch.setattr(services, "check_entry", real)
        VerificationRun.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
        sweep()
        verify(deal.pk)
        raise ZeroDivisionError

    monkeypatch.setattr(services, "check_entry", slow)
    assert verify(deal.pk) is None
    assert (deal.runs.get().state, deal.runs.get().traceback) == ("done", "")


def test_a_deal_that_there_is_not():
    assert verify(12345) is None


# --- faults of ours -----------------------------------------------------------------------------------------


def test_a_fault_of_ours_is_a_failed_run_and_no_verdict(broken_engine):
    deal = stored()
    run = verify(deal.pk)
    assert (run.state, run.verdict, run.attempts) == ("failed", "", 1)
    assert "ZeroDivisionError: a fault of ours" in run.traceback
    assert "Traceback" in run.traceback
    deal.refresh_from_db()
    assert (deal.verdict, deal.finding, deal.verified_at) == ("", None, None)
    assert not selectors.history(deal).exists(), "visitors are shown no failed run"
    assert list(selectors.failed_runs()) == [run]


def test_the_next_try_comes_later_each_time_and_after_the_last_none(broken_engine, settings):
    settings.ARCHIVE_RETRY_SECONDS = 30
    settings.ARCHIVE_MAX_ATTEMPTS = 4
    deal = stored()
    for attempt, wait in enumerate([30, 60, 120], start=1):
        run = verify(deal.pk)
        assert run.attempts == attempt
        assert run.next_try_at - run.finished_at == timedelta(seconds=wait)
        assert verify(deal.pk) is None, "not before its time"
        assert sweep().retried == 0
        make_due(run)
    run = verify(deal.pk)
    assert (run.state, run.attempts, run.next_try_at) == ("failed", 4, None)
    assert verify(deal.pk) is None
    assert sweep() == services.Sweep(lost=0, given_up=0, retried=0, resent=0, added=0)
    assert list(selectors.failed_runs()) == [run]


def test_the_sweeper_queues_a_failed_run_when_its_time_has_come(broken_engine):
    deal = stored()
    run = verify(deal.pk)
    make_due(run)
    assert sweep().retried == 1
    run.refresh_from_db()
    assert (run.state, run.next_try_at) == ("queued", None)
    broken_engine()
    assert verify(deal.pk).verdict == "verified"
    run.refresh_from_db()
    assert run.attempts == 2
    assert "ZeroDivisionError" in run.traceback, "the operator still sees what happened before"
    assert not selectors.failed_runs().exists()


def test_a_new_engine_version_gets_its_own_tries(broken_engine, settings, monkeypatch):
    settings.ARCHIVE_MAX_ATTEMPTS = 1
    deal = stored()
    assert verify(deal.pk).next_try_at is None
    assert sweep().added == 0
    monkeypatch.setattr(tarock, "__version__", "99.0")
    broken_engine()
    assert sweep().added == 1
    assert verify(deal.pk).verdict == "verified"
    deal.refresh_from_db()
    assert deal.engine_version == "99.0"
    assert [run.state for run in selectors.runs_of(deal)] == ["done", "failed"]


def test_a_fault_while_writing_leaves_nothing_half_written(monkeypatch):
    deal = stored()
    real = services.check_entry
    monkeypatch.setattr(
        services, "check_entry", lambda record: replace(real(record), facts={"contract": object()})
    )
    run = verify(deal.pk)
    assert run.state == "failed"
    assert "TypeError" in run.traceback
    assert written(deal)[:2] == ("", None)
    assert not ScoreLine.objects.exists()


def test_a_stored_record_that_can_no_longer_be_read_is_a_fault_of_ours():
    deal = stored()
    Deal.objects.update(text="[TGN]")
    assert verify(deal.pk).state == "failed"
    deal.refresh_from_db()
    assert deal.is_pending


def test_nul_in_a_traceback(monkeypatch):
    def check(record):
        raise ValueError("a\0b\ud800")

    monkeypatch.setattr(services, "check_entry", check)
    assert "a\ufffdb" in verify(stored().pk).traceback


# --- anew ---------------------------------------------------------------------------------------------------


def test_verifying_anew_keeps_the_history_and_shows_the_change(monkeypatch):
    deal = stored()
    verify(deal.pk)
    assert reverify() == 1
    deal.refresh_from_db()
    assert deal.verdict == "verified", "the verdict of before stands until the new one is there"
    assert deal.score_lines.exists()

    monkeypatch.setattr(tarock, "__version__", "2.0")
    real = services.check_entry
    illegal = services.check_entry(services.read(samples.ILLEGAL)[0])
    monkeypatch.setattr(services, "check_entry", lambda record: illegal)
    verify(deal.pk)
    deal.refresh_from_db()
    assert (deal.verdict, deal.score, deal.engine_version) == ("illegal", None, "2.0")
    assert not deal.score_lines.exists()
    assert {seat.points for seat in deal.seating.all()} == {None}

    monkeypatch.setattr(services, "check_entry", real)
    reverify(Deal.objects.filter(game="taroky"))
    verify(deal.pk)
    history = [(run.verdict, run.previous_verdict) for run in selectors.history(deal)]
    assert history == [("verified", "illegal"), ("illegal", "verified"), ("verified", None)]
    assert [run.engine_version for run in selectors.history(deal)][1:] == ["2.0", "1.0.0"]
    assert {line.run.pk for line in deal.score_lines.all()} == {selectors.history(deal).first().pk}


def test_only_outdated_verdicts_anew(monkeypatch):
    old, new = stored(), stored(samples.ILLEGAL)
    verify(old.pk)
    monkeypatch.setattr(tarock, "__version__", "2.0")
    verify(new.pk)
    assert reverify(outdated_only=True) == 1
    assert VerificationRun.objects.get(state="queued").deal == old


def test_verifying_anew_adds_no_second_run_to_an_open_one(broken_engine):
    waiting, failed = stored(), stored(samples.ILLEGAL)
    verify(failed.pk)
    assert reverify() == 2
    assert waiting.runs.count() == 1
    run = failed.runs.get()
    assert (run.state, run.next_try_at) == ("queued", None), "the failed one is brought forward"


def test_a_run_that_was_given_up_is_followed_by_a_new_one(broken_engine, settings):
    settings.ARCHIVE_MAX_ATTEMPTS = 1
    deal = stored()
    verify(deal.pk)
    assert reverify() == 1
    broken_engine()
    assert verify(deal.pk).verdict == "verified"
    assert [run.state for run in selectors.runs_of(deal)] == ["done", "failed"]


def test_queueing_deals_that_there_are_not():
    assert queue_verification([98765]) == 0
    assert queue_verification([]) == 0


# --- the sweeper --------------------------------------------------------------------------------------------


def test_a_lost_claim_is_taken_back_after_its_lease(settings):
    settings.ARCHIVE_LEASE_SECONDS = 100
    deal = stored()
    run = deal.runs.get()
    claim(run.pk)
    now = timezone.now()
    assert sweep(now + timedelta(seconds=95)).lost == 0
    assert sweep(now + timedelta(seconds=105)).lost == 1
    assert verify(deal.pk).attempts == 2


def test_a_record_that_kills_every_worker_is_given_up(settings):
    settings.ARCHIVE_MAX_ATTEMPTS = 2
    run = stored().runs.get()
    later = timezone.now() + timedelta(days=1)
    claim(run.pk)
    assert sweep(later).lost == 1
    claim(run.pk)
    assert sweep(later).given_up == 1
    run.refresh_from_db()
    assert (run.state, run.next_try_at) == ("failed", None)
    assert "lost" in run.traceback


def test_a_lost_message_is_sent_again(settings, monkeypatch, django_capture_on_commit_callbacks):
    settings.ARCHIVE_SWEEP_AFTER = 60
    sent = []
    monkeypatch.setattr(services, "_send", sent.append)
    deal = stored()
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep().resent == 0
    assert sent == []
    VerificationRun.objects.update(queued_at=F("queued_at") - timedelta(seconds=61))
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep().resent == 1
    assert sent == [[deal.pk]]
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep().resent == 0, "it waits anew"


def test_a_deal_without_any_run_gets_one():
    deal = stored()
    VerificationRun.objects.all().delete()
    assert sweep().added == 1
    assert sweep().added == 0
    assert verify(deal.pk).verdict == "verified"
    assert sweep() == services.Sweep(lost=0, given_up=0, retried=0, resent=0, added=0)


def test_a_broker_that_is_away_does_not_lose_the_upload(
    settings, monkeypatch, django_capture_on_commit_callbacks
):
    from archive.tasks import verify_deal

    def away(*args, **kwargs):
        raise ConnectionError("nobody there")

    monkeypatch.setattr(verify_deal, "apply_async", away)
    with django_capture_on_commit_callbacks(execute=True):
        deal = stored()
    assert deal.runs.get().state == "queued"
