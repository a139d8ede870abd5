"""Dumps: what is in them, and when they are written; an archive restored from them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow
import pytest
from django.core.management import CommandError
from pyarrow import parquet

from archive.management.commands.sweep import _Dump
from archive.models import Contribution, Deal, Evening, Member, RuleSet, Seat, Session, Space, Upload
from archive.publishing import dumps, restore
from archive.publishing.columns import SEAT_COLUMNS
from archive.reading.clubs import all_clubs
from archive.reading.deals import get_deal
from archive.reading.filters import Filters
from archive.storing import corrections, feed, intake, players, removal, spaces
from tarock.notation import read
from tests.archive import dumping
from tests.archive.dumping import NOW, call, dumped, empty, restored, unpacked
from tests.archive.test_evenings import begin, duty, entered
from tests.archive.test_results import TOTAL, result
from tests.archive.test_rules import ruled
from tests.archive.test_sheets import club, played, sheet
from tests.support import samples, storing
from tests.support.storing import outcomes, stored

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def dump(archive, tmp_path_factory) -> Path:
    """The dump of the archive. Only for reading."""
    folder = tmp_path_factory.mktemp("dump")
    assert [month.month for month in dumped(folder)] == ["2026-09", "2026-10", "2026-11"]
    return folder


@pytest.fixture(scope="module")
def view(archive) -> dict[str, Any]:
    return dumping.public_view()


@pytest.fixture
def folder(dump, tmp_path, settings) -> Path:
    """A copy of the dump, where the site has its dumps."""
    settings.DUMP_DIR = str(tmp_path / "dumps")
    return shutil.copytree(dump, tmp_path / "dumps")


def test_nothing_is_in_them_that_not_everybody_sees(archive, dump) -> None:
    text = dumping.everything(dump)
    assert "Queen of Tarocks" in text
    assert "Hidden" not in text
    for said in archive["hidden"].values():
        assert said.deal.hex_digest not in text
    lines = [json.loads(line) for path in dump.glob("metadata-*") for line in unpacked(path).splitlines()]
    (beside,) = [line for line in lines if "record" in line]
    assert (beside["verdict"], beside["record"]["game"]) == ("illegal", "taroky"), "what text cannot write"
    own = Space.objects.get(user__username="ada").pk
    assert own in [line["space"]["number"] for line in lines]
    records = iter(read("".join(unpacked(path) for path in sorted(dump.glob("tarock-*")))))
    names = {
        name
        for line in sorted(lines, key=lambda line: line["stored_at"])
        if "record" not in line and (record := next(records).record)
        for name in record.players.values()
        if line["space"]["number"] == own
    }
    assert not {"Alena", "ada"} & names
    assert {line["verdict"] for line in lines} == {"verified", "disputed", "illegal", "incomplete"}
    first = archive["first"].deal.hex_digest
    assert archive["brno"].pk not in [line["space"]["number"] for line in lines if line["digest"] == first]


def test_files_with_names_of_an_older_release_are_replaced(folder, monkeypatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(dumps, "_FORM", 2)
        older.setattr(dumps, "metadata_name", "beside-{}.ndjson.zst".format)
        dumped(folder)
    assert len(list(folder.glob("beside-*"))) == 3
    dumped(folder)
    assert check_sums(folder) == {path.name for path in folder.glob("*-*.*")}
    assert not list(folder.glob("beside-*"))


def test_the_columns_of_the_tables_are_explained() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "operations.md").read_text(encoding="utf-8")
    for start, columns in (
        ("| Column | Content |", {*dumps.RESULTS, *SEAT_COLUMNS}),
        ("The cards have these columns:\n\n", set(dumps.CARDS)),
    ):
        table = page.partition(start)[2].partition("\n\n")[0]
        cells = "".join(row.split("|")[1] for row in table.splitlines() if "|" in row)
        assert set(re.findall(r"`(\w+)`", cells)) == columns


def test_the_table_of_results(dump) -> None:
    tables = [parquet.read_table(path) for path in sorted(dump.glob("results-*.parquet"))]
    rows = [row for table in tables for row in table.to_pylist()]
    assert list(rows[0]) == [*dumps.RESULTS, *SEAT_COLUMNS]
    numbers = [deal.pk for deal in reversed(storing.deals())]
    assert list(dict.fromkeys(row["id"] for row in rows)) == numbers
    taroky = get_deal(Deal.objects.get(digest=bytes.fromhex(read(samples.TAROKY)[0].record.digest)).pk)
    found = [row for row in rows if row["id"] == taroky.pk]
    assert {row["deal"] for row in found} == {str(taroky.contribution.key)}
    assert [row["player_id"] for row in found] == [seat.player.head.pk for seat in taroky.seats]
    columns = ("seat", "player", "role", "points", "claim")
    assert [tuple(row[name] for name in columns) for row in found] == [
        ("A", "Queen of Tarocks", "declarer", 105, 105), ("B", "Bořek", "opponent", -105, -105),
        ("C", "Cyril", "opponent", -105, -105), ("D", "Dana", "partner", 105, 105),
    ]  # fmt: skip
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


def test_the_licence_goes_with_the_files(archive, tmp_path, settings) -> None:
    settings.DATA_LICENSE = "CC-BY-4.0"
    dumped(tmp_path)
    address = "https://creativecommons.org/licenses/by/4.0/"
    assert address in (tmp_path / "LICENSE.txt").read_text()
    index = json.loads((tmp_path / "dumps.json").read_text())
    assert index["license"] == {"id": "CC-BY-4.0", "url": address}
    table = next(tmp_path.glob("results-*.parquet"))
    assert parquet.read_schema(table).metadata[b"license"] == f"CC-BY-4.0 {address}".encode()


def check_sums(folder: Path) -> set[str]:
    """Check the sums as everybody can; return the names of the files that have one."""
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    return {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}


def times(folder: Path) -> dict[str, int]:
    """When each file of a month was last written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*-*.*")}


def changed_months(folder: Path, before: dict[str, int]) -> set[str]:
    return {name.partition("-")[2][:7] for name, at in times(folder).items() if at != before[name]}


def test_sums_are_as_sha256sum_checks_them(dump) -> None:
    there = {path.name for path in dump.iterdir()} - {".lock", "dumps.json", *dumps.TEXTS}
    assert (check_sums(dump), len(there)) == (there, 12)


def test_what_is_withdrawn_goes_with_the_next_dump(folder) -> None:
    before, log = times(folder), (folder / dumps.LOG).read_text()
    deal = storing.deals(Filters(game="strohmann"))[-1]
    _show_as("withdrawn", Contribution.objects.filter(deal=deal.pk))
    dumped(folder)
    assert deal.hex_digest not in dumping.everything(folder)
    assert changed_months(folder, before) == {"2026-09"}, "unchanged months were not touched"
    of_september().update(visibility="withdrawn")
    dumped(folder)
    assert not list(folder.glob("*2026-09*"))
    assert "2026-09" not in (folder / "SHA256SUMS").read_text()
    added = (folder / dumps.LOG).read_text().removeprefix(log)
    assert [line.split()[4] for line in log.splitlines()] == ["new"] * 12
    assert [line.split()[4] for line in added.splitlines()] == ["deals"] * 4 + ["deleted"] * 4
    assert "Bořek" not in log


def nightly(folder: Path, at: datetime) -> list[str]:
    """The months that the sweeper's process writes at a time."""
    return [month.month for month in dumps.write(folder, nightly=True, now=at)]


def of_september() -> Any:
    return Contribution.objects.filter(deal__stored_at__lt=datetime(2026, 10, 1, tzinfo=UTC))


def _show_as(visibility: str, contributions: Iterable[Contribution]) -> None:
    for said in contributions:
        corrections.set_visibility(said, visibility, by=None)


def _remove(contributions: list[Contribution]) -> None:
    _show_as("withdrawn", contributions)
    removal.purge(datetime.now(UTC))


def _give_pseudonym(contributions: list[Contribution]) -> None:
    seats = Seat.objects.filter(contribution__in=contributions).exclude(player=None)
    for seat in seats.select_related("player"):
        players.set_pseudonym(seat.player, f"Pseudonym {seat.pk}")


CHANGES: dict[str, Callable[[list[Contribution]], None]] = {
    "hide": partial(_show_as, "members"),
    "remove": _remove,
    "give a pseudonym": _give_pseudonym,
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_hidden_leaves_the_dumps_in_the_next_night(change, folder) -> None:
    assert not dumps.are_due(NOW)
    before = times(folder)
    deal = storing.deals(Filters(game="strohmann"))[-1]
    contributions, last = list(Contribution.objects.filter(deal=deal.pk, visibility="public")), feed.latest()
    CHANGES[change](contributions)
    changed = Deal.objects.filter(contributions__feed_number__gt=last)
    months = {dumps.month_of(at) for at in changed.values_list("stored_at", flat=True)} | {"2026-09"}
    night = NOW + timedelta(days=1)
    assert dumps.are_due(night)
    assert nightly(folder, night) == sorted(months)
    assert not dumps.are_due(night)
    text = "".join(unpacked(path) for path in folder.glob("*2026-09.*.zst"))
    assert (deal.hex_digest in text) == ("Pseudonym" in text) == (change == "give a pseudonym")
    assert changed_months(folder, before) == months
    assert nightly(folder, night + timedelta(days=1)) == [], "an unchanged month costs nothing"


def test_after_a_failure_it_is_tried_again(folder, settings, monkeypatch) -> None:
    _show_as("withdrawn", of_september())
    night = NOW + timedelta(days=1)
    with monkeypatch.context() as full:
        full.setattr(dumps, "_put", Mock(side_effect=OSError("No space left on device")))
        with pytest.raises(OSError, match="space"):
            nightly(folder, night)
    assert dumps.are_due(night)
    nightly(folder, night)
    assert not list(folder.glob("*2026-09*"))
    assert not dumps.are_due(night)
    settings.DATA_LICENSE = "CC-BY-4.0"
    assert nightly(folder, NOW + timedelta(days=2)) == [], "other changes wait for the month"
    assert nightly(folder, NOW + timedelta(days=11)) == ["2026-10", "2026-11"]


def test_months_that_are_over_and_one_month(archive, tmp_path, settings) -> None:
    settings.DUMP_DIR = str(tmp_path)

    def written(*month: str, folder: Path = tmp_path) -> list[str]:
        return [one.month for one in dumps.write(folder, *month, now=NOW)]

    assert (written("2026-11"), dumps.are_due(NOW)) == (["2026-11"], True)
    assert (written(), dumps.are_due(NOW)) == (["2026-09", "2026-10"], False)
    assert written() == [], "nothing has changed"
    (tmp_path / dumps.tgn_name("2026-10")).unlink()
    assert written() == ["2026-10"], "a file is gone"
    settings.DATA_LICENSE = "CC-BY-4.0"
    assert written() == ["2026-09", "2026-10", "2026-11"]
    assert dumps.are_due(NOW + timedelta(days=10))
    assert written(folder=tmp_path / "other") == ["2026-09", "2026-10"]
    settings.DUMP_DIR = ""
    assert not dumps.are_due(NOW)
    assert dumps.months() == []


def test_one_at_a_time_and_nothing_half(folder, monkeypatch) -> None:
    with dumps._alone(folder), pytest.raises(CommandError, match="Another dump"):
        call("dump", folder)
    sums = (folder / "SHA256SUMS").read_text()
    monkeypatch.setattr(dumps, "_FORM", dumps._FORM + 1)
    monkeypatch.setattr(dumps, "write_text", Mock(side_effect=["half"] * 3))
    with pytest.raises(StopIteration):
        dumped(folder)
    assert (folder / "SHA256SUMS").read_text() == sums
    check_sums(folder)
    assert not list(folder.glob(".writing-*"))


def test_what_is_no_month(tmp_path) -> None:
    for month in ("2026", "2026-13", "../../x", "november"):
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


def test_a_restored_archive_shows_what_the_first_one_showed(view, folder, tmp_path) -> None:
    assert min(view["counts"].by_game[game] for game in dumping.GAMES) >= 4
    assert {"verified", "disputed", "illegal", "incomplete"} <= {said[4] for said in view["said"]}
    assert {said[0] for said in view["said"]} == set(Space.KINDS)
    assert max(len(deal.contributions.all()) for deal in Deal.objects.all()) >= 3
    uploads = Upload.objects.count()
    with pytest.raises(CommandError, match="--into-existing"):
        restored(folder)
    assert Upload.objects.count() == uploads, "an archive that has deals is left alone"
    empty()
    said = restored(folder)
    assert f"{len(view['deals'])} new deals" in said
    assert "verdict" not in said
    numbers = Contribution.objects.count(), Space.objects.count()
    # Clubs are known by their names, people by what they said.
    assert "0 new deals" in restored("--into-existing", folder)
    assert (Contribution.objects.count(), Space.objects.count()) == numbers
    after = dumping.public_view()
    for name in view:
        assert after[name] == view[name], name
    # And so does what is dumped of that, but for numbers.
    again, written = dumped(tmp_path / "second"), dumps.months()[::-1]
    assert [(one.month, one.deals, one.records) for one in again] == [
        (one.month, one.deals, one.records) for one in written
    ]
    for month in written:
        name = dumps.tgn_name(month.month)
        assert unpacked(tmp_path / "second" / name) == unpacked(folder / name)


def test_sheets_results_rules_and_the_deals_of_an_evening_come_back(django_user_model, tmp_path) -> None:
    empty()
    own = '[Options "price-first=3 unit=chip"]'
    texts = [sheet(60, 7), sheet(50, 8, over=3), ruled(60, 10), ruled(60, 11, own)]
    totals = [result(number=12, Date="1998-11-20"), result(TOTAL, None, "?", Played="24")]
    stored(*texts, *totals, played(9, seed=3), sheet(40, 9), space=club())
    stored(sheet(60, 7).replace("bidder 60", "bidder 71"))
    founder = django_user_model.objects.create_user("founder")
    entered(begin(spaces.found_club("Tarok", by=founder)), 1, duty(50))
    before = all_public()
    assert len(before) == len(texts) + len(totals) + 3, "the cards cover sheet 9"
    rules = {one.rules for one in RuleSet.objects.all()}
    dumped(tmp_path)
    empty()
    RuleSet.objects.all().delete()
    assert f"{len(before)} new deals" in restored(tmp_path)
    assert (all_public(), {one.rules for one in RuleSet.objects.all()}) == (before, rules)
    assert not Evening.objects.exists()
    assert not Contribution.objects.filter(visibility="covered").exists()
    # In the restored archive they are known by the numbers of its own spaces.
    assert set(outcomes(stored(*texts, *totals, space=Space.objects.get(name="Kotva")))) == {"known"}
    assert "0 new deals" in restored("--into-existing", tmp_path)


def all_public() -> list[tuple[str, ...]]:
    """All public deals, as text."""
    found = []
    for deal in storing.deals():
        said = deal.contribution
        found.append(
            (deal.kind, deal.canonical or "", f"{deal.score} {said.verdict} {said.session} {said.space.name}")
        )
    return sorted(found)


def test_one_month_alone_and_the_owner_that_clubs_need(dump) -> None:
    empty()
    for owner, error in (([], r"needs an owner.*--owner USER"), (["--owner", "nobody"], "no user")):
        with pytest.raises(CommandError, match=error):
            call("restore", dump, *owner)
    assert not Deal.objects.exists()
    assert not Space.objects.filter(kind="club").exists()
    call("restore", dump / "tarock-2026-10.tgn.zst", "--owner", "ben")
    assert {dumps.month_of(at) for at in Deal.objects.values_list("stored_at", flat=True)} == {"2026-10"}
    assert set(Member.objects.values_list("user__username", "role")) == {("ben", "owner")}


def test_what_is_restored_can_be_gone_on_with_after_a_bug(view, dump, monkeypatch) -> None:
    empty()
    real, deals = intake.check, iter(range(1000))

    def faulty(record: Any) -> Any:
        if next(deals) == 7:
            raise ZeroDivisionError("ours")
        return real(record)

    with monkeypatch.context() as patch:
        patch.setattr(intake, "check", faulty)
        with pytest.raises(CommandError, match="could not be stored: the admin has the traceback"):
            restored(dump)
    assert 0 < Deal.objects.count() < len(view["deals"])
    restored("--into-existing", dump)
    assert sorted(dumping.public_deals(), key=str) == sorted(view["deals"], key=str)


def test_a_restore_that_was_ended_leaves_nothing_behind(dump, monkeypatch) -> None:
    """It was killed before the records of people's own spaces: the next restore creates these again."""
    empty()
    with monkeypatch.context() as patch:
        patch.setattr("archive.publishing.restore._store", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            restored(dump)
    assert Space.objects.filter(kind="own").exists()
    Space.objects.filter(kind="guest").update(made_at=datetime(2026, 1, 1, tzinfo=UTC))
    restored("--into-existing", dump)
    for model in (Space, Session):
        assert not model.objects.filter(contributions=None).exists()


def resum(folder: Path) -> None:
    """Have the sums be right."""
    names = [path for path in sorted(folder.iterdir()) if path.suffix in (".zst", ".parquet")]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.mark.storage
def test_a_dump_from_before_1_0_is_restored(tmp_path) -> None:
    """Its metadata had another name, and the verdict on a score sheet was `reckoned`."""
    empty()
    stored(samples.SHEET)
    (month,) = dumps.write(tmp_path, current=True)
    path = tmp_path / dumps.metadata_name(month.month)
    lines = unpacked(path).replace('"computed"', '"reckoned"')
    assert "reckoned" in lines
    path.unlink()
    with pyarrow.CompressedOutputStream(str(tmp_path / f"beside-{month.month}.ndjson.zst"), "zstd") as file:
        file.write(lines.encode())
    resum(tmp_path)
    empty()
    assert "verdict" not in restored(tmp_path)
    assert Contribution.objects.get().verdict == "computed"


def test_a_broken_file_is_refused_and_nothing_is_stored(folder) -> None:
    """With the sum of the whole file, and with its own; and with another month's content."""
    empty()
    tgn, metadata = folder / "tarock-2026-10.tgn.zst", folder / "metadata-2026-10.ndjson.zst"
    for file, content, faults in (
        (tgn, tgn.read_bytes()[:-40], [tgn.name] * 2),
        (metadata, metadata.read_bytes()[:-40], [metadata.name] * 2),
        (tgn, (folder / "tarock-2026-09.tgn.zst").read_bytes(), [tgn.name, "record 0 is not the one"]),
    ):
        whole = file.read_bytes()
        file.write_bytes(content)
        for fault in faults:
            with pytest.raises(CommandError, match=fault):
                restored(folder)
            assert not Upload.objects.exists()
            assert not Space.objects.exists()
            resum(folder)
        file.write_bytes(whole)
        resum(folder)


def test_what_is_no_dump(tmp_path) -> None:
    empty()
    (tmp_path / "deals.tgn").write_text(samples.TAROKY)
    for name, fault in (
        ("", "SHA256SUMS: No such file"), ("tarock-2026-11.tgn.zst", "SHA256SUMS: No such file"),
        ("missing", "missing: there is no dump"), ("deals.tgn", "deals.tgn: there is no dump"),
    ):  # fmt: skip
        with pytest.raises(restore.Broken, match=fault):
            restore.restore([tmp_path / name])
