"""Correcting over the API: by who sent a deal and secretaries of its club, never by anybody else."""

import json
from typing import Any

import pytest

from archive.models import Contribution, Deal
from archive.reading import deals
from archive.storing import spaces
from tests.support import samples

from .conftest import JSON, TGN, ApiClient
from .shape import assert_error

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


PLAYS = samples.TAROKY, samples.NOT_HELD
FUTURE, NAMESAKES = "is in the future. Did you mean 2026-", "two players are called Cyril"


def change(client: ApiClient, path: str, **values: Any) -> Any:
    return client.send(json.dumps(values), JSON, path)


def test_a_wrong_claim_is_corrected(writer, alena, store) -> None:
    wrong = samples.TAROKY.replace("A=105 B=-105", "A=100 B=-100")
    deal = store(wrong, user=alena)
    assert deal.contribution.verdict == "disputed"
    answer = writer.send(samples.TAROKY, path=f"deals/{deal.pk}/correction")
    assert answer.status_code == 200
    key = f"{deal.pk}-{deal.contribution.pk}"
    expected = {"deal": key, "url": f"http://testserver/api/v1/deals/{key}", "changed": ["claim"]}
    assert answer.json() == expected
    assert writer.ask(f"deals/{deal.pk}").json()["verdict"] == "verified"


@pytest.mark.parametrize("is_covered", [False, True])
def test_a_corrected_play_stands_in_the_place_of_the_former(
    is_covered, writer, reader, alena, store, settings
) -> None:
    """In its club, and for those who saw it. It counts for the quota, and is known by its key."""
    club = spaces.found_club("Tarok", by=alena)
    bad = store(samples.NOT_HELD, user=alena, space=club, visibility="members")
    if is_covered:
        Contribution.objects.update(visibility="covered", covered_visibility="members")
    path = f"deals/{bad.pk}/correction"
    first = writer.send(samples.TAROKY, path=path, HTTP_IDEMPOTENCY_KEY="one")
    assert first.status_code == 201, first.content
    (result,) = first.json()["results"]
    assert [row["id"] for row in writer.ask("deals", {"club": club.pk}).json()["results"]] == [result["id"]]
    assert reader.ask("deals").json()["results"] == []
    former = Contribution.objects.get(deal=bad.pk).visibility
    assert former == ("covered" if is_covered else "replaced")
    assert writer.ask(f"deals/{bad.pk}").status_code == 200  # it is still to be read
    again = writer.send(samples.TAROKY, path=path, HTTP_IDEMPOTENCY_KEY="one")
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["upload"] == first.json()["upload"]
    other = samples.TAROKY.replace("A pass", "A pass ", 1)
    assert_error(writer.send(other + "\n", path=path, HTTP_IDEMPOTENCY_KEY="one"), 422, "key_reused")
    settings.ARCHIVE_QUOTA_DEALS = 2  # the wrong record and the corrected one
    assert_error(writer.send(samples.BROKEN_OFF, path=path), 429, "throttled")
    assert Deal.objects.count() == 2


NO_CORRECTION = [
    *((body, 422, "malformed", "") for body in ("[TGN", "")),
    (samples.TAROKY * 2, 400, "bad_request", ""),
    *((text.replace('"2026-', '"2206-'), 422, "refused", FUTURE) for text in PLAYS),
    *((text.replace("Alena", "Cyril "), 422, "refused", NAMESAKES) for text in PLAYS),
]


def test_what_is_no_record_corrects_nothing(writer, alena, store) -> None:
    """Nor does one with namesakes, or with a date that cannot be."""
    deal = store(samples.TAROKY, user=alena)
    for body, status, code, reason in NO_CORRECTION:
        error = assert_error(writer.send(body, path=f"deals/{deal.pk}/correction"), status, code)
        assert reason in error["detail"]
    assert Deal.objects.count() == 1


def test_who_may_see_a_deal_is_said_by_who_sent_it(writer, reader, stranger, alena, store) -> None:
    deal = store(samples.TAROKY, user=alena)
    path = f"deals/{deal.pk}/visibility"
    assert_error(change(reader, path, visibility="withdrawn"), 401, "not_authenticated")
    assert_error(change(stranger, path, visibility="withdrawn"), 403, "permission_denied")
    assert_error(change(writer, path, visibility="replaced"), 400, "invalid_parameter")
    for changed in (["visibility"], []):
        assert change(writer, path, visibility="members").json()["changed"] == changed
    for client, number in ((reader, 0), (stranger, 0), (writer, 1)):
        assert len(client.ask("deals").json()["results"]) == number
        assert client.ask(f"deals/{deal.pk}").status_code == (200 if number else 404)
    change(writer, path, visibility="withdrawn")
    for listed in ("deals", "scores"):
        assert writer.ask(listed).json()["results"] == []
    assert writer.ask(f"deals/{deal.pk}").status_code == 200


def test_what_was_sent_again_is_adopted(writer, stranger) -> None:
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


def test_a_secretary_corrects_what_a_member_sent_to_the_club(writer, stranger, alena, borek) -> None:
    club = spaces.found_club("Tarok", by=alena)
    member = spaces.join(spaces.invite(club, by=alena), borek)
    to_club = f"deals?club={club.pk}"
    assert_error(ApiClient().send(samples.TAROKY, TGN, path=to_club), 401, "not_authenticated")
    (result,) = stranger.send(samples.TAROKY, path=to_club).json()["results"]
    assert deals.contributions_to(Deal.objects.get().pk)[0].space == club
    path = f"deals/{result['id']}/visibility"
    assert change(writer, path, visibility="members").status_code == 200  # its owner
    again = stranger.send(samples.TAROKY.replace("Dana", "Dora"), path=to_club).json()["upload"]
    spaces.leave(member)
    adopt = stranger.send("", path=f"uploads/{again}/records/0/adopt")
    assert_error(adopt, 403, "permission_denied")
    assert_error(change(stranger, path, visibility="public"), 404, "not_found")
    assert_error(stranger.send(samples.TROGGU, path=to_club), 400, "invalid_parameter")


def test_who_may_see_many_deals_is_said_at_once(writer, reader, stranger, alena, borek) -> None:
    """Change the deals that match the filters and that the user may change, no others."""
    club = spaces.found_club("Tarok", by=alena)
    spaces.join(spaces.invite(club, by=alena), borek)
    for client, path in ((stranger, f"deals?club={club.pk}"), (stranger, "deals"), (writer, "deals")):
        assert client.send(samples.TAROKY, path=path).status_code in (200, 201)
    assert writer.send(samples.TROGGU).status_code == 201

    def changed(client: ApiClient, visibility: str, query: str = "") -> int:
        answer = change(client, f"deals/visibility{query}", visibility=visibility)
        assert answer.status_code == 200, answer.content
        return answer.json()["changed"]

    def seen() -> list[str]:
        return [one.visibility for one in Contribution.objects.order_by("pk")]

    assert_error(change(reader, "deals/visibility", visibility="members"), 401, "not_authenticated")
    for query, word in (("?gane=taroky", "members"), ("", "replaced")):
        assert_error(change(writer, f"deals/visibility{query}", visibility=word), 400, "invalid_parameter")
    last = reader.ask("changes").json()["last"]
    assert changed(writer, "members", "?game=taroky") == 2, "her own, and what Bořek sent to her club"
    assert seen() == ["members", "public", "members", "public"]
    assert changed(writer, "members", "?game=taroky") == 0
    changes = reader.ask("changes", {"after": last}).json()["changes"]
    assert [one["kind"] for one in changes] == ["withdrawn", "withdrawn"]
    assert [one["verdict"] for one in reader.ask("deals").json()["results"]] == ["verified"] * 2
    assert changed(stranger, "unlisted", "?mine=true") == 2, "as who sent them"
    assert seen() == ["unlisted", "unlisted", "members", "public"]
    assert changed(writer, "withdrawn") == 3
    assert changed(writer, "public") == 0, "what is withdrawn is not found"
    assert seen() == ["withdrawn", "unlisted", "withdrawn", "withdrawn"]
    assert all(said.changes.exists() for said in Contribution.objects.all())


def test_a_deal_of_ones_own_moves_to_a_club(writer, stranger, reader, alena) -> None:
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    (result,) = writer.send(samples.TAROKY).json()["results"]
    path = f"deals/{result['id']}/move"
    assert_error(change(reader, path, club=club.pk), 401, "not_authenticated")
    assert_error(change(stranger, path, club=club.pk), 403, "permission_denied")
    assert_error(change(writer, path, club=999999), 400, "invalid_parameter")
    answer = change(writer, path, club=club.pk)
    assert answer.json()["changed"] == ["club", "visibility"]
    assert writer.get(answer.json()["url"]).status_code == 200
    assert Contribution.objects.get().space == club
    assert reader.ask(f"deals/{result['id']}").status_code == 404
    (upload,) = writer.ask("uploads").json()["results"]
    (moved,) = writer.get(upload["url"]).json()["results"]
    assert (moved["id"], moved["deal"]) == (result["id"], None), "in the sender's space there is none"
    assert_error(change(writer, path, club=club.pk), 403, "permission_denied")
    assert writer.send(samples.TAROKY.replace("Dana", "Dora")).status_code == 200
    own = Contribution.objects.exclude(space=club).get()
    answer = change(writer, f"deals/{own.key}/move", club=club.pk)
    assert "players" in assert_error(answer, 409, "already_there")["detail"]
    public = spaces.found_club("Public", by=alena)
    assert change(writer, f"deals/{own.key}/move", club=public.pk).json()["changed"] == ["club"]
