"""An archive made of dumps shows what the first one showed; what is refused."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow
import pytest
from django.core.management import CommandError

from archive.models import Contribution, Deal, Member, Session, Space, Upload
from archive.publishing import dumps, restore
from archive.storing import intake
from tests import samples
from tests.archive.dumping import GAMES, call, dumped, empty, public_view, restored, unpacked
from tests.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.slow]


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
    said = restored(tmp_path / "first")
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


# --- what is restored, and what is refused ------------------------------------------------------------------


def test_an_archive_that_has_deals_is_left_alone(archive, tmp_path) -> None:
    dumped(tmp_path)
    before = public_view()
    numbers = Contribution.objects.count(), Space.objects.count()
    with pytest.raises(CommandError, match="--into-existing"):
        restored(tmp_path)
    assert Upload.objects.filter(source="cli", filename__endswith=".zst").count() == 0
    empty()
    restored(tmp_path)
    numbers = Contribution.objects.count(), Space.objects.count()
    said = restored("--into-existing", tmp_path)
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


def test_dumps_that_name_clubs_need_an_owner_for_them(archive, tmp_path) -> None:
    dumped(tmp_path)
    empty()
    with pytest.raises(CommandError, match=r"needs an owner.*--owner USER"):
        call("restore", tmp_path)
    assert not Deal.objects.exists()
    assert not Space.objects.filter(kind="club").exists()


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
            restored(tmp_path)
    assert 0 < Deal.objects.count() < len(before["deals"])
    restored("--into-existing", tmp_path)
    assert sorted(public_view()["deals"], key=str) == sorted(before["deals"], key=str)


def test_a_restore_that_was_ended_leaves_nothing_behind(archive, tmp_path, monkeypatch) -> None:
    """It was killed before the records of people's own spaces: the next restore creates these again."""
    dumped(tmp_path)
    empty()
    restored(tmp_path)
    numbers = Space.objects.count(), Session.objects.count()
    empty()
    with monkeypatch.context() as patch:
        patch.setattr("archive.publishing.restore._store", mock.Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            restored(tmp_path)
    assert Space.objects.filter(kind="own").exists()
    Space.objects.filter(kind="guest").update(made_at=datetime(2026, 1, 1, tzinfo=UTC))
    restored("--into-existing", tmp_path)
    assert (Space.objects.count(), Session.objects.count()) == numbers


def resum(folder: Path) -> None:
    """Have the sums be right."""
    names = [path for path in sorted(folder.iterdir()) if path.suffix in (".zst", ".parquet")]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in names]
    (folder / "SHA256SUMS").write_text("".join(lines))


def test_a_dump_from_before_1_0_is_restored(tmp_path) -> None:
    """Its metadata had another name, and the verdict on a score sheet was `reckoned`."""
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


@pytest.mark.parametrize("name", ["tarock-2026-10.tgn.zst", "metadata-2026-10.ndjson.zst"])
@pytest.mark.parametrize("sums", ["old", "new"])
def test_a_broken_file_is_refused_and_nothing_is_stored(archive, tmp_path, name: str, sums: str) -> None:
    dumped(tmp_path)
    empty()
    file = tmp_path / name
    file.write_bytes(file.read_bytes()[:-40])
    if sums == "new":
        resum(tmp_path)
    with pytest.raises(CommandError, match=name):
        restored(tmp_path)
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
