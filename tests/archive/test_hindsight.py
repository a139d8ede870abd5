"""Hindsight is computed in spans of deals, after everything else, and only where the cards have values."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pyarrow import parquet

import tarock
from archive import packed_losses, tasks
from archive.access import EVERYBODY
from archive.kernel.solver import Solver
from archive.models import Contribution, Deal, Hindsight, HindsightSpan
from archive.publishing import dumps, export
from archive.reading import operation
from archive.reading.deals import iter_deals
from archive.reading.filters import Filters
from archive.storing import campaigns, hindsight, queue, sweeper
from tarock.analysis import endings
from tarock.analysis import hindsight as engine
from tarock.notation import read_one
from tests.archive.test_campaigns import OTHER_SCORE
from tests.conformance import FOLDER
from tests.support import samples
from tests.support.storing import stored

ROWS = [json.loads(line) for line in (FOLDER / "endings.jsonl").read_text("utf-8").splitlines()]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("row", ROWS[4::16], ids=lambda row: row["digest"][:6])
def test_it_agrees_with_the_known_values_and_explains_the_score(row: dict[str, Any], monkeypatch) -> None:
    monkeypatch.setattr(engine, "TRICKS", 6)
    monkeypatch.setattr(engine, "ENGINE_TRICKS", 5)
    record = read_one(row["text"])
    found = engine.hindsight(record, Solver())
    if row["why"] == "each-for-himself":
        assert (found, engine.why_not(record)) == (None, "each-for-himself")
        return
    losses = {loss.step: loss.points for loss in found.losses}
    if row["values"]:
        assert found.first <= row["step"]
        played = row["values"][record.events[row["step"]][2]]
        assert losses.get(row["step"], 0) == max(row["values"].values()) - played
    # The value at the start, less what this side lost, plus what the other lost, is the score.
    first = endings.ending(record, found.first, solver=Solver())
    sides = endings.sides_of(endings.position(record, found.first)[1])
    end = endings.fold(record).table
    own = endings.worth(end, first.seat, end.outcome())
    per_opponent = {seat: abs(endings.worth(end, seat, end.outcome())) for seat in sides}
    least = min(per_opponent.values())
    assert all(points > 0 for points in losses.values())
    if least and all(number == least for number in per_opponent.values()):
        lost = sum(x.points if sides[x.seat] == sides[first.seat] else -x.points for x in found.losses)
        assert max(first.values.values()) - lost == own
    assert packed_losses.unpack(packed_losses.pack(found), record.game) == found


def test_words_of_a_choice_and_clauses_survive_packing() -> None:
    losses = (
        engine.Loss(300, "B", "T17(ros)", 1, 1, "strohmann.ros"),
        engine.Loss(301, "A", "CQ", 70_000, 0, ""),
    )
    found = engine.Hindsight(130, losses)
    assert packed_losses.unpack(packed_losses.pack(found), "strohmann") == found


@pytest.fixture(autouse=True)
def quiet_queues(monkeypatch) -> None:
    """No work of other kinds waits."""
    monkeypatch.setattr(queue, "length", {"hindsight": 0, "interactive": 0}.get)


@pytest.fixture
def deals(monkeypatch) -> list[int]:
    monkeypatch.setattr(engine, "TRICKS", 4)
    monkeypatch.setattr(engine, "ENGINE_TRICKS", 4)
    played = [*samples.simulated("troggu", 4, 3), *samples.simulated("strohmann", 2, 1)]
    stored(samples.TAROKY, samples.ILLEGAL_BID, samples.as_text(played), samples.dealt(1))
    return list(Deal.objects.order_by("pk").values_list("pk", flat=True))


def analyse_all() -> None:
    hindsight.cover()
    for pk in HindsightSpan.objects.values_list("pk", flat=True):
        hindsight.compute(pk)


@pytest.mark.storage
def test_the_sweeper_finds_new_deals_and_a_worker_analyses_them_once(messages, deals) -> None:
    assert not messages, "intake sends no message for hindsight"
    hindsight.cover()
    span = deals[-1] // HindsightSpan.DEALS
    assert messages == [("hindsight_span", [span], "hindsight")]
    for pk in HindsightSpan.objects.values_list("pk", flat=True):
        tasks.hindsight_span(pk)
    assert set(HindsightSpan.objects.values_list("state", flat=True)) == {"done"}
    verified = Deal.objects.filter(verdict="verified")
    with_values = {deal.pk for deal in verified if not engine.why_not(read_one(deal.text))}
    rows = {row.deal_id: row for row in Hindsight.objects.all()}
    assert rows.keys() == with_values
    for pk, row in rows.items():
        deal = Deal.objects.get(pk=pk)
        found = row.read(deal.game)
        assert found == engine.hindsight(read_one(deal.text), Solver())
        assert row.dearest == max((loss.points for loss in found.losses), default=0)
        assert row.engine_version == tarock.__version__
    messages.clear()
    hindsight.cover()
    assert (messages, hindsight.compute(span)) == ([], None), "nothing is left"
    stored(samples.as_text(samples.simulated("troggu", 4, 1, seed=9)))
    hindsight.cover()
    assert messages[-1][1] == [Deal.objects.latest("pk").pk // HindsightSpan.DEALS]


def test_a_worker_stops_between_deals_as_soon_as_an_upload_waits(deals, monkeypatch) -> None:
    hindsight.cover()
    # The ids decide how the deals fall into spans; one span has at least four of the seven.
    ((number, most),) = Counter(pk // HindsightSpan.DEALS for pk in deals).most_common(1)
    span = HindsightSpan.objects.get(pk=number)
    monkeypatch.setattr(queue, "length", lambda name: int(name == queue.INTERACTIVE))
    hindsight.compute(span.pk)
    span.refresh_from_db()
    assert (span.state, span.claims) == ("waiting", 0)
    assert Hindsight.objects.count() < most


def test_a_changed_score_and_a_new_engine_compute_it_again(deals, monkeypatch) -> None:
    analyse_all()
    deal = Hindsight.objects.latest("pk").deal
    with monkeypatch.context() as changed:
        verdict = campaigns.check(read_one(deal.text))
        changed.setattr(campaigns, "check", lambda _: replace(verdict, **OTHER_SCORE))
        campaigns.verify_now([deal])
    assert not Hindsight.objects.filter(pk=deal.pk).exists()
    assert hindsight.compute(deal.pk // HindsightSpan.DEALS)
    assert Hindsight.objects.filter(pk=deal.pk).exists()
    Hindsight.objects.update(engine_version="0")
    hindsight.start_again()
    assert not Hindsight.objects.exists()
    assert set(HindsightSpan.objects.values_list("state", flat=True)) == {"waiting"}


def test_an_error_of_ours_is_told_and_stops_no_other_deal(deals, monkeypatch) -> None:
    bad = Deal.objects.filter(verdict="verified", game="strohmann").latest("pk")
    real = engine.hindsight

    def broken(record: Any, solver: Any) -> Any:
        if record.digest == bytes(bad.digest).hex():
            raise ZeroDivisionError
        return real(record, solver)

    monkeypatch.setattr(hindsight, "hindsight", broken)
    analyse_all()
    (span,) = HindsightSpan.objects.filter(state="failed")
    assert f"deal {bad.pk}" in span.error
    assert "ZeroDivisionError" in span.error
    assert operation.count_faults() == 1
    assert Hindsight.objects.exists()


def test_a_lost_worker_is_noticed(messages, deals) -> None:
    hindsight.cover()
    pk = deals[-1] // HindsightSpan.DEALS
    HindsightSpan.objects.filter(pk=pk).update(state="working", claims=1, due_at=timezone.now())
    assert sweeper.sweep().lost == 1
    messages.clear()
    hindsight.cover()
    assert messages == [("hindsight_span", [pk], "hindsight")]


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    (path,) = folder.glob(f"{name}-*.parquet")
    return parquet.read_table(path).to_pylist()


def test_a_dump_has_a_row_for_each_analysed_card(deals, tmp_path) -> None:
    dumps.write(tmp_path, current=True)
    assert rows_of(tmp_path, "cards") == [], "nothing is analysed yet"
    assert {row["loss"] for row in rows_of(tmp_path, "results")} == {None}
    analyse_all()
    assert not dumps.write(tmp_path, nightly=True), "it waits for the new month"
    assert dumps.write(tmp_path, current=True), "it changes the files"
    rows = rows_of(tmp_path, "cards")
    stored = Hindsight.objects.in_bulk()
    assert list(rows[0]) == list(dumps.CARDS)
    assert list(dict.fromkeys(row["id"] for row in rows)) == sorted(stored)
    for row in rows:
        events = read_one(Deal.objects.get(pk=row["id"]).text).events
        assert events[row["step"]] == (row["seat"], "play", row["card"])
        assert row["loss"] or row["best"] == row["card"]
    # The loss is the value of the best card less that of the card played.
    losing = [row for row in rows if row["loss"]]
    assert losing
    for row in losing[-5:]:
        record = read_one(Deal.objects.get(pk=row["id"]).text)
        values = endings.ending(record, row["step"]).values
        assert values[row["best"]] == max(values.values()) == values[row["card"]] + row["loss"]
    seats = Counter[tuple[int, str]]()
    for row in losing:
        seats[row["id"], row["seat"]] += row["loss"]
    for row in rows_of(tmp_path, "results"):
        assert row["loss"] == (seats[row["id"], row["seat"]] if row["id"] in stored else None)
    Contribution.objects.filter(deal=losing[0]["id"]).update(visibility="withdrawn", feed_number=10**6)
    dumps.write(tmp_path, current=True)
    assert losing[0]["id"] not in {row["id"] for row in rows_of(tmp_path, "cards")}


@pytest.mark.storage
def test_losses_are_a_part_of_a_deal(deals, django_assert_num_queries) -> None:
    analyse_all()
    sums = {}
    for pk, row in Hindsight.objects.in_bulk().items():
        sums[pk] = Counter(dict.fromkeys(Deal.objects.get(pk=pk).active, 0))
        for loss in row.read(row.deal.game).losses:
            sums[pk][loss.seat] += loss.points
    parts = ("id", "unit", "losses")
    with django_assert_num_queries(6):
        shown = list(iter_deals(Filters(), EVERYBODY))
        lines = [json.loads(line) for line in export.ndjson(shown, parts)]
    assert {line["id"]: line["losses"] for line in lines} == {pk: sums.get(pk) for pk in deals}
    assert "losses" not in json.loads(next(export.ndjson(shown)))
    table = b"".join(export.table(shown)).decode("utf-8-sig").splitlines()
    for line in csv.DictReader(table):
        of_deal = sums.get(int(line["id"]), {})
        assert {seat: line[f"loss_{seat}"] for seat in "ABCD"} == {
            seat: str(of_deal.get(seat, "")) for seat in "ABCD"
        }
