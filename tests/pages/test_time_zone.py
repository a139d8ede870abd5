"""Pages show times in the operator's zone; what programs read stays in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive import tokens
from archive.models import Contribution, Deal, Upload
from archive.publishing import webhooks
from archive.shown import ShownDeal
from archive.storing import spaces
from tests import samples
from tests.storing import shown, stored

pytestmark = pytest.mark.django_db

AT = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
THERE = "1 July 2026, 00:30 CEST"


@pytest.fixture
def deal(client: Client, settings: Any) -> ShownDeal:
    """A deal stored late in the evening, in a club that the visitor owns."""
    settings.PAGES_TIME_ZONE = ZoneInfo("Europe/Prague")
    owner = User.objects.create_user("ann", email="ann@example.org")
    client.force_login(owner)
    stored(samples.ANNOTATED, user=owner, space=spaces.found_club("Here", by=owner))
    Deal.objects.update(stored_at=AT, verified_at=AT)
    Upload.objects.update(received_at=AT)
    return shown(Deal.objects.get())


def test_pages_show_the_zone(client: Client, deal: ShownDeal) -> None:
    for address in (f"/deals/{deal.pk}/", "/uploads/"):
        page = client.get(address).content.decode()
        assert THERE in page, address
        assert f'datetime="{AT.isoformat()}"' in page


def test_pages_with_times_in_sentences_show_it_too(client: Client, deal: ShownDeal) -> None:
    owner = User.objects.get()
    tokens.make(owner, "a token")
    owner.tokens.update(made_at=AT)
    hook = webhooks.add(deal.contribution.space, "https://receiver.example/", by=owner)
    type(hook).objects.update(due_at=AT, failures=1)
    club = deal.contribution.space
    spaces.invite(club, by=owner)
    club.invitations.update(made_at=AT)
    for address in ("/accounts/token/", f"/clubs/{club.pk}/webhooks/", f"/clubs/{club.pk}/"):
        assert THERE in client.get(address).content.decode(), address


def test_what_programs_read_is_in_utc(client: Client, deal: ShownDeal) -> None:
    answer = client.get(f"/api/v1/deals/{deal.pk}").json()
    assert answer["stored_at"] == "2026-06-30T22:30:00Z"
    csv = client.get("/api/v1/deals?format=csv&fields=id,stored_at").getvalue().decode()
    assert "2026-06-30T22:30:00Z" in csv
    assert client.get("/api/v1/deals?until=2026-06-30").json()["results"]
    assert not client.get("/api/v1/deals?since=2026-07-01").json()["results"]
    assert Contribution.objects.filter(deal__stored_at__date="2026-06-30").exists()
