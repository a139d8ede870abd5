"""`-o`: a file is replaced by what was made of the whole input, or stays as it is."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from tarock.cli import records, sheet
from tarock.cli.main import main
from tarock.core.record import Record
from tarock.notation import read, read_one
from tests.cli.command import PROGRAM, ROOT, process, tarock
from tests.support.samples import MALFORMED, SHEET, TAROKY

TO_TGN = ("convert", "--to", "tgn")
COMMANDS = [
    ("sheet",),
    TO_TGN,
    ("convert", "--to", "json"),
    ("convert", "--to", "ndjson"),
    ("sheet", "--json"),
]


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("text", [TAROKY, f"{TAROKY}\n{SHEET}"], ids=["one record", "two records"])
def test_an_input_may_be_the_target(command: tuple[str, ...], text: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.tgn"
    file.write_text(text, encoding="utf-8")
    expected = tarock(*command, str(file)).stdout
    done = tarock(*command, "-o", str(file), str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert file.read_text(encoding="utf-8") == expected
    assert listed(tmp_path) == ["deals.tgn"]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_input_with_a_bad_record_stays_as_it_is(command: tuple[str, ...], tmp_path: Path) -> None:
    file, other = tmp_path / "deals.tgn", tmp_path / "other.tgn"
    other.write_text(TAROKY, encoding="utf-8")
    for text in (MALFORMED, f"{TAROKY}\n{MALFORMED}", f"{MALFORMED}\n{TAROKY}"):
        file.write_text(text, encoding="utf-8")
        for inputs in ([file], [other, file], [file, other]):
            done = tarock(*command, "-o", str(file), *map(str, inputs))
            assert done.returncode == 1
            assert f"tarock: {file} was not written: " in done.stderr
            assert file.read_text(encoding="utf-8") == text
    assert listed(tmp_path) == ["deals.tgn", "other.tgn"]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_another_file_has_the_good_records_or_stays_as_it_is(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    mixed, bad, good, missing, target = (
        tmp_path / name for name in ("mixed.tgn", "bad.tgn", "good.tgn", "missing.tgn", "target")
    )
    mixed.write_text(f"{TAROKY}\n{MALFORMED}\n{TAROKY}", encoding="utf-8")
    bad.write_text(MALFORMED, encoding="utf-8")
    good.write_text(TAROKY, encoding="utf-8")
    for before in (None, "before"):
        if before is None:
            target.unlink(missing_ok=True)
        else:
            target.write_text(before)
        for inputs, status in (([bad], 1), ([missing], 2), ([good, missing], 2), ([missing, good], 2)):
            done = tarock(*command, "-o", str(target), *map(str, inputs))
            assert done.returncode == status
            assert f"tarock: {target} was not written: " in done.stderr
            assert (target.read_text() if target.exists() else None) == before
        names = ["bad.tgn", "good.tgn", "mixed.tgn", *(["target"] if before else [])]
        assert listed(tmp_path) == names
        done = tarock(*command, "-o", str(target), str(mixed))
        assert (done.returncode, "was not written" in done.stderr) == (1, False)
        assert [entry.record is None for entry in read(target.read_bytes())] == [False, False]


def test_an_input_is_known_by_any_name(tmp_path: Path) -> None:
    file = tmp_path / "deals.tgn"
    text = f"{TAROKY}\n{MALFORMED}"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    os.link(file, tmp_path / "hard.tgn")
    (tmp_path / "soft.tgn").symlink_to("deals.tgn")
    for name in ("hard.tgn", "soft.tgn", "folder/../deals.tgn"):
        done = tarock(*TO_TGN, "-o", str(tmp_path / name), str(file))
        assert "it is an input" in done.stderr
        assert file.read_text(encoding="utf-8") == text
    with file.open("rb") as given:
        command = [*PROGRAM, *TO_TGN, "-o", str(file), "-"]
        done = subprocess.run(command, stdin=given, capture_output=True, cwd=ROOT, timeout=300, check=False)
    assert b"it is an input" in done.stderr
    assert file.read_text(encoding="utf-8") == text


def test_a_link_stays_one_and_permissions_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "folder" / "deals.tgn", tmp_path / "link.tgn"
    file.parent.mkdir()
    link.symlink_to("folder/deals.tgn")
    for mode in (None, 0o640, 0o604):
        if mode is not None:
            file.chmod(mode)
        assert tarock(*TO_TGN, "-o", str(link), "-", given=TAROKY).returncode == 0
        assert link.is_symlink()
        assert read_one(file.read_bytes()) == read_one(TAROKY)
        umask = os.umask(0)
        os.umask(umask)
        assert stat.S_IMODE(file.stat().st_mode) == (mode or 0o666 & ~umask)
    assert listed(tmp_path) == ["folder", "link.tgn"]
    assert listed(file.parent) == ["deals.tgn"]


def test_what_is_no_regular_file_is_written_at_once(tmp_path: Path) -> None:
    assert process(*TO_TGN, "-o", "/dev/stdout", "-", given=TAROKY).stdout == TAROKY
    assert tarock("simulate", "taroky", "--deals", "1", "--seed", "1", "-o", os.devnull).returncode == 0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert tarock(*TO_TGN, "-o", str(pipe), "-", given=TAROKY).returncode == 0
        assert reader.stdout is not None
        assert reader.stdout.read().decode() == TAROKY
    assert listed(tmp_path) == ["pipe"]
    whole = tmp_path / "whole"
    with whole.open("wb") as out:
        out.write(b"; before\n")
        out.flush()
        command = [*PROGRAM, *TO_TGN, "-o", "/dev/stdout", "-"]
        subprocess.run(command, input=TAROKY.encode(), stdout=out, cwd=ROOT, timeout=300, check=True)
    assert listed(tmp_path) == ["pipe", "whole"]
    assert read_one(whole.read_bytes()) == read_one(TAROKY)
    done = tarock(*TO_TGN, "-o", str(tmp_path), "-", given=TAROKY)
    assert (done.returncode, done.stderr.count("cannot be written")) == (2, 1)


def test_a_failed_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "target"
    target.write_text("before")

    def fails(record: Record) -> str:
        raise error

    monkeypatch.setattr(records, "write_text", fails)
    monkeypatch.setattr(sheet, "write_text", fails)
    file = tmp_path / "deals.tgn"
    file.write_text(TAROKY, encoding="utf-8")
    for error in (
        RuntimeError("a fault put in"),
        OSError(28, "No space left on device"),
        KeyboardInterrupt(),
    ):
        for command in (TO_TGN, ("sheet",)):
            if isinstance(error, RuntimeError):
                with pytest.raises(RuntimeError):
                    main([*command, "-o", str(target), str(file)])
            elif command == ("sheet",) or isinstance(error, KeyboardInterrupt):
                assert main([*command, "-o", str(target), str(file)]) in (2, 130)
    assert target.read_text() == "before"
    assert listed(tmp_path) == ["deals.tgn", "target"]


def test_an_interrupted_run_says_and_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("before")
    command = [*PROGRAM, "simulate", "taroky", "--deals", "3000", "--seed", "1"]
    # A test run in the background may have inherited that interrupts are ignored.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        [*command, "-o", str(target)], cwd=ROOT, stderr=subprocess.PIPE, preexec_fn=heed
    ) as running:
        while len(listed(tmp_path)) == 1 and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=300)[1] == b""
        assert running.returncode == 130
    assert target.read_text() == "before"
    assert listed(tmp_path) == ["target"]
