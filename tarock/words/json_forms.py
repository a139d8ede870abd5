"""JSON forms of findings, score lines and happenings with their sentences, for API and command line."""

from __future__ import annotations

from typing import Any

from tarock.core.findings import Finding
from tarock.core.scoring import Happening, ScoreLine
from tarock.words import sentences


def finding_json(found: Finding, game: str = "") -> dict[str, Any]:
    """Return the JSON form of a finding, with its message in English."""
    return {
        "event": found.event,
        "trick": found.trick,
        "seat": found.seat,
        "clause": found.clause,
        "legal": None if found.legal is None else list(found.legal),
        "message": sentences.message(found, game),
        "field": found.field,
        "reason": found.reason,
        "values": dict(found.values),
        "line": found.line,
        "column": found.column,
        "pointer": found.pointer,
    }


def line_json(found: ScoreLine, names: sentences.Names | None = None) -> dict[str, Any]:
    """Return the JSON form of a score line, with the seats that get and pay, and the calculation as text."""
    return {
        "clause": found.clause,
        "points": dict(found.points),
        "to": [s for s, p in found.points.items() if p > 0],
        "from": [s for s, p in found.points.items() if p < 0],
        "quantity": dict(found.quantity),
        "sentences": list(found.sentences),
        "calculation": sentences.line(found, names),
        "events": list(found.events),
    }


def happening_json(found: Happening, names: sentences.Names | None = None) -> dict[str, Any]:
    """Return the JSON form of a happening, with its sentence, by default in English."""
    return {**found._asdict(), "text": sentences.happening(found, names)}
