"""What the database itself refuses, whoever writes."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from archive.models import Deal, Player, Seat, UploadItem, VerificationRun
from archive.services import store_upload
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def deal():
    return store_upload(raw=samples.TAROKY.encode()).items.get().deal


def refused(write) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write()


def test_an_unknown_verdict(deal):
    refused(lambda: Deal.objects.update(verdict="fine", verified_at=timezone.now()))


def test_a_verdict_without_its_time_and_a_time_without_a_verdict(deal):
    refused(lambda: Deal.objects.update(verdict="illegal"))
    refused(lambda: Deal.objects.update(verified_at=timezone.now()))


def test_a_score_on_a_deal_that_has_none(deal):
    refused(lambda: Deal.objects.update(verdict="illegal", verified_at=timezone.now(), score={"A": 1}))


def test_a_digest_twice(deal):
    def again():
        deal.pk = None
        deal.save(force_insert=True)

    refused(again)


def test_a_seat_twice(deal):
    refused(lambda: Seat.objects.create(deal=deal, seat="A", player=Player.objects.first()))


def test_a_player_twice(deal):
    refused(lambda: Player.objects.create(name="Alena"))


def test_two_open_runs_of_one_deal(deal):
    refused(lambda: VerificationRun.objects.create(deal=deal))
    refused(lambda: VerificationRun.objects.create(deal=deal, state="running"))
    refused(lambda: VerificationRun.objects.create(deal=deal, state="failed", next_try_at=timezone.now()))
    VerificationRun.objects.create(deal=deal, state="failed")  # given up: not open


def test_a_failed_run_with_a_verdict_and_a_done_one_without(deal):
    refused(lambda: VerificationRun.objects.update(state="failed", verdict="illegal"))
    refused(lambda: VerificationRun.objects.update(state="done", verdict=""))


def test_an_unknown_state_and_outcome(deal):
    refused(lambda: VerificationRun.objects.update(state="lost"))
    refused(lambda: UploadItem.objects.update(outcome="eaten"))


def test_a_malformed_item_with_a_deal(deal):
    refused(lambda: UploadItem.objects.update(outcome="malformed"))


def test_names_of_things(deal):
    assert str(deal) == f"deal {deal.pk} (taroky, pending)"
    assert str(deal.runs.get()) == f"run {deal.runs.get().pk} of deal {deal.pk}: queued"
    assert str(deal.seating.first()) == "A Alena"
    assert str(deal.session) == "2026-11-20 table 2"
    assert str(deal.upload.items.get()) == f"record 1 of upload {deal.upload.pk}: stored"
    assert str(deal.upload).startswith(f"upload {deal.upload.pk} (upload page, ")
