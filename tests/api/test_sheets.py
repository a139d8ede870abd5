"""Score sheets without cards and results by the API: sent, checked, read, corrected, and where cards are
missed."""

import csv
import io
from dataclasses import replace

import pytest

from tarock.notation import dump_json, read_one, write_text
from tests.archive.test_results import TOTAL, result
from tests.support import samples
from tests.support.samples import DISPUTED_SHEET, SHEET, SHEET_LACKING, SHEET_THAT_CANNOT_BE
from tests.support.storing import deal_of

from .conftest import JSON
from .shape import assert_error
from .test_corrections import change

pytestmark = pytest.mark.usefixtures("sweeper")

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


def test_a_sheet_is_sent_as_text_or_json_and_known_again(writer, reader) -> None:
    record = read_one(SHEET)
    (result,) = writer.send(SHEET).json()["results"]
    assert (result["outcome"], result["verdict"]) == ("stored", "computed")
    (again,) = writer.send(dump_json(record), JSON).json()["results"]
    assert (again["outcome"], again["id"], again["differs"]) == ("known", result["id"], [])
    (other,) = writer.send(SHEET.replace("bidder 60", "bidder 58")).json()["results"]
    assert (other["outcome"], other["differs"]) == ("known", ["sheet"])
    found = reader.ask(f"deals/{result['id']}").json()
    assert (found["kind"], found["verdict"], found["score"]) == ("sheet", "computed", SCORE)
    assert found["record"]["sheet"] == [list(line) for line in record.sheet or ()]
    assert not {"deal", "events"} & set(found["record"])
    assert found["links"]["replay"] is None
    text = reader.ask(f"deals/{result['id']}", {"format": "tgn"}).content.decode()
    assert read_one(text).sheet == record.sheet


def test_sheets_and_results_are_checked_but_have_no_position(reader) -> None:
    body = "\n".join([SHEET, DISPUTED_SHEET, SHEET_THAT_CANNOT_BE, SHEET_LACKING])
    good, disputed, impossible, lacking = reader.send(body, path="verify").json()["results"]
    assert (good["verdict"], good["score"], good["errors"]) == ("computed", SCORE, [])
    assert (disputed["verdict"], disputed["score"]["A"], disputed["claim"]["A"]) == ("disputed", 110, 105)
    wrong = {(error["clause"], error["field"]) for error in impossible["errors"]}
    assert (impossible["verdict"], wrong) == ("illegal", {("taroky.card-points", "points")})
    assert (lacking["verdict"], lacking["error"]["field"]) == ("incomplete", "partner")
    answer = reader.send(SHEET, path="positions").json()
    assert (answer["position"], answer["choices"], answer["sheet"]["score"]) == (None, None, SCORE)
    assert reader.send(SHEET_LACKING, path="positions").json()["sheet"] is None
    points = result('result 1 "Alena"\nresult 2 "Bob"\n', None, "?", Played="24")
    (checked,) = reader.send(points, path="verify").json()["results"]
    assert (checked["verdict"], checked["game"], checked["score"]) == ("stated", "?", {"1": 1, "2": 2})
    standing = reader.send(points, path="positions").json()
    assert (standing["verdict"], standing["position"], standing["choices"]) == ("stated", None, None)


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


def test_lists_and_scores_have_them_and_filter_by_kind(reader, taroky) -> None:
    sheet = deal_of(SHEET)
    for kind, pk, points in (("sheet", sheet.pk, 110), ("played", taroky.pk, 105)):
        rows = reader.ask("deals", {"kind": kind}).json()["results"]
        assert [(row["id"], row["kind"]) for row in rows] == [(pk, kind)]
        scores = reader.ask("scores", {"kind": kind, "player": "Alena"}).json()["results"]
        assert [row["points"] for row in scores] == [points]
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


# --- results, records of points alone -----------------------------------------------------------------------


def test_a_result_is_sent_and_read_and_nobody_has_checked_it(writer, reader) -> None:
    text = result('result 21 "Alena"\nresult -20 "Bob"\n')
    answer = writer.send(text)
    assert answer.status_code == 201
    (sent,) = answer.json()["results"]
    assert (sent["outcome"], sent["verdict"], sent["differs"]) == ("stored", "stated", [])
    (warning,) = sent["warnings"]
    assert (warning["code"], warning["detail"]) == ("unclear", "the points add up to 1 instead of 0")
    found = reader.ask(f"deals/{sent['id']}").json()
    facts = found["kind"], found["verdict"], found["dealer"], found["deal_number"], found["score"]
    assert facts == ("result", "stated", None, 7, {"1": 21, "2": -20})
    assert found["record"]["result"] == [["Alena", 21], ["Bob", -20]]
    assert found["players"][0]["seat"] == "1"
    assert (found["options"], found["links"]["replay"], found["links"]["variations"]) == ([], None, None)
    assert reader.ask(f"deals/{sent['id']}", {"format": "tgn"}).content.decode() == text
    score = reader.ask(f"deals/{sent['id']}/score").json()
    assert (score["verdict"], score["score"], score["lines"]) == ("stated", {"1": 21, "2": -20}, [])
    for what in ("replay", "variations", "certificate"):
        assert_error(reader.ask(f"deals/{sent['id']}/{what}"), 404, "no_play")
    table = b"".join(reader.ask("deals", {"format": "csv"}).streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["player_A"], row["points_B"], row["player_C"], row["dealer"]) == ("Alena", "-20", "", "")
    for name, value in (("verdict", "stated"), ("kind", "result")):
        assert [row["id"] for row in reader.ask("deals", {name: value}).json()["results"]] == [sent["id"]]


def test_a_total_of_an_unknown_game_is_corrected_and_withdrawn(writer, reader) -> None:
    total = dump_json(read_one(result(TOTAL, None, "?", Played="24")))
    (sent,) = writer.send(total, JSON).json()["results"]
    found = reader.ask(f"deals/{sent['id']}").json()
    assert (found["game"], found["deal_number"], found["record"]["tags"]["Played"]) == ("?", None, "24")
    # 45 - 44 leaves 1, which is a warning for a known game, and no reason to refuse the correction.
    lines = 'result 45 "Alena"\nresult -44 "Emil"\n'
    key = sent["deal"]
    answer = writer.send(result(lines, None, Played="24"), path=f"deals/{key}/correction")
    assert (answer.status_code, answer.json()["changed"]) == (200, ["sheet"])
    assert reader.ask(f"deals/{sent['id']}").json()["game"] == "taroky"
    assert change(writer, f"deals/{key}/visibility", visibility="withdrawn").status_code == 200
    assert_error(reader.ask(f"deals/{sent['id']}"), 404, "not_found")
