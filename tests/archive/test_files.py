"""A power cut at any moment while files are written: what is on the disk afterwards can be used."""

from __future__ import annotations

import json
import os
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
    """What a power cut may leave of the files in a folder.

    Until a file is synced, its new content may be torn or all zeros. Until the folder is synced, each name
    may still stand for the file that it stood for at the last sync.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[int, Any] = {}
        self.begin()

    def begin(self) -> None:
        """Take everything in the folder as synced."""
        for file in self._open.values():
            file.close()
        self._open, self.contents = {}, {}
        self.names = self._look()  # those that a power cut can't take away: name → number of the file
        self.synced = dict(self.contents)

    def _look(self) -> dict[str, int]:
        """Read all files. Return their numbers by name. A file stays open, so that its number is not used
        again for another one."""
        names = {}
        for path in sorted(path for path in self.folder.iterdir() if path.is_file()):
            number = names[path.name] = path.stat().st_ino
            file = self._open.get(number) or self._open.setdefault(number, os.fdopen(os.open(path, 0), "rb"))
            file.seek(0)
            self.contents[number] = file.read()
        return names

    def note(self, synced: Path | None = None) -> None:
        """Note what has just been written or, with a path, synced."""
        names = self._look()
        if synced and synced.is_dir():
            self.names = names
        elif synced:
            number = synced.stat().st_ino
            self.synced[number] = self.contents[number] = synced.read_bytes()

    def layouts(self) -> list[tuple[State, str]]:
        """Return what a power cut may leave now, and in each the name of the file that is torn, if any."""
        now = self._look()
        changed = [name for name in sorted({*now, *self.names}) if now.get(name) != self.names.get(name)]
        layouts, found = [now, self.names], []
        layouts += [_with(now, name, self.names.get(name)) for name in changed]
        for layout in layouts:
            state = {name: self.contents[number] for name, number in layout.items()}
            found.append((state, ""))
            for name, number in layout.items():
                old = self.synced.get(number, b"")
                if new := state[name].removeprefix(old):
                    torn = new[: len(new) // 2], bytes(len(new))
                    found += [(state | {name: old + left}, name) for left in torn]
        return found


def _with(layout: dict[str, int], name: str, number: int | None) -> dict[str, int]:
    others = {other: its for other, its in layout.items() if other != name}
    return others if number is None else others | {name: number}


def lay_out(state: State, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
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
    states: dict[Any, State] = {}
    disk, replace, sync = Disk(folder), os.replace, files.sync

    def cut() -> None:
        disk.note()
        states.update((tuple(sorted(state.items())), state) for state, _torn in disk.layouts())

    def replaced(new: Path, path: Path) -> None:
        replace(new, path)
        cut()

    def synced(path: Path) -> None:
        cut()
        sync(path)
        disk.note(path)

    with monkeypatch.context() as watched:
        watched.setattr(os, "replace", replaced)
        watched.setattr(files, "sync", synced)
        dumped(folder)
    whole(folder)
    assert len(states) > 10
    monkeypatch.setattr(settings, "DUMP_DIR", str(tmp_path / "cut"))
    for state in states.values():
        left = lay_out(state, tmp_path / "cut")
        for month in dumps.months():
            assert month.deals, "the list can be read"
        before = (left / dumps.LOG).read_text() if (left / dumps.LOG).exists() else ""
        dumped(left)
        whole(left)
        kept = before[: before.rfind("\n") + 1]
        assert (left / dumps.LOG).read_text().startswith(kept), "no line goes"


def test_an_unreadable_index_is_no_index(tmp_path: Path, settings: Any) -> None:
    stored(samples.TAROKY)
    dumped(tmp_path)
    settings.DUMP_DIR = str(tmp_path)
    for text in ("", "{", "[]", '{"months": [{}]}', '{"months": 1, "written_at": 2}', "\0" * 100):
        (tmp_path / "dumps.json").write_text(text)
        assert (dumps.months(), dumps.are_due(NOW)) == ([], True), text
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
