"""The same thing has the same name in all responses and filters."""

import csv
import io
import json
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from archive.models import Contribution
from archive.storing import spaces
from tests import samples
from tests.storing import stored

from .conftest import JSON, NDJSON, ApiClient


def in_lists(client: ApiClient, **query: Any) -> dict[str, list[Any]]:
    """The deals that fit, by the form in which they are listed."""
    lines = b"".join(client.ask("deals", query, accept=NDJSON).streaming_content).decode().splitlines()
    table = b"".join(client.ask("deals", query, accept="text/csv").streaming_content).decode()
    return {
        "page": client.ask("deals", {"order": "oldest", **query}).json()["results"],
        "ndjson": [json.loads(line) for line in lines],
        "csv": list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff")))),
    }


@pytest.mark.parametrize("others", [False, True])
def test_a_deal_is_told_and_asked_for_by_one_key(
    writer: ApiClient, reader: ApiClient, alena: User, borek: User, others: bool
) -> None:
    """Also where others say something of the same cards: the key is of what one contribution says."""
    if others:
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


def test_a_club_is_a_number_and_has_a_name(writer: ApiClient, reader: ApiClient, alena: User) -> None:
    club = spaces.found_club("Tarok Hlučín", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}").status_code == 201
    writer.send(samples.TROGGU)
    told = {"club": club.pk, "club_name": "Tarok Hlučín"}
    for query in ({"club": club.pk}, {"club_name": "hlucin"}):
        (page,), (line,), (row,) = in_lists(reader, **query).values()
        assert {name: page[name] for name in told} == {name: line[name] for name in told} == told
        assert (row["club"], row["club_name"]) == (str(club.pk), "Tarok Hlučín")
        assert {row["club"] for row in reader.ask("scores", query).json()["results"]} == {club.pk}
    (said,) = reader.get(page["url"]).json()["contributions"]
    assert {name: said[name] for name in told} == told
    assert said["players"] == page["players"]
    (change,) = reader.ask("changes", {"club": club.pk, "fields": "club,club_name"}).json()["changes"]
    assert change["shown"] == told
    (other,) = reader.ask("deals", {"game": "troggu"}).json()["results"]
    assert (other["club"], other["club_name"]) == (None, None)
