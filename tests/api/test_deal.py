"""`GET /deals/{id}`: one deal, as JSON or as TGN; `GET /deals/{id}/original`: as it was sent; its names."""

import csv
import io
import json
from typing import Any

import pytest
from django.conf import settings

from archive.models import Contribution, Part
from archive.storing import spaces
from tarock.notation import read_one, write_text
from tests.support import samples
from tests.support.storing import stored

from .conftest import JSON, NDJSON, TGN, ApiClient
from .shape import assert_error


def test_as_json(reader, writer, alena, store) -> None:
    taroky = store(samples.TAROKY, user=alena)
    response = writer.ask(f"deals/{taroky.pk}")
    assert response["Content-Type"] == JSON
    deal = response.json()
    assert deal["record"] == samples.taroky_json()
    assert (deal["verdict"], deal["finding"]) == ("verified", None)
    assert deal["options"] == ["settle-uncontested"]
    here = f"http://testserver/api/v1/deals/{taroky.contribution.key}"
    assert deal["url"] == here
    paths = {name: f"{here}/{name}" for name in ("replay", "score", "variations", "original")}
    assert deal["links"] == {**paths, "tgn": f"{here}?format=tgn"}
    for address in deal["links"].values():
        assert writer.get(address).status_code == 200
    other = reader.ask(f"deals/{taroky.pk}").json()
    links = {**deal["links"], "original": None}
    assert other == {**deal, "links": links, "contributions": other["contributions"]}


def test_what_is_read_can_be_sent_again(reader, writer, taroky) -> None:
    record = reader.ask(f"deals/{taroky.pk}").json()["record"]
    assert read_one(json.dumps(record)) == taroky.record
    text = reader.ask(f"deals/{taroky.pk}", accept=TGN).content
    for body, kind in [(json.dumps(record), JSON), (text, TGN)]:
        (result,) = writer.send(body, kind).json()["results"]
        assert (result["outcome"], result["id"]) == ("known", taroky.pk)


FORMS = [
    *((accept, {}, JSON) for accept in (None, "*/*", "", JSON, "application/*", f"{JSON};indent=4")),
    ("application/json; charset=utf-8", {}, JSON),
    ("text/html,application/xhtml+xml,*/*;q=0.8", {}, JSON),
    (f"{TGN};q=0.5, {JSON}", {}, JSON),
    (TGN, {"format": "json"}, JSON),
    (TGN, {}, f"{TGN}; charset=utf-8"),
    (f"{TGN}, */*;q=0.1", {}, f"{TGN}; charset=utf-8"),
    (f"{JSON};q=0.5, {TGN}", {}, f"{TGN}; charset=utf-8"),
    (f"{JSON};q=0, */*", {}, f"{TGN}; charset=utf-8"),
    (None, {"format": "tgn"}, f"{TGN}; charset=utf-8"),
    (JSON, {"format": "tgn"}, f"{TGN}; charset=utf-8"),
    ("text/plain", {}, "text/plain; charset=utf-8"),
    ("text/*", {}, "text/plain; charset=utf-8"),
    ("image/png", {"format": "txt"}, "text/plain; charset=utf-8"),
]
"""Accept, the query, and the form that both ask for."""


def test_the_form_asked_for(reader, taroky) -> None:
    for accept, query, content_type in FORMS:
        response = reader.ask(f"deals/{taroky.pk}", query, accept)
        assert response["Content-Type"] == content_type, accept
        assert "Accept" in response["Vary"]
        if content_type == JSON:
            assert response.json()["id"] == taroky.pk
        else:
            assert response.content == samples.TAROKY.encode()
    for accept in ("image/png", "text/html", "application/json;q=0", "nonsense", "a" * 20_000):
        error = assert_error(reader.ask(f"deals/{taroky.pk}", accept=accept), 406, "not_acceptable")
        assert TGN in error["detail"]


def test_a_record_that_text_cannot_write(reader, store) -> None:
    deal = store(json.dumps(samples.wrong_seat_json()))
    assert_error(reader.ask(f"deals/{deal.pk}", accept=TGN), 406, "no_text_form")
    shown = reader.ask(f"deals/{deal.pk}").json()
    assert shown["links"]["tgn"] is None
    assert shown["record"]["events"] == samples.wrong_seat_json()["events"]
    assert (shown["verdict"], shown["finding"]["clause"]) == ("illegal", "common.turn")
    assert (shown["finding"]["event"], shown["finding"]["seat"]) == (17, "C")


def test_an_illegal_deal(reader, store) -> None:
    shown = reader.ask(f"deals/{store(samples.NOT_HELD).pk}").json()
    assert (shown["verdict"], shown["score"]) == ("illegal", None)
    named = "event trick seat clause legal message field reason values line column pointer"
    assert list(shown["finding"]) == named.split()
    expected = {"event": 33, "seat": "B", "clause": "common.not-held", "reason": "card"}
    assert {name: shown["finding"][name] for name in expected} == expected
    assert shown["finding"]["values"]["card"] == "T2"
    assert shown["finding"]["legal"] == ["HQ", "HJ", "H4"]


def test_what_each_sender_said(reader, writer, stranger, borek, django_assert_max_num_queries) -> None:
    (result,) = writer.send(samples.TAROKY).json()["results"]
    other = samples.TAROKY.replace("Dana", "Dora").replace("D=105", "D=100").replace("table 2", "table 9")
    stranger.send(other)

    def contributions(client: ApiClient) -> list[dict[str, Any]]:
        return client.get(result["url"]).json()["contributions"]  # type: ignore[no-any-return]

    first, second = contributions(reader)
    assert first == {
        "deal": result["deal"],
        "url": result["url"],
        "club": None,
        "club_name": None,
        "players": reader.get(result["url"]).json()["players"],
        "session": "2026-11-20 table 2",
        "deal_number": 7,
        "date": "2026-11-20",
        "event": "Hlučín club evening",
        "site": "",
        "claim": samples.TAROKY_SCORE,
        "verdict": "verified",
    }
    assert [player["player"] for player in first["players"]] == ["Alena", "Bořek", "Cyril", "Dana"]
    assert [player["player"] for player in second["players"]] == ["Alena", "Bořek", "Cyril", "Dora"]
    assert second["deal"] != first["deal"]
    assert reader.get(second["url"]).json()["players"] == second["players"]
    assert second == {
        **first,
        **{name: second[name] for name in ("deal", "url", "players")},
        "session": "2026-11-20 table 9",
        "claim": {**samples.TAROKY_SCORE, "D": 100},
        "verdict": "disputed",
    }
    # The deal is shown as the first contribution describes it.
    shown = reader.get(result["url"]).json()
    assert (shown["verdict"], shown["players"][3]["player"]) == ("verified", "Dana")
    # Only the sender and the operator see the sender.
    assert contributions(writer) == [{**first, "sender": "alena"}, second]
    assert contributions(stranger) == [first, {**second, "sender": "borek"}]
    with django_assert_max_num_queries(5):
        assert b"alena" not in reader.get(result["url"]).content
    borek.is_staff = True
    borek.save()
    assert [each["sender"] for each in contributions(stranger)] == ["alena", "borek"]
    Contribution.objects.filter(part__upload__user=borek).update(visibility="members")
    assert [len(contributions(client)) for client in (reader, writer, stranger)] == [1, 1, 2]


# --- as it was sent -----------------------------------------------------------------------------------------


def test_what_was_sent_goes_out_as_it_came(writer, reader, stranger, staff, alena, store) -> None:
    """Text that was not canonical, to members and the operator alone; another upload changes nothing."""
    sent = samples.TAROKY.replace("1. A T20", "1.  A   XX { well led }")
    sent = sent.replace("deal A DQ D4", "deal A D4 DQ")
    deal = store(sent, user=alena)
    address = f"deals/{deal.pk}/original"
    writer.send(json.dumps(samples.taroky_json()), JSON)
    response = writer.ask(address, accept=TGN)
    assert response["Content-Type"] == f"{TGN}; charset=utf-8"
    assert response.content.decode().strip() == sent.strip()
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.tgn"'
    assert writer.ask(f"deals/{deal.pk}", accept=TGN).content != response.content
    told = writer.ask(address).json()
    assert (told["deal"], told["form"]) == (str(deal.contribution.key), "tgn")
    assert told["text"] == response.content.decode()
    assert staff.ask(address).status_code == 200
    for client in (reader, stranger):
        assert_error(client.ask(address), 404, "not_found")
        assert client.ask(f"deals/{deal.pk}").json()["links"]["original"] is None
    # Once its bytes are deleted, the record is there all the same.
    Part.objects.update(data=b"")
    assert "have been deleted" in assert_error(writer.ask(address), 404, "not_found")["detail"]
    assert writer.ask(f"deals/{deal.pk}", accept=TGN).content == write_text(deal.record).encode()


def test_json_goes_out_as_it_came_and_never_as_a_page(writer, alena, store) -> None:
    sent = json.dumps(samples.taroky_json(players=dict.fromkeys("ABCD", samples.SCRIPT)), indent=3)
    deal = store(sent, user=alena)
    told = writer.ask(f"deals/{deal.pk}/original", accept="text/html, */*")
    assert told["Content-Type"] == JSON
    assert (told.json()["form"], told.json()["text"]) == ("json", sent)
    response = writer.ask(f"deals/{deal.pk}/original", accept="text/plain")
    assert response["X-Content-Type-Options"] == told["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode() == sent
    assert 'schema/tgn.json>; rel="describedby"' in response["Link"]
    assert response["Content-Disposition"] == f'inline; filename="deal-{deal.pk}.json"'


def test_the_form_asked_for_of_what_was_sent(writer, alena, store) -> None:
    text = f"deals/{store(samples.TROGGU, user=alena).pk}/original"
    record = f"deals/{store(samples.json_text(samples.taroky_json()), user=alena).pk}/original"
    plain = "text/plain"
    preferred = ((text, TGN, JSON), (text, JSON, TGN), (text, plain, JSON), (record, JSON, TGN))
    for address, taken, other in preferred:
        assert writer.ask(address, accept=f"{taken}, {other};q=0.1")["Content-Type"].startswith(taken)
        assert writer.ask(address, accept=taken)["Content-Type"].startswith(taken)
    assert writer.ask(record, accept=f"{TGN}, */*;q=0.1")["Content-Type"] == JSON
    assert plain in assert_error(writer.ask(record, accept=TGN), 406, "not_acceptable")["detail"]
    for address in (text, record):
        assert writer.ask(address)["Content-Type"] == JSON
        assert writer.ask(address, {"format": "txt"})["Content-Type"] == "text/plain; charset=utf-8"
    assert_error(writer.ask(record, {"format": "tgn"}), 406, "not_acceptable", field="format")


# --- the same names in all responses and filters -----------------------------------------------------------


def in_lists(client: ApiClient, **query: Any) -> dict[str, list[Any]]:
    """The deals that fit, by the form in which they are listed."""
    lines = b"".join(client.ask("deals", query, accept=NDJSON).streaming_content).decode().splitlines()
    table = b"".join(client.ask("deals", query, accept="text/csv").streaming_content).decode()
    return {
        "page": client.ask("deals", {"order": "oldest", **query}).json()["results"],
        "ndjson": [json.loads(line) for line in lines],
        "csv": list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff")))),
    }


def test_a_deal_is_told_and_asked_for_by_one_key(writer, reader, alena, borek) -> None:
    """Others say something of the same cards: the key is of what one contribution says."""
    stored(samples.TAROKY.replace('"Alena"', '"Anna"'), user=borek)
    (result,) = writer.send(samples.TAROKY).json()["results"]
    key = result["deal"]
    said = Contribution.objects.get(space__user=alena)
    assert key == f"{result['id']}-{said.pk}"
    assert result["url"] == f"http://testserver/api/v1/deals/{key}"
    for form, found in in_lists(reader, ids=key).items():
        assert [deal["deal"] for deal in found] == [key], form
    whole = reader.get(result["url"]).json()
    assert (whole["deal"], whole["url"]) == (key, result["url"])
    assert key in [one["deal"] for one in whole["contributions"]]
    for path in ("score", "replay", "replay/positions"):
        assert reader.get(f"{result['url']}/{path}").json()["deal"] == key
    statement = reader.get(f"{result['url']}/certificate").json()["statement"]
    # It names the archive by its own URL, whatever host was requested.
    assert (statement["deal"], statement["url"]) == (key, f"{settings.SITE_URL}/api/v1/deals/{key}")
    changes = reader.ask("changes", {"fields": "deal,url"}).json()["changes"]
    assert (key, result["url"]) in [(change["deal"], change["url"]) for change in changes]
    assert all(change["shown"] == {name: change[name] for name in ("deal", "url")} for change in changes)
    (again,) = writer.send(samples.TAROKY).json()["results"]
    assert (again["outcome"], again["deal"], again["url"]) == ("known", key, result["url"])
    address = f"deals/{key}/visibility"
    shown = writer.send(json.dumps({"visibility": "unlisted"}), JSON, path=address).json()
    assert shown == {"deal": key, "url": result["url"], "changed": ["visibility"]}


@pytest.mark.usefixtures("sweeper")
def test_a_club_is_a_number_and_has_a_name(writer, reader, alena) -> None:
    club = spaces.found_club("Tarok Hlučín", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}").status_code == 201
    writer.send(samples.TROGGU)
    told = {"club": club.pk, "club_name": "Tarok Hlučín"}

    def named(row: dict[str, Any]) -> dict[str, Any]:
        return {name: row[name] for name in told}

    for query in ({"club": club.pk}, {"club_name": "hlucin"}):
        (page,), (line,), (row,) = in_lists(reader, **query).values()
        assert named(page) == named(line) == told
        assert named(row) == told | {"club": str(club.pk)}
        assert {row["club"] for row in reader.ask("scores", query).json()["results"]} == {club.pk}
    (said,) = reader.get(page["url"]).json()["contributions"]
    assert named(said) == told
    assert said["players"] == page["players"]
    (change,) = reader.ask("changes", {"club": club.pk, "fields": "club,club_name"}).json()["changes"]
    assert change["shown"] == told
    (other,) = reader.ask("deals", {"game": "troggu"}).json()["results"]
    assert named(other) == {"club": None, "club_name": None}
