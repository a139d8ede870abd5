"""What a page needs of the engine about the variations of a deal, as JSON: their events in words, their score
sheets, and how these differ from that of the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tarock import replay, sentences
from tarock.findings import Finding, NotationError
from tarock.naming import PlayerNames, label
from tarock.notation import read_value
from tarock.page_json import Json, clause_json, language_of, line_json, object_in, text_of
from tarock.record import Record
from tarock.variations import Difference, Variation, difference, read_variations
from tarock.verify import Check, check


def variations_answer(question: Mapping[str, Any]) -> Json:
    """The deal as it was played, and each of its variations: verdict, score, sheet, what scored otherwise.

    `record`: the JSON form of the record that was played; `variations`: its variations; `language`.

    :raises NotationError: if it is no record, or that of a score sheet, or a variation cannot be read.
    """
    played = read_value(object_in(question, "record"))
    if played.sheet is not None:
        raise NotationError(Finding("key-missing", {"key": "deal"}, pointer="/record"))
    lines = read_variations(question.get("variations") or [], played)
    return lines_json(played, lines, language_of(question))


def lines_json(played: Record, lines: Iterable[Variation], language: str) -> Json:
    """A deal as it was played, and each of its variations, as JSON with sentences in a language."""
    called = PlayerNames(played.game, played.players, language)
    checked = check(played)
    return {
        "played": _line_json(played, checked, called),
        "variations": [_variation_json(one, checked, called) for one in lines],
    }


def _variation_json(one: Variation, played: Check, called: PlayerNames) -> Json:
    checked = check(one.record)
    rows = [*replay.outline(one.record), *(row for _, row in replay.unjudged(one.record))]
    return {
        **one.as_json(),
        **_line_json(one.record, checked, called),
        "start": one.start,
        "moves": [
            {
                "seat": row.seat,
                "short": sentences.event_sentence(row.verb, row.args, called, "short"),
                "trick": row.trick,
            }
            for row in rows[one.step :]
        ],
        "difference": [_difference_json(row, called) for row in difference(played, checked)],
    }


def _line_json(record: Record, checked: Check, called: PlayerNames) -> Json:
    """How a line stands: verdict, the sentence of its finding, score, sheet, and its record as text."""
    error = checked.error
    return {
        "verdict": checked.verdict,
        "finding": called.sentence(sentences.finding, error) if error else "",
        "score": checked.score,
        "sheet": [line_json(line, called) for line in checked.lines],
        "text": text_of(record),
    }


def _difference_json(row: Difference, called: PlayerNames) -> Json:
    seats = sorted({*row.before, *row.after})
    return {
        **clause_json(row.clause, called),
        "name": label(called.clause_title(row.clause)),
        "before": row.before,
        "after": row.after,
        "points": {seat: row.after.get(seat, 0) - row.before.get(seat, 0) for seat in seats},
        "lines_before": [called.sentence(sentences.line, line) for line in row.lines],
        "lines_after": [called.sentence(sentences.line, line) for line in row.lines_instead],
    }
