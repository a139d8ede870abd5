"""Tables of old results: brought in as one upload, by command and API."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.utils import timezone

from archive.models import Contribution, ImportedTable, Part, Upload
from archive.reading.uploads import upload_bytes
from archive.storing import corrections, imports, removal, spaces, sweeper, uploads
from tarock.tables import recognise_file
from tests.support.storing import outcomes, store

pytestmark = pytest.mark.django_db

EVENINGS = """\
Date;Alena;Bořek;Cyril
2019-01-11;10;-5;-5
2019-01-18;1O;-5;-5
2019-01-25;20;-10;-10

Total;30;-15;-15
"""
"""Two evenings, a fault in row 3, an empty row, and totals that agree."""


def bring_in() -> Upload:
    table = imports.new_table(EVENINGS.encode(), "kotva.csv", None)
    recognised = recognise_file(EVENINGS.encode(), "kotva.csv")
    return store(imports.receive(table, recognised, imports.Counted(), send=False))


def test_each_row_of_a_table_becomes_a_result_of_one_upload() -> None:
    upload = bring_in()
    assert outcomes(upload) == ["stored", "stored"]
    rows = Contribution.objects.order_by("pk").values_list("date", "session__name", "verdict", "deal__kind")
    assert list(rows) == [
        ("2019-01-11", "kotva 2019-01-11", "stated", "result"),
        ("2019-01-25", "kotva 2019-01-25", "stated", "result"),
    ]
    assert b"".join(upload_bytes(upload)) == EVENINGS.encode()
    report = upload.table.read_report()
    read = recognise_file(EVENINGS.encode(), "kotva.csv")
    assert (report.left_out, report.as_json()["assumed"]) == (read.left_out, read.as_json()["assumed"])
    assert [str(fault) for fault in report.faults] == ["row 3, column B: '1O' is not a number"]
    assert (report.total_check["Alena"], report.rows) == ((30, 30), [])


def test_a_table_is_stored_once_however_often_its_sender_confirms() -> None:
    table = imports.new_table(EVENINGS.encode(), "kotva.csv", None)
    imports.keep(table)
    recognised = recognise_file(EVENINGS.encode(), "kotva.csv")
    imports.receive(table, recognised, imports.Counted(), send=False)
    with pytest.raises(imports.uploads.AlreadyImported):
        imports.receive(table, recognised, imports.Counted(), send=False)
    assert (Upload.objects.count(), Part.objects.count()) == (1, 1)


def test_a_table_outlives_an_upload_that_breaks_off(settings: Any) -> None:
    settings.ARCHIVE_QUOTA_DEALS = settings.ARCHIVE_ANONYMOUS_QUOTA_DEALS = 1
    table = imports.new_table(EVENINGS.encode(), "kotva.csv", None, "10.0.0.1")
    with pytest.raises(imports.uploads.OverQuota):
        imports.receive(table, recognise_file(EVENINGS.encode()), imports.Counted(), address="10.0.0.1")
    assert (Upload.objects.count(), ImportedTable.objects.get().bytes) == (0, EVENINGS.encode())


def test_drafts_expire_and_a_sender_has_only_a_few(ada: Any) -> None:
    other, sender = imports.new_table(b"other", "", None, "10.0.0.2"), uploads.sender(None, "10.0.0.1")
    imports.keep(other)
    for number in range(7):
        if number == 6:  # What is confirmed is no draft any more.
            upload = bring_in()
            ImportedTable.objects.filter(upload=upload).update(sender=sender)
        imports.keep(imports.new_table(b"%d" % number, "", None, "10.0.0.1"))
    sweeper.clean(timezone.now() + timedelta(hours=23))
    drafts = [table.bytes for table in ImportedTable.objects.filter(upload=None)]
    assert drafts == [b"6", b"5", b"4", b"3", b"2", b"other"]
    assert imports.get_table(other.key, AnonymousUser()) == imports.get_table(other.key, ada) == other
    ImportedTable.objects.filter(pk=other.pk).update(sent_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(ImportedTable.DoesNotExist):
        imports.get_table(other.key, AnonymousUser())
    sweeper.clean(timezone.now() + timedelta(hours=25))
    assert [table.upload for table in ImportedTable.objects.all()] == [upload]


def test_a_purged_import_leaves_no_table_behind() -> None:
    upload = bring_in()
    corrections.set_visibilities(Contribution.objects.all(), "withdrawn", by=None)
    removal.purge(timezone.now() + timedelta(days=1))
    table = ImportedTable.objects.get(upload=upload)
    assert (table.bytes, table.read_report()) == (b"", None)


def test_the_command_imports_a_table_and_says_what_it_left_out(tmp_path: Path, ada: Any) -> None:
    club = spaces.found_club("Kotva", by=ada)
    file = tmp_path / "kotva.csv"
    file.write_text(EVENINGS)
    out, err = io.StringIO(), io.StringIO()
    for said in ("2 rows; nothing was stored", "kotva.csv: 2 stored", "kotva.csv: 2 known"):
        how = {"club": club.pk, "game": "taroky", "dry_run": "nothing" in said}
        call_command("import_results", file, stdout=out, stderr=err, **how)
        assert said in out.getvalue()
    assert "row 3, column B: '1O' is not a number" in err.getvalue()
    assert list(Contribution.objects.values_list("space", "deal__game")) == [(club.pk, "taroky")] * 2


def test_the_command_stores_nothing_while_something_is_open(tmp_path: Path) -> None:
    file = tmp_path / "deals.csv"
    for text, why in (
        ("Deal;Alena;Bob\n1;5;-5\n2;3;-3\n", "these are deals"),
        ("Date;Alena;Bob\n2019-01-11;2,5;-2,5\n", "answer the questions first"),
        ("Once upon a time\n", "there are no points"),
    ):
        file.write_text(text)
        with pytest.raises(CommandError, match=why):
            call_command("import_results", file, stderr=io.StringIO())
    assert not Upload.objects.exists()
