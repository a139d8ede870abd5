"""Backup and restore, on whichever database the tests run."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from archive.models import Note
from archive.reading.uploads import upload_bytes
from archive.storing import uploads
from deploy import backup
from tests.infra.programs import Done, python
from tools import servers

pytestmark = pytest.mark.storage


def path_with_dump() -> str:
    """A PATH whose `pg_dump` is not older than the server; skips where there is none."""
    if connection.vendor != "postgresql":
        return os.environ["PATH"]
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        server = int(cursor.fetchone()[0]) // 10000
    wheel = servers.wheel_programs()
    for path in (os.environ["PATH"], *([f"{wheel}{os.pathsep}{os.environ['PATH']}"] if wheel else [])):
        program = shutil.which("pg_dump", path=path)
        if program is None:
            continue
        words = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        if int(re.search(r"\s(\d+)", words)[1]) >= server:  # type: ignore[index]
            return path
    pytest.skip("there is no pg_dump as new as the server")


def run(url: str, *arguments: str) -> Done:
    """The command, on the database of the test."""
    environment = {**os.environ, "DATABASE_URL": url, "PATH": path_with_dump()}
    return python("-m", "deploy.backup", *arguments, **environment)


def test_what_is_saved_comes_back(transactional_db: None, tmp_path: Path, database_url: str) -> None:
    kept = uploads.receive([b"not a deal, but kept as it came"], limit=100, source="cli", send=False)
    User.objects.create_user("anna", password="a long one")
    saved, beside = tmp_path / "archive.dump", tmp_path / "archive.dump.sums"
    beside.touch(0o644)  # as a previous version wrote it, a week ago
    done = run(database_url, "save", str(saved))
    assert done.returncode == 0, done.stderr
    assert [path.stat().st_mode & 0o777 for path in (saved, beside)] == [0o600] * 2
    backed_up = Note.objects.get(name="backup").noted_at
    User.objects.all().delete()
    User.objects.create_user("berta")
    connection.close()
    rehearsed = run(database_url, "rehearse", str(saved))
    assert rehearsed.returncode == 0, rehearsed.stderr
    assert "came back as they were saved" in rehearsed.stdout
    assert Note.objects.get(name="rehearsal").noted_at > backed_up
    assert User.objects.get().username == "berta"  # the archive itself is as it was
    connection.close()
    Note.objects.all().delete()
    good = json.loads(beside.read_text())
    others = {"auth_user": [2, "0"], "archive_part": [1, "12"], "archive_gone": [0, "0"]}
    beside.write_text(json.dumps(good | others))
    rehearsed = run(database_url, "rehearse", str(saved))
    assert rehearsed.returncode == 1
    assert rehearsed.stderr.splitlines()[1:] == [
        "archive_gone: is missing",
        "archive_part: 1 rows, but not with the contents that were saved",
        "auth_user: 2 rows were saved, 1 came back",
    ]
    assert not Note.objects.filter(name="rehearsal").exists()  # only one that succeeds is noted
    done = run(database_url, "restore", str(saved))
    assert done.returncode == 0, done.stderr
    assert [user.username for user in User.objects.all()] == ["anna"]
    assert b"".join(upload_bytes(kept)) == b"not a deal, but kept as it came"
    assert User.objects.get().check_password("a long one")


def test_neither_deals_are_given_up_unasked_nor_is_any_file_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "db")}
    monkeypatch.setattr(backup, "_database", lambda: good)
    monkeypatch.setattr(backup, "_holds_deals", lambda: True)
    saved = tmp_path / "saved"
    saved.write_bytes(b"SQLite format 3\x00")
    with pytest.raises(backup.Refused, match="say --replace"):
        backup.restore(saved)
    saved.write_bytes(b"something else altogether")
    assert backup.main(["restore", str(saved), "--replace"]) == 1
    assert "is no backup of" in capsys.readouterr().err
