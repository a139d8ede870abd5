"""Faults, questions and answers, and everything that is left out or assumed."""

from __future__ import annotations

import unicodedata

from tarock.tables import Recognised, recognise_file
from tarock.tables.names import is_near
from tests.tables.books import xlsx


def read(text: str, **options: object) -> Recognised:
    return recognise_file(text.encode(), **options)  # type: ignore[arg-type]


def points(found: Recognised) -> list[dict[str, int]]:
    return [row.points for row in found.rows]


FAULTY = "Datum;Anna;Bruno\n12.11.2025;12;-12\n19.11.2025;1O;-4\n31.11.2025;1;-1\n26.11.2025;5;-5\n"


def test_a_fault_names_its_place_and_stops_no_other_row() -> None:
    """The reader's language names it, and an answer corrects it."""
    found = read(FAULTY)
    assert [str(fault) for fault in found.faults] == [
        "row 3, column B: '1O' is not a number",
        "row 4, column A: '31.11.2025' is not a date",
    ]
    place = {"sheet": "", "row": 3, "column": "B"}
    assert found.as_json()["faults"][0] == place | {"what": "'1O' is not a number"}
    assert points(found) == [{"Anna": 12, "Bruno": -12}, {"Anna": 5, "Bruno": -5}]
    fault = found.faults[0]
    assert fault.text("de") == "Zeile 3, Spalte B: „1O“ ist keine Zahl"
    assert fault.text("ja") == "3行目、B列：「1O」は数字ではありません"
    assert found.as_json("cs")["faults"][0]["what"] == "„1O“ není číslo"
    found = read(FAULTY, answers={"cell::3:B": "4", "cell::4:A": "30.11.2025"})
    assert found.faults == []
    assert points(found)[1:3] == [{"Anna": 4, "Bruno": -4}, {"Anna": 1, "Bruno": -1}]


def test_points_have_the_limit_of_records() -> None:
    found = read("Datum;Anna;Bruno\n1.2.2020;1000000000;-1000000000\n8.2.2020;1000000001;0\n")
    assert [row.points["Anna"] for row in found.rows] == [10**9]
    assert [fault.what.code for fault in found.faults] == ["number-too-large"]


def test_a_running_total_after_a_fault_is_unknown() -> None:
    table = "Datum;Anna;Bruno\n5.1.2025;10;-10\n12.1.2025;l4;-14\n19.1.2025;9;-9\n26.1.2025;12;-12\n"
    found = read(table, answers={"running": "running"})
    assert points(found) == [{"Anna": 10, "Bruno": -10}, {"Anna": 3, "Bruno": -3}]
    assert [(fault.row, fault.what.code) for fault in found.faults] == [(3, "no-number"), (4, "after-fault")]


def test_dates_without_an_order_or_a_year_are_asked_for() -> None:
    slashes, yearless = (
        "Date;Tom;Ann\n3/4/2025;5;-5\n4/4/2025;7;-7\n",
        "Datum;A;B\n12.11.;12;-12\n3.1.;4;-4\n",
    )
    for table, about, answer, dates in (
        (slashes, "order", "month-day", ["2025-03-04", "2025-04-04"]),
        (yearless, "year", "2019", ["2019-11-12", "2020-01-03"]),
    ):
        found = read(table)
        assert (found.kind, [question.about for question in found.questions]) == ("question", [about])
        assert [str(row.date) for row in read(table, answers={about: answer}).rows] == dates
    assert [str(row.date) for row in read(yearless, filename="2018.csv").rows] == ["2018-11-12", "2019-01-03"]


def test_sheets_that_differ_have_answers_of_their_own() -> None:
    """In one sheet each row is a deal, in the other an evening; one counts months first, the other days."""
    head = ["Date", "Tom", "Ann"]
    one = [head, *[["3/14/2025", number, -number] for number in (5, 7, 9)]]
    two = [head, ["17/3/2025", 1.5, -1.5], ["18/3/2025", 2.5, -2.5], ["19/3/2025", 1, -1]]
    book = xlsx({"US": one, "UK": two})
    found = recognise_file(book, answers={"unit": "10", "unit:US": "1"})
    assumed = {
        question.about: question.chosen for question in found.assumed if "column" not in question.about
    }
    assert assumed == {
        "order": "month-day", "order:UK": "day-month", "kind": "deal", "kind:UK": "evening",
        "unit:US": "1", "unit": "10", "session:US": "US", "session:UK": "UK",
    }  # fmt: skip
    assert [(str(row.date), row.deal, row.points["Tom"]) for row in found.rows] == [
        ("2025-03-14", 1, 5), ("2025-03-14", 2, 7), ("2025-03-14", 3, 9),
        ("2025-03-17", None, 15), ("2025-03-18", None, 25), ("2025-03-19", None, 10),
    ]  # fmt: skip
    answered = recognise_file(book, answers={"unit": "10", "kind:US": "evening"})
    assert {row.deal for row in answered.rows} == {None}


def test_decimals_ask_once_for_the_unit() -> None:
    table = "Datum;Petr;Jan\n12.11.2025;2,50 Kč;-2,50 Kč\n19.11.2025;1;-1\n"
    found = read(table)
    assert [question.about for question in found.questions] == ["unit"]
    answered, cents = read(table, answers={"unit": "100"}), [(250, -250), (100, -100)]
    assert (answered.kind, points(answered)) == ("evening", [{"Petr": a, "Jan": b} for a, b in cents])
    assert [fault.what.code for fault in read(table, answers={"unit": "1"}).faults] == ["not-whole"]


def test_rows_without_date_and_number_are_deals_or_evenings() -> None:
    table = "Anna;Bruno\n5;-5\n7;-7\n"
    assert [question.about for question in read(table).questions] == ["kind"]
    assert [row.deal for row in read(table, answers={"kind": "deal"}).rows] == [1, 2]
    evenings = read(table, answers={"kind": "evening"}, filename="old.csv")
    assert [(row.session, row.deal) for row in evenings.rows] == [("old 1", None), ("old 2", None)]


def test_amounts_that_look_like_running_totals_are_asked_for() -> None:
    amounts = [10, 14, 19, 25, 24, 30, 35]
    lines = [f"{day}.1.2025;{amount};{-amount}" for day, amount in enumerate(amounts, 1)]
    table = "\n".join(["Datum;Anna;Bruno", *lines])
    assert [question.about for question in read(table).questions] == ["running"]
    assert [row["Anna"] for row in points(read(table, answers={"running": "points"}))] == amounts
    running = points(read(table, answers={"running": "running"}))
    assert [row["Anna"] for row in running] == [10, 4, 5, 6, -1, 6, 5]


def test_one_decision_settles_a_name_for_all_rows() -> None:
    table = "Datum;Petr Novák;P. Novak;Jan\n1.2.2020;2;;-2\n8.2.2020;;1;-1\n"
    (question,) = read(table).questions
    assert (question.about, question.choices) == ("name:P. Novak", ("Petr Novák", "P. Novak"))
    answered = read(table, answers={"name:P. Novak": "Petr Novák"})
    assert points(answered) == [{"Petr Novák": 2, "Jan": -2}, {"Petr Novák": 1, "Jan": -1}]


def test_names_near_known_players_are_asked_for() -> None:
    found = read("Datum;Petr;jan malý\n1.2.2020;2;-2\n", known=["Petr Novák", "Jan Malý", "Eva"])
    assert [question.about for question in found.questions] == ["name:Petr"]
    assert found.players == ["Petr", "Jan Malý"]
    assert read("Datum;Hana;Hanna\n1.2.2020;2;-2\n").questions == [], "they played together"


def test_a_name_is_one_player_however_its_letters_are_stored() -> None:
    """As an accented letter, as a letter and an accent, or with a no-break space."""
    one, other = "Jiří Malý", unicodedata.normalize("NFD", "Jiří\u00a0Malý")
    table = f"Datum;Name;Punkte;Name;Punkte\n1.2.2020;{one};2;Eva;-2\n8.2.2020;{other};1;Eva;-1\n"
    assert read(table).players == ["Jiří Malý", "Eva"]
    assert read(table, known=[other]).questions == []


NEAR = "Petr Novák = Novák Petr | Petr N. = Petr Novák | Petr = Petr Novák | Rehor = Řehoř | Karel = Karl"
NOT_NEAR = "Petr Novák = Petr Dvořák | Anna = Bruno | 太郎 = 花子"


def test_near_names() -> None:
    for pairs, near in ((NEAR, True), (NOT_NEAR, False)):
        for pair in pairs.split(" | "):
            assert is_near(*pair.split(" = ")) is near, pair


def test_a_table_without_names_asks_for_them() -> None:
    table = "12.11.2025;12;-12\n19.11.2025;3;-3\n"
    assert [question.about for question in read(table).questions] == ["name:Column B", "name:Column C"]
    found = read(table, answers={"name:Column B": "Anna", "name:Column C": "Bob"})
    assert (found.kind, found.players) == ("evening", ["Anna", "Bob"])


def test_a_column_is_left_out_by_choice() -> None:
    found = read("Datum;Anna;Bob;Cid\n1.2.2020;2;-2;7\n", answers={"column::D": "ignore"})
    assert points(found) == [{"Anna": 2, "Bob": -2}]
    assert [str(place) for place in found.columns_out] == ["column D: you left the column out"]


def test_rows_and_columns_left_out_say_why() -> None:
    table = "Datum;Anna;Bob;Summe;Notiz\n5.1.2020;5;-5;0;gut\n\nPause\n12.1.2020;-;-;;\n"
    table += "19.1.2020;6;-6;0;\nSumme;12;-11\n"
    found = read(table)
    left_out = {(3, "empty"), (4, "no-row"), (5, "nobody"), (7, "total")}
    assert {(place.row, place.what.code) for place in found.left_out} == left_out
    columns = [(place.column, place.what.code) for place in found.columns_out]
    assert columns == [("D", "total"), ("E", "note")]
    assert found.total_check == {"Anna": (12, 11), "Bob": (-11, -11)}
    assert found.as_json()["total_check"]["Anna"] == {"file": 12, "ours": 11}


def test_deals_numbered_twice_are_numbered_by_their_order() -> None:
    found = read("Datum;Spiel;Anna;Bob\n5.1.2020;1;5;-5\n5.1.2020;1;6;-6\n")
    assert [row.deal for row in found.rows] == [1, 2]
    assert "numbers:2020-01-05" in [question.about for question in found.assumed]
