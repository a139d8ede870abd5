"""With a real worker: a sender gets the verdicts in one call, and can request the score."""

import pytest

from tests import samples
from tools.site import Site

from .conftest import ApiClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("path", ["deals", "uploads"])
def test_sent_stored_scored(path: str, live_worker: Site, writer: ApiClient, reader: ApiClient) -> None:
    records = samples.TAROKY, samples.DISPUTED_TROGGU, samples.MALFORMED, samples.NOT_HELD, samples.BROKEN_OFF
    response = writer.send("\n".join(records), path=path, headers={"Prefer": "wait=60"})
    assert response.status_code == {"deals": 201, "uploads": 200}[path], live_worker.output[-4000:]
    results = response.json()["results"]
    assert [result["verdict"] for result in results] == [
        "verified",
        "disputed",
        None,
        "illegal",
        "incomplete",
    ]
    assert writer.get(response.json()["url"]).json()["results"] == results

    sheets = [reader.ask(f"deals/{result['id']}/score").json() for result in results if result["id"]]

    assert [sheet["verdict"] for sheet in sheets] == ["verified", "disputed", "illegal", "incomplete"]
    assert [sheet["score"] for sheet in sheets] == [samples.TAROKY_SCORE, samples.TROGGU_SCORE, None, None]
    for sheet in sheets[:2]:
        sums = dict.fromkeys(sheet["score"], 0)
        for line in sheet["lines"]:
            for seat, points in line["points"].items():
                sums[seat] += points
        assert sums == sheet["score"]
    rows = reader.ask("scores", {"player": "Alena"}).json()["results"]
    assert [(row["game"], row["deals"], row["points"]) for row in rows] == [
        ("taroky", 1, 105),
        ("troggu", 1, 4),
    ]
