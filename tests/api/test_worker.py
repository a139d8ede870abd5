"""With a real worker: what is sent gets its verdict, and its score can be asked for."""

import time
from typing import Any

import pytest

from . import samples
from .conftest import ApiClient

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


def _when_done(client: ApiClient, deal: int, worker: Any) -> dict[str, Any]:
    """The score sheet once it has a verdict; fails with the worker's log when that does not come."""
    deadline = time.monotonic() + 60
    while True:
        sheet = client.ask(f"deals/{deal}/score").json()
        if sheet["state"] == "done":
            return sheet
        assert sheet["state"] in ("queued", "running"), sheet
        assert sheet["verdict"] is None
        assert time.monotonic() < deadline, worker.log[-4000:]
        time.sleep(0.05)


def test_sent_verified_scored(live_worker: Any, writer: ApiClient, reader: ApiClient) -> None:
    body = "\n".join(
        [samples.TAROKY, samples.DISPUTED, samples.MALFORMED, samples.ILLEGAL, samples.INCOMPLETE]
    )
    response = writer.send(body)
    assert response.status_code == 201
    report = response.json()
    assert [result["outcome"] for result in report["results"]] == ["stored"] * 2 + ["malformed"] + [
        "stored"
    ] * 2

    sheets = [_when_done(reader, result["id"], live_worker) for result in report["results"] if result["id"]]

    assert [sheet["verdict"] for sheet in sheets] == ["verified", "disputed", "illegal", "incomplete"]
    assert [sheet["score"] for sheet in sheets] == [samples.TAROKY_SCORE, samples.TROGGU_SCORE, None, None]
    for sheet in sheets[:2]:
        sums = dict.fromkeys(sheet["score"], 0)
        for line in sheet["lines"]:
            for seat, points in line["points"].items():
                sums[seat] += points
        assert sums == sheet["score"]
    again = writer.get(report["url"]).json()
    assert [result["verdict"] for result in again["results"]] == [
        "verified",
        "disputed",
        None,
        "illegal",
        "incomplete",
    ]
    assert reader.ask("scores", {"player": "Alena"}).json()["results"] == [
        {"player": "Alena", "deals": 2, "points": 109}
    ]
