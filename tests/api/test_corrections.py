"""Correcting over the API: by who sent a deal and secretaries of its club, never by anybody else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from archive import selectors, spaces
from archive.models import Contribution, Deal

from . import samples
from .conftest import JSON, TGN, ApiClient
from .shape import assert_error

pytestmark = pytest.mark.django_db


def test_a_wrong_claim_is_corrected(writer: ApiClient, alena: User, store: Callable[..., Deal]) -> None:
    wrong = samples.TAROKY.replace("A=105 B=-105", "A=100 B=-100")
    deal = store(wrong, user=alena)
    assert deal.shown.verdict == "disputed"
    answer = writer.send(samples.TAROKY, path=f"deals/{deal.pk}/correction")
    assert answer.status_code == 200
    assert answer.json() == {
        "deal": f"{deal.pk}-{deal.shown.pk}",
        "url": f"http://testserver/api/v1/deals/{deal.pk}-{deal.shown.pk}",
        "changed": ["claim"],
    }
    assert writer.ask(f"deals/{deal.pk}").json()["verdict"] == "verified"


def test_a_corrected_play_stands_in_the_place_of_the_former(
    writer: ApiClient, reader: ApiClient, alena: User, store: Callable[..., Deal]
) -> None:
    bad = store(samples.ILLEGAL, user=alena)
    answer = writer.send(samples.TAROKY, path=f"deals/{bad.pk}/correction")
    assert answer.status_code == 201, answer.content
    (result,) = answer.json()["results"]
    assert [row["id"] for row in reader.ask("deals").json()["results"]] == [result["id"]]
    assert Contribution.objects.get(deal=bad).visibility == "replaced"
    assert reader.ask(f"deals/{bad.pk}").status_code == 200  # it is still to be read


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [("[TGN", 422, "malformed"), (samples.TAROKY * 2, 400, "bad_request"), ("", 422, "malformed")],
)
def test_what_is_no_record_corrects_nothing(
    writer: ApiClient, alena: User, store: Callable[..., Deal], body: str, status: int, code: str
) -> None:
    deal = store(samples.TAROKY, user=alena)
    assert_error(writer.send(body, path=f"deals/{deal.pk}/correction"), status, code)


def test_who_may_see_a_deal_is_said_by_who_sent_it(
    writer: ApiClient, reader: ApiClient, stranger: ApiClient, alena: User, store: Callable[..., Deal]
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


def test_what_was_sent_again_is_taken_over(writer: ApiClient, stranger: ApiClient) -> None:
    writer.send(samples.TAROKY)
    again = writer.send(samples.TAROKY.replace("Dana", "Dora")).json()
    (result,) = again["results"]
    assert result["differs"] == ["players"]
    path = f"uploads/{again['upload']}/records/0/take-over"
    assert_error(stranger.send("{}", JSON, path), 404, "not_found")
    assert_error(writer.send("{}", JSON, f"uploads/{again['upload']}/records/1/take-over"), 404, "not_found")
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
    assert selectors.contributions(Deal.objects.get())[0].space == club
    path = f"deals/{result['id']}/visibility"
    assert writer.send(json.dumps({"visibility": "members"}), JSON, path).status_code == 200  # its owner
    spaces.leave(member)
    assert_error(stranger.send(json.dumps({"visibility": "public"}), JSON, path), 404, "not_found")
    assert_error(stranger.send(samples.TROGGU, path=f"deals?club={club.pk}"), 400, "invalid_parameter")
