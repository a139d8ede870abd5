"""`GET /deals/{id}`: one deal, as JSON or as TGN."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive.shown import ShownDeal
from tarock.notation import read_one
from tests import samples

from .conftest import JSON, TGN, ApiClient, Store
from .shape import assert_error


def test_as_json(reader: ApiClient, writer: ApiClient, alena: User, store: Store) -> None:
    taroky = store(samples.TAROKY, user=alena)
    response = writer.ask(f"deals/{taroky.pk}")
    assert response["Content-Type"] == JSON
    deal = response.json()
    assert deal["record"] == samples.taroky_json()
    assert (deal["verdict"], deal["finding"]) == ("verified", None)
    assert deal["options"] == ["settle-uncontested"]
    here = f"http://testserver/api/v1/deals/{taroky.contribution.key}"
    assert deal["url"] == here
    assert deal["links"] == {
        "replay": f"{here}/replay",
        "score": f"{here}/score",
        "variations": f"{here}/variations",
        "original": f"{here}/original",
        "tgn": f"{here}?format=tgn",
    }
    for address in deal["links"].values():
        assert writer.get(address).status_code == 200
    other = reader.ask(f"deals/{taroky.pk}").json()
    assert other == {
        **deal,
        "links": {**deal["links"], "original": None},
        "contributions": other["contributions"],
    }


def test_what_is_read_can_be_sent_again(reader: ApiClient, writer: ApiClient, taroky: ShownDeal) -> None:
    record = reader.ask(f"deals/{taroky.pk}").json()["record"]
    text = reader.ask(f"deals/{taroky.pk}", accept=TGN).content
    for body, kind in [(json.dumps(record), JSON), (text, TGN)]:
        (result,) = writer.send(body, kind).json()["results"]
        assert (result["outcome"], result["id"]) == ("known", taroky.pk)


@pytest.mark.parametrize(
    ("accept", "query", "content_type"),
    [
        (None, {}, JSON),
        ("*/*", {}, JSON),
        ("", {}, JSON),
        (JSON, {}, JSON),
        ("application/*", {}, JSON),
        ("application/json; charset=utf-8", {}, JSON),
        ("application/json;indent=4", {}, JSON),
        ("text/html,application/xhtml+xml,*/*;q=0.8", {}, JSON),
        (TGN, {}, f"{TGN}; charset=utf-8"),
        (f"{TGN}, */*;q=0.1", {}, f"{TGN}; charset=utf-8"),
        (f"{JSON};q=0.5, {TGN}", {}, f"{TGN}; charset=utf-8"),
        (f"{TGN};q=0.5, {JSON}", {}, JSON),
        (f"{JSON};q=0, */*", {}, f"{TGN}; charset=utf-8"),
        ("text/plain", {}, "text/plain; charset=utf-8"),
        ("text/*", {}, "text/plain; charset=utf-8"),
        (None, {"format": "tgn"}, f"{TGN}; charset=utf-8"),
        (JSON, {"format": "tgn"}, f"{TGN}; charset=utf-8"),
        (TGN, {"format": "json"}, JSON),
        ("image/png", {"format": "txt"}, "text/plain; charset=utf-8"),
    ],
)
def test_the_form_asked_for(
    accept: str | None, query: dict[str, str], content_type: str, reader: ApiClient, taroky: ShownDeal
) -> None:
    response = reader.ask(f"deals/{taroky.pk}", query, accept)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == content_type
    assert "Accept" in response["Vary"]
    if content_type.startswith(JSON):
        assert response.json()["id"] == taroky.pk
    else:
        assert response.content == samples.TAROKY.encode()


@pytest.mark.parametrize(
    "accept", ["image/png", "text/html", "application/json;q=0", "nonsense", "a" * 20_000]
)
def test_forms_there_are_none_of(accept: str, reader: ApiClient, taroky: ShownDeal) -> None:
    error = assert_error(reader.ask(f"deals/{taroky.pk}", accept=accept), 406, "not_acceptable")
    assert TGN in error["detail"]


def test_a_record_that_text_cannot_write(reader: ApiClient, store: Store) -> None:
    deal = store(json.dumps(samples.wrong_seat_json()))
    assert_error(reader.ask(f"deals/{deal.pk}", accept=TGN), 406, "no_text_form")
    shown = reader.ask(f"deals/{deal.pk}").json()
    assert shown["links"]["tgn"] is None
    assert shown["record"]["events"] == samples.wrong_seat_json()["events"]
    assert (shown["verdict"], shown["finding"]["clause"]) == ("illegal", "common.turn")
    assert (shown["finding"]["event"], shown["finding"]["seat"]) == (17, "C")


def test_an_illegal_deal(reader: ApiClient, store: Store) -> None:
    shown = reader.ask(f"deals/{store(samples.NOT_HELD).pk}").json()
    assert shown["verdict"] == "illegal"
    assert shown["score"] is None
    assert list(shown["finding"]) == [
        "event",
        "trick",
        "seat",
        "clause",
        "legal",
        "message",
        "field",
        "reason",
        "values",
        "line",
        "column",
        "pointer",
    ]
    assert (shown["finding"]["event"], shown["finding"]["seat"]) == (33, "B")
    assert shown["finding"]["clause"] == "common.not-held"
    assert (shown["finding"]["reason"], shown["finding"]["values"]["card"]) == ("card", "T2")
    assert shown["finding"]["legal"] == ["HQ", "HJ", "H4"]


def test_an_answer_can_be_kept(reader: ApiClient, writer: ApiClient, taroky: ShownDeal) -> None:
    first = reader.ask(f"deals/{taroky.pk}")
    same = {"If-None-Match": first["ETag"]}
    again = reader.ask(f"deals/{taroky.pk}", headers=same)
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert first["Cache-Control"] == "no-cache"
    # Another form is another thing, and so is the deal once somebody else has said something of it.
    assert reader.ask(f"deals/{taroky.pk}", accept=TGN, headers=same).status_code == 200
    writer.send(samples.TAROKY)
    assert reader.ask(f"deals/{taroky.pk}", headers=same).status_code == 200


def test_head(reader: ApiClient, taroky: ShownDeal) -> None:
    response = reader.head(f"/api/v1/deals/{taroky.pk}")
    assert response.status_code == 200
    assert response.content == b""
    assert response["ETag"] == reader.ask(f"deals/{taroky.pk}")["ETag"]


def test_what_each_sender_said(
    reader: ApiClient, writer: ApiClient, stranger: ApiClient, borek: User
) -> None:
    (result,) = writer.send(samples.TAROKY).json()["results"]
    stranger.send(
        samples.TAROKY.replace("Dana", "Dora").replace("D=105", "D=100").replace("table 2", "table 9")
    )

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
    borek.is_staff = True
    borek.save()
    assert [each["sender"] for each in contributions(stranger)] == ["alena", "borek"]


def test_whose_deal_it_is_is_nobody_s_business(
    writer: ApiClient, reader: ApiClient, stranger: ApiClient
) -> None:
    (result,) = writer.send(samples.TAROKY).json()["results"]
    answers = [client.get(result["url"]).content for client in (reader, stranger)]
    assert answers[0] == answers[1]
    assert b"alena" not in answers[0]


def test_a_deal_takes_few_queries(
    reader: ApiClient, taroky: ShownDeal, django_assert_max_num_queries: Callable[..., object]
) -> None:
    with django_assert_max_num_queries(5):
        reader.ask(f"deals/{taroky.pk}")


def test_record_is_what_the_archive_stored(reader: ApiClient, troggu: ShownDeal) -> None:
    record = read_one(json.dumps(reader.ask(f"deals/{troggu.pk}").json()["record"]))
    assert record == troggu.record
