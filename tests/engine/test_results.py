"""Results: records of points alone, in text and JSON, their faults, identity, verdict and warning."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check, check_entry
from tarock.games import profiles
from tarock.notation import dump_json, read, read_one, write_json, write_text
from tarock.notation.limits import MAX_POINTS, MAX_RESULT
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import Names
from tests.engine.sheet_sample import SHEET
from tests.support.samples import TAROKY
from tests.texts.schema_forms import VALIDATOR

DEAL = r"""[TGN "1"]
[Game "taroky"]
[Date "1998-11-20"]
[Session "June"]
[Deal "7"]

{ From the book. }
result 105 "Alena"
result -105 "Bořek"
result 0 "Dana \u007bthe \"tall\"\u007d\u003b 田中　花子"
"""
TOTAL = DEAL.replace("taroky", "?").replace('[Deal "7"]', '[Played "24"]')
FORM: dict[str, Any] = {
    "tgn": 1,
    "game": "taroky",
    "tags": {"Date": "1998-11-20", "Session": "June", "Deal": "7"},
    "result": [["Alena", 105], ["Bořek", -105], ['Dana {the "tall"}; 田中　花子', 0]],
    "comments": {"0": ["From the book."]},
}


def test_text_and_json_are_one_record() -> None:
    record = read_one(DEAL)
    assert write_json(record) == FORM
    assert read_one(json.dumps(FORM)) == record
    assert write_text(record) == DEAL
    assert (record.seats, record.is_played, sheet_of(record)) == (("1", "2", "3"), False, None)
    result = check(record)
    assert (result.verdict, result.good, result.score) == ("stated", True, {"1": 105, "2": -105, "3": 0})
    VALIDATOR.validate(FORM)


def test_the_total_of_an_evening_can_be_of_an_unknown_game() -> None:
    record = read_one(TOTAL)
    assert write_text(record) == TOTAL
    assert (record.game, record.tags["Played"]) == ("?", "24")
    assert read_one(json.dumps(write_json(record))) == record
    assert check(record).verdict == "stated"
    for text in (TOTAL, TOTAL.replace("?", "troggu")):
        VALIDATOR.validate(write_json(read_one(text)))


def test_other_spellings() -> None:
    given = DEAL.replace("result 105", "RESULT   0105")
    given = given.replace('"Alena"', '"  \\u0041lena" ; first { really }')
    assert write_text(read_one(given)) == DEAL
    assert read_one(json.dumps(FORM | {"result": [["Alena", "105"]]})).result == {"1": 105}


def test_records_of_all_kinds_follow_each_other() -> None:
    texts = [DEAL, TAROKY, TOTAL, SHEET, DEAL]
    assert [entry.record for entry in read("\n".join(texts))] == [read_one(text) for text in texts]


@pytest.mark.parametrize(("text", "old", "new", "same"), [
    (DEAL, "105", "106", True), (DEAL, "From the book", "Found", True), (DEAL, 'Deal "7"', 'Deal "07"', True),
    (DEAL, "Alena", "Eva", True),
    (TOTAL, "105", "106", True), (TOTAL, '"24"', '"23"', True), (TOTAL, "Alena", "Eva", False),
    (TOTAL, "1998", "1999", False), (TOTAL, '"?"', '"taroky"', False), (DEAL, "taroky", "troggu", False),
    (DEAL, "June", " J\u00adune ", True), (TOTAL, "Alena", "A\u00adlena", True),
])  # fmt: skip
def test_the_number_identifies_a_deal_and_the_players_in_any_order_the_total_of_an_evening(
    text: str, old: str, new: str, same: bool
) -> None:
    other = text.replace(old, new)
    assert (read_one(other).digest == read_one(text).digest) == same
    assert read_one(DEAL).digest != read_one(TOTAL).digest
    head, _, lines = other.partition("}\n")
    backwards = f"{head}}}\n" + "\n".join(reversed(lines.splitlines())) + "\n"
    assert write_text(read_one(backwards)).splitlines()[-3:] == backwards.splitlines()[-3:]
    assert read_one(backwards).digest == read_one(other).digest


#: Old and new text of the result, reason, line, column and JSON pointer of the fault.
FAULTS = [
    ('105 "Alena"', '105 Alena', "no-result-name", 8, 12, "/result"),
    ('105 "Alena"', '105 "Alena', "no-result-name", 8, 12, "/result"),
    ('105 "Alena"', '105 "Al\\x"', "no-result-name", 8, 12, "/result"),
    ('105 "Alena"', '105 "Al;ena"', "no-result-name", 8, 12, "/result"),
    ('105 "Alena"', '105', "no-result-name", 8, 8, "/result"),
    ('105 "Alena"', '105 "Alena" A', "result-too-long", 8, 20, "/result"),
    ('105 "Alena"', '10.5 "Alena"', "no-points", 8, 8, "/result/0/1"),
    ('105 "Alena"', '10000000000 "Alena"', "no-points", 8, 8, "/result/0/1"),
    ('105 "Alena"', '105 "\\u202e"', "control-character", 8, 12, "/result/0/0"),
    ('"Bořek"', '" Alena "', "name-twice", 9, 13, "/result/1/0"),
    ("result -105", "sheet -105", "no-result-line", 9, 1, "/result"),
    ("result 105", "A bid first\nresult 105", "tag-missing", 8, 1, ""),
    ('[Session "June"]\n', "", "sheet-without-tag", 7, 1, "/tags"),
    ('[Deal "7"]', '[Dealer "A"]', "beside-result", 5, 10, "/dealer"),
    ('[Deal "7"]', '[A "Alena"]', "beside-result", 5, 5, "/players"),
    ('[Deal "7"]', '[Agreed "A=1"]', "beside-result", 5, 10, "/tags/Agreed"),
    ('[Deal "7"]', '[Played "0"]', "no-deal-number", 5, 10, "/tags/Played"),
    ('[Deal "7"]', '[Deal "7"]\n[Played "2"]', "played-and-deal", 6, 10, "/tags/Played"),
    ('"taroky"', '"?"', "unknown-game", 2, 8, "/game"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "reason", "line", "column", "pointer"), FAULTS)
def test_each_fault_has_its_place(
    old: str, new: str, reason: str, line: int, column: int, pointer: str
) -> None:
    assert old in DEAL
    wrong = DEAL.replace(old, new, 1)
    entry = read(f"{TAROKY}\n{wrong}\n{TAROKY}")[1]
    assert entry.record is None
    assert (entry.errors[0].reason, entry.errors[0].pointer) == (reason, pointer)
    error = read(wrong)[0].errors[0]
    assert (error.line, error.column) == (line, column)
    assert f"line {line}, column {column}: found " in sentences.message(error)


@pytest.mark.parametrize(("change", "reason", "pointer"), [
    ({"result": []}, "result-without-lines", "/result"),
    ({"result": {}}, "no-list", "/result"),
    ({"result": [["Alena"]]}, "no-result-pair", "/result/0"),
    ({"result": [["Alena", 1.5]]}, "no-points", "/result/0/1"),
    ({"result": [[7, 1]]}, "no-string", "/result/0/0"),
    ({"result": [["Alena", 1], ["Alena", -1]]}, "name-twice", "/result/1/0"),
    ({"result": [[str(n), 0] for n in range(MAX_RESULT + 1)]}, "too-many-result-lines", "/result/60"),
    ({"result": [["Alena", MAX_POINTS + 1]]}, "no-points", "/result/0/1"),
    ({"events": []}, "beside-result", "/events"),
    ({"options": ["cap=1", "unit=H"]}, "option-value", "/options/1"),
    ({"game": "?", "tags": {"Session": "x"}, "options": ["cap=1"]}, "unknown-option", "/options/0"),
    ({"sheet": [["contract", "first"]]}, "beside-result", "/sheet"),
    ({"score": {"A": 1}}, "beside-result", "/score"),
    ({"game": "?"}, "unknown-game", "/game"),
    ({"tags": {"Deal": "1"}}, "sheet-without-tag", "/tags"),
    ({"tags": {"Session": "x", "From": f"{64 * '0'} 1"}}, "beside-result", "/tags/From"),
    ({"comments": {"1": ["x"]}}, "no-number-of-events", "/comments/1"),
])  # fmt: skip
def test_faults_in_json(change: dict[str, Any], reason: str, pointer: str) -> None:
    form = FORM | change
    error = read(json.dumps(form))[0].error
    assert error is not None
    assert (error.reason, error.pointer) == (reason, pointer)
    # A schema can't compare names.
    assert VALIDATOR.is_valid(form) == (reason == "name-twice")


def test_a_result_at_its_limits_is_read() -> None:
    points = {"Alena": MAX_POINTS, "Eva": -MAX_POINTS} | {str(n): 0 for n in range(MAX_RESULT - 2)}
    form = FORM | {"result": [[*row] for row in points.items()]}
    assert write_json(read_one(json.dumps(form))) == form
    VALIDATOR.validate(form)


def test_a_result_has_the_unit_and_the_rules_of_its_points() -> None:
    """The options are written out, and don't change which deal or evening it is."""
    for text, added, words in (
        (DEAL, '[Options "unit=h"]', ("unit=h",)),
        (TOTAL, '[Options "unit=cent"]', ("unit=cent",)),
        (DEAL, '[Rules "vysocina@1"]', profiles()["vysocina@1"].words),
    ):
        record = read_one(text.replace("[Session", f"{added}\n[Session"))
        assert record.options == words
        assert record.digest == read_one(text).digest
        assert read_one(write_text(record)) == read_one(dump_json(record)) == record
        VALIDATOR.validate(write_json(record))
    assert "options" not in write_json(read_one(DEAL))


def test_published_rules_are_those_of_a_game() -> None:
    error = read(TOTAL.replace("[Session", '[Rules "vysocina@1"]\n[Session'))[0].error
    assert error is not None
    assert (error.reason, error.pointer) == ("rules-game", "/tags/Rules")
    assert "rules of Czech Taroky" in sentences.message(error)


def test_unknown_players_can_be_repeated() -> None:
    record = read_one(json.dumps(FORM | {"result": [["?", 1], ["", -1], ["?", 0]]}))
    assert read_one(write_text(record)) == record


def _warned(game: str, points: list[int], **tags: str) -> list[tuple[str, dict[str, Any]]]:
    form = {"game": game, "tags": {"Session": "June", **tags}}
    form["result"] = [[f"Player {n}", one] for n, one in enumerate(points)]
    (entry,) = read(json.dumps(FORM | form))
    return [(warning.reason, warning.values) for warning in check_entry(entry).warnings]


def test_a_sum_other_than_zero_is_a_warning_where_players_pay_each_other() -> None:
    assert _warned("taroky", [105, -105, -105, 105]) == []
    assert _warned("taroky", [105, -105, -100, 105]) == [("result.sum", {"rest": 5})]
    assert _warned("troggu", [1] * 13) == [("result.sum", {"rest": 13})]
    assert _warned("grosstarock", [3, 4, 5], Deal="1") == [("result.sum", {"rest": 12})]
    for game, points in (("grosstarock", [3, 4]), ("strohmann", [3, 4]), ("strohmann", [3] * 6), ("?", [1])):
        assert _warned(game, points) == []


def test_the_warning_has_a_sentence_in_each_language() -> None:
    entry = read(DEAL.replace("-105", "-100"))[0]
    (warning,) = check_entry(entry).warnings
    found = [sentences.finding(warning, Names("taroky", language)) for language in LANGUAGES]
    assert "the points add up to 5 instead of 0" in found
    assert len(set(found)) == len(LANGUAGES)
