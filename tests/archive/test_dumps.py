"""Dumps: what is in them, what is not, and that an archive made of them shows what the first one showed."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow
import pytest
from django.core.management import CommandError, call_command
from pyarrow import parquet

from archive.access import EVERYBODY
from archive.management.commands.sweep import _Dump
from archive.models import (
    Change,
    Contribution,
    Deal,
    FormerVerdict,
    Invitation,
    Member,
    Part,
    Player,
    Seat,
    Session,
    Space,
    Upload,
    UploadItem,
)
from archive.publishing import dumps, export, restore
from archive.publishing.columns import SEAT_COLUMNS
from archive.reading import scores, sessions, statistics
from archive.reading.clubs import all_clubs
from archive.reading.deals import contributions_to, find_ids, get_deal, iter_deals
from archive.reading.filters import Filters
from archive.reading.players import deal_counts, find_players
from archive.storing import corrections, intake, players, spaces
from tarock.notation import dump_json, read
from tarock.simulate import simulate
from tests import samples, storing
from tests.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

GAMES = {"strohmann": 2, "taroky": 4, "troggu": 5, "grosstarock": 3}
NOW = datetime(2026, 11, 22, tzinfo=UTC)


def unwritable() -> bytes:
    """A record that text cannot write: the second speaker speaks out of turn, in the middle of a play."""
    record = json.loads(dump_json(read(samples.TAROKY)[0].record))
    at = next(n for n, event in enumerate(record["events"]) if event[1] == "play")
    record["events"][at][0] = "C" if record["events"][at][0] != "C" else "D"
    return json.dumps(record).encode()


def call(*arguments: object) -> str:
    """What a command says."""
    said = io.StringIO()
    call_command(*arguments, stdout=said)
    return said.getvalue()


@pytest.fixture
def archive(ada, ben) -> dict[str, Any]:
    """Deals of all games in three months: two clubs that both had some of them, people's own, the house's;
    some hidden, with a pseudonym, under several names, without a day or with a part of one."""
    brno = spaces.found_club("Tarok Brno", by=ada, place="Brno", visibility="members")
    wien = spaces.found_club("Tarock Wien", by=ben)
    for game, seats in GAMES.items():
        some = [dump_json(record) for record in simulate(game, deals=4, seed=5, players=seats)]
        stored("\n".join(some), space=brno, user=ada, visibility="public")
        stored("\n".join(some[::-1][:3]), space=wien, user=ben)  # in another order: each deal is there
        stored(some[0], user=ben)
    stored(samples.TAROKY, samples.ILLEGAL_BID, samples.INCOMPLETE, user=ada)
    stored(samples.DISPUTED, user=ben)
    stored(unwritable(), user=ben)
    stored(samples.TAROKY.replace('"Alena"', '"Lena"'))
    stored(samples.INCOMPLETE, user=ben)  # in the very words of another
    comments = {"0": ["quiet; \\ “quotes”", "two"]}
    tags = {"Round": 'the "second"', "Event": "Hlučín; 火曜会", "Session": "nobody’s"}
    stored(samples.as_json(50, comments=comments, tags=tags), space=spaces.guest())
    dates = ("2025-??-??", "2026-10-??", "2026-10-05", "")
    for n, date in enumerate(dates):
        tags = {"Session": f"evening {n % 3}", "Deal": str(n + 1)} | ({"Date": date} if date else {})
        stored(samples.dealt(n, **tags), space=(wien, brno)[n % 2], user=ben, visibility="public")
    assert not UploadItem.objects.filter(deal_id=None).exists()
    # Of names, the restored archive must know what everybody sees alone.
    alena = Player.objects.get(space=spaces.own(ada), name="Alena")
    players.set_pseudonym(alena, "Queen of Tarocks")
    met = Player.objects.filter(space=wien, name__in=["Ada", "Ben", "Cleo", "Dov"])
    players.merge(
        met.get(name="Ada"), Player.objects.filter(space=wien).exclude(pk__in=met).order_by("pk")[0]
    )
    hidden = {}
    for n, visibility in enumerate(("unlisted", "members", "withdrawn"), start=100):
        stored(samples.dealt(n, players=(f"Hidden {visibility}", "B", "C", "D")), space=wien, user=ben)
        hidden[visibility] = Contribution.objects.order_by("pk").last()
        corrections.set_visibility(hidden[visibility], visibility, by=ben)
    # Shown by what Wien says, since what Brno says is for its members: its number is the first all the same.
    first = Contribution.objects.filter(space=brno).order_by("pk")[0]
    corrections.set_visibility(first, "members", by=ada)
    months = [datetime(2026, month, 3, 4, 5, 6, 789, tzinfo=UTC) for month in (9, 10, 11)]
    numbers = list(Deal.objects.order_by("pk").values_list("pk", flat=True))
    for n, pk in enumerate(numbers):
        at = months[3 * n // len(numbers)] + timedelta(minutes=n)
        Deal.objects.filter(pk=pk).update(stored_at=at)
    return {"brno": brno, "wien": wien, "hidden": hidden, "first": first}


def public_view() -> dict[str, Any]:
    """What everybody sees, without numbers."""
    deals = list(iter_deals(Filters(), EVERYBODY))
    found = list(find_players())
    counts = deal_counts(found)
    own = ("id", "deal", "url", "club", "verified_at")
    columns = [name for name in export.TABLE if name not in (*own, "players")]
    lines = [json.loads(line) for line in export.ndjson(deals, [*export.LISTED, "record"])]
    for line in lines:
        for numbered in (line, *line["players"]):
            for name in (*own, "player_id"):
                numbered.pop(name, None)
    return {
        "table": list(export.table(deals, columns)),
        "ndjson": lines,
        "tgn": [text for text in export.tgn(deals) if b"is left out" not in text],
        "deals": [
            (deal.hex_digest, deal.stored_at, deal.verdict, deal.score, deal.contract, deal.stored_finding)
            for deal in deals
        ],
        "said": [
            (
                *(said.space.kind, said.space.name, said.space.place, said.visibility, said.verdict),
                *(said.session and said.session.name, said.number, said.date, said.played_on),
                *(said.event, said.site, said.claim, json.loads(said.tags or "{}"), said.comments),
                [(seat.seat, seat.player.display_name, seat.points) for seat in said.seats.all()],
            )
            for deal in deals
            for said in contributions_to(deal)
        ],
        "sessions": [
            (one.name, one.space.name, one.deal_count, one.first_day, one.last_day)
            for one in sessions.find_sessions()
        ],
        "players": sorted((one.display_name, one.space.name, counts[one.pk]) for one in found),
        "scores": sorted((row["name"], row["deals"], row["total"]) for row in scores.player_scores()),
        "clubs": [
            (club.name, club.place, [(row["name"], row["total"]) for row in scores.standings(club)])
            for club in all_clubs()
        ],
        "counts": statistics.count_archive(),
        "days": [get_deal(pk).hex_digest for pk in find_ids(Filters(), EVERYBODY, "played", 99)],
    }


def empty() -> None:
    """Take everything out of the archive."""
    Contribution.objects.update(replaced_by=None)
    models = (Change, Seat, Contribution, FormerVerdict, Deal, Upload, Part, Session, Invitation, Member)
    for model in (*models, Player, Space):
        model.objects.all().delete()


def dumped(folder: Path) -> list[dumps.Month]:
    """All months."""
    return dumps.write(folder, current=True, now=NOW)


def unpacked(path: Path) -> str:
    """What is in a file."""
    with pyarrow.input_stream(str(path), compression="zstd") as stream:
        return stream.read().decode()


def everything(folder: Path) -> str:
    """All that is in the dumps, as text."""
    texts = [unpacked(path) for path in sorted(folder.glob("*.zst"))]
    tables = [str(parquet.read_table(path).to_pylist()) for path in sorted(folder.glob("*.parquet"))]
    return "".join(texts + tables)


# --- there and back -----------------------------------------------------------------------------------------


def test_a_restored_archive_shows_what_the_first_one_showed(archive, tmp_path) -> None:
    before = public_view()
    assert {game: before["counts"].by_game[game] >= 4 for game in GAMES} == dict.fromkeys(GAMES, True)
    assert {"verified", "disputed", "illegal", "incomplete"} <= {said[4] for said in before["said"]}
    assert {said[0] for said in before["said"]} == set(Space.KINDS)
    assert max(len(deal.contributions.all()) for deal in Deal.objects.all()) >= 3
    written = dumped(tmp_path / "first")
    assert [month.month for month in written] == ["2026-09", "2026-10", "2026-11"]
    empty()
    said = call("restore", tmp_path / "first")
    assert f"{len(before['deals'])} new deals" in said
    assert "verdict" not in said
    after = public_view()
    for name in before:
        assert after[name] == before[name], name
    # And so does what is dumped of that, but for numbers.
    again = dumped(tmp_path / "second")
    assert [(one.month, one.deals, one.records) for one in again] == [
        (one.month, one.deals, one.records) for one in written
    ]
    for month in written:
        name = dumps.tgn_name(month.month)
        assert unpacked(tmp_path / "second" / name) == unpacked(tmp_path / "first" / name)


def test_nothing_is_in_them_that_not_everybody_sees(archive, tmp_path) -> None:
    dumped(tmp_path)
    text = everything(tmp_path)
    assert "Queen of Tarocks" in text
    assert "Hidden" not in text
    for said in archive["hidden"].values():
        assert said.deal.hex_digest not in text
    lines = [json.loads(line) for path in tmp_path.glob("beside-*") for line in unpacked(path).splitlines()]
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
    lines = [json.loads(line) for path in tmp_path.glob("beside-*") for line in unpacked(path).splitlines()]
    (line,) = [line for line in lines if "record" in line]
    assert (line["verdict"], line["record"]["game"]) == ("illegal", "taroky")


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
    assert {row["deal"] for row in found} == {str(taroky.representative.key)}
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
    for said in Contribution.objects.filter(deal=deal):
        corrections.set_visibility(said, "withdrawn", by=None)
    dumped(tmp_path)
    assert deal.hex_digest not in everything(tmp_path)
    # What has not changed was not touched.
    changed = {path.name for path in tmp_path.glob("*-*.*") if path.stat().st_mtime_ns != before[path.name]}
    assert {name.partition("-")[2][:7] for name in changed} == {"2026-09"}
    Contribution.objects.filter(deal__stored_at__lt=datetime(2026, 10, 1, tzinfo=UTC)).update(
        visibility="withdrawn"
    )
    dumped(tmp_path)
    assert not list(tmp_path.glob("*2026-09*"))
    assert "2026-09" not in (tmp_path / "SHA256SUMS").read_text()


def test_months_that_are_over_and_one_month(archive, tmp_path, settings) -> None:
    settings.DUMP_DIR = str(tmp_path)
    assert [one.month for one in dumps.write(tmp_path, "2026-11", now=NOW)] == ["2026-11"]
    assert dumps.are_due(NOW)
    assert [one.month for one in dumps.write(tmp_path, now=NOW)] == ["2026-09", "2026-10", "2026-11"]
    assert not dumps.are_due(NOW)
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
    assert [command[2:] for command in started] == [["dump", str(tmp_path)]]
    dump.process.wait()
    call("dump", tmp_path)
    dump.start_if_due()
    assert len(started) == 1
    dump.stop()


# --- what is restored, and what is refused ------------------------------------------------------------------


def test_an_archive_that_has_deals_is_left_alone(archive, tmp_path) -> None:
    dumped(tmp_path)
    before = public_view()
    numbers = Contribution.objects.count(), Space.objects.count()
    with pytest.raises(CommandError, match="--into-existing"):
        call("restore", tmp_path)
    assert Upload.objects.filter(source="cli", filename__endswith=".zst").count() == 0
    empty()
    call("restore", tmp_path)
    numbers = Contribution.objects.count(), Space.objects.count()
    said = call("restore", "--into-existing", tmp_path)
    # Clubs are known by their names, people by what they said.
    assert "0 new deals" in said
    assert (Contribution.objects.count(), Space.objects.count()) == numbers
    assert public_view() == before


def test_one_month_alone_and_the_owner_of_clubs(archive, tmp_path, ben) -> None:
    dumped(tmp_path)
    empty()
    call("restore", tmp_path / "tarock-2026-10.tgn.zst", "--owner", "ben")
    assert {dumps.month_of(at) for at in Deal.objects.values_list("stored_at", flat=True)} == {"2026-10"}
    assert set(Member.objects.values_list("user__username", "role")) == {("ben", "owner")}
    with pytest.raises(CommandError, match="no user"):
        call("restore", tmp_path, "--owner", "nobody")


def test_a_fault_of_ours_is_told_and_what_is_restored_can_be_gone_on_with(
    archive, tmp_path, monkeypatch
) -> None:
    before = public_view()
    dumped(tmp_path)
    empty()
    real, deals = intake.check, iter(range(1000))

    def faulty(record: Any) -> Any:
        if next(deals) == 7:
            raise ZeroDivisionError("ours")
        return real(record)

    with monkeypatch.context() as patch:
        patch.setattr(intake, "check", faulty)
        with pytest.raises(CommandError, match="could not be stored: the admin has the traceback"):
            call("restore", tmp_path)
    assert 0 < Deal.objects.count() < len(before["deals"])
    call("restore", "--into-existing", tmp_path)
    assert sorted(public_view()["deals"], key=str) == sorted(before["deals"], key=str)


def test_a_restore_that_was_ended_leaves_nothing_behind(archive, tmp_path, monkeypatch) -> None:
    """Killed before the records of people's own spaces came: the next one makes these anew."""
    dumped(tmp_path)
    empty()
    call("restore", tmp_path)
    numbers = Space.objects.count(), Session.objects.count()
    empty()
    with monkeypatch.context() as patch:
        patch.setattr("archive.publishing.restore._store", mock.Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            call("restore", tmp_path)
    assert Space.objects.filter(kind="own").exists()
    Space.objects.filter(kind="guest").update(made_at=datetime(2026, 1, 1, tzinfo=UTC))
    call("restore", "--into-existing", tmp_path)
    assert (Space.objects.count(), Session.objects.count()) == numbers


def resum(folder: Path) -> None:
    """Have the sums be right."""
    names = [path for path in sorted(folder.iterdir()) if path.suffix in (".zst", ".parquet")]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


@pytest.mark.parametrize("name", ["tarock-2026-10.tgn.zst", "beside-2026-10.ndjson.zst"])
@pytest.mark.parametrize("sums", ["old", "new"])
def test_a_broken_file_is_refused_and_nothing_is_stored(archive, tmp_path, name: str, sums: str) -> None:
    dumped(tmp_path)
    empty()
    file = tmp_path / name
    file.write_bytes(file.read_bytes()[:-40])
    if sums == "new":
        resum(tmp_path)
    with pytest.raises(CommandError, match=name):
        call("restore", tmp_path)
    assert not Upload.objects.exists()
    assert not Space.objects.exists()


def test_files_that_are_not_of_each_other(archive, tmp_path) -> None:
    dumped(tmp_path)
    empty()
    (tmp_path / "tarock-2026-10.tgn.zst").write_bytes((tmp_path / "tarock-2026-09.tgn.zst").read_bytes())
    resum(tmp_path)
    with pytest.raises(restore.Broken, match="record 0 is not the one"):
        restore.restore([tmp_path])
    assert not Upload.objects.exists()


def test_what_is_no_dump(tmp_path) -> None:
    (tmp_path / "deals.tgn").write_text(samples.TAROKY)
    for name, fault in [
        ("", "SHA256SUMS: No such file"),
        ("missing", "missing: there is no dump"),
        ("deals.tgn", "deals.tgn: there is no dump"),
        ("tarock-2026-11.tgn.zst", "SHA256SUMS: No such file"),
    ]:
        with pytest.raises(restore.Broken, match=fault):
            restore.restore([tmp_path / name])
