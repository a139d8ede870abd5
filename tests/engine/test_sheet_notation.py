"""Reading and writing score sheets: spellings, canonical form, text and JSON, faults with their places."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check, check_entry
from tarock.games import GAMES
from tarock.notation import read, read_one, write_json, write_text
from tests.engine.sheet_sample import FORM, LINES, SHEET, TAGS, sheet_of_game
from tests.support.samples import TAROKY


def test_text_and_json_are_one_record() -> None:
    record = read_one(SHEET)
    assert write_json(record) == FORM
    assert read_one(json.dumps(FORM)) == record
    assert write_text(record) == SHEET
    assert (record.deal, record.events, record.sheet[3]) == ({}, [], ("points", "bidder", 60))
    result = check(record)
    assert (result.verdict, result.good, result.score) == ("computed", True, FORM["score"])


def test_the_sheet_of_a_sheet_is_itself_and_an_unfinished_deal_has_none() -> None:
    record = read_one(SHEET)
    assert sheet_of(record) is record
    assert sheet_of(read_one(TAROKY[: TAROKY.index("1. ")])) is None


@pytest.mark.parametrize(("written", "meant"), [
    ("SHEET Contract FIRST", "sheet contract first"),
    ("\tsheet   bidder\ta", "sheet bidder A"),
    ("sheet partner d ; as called", "sheet partner D"),
    ("sheet points bidder 060", "sheet points bidder 60"),
    ("sheet hand a TAROCKY", "sheet hand A tarocky"),
    ("sheet DOUBLE Pagat Flek b", "sheet double pagat flek B"),
])  # fmt: skip
def test_words_in_other_spellings(written: str, meant: str) -> None:
    assert meant in LINES
    assert write_text(read_one(SHEET.replace(meant, written))) == SHEET


def test_cards_and_items_in_other_spellings() -> None:
    given = sheet_of_game(
        "grosstarock", "ABC", "declare A KINGS:3 Half-Cavallery:s", "card i b WON Last", "card sk A lost 3"
    )
    record = read_one(given)
    assert record.sheet == (
        ("declare", "A", "kings:3", "half-cavallery:S"),
        ("card", "T1", "B", "won", "last"),
        ("card", "SK", "A", "lost", 3),
    )


def test_items_of_a_hand_are_put_in_order_and_numbers_may_be_strings() -> None:
    record = read_one(SHEET.replace("hand A tarocky", "hand A trul tarocky"))
    assert ("hand", "A", "tarocky", "trul") in (record.sheet or ())
    lines = [[str(word) for word in line] for line in FORM["sheet"]]
    assert read_one(json.dumps(FORM | {"sheet": lines})) == read_one(SHEET)


def test_lines_in_any_order_are_one_sheet() -> None:
    backwards = "\n".join(reversed(LINES.splitlines())) + "\n"
    assert write_text(read_one(f"{TAGS}\n{backwards}")) == SHEET
    form = FORM | {"sheet": FORM["sheet"][::-1]}
    assert read_one(json.dumps(form)).digest == read_one(SHEET).digest


def test_kings_stay_in_the_order_of_play() -> None:
    lines = ("card SK A won 3", "card HK B lost 1", "card T1 C won")
    for some in (lines, lines[::-1]):
        record = read_one(sheet_of_game("grosstarock", "ABC", *some))
        assert [" ".join(map(str, line)) for line in record.sheet or ()] == [*some]


def test_comments_belong_to_the_whole_sheet() -> None:
    text = SHEET.replace("bidder A\n", "bidder A { Alena }\n{ again }\n", 1).replace("\n\n", "\n{ one }\n", 1)
    record = read_one(text)
    assert record.comments == {0: ["one", "Alena", "again"]}
    assert write_text(record).partition("\n\n")[2].startswith("{ one }\n{ Alena }\n{ again }\nsheet contract")
    assert read_one(write_text(record)) == record


def test_the_digest_is_of_what_was_stated_alone() -> None:
    record = read_one(SHEET)
    same = SHEET.replace("Alena", "Eva").replace("June", "July").replace("A=105", "A=100")
    assert read_one(same).digest == record.digest
    for old, new in (("60", "61"), ('Dealer "D"', 'Dealer "C"'), ("made", "failed")):
        assert read_one(SHEET.replace(old, new)).digest != record.digest
    other = SHEET.replace("[Session", '[Options "stake=2"]\n[Session')
    assert read_one(other).digest != record.digest
    assert replace(record, info=GAMES["troggu"].table.info).digest != record.digest


#: Old and new text of the sheet, reason, line, column and JSON pointer of the fault.
FAULTS = [
    ("sheet bidder A", "sheet bider A", "unknown-field", 13, 7, "/sheet/1"),
    ("sheet bidder A", "bidder A", "no-sheet-line", 13, 1, "/sheet"),
    ("sheet bidder A", "sheet", "unknown-field", 13, 1, "/sheet/1"),
    ("sheet bidder A", "sheet bidder E", "sheet-word", 13, 14, "/sheet/1/1"),
    ("sheet bidder A", "sheet bidder alone", "sheet-word", 13, 14, "/sheet/1/1"),
    ("sheet bidder A", "sheet bidder A B", "field-too-long", 13, 16, "/sheet/1/2"),
    ("contract first", "contract fifth", "sheet-word", 12, 16, "/sheet/0/1"),
    ("bidder 60", "bidder sixty", "sheet-word", 15, 21, "/sheet/3/2"),
    ("bidder 60", "bidder 6.5", "sheet-word", 15, 21, "/sheet/3/2"),
    ("bidder 60", "bidder 1000000", "sheet-word", 15, 21, "/sheet/3/2"),
    ("A tarocky", "A tarokky", "sheet-word", 17, 14, "/sheet/5/2"),
    ("double pagat re", "double talon re", "sheet-word", 20, 14, "/sheet/8/1"),
    ("A made", "A won", "sheet-word", 21, 25, "/sheet/9/3"),
    ('[Deal "7"]', '[Deal "x"]', "no-deal-number", 9, 8, "/tags/Deal"),
    ('[Deal "7"]\n', "", "sheet-without-tag", 11, 1, "/tags"),
    ('[Session "June"]\n', "", "sheet-without-tag", 11, 1, "/tags"),
    ('[Session "June"]', '[Session ""]', "sheet-without-tag", 12, 1, "/tags"),
    ('[Session "June"]', '[session " "]', "sheet-without-tag", 12, 1, "/tags"),
    ("sheet partner D", "sheet partner D\ndeal A SK", "beside-sheet", 15, 1, "/deal"),
    ("sheet contract", "A bid first\nsheet contract", "beside-sheet", 13, 1, "/deal"),
    ("sheet partner D", "1. A T20 T5 T7 T15", "beside-sheet", 14, 1, "/deal"),
]


@pytest.mark.parametrize(("old", "new", "reason", "line", "column", "pointer"), FAULTS)
def test_each_fault_has_its_place(
    old: str, new: str, reason: str, line: int, column: int, pointer: str
) -> None:
    assert old in SHEET
    (entry,) = read(SHEET.replace(old, new, 1))
    assert entry.record is None
    (error,) = entry.errors
    assert (error.reason, error.line, error.column, error.pointer) == (reason, line, column, pointer)
    # It is the same place between other records.
    joined = read(f"{TAROKY}\n{SHEET.replace(old, new, 1)}\n{TAROKY}")
    assert [e.record is None for e in joined] == [False, True, False]
    (error,) = joined[1].errors
    assert (error.line, error.column) == (line + TAROKY.count("\n") + 1, column)


def test_several_faults_are_found_at_once() -> None:
    text = SHEET.replace("bidder A", "bidder E").replace("60", "many").replace('[Deal "7"]\n', "")
    (entry,) = read(text.replace("A made", "A"))
    assert [(e.reason, e.line, e.column) for e in entry.errors] == [
        ("sheet-without-tag", 11, 1),
        ("sheet-word", 12, 14),
        ("sheet-word", 14, 21),
    ]


def test_both_tags_are_asked_for_at_once() -> None:
    (entry,) = read(json.dumps(FORM | {"tags": {}}))
    assert [(e.reason, e.values["tag"]) for e in entry.errors] == [
        ("sheet-without-tag", "Session"),
        ("sheet-without-tag", "Deal"),
    ]


def test_a_finding_is_at_its_line_wherever_that_stands() -> None:
    """114 is no number of card points of 70. The line is first in the text, and fourth in canonical order."""
    lines = ["sheet points bidder 114", *(row for row in LINES.splitlines() if "points" not in row)]
    text = TAGS + "\n" + "\n".join(lines) + "\n"
    (entry,) = read(text)
    (error,) = check_entry(entry).errors
    assert (error.reason, error.field) == ("number-out-of-bounds", "points")
    assert (error.line, error.pointer) == (12, "/sheet/0")
    form = FORM | {"sheet": [line.split()[1:] for line in lines]}
    (error,) = check_entry(read(json.dumps(form))[0]).errors
    assert (error.line, error.column, error.pointer) == (1, None, "/sheet/0")


END = len("sheet pagat announced A made") + 1


@pytest.mark.parametrize(("old", "new", "expected"), [
    ("partner D\n", "partner D\n{ so }\nsheet bidder B\n", [("field-twice", "bidder", 16, 7, "/sheet/3")]),
    ("announced A made", "announced", [("line-breaks-off", "pagat", 21, 7, "/sheet/9")]),
    # A missing line is reported at the end.
    ("sheet bidder A\nsheet partner D\n", "",
     [("field-missing", field, 19, END, "/sheet") for field in ("bidder", "partner")]),
])  # fmt: skip
def test_what_the_rules_find_has_a_place(
    old: str, new: str, expected: list[tuple[str, str, int, int, str]]
) -> None:
    assert old in SHEET
    result = check_entry(read(SHEET.replace(old, new))[0])
    assert result.verdict == ("illegal" if "sheet" in new else "incomplete")
    assert [(e.reason, e.field, e.line, e.column, e.pointer) for e in result.errors] == expected
