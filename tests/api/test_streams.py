"""`GET /deals` as a stream, the parts of a deal, the order, and which deals are meant."""

import csv
import io
import json
from contextlib import suppress
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import RequestFactory

from archive.models import Deal, Member
from archive.publishing import export
from archive.reading import deals
from archive.shown import ShownDeal
from archive.storing import spaces
from archive.web import downloads
from tarock.notation import read
from tests.support import samples
from tests.support.storing import stored

from .conftest import NDJSON, TGN, ApiClient
from .shape import assert_error

CSV = "text/csv"
Two = tuple[ShownDeal, ShownDeal]


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
def two(taroky: ShownDeal, troggu: ShownDeal) -> Two:
    """Two deals, the older first."""
    return taroky, troggu


# --- forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("accept", "form"), [(NDJSON, "ndjson"), (CSV, "csv"), (TGN, "tgn")])
def test_by_accept_and_by_format(reader, two, accept, form) -> None:
    answer = reader.ask("deals", accept=accept)
    assert answer["Content-Type"] == f"{accept}; charset=utf-8"
    assert answer["Cache-Control"] == "no-store"
    assert "Accept" in answer["Vary"].split(", ")
    assert stream(reader, format=form) == b"".join(answer.streaming_content).decode() != ""
    assert reader.head("/api/v1/deals", {"format": form}).status_code == 200
    assert_error(reader.ask("deals", {"format": "xml"}), 406, "not_acceptable", field="format")


def test_a_line_is_the_deal_on_its_page_and_in_a_list(reader, two) -> None:
    for line, deal in zip(lines(reader, fields=",".join(export.PARTS)), two, strict=True):
        page = reader.ask(f"deals/{deal.pk}").json()
        assert line == {name: page[name] for name in export.PARTS}
        assert list(line) == list(export.PARTS)
        assert line["record"] == json.loads(reader.ask(f"deals/{deal.pk}").content)["record"]
    assert (line["partner"], line["result"], line["card_points"]) == (None, "won", 62)
    assert line["clauses"][0].startswith("troggu.")
    page = reader.ask("deals", {"order": "oldest"}).json()["results"]
    assert lines(reader) == page
    assert list(page[0]) == list(export.LISTED)


def test_tgn_is_read_again_and_says_what_text_cannot_write(reader, two, store) -> None:
    records = [deal.record for deal in two]
    assert [entry.record for entry in read(stream(reader, TGN))] == records
    bad = store(samples.json_text(samples.wrong_seat_json()))
    text = stream(reader, TGN, order="newest")
    assert text.startswith(f"; Deal {bad.pk} is left out: text cannot write it.")
    assert [entry.record for entry in read(text)] == records[::-1]
    games = [line["record"]["game"] for line in lines(reader, fields="record")]
    assert games == ["taroky", "troggu", "taroky"]


def test_a_table(reader, two) -> None:
    rows = list(csv.DictReader(io.StringIO(stream(reader, CSV).removeprefix("\ufeff"))))
    assert [row["id"] for row in rows] == [str(deal.pk) for deal in two]
    assert [row["points_B"] for row in rows] == ["-105", "-2"]
    assert [row["claim_D"] for row in rows] == ["105", ""]
    short = stream(reader, CSV, fields="players,game", game="troggu").removeprefix("\ufeff")
    assert next(csv.reader(io.StringIO(short)))[:3] == ["game", "player_A", "player_id_A"]


def test_some_parts_and_each_alone(reader, two, store) -> None:
    assert lines(reader, fields="id,score", limit=1) == [{"id": two[0].pk, "score": samples.TAROKY_SCORE}]
    query = {"fields": "digest,record", "game": "taroky"}
    (deal,) = reader.ask("deals", query).json()["results"]
    assert list(deal) == ["digest", "record"]
    assert deal["record"] == reader.ask(f"deals/{two[0].pk}").json()["record"]
    for name in export.PARTS:
        page = reader.ask("deals", {"fields": name}).json()["results"]
        assert [list(row) for row in (*lines(reader, fields=name), *page)] == [[name]] * 4
    illegal = store(samples.NOT_HELD)
    (line,) = lines(reader, fields="finding,clauses", ids=illegal.pk)
    assert line["finding"] == reader.ask(f"deals/{illegal.pk}/score").json()["finding"]
    assert line["clauses"] == [line["finding"]["clause"]] == ["common.not-held"]


def test_parts_that_there_are_not(reader, db) -> None:
    for query, named in (
        ({"fields": "id,colour"}, "card_points"),
        ({"fields": ""}, ""),
        ({"format": "csv", "fields": "record"}, "card_points"),
        ({"format": "tgn", "fields": "id"}, "whole records"),
    ):
        error = assert_error(reader.ask("deals", query), 400, "invalid_parameter", field="fields")
        assert named in error["detail"]


# --- order and place ----------------------------------------------------------------------------------------


def test_either_order_page_by_page(reader, two) -> None:
    """Streams begin with the oldest deal, pages with the newest."""
    numbers = [deal.pk for deal in two]
    assert [line["id"] for line in lines(reader)] == numbers
    assert [line["id"] for line in lines(reader, order="newest")] == numbers[::-1]
    assert [deal["id"] for deal in reader.ask("deals").json()["results"]] == numbers[::-1]
    for order, expected in (("oldest", numbers), ("newest", numbers[::-1])):
        first = reader.ask("deals", {"order": order, "limit": 1, "format": "json"})
        assert f'<{first.json()["next"]}>; rel="next"' in first["Link"]
        assert '/api/v1/schema>; rel="service-desc"' in first["Link"]
        assert "format" not in first.json()["next"]
        second = reader.get(first.json()["next"])
        assert second.json()["next"] is None
        assert "next" not in second["Link"]
        found = [*first.json()["results"], *second.json()["results"]]
        assert [deal["id"] for deal in found] == expected
    first, second = numbers
    assert ids(reader, after=first) == [second]
    assert ids(reader, before=second) == [first]
    assert ids(reader, after=first, before=second) == []
    assert ids(reader, limit=1) == [first]
    assert len(lines(reader, limit=10**8)) == 2


def test_when_it_was_stored(reader, two) -> None:
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


# --- which deals --------------------------------------------------------------------------------------------


def test_by_numbers_keys_and_digests(reader, two, borek) -> None:
    first, second = two
    assert ids(reader, ids=f"{second.pk}, {first.pk},{first.pk}") == [first.pk, second.pk]
    assert ids(reader, digest=second.hex_digest.upper()) == [second.pk]
    assert ids(reader, digest=f"{'0' * 64},{first.hex_digest}") == [first.pk]
    stored(samples.TAROKY.replace('"Alena"', '"Anna"'), user=borek)
    said = deals.contributions_to(first.pk)[1]
    key = f"{first.pk}-{said.pk}"
    (line,) = lines(reader, ids=key, fields="deal,record")
    assert (line["deal"], line["record"]["players"]["A"]) == (key, "Anna")
    assert lines(reader, ids=f"{second.pk}-{said.pk}") == []
    found = [line["deal"] for line in lines(reader, ids=f"{key},{second.pk}")]
    assert found == [key, f"{second.pk}-{second.contribution.pk}"]
    many = ",".join(f"{first.pk}-{n}" for n in range(said.pk, said.pk + 500))
    assert [line["id"] for line in lines(reader, ids=many)] == [first.pk]


def test_what_one_sent_oneself(writer, stranger, reader, borek) -> None:
    own = writer.send(samples.TAROKY).json()["results"][0]["id"]
    stranger.send(samples.TROGGU)
    assert ids(writer, mine="true") == [own]
    assert len(ids(writer, mine="false")) == 2
    assert_error(reader.ask("deals", {"mine": "true"}), 401, "not_authenticated")
    assert_error(reader.ask("deals", {"mine": "true"}, accept=NDJSON), 401, "not_authenticated")
    scores = writer.ask("scores", {"mine": "true"}).json()["results"]
    assert {row["player"] for row in scores} == {"Alena", "Bořek", "Cyril", "Dana"}


def test_a_stream_has_what_its_reader_may_see(reader, writer, stranger, alena) -> None:
    club = spaces.found_club("Tarok", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}&visibility=members").status_code == 201
    assert Member.objects.filter(user=alena, space=club).exists()
    (seen,) = lines(writer)
    assert (seen["club"], seen["club_name"]) == (club.pk, "Tarok")
    for query in ({}, {"ids": seen["id"]}, {"digest": seen["digest"]}, {"since": "2000-01-01"}):
        for client in (reader, stranger):
            assert lines(client, **query) == []


# --- how many -----------------------------------------------------------------------------------------------


def test_streams_count_as_downloads(reader, writer, two, settings, client, alena) -> None:
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


def test_so_many_at_a_time(reader, writer, two, client, monkeypatch) -> None:
    monkeypatch.setattr(downloads, "DOWNLOAD_PLACES", BoundedSemaphore(1))
    slow = reader.ask("deals", accept=NDJSON)  # it was not read yet
    refused = reader.ask("deals", accept=NDJSON)
    assert_error(refused, 429, "throttled")
    assert refused["Retry-After"] == "10"
    assert client.get("/deals/deals.tgn").status_code == 429
    assert reader.ask("deals").status_code == 200
    # Those who wait for results have other places.
    answer = writer.send(samples.TAROKY, headers={"Prefer": "wait=30"})
    assert answer["Preference-Applied"] == "wait=30"
    assert b"".join(slow.streaming_content)
    for _ in range(2):
        assert b"".join(client.get("/deals/deals.tgn").streaming_content), "the place was given back"
    head = client.head("/deals/deals.tgn")
    assert (head.status_code, head.getvalue()) == (200, b"")
    assert stream(reader, NDJSON)


def test_two_at_a_time_for_each_user_and_address(reader, writer, two, client) -> None:
    slow = [reader.ask("deals", accept=NDJSON) for _ in range(2)]
    refused = reader.ask("deals", accept=NDJSON)
    assert "2 downloads already" in assert_error(refused, 429, "throttled")["detail"]
    page = client.get("/deals/deals.tgn")
    assert page.status_code == 429
    assert "two downloads running" in page.content.decode()
    assert stream(writer, NDJSON), "a user"
    assert b"".join(reader.ask("deals", accept=NDJSON, REMOTE_ADDR="192.0.2.1").streaming_content)
    assert b"".join(slow[0].streaming_content)
    assert stream(reader, NDJSON), "one has ended"


def a_download(*pieces: bytes) -> downloads.Download:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return downloads.Download(request, iter(pieces))


def test_a_download_counts_as_long_as_it_is_fetched() -> None:
    download = a_download(b"1", b"2", b"3")
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
def test_who_reads_too_slowly_is_left(seconds, pieces, monkeypatch) -> None:
    """A piece of 16 kB a second is just enough; one in five seconds ends the download after a minute."""
    now, fetched = [0.0], 0
    monkeypatch.setattr(downloads.time, "monotonic", lambda: now[0])
    download = a_download(*[b"x" * 16 * 1024] * 100)
    with suppress(downloads.TooSlow):
        for _piece in download:
            fetched += 1
            now[0] += seconds
    download.close()
    assert fetched == pieces
