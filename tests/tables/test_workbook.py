"""Files become cells: spreadsheets, encodings, and files that are damaged or ask for too much."""

from __future__ import annotations

import gzip
import io
import random
import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest

from tarock.tables import Recognised, Unreadable, read_sheets, recognise_file
from tarock.tables.workbook import LARGEST
from tests.support.effort import THOROUGH
from tests.tables.books import far_corner, ods, xlsx

DATES = [date(2025, 11, 12), date(2025, 11, 19)]
SEASON = Path(__file__).with_name("season.xls")


def rows(found: Recognised) -> list[tuple[str, str, dict[str, int]]]:
    return [(row.session, str(row.date), row.points) for row in found.rows]


@pytest.mark.parametrize("from_1904", [False, True])
def test_dates_and_formulas_of_an_xlsx_file(from_1904: bool) -> None:
    table = [["Datum", "Anna", "Bruno"], [DATES[0], 12, "=-B2|-12"], [DATES[1], 0.1 + 0.2, -0.3]]
    (sheet,) = read_sheets(xlsx({"2025": table}, from_1904))
    assert sheet.name == "2025"
    assert sheet.rows[2] == [DATES[0], 12, -12]
    assert [str(cell) for cell in sheet.rows[3]] == ["2025-11-19", "0.3", "-0.3"]


def test_days_that_are_plain_numbers_count_from_1904_if_the_file_does() -> None:
    book = xlsx({"Liste": [["Datum", "Anna", "Bruno"], [42370, 2, -2]]}, from_1904=True)
    assert rows(recognise_file(book)) == [("Liste", "2020-01-02", {"Anna": 2, "Bruno": -2})]


def test_an_ods_file() -> None:
    table = [["Dato", "Mette", "Bo"], [DATES[0], 12, -12], [DATES[1], None, 1]]
    found = recognise_file(ods(table), filename="Klub.ods")
    assert rows(found) == [
        ("Klub 2025-11-12", "2025-11-12", {"Mette": 12, "Bo": -12}),
        ("Klub 2025-11-19", "2025-11-19", {"Bo": 1}),
    ]


def test_an_xls_file() -> None:
    assert rows(recognise_file(SEASON.read_bytes())) == [
        ("Saison 2003 2003-11-12", "2003-11-12", {"Anna": 12, "Bruno": -12}),
        ("Saison 2003 2003-11-19", "2003-11-19", {"Anna": -3, "Bruno": 3}),
    ]


def test_a_sheet_for_each_evening_with_the_date_in_its_name_and_one_with_sums() -> None:
    deals = [["Spiel", "Anna", "Bruno"], [1, 2, -2], [2, -4, 4]]
    found = recognise_file(xlsx({"12.11.2025": deals, "19.11.2025": deals}))
    read = [(row.session, str(row.date), row.deal) for row in found.rows]
    assert read == [(f"{n}.11.2025", f"2025-11-{n}", deal) for n in (12, 19) for deal in (1, 2)]
    # A sheet that sums up the others is left out.
    standing = [["Platz", "Name", "Summe"], [1, "Bruno", 4], [2, "Anna", -4]]
    found = recognise_file(xlsx({"12.11.2025": deals, "19.11.2025": deals, "Gesamt": standing}))
    assert len(found.rows) == 4
    repeated = "the table repeats the sums of the other tables"
    assert [str(place) for place in found.left_out] == [f"Gesamt, row {n}: {repeated}" for n in (2, 3)]


def test_a_hidden_sheet_is_left_out_and_named() -> None:
    evening = [["Datum", "Anna", "Bruno"], [DATES[0], 2, -2]]
    found = recognise_file(xlsx({"2025": evening, "Entwurf": evening}, hidden="Entwurf"))
    assert [row.sheet for row in found.rows] == ["2025"]
    assert [str(place) for place in found.left_out] == ["Entwurf: the sheet is hidden"]


def test_without_its_library_a_spreadsheet_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "python"
    alone.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    alone.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(alone))
    found = recognise_file(xlsx({"2025": [["Anna"], [1]]}))
    assert [fault.what.code for fault in found.faults] == ["no-reader"]


def packed(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in files.items():
            file.writestr(name.replace("__", "."), data)
    return out.getvalue()


def test_the_tables_in_a_packed_file_are_read_as_if_sent_alone() -> None:
    """Stored in the zip file uncompressed, an XLSX file must not make the zip file look like one."""
    book = xlsx({"Sheet1": [["Datum", "Anna", "Bruno"], [DATES[1], 5, -5]]})
    text = "Datum;Anna;Bruno\n12.11.2025;2;-2\n".encode("utf-16")
    data = packed(
        a2024__csv=text, a2025__xlsx=book, b__xlsx=b"PK\x03\x04", c__csv=gzip.compress(b"1"), d__tgn=b""
    )
    found = recognise_file(data)
    assert rows(found) == [
        ("a2024", "2025-11-12", {"Anna": 2, "Bruno": -2}),
        ("a2025", "2025-11-19", {"Anna": 5, "Bruno": -5}),
    ]
    assert [(place.sheet, place.what.code) for place in (*found.faults, *found.left_out)] == [
        ("b.xlsx", "packed"), ("c.csv", "packed"), ("d.tgn", "other-file"),
    ]  # fmt: skip
    (row,) = recognise_file(gzip.compress(text), filename="2024.csv.gz").rows
    assert row.points == {"Anna": 2, "Bruno": -2}
    czech = "Datum;Věra;Řehoř\r\n12.11.2025;5;-5\r\n".encode("iso8859-2")
    assert recognise_file(czech).players == ["Věra", "Řehoř"]


def test_an_unclear_encoding_is_a_question() -> None:
    """Søren in Danish is Sřren, possible letters in Czech."""
    data = "Datum;Søren;Jan\n12.11.2025;5;-5\n".encode("cp1252")
    for sent, about in ((data, "encoding"), (packed(a__csv=data), "encoding:a.csv")):
        (question,) = recognise_file(sent).questions
        assert (question.about, question.choices) == (about, ("cp1250", "cp1252"))
        assert recognise_file(sent, answers={about: "cp1252"}).players == ["Søren", "Jan"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (far_corner(), "too-large"),
        (b" " * (LARGEST + 1), "too-large"),
        (b"1;2\n" * 60_000, "too-large"),
        (b"PK\x03\x04xl/workbook.xml", "damaged"),
        (b"PK\x03\x04", "packed"),
        (packed(a__jpg=b""), "packed"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "damaged"),
        (bytes(range(128, 256)), "not-a-table"),
    ],
    ids=["far corner", "large", "long", "not XLSX", "not zip", "pictures", "not XLS", "bytes"],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        read_sheets(data)
    assert error.value.reason == reason
    found = recognise_file(data)
    assert found.kind == "refuse"
    assert found.faults[0].what.code == reason


@pytest.mark.parametrize("text", ["", "\n\n", "Hello", "Dear all,\nsee you, all,\n", "1", "=", "a;b;c"])
def test_a_text_without_points_is_refused(text: str) -> None:
    assert recognise_file(text.encode()).kind == "refuse"


def _mutated(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 3, 20])):
        at = chance.randrange(len(changed) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            changed[at:at] = chance.randbytes(1)
        elif kind == 1:
            changed[at : at + 1] = chance.randbytes(1)
        elif kind == 2:
            changed[at : at + 4] = b"\xff\xff\xff\xff"
        else:
            del changed[at : at + chance.randrange(1, 40)]
    return bytes(changed)


def _texts(chance: random.Random) -> bytes:
    words = [
        "Datum", "Anna", "Bob", "1", "-3", "2,5", "12.11.2025", "Summe", "", "-", "1O", "Punkte", "1/2/3",
        "45000", "Name", "9" * 30, "Σ", "=", "\ufeff", "３", "Spiel", "2019", '"', "x", "1.1.", "Jan 5",
    ]  # fmt: skip
    lines = [";".join(chance.choices(words, k=chance.randrange(1, 8))) for _ in range(chance.randrange(1, 9))]
    return "\n".join(lines).encode()


def test_mutated_files_have_an_answer() -> None:
    table = [["Datum", "Anna", "Bruno"], [DATES[0], 12, "=-B2|-12"], [DATES[1], 3, -3]]
    book, text = xlsx({"A": table}), b"Datum;Anna;Bruno\n12.11.2025;2;-2\n"
    packed_files = [packed(a__csv=text, b__xlsx=book), gzip.compress(text)]
    chance = random.Random(7)
    files = [_texts(chance) for _ in range(1500 if THOROUGH else 150)]
    for data in (book, SEASON.read_bytes(), ods(table), *packed_files):
        files += [_mutated(chance, data) for _ in range(70 if THOROUGH else 7)]
    for data in files:
        found = recognise_file(data, known=["Anna Nová"])
        assert found.kind in ("deal", "evening", "question", "refuse")
        found.as_json()
