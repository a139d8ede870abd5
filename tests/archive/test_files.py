"""A power cut at any moment while files are written: what is on the disk afterwards can be used."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from archive import files
from archive.publishing import dumps
from tarock.analysis import chain
from tests.archive.dumping import NOW, dumped
from tests.support import samples
from tests.support.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

State = dict[str, bytes]


class Disk:
    """Records each step of writing in a folder, and lays out what a power cut at this step may leave.

    Until a file is synced, its new content may be torn or all zeros. Until the folder is synced, each name
    may still stand for the file that it stood for at the last sync.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.names = self._files()  # those that a power cut can't take away: name → number of the file
        self.contents = {path.stat().st_ino: path.read_bytes() for path in self._paths()}
        self.synced = dict(self.contents)
        self.states: list[State] = []
        replace, sync = os.replace, files.sync

        def replaced(new: Path, path: Path) -> None:
            replace(new, path)
            self._step()

        def synced(path: Path) -> None:
            self._step()
            sync(path)
            if path.is_dir():
                self.names = self._files()
            else:
                self.synced[path.stat().st_ino] = self.contents[path.stat().st_ino] = path.read_bytes()

        monkeypatch.setattr(os, "replace", replaced)
        monkeypatch.setattr(files, "sync", synced)

    def _paths(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if path.is_file()]

    def _files(self) -> dict[str, int]:
        return {path.name: path.stat().st_ino for path in self._paths()}

    def _step(self) -> None:
        now = self._files()
        self.contents |= {path.stat().st_ino: path.read_bytes() for path in self._paths()}
        changed = [name for name in {*now, *self.names} if now.get(name) != self.names.get(name)]
        layouts = [now, self.names]
        layouts += [_with(now, name, self.names.get(name)) for name in changed]
        for layout in layouts:
            state = {name: self.contents[number] for name, number in layout.items()}
            self.states.append(state)
            for name, number in layout.items():
                old = self.synced.get(number, b"")
                if new := state[name].removeprefix(old):
                    self.states += [
                        state | {name: old + left} for left in (new[: len(new) // 2], bytes(len(new)))
                    ]


def _with(layout: dict[str, int], name: str, number: int | None) -> dict[str, int]:
    others = {other: its for other, its in layout.items() if other != name}
    return others if number is None else others | {name: number}


def lay_out(state: State, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in state.items():
        (folder / name).write_bytes(data)
    return folder


def whole(folder: Path) -> None:
    """Each listed file is there with its checksum, and the log continues from line to line and names it."""
    index = json.loads((folder / "dumps.json").read_text())
    log = (folder / dumps.LOG).read_text()
    listed = [file for month in index["months"] for file in month["files"]]
    assert listed
    for file in listed:
        data = (folder / file["name"]).read_bytes()
        assert (len(data), sha256(data).hexdigest()) == (file["size"], file["sha256"])
        assert f" {file['name']} {file['sha256']} " in log
    assert chain.faults(log, chain.newest(log)) == []


@pytest.mark.parametrize("change", ["first", "again"])
def test_after_a_power_cut_the_next_run_has_whole_files(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    stored(samples.TAROKY)
    folder = tmp_path / "dumps"
    folder.mkdir()
    if change == "again":
        dumped(folder)
        stored(samples.TROGGU)
    with monkeypatch.context() as watched:
        disk = Disk(folder, watched)
        dumped(folder)
    whole(folder)
    states = list({tuple(sorted(state.items())): state for state in disk.states}.values())
    assert len(states) > 10
    monkeypatch.setattr(settings, "DUMP_DIR", str(tmp_path / "cut"))
    for state in states:
        cut = lay_out(state, tmp_path / "cut")
        for month in dumps.months():
            assert month.deals, "the list can be read"
        before = (cut / dumps.LOG).read_text() if (cut / dumps.LOG).exists() else ""
        dumped(cut)
        whole(cut)
        kept = before[: before.rfind("\n") + 1]
        assert (cut / dumps.LOG).read_text().startswith(kept), "no line goes"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"months": [{}]}', '{"months": 1, "written_at": 2}', "\0" * 100]
)
def test_an_unreadable_index_is_no_index(text: str, tmp_path: Path, settings: Any) -> None:
    stored(samples.TAROKY)
    dumped(tmp_path)
    (tmp_path / "dumps.json").write_text(text)
    settings.DUMP_DIR = str(tmp_path)
    assert dumps.months() == []
    assert dumps.are_due(NOW)
    dumped(tmp_path)
    whole(tmp_path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    files.write(path, "old")
    with pytest.raises(UnicodeEncodeError):
        files.write(path, "\ud800")
    assert path.read_text() == "old"
    path.write_text("old\n")
    files.append(path, "1\n")
    path.write_text(path.read_text() + "torn")
    files.append(path, "2\n")
    assert path.read_text() == "old\n1\n2\n"
