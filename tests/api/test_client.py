"""A client that a program has made of the OpenAPI description, used on the site as `make run` starts it."""

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tarock.notation import dump_json, write_text
from tarock.simulate import simulate
from tarock.verify import check
from tests import samples
from tools.site import Site


@pytest.fixture
def made(product: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The package that was made."""
    _, _, document = product.request("GET", "/api/v1/schema")
    (tmp_path / "openapi.json").write_bytes(document)
    # What it has made it does not tidy up: that would need a program in the path.
    (tmp_path / "config.yaml").write_text("post_hooks: []", encoding="utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json"]
    command += ["--meta", "none", "--output-path", "archive_client", "--config", "config.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    # Bodies of text it can't send; all else it has understood.
    complaints = {
        line for line in done.stdout.splitlines() if line.startswith(("Unsupported", "Cannot", "Error"))
    }
    assert all(line.startswith("Unsupported content type") for line in complaints), done.stdout
    described = {
        operation["operationId"]
        for operations in json.loads(document)["paths"].values()
        for operation in operations.values()
    }
    folder = tmp_path / "archive_client" / "api"
    assert {path.stem for path in folder.glob("*/*.py")} - {"__init__"} == described
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "archive_client"]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("archive_client")


def test_it_sends_and_reads(made: ModuleType, product: Site) -> None:
    def call(name: str, *arguments: Any, **named: Any) -> Any:
        return importlib.import_module(f"archive_client.api.{name}").sync(*arguments, client=client, **named)

    models = importlib.import_module("archive_client.models")
    client = made.AuthenticatedClient(base_url=product.address, token=product.token, prefix="Token")
    (record,) = simulate("taroky", deals=1, seed=70)  # nobody else sends it to this site
    sent = json.loads(dump_json(replace(record, tags={"Event": "by a client"})))
    for name in ("options", "comments"):  # which a record may leave out
        assert not sent.pop(name)
    *events, last_but_one, last = sent["events"]
    wrong = {**sent, "tags": {}, "events": [*events, last, last_but_one]}
    records = [models.Record.from_dict(one) for one in (sent, wrong)]

    upload = call("deals.store_deals", body=records, prefer="wait=60")

    assert isinstance(upload, models.Upload)
    assert [(result.outcome, result.verdict) for result in upload.results] == [
        ("stored", "verified"),
        ("stored", "illegal"),
    ]
    first, second = (str(result.id) for result in upload.results)
    original = call("deals.get_original", first)
    assert isinstance(original, models.Original)
    assert (original.form, json.loads(original.text)) == ("json", sent)
    (shown,) = call("deals.list_deals", ids=upload.results[0].deal).results
    assert (shown.deal, shown.url) == (upload.results[0].deal, upload.results[0].url)
    sheet = call("deals.get_score", first)
    assert isinstance(sheet, models.ScoreSheet)
    expected = check(record)
    assert sheet.score.to_dict() == expected.score
    assert sum(line.points["A"] for line in sheet.lines) == expected.score["A"]
    assert (sheet.facts.declarer, sheet.facts.partner) == ("D", "C")
    assert {quantity for line in sheet.lines for quantity in line.quantity.to_dict()} >= {"points", "half"}
    finding = call("deals.get_score", second).finding
    assert (finding.clause, finding.seat) == ("common.turn", "C")
    found = call("deals.list_deals", limit=1, event="BY A CLIENT")
    assert [str(deal.id) for deal in found.results] == [first]
    assert call("uploads.get_upload", upload.upload).finished
    line = models.Variation(id=1, step=len(events), events=[last], from_=0, name="so far")
    wanted = models.SaveRequest(variations=[line], visibility=models.Sharing.PUBLIC, version=0)
    saved = call("variations.save_variations", first, body=wanted)
    assert (saved.mine, saved.version, saved.variations[0].events) == (True, 1, [last])
    assert [one.key for one in call("variations.list_variations", first).results] == [saved.key]
    found = call("variations.get_variations", saved.key)
    assert (found.played.score.to_dict(), found.variations[0].name) == (expected.score, "so far")
    problem = call("deals.get_deal", "999999")
    assert isinstance(problem, models.Problem)
    assert (problem.status, problem.code) == (404, "not_found")


def test_it_reads_what_was_sent_as_text(made: ModuleType, product: Site) -> None:
    deals = importlib.import_module("archive_client.api.deals.get_original")
    client = made.AuthenticatedClient(base_url=product.address, token=product.token)
    (record,) = simulate("troggu", deals=1, seed=71)
    text = write_text(record)
    headers = {"Content-Type": "application/vnd.tgn", "Prefer": "wait=60"}
    sent = client.get_httpx_client().post("api/v1/deals", content=text.encode(), headers=headers).json()
    key = sent["results"][0]["deal"]
    original = deals.sync(key, client=client)
    assert (original.deal, original.form, original.text) == (key, "tgn", text)


def test_it_checks_one_record_alone(made: ModuleType, product: Site) -> None:
    verify = importlib.import_module("archive_client.api.verify.verify")
    record = importlib.import_module("archive_client.models").Record.from_dict(samples.taroky_json())
    answer = verify.sync(client=made.Client(base_url=product.address), body=record)
    assert [check.verdict for check in answer.results] == ["verified"]
