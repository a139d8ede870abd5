"""Bringing in old results on the page: previewed, answered, corrected, stored once, withdrawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from archive.models import Contribution, ImportedTable, Space, Upload
from tarock.tables import recognise_file
from tests.archive.test_imports import EVENINGS

from .conftest import missing, page_at, page_of, text_of

pytestmark = pytest.mark.django_db

CELL = "answer.cell::3:B"


def file(text: str = EVENINGS, name: str = "kotva.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def send(client: Client, status: int = 200, **data: Any) -> Any:
    answer = client.post("/import/", data)
    assert answer.status_code == status
    return answer


def fields(answer: Any) -> dict[str, str]:
    """Return the fields of a preview as a browser sends them, without its selects and button."""
    tags = page_of(answer, answer.status_code).tags
    inputs = [attrs for tag, attrs in tags if tag == "input" and attrs.get("name")]
    return {attrs["name"] or "": attrs.get("value") or "" for attrs in inputs if attrs["name"] != "next"}


def test_a_table_is_previewed_corrected_stored_and_withdrawn(signed_in: Client, club: Space) -> None:
    answer = send(signed_in, file=file(), space=club.pk)
    told = (
        "kotva.csv: 2 evenings, 3 players", "Row 3, column B: '1O' is not a number", "Row 5: is empty",
        "3 totals agree with the sums of the rows.", "Store 2 results",
    )  # fmt: skip
    assert missing(page_of(answer).text, *told) == []
    assert not Upload.objects.exists()
    form = fields(answer) | {"space": club.pk, CELL: "10"}
    answer = send(signed_in, **form, action="preview")
    # 10 + 10 + 20 = 40 differs from the table's 30, which left out the evening.
    assert missing(page_of(answer).text, "Alena +30 +40", "Store 3 results") == []
    form = fields(answer) | {"space": club.pk, "visibility": "members", "answer.session:": "Kotva league"}
    there = send(signed_in, 302, **form, action="store")["Location"]
    assert send(signed_in, 302, **form, action="store")["Location"] == there, "confirmed twice, stored once"
    page = text_of(signed_in, there)
    assert missing(page, "3 deals stored", "Row 5: is empty", "Withdraw these results") == []
    rows = Contribution.objects.order_by("pk").values_list("session__name", "space", "visibility")
    assert rows[1] == ("Kotva league 2019-01-18", club.pk, "members")
    assert b"".join(signed_in.get(f"{there}original").streaming_content) == EVENINGS.encode()
    assert Client().post(f"{there}withdraw/").status_code == 404
    signed_in.post(f"{there}withdraw/")
    assert set(Contribution.objects.values_list("visibility", flat=True)) == {"withdrawn"}


def test_cells_are_pasted_by_a_guest_who_answers_a_question_first(client: Client) -> None:
    answer = send(client, text="Deal\tAlena\tBob\n1\t2,50\t-2,50\n2\t1\t-1\n")
    assert missing(page_of(answer).text, "Please answer first", "Points for one unit of the table") == []
    form = fields(answer) | {"answer.unit": "100"}
    answer = send(client, 422, **form, action="store")
    assert missing(page_of(answer, 422).text, "These are deals. Choose their game.") == []
    answer = send(client, 302, **fields(answer) | {"game": "taroky"}, action="store")
    page = text_of(client, answer["Location"])
    assert missing(page, "2 deals stored", "Points for one unit of the table") == []
    assert set(Contribution.objects.values_list("deal__game", "space__kind")) == {("taroky", "guest")}


def test_a_column_that_was_left_out_can_be_a_player(signed_in: Client) -> None:
    table = "Date;Alena;Bob;Cyril;Kasse\n" + "".join(
        f"2019-01-{day:02};{3 - day};{day - 9};6;5\n" for day in range(1, 9)
    )
    answer = send(signed_in, file=file(table))
    assert missing(page_of(answer).text, "8 evenings, 3 players", "every row adds up to zero") == []
    answer = send(signed_in, **fields(answer) | {"answer.column::E": "player"}, action="preview")
    assert missing(page_of(answer).text, "8 evenings, 4 players", "the points don’t add up to 0") == []


def test_names_like_those_of_the_club_are_asked_once(signed_in: Client, club: Space) -> None:
    send(signed_in, file=file("Date;Alena Nováková;Bob\n2018-01-11;5;-5\n"), space=club.pk)
    send(signed_in, 302, key=ImportedTable.objects.get().key, space=club.pk, action="store")
    table = file("Date;Alena N.;Bob\n2019-01-11;5;-5\n2019-02-11;1;-1\n")
    answer = send(signed_in, file=table, space=club.pk)
    assert page_of(answer).text.count("'Alena N.' may be another spelling of 'Alena Nováková'") == 1
    form = fields(answer) | {"space": club.pk, "answer.name:Alena N.": "Alena Nováková"}
    send(signed_in, 302, **form, action="store")
    assert set(club.players.values_list("name", flat=True)) == {"Alena Nováková", "Bob"}


def test_a_table_without_points_is_refused_with_the_reason(client: Client) -> None:
    for sent, why in (
        ({"text": "Once upon a time\n"}, "No columns with players' points were found"),
        ({"file": SimpleUploadedFile("a.xlsx", b"PK\x03\x04xl/")}, "The spreadsheet is damaged"),
        ({}, "Choose a file or paste some cells."),
        ({"key": uuid4()}, "The table is kept for a day, and no longer here. Send it again."),
        ({"file": file(), "key": "no key"}, "Enter a valid UUID"),
    ):
        assert missing(page_of(send(client, 400, **sent), 400).text, why) == []
    assert not ImportedTable.objects.exists()


def test_the_draft_of_a_user_is_hidden_from_others(signed_in: Client, other: Client) -> None:
    send(signed_in, file=file())
    key = ImportedTable.objects.get().key
    assert missing(page_of(send(other, 400, key=key), 400).text, "no longer here") == []
    assert missing(page_of(send(signed_in, key=key)).text, "2 evenings") == []


def test_a_table_over_the_limit_is_refused_unread(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 10
    answer = send(client, 413, file=file("x" * 1_100_000))
    assert missing(page_of(answer, 413).text, "This upload is too large") == []


def test_the_page_is_linked_from_the_club_and_the_upload(signed_in: Client, club: Space) -> None:
    links = page_at(signed_in, f"/clubs/{club.pk}/").attributes("href")
    assert links.count(f"/import/?club={club.pk}") == 2, "one of them because the club is empty"
    assert "/import/" in page_at(signed_in, "/upload/").attributes("href")
    sample = Path("replays/static/replays/old-results.csv").read_bytes()
    recognised = recognise_file(sample, "old-results.csv")
    assert (recognised.kind, len(recognised.rows), recognised.faults) == ("evening", 3, [])
    assert all(stated == ours for stated, ours in recognised.total_check.values())


def test_a_table_that_was_uploaded_goes_on_to_its_preview(signed_in: Client) -> None:
    sent = signed_in.post("/upload/", {"files": file(), "visibility": "public"}, follow=True)
    (number,) = [attrs["value"] for tag, attrs in page_of(sent).tags if attrs.get("name") == "upload"]
    assert missing(page_of(send(signed_in, upload=number)).text, "kotva.csv: 2 evenings, 3 players") == []
    for other in (number, "9" * 18, "9" * 20):
        stranger = Client().post("/import/", {"upload": other})
        assert missing(page_of(stranger, 400).text, "Bring in old results") == []
