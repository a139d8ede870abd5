"""`GET /deals` as a stream, the parts of a deal, the order, and which deals are meant."""

import csv
import io
import json
from contextlib import suppress
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.test import RequestFactory

from archive.models import Deal, Member
from archive.publishing import export
from archive.reading import deals
from archive.shown import ShownDeal
from archive.storing import spaces
from archive.web import downloads
from tarock.notation import read
from tests import samples
from tests.storing import stored

from .conftest import NDJSON, TGN, ApiClient, Store
from .shape import assert_error

CSV = "text/csv"


def stream(client: ApiClient, accept: str | None = None, **query: Any) -> str:
    """The text of a stream."""
    answer = client.ask("deals", query, accept=accept)
    assert answer.status_code == 200, answer.content
    assert answer.streaming
    return b"".join(answer.streaming_content).decode()


def lines(client: ApiClient, **query: Any) -> list[dict[str, Any]]:
    """The lines of NDJSON."""
    return [json.loads(line) for line in stream(client, NDJSON, **query).splitlines()]


def ids(client: ApiClient, **query: Any) -> list[int]:
    """The numbers of the deals in a stream, which are those of the page."""
    found = [line["id"] for line in lines(client, **query)]
    page = client.ask("deals", {"order": "oldest", **query}).json()["results"]
    assert [deal["id"] for deal in page] == found
    return found


@pytest.fixture
def two(taroky: ShownDeal, troggu: ShownDeal) -> tuple[ShownDeal, ShownDeal]:
    """Two deals, the older first."""
    return taroky, troggu


# --- forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("accept", "form"), [(NDJSON, "ndjson"), (CSV, "csv"), (TGN, "tgn")])
def test_by_accept_and_by_format(reader: ApiClient, two: Any, accept: str, form: str) -> None:
    answer = reader.ask("deals", accept=accept)
    assert answer["Content-Type"] == f"{accept}; charset=utf-8"
    assert answer["Cache-Control"] == "no-store"
    assert "Accept" in answer["Vary"].split(", ")
    assert stream(reader, format=form) == b"".join(answer.streaming_content).decode() != ""
    assert reader.head("/api/v1/deals", {"format": form}).status_code == 200
    assert_error(reader.ask("deals", {"format": "xml"}), 406, "not_acceptable", field="format")


def test_a_line_is_the_deal_s_own_page(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    for line, deal in zip(lines(reader, fields=",".join(export.PARTS)), two, strict=True):
        page = reader.ask(f"deals/{deal.pk}").json()
        assert line == {name: page[name] for name in export.PARTS}
        assert list(line) == list(export.PARTS)
        assert line["record"] == json.loads(reader.ask(f"deals/{deal.pk}").content)["record"]
    assert (line["partner"], line["result"], line["card_points"]) == (None, "won", 62)
    assert line["clauses"][0].startswith("troggu.")


def test_a_line_is_what_a_page_has(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    page = reader.ask("deals", {"order": "oldest"}).json()["results"]
    assert lines(reader) == page
    assert list(page[0]) == list(export.LISTED)


def test_tgn_is_read_again(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    records = [entry.record for entry in read(stream(reader, TGN))]
    assert records == [deal.record for deal in two]


def test_what_text_cannot_write_is_told(reader: ApiClient, store: Store) -> None:
    bad = store(samples.json_text(samples.wrong_seat_json()))
    good = store(samples.TROGGU)
    text = stream(reader, TGN)
    assert text.startswith(f"; Deal {bad.pk} is left out: text cannot write it.")
    assert [entry.record for entry in read(text)] == [good.record]
    assert [line["record"]["game"] for line in lines(reader, fields="record")] == ["taroky", "troggu"]


def test_a_table(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    rows = list(csv.DictReader(io.StringIO(stream(reader, CSV).removeprefix("\ufeff"))))
    assert [row["id"] for row in rows] == [str(deal.pk) for deal in two]
    assert [row["points_B"] for row in rows] == ["-105", "-2"]
    assert [row["claim_D"] for row in rows] == ["105", ""]
    short = stream(reader, CSV, fields="players,game", game="troggu").removeprefix("\ufeff")
    assert next(csv.reader(io.StringIO(short)))[:3] == ["game", "player_A", "player_id_A"]


def test_some_parts(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    assert lines(reader, fields="id,score", limit=1) == [{"id": two[0].pk, "score": samples.TAROKY_SCORE}]
    query = {"fields": "digest,record", "game": "taroky"}
    (deal,) = reader.ask("deals", query).json()["results"]
    assert list(deal) == ["digest", "record"]
    assert deal["record"] == reader.ask(f"deals/{two[0].pk}").json()["record"]


def test_every_part_can_be_had_alone(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    for name in export.PARTS:
        assert [list(line) for line in lines(reader, fields=name)] == [[name], [name]]
        assert [list(deal) for deal in reader.ask("deals", {"fields": name}).json()["results"]] == [
            [name]
        ] * 2


def test_a_finding(reader: ApiClient, store: Store) -> None:
    deal = store(samples.NOT_HELD)
    (line,) = lines(reader, fields="finding,clauses")
    assert line["finding"] == reader.ask(f"deals/{deal.pk}/score").json()["finding"]
    assert line["clauses"] == [line["finding"]["clause"]] == ["common.not-held"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"fields": "id,colour"}, "card_points"),
        ({"fields": ""}, ""),
        ({"format": "csv", "fields": "record"}, "card_points"),
        ({"format": "tgn", "fields": "id"}, "whole records"),
    ],
)
def test_parts_that_there_are_not(query: dict[str, str], named: str, reader: ApiClient, db: None) -> None:
    error = assert_error(reader.ask("deals", query), 400, "invalid_parameter", field="fields")
    assert named in error["detail"]


# --- order and place ----------------------------------------------------------------------------------------


def test_streams_begin_with_the_oldest_and_pages_with_the_newest(reader: ApiClient, two: Any) -> None:
    numbers = [deal.pk for deal in two]
    assert [line["id"] for line in lines(reader)] == numbers
    assert [line["id"] for line in lines(reader, order="newest")] == numbers[::-1]
    page = reader.ask("deals").json()["results"]
    assert [deal["id"] for deal in page] == numbers[::-1]


def test_pages_in_either_order_meet_every_deal_once(reader: ApiClient, two: Any) -> None:
    for order, expected in (("oldest", list(two)), ("newest", list(two)[::-1])):
        first = reader.ask("deals", {"order": order, "limit": 1})
        assert f'<{first.json()["next"]}>; rel="next"' in first["Link"]
        second = reader.get(first.json()["next"])
        assert "next" not in second["Link"]
        found = [*first.json()["results"], *second.json()["results"]]
        assert [deal["id"] for deal in found] == [deal.pk for deal in expected]


def test_after_before_and_limit(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    first, second = (deal.pk for deal in two)
    assert ids(reader, after=first) == [second]
    assert ids(reader, before=second) == [first]
    assert ids(reader, after=first, before=second) == []
    assert ids(reader, limit=1) == [first]
    assert len(lines(reader, limit=10**8)) == 2
    assert_error(reader.ask("deals", {"limit": 501}), 400, field="limit")
    assert_error(reader.ask("deals", {"limit": 0}, accept=NDJSON), 400, field="limit")
    assert_error(reader.ask("deals", {"cursor": "NDcxMQ"}, accept=NDJSON), 400, field="cursor")


def test_when_it_was_stored(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    early = two[1].stored_at - timedelta(days=2)
    Deal.objects.filter(pk=two[0].pk).update(
        stored_at=early.replace(hour=23, minute=59, second=0, microsecond=0)
    )
    first, second = (deal.pk for deal in two)
    day = early.date().isoformat()
    assert ids(reader, since=day, until=day) == [first]
    assert ids(reader, until=f"{day}T23:59:00Z") == []
    assert ids(reader, since=f"{day}T23:59:00Z") == [first, second]
    assert ids(reader, since=f"{day}T23:59:01+00:00") == [second]
    assert ids(reader, until=f"{day}T22:00:00-03:00") == [first]


@pytest.mark.parametrize("word", ["yesterday", "2026-11-22T20:15:00", "2026-13-01", "9999-12-31", ""])
def test_no_moment(word: str, reader: ApiClient, db: None) -> None:
    error = assert_error(reader.ask("deals", {"until": word}), 400, "invalid_parameter", field="until")
    assert "2026-11-22" in error["detail"]


# --- which deals --------------------------------------------------------------------------------------------


def test_by_numbers_and_keys(reader: ApiClient, two: tuple[ShownDeal, ShownDeal], borek: User) -> None:
    first, second = two
    assert ids(reader, ids=f"{second.pk}, {first.pk},{first.pk}") == [first.pk, second.pk]
    stored(samples.TAROKY.replace('"Alena"', '"Anna"'), user=borek)
    said = deals.contributions_to(first.pk)[1]
    (line,) = lines(reader, ids=f"{first.pk}-{said.pk}", fields="deal,record")
    assert (line["deal"], line["record"]["players"]["A"]) == (f"{first.pk}-{said.pk}", "Anna")
    assert lines(reader, ids=f"{second.pk}-{said.pk}") == []
    assert [line["deal"] for line in lines(reader, ids=f"{first.pk}-{said.pk},{second.pk}")] == [
        f"{first.pk}-{said.pk}",
        f"{second.pk}-{second.contribution.pk}",
    ]
    many = ",".join(f"{first.pk}-{n}" for n in range(said.pk, said.pk + 500))
    assert [line["id"] for line in lines(reader, ids=many)] == [first.pk]


def test_by_digests(reader: ApiClient, two: tuple[ShownDeal, ShownDeal]) -> None:
    assert ids(reader, digest=two[1].hex_digest.upper()) == [two[1].pk]
    assert ids(reader, digest=f"{'0' * 64},{two[0].hex_digest}") == [two[0].pk]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ids", "12,x"),
        ("ids", "12-"),
        ("ids", ""),
        ("ids", ",".join(["1"] * 501)),
        ("digest", "abc"),
        ("digest", ",".join(["0" * 64] * 501)),
        ("mine", "perhaps"),
        ("order", "random"),
        ("after", "-1"),
        ("before", "9" * 30),
    ],
    ids=lambda word: word[:12],
)
def test_what_is_no_filter(name: str, word: str, reader: ApiClient, db: None) -> None:
    assert_error(reader.ask("deals", {name: word}), 400, "invalid_parameter", field=name)


def test_what_one_sent_oneself(
    writer: ApiClient, stranger: ApiClient, reader: ApiClient, borek: User
) -> None:
    own = writer.send(samples.TAROKY).json()["results"][0]["id"]
    stranger.send(samples.TROGGU)
    assert ids(writer, mine="true") == [own]
    assert len(ids(writer, mine="false")) == 2
    assert_error(reader.ask("deals", {"mine": "true"}), 401, "not_authenticated")
    assert_error(reader.ask("deals", {"mine": "true"}, accept=NDJSON), 401, "not_authenticated")
    scores = writer.ask("scores", {"mine": "true"}).json()["results"]
    assert {row["player"] for row in scores} == {"Alena", "Bořek", "Cyril", "Dana"}


def test_a_stream_has_what_its_reader_may_see(
    reader: ApiClient, writer: ApiClient, stranger: ApiClient, alena: User
) -> None:
    club = spaces.found_club("Tarok", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}&visibility=members").status_code == 201
    assert Member.objects.filter(user=alena, space=club).exists()
    (seen,) = lines(writer)
    assert (seen["club"], seen["club_name"]) == (club.pk, "Tarok")
    for query in ({}, {"ids": seen["id"]}, {"digest": seen["digest"]}, {"since": "2000-01-01"}):
        for client in (reader, stranger):
            assert lines(client, **query) == []


# --- how many -----------------------------------------------------------------------------------------------


def test_streams_count_as_downloads(
    reader: ApiClient, writer: ApiClient, two: Any, settings: Any, client: Any, alena: User
) -> None:
    settings.DOWNLOADS_PER_HOUR = 2
    client.force_login(alena)
    stream(writer, NDJSON)
    client.get("/deals/deals.tgn")
    response = writer.ask("deals", accept=NDJSON)
    assert_error(response, 429, "throttled")
    assert int(response["Retry-After"]) > 60
    assert client.get("/deals/deals.tgn").status_code == 429
    assert writer.ask("deals").status_code == 200
    assert stream(reader, NDJSON)  # somebody else


def test_so_many_at_a_time(reader: ApiClient, two: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "DOWNLOAD_PLACES", BoundedSemaphore(1))
    slow = reader.ask("deals", accept=NDJSON)  # it was not read yet
    refused = reader.ask("deals", accept=NDJSON)
    assert_error(refused, 429, "throttled")
    assert refused["Retry-After"] == "10"
    assert client.get("/deals/deals.tgn").status_code == 429
    assert reader.ask("deals").status_code == 200
    assert b"".join(slow.streaming_content)
    for _ in range(2):
        assert b"".join(client.get("/deals/deals.tgn").streaming_content), "the place was given back"
    assert client.head("/deals/deals.tgn").status_code == 200
    assert stream(reader, NDJSON)


def test_two_at_a_time_for_each_user_and_address(
    reader: ApiClient, writer: ApiClient, two: Any, client: Any
) -> None:
    slow = [reader.ask("deals", accept=NDJSON) for _ in range(2)]
    refused = reader.ask("deals", accept=NDJSON)
    assert_error(refused, 429, "throttled")
    assert "2 downloads already" in refused.json()["detail"]
    page = client.get("/deals/deals.tgn")
    assert page.status_code == 429
    assert "two downloads running" in page.content.decode()
    assert stream(writer, NDJSON), "a user"
    assert b"".join(reader.ask("deals", accept=NDJSON, REMOTE_ADDR="192.0.2.1").streaming_content)
    assert b"".join(slow[0].streaming_content)
    assert stream(reader, NDJSON), "one has ended"


def test_a_download_counts_as_long_as_it_is_fetched() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    download = downloads.Download(request, iter([b"1", b"2", b"3"]))
    own = download._own
    assert own is not None
    pieces = iter(download)
    next(pieces)
    cache.touch(own, 30)  # so much is left
    download._held_since -= 90  # after so long
    next(pieces)
    client = cache._cache.get_client(None)  # type: ignore[attr-defined]
    assert client.ttl(cache.make_key(own)) > 100
    download.close()
    assert not cache.has_key(own)


@pytest.mark.parametrize(("seconds", "pieces"), [(1, 100), (5, 13)])
def test_who_reads_too_slowly_is_left(seconds: int, pieces: int, monkeypatch: Any) -> None:
    """A piece of 16 kB a second is just enough; one in five seconds ends the download after a minute."""
    now, fetched = [0.0], 0
    monkeypatch.setattr(downloads.time, "monotonic", lambda: now[0])
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    download = downloads.Download(request, iter([b"x" * 16 * 1024] * 100))
    with suppress(downloads.TooSlow):
        for _piece in download:
            fetched += 1
            now[0] += seconds
    download.close()
    assert fetched == pieces


def test_downloads_leave_their_places_to_those_who_wait(
    writer: ApiClient, two: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "DOWNLOAD_PLACES", BoundedSemaphore(1))
    with downloads.DOWNLOAD_PLACES:
        assert_error(writer.ask("deals", accept=NDJSON), 429, "throttled")
        answer = writer.send(samples.TAROKY, headers={"Prefer": "wait=30"})
        assert answer["Preference-Applied"] == "wait=30"
