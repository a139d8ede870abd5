"""Variations of deals: scored as on the pages, read and saved by the users who may."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive import tokens
from archive.models import Contribution, Player, Variations
from archive.shown import ShownDeal
from archive.storing import spaces, variations
from tarock.analysis.variations import MOST
from tarock.notation import read_one, write_json
from tests.engine.boarding import ask
from tests.engine.test_variations import REVOKE, SKYZ, TEN
from tests.support import samples

from .conftest import JSON, ApiClient
from .shape import assert_error

pytestmark = pytest.mark.django_db

PLAYED = read_one(samples.TAROKY)


def score_of(client: ApiClient, **body: Any) -> Any:
    return client.send(json.dumps(body), JSON, "variations")


def save(client: ApiClient, deal: ShownDeal, lines: Any, visibility: str = "public", version: int = 0) -> Any:
    body = {"variations": lines, "visibility": visibility, "version": version}
    return client.put(f"/api/v1/deals/{deal.pk}/variations", json.dumps(body), JSON)


def remove(client: ApiClient, deal: ShownDeal) -> Any:
    return client.delete(f"/api/v1/deals/{deal.pk}/variations")


def test_they_are_scored_as_for_a_page(reader, taroky) -> None:
    lines = [SKYZ, TEN, REVOKE]
    form = write_json(PLAYED)
    found = score_of(reader, record=form, variations=lines).json()
    assert found == ask({"ask": "variations", "record": form, "variations": lines})
    assert found == score_of(reader, deal=str(taroky.pk), variations=lines).json()
    assert [one["score"] and one["score"]["A"] for one in found["variations"]] == [106, 106, None]
    assert found["variations"][0]["difference"][0]["clause"] == "taroky.game"
    assert Variations.objects.count() == 0


def test_what_cannot_be_scored(reader, taroky, store) -> None:
    form = write_json(PLAYED)
    faults: list[tuple[dict[str, Any], str]] = [
        ({"record": form, "variations": [SKYZ | {"step": 99}]}, "/variations/0/step"),
        ({"record": form, "variations": [SKYZ, SKYZ | {"id": 2, "events": []}]}, "/variations/1/events"),
        ({"record": form, "variations": [SKYZ | {"id": n} for n in range(1, MOST + 2)]}, "/variations"),
        ({"record": form | {"dealer": "X"}, "variations": []}, "/record/dealer"),
        ({"record": write_json(read_one(samples.SHEET)), "variations": []}, "/record"),
    ]
    for body, pointer in faults:
        assert_error(score_of(reader, **body), 422, "malformed", pointer=pointer)
    assert_error(score_of(reader, variations=[]), 400, "invalid_parameter", field="deal")
    assert_error(score_of(reader, record=form, deal="1", variations=[]), 400, field="deal")
    assert_error(score_of(reader, deal="x", variations=[]), 400, field="deal")
    assert_error(score_of(reader, record=form, variations={}), 400, field="variations")
    assert_error(score_of(reader, record=form, line=[]), 400, field="line")
    assert_error(score_of(reader, deal="999999", variations=[]), 404)
    assert_error(score_of(reader, deal=str(store(samples.SHEET).pk), variations=[]), 404, "no_play")
    assert_error(reader.send("[", JSON, "variations"), 400, "bad_request")
    assert_error(reader.send(" " * 300_000, JSON, "variations"), 413, "too_large")
    half = score_of(reader, record=form, variations=[SKYZ | {"name": "\ud800\0"}])
    assert half.json()["variations"][0]["name"] == "\ufffd\0"


def test_they_are_saved_replaced_and_removed(writer, reader, taroky, store) -> None:
    answer = save(writer, taroky, [SKYZ, TEN | {"name": "a\0\ud800"}])
    assert answer.status_code == 201
    saved = answer.json()
    assert answer["Location"] == saved["url"]
    assert (saved["by"], saved["mine"], saved["version"]) == ("alena", True, 1)
    assert saved["variations"] == [SKYZ, TEN | {"name": "a\ufffd\ufffd"}]
    assert saved["deal"] == str(taroky.contribution.key)
    again = save(writer, taroky, [SKYZ], version=1)
    assert (again.status_code, again.json()["version"], again.json()["key"]) == (200, 2, saved["key"])
    assert again.json()["changed_at"] > saved["changed_at"]
    for stale in (0, 1):
        assert_error(save(writer, taroky, [], version=stale), 409, "changed_meanwhile")
    assert reader.ask(f"deals/{taroky.pk}").json()["links"]["variations"].endswith("/variations")
    (listed,) = reader.ask(f"deals/{taroky.pk}/variations").json()["results"]
    assert listed == again.json() | {"mine": False}
    for changed in (
        lambda: save(writer, taroky, [SKYZ], version=2),
        lambda: User.objects.update(username="alenka"),
        lambda: Player.objects.filter(name="Dana").update(name="Dora"),
    ):
        etag = reader.get(saved["url"])["ETag"]
        changed()
        assert reader.get(saved["url"], headers={"If-None-Match": etag}).status_code == 200
    whole = reader.get(saved["url"]).json()
    assert whole["played"] == score_of(reader, deal=str(taroky.pk), variations=[]).json()["played"]
    assert whole["variations"][0]["score"]["A"] == 106
    etag = reader.get(saved["url"])["ETag"]
    assert reader.get(saved["url"], headers={"If-None-Match": etag}).status_code == 304
    record = f"{saved['url']}/records/1"
    headers = {"If-None-Match": reader.get(record)["ETag"], "Accept": "application/vnd.tgn"}
    assert reader.get(record, headers=headers).status_code == 200, "another form"
    text = reader.get(record, headers={"Accept": "application/vnd.tgn"}).content.decode()
    assert text == whole["variations"][0]["text"]
    assert read_one(text).tags["From"] == f"{PLAYED.digest} 47"
    assert write_json(read_one(text)) == reader.get(record).json()
    assert reader.get(f"{saved['url']}/records/2").status_code == 404
    assert reader.ask("variations/a").status_code == 404
    other = store(samples.TROGGU)
    save(writer, other, [])
    assert remove(writer, taroky).status_code == remove(writer, taroky).status_code == 204
    assert Variations.objects.get().deal_id == other.pk
    assert reader.get(saved["url"]).status_code == 404


def test_text_may_not_hold_what_json_does(writer, taroky) -> None:
    """C plays where it is B's turn, in the middle of a trick."""
    wrong = {"id": 1, "from": 0, "step": 17, "events": [["C", "play", "T7"]]}
    url = save(writer, taroky, [wrong]).json()["url"]
    assert writer.get(f"{url}/records/1").json()["events"][-1] == ["C", "play", "T7"]
    assert_error(writer.get(f"{url}/records/1?format=tgn"), 406, "no_text_form")


def test_who_may_see_and_save_them(writer, stranger, reader, staff, alena, taroky, monkeypatch) -> None:
    """Private, by link, public; then the deal is for members of a club only. One deal is each one's limit."""
    monkeypatch.setattr(variations, "MOST", 1)
    address = f"deals/{taroky.pk}/variations"
    for visibility, version, status, listed in (
        ("private", 0, 404, 0),
        ("link", 1, 200, 0),
        ("public", 2, 200, 1),
    ):
        url = save(writer, taroky, [SKYZ], visibility, version).json()["url"]
        for other in (stranger, reader):
            assert len(other.ask(address).json()["results"]) == listed
            assert other.get(url).status_code == other.get(f"{url}/records/1").status_code == status
        assert writer.get(url).status_code == staff.get(url).status_code == 200
        assert len(writer.ask(address).json()["results"]) == 1
    # Another's stay as they are, whatever the stranger sends.
    assert_error(save(stranger, taroky, [], version=3), 409)
    assert remove(stranger, taroky).status_code == 204
    assert save(stranger, taroky, [TEN | {"from": 0, "step": 53}]).json()["by"] == "borek"
    assert writer.get(url).json()["version"] == 3
    Contribution.objects.update(space=spaces.found_club("The club", by=alena), visibility="members")
    assert writer.get(url).status_code == 200
    for other in (stranger, reader):
        assert_error(other.get(url), 404)
        assert_error(other.get(f"{url}/records/1"), 404)
        assert_error(other.ask(address), 404)
        assert_error(score_of(other, deal=str(taroky.pk), variations=[]), 404)
    assert_error(save(stranger, taroky, [], version=1), 404)
    assert_error(remove(stranger, taroky), 404)
    assert Variations.objects.count() == 2


def test_who_may_write(reader, writer, borek, taroky, monkeypatch) -> None:
    for change in (save(reader, taroky, []), remove(reader, taroky)):
        assert_error(change, 401, "not_authenticated")
    looking = ApiClient(tokens.make(borek, "only reads")[1])
    for change in (save(looking, taroky, []), remove(looking, taroky)):
        assert_error(change, 403, "scope_needed")
        assert 'scope="deals:write"' in change["WWW-Authenticate"]
    assert_error(save(writer, taroky, [SKYZ], "secret"), 400, field="visibility")
    assert_error(save(writer, taroky, [SKYZ | {"from": 5}]), 422, "malformed", pointer="/variations/0/from")
    assert_error(save(writer, taroky, [SKYZ | {"comment": "x" * 65_536}]), 413, "too_large")
    monkeypatch.setattr(variations, "MOST", 0)
    assert_error(save(writer, taroky, [SKYZ]), 422, "refused")
