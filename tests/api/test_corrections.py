"""Correcting over the API: by who sent a deal and secretaries of its club, never by anybody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive.models import Contribution, Deal
from archive.reading import deals
from archive.storing import spaces
from tests import samples
from tests.storing import secret_of

from .conftest import JSON, TGN, ApiClient, Store
from .shape import assert_error

pytestmark = pytest.mark.django_db


def test_a_wrong_claim_is_corrected(writer: ApiClient, alena: User, store: Store) -> None:
    wrong = samples.TAROKY.replace("A=105 B=-105", "A=100 B=-100")
    deal = store(wrong, user=alena)
    assert deal.contribution.verdict == "disputed"
    answer = writer.send(samples.TAROKY, path=f"deals/{deal.pk}/correction")
    assert answer.status_code == 200
    assert answer.json() == {
        "deal": f"{deal.pk}-{deal.contribution.pk}",
        "url": f"http://testserver/api/v1/deals/{deal.pk}-{deal.contribution.pk}",
        "changed": ["claim"],
    }
    assert writer.ask(f"deals/{deal.pk}").json()["verdict"] == "verified"


def test_a_corrected_play_stands_in_the_place_of_the_former(
    writer: ApiClient, reader: ApiClient, alena: User, store: Store
) -> None:
    bad = store(samples.NOT_HELD, user=alena)
    answer = writer.send(samples.TAROKY, path=f"deals/{bad.pk}/correction")
    assert answer.status_code == 201, answer.content
    (result,) = answer.json()["results"]
    assert [row["id"] for row in reader.ask("deals").json()["results"]] == [result["id"]]
    assert Contribution.objects.get(deal=bad.pk).visibility == "replaced"
    assert reader.ask(f"deals/{bad.pk}").status_code == 200  # it is still to be read


def test_a_replaced_record_is_for_those_who_saw_it(
    writer: ApiClient, reader: ApiClient, alena: User, store: Store
) -> None:
    bad = store(samples.NOT_HELD, user=alena, visibility="members")
    pages = [
        f"/deals/{bad.pk}/",
        f"/deals/{bad.pk}/deal.tgn",
        f"/deals/{bad.pk}/replay/",
        f"/api/v1/deals/{bad.pk}",
    ]
    (result,) = writer.send(samples.TAROKY, path=f"deals/{bad.pk}/correction").json()["results"]
    assert (
        writer.send('{"visibility": "public"}', JSON, f"deals/{result['id']}/visibility").status_code == 200
    )
    assert reader.ask(f"deals/{result['id']}").status_code == 200
    assert [reader.get(page).status_code for page in pages] == [404] * 4
    assert writer.ask(f"deals/{bad.pk}").status_code == 200
    # The replaced record is corrected again: the correction is for the members, too.
    again = writer.send(samples.ILLEGAL_BID, path=f"deals/{bad.pk}/correction").json()["results"][0]
    assert Contribution.objects.get(deal=again["id"]).visibility == "members"


def test_a_correction_counts_for_the_quota_and_is_known_by_its_key(
    writer: ApiClient, alena: User, store: Store, settings: Any
) -> None:
    bad = store(samples.NOT_HELD, user=alena)
    path = f"deals/{bad.pk}/correction"
    first = writer.send(samples.TAROKY, path=path, HTTP_IDEMPOTENCY_KEY="one")
    assert first.status_code == 201
    again = writer.send(samples.TAROKY, path=path, HTTP_IDEMPOTENCY_KEY="one")
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["upload"] == first.json()["upload"]
    other = samples.TAROKY.replace("A pass", "A pass ", 1)
    assert_error(writer.send(other + "\n", path=path, HTTP_IDEMPOTENCY_KEY="one"), 422, "key_reused")
    settings.ARCHIVE_QUOTA_DEALS = 2  # the wrong record and the corrected one
    assert_error(writer.send(samples.BROKEN_OFF, path=path), 429, "throttled")
    assert Deal.objects.count() == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [("[TGN", 422, "malformed"), (samples.TAROKY * 2, 400, "bad_request"), ("", 422, "malformed")],
)
def test_what_is_no_record_corrects_nothing(
    writer: ApiClient, alena: User, store: Store, body: str, status: int, code: str
) -> None:
    deal = store(samples.TAROKY, user=alena)
    assert_error(writer.send(body, path=f"deals/{deal.pk}/correction"), status, code)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"2026-', '"2206-', "is in the future. Did you mean 2026-"),
        ('[A "Alena"]', '[A "Cyril "]', "two players are called Cyril"),
    ],
)
def test_a_correction_is_refused_with_namesakes_or_a_date_that_cannot_be(
    writer: ApiClient, alena: User, store: Store, old: str, new: str, reason: str
) -> None:
    deal = store(samples.TAROKY, user=alena)
    for body in (samples.TAROKY, samples.NOT_HELD):
        answer = writer.send(body.replace(old, new), path=f"deals/{deal.pk}/correction")
        assert_error(answer, 422, "refused")
        assert reason in answer.json()["detail"]
    assert Deal.objects.count() == 1


def test_who_may_see_a_deal_is_said_by_who_sent_it(
    writer: ApiClient, reader: ApiClient, stranger: ApiClient, alena: User, store: Store
) -> None:
    deal = store(samples.TAROKY, user=alena)
    path = f"deals/{deal.pk}/visibility"
    assert_error(reader.send(json.dumps({"visibility": "withdrawn"}), JSON, path), 401, "not_authenticated")
    assert_error(stranger.send(json.dumps({"visibility": "withdrawn"}), JSON, path), 403, "permission_denied")
    assert_error(writer.send(json.dumps({"visibility": "replaced"}), JSON, path), 400, "invalid_parameter")
    assert writer.send(json.dumps({"visibility": "members"}), JSON, path).json()["changed"] == ["visibility"]
    assert writer.send(json.dumps({"visibility": "members"}), JSON, path).json()["changed"] == []
    for client, number in ((reader, 0), (stranger, 0), (writer, 1)):
        assert len(client.ask("deals").json()["results"]) == number
        assert client.ask(f"deals/{deal.pk}").status_code == (200 if number else 404)
    writer.send(json.dumps({"visibility": "withdrawn"}), JSON, path)
    assert writer.ask("deals").json()["results"] == []
    assert writer.ask("scores").json()["results"] == []
    assert writer.ask(f"deals/{deal.pk}").status_code == 200


def test_what_was_sent_again_is_adopted(writer: ApiClient, stranger: ApiClient) -> None:
    writer.send(samples.TAROKY)
    again = writer.send(samples.TAROKY.replace("Dana", "Dora")).json()
    (result,) = again["results"]
    assert result["differs"] == ["players"]
    path = f"uploads/{again['upload']}/records/0/adopt"
    assert_error(stranger.send("{}", JSON, path), 404, "not_found")
    assert_error(writer.send("{}", JSON, f"uploads/{again['upload']}/records/1/adopt"), 404, "not_found")
    assert writer.send("{}", JSON, path).json()["changed"] == ["players"]
    players = writer.get(result["url"]).json()["players"]
    assert [row["player"] for row in players] == ["Alena", "Bořek", "Cyril", "Dora"]


def test_a_secretary_corrects_what_a_member_sent_to_the_club(
    writer: ApiClient, stranger: ApiClient, alena: User, borek: User
) -> None:
    club = spaces.found_club("Tarok", by=alena)
    member = spaces.join(spaces.invite(club, by=alena), borek)
    assert_error(
        ApiClient().send(samples.TAROKY, TGN, path=f"deals?club={club.pk}"), 401, "not_authenticated"
    )
    (result,) = stranger.send(samples.TAROKY, path=f"deals?club={club.pk}").json()["results"]
    assert deals.contributions_to(Deal.objects.get().pk)[0].space == club
    path = f"deals/{result['id']}/visibility"
    assert writer.send(json.dumps({"visibility": "members"}), JSON, path).status_code == 200  # its owner
    spaces.leave(member)
    assert_error(stranger.send(json.dumps({"visibility": "public"}), JSON, path), 404, "not_found")
    assert_error(stranger.send(samples.TROGGU, path=f"deals?club={club.pk}"), 400, "invalid_parameter")


def test_who_may_see_many_deals_is_said_at_once(
    writer: ApiClient, reader: ApiClient, stranger: ApiClient, alena: User, borek: User
) -> None:
    """Change the deals that match the filters and that the user may change, no others."""
    club = spaces.found_club("Tarok", by=alena)
    spaces.join(spaces.invite(club, by=alena), borek)
    for client, path in ((stranger, f"deals?club={club.pk}"), (stranger, "deals"), (writer, "deals")):
        assert client.send(samples.TAROKY, path=path).status_code in (200, 201)
    assert writer.send(samples.TROGGU).status_code == 201

    def change(client: ApiClient, visibility: str, query: str = "") -> int:
        answer = client.send(json.dumps({"visibility": visibility}), JSON, f"deals/visibility{query}")
        assert answer.status_code == 200, answer.content
        return answer.json()["changed"]

    def seen() -> list[str]:
        return [one.visibility for one in Contribution.objects.order_by("pk")]

    assert_error(reader.send('{"visibility": "members"}', JSON, "deals/visibility"), 401, "not_authenticated")
    assert_error(
        writer.send('{"visibility": "members"}', JSON, "deals/visibility?gane=taroky"),
        400,
        "invalid_parameter",
    )
    assert_error(
        writer.send('{"visibility": "replaced"}', JSON, "deals/visibility"), 400, "invalid_parameter"
    )
    last = reader.ask("changes").json()["last"]
    assert change(writer, "members", "?game=taroky") == 2, "her own, and what Bořek sent to her club"
    assert seen() == ["members", "public", "members", "public"]
    assert change(writer, "members", "?game=taroky") == 0
    changes = reader.ask("changes", {"after": last}).json()["changes"]
    assert [one["kind"] for one in changes] == ["withdrawn", "withdrawn"]
    assert [one["verdict"] for one in reader.ask("deals").json()["results"]] == ["verified"] * 2
    assert change(stranger, "unlisted", "?mine=true") == 2, "as who sent them"
    assert seen() == ["unlisted", "unlisted", "members", "public"]
    assert change(writer, "withdrawn") == 3
    assert change(writer, "public") == 0, "what is withdrawn is not found"
    assert seen() == ["withdrawn", "unlisted", "withdrawn", "withdrawn"]
    assert all(
        Contribution.objects.get(pk=pk).changes.exists()
        for pk in Contribution.objects.values_list("pk", flat=True)
    )


@pytest.mark.parametrize("visibility", ["members", "withdrawn"])
def test_the_scopes_for_many_deals(visibility: str, alena: User, borek: User) -> None:
    club = spaces.found_club("Tarok", by=alena)
    spaces.join(spaces.invite(club, by=alena), borek)
    ApiClient(secret_of(borek)).send(samples.TAROKY, path=f"deals?club={club.pk}")
    own = "deals:delete" if visibility == "withdrawn" else "deals:write"
    body = json.dumps({"visibility": visibility})
    for scopes, status in (([], 403), ([own], 403), (["club:admin"], 403), ([own, "club:admin"], 200)):
        answer = ApiClient(secret_of(alena, scopes)).send(body, JSON, "deals/visibility")
        assert answer.status_code == status, scopes
    assert Contribution.objects.get().visibility == visibility


def test_a_deal_of_ones_own_moves_to_a_club(
    writer: ApiClient, stranger: ApiClient, reader: ApiClient, alena: User
) -> None:
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    (result,) = writer.send(samples.TAROKY).json()["results"]
    path, body = f"deals/{result['id']}/move", json.dumps({"club": club.pk})
    assert_error(reader.send(body, JSON, path), 401, "not_authenticated")
    assert_error(stranger.send(body, JSON, path), 403, "permission_denied")
    assert_error(writer.send('{"club": 999}', JSON, path), 400, "invalid_parameter")
    answer = writer.send(body, JSON, path)
    assert answer.json()["changed"] == ["club", "visibility"]
    assert writer.get(answer.json()["url"]).status_code == 200
    assert Contribution.objects.get().space == club
    assert reader.ask(f"deals/{result['id']}").status_code == 404
    assert_error(writer.send(body, JSON, path), 403, "permission_denied")
    assert writer.send(samples.TAROKY.replace("Dana", "Dora")).status_code == 200
    own = Contribution.objects.exclude(space=club).get()
    answer = writer.send(body, JSON, f"deals/{own.key}/move")
    assert_error(answer, 409, "already_there")
    assert "players" in answer.json()["detail"]
