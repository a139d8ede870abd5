"""The figures for Prometheus, and the operator's page that has them in words."""

from __future__ import annotations

import json
import os
import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import yaml
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from archive import counters
from archive.models import Note
from archive.reading import operation, statistics
from archive.storing import spaces
from tests.infra.programs import python
from tests.support import samples, settling
from tests.support.storing import receive, store, stored
from tools.site import PROJECT

pytestmark = pytest.mark.django_db

# A site without a replica or a backup lacks some of these.
WHERE_THERE_ARE = [f"{name}_timestamp_seconds" for name in ("sweep", "backup", "rehearsal")]
WHERE_THERE_ARE += ["replica_lag_seconds", "replica_up"]

TOKEN = {"authorization": "Bearer secret of Prometheus"}


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = "secret of Prometheus"


def figures() -> dict[str, float]:
    """All samples, by name and labels as Prometheus writes them."""
    answer = Client().get("/metrics", headers=TOKEN)
    assert answer.status_code == 200, answer.content
    assert answer["Cache-Control"] == "no-store"
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_figures_are_for_who_has_the_token(settings: Any) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN["authorization"][:-1]}):
        refused = Client().get("/metrics", headers=headers)
        assert (refused.status_code, refused.content) == (401, b"")
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


def test_what_waits_and_what_was_done() -> None:
    part = receive(samples.TAROKY)
    before = figures()
    assert before['tarock_parts_waiting{queue="interactive"}'] == 1
    assert before['tarock_part_oldest_seconds{queue="interactive"}'] > 0
    assert before["tarock_database_up"] == before["tarock_broker_up"] == 1
    assert "tarock_sweep_timestamp_seconds" not in before
    store(part)
    counters.note_sweep()
    after = figures()
    assert after['tarock_parts_waiting{queue="interactive"}'] == 0
    assert after["tarock_parts_total"] == after["tarock_checks_total"] == 1
    assert after['tarock_verdicts_total{verdict="verified"}'] == 1
    assert after['tarock_records_total{outcome="stored"}'] == 1
    assert 0 < after["tarock_check_seconds_total"] < 5
    assert after["tarock_sweep_timestamp_seconds"] > 0


def test_a_new_deal_counts_by_the_verdict_that_its_sender_sees() -> None:
    stored(samples.DISPUTED, samples.DISPUTED, samples.ILLEGAL, samples.DISPUTED_SHEET)
    counted = {name: number for name, number in operation.get_work().verdicts.items() if number}
    assert counted == {"disputed": 2, "illegal": 1}
    settling.settle()
    assert counted == statistics.count_archive().by_verdict
    # The deal is there; a further sender is no new deal.
    stored(samples.TAROKY, space=spaces.guest())
    assert operation.get_work().verdicts["verified"] == 0


def test_requests_are_counted_by_route_whatever_they_ask_for() -> None:
    deals = 'method="GET",route="/api/v1/deals",status="200"'
    lost = 'method="other",route="none",status="404"'
    before = figures()
    for number in range(3):
        Client().get(f"/api/v1/deals?limit={number + 1}")
        Client().generic("BREW", f"/there/is/nothing/{number}")
    after = figures()
    for labels in (deals, lost):
        name = f"tarock_requests_total{{{labels}}}"
        assert after[name] - before.get(name, 0) == 3, (labels, sorted(after))
    seconds = 'tarock_request_seconds_count{route="/api/v1/deals"}'
    assert after[seconds] - before.get(seconds, 0) == 3
    assert not any("metrics" in name for name in after)  # probes are not counted


def test_board_and_alerts_ask_for_figures_that_there_are() -> None:
    """No Prometheus is at hand; a name that is misspelt would be found by an alert that never comes."""
    given = {name.partition("{")[0] for name in figures()} | {"up", "tarock_request_seconds_bucket"}
    given |= {f"tarock_{name}" for name in WHERE_THERE_ARE}
    folder = PROJECT / "deploy" / "monitoring"
    (group,) = yaml.safe_load((folder / "alerts.yaml").read_text())["groups"]
    board = json.loads((folder / "grafana.json").read_text())
    alerts = [rule["expr"] for rule in group["rules"]]
    panels = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    page = (PROJECT / "docs" / "operations.md").read_text()
    explained = re.findall(r"`(Tarock\w+)`", "".join(re.findall(r"^\| (`Tarock.*?) \|", page, re.M)))
    assert sorted(rule["alert"] for rule in group["rules"]) == sorted(explained)
    for expression in (*alerts, *panels):
        names = set(re.findall(r"\b(?:tarock_\w+|up)\b", expression))
        assert names, expression
        assert names <= given, expression
        assert expression.count("(") == expression.count(")")
        # Figures that every web server reports alike must not be added up.
        for name in names - {"up"}:
            own = name.startswith(("tarock_request", "tarock_cache_errors", "tarock_disk"))
            alone = re.search(rf"(max|min|absent)( by \(\w+\) )?\((rate\()?{name}", expression)
            assert own or alone, expression
    job = yaml.safe_load((folder / "prometheus.yaml").read_text())["scrape_configs"][0]
    assert (job["metrics_path"], job["authorization"]["type"]) == ("/metrics", "Bearer")
    assert f'job="{job["job_name"]}"' in alerts[0]


def test_the_last_backup_and_the_free_disk() -> None:
    before = figures()
    assert "tarock_backup_timestamp_seconds" not in before
    for folder in ("var", "temporary"):
        assert 0 <= before[f'tarock_disk_free_ratio{{folder="{folder}"}}'] <= 1
    Note.write("backup", "rehearsal")
    for name in ("backup", "rehearsal"):
        assert abs(figures()[f"tarock_{name}_timestamp_seconds"] - time.time()) < 60


def test_processes_of_a_server_add_up(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    count = "from deploy import instruments; instruments.CACHE_ERRORS.inc(2)"
    read = "from prometheus_client import generate_latest; from deploy import instruments; "
    read += "print(generate_latest(instruments.registry()).decode())"
    for program in (count, count, read):
        done = python("-c", program, **environment)
        assert done.returncode == 0, done.stderr
    assert "tarock_cache_errors_total 4.0" in done.stdout


def test_without_a_database_what_needs_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    away = Mock(side_effect=OperationalError("it is away"))
    monkeypatch.setattr("archive.reading.operation.get_figures", away)
    monkeypatch.setattr("deploy.metrics.connection.close", lambda: None)
    found = figures()
    assert found["tarock_database_up"] == 0
    assert "tarock_parts_total" in found
    assert "tarock_deals" not in found


def test_the_operator_reads_the_same_in_words(client: Client) -> None:
    store(receive(samples.TAROKY))
    address = "/admin/operation/"
    User.objects.create_user("anna", password="a long one")
    User.objects.create_superuser("otto", password="a long one")
    for name, status in ((None, 302), ("anna", 302), ("otto", 200)):
        if name:
            client.login(username=name, password="a long one")
        answer = client.get(address)
        assert answer.status_code == status, name
    page = answer.content.decode()
    for words in (
        "1 stored, 0 known, 0 malformed, 0 refused, 0 failed; in 1 parts", "1 verified.",
        "µs a deal, over 1 that it has checked.", "0 parts of uploads wait, 0 messages are in the queue.",
        "<strong>Look after it:</strong> it has not swept since the cache is there.",
    ):  # fmt: skip
        assert words in page
    assert f'href="{address}"' in client.get("/admin/").content.decode()
    assert page.count("none has succeeded yet.") == 2
    Note.write("backup")
    Note.objects.filter(name="backup").update(noted_at=timezone.now() - timedelta(hours=40))
    page = client.get(address).content.decode()
    assert "<strong>Look after it:</strong> one last succeeded 40 h ago." in page
