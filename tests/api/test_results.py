"""Results, records of points alone, by the API: sent, read, corrected, and where cards are missed."""

from __future__ import annotations

import csv
import io

from archive.storing import spaces
from tarock.notation import dump_json, read_one
from tests.archive.test_results import TOTAL, result

from .conftest import JSON
from .shape import assert_error
from .test_corrections import change


def test_a_result_is_sent_and_read_and_nobody_has_checked_it(writer, reader) -> None:
    text = result('result 21 "Alena"\nresult -20 "Bob"\n')
    answer = writer.send(text)
    assert answer.status_code == 201
    (sent,) = answer.json()["results"]
    assert (sent["outcome"], sent["verdict"], sent["differs"]) == ("stored", "stated", [])
    (warning,) = sent["warnings"]
    assert warning["detail"] == "the points add up to 1 instead of 0"
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


def test_the_result_of_a_hidden_club_is_hidden_from_others(writer, reader, stranger, alena) -> None:
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    (sent,) = writer.send(result(), path=f"deals?club={club.pk}").json()["results"]
    assert_error(reader.ask(f"deals/{sent['id']}"), 404, "not_found")
    assert reader.ask("deals", {"verdict": "stated"}).json()["results"] == []
    (other,) = stranger.send(result()).json()["results"]
    assert (other["outcome"], other["id"] != sent["id"]) == ("stored", True)
