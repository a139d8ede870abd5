"""Puzzles: positions in which exactly one card is right, and which no rule of thumb solves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tarock.analysis.endings import ending
from tarock.analysis.fold import fold
from tarock.analysis.puzzles import CARDS_LEFT, LOSS, TRICKS, _is_plain, find, position_key, with_line
from tarock.analysis.verify import check
from tarock.notation import read_value
from tests.engine.driver import renamed
from tests.support.effort import THOROUGH

FOLDER = Path(__file__).resolve().parents[2] / "archive" / "puzzles"
COMPOSED = sorted(file.stem for file in FOLDER.glob("*.jsonl"))


def composed(game: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{game}.jsonl").open(encoding="utf-8")]


@pytest.mark.parametrize("game", COMPOSED)
def test_an_archive_begins_with_puzzles_that_are_right(game: str) -> None:
    rows = composed(game)
    assert len(rows) == len({row["key"] for row in rows}) == 50
    for row in rows:
        record, choices = read_value(row["record"]), row["choices"]
        assert set(record.players) == set(record.players.values()), "nobody is named"
        assert check(record).verdict == "verified"
        table = fold(record, row["step"]).table
        seat = table.turn
        assert table.total - len(table.tricks) <= TRICKS
        sheets = {}
        for token, (_loss, line) in choices.items():
            sheets[token] = check(with_line(record, row["step"], line))
            assert line.split()[0] == token
            assert len(line.split()) <= CARDS_LEFT
            assert sheets[token].verdict == "verified", "the line is legal to its end"
        right = next(token for token, (loss, _) in choices.items() if not loss)
        for token, (loss, _) in choices.items():
            change = {
                each: sheets[right].score[each] - sheets[token].score[each] for each in sheets[right].score
            }
            own = change[seat] - (sum(change.values()) - change[seat] if len(change) == 2 else 0)
            assert own == loss
            won = sheets[right].facts["result"] != sheets[token].facts["result"]
            assert not loss or won or max(map(abs, change.values())) >= LOSS


@pytest.mark.parametrize("game", COMPOSED)
def test_the_reference_gives_the_same_values(game: str) -> None:
    """Those with the fewest moves left; every tenth in `make fuzz`."""
    rows = composed(game)
    left = sorted(rows, key=lambda row: len(row["record"]["events"]) - row["step"])
    for row in rows[::10] if THOROUGH else left[:5]:
        record = read_value(row["record"])
        values = ending(record, row["step"]).values
        assert values is not None
        losses = {token: loss for token, (loss, _) in row["choices"].items()}
        assert {token: max(values.values()) - value for token, value in values.items()} == losses


def test_a_rule_of_thumb_finds_no_puzzle() -> None:
    values = dict.fromkeys(["T20", "T7", "HK", "H2", "S8"], 0)
    plain = {card for card in values if _is_plain(values, (card,))}
    assert plain == {"T20", "HK", "T7"}, "the highest, the most valuable and the cheapest card"
    assert _is_plain(dict.fromkeys(["T20", "T7", "T1", "H2", "H1", "HK"], 0), ("H2",)) is False
    assert _is_plain(dict.fromkeys(["T20", "T9", "T8", "H2"], 0), ("H2",)), "the only card that is no tarock"


def test_a_position_with_other_suits_is_the_same() -> None:
    for row in composed("taroky"):
        record, step = read_value(row["record"]), row["step"]
        assert position_key(fold(record, step).table) == row["key"]
        assert position_key(fold(renamed(record), step).table) == row["key"]
        assert position_key(fold(record, step - 1).table) != row["key"]


def test_the_finder_prefers_a_card_that_was_missed() -> None:
    row = composed("taroky")[0]
    record = read_value(row["record"])
    found = find(record)
    assert found is not None
    assert (found.step, found.as_json()["choices"]) == (row["step"], row["choices"])
    assert record.events[found.step][2] not in found.right
