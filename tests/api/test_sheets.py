"""Score sheets without cards by the API: sent, checked, read, corrected, and where cards are missed."""

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from archive.storing import spaces
from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check
from tarock.notation import dump_json, read_one, write_text
from tests.conformance import FILES, FOLDER
from tests.support import samples
from tests.support.effort import spread
from tests.support.samples import DISPUTED_SHEET, SHEET, SHEET_LACKING, SHEET_THAT_CANNOT_BE
from tests.support.storing import deal_of

from .conftest import JSON, NDJSON, TGN
from .shape import assert_error

SCORE = {"A": 110, "B": -110, "C": -110, "D": 110}
TAROKY_WITH_CARDS = write_text(
    replace(
        read_one(samples.TAROKY),
        players=read_one(SHEET).players,
        tags={"Session": "June", "Deal": "7", "Date": "2026-06-05"},
    )
)


def numbered(text: str, number: int) -> str:
    return text.replace('[Deal "7"]', f'[Deal "{number}"]')


# --- sending and checking -----------------------------------------------------------------------------------


def test_a_sheet_is_sent_as_text_or_json(writer, reader) -> None:
    record = read_one(SHEET)
    (result,) = writer.send(SHEET).json()["results"]
    assert (result["outcome"], result["verdict"]) == ("stored", "computed")
    (again,) = writer.send(dump_json(record), JSON).json()["results"]
    assert (again["outcome"], again["id"]) == ("known", result["id"])
    found = reader.ask(f"deals/{result['id']}").json()
    assert (found["kind"], found["verdict"], found["score"]) == ("sheet", "computed", SCORE)
    assert found["record"]["sheet"] == [list(line) for line in record.sheet or ()]
    assert not {"deal", "events"} & set(found["record"])
    assert found["links"]["replay"] is None
    text = reader.ask(f"deals/{result['id']}", {"format": "tgn"}).content.decode()
    assert read_one(text).sheet == record.sheet


def test_sheets_and_deals_come_mixed_and_are_known_again(writer) -> None:
    rows = [SHEET, samples.TAROKY, numbered(DISPUTED_SHEET, 8), numbered(SHEET_LACKING, 9)]
    lines = "\n".join(dump_json(read_one(text)) for text in rows)
    results = writer.send(lines, NDJSON).json()["results"]
    assert [result["verdict"] for result in results] == ["computed", "verified", "disputed", "incomplete"]
    for text, differs in ((SHEET, []), (SHEET.replace("bidder 60", "bidder 58"), ["sheet"])):
        (again,) = writer.send(text).json()["results"]
        assert (again["outcome"], again["differs"]) == ("known", differs)


def test_verify_scores_a_sheet_and_finds_all_that_is_wrong(reader) -> None:
    body = "\n".join([SHEET, DISPUTED_SHEET, SHEET_THAT_CANNOT_BE, SHEET_LACKING])
    good, disputed, impossible, lacking = reader.send(body, path="verify").json()["results"]
    assert (good["verdict"], good["score"], good["errors"]) == ("computed", SCORE, [])
    assert (disputed["verdict"], disputed["score"]["A"], disputed["claim"]["A"]) == ("disputed", 110, 105)
    assert impossible["verdict"] == "illegal"
    wrong = {(error["clause"], error["field"]) for error in impossible["errors"]}
    assert wrong == {("taroky.card-points", "points")}
    assert (lacking["verdict"], lacking["error"]["field"]) == ("incomplete", "partner")


def test_a_sheet_has_a_score_but_no_position(reader) -> None:
    answer = reader.send(SHEET, path="positions").json()
    assert (answer["position"], answer["choices"]) == (None, None)
    assert answer["sheet"]["score"] == SCORE
    assert reader.send(SHEET_LACKING, path="positions").json()["sheet"] is None


# --- reading ------------------------------------------------------------------------------------------------


def test_its_score_is_there_line_by_line(reader) -> None:
    finding = reader.ask(f"deals/{deal_of(SHEET_THAT_CANNOT_BE).pk}").json()["finding"]
    assert (finding["clause"], finding["field"]) == ("taroky.card-points", "points")
    assert finding["line"] == SHEET_THAT_CANNOT_BE.split("\n").index("sheet points bidder 71") + 1
    deal = deal_of(numbered(DISPUTED_SHEET, 8))
    found = reader.ask(f"deals/{deal.pk}/score").json()
    assert (found["verdict"], found["score"], found["claim"]["A"]) == ("disputed", SCORE, 105)
    assert [(line["clause"], line["points"]["A"]) for line in found["lines"]] == [
        ("taroky.game", 25),
        ("taroky.pagat-announced", 80),
        ("taroky.hand-tarocky", 5),
    ]
    assert found["counts"] == []
    assert "First Duty" in found["played"]


def test_where_the_play_is_needed_there_is_none(reader) -> None:
    deal = deal_of(SHEET)
    for path in ("replay", "replay/positions", "replay/positions/3", "certificate"):
        assert_error(reader.ask(f"deals/{deal.pk}/{path}"), 404, "no_play")
        assert_error(reader.ask(f"deals/{deal.pk + 1}/{path}"), 404, "not_found")


def test_lists_streams_and_scores_have_them_and_filter_by_kind(reader, taroky) -> None:
    sheet = deal_of(SHEET)
    for kind, expected in (("sheet", [sheet.pk]), ("played", [taroky.pk])):
        rows = reader.ask("deals", {"kind": kind}).json()["results"]
        assert [(row["id"], row["kind"]) for row in rows] == [(pk, kind) for pk in expected]
        table = b"".join(reader.ask("deals", {"kind": kind, "format": "csv"}).streaming_content)
        assert [row["kind"] for row in csv.DictReader(io.StringIO(table.decode("utf-8-sig")))] == [kind]
        lines = b"".join(reader.ask("deals", {"kind": kind, "format": "ndjson"}).streaming_content)
        assert [json.loads(line)["kind"] for line in lines.splitlines()] == [kind]
    points = {
        kind: {row["player"]: row["points"] for row in reader.ask("scores", {"kind": kind}).json()["results"]}
        for kind in ("sheet", "played")
    }
    assert (points["sheet"]["Alena"], points["played"]["Alena"]) == (110, 105)
    (row,) = reader.ask("deals", {"verdict": "computed"}).json()["results"]
    assert row["verdict"] == "computed"


def test_the_feed_has_a_sheet_and_that_the_cards_cover_it(writer) -> None:
    writer.send(SHEET)
    (change,) = writer.ask("changes", {"after": 0, "fields": "kind,verdict"}).json()["changes"]
    assert (change["kind"], change["shown"]["kind"], change["verdict"]) == ("stored", "sheet", "computed")
    writer.send(TAROKY_WITH_CARDS)
    changes = writer.ask("changes", {"after": change["change"]}).json()["changes"]
    assert sorted((row["kind"], row["verdict"]) for row in changes) == [
        ("stored", "verified"),
        ("withdrawn", None),
    ]
    rows = writer.ask("deals", {"session": "June"}).json()["results"]
    assert [row["kind"] for row in rows] == ["played"]
    assert writer.ask(f"deals/{change['deal']}").json()["kind"] == "sheet"


# --- correcting, and others ---------------------------------------------------------------------------------


def test_a_sheet_is_corrected_in_its_place(writer) -> None:
    """58 - 35 = 23, and 23 + 80 + 5 = 108."""
    key = writer.send(SHEET).json()["results"][0]["deal"]
    right = SHEET.replace("bidder 60", "bidder 58").replace("110", "108")
    answer = writer.send(right, path=f"deals/{key}/correction")
    assert answer.status_code == 200
    assert answer.json()["changed"] == ["sheet", "claim"]
    assert writer.ask(f"deals/{key}").json()["score"]["A"] == 108
    other = writer.send(numbered(SHEET, 8)).json()["results"][0]["deal"]
    assert_error(writer.send(right, path=f"deals/{other}/correction"), 409, "already_there")


def test_a_sheet_for_members_is_found_by_no_other(writer, stranger, reader, alena) -> None:
    club = spaces.found_club("Kotva", by=alena)
    key = writer.send(SHEET, path=f"deals?club={club.pk}&visibility=members").json()["results"][0]["deal"]
    assert writer.ask(f"deals/{key}").status_code == 200
    for client in (stranger, reader):
        for path in ("", "/score", "/replay", "/certificate", "/original"):
            assert_error(client.ask(f"deals/{key}{path}"), 404, "not_found")
        assert client.ask("deals", {"kind": "sheet"}).json()["results"] == []
        assert client.ask("scores", {"kind": "sheet"}).json()["results"] == []
        assert client.ask("changes", {"after": 0}).json()["changes"] == []


@pytest.mark.parametrize("path", [FOLDER / f"{file}.jsonl" for file in FILES], ids=lambda path: path.stem)
def test_the_sheets_of_conformance_deals_score_as_those_do(writer, path) -> None:
    """Sent as text and as JSON, and read again by number: the lines of the deal, and the score that somebody
    else than the engine gives it."""
    expected: dict[int, dict[str, Any]] = {}
    texts: tuple[list[str], list[str]] = [], []
    for number, line in enumerate(spread(path.read_text(encoding="utf-8").splitlines(), 60), start=1):
        row = json.loads(line)
        if row["expect"].get("score") is None:
            continue
        record = read_one(json.dumps(row["record"]))
        made = sheet_of(replace(record, tags={"Session": path.stem, "Deal": str(number)}, score=None))
        assert made is not None
        lines = [(one.clause, one.points) for one in check(record).lines]
        expected[number] = {"score": row["expect"]["score"], "lines": lines}
        texts[number % 2].append(dump_json(made) if number % 2 else write_text(made))
    for form, sheets in zip((TGN, NDJSON), texts, strict=True):
        report = writer.send("\n".join(sheets), form, path="uploads", headers={"Prefer": "wait=60"}).json()
        assert report["stored"] == len(sheets)
    rows = b"".join(writer.ask("deals", {"kind": "sheet", "format": "ndjson"}).streaming_content)
    found = {row["deal_number"]: row for row in map(json.loads, rows.splitlines())}
    assert found.keys() == expected.keys()
    for place, (number, row) in enumerate(found.items()):
        assert (row["verdict"], row["score"]) == ("computed", expected[number]["score"])
        if place % 10:  # that each sheet has the deal's lines is the engine's test
            continue
        score = writer.ask(f"deals/{row['deal']}/score").json()
        assert [(line["clause"], line["points"]) for line in score["lines"]] == expected[number]["lines"]


def test_a_result_is_checked_but_has_no_position(reader) -> None:
    result = '[TGN "1"]\n[Game "?"]\n[Session "June"]\n\nresult 1 "Alena"\nresult 2 "Bob"\n'
    (checked,) = reader.send(result, path="verify").json()["results"]
    assert (checked["verdict"], checked["game"], checked["score"]) == ("stated", "?", {"1": 1, "2": 2})
    standing = reader.send(result, path="positions").json()
    assert (standing["verdict"], standing["position"], standing["choices"]) == ("stated", None, None)
