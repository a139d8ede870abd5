"""The management commands: loading samples, checking again, a sweep by hand and the sweeper's process."""

from __future__ import annotations

import os
import signal
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import OperationalError
from django.utils import timezone

from archive.management.commands import reverify, sweep
from archive.models import Campaign, Chunk, Deal, Figure, Mark, Part, Tally, Upload
from archive.storing import campaigns, intake, sums, sums_check, sweeper
from archive.storing.sweeper import Sweep
from tests.archive.dumping import call
from tests.support import samples
from tests.support.storing import receive, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two sample files: a good deal next to a malformed one, and two invalid ones."""
    (tmp_path / "taroky.tgn").write_text(samples.TAROKY + "\n" + samples.MALFORMED, encoding="utf-8")
    (tmp_path / "wrong.tgn").write_text(samples.ILLEGAL_BID + "\n" + samples.INCOMPLETE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no sample", encoding="utf-8")
    return tmp_path


def load(folder: Path) -> str:
    return call("load_samples", "--from", folder)


def test_samples_are_loaded_once_and_at_once(folder, messages) -> None:
    said = load(folder)
    for words in ("taroky.tgn: 1 stored, 1 malformed", "wrong.tgn: 2 stored", "3 new deals"):
        assert words in said
    found = set(Upload.objects.values_list("source", "filename", "sender"))
    assert found == {("cli", "taroky.tgn", ""), ("cli", "wrong.tgn", "")}
    assert {deal.verdict for deal in Deal.objects.all()} == {"illegal", "incomplete", "verified"}
    said = load(folder)
    assert "taroky.tgn: already there" in said
    assert "0 new deals" in said
    assert (Deal.objects.count(), Upload.objects.count(), messages) == (3, 2, [])
    with (folder / "taroky.tgn").open("a", encoding="utf-8") as file:
        file.write("\n" + samples.dealt(1))
    assert "taroky.tgn: 1 stored, 1 known, 1 malformed" in load(folder), "what is new is added"
    assert Deal.objects.count() == 4


@pytest.mark.parametrize("name", ["check", "_read"])
def test_a_bug_is_told_and_the_samples_are_loaded_when_it_is_fixed(name: str, folder, monkeypatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(intake, name, lambda *_: 1 / 0)
        with pytest.raises(CommandError, match=r"taroky\.tgn could not be stored"):
            load(folder)
    assert "3 new deals" in load(folder)


def test_a_folder_without_samples(tmp_path) -> None:
    with pytest.raises(CommandError, match=r"no \.tgn files"):
        load(tmp_path)


@pytest.fixture
def outdated(monkeypatch) -> None:
    """Four deals, one with a verdict of another engine version."""
    monkeypatch.setattr(campaigns, "CHUNK", 3)
    stored(samples.TAROKY, samples.ILLEGAL_BID, samples.dealt(1), samples.dealt(2))
    Deal.objects.filter(verdict="illegal").update(engine_version="0", clauses="old")


def verify_all() -> None:
    for pk in Chunk.objects.values_list("pk", flat=True):
        campaigns.verify_chunk(pk)


@pytest.mark.parametrize(
    ("arguments", "checked", "changed"), [([], 4, 1), (["--outdated"], 1, 1), (["--game", "troggu"], 0, 0)]
)
def test_reverify(outdated, arguments, checked, changed) -> None:
    assert "is running: 0 deals checked" in call("reverify", *arguments)
    verify_all()
    pk = Campaign.objects.get().pk
    said = f"Campaign {pk} is done: {checked} deals checked, {changed} answers changed, 0 f"
    assert said in call("reverify", "--show", pk)


def test_reverify_until_it_is_done(outdated, monkeypatch) -> None:
    monkeypatch.setattr(reverify.time, "sleep", lambda seconds: verify_all())
    assert "is done: 4 deals checked" in call("reverify", "--wait")


def test_a_campaign_is_stopped_and_resumed(outdated) -> None:
    call("reverify")
    pk = Campaign.objects.get().pk
    assert "is stopped" in call("reverify", "--stop", pk)
    with pytest.raises(CommandError, match="not running"):
        call("reverify", "--stop", pk)
    assert "is running" in call("reverify", "--resume", pk)
    with pytest.raises(CommandError, match="was not stopped"):
        call("reverify", "--resume", pk)
    for option in ("--show", "--stop", "--resume"):
        with pytest.raises(CommandError, match="There is no campaign"):
            call("reverify", option, pk + 1)
    with pytest.raises(CommandError):
        call("reverify", "--game", "bridge")


def test_a_sweep_by_hand(messages) -> None:
    receive(samples.TAROKY)
    Part.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert "0 given up, 1 messages sent again, 0 uploads removed" in call("sweep")
    assert len(messages) == 1


def test_the_sweepers_process_goes_on_whatever_happens(monkeypatch, caplog) -> None:
    """It continues until a signal stops it; a database that is down, or a bug, costs one sweep."""
    caplog.set_level("INFO", "archive")
    answers = [Sweep(0, 0, 0), Sweep(1, 0, 2), OperationalError("away"), ZeroDivisionError("ours")]
    cleaned: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def swept() -> Sweep:
        if not answers:
            os.kill(os.getpid(), signal.SIGTERM)
        answer = answers.pop(0) if answers else Sweep(0, 0, 0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(sweeper, "sweep", swept)
    monkeypatch.setattr(sweeper, "clean", lambda: cleaned.append(1))
    monkeypatch.setattr(sweep.connection, "close", lambda: None)
    assert threading.current_thread() is threading.main_thread()
    try:
        call("sweep", "--every", "0.001")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert (answers, cleaned) == ([], [1])
    for words in ("Sweep(lost=1, given_up=0, sent=2)", "the database is away", "ZeroDivisionError: ours"):
        assert words in caplog.text


def test_the_sweeper_leaves_statistics_for_later(ada) -> None:
    stored(samples.TAROKY, user=ada)
    sums.settle(figures=False)
    assert (Tally.objects.filter(kind="deals").count(), Figure.objects.count()) == (1, 0)
    assert set(Mark.objects.values_list("kind", "number")) == {("figures", 0)}
    assert list(sums_check.check()) == []
    stored(samples.TROGGU, user=ada)
    assert sums.settle(figures=False) > 0
    assert sums.settle(figures=False) == 0
    assert Mark.objects.count() == 1
    assert sums.settle() == 1
    assert set(Figure.objects.values_list("game", flat=True)) == {"taroky", "troggu"}
    assert not Mark.objects.exists()


def test_the_sweeper_computes_statistics_once_a_minute(monkeypatch) -> None:
    now, asked = 1000.0, []
    monkeypatch.setattr(sweep.time, "monotonic", lambda: now)
    monkeypatch.setattr(sums, "settle", lambda *, figures: asked.append(figures))
    settling = sweep._Settling()
    for after in (0, 1, 58, 1):
        now += after
        settling()
    assert asked == [True, False, False, True]
