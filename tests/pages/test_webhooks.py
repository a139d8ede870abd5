"""The page of webhooks: adding one, what it shows of it, sending again, ending it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive.models import Delivery, Member, Space, Webhook
from archive.publishing import webhooks
from archive.storing import spaces
from tests.pages.conftest import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client: Client) -> Client:
    client.force_login(User.objects.create_user("alena"))
    return client


@pytest.fixture
def club(owner: Client) -> Space:
    return spaces.found_club("Tarok", by=User.objects.get())


def test_a_webhook_of_a_club(owner: Client, club: Space) -> None:
    here = f"/clubs/{club.pk}/webhooks/"
    assert "There are no webhooks yet." in Page(owner.get(here).content.decode()).text
    answer = owner.post(here, {"action": "add", "url": " https://receiver.example/hook "}, follow=True)
    text = Page(answer.content.decode()).text
    made = Webhook.objects.get(space=club)
    assert made.url == "https://receiver.example/hook"
    assert "Everything has been sent." in text
    assert webhooks.secret(made) in text
    Delivery.objects.create(webhook=made, after=0, last=7, number=3, status=503, response="<b>busy", took=12)
    Webhook.objects.update(failures=2, due_at=timezone.now())
    html = owner.get(here).content.decode()
    assert "The last message was not accepted." in Page(html).text
    assert "503 <b>busy" in Page(html).text
    owner.post(here, {"action": "start", "number": made.pk})
    assert Webhook.objects.get().failures == 0
    owner.post(here, {"action": "end", "number": made.pk})
    assert not Webhook.objects.exists()
    assert owner.post(here, {"action": "end", "number": made.pk}).status_code == 404


def test_ones_own(owner: Client) -> None:
    answer = owner.post("/accounts/webhooks/", {"action": "add", "url": "https://a.example/"})
    assert answer["Location"] == "/accounts/webhooks/"
    assert Webhook.objects.get().space == spaces.own(User.objects.get())


@pytest.mark.parametrize(
    "url", ["", "http://a.example/", "https://u:p@a.example/", "https://a.example/" + 500 * "x"]
)
def test_an_address_that_is_none_is_shown_again(owner: Client, url: str) -> None:
    answer = owner.post("/accounts/webhooks/", {"action": "add", "url": url})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "Enter a full URL that begins with https://" in Page(page).text
    assert f'value="{url}"' in page
    assert not Webhook.objects.exists()


def test_nobody_ends_anothers(owner: Client, club: Space) -> None:
    made = webhooks.add(club, "https://a.example/", by=User.objects.get())
    answer = owner.post("/accounts/webhooks/", {"action": "end", "number": made.pk})
    assert answer.status_code == 404
    other = Client()
    other.force_login(User.objects.create_user("borek"))
    assert other.post(f"/clubs/{club.pk}/webhooks/", {"action": "end", "number": made.pk}).status_code == 404
    assert Webhook.objects.exists()


def test_a_webhook_of_another_owner(owner: Client, club: Space) -> None:
    here = f"/clubs/{club.pk}/webhooks/"
    borek = User.objects.create_user("borek")
    member = Member.objects.create(space=club, user=borek, role="owner")
    made = webhooks.add(club, "https://hooks.example/services/hidden-word", by=borek)
    Delivery.objects.create(
        webhook=made, after=0, last=7, number=3, status=503, response="busy-word", took=12
    )
    secret = webhooks.secret(made)
    spaces.set_role(member, "member")
    html = owner.get(here).content.decode()
    text = Page(html).text
    assert "Owner: borek" in text
    assert "the owner of this webhook is no longer an owner of the club" in text
    assert "https://hooks.example/…" in text
    assert not [word for word in ("hidden-word", "busy-word", secret) if word in html]
    assert "Send again now" not in text
    owner.post(here, {"action": "start", "number": made.pk})
    assert Webhook.objects.get().reason == "owner_left"
    wrong = owner.post(here, {"action": "adopt", "number": made.pk, "url": "http://a.example/"})
    assert wrong.status_code == 400
    html = wrong.content.decode()
    assert html.count("Enter a full URL that begins with https://") == 1
    assert f'aria-describedby="id_url-{made.pk}_error"' in html
    owner.post(here, {"action": "adopt", "number": made.pk, "url": "https://own.example/hook"})
    text = Page(owner.get(here).content.decode()).text
    assert "Owner: alena" in text
    assert "https://own.example/hook" in text
    assert webhooks.secret(Webhook.objects.get()) in text
    assert secret not in text
