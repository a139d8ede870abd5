"""Tables of old results by the API: read, refused with questions, stored as one upload."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from archive.models import Contribution, ImportedTable, Upload
from archive.storing import spaces
from tests.archive.test_imports import EVENINGS
from tests.support.storing import store

from .shape import assert_error


def post(client: Any, text: str = EVENINGS, query: str = "", headers: Any = None, **fields: Any) -> Any:
    form = {"file": SimpleUploadedFile("kotva.csv", text.encode()), **fields}
    return client.generic(
        "POST",
        f"/api/v1/imports{query}",
        encode_multipart(BOUNDARY, form),
        MULTIPART_CONTENT,
        headers=headers,
    )


def test_a_dry_run_says_how_a_table_is_read_and_stores_nothing(writer: Any) -> None:
    found = post(writer, dry_run="true").json()
    assert found["kind"] == "evening"
    assert [row["points"]["Alena"] for row in found["rows"]] == [10, 20]
    assert found["faults"] == [{"sheet": "", "row": 3, "column": "B", "what": "'1O' is not a number"}]
    answers = json.dumps({"cell::3:B": "10", "session:": "League"})
    found = post(writer, dry_run="true", answers=answers).json()
    assert [row["session"] for row in found["rows"]][1:2] == ["League 2019-01-18"]
    assert (found["faults"], found["total_check"]["Alena"]) == ([], {"file": 30, "ours": 40})
    assert (Upload.objects.count(), ImportedTable.objects.count()) == (0, 0)


def test_a_table_becomes_one_upload_of_a_club_and_is_stored_once_by_its_key(
    writer: Any, stranger: Any, alena: Any
) -> None:
    club = spaces.found_club("Kotva", by=alena)
    where = f"?club={club.pk}&visibility=members"
    headers = {"Idempotency-Key": "drawer-1"}
    first = post(writer, query=where, headers=headers)
    assert (first.status_code, first.json()["upload"]) == (202, Upload.objects.get().pk)
    store(Upload.objects.get())
    # The players are known now, but the key still stands for the same request.
    again = post(writer, query=where, headers=headers)
    assert (again.status_code, again["Idempotent-Replayed"], again.json()["stored"]) == (200, "true", 2)
    for text, query, more in (
        (EVENINGS + "\n", where, {}),
        (EVENINGS, "?visibility=members", {}),
        (EVENINGS, where, {"game": "taroky"}),
        (EVENINGS, where, {"answers": '{"session:": "League"}'}),
    ):
        assert_error(post(writer, text, query, headers, **more), 422, "key_reused")
    assert_error(post(stranger, query=where), 400, "invalid_parameter", field="club")
    known = post(writer, "Date;ALENA;Bob\n2019-02-01;5;-5\n", where, dry_run="true").json()
    assert "name:ALENA" in [one["about"] for one in (*known["questions"], *known["assumed"])]
    rows = Contribution.objects.values_list("space", "visibility", "part__upload__filename")
    assert set(rows) == {(club.pk, "members", "kotva.csv")}
    assert bytes(Upload.objects.get().table.bytes) == EVENINGS.encode()


@pytest.mark.parametrize(
    ("text", "game", "why"),
    [
        ("Date;Alena;Bob\n2019-01-11;2,5;-2,5\n", "taroky", "must be answered first"),
        ("Deal;Alena;Bob\n1;5;-5\n2;3;-3\n", "", "Say of which game"),
        ("Once upon a time\n", "taroky", "no columns with players' points"),
    ],
)
def test_an_open_question_stores_nothing_and_is_in_the_answer(
    writer: Any, text: str, game: str, why: str
) -> None:
    fields = {"game": game} if game else {}
    answer = post(writer, text, **fields)
    error = assert_error(answer, 422, "refused", report=True)
    assert why in error["detail"]
    read = post(writer, text, **fields, dry_run="1").json()
    assert {name: error[name] for name in read} == read
    assert not Upload.objects.exists()


def test_wrong_fields_of_the_form_are_named_and_other_bodies_refused(writer: Any, settings: Any) -> None:
    wrong = [("game", "whist"), ("dry_run", "perhaps"), ("colour", "red"), ("file", "no file")]
    wrong += [("answers", value) for value in ("[1]", '{"kind": 1}', "{")]
    for field, value in wrong:
        assert_error(post(writer, **{field: value}), 400, "invalid_parameter", field=field)
    assert_error(writer.send("x", "text/csv", "imports"), 415, "unsupported_media_type")
    assert_error(writer.send("x", MULTIPART_CONTENT, "imports"), 400)
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 1000
    assert_error(post(writer, "x" * 1_100_000), 413, "too_large")
