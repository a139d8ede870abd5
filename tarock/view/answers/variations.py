"""JSON answers about the variations of a deal: events as text, score sheets, and differences in score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tarock.analysis import replay
from tarock.analysis.variations import Difference, Variation, difference, read_variations
from tarock.analysis.verify import Check, check
from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.notation import read_value
from tarock.view.answers.fields import Language
from tarock.view.page_json import Json, clause_json, text_of
from tarock.view.score import line_view
from tarock.words import sentences
from tarock.words.names import PlayerNames, label


def variations_answer(*, record: dict[str, Any], variations: list[Any], language: Language = "en") -> Json:
    """Return the deal as it was played, and each of its variations, with verdict, score and differences.

    `record`: JSON form of the record of the played deal.

    :raises NotationError: if `record` is not a valid record or has no cards, or if a variation cannot be
    read.
    """
    played = read_value(record)
    if not played.is_played:
        raise NotationError(Finding("key-missing", {"key": "deal"}, pointer="/record"))
    return lines_json(played, read_variations(variations, played), language)


def lines_json(played: Record, lines: Iterable[Variation], language: str) -> Json:
    """Return a deal as it was played, and each of its variations, as JSON with sentences in `language`."""
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
    """Return the result of the played deal or of a variation: verdict, error as a sentence, score, score
    sheet, and record as text."""
    error = checked.error
    return {
        "verdict": checked.verdict,
        "finding": called.sentence(sentences.finding, error) if error else "",
        "score": checked.score,
        "sheet": [line_view(line, called).as_json() for line in checked.lines],
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
