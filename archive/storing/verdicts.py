"""The engine's check of a deal as columns, and the verdict on a contribution."""

from __future__ import annotations

from typing import Any

import tarock
from archive import packed_sheets
from tarock.verify import Check


def verdict_columns(checked: Check) -> dict[str, Any]:
    """The columns of a deal that hold the engine's answer."""
    facts, score = checked.facts, checked.score
    clauses, sheet = packed_sheets.pack(checked)
    return {
        # Whatever was claimed: the claim is a contribution's.
        "verdict": "verified" if checked.verdict == "disputed" else checked.verdict,
        "engine_version": tarock.__version__,
        "clauses": clauses,
        "sheet": sheet,
        "declarer": facts.get("declarer"),
        "partner": facts.get("partner"),
        "card_points": _card_points(facts) if score else None,
        "highest": max(score.values()) if score else None,
        "contract": facts.get("contract_played") or "",
        "result": (facts.get("result") or "") if score else "",
    }


def _card_points(facts: dict[str, Any]) -> int | None:
    """The card points of the declarer's side. A side is called by its seat, or by a word for which the facts
    have the seat."""
    declarer, points = facts.get("declarer"), facts.get("card_points") or {}
    own = (number for side, number in points.items() if declarer in (side, facts.get(side)))
    return next(own, None) if declarer else None


def contribution_verdict(claim: dict[str, int] | None, verdict: str, score: dict[str, int] | None) -> str:
    """The verdict on a contribution: that on its deal, or `disputed` if it claims another score."""
    return "disputed" if score is not None and claim not in (None, score) else verdict
