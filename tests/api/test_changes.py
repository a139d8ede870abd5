"""The feed of changes and webhooks over the API."""

import json
from typing import Any

import pytest

from archive.models import Contribution, Delivery, Member, Webhook
from archive.publishing import webhooks
from archive.storing import corrections, spaces
from tests.support import samples
from tests.support.storing import stored

from .conftest import JSON, ApiClient

pytestmark = pytest.mark.django_db

HOOK = "https://receiver.example/"


def post(client: ApiClient, path: str, body: Any = None) -> Any:
    """A sending of JSON, to a path below the API or to a URL."""
    data = json.dumps(body) if body is not None else ""
    path = path.partition("/api/v1/")[2] or path
    return client.send(data, JSON, path)


def test_who_follows_next_is_told_everything_once(reader, store, alena) -> None:
    for text in (samples.TAROKY, samples.TROGGU):
        store(text)
    first = reader.ask("changes", {"limit": 1}).json()
    assert [change["kind"] for change in first["changes"]] == ["stored"]
    assert first["more"] is True
    second = reader.get(first["next"]).json()
    assert (second["more"], len(second["changes"])) == (False, 1)
    assert reader.get(second["changes"][0]["url"]).status_code == 200
    assert reader.get(second["next"]).json()["changes"] == []
    said = Contribution.objects.order_by("pk").first()
    corrections.set_visibility(said, "withdrawn", by=alena)
    (change,) = reader.get(second["next"]).json()["changes"]
    assert (change["kind"], change["deal"], change["url"]) == ("withdrawn", str(said.key), None)


def test_a_club_alone(reader, writer, alena) -> None:
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    stored(samples.TAROKY, user=alena)
    assert writer.send(samples.TROGGU, path=f"deals?club={club.pk}").status_code in (201, 202)
    of_club = {"club": club.pk}
    assert [one["game"] for one in writer.ask("changes", of_club).json()["changes"]] == ["troggu"]
    assert reader.ask("changes", of_club).json()["changes"] == []
    # A new club changes what there is in the whole feed, but not in that of the first one.
    following = [writer.ask("changes", query).json()["next"] for query in ({}, of_club)]
    spaces.found_club("Second", by=alena)
    found = [writer.get(address).json() for address in following]
    assert [(one["reset"], one["last"] == 0) for one in found] == [(True, True), (False, False)]


def test_nothing_tells_of_hidden_changes(reader, stranger, store, alena, borek) -> None:
    """Neither the body nor the ETag of a feed, nor a webhook of another space."""
    store(samples.TAROKY)
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    post(stranger, "webhooks", {"url": HOOK})
    paths = ("changes", "changes?after=100000", "changes?limit=1", "webhooks")
    clients = [(client, path) for client in (reader, stranger) for path in paths]
    before = [client.ask(path) for client, path in clients]
    stored(samples.TROGGU, samples.dealt(1), user=alena, space=club, visibility="members")
    corrections.set_visibility(Contribution.objects.filter(space=club)[0], "unlisted", by=alena)
    webhooks.Dispatcher().start_due()
    for (client, path), earlier in zip(clients, before, strict=True):
        now = client.ask(path)
        assert now.content == earlier.content, path
        assert now.get("ETag") == earlier.get("ETag"), path


def test_a_webhook_from_beginning_to_end(writer, stranger, alena) -> None:
    club = spaces.found_club("Tarok", by=alena)
    made = post(writer, "webhooks", {"url": f"{HOOK}hook", "club": club.pk})
    body = made.json()
    here = body["links"]["self"]
    assert (made.status_code, made["Location"], body["url"]) == (201, here, f"{HOOK}hook")
    assert body["secret"].startswith("whsec_")
    facts = [body[name] for name in ("club", "club_name", "failures", "stopped_at")]
    assert facts == [club.pk, "Tarok", 0, None]
    assert post(writer, "webhooks", {"url": "https://receiver.example/own"}).json()["club"] is None
    assert len(writer.ask("webhooks").json()["webhooks"]) == 2
    assert stranger.ask("webhooks").json()["webhooks"] == []
    assert writer.get(here).json()["deliveries"] == []
    Webhook.objects.filter(pk=body["webhook"]).update(failures=3)
    assert post(stranger, f"webhooks/{body['webhook']}/start").status_code == 404
    assert writer.post(body["links"]["start"]).json()["failures"] == 0
    assert stranger.delete(here).status_code == 404
    assert writer.delete(here).status_code == 204
    assert writer.get(here).status_code == 404


def test_what_is_wrong_with_a_webhook_is_said(writer, stranger, alena, borek) -> None:
    club = spaces.found_club("Tarok", by=alena)
    for body, field in (
        ({}, "url"),
        ({"url": "http://receiver.example/"}, "url"),
        ({"url": "https://a.example/", "club": 999999}, "club"),
        ({"url": "https://a.example/", "address": 1}, "address"),
    ):
        answer = post(writer, "webhooks", body)
        assert (answer.status_code, answer.json()["where"]["field"]) == (400, field)
    Member.objects.create(space=club, user=borek, role="secretary")  # whom no change of the club is sent
    assert post(stranger, "webhooks", {"url": "https://a.example/", "club": club.pk}).status_code == 400


def test_a_webhook_of_another_owner(writer, stranger, alena, borek) -> None:
    """Its secret, its path and its log are its owner's; the other owners can delete it or take it over."""
    club = spaces.found_club("Tarok", by=alena)
    member = Member.objects.create(space=club, user=borek, role="owner")
    url = "https://hooks.example/services/secret-of-ben"
    made = post(stranger, "webhooks", {"url": url, "club": club.pk}).json()
    webhook = Webhook.objects.get()
    for last, status in ((3, 200), (5, 299), (7, 300)):
        sent = {"after": last - 1, "last": last, "number": 1, "status": status, "took": 1}
        Delivery.objects.create(webhook=webhook, response="token", **sent)
    here, start, adopt = (made["links"][name] for name in ("self", "start", "adopt"))
    seen = stranger.get(here).json()
    assert (seen["deliveries"][0]["response"], seen["after"]) == ("token", 5), "the last one accepted"
    assert (made["owner"], made["url"], made["stopped"]) == (borek.username, url, None)
    spaces.leave(member)
    assert stranger.get(here).status_code == 404
    seen = writer.get(here)
    body = seen.json()
    assert (body["url"], body["owner"], body["deliveries"]) == ("https://hooks.example/…", borek.username, [])
    assert body["stopped"] == "owner_left"
    assert body["stopped_at"] is not None
    assert "secret" not in seen.content.decode()
    refused = writer.post(start)
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    assert post(writer, adopt, {"url": "http://a.example/"}).status_code == 400
    taken = post(writer, adopt, {"url": "https://own.example/"}).json()
    assert (taken["owner"], taken["url"], taken["stopped"]) == (alena.username, "https://own.example/", None)
    assert taken["secret"].startswith("whsec_")
    assert taken["secret"] != made["secret"]
    assert writer.post(start).status_code == 200
