"""Dumps: what is in them, what is not, and when they are written."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import CommandError
from pyarrow import parquet

from archive.management.commands.sweep import _Dump
from archive.models import Contribution, Deal, Seat, Space
from archive.publishing import dumps
from archive.publishing.columns import SEAT_COLUMNS
from archive.reading.clubs import all_clubs
from archive.reading.deals import get_deal
from archive.reading.filters import Filters
from archive.storing import corrections, feed, players, removal
from tarock.notation import read
from tests import samples, storing
from tests.archive.dumping import NOW, call, dumped, everything, unpacked

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.slow]


def test_nothing_is_in_them_that_not_everybody_sees(archive, tmp_path) -> None:
    dumped(tmp_path)
    text = everything(tmp_path)
    assert "Queen of Tarocks" in text
    assert "Hidden" not in text
    for said in archive["hidden"].values():
        assert said.deal.hex_digest not in text
    lines = [json.loads(line) for path in tmp_path.glob("metadata-*") for line in unpacked(path).splitlines()]
    own = Space.objects.get(user__username="ada").pk
    mine = [line for line in lines if line["space"]["number"] == own]
    assert mine
    records = iter(read("".join(unpacked(path) for path in sorted(tmp_path.glob("tarock-*")))))
    names = {
        name
        for line in sorted(lines, key=lambda line: line["stored_at"])
        if "record" not in line and (record := next(records).record)
        for name in record.players.values()
        if line["space"]["number"] == own
    }
    assert "Alena" not in names
    assert "ada" not in names
    assert {line["verdict"] for line in lines} == {"verified", "disputed", "illegal", "incomplete"}
    first = archive["first"].deal.hex_digest
    assert archive["brno"].pk not in [line["space"]["number"] for line in lines if line["digest"] == first]


def test_what_text_cannot_write_stands_beside(archive, tmp_path) -> None:
    dumped(tmp_path)
    lines = [json.loads(line) for path in tmp_path.glob("metadata-*") for line in unpacked(path).splitlines()]
    (line,) = [line for line in lines if "record" in line]
    assert (line["verdict"], line["record"]["game"]) == ("illegal", "taroky")


def test_files_with_names_of_an_older_release_are_replaced(archive, tmp_path, monkeypatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(dumps, "_FORM", 2)
        older.setattr(dumps, "metadata_name", "beside-{}.ndjson.zst".format)
        dumped(tmp_path)
    dumped(tmp_path)
    assert not list(tmp_path.glob("beside-*"))
    names = {line.split("  ")[1] for line in (tmp_path / dumps.SUMS).read_text().splitlines()}
    assert names == {path.name for path in tmp_path.iterdir() if path.suffix in (".zst", ".parquet")}


def test_the_columns_of_the_results_are_explained() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "operations.md").read_text(encoding="utf-8")
    table = page.partition("| Column | What it holds |")[2].partition("\n\n")[0]
    cells = "".join(row.split("|")[1] for row in table.splitlines() if "|" in row)
    assert set(re.findall(r"`(\w+)`", cells)) == {*dumps.RESULTS, *SEAT_COLUMNS}


def test_the_table_of_results(archive, tmp_path) -> None:
    dumped(tmp_path)
    rows = [
        row for path in sorted(tmp_path.glob("*.parquet")) for row in parquet.read_table(path).to_pylist()
    ]
    assert list(rows[0]) == [*dumps.RESULTS, *SEAT_COLUMNS]
    numbers = [deal.pk for deal in reversed(storing.deals())]
    assert list(dict.fromkeys(row["id"] for row in rows)) == numbers
    taroky = get_deal(Deal.objects.get(digest=bytes.fromhex(read(samples.TAROKY)[0].record.digest)).pk)
    found = [row for row in rows if row["id"] == taroky.pk]
    assert {row["deal"] for row in found} == {str(taroky.contribution.key)}
    assert [row["player_id"] for row in found] == [seat.player.head.pk for seat in taroky.seats]
    assert [(row["seat"], row["player"], row["role"], row["points"], row["claim"]) for row in found] == [
        ("A", "Queen of Tarocks", "declarer", 105, 105),
        ("B", "Bořek", "opponent", -105, -105),
        ("C", "Cyril", "opponent", -105, -105),
        ("D", "Dana", "partner", 105, 105),
    ]
    one = found[0]
    assert (one["date"], one["played_on"].isoformat(), one["club"]) == ("2026-11-20", "2026-11-20", None)
    clubs = {(row["club"], row["club_name"]) for row in rows if row["club"]}
    assert clubs
    assert clubs <= {(space.pk, space.name) for space in all_clubs()}
    assert (one["contract"], one["result"], one["seats"]) == ("first", "won", 4)
    assert one["stored_at"] == taroky.stored_at
    illegal = [row for row in rows if row["verdict"] == "illegal"]
    assert {row["points"] for row in illegal} == {None}
    assert {row["role"] for row in illegal} <= {"declarer", "partner", None}


# --- what is written, and when ------------------------------------------------------------------------------


def test_the_licence_goes_with_the_files(archive, tmp_path, settings) -> None:
    settings.DATA_LICENSE = "CC-BY-4.0"
    dumped(tmp_path)
    address = "https://creativecommons.org/licenses/by/4.0/"
    assert address in (tmp_path / "LICENSE.txt").read_text()
    index = json.loads((tmp_path / "dumps.json").read_text())
    assert index["license"] == {"id": "CC-BY-4.0", "url": address}
    table = next(tmp_path.glob("results-*.parquet"))
    assert parquet.read_schema(table).metadata[b"license"] == f"CC-BY-4.0 {address}".encode()


def test_sums_are_as_sha256sum_checks_them(archive, tmp_path) -> None:
    dumped(tmp_path)
    names = [line.split("  ")[1] for line in (tmp_path / "SHA256SUMS").read_text().splitlines()]
    there = {path.name for path in tmp_path.iterdir()} - {".lock", "SHA256SUMS", "LICENSE.txt", "dumps.json"}
    assert set(names) == there
    assert len(names) == 9
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)


def test_what_is_withdrawn_goes_with_the_next_dump(archive, tmp_path) -> None:
    dumped(tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*-*.*")}
    deal = storing.deals(Filters(game="strohmann"))[-1]
    for said in Contribution.objects.filter(deal=deal.pk):
        corrections.set_visibility(said, "withdrawn", by=None)
    dumped(tmp_path)
    assert deal.hex_digest not in everything(tmp_path)
    # Unchanged months were not touched.
    changed = {path.name for path in tmp_path.glob("*-*.*") if path.stat().st_mtime_ns != before[path.name]}
    assert {name.partition("-")[2][:7] for name in changed} == {"2026-09"}
    Contribution.objects.filter(deal__stored_at__lt=datetime(2026, 10, 1, tzinfo=UTC)).update(
        visibility="withdrawn"
    )
    dumped(tmp_path)
    assert not list(tmp_path.glob("*2026-09*"))
    assert "2026-09" not in (tmp_path / "SHA256SUMS").read_text()


def nightly(folder: Path, at: datetime) -> list[str]:
    """The months that the sweeper's process writes at a time."""
    return [month.month for month in dumps.write(folder, nightly=True, now=at)]


def _withdraw(deals: list[Contribution], user: Any) -> None:
    for said in deals:
        corrections.set_visibility(said, "withdrawn", by=user)


def _hide(deals: list[Contribution], user: Any) -> None:
    for said in deals:
        corrections.set_visibility(said, "members", by=user)


def _remove(deals: list[Contribution], user: Any) -> None:
    _withdraw(deals, user)
    removal.purge(datetime.now(UTC))


def _give_pseudonym(deals: list[Contribution], user: Any) -> None:
    for seat in Seat.objects.filter(contribution__in=deals).exclude(player=None).select_related("player"):
        players.set_pseudonym(seat.player, f"Pseudonym {seat.pk}")


@pytest.mark.parametrize("change", [_withdraw, _hide, _remove, _give_pseudonym])
def test_what_is_hidden_leaves_the_dumps_in_the_next_night(change, archive, tmp_path, settings) -> None:
    settings.DUMP_DIR = str(tmp_path)
    dumped(tmp_path)
    assert not dumps.are_due(NOW)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("*-*.*")}
    deal = storing.deals(Filters(game="strohmann"))[-1]
    contributions = list(Contribution.objects.filter(deal=deal.pk, visibility="public"))
    last = feed.latest()
    change(contributions, None)
    changed = Deal.objects.filter(contributions__feed_number__gt=last)
    months = {dumps.month_of(at) for at in changed.values_list("stored_at", flat=True)} | {"2026-09"}
    night = NOW + timedelta(days=1)
    assert dumps.are_due(night)
    assert nightly(tmp_path, night) == sorted(months)
    assert not dumps.are_due(night)
    text = "".join(unpacked(path) for path in tmp_path.glob("*2026-09.*.zst"))
    assert (deal.hex_digest in text) == ("Pseudonym" in text) == (change is _give_pseudonym)
    touched = {path.name for path in tmp_path.glob("*-*.*") if path.stat().st_mtime_ns != before[path.name]}
    assert {name.partition("-")[2][:7] for name in touched} == months
    assert nightly(tmp_path, night + timedelta(days=1)) == [], "an unchanged month costs nothing"


def test_other_changes_wait_for_the_month(archive, tmp_path, settings) -> None:
    dumped(tmp_path)
    settings.DATA_LICENSE = "CC-BY-4.0"
    assert nightly(tmp_path, NOW + timedelta(days=1)) == []
    assert nightly(tmp_path, NOW + timedelta(days=10)) == ["2026-09", "2026-10", "2026-11"]


def test_after_a_failure_it_is_tried_again(archive, tmp_path, settings, monkeypatch) -> None:
    settings.DUMP_DIR = str(tmp_path)
    dumped(tmp_path)
    _withdraw(list(Contribution.objects.filter(deal__stored_at__lt=datetime(2026, 10, 1, tzinfo=UTC))), None)
    night = NOW + timedelta(days=1)
    with monkeypatch.context() as full:
        full.setattr(dumps, "_put", Mock(side_effect=OSError("No space left on device")))
        with pytest.raises(OSError, match="space"):
            nightly(tmp_path, night)
    assert dumps.are_due(night)
    nightly(tmp_path, night)
    assert not list(tmp_path.glob("*2026-09*"))
    assert not dumps.are_due(night)


def test_months_that_are_over_and_one_month(archive, tmp_path, settings) -> None:
    settings.DUMP_DIR = str(tmp_path)
    assert [one.month for one in dumps.write(tmp_path, "2026-11", now=NOW)] == ["2026-11"]
    assert dumps.are_due(NOW)
    assert [one.month for one in dumps.write(tmp_path, now=NOW)] == ["2026-09", "2026-10"]
    assert not dumps.are_due(NOW)
    assert dumps.write(tmp_path, now=NOW) == [], "nothing has changed"
    (tmp_path / dumps.tgn_name("2026-10")).unlink()
    assert [one.month for one in dumps.write(tmp_path, now=NOW)] == ["2026-10"], "a file is gone"
    settings.DATA_LICENSE = "CC-BY-4.0"
    assert [one.month for one in dumps.write(tmp_path, now=NOW)] == ["2026-09", "2026-10", "2026-11"]
    assert dumps.are_due(NOW + timedelta(days=10))
    assert [one.month for one in dumps.write(tmp_path / "other", now=NOW)] == ["2026-09", "2026-10"]
    settings.DUMP_DIR = ""
    assert not dumps.are_due(NOW)
    assert dumps.months() == []


def test_one_at_a_time_and_nothing_half(archive, tmp_path, monkeypatch) -> None:
    with dumps._alone(tmp_path), pytest.raises(CommandError, match="Another dump"):
        call("dump", tmp_path)
    dumped(tmp_path)
    sums = (tmp_path / "SHA256SUMS").read_text()
    monkeypatch.setattr(dumps, "_FORM", dumps._FORM + 1)
    texts = iter(range(3))

    def broken(*_: Any) -> str:
        next(texts)
        return "half"

    monkeypatch.setattr(dumps, "write_text", broken)
    with pytest.raises(StopIteration):
        dumped(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == sums
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)
    assert not list(tmp_path.glob(".writing-*"))


@pytest.mark.parametrize("month", ["2026", "2026-13", "../../x", "november"])
def test_what_is_no_month(month: str, tmp_path) -> None:
    with pytest.raises(CommandError, match="is no month"):
        call("dump", "--month", month, tmp_path)


def test_the_sweeper_starts_the_dump_when_it_is_due(tmp_path, settings, monkeypatch) -> None:
    settings.DUMP_DIR = str(tmp_path)
    started: list[list[str]] = []
    real = subprocess.Popen

    def popen(command: list[str]) -> Any:
        started.append(command)
        return real(["true"])

    monkeypatch.setattr("archive.management.commands.sweep.subprocess.Popen", popen)
    dump = _Dump()
    dump.start_if_due()
    assert [command[2:] for command in started] == [["dump", "--nightly", str(tmp_path)]]
    dump.process.wait()
    call("dump", tmp_path)
    dump.start_if_due()
    assert len(started) == 1
    dump.stop()
