"""Checking again: changed verdicts are stored next to the former ones, unchanged ones leave no trace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.utils import timezone

import tarock
from archive import database
from archive.models import Campaign, Chunk, Contribution, Deal, FormerVerdict, Seat
from archive.reading import operation
from archive.reading.deals import past_verdicts
from archive.storing import campaigns, claims, intake
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.notation import read_one
from tests.support import samples
from tests.support.storing import deal_of, everything, outcomes, shown, stored

pytestmark = pytest.mark.django_db

TEXTS = [samples.TAROKY, samples.ILLEGAL_BID, *map(samples.dealt, range(5))]
OF_CAMPAIGNS = ("Campaign", "Chunk")


@pytest.fixture(autouse=True)
def small(monkeypatch) -> None:
    monkeypatch.setattr(campaigns, "CHUNK", 2)


@pytest.fixture
def outdated() -> None:
    """Seven deals whose stored answers are another engine's."""
    stored(*TEXTS)
    Deal.objects.update(engine_version="0", clauses="old")


POINTS = {"A": 100, "B": -100, "C": -100, "D": 100}
OTHER_SCORE = {"lines": (ScoreLine("taroky.game-points", POINTS, 1, (), ()),), "score": POINTS}


def figures(campaign: Campaign) -> tuple[str, int, int, int, int]:
    """State, deals checked, answers changed, errors in our own code, chunks to go."""
    told = operation.get_campaign(campaign.pk)
    return told.state, told.checked, told.changed, told.faulty, told.waiting


def run(campaign: Campaign) -> tuple[str, int, int, int, int]:
    """Verify all chunks that wait."""
    for pk in campaign.chunks.filter(state="waiting").values_list("pk", flat=True):
        campaigns.verify_chunk(pk)
    campaign.refresh_from_db()
    return figures(campaign)


def the_engine_says(monkeypatch, of: str, **other: Any) -> None:
    """From now on the engine answers otherwise on deals that it found `of`."""
    real = campaigns.check

    def check(record: Record) -> Check:
        found = real(record)
        return replace(found, **other) if found.verdict == of else found

    monkeypatch.setattr(campaigns, "check", check)


@pytest.mark.storage
def test_nothing_changes_and_nothing_is_written(ada) -> None:
    stored(*TEXTS, samples.DISPUTED, user=ada)
    before = everything(without=OF_CAMPAIGNS)
    campaign = campaigns.start(by=ada)
    assert run(campaign) == ("done", 7, 0, 0, 0)
    assert everything(without=OF_CAMPAIGNS) == before
    assert (campaign.started_by, campaign.engine_version) == (ada, tarock.__version__)
    assert campaign.finished_at >= campaign.started_at
    assert list(campaign.chunks.values_list("checked", flat=True)) == [2, 2, 2, 1]
    assert str(campaign) == f"campaign {campaign.pk}: done"


@pytest.mark.storage
def test_another_version_with_the_same_answers_writes_no_deal(monkeypatch) -> None:
    stored(*TEXTS)
    before = everything(without=OF_CAMPAIGNS)
    faulty = Deal.objects.order_by("pk")[1]
    monkeypatch.setattr(tarock, "__version__", "99.0")
    with monkeypatch.context() as broken:
        broken.setattr(campaigns, "read_one", lambda text: read_one(text if text != faulty.text else ""))
        assert run(campaigns.start(outdated_only=True))[1:4] == (7, 0, 1)
    assert everything(without=OF_CAMPAIGNS) == before
    for deal in Deal.objects.all():
        again = [("99.0", deal.verdict, deal.verdict)] if deal != faulty else []
        found = [(one.engine_version, one.verdict, one.before) for one in past_verdicts(shown(deal))]
        assert found == [*again, (deal.engine_version, deal.verdict, None)]
    assert run(campaigns.start(outdated_only=True)) == ("done", 1, 0, 0, 0), "what has not been checked by it"
    assert past_verdicts(shown(faulty))[0].engine_version == "99.0"
    assert run(campaigns.start(outdated_only=True)) == ("done", 0, 0, 0, 0)
    monkeypatch.setattr(tarock, "__version__", "99.1")
    assert run(campaigns.start(outdated_only=True, game="taroky"))[1] == 7


@pytest.mark.storage
def test_a_changed_score_judges_every_claim_anew(monkeypatch, ada, ben) -> None:
    stored(samples.TAROKY, user=ada)
    stored(samples.DISPUTED, user=ben)
    stored(samples.TAROKY.replace('[Score "A=105 B=-105 C=-105 D=105"]\n', ""))
    with monkeypatch.context() as other:
        the_engine_says(other, "verified", **OTHER_SCORE)
        assert run(campaigns.start())[2] == 1
    deal = shown(Deal.objects.get())
    assert (deal.verdict, deal.score, deal.lines) == ("verified", POINTS, OTHER_SCORE["lines"])
    found = list(Contribution.objects.values_list("verdict", flat=True))
    assert found == ["disputed", "verified", "verified"]
    assert sorted(Seat.objects.values_list("points", flat=True)) == [-100] * 6 + [100] * 6
    assert list(Seat.objects.filter(seat="A").values_list("points", flat=True)) == [100] * 3
    # The history compares each answer with the claim.
    run(campaigns.start())
    verdicts = {}
    for said in Contribution.objects.select_related("deal").exclude(claim=""):
        verdicts[said.claimed["A"]] = [one.verdict for one in past_verdicts(shown(said))]
        assert verdicts[said.claimed["A"]][0] == Contribution.objects.get(pk=said.pk).verdict
    assert verdicts == {105: ["verified", "disputed", "verified"], 100: ["disputed", "verified", "disputed"]}


@pytest.mark.storage
def test_a_changed_verdict_takes_the_points_away_and_gives_them_back(monkeypatch, ada, ben) -> None:
    stored(samples.TAROKY, user=ada)
    stored(samples.DISPUTED, user=ben)
    was = Deal.objects.get()
    illegal = intake.check(read_one(samples.ILLEGAL_BID))
    answer = {"verdict": "illegal", "lines": (), "score": None, "errors": illegal.errors, "facts": {}}
    with monkeypatch.context() as other:
        the_engine_says(other, "verified", **answer)
        assert run(campaigns.start())[2] == 1
    deal = shown(Deal.objects.get())
    assert (deal.verdict, deal.score, deal.declarer, deal.contract) == ("illegal", None, "", "")
    assert deal.finding.clause == illegal.error.clause
    assert set(Contribution.objects.values_list("verdict", flat=True)) == {"illegal"}
    assert set(Seat.objects.values_list("points", flat=True)) == {None}
    assert run(campaigns.start())[2] == 1
    deal = shown(Deal.objects.get())
    assert (deal.verdict, deal.score, deal.deal.sheet) == ("verified", samples.TAROKY_SCORE, was.sheet)
    assert (deal.declarer, deal.contract) == (was.declarer, was.contract)
    assert list(Contribution.objects.values_list("verdict", flat=True)) == ["verified", "disputed"]
    assert [one.verdict for one in past_verdicts(deal)] == ["verified", "illegal", "verified"]


def test_only_some_deals_and_none_that_come_in_later() -> None:
    stored(*TEXTS)
    Deal.objects.filter(pk=Deal.objects.order_by("pk")[3].pk).update(engine_version="0", clauses="old")
    assert run(campaigns.start(outdated_only=True)) == ("done", 1, 1, 0, 0)
    assert run(campaigns.start(game="troggu")) == ("done", 0, 0, 0, 0)
    assert run(campaigns.start(game="taroky"))[1] == 7
    campaign = campaigns.start()
    stored(samples.many(5, first=50))
    assert run(campaign)[1] <= 8


def test_a_few_here_and_now(outdated) -> None:
    some = list(Deal.objects.order_by("pk")[:3])
    assert campaigns.verify_now(some) == 3
    assert campaigns.verify_now(list(Deal.objects.filter(pk__in=[deal.pk for deal in some]))) == 0
    assert FormerVerdict.objects.count() == 3
    campaigns.verify_now(some)
    assert FormerVerdict.objects.count() == 3, "these answers were of before"


def test_a_few_messages_go_ahead_and_each_chunk_that_is_done_sends_the_next(
    messages, django_capture_on_commit_callbacks
) -> None:
    of_nothing = campaigns.start(by=AnonymousUser())
    assert (figures(of_nothing), of_nothing.started_by, messages) == (("done", 0, 0, 0, 0), None, [])
    stored(samples.many(20))
    with django_capture_on_commit_callbacks(execute=True):
        campaign = campaigns.start()
    chunks = list(campaign.chunks.values_list("pk", flat=True))
    assert messages == [("verify_chunk", chunks[:4], "bulk")]
    assert not campaigns.resume(campaign), "it runs"
    for pk in chunks[:2]:
        campaigns.verify_chunk(pk)
    assert [numbers for _, numbers, _ in messages[1:]] == [[chunks[4]], [chunks[5]]]
    assert campaigns.stop(campaign)
    assert not campaigns.stop(campaign), "it is stopped"
    assert [campaigns.verify_chunk(pk) for pk in chunks[2:]] == [None] * 8
    assert figures(campaign) == ("stopped", 4, 0, 0, 8)
    with django_capture_on_commit_callbacks(execute=True):
        assert campaigns.resume(campaign)
    assert messages[3:] == [("verify_chunk", chunks[6:], "bulk")], "those that had no message yet come first"
    assert run(campaign) == ("done", 20, 0, 0, 0)


def test_a_chunk_that_somebody_has_when_the_campaign_is_stopped_is_ended(monkeypatch, outdated) -> None:
    campaign = campaigns.start()
    real = campaigns._checked

    def stopping(deals: Any) -> Any:
        campaigns.stop(campaign)
        return real(deals)

    monkeypatch.setattr(campaigns, "_checked", stopping)
    assert run(campaign) == ("stopped", 2, 2, 0, 3)
    monkeypatch.undo()
    campaigns.resume(campaign)
    assert run(campaign) == ("done", 7, 7, 0, 0)


@pytest.mark.storage
def test_who_lost_a_chunk_and_comes_back_changes_nothing(outdated) -> None:
    campaign = campaigns.start()
    chunk = campaign.chunks.all()[0]
    held = claims.claim(Chunk, chunk.pk)
    done = campaigns._checked(list(Deal.objects.order_by("pk")[:2]))
    Chunk.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert campaigns.verify_chunk(chunk.pk).claims == 2
    before = everything()
    database.retry_transient(lambda: campaigns._write_chunk(held, done))
    assert everything() == before
    assert run(campaign) == ("done", 7, 7, 0, 0)


def test_a_fault_of_ours_is_noted_of_its_deal_and_no_other(monkeypatch, outdated) -> None:
    illegal = Deal.objects.get(verdict="illegal")
    real = campaigns.check

    def check(record: Record) -> Check:
        found = real(record)
        return 1 / 0 if found.verdict == "illegal" else found

    monkeypatch.setattr(campaigns, "check", check)
    campaign = campaigns.start()
    assert run(campaign) == ("done", 7, 6, 1, 0)
    faulty = campaign.chunks.get(faulty=1)
    assert f"deal {illegal.pk}:\nTraceback" in faulty.error
    assert "ZeroDivisionError" in faulty.error
    assert operation.count_faults() == 1
    illegal.refresh_from_db()
    assert (illegal.verdict, illegal.engine_version) == ("illegal", "0")
    # So is a stored text that cannot be read.
    monkeypatch.setattr(campaigns, "check", real)
    Deal.objects.filter(verdict="illegal").update(text="[TGN]")
    assert run(campaigns.start()) == ("done", 7, 0, 1, 0)


def test_a_chunk_that_fails_is_tried_again_and_then_given_up(monkeypatch, settings) -> None:
    settings.ARCHIVE_MAX_ATTEMPTS = 2
    stored(*TEXTS)
    campaign = campaigns.start()
    first, *others = campaign.chunks.values_list("pk", flat=True)
    with monkeypatch.context() as broken:
        broken.setattr(campaigns, "_checked", lambda deals: 1 / 0)
        for state in ("waiting", "failed"):
            campaigns.verify_chunk(first)
            chunk = Chunk.objects.get(pk=first)
            assert chunk.state == state
            assert "ZeroDivisionError" in chunk.error
            Chunk.objects.filter(pk=first).update(due_at=timezone.now())
    assert operation.count_faults() == 1
    campaigns.stop(campaign)
    campaigns.resume(campaign)
    assert operation.get_campaign(campaign.pk).waiting == 1 + len(others)
    assert run(campaign) == ("done", 7, 0, 0, 0)
    assert operation.count_faults() == 0
    # A database that is away costs a try.
    campaign = campaigns.start()
    with monkeypatch.context() as broken:
        broken.setattr(campaigns, "_write_chunk", Mock(side_effect=OperationalError("away")))
        campaigns.verify_chunk(campaign.chunks.all()[0].pk)
    assert campaign.chunks.all()[0].state == "waiting"
    Chunk.objects.update(due_at=timezone.now())
    assert run(campaign)[1] == 7


@pytest.mark.storage
def test_a_deal_of_which_reading_fills_in_more_is_known_again() -> None:
    unknown = re.sub(r"(?m)^deal talon .*$", "deal talon ? ? ? ? ? ?", samples.TAROKY)
    deal = deal_of(unknown)
    assert bytes(deal.deal.digest).hex() == read_one(unknown).digest
    # As an engine stored it that filled in less.
    Deal.objects.filter(pk=deal.pk).update(digest=b"\1" * 32, engine_version="1.1.0")
    assert campaigns.verify_now(list(Deal.objects.all())) == 1
    assert (outcomes(stored(unknown)), Deal.objects.count()) == (["known"], 1)
    # If both are stored, each stays as it is.
    Deal.objects.filter(pk=deal.pk).update(digest=b"\1" * 32)
    other = deal_of(unknown)
    campaigns.verify_now(list(Deal.objects.order_by("pk")))
    assert Deal.objects.get(pk=other.pk).digest == deal_of(unknown).deal.digest
    assert bytes(Deal.objects.get(pk=deal.pk).digest) == b"\1" * 32


def test_a_change_while_deals_are_read_is_not_confirmed() -> None:
    read = []

    def deals() -> Iterator[Deal]:
        read.append(timezone.now())
        yield from ()

    assert campaigns._checked(deals()).since <= read[0]
