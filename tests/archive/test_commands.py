"""The management commands: samples in, verdicts anew, a sweep by hand."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from archive import services
from archive.models import Deal, Upload, VerificationRun
from archive.services import store_upload, verify
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def run(*arguments: object) -> str:
    output = StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two sample files: a good deal beside a malformed one, and two spoiled ones."""
    (tmp_path / "taroky.tgn").write_text(samples.TAROKY + "\n" + samples.MALFORMED, encoding="utf-8")
    (tmp_path / "wrong.tgn").write_text(samples.ILLEGAL + "\n" + samples.INCOMPLETE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no sample", encoding="utf-8")
    return tmp_path


def test_samples_are_loaded_once(folder):
    said = run("load_samples", "--from", folder)
    assert "taroky.tgn: 1 stored, 1 malformed" in said
    assert "wrong.tgn: 2 stored" in said
    assert "3 new deals" in said
    assert set(Upload.objects.values_list("source", "filename")) == {
        ("cli", "taroky.tgn"),
        ("cli", "wrong.tgn"),
    }
    assert VerificationRun.objects.filter(state="queued").count() == 3

    said = run("load_samples", "--from", folder)
    assert "taroky.tgn: already there" in said
    assert "0 new deals" in said
    assert (Deal.objects.count(), Upload.objects.count(), VerificationRun.objects.count()) == (3, 2, 3)


def test_a_changed_sample_file_adds_only_what_is_new(folder):
    run("load_samples", "--from", folder)
    with (folder / "taroky.tgn").open("a", encoding="utf-8") as file:
        file.write("\n" + samples.dealt(1))
    assert "taroky.tgn: 1 stored, 1 already there, 1 malformed" in run("load_samples", "--from", folder)
    assert Deal.objects.count() == 4


def test_samples_verified_here_and_now(folder):
    run("load_samples", "--now", "--from", folder)
    assert sorted(Deal.objects.values_list("verdict", flat=True)) == ["illegal", "incomplete", "verified"]


def test_now_sends_no_message(folder, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        run("load_samples", "--now", "--from", folder)
    assert callbacks == []


def test_now_tells_of_a_fault_of_ours(folder, monkeypatch):
    def check(record):
        raise ZeroDivisionError

    monkeypatch.setattr(services, "check_entry", check)
    with pytest.raises(CommandError, match="3 deals could not be verified"):
        run("load_samples", "--now", "--from", folder)


def test_a_folder_without_samples(tmp_path):
    with pytest.raises(CommandError, match=r"no \.tgn files"):
        run("load_samples", "--from", tmp_path)


@pytest.fixture
def verified() -> dict[str, Deal]:
    deals = {}
    for name, text in [("taroky", samples.TAROKY), ("illegal", samples.ILLEGAL), ("other", samples.dealt(1))]:
        deals[name] = store_upload(raw=text.encode()).items.get().deal
        verify(deals[name].pk)
    return deals


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], {"taroky", "illegal", "other"}),
        (["--game", "taroky"], {"taroky", "illegal", "other"}),
        (["--game", "troggu"], set()),
        (["--verdict", "illegal"], {"illegal"}),
        (["--player", "Ada"], {"other"}),
        (["--session", "2026-11-20 table 2", "--verdict", "verified"], {"taroky"}),
        (["--date-from", "2026-11-20", "--date-to", "2026-11-20"], {"taroky", "illegal"}),
        (["--outdated"], set()),
    ],
)
def test_reverify(verified, arguments, names):
    assert f"{len(names)} deals" in run("reverify", *arguments)
    waiting = VerificationRun.objects.filter(state="queued").values_list("deal", flat=True)
    assert {name for name, deal in verified.items() if deal.pk in waiting} == names


def test_reverify_by_number(verified):
    run("reverify", str(verified["other"].pk))
    assert VerificationRun.objects.get(state="queued").deal == verified["other"]


def test_reverify_does_not_take_a_date_that_is_none(verified):
    with pytest.raises(CommandError):
        run("reverify", "--date-from", "yesterday")


def test_sweep(verified):
    Deal.objects.update(verdict="", score=None, verified_at=None)
    assert "3 runs added" in run("sweep")
    assert "0 runs added" in run("sweep")
