"""Build the columns that store the engine's check of a deal, and the verdict on a contribution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

import tarock
from archive import hands, packed_sheets
from archive.rules import rules_of_record
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.notation import write_json


def deal_columns(record: Record, checked: Check) -> dict[str, Any]:
    """Return the columns of a deal, except the digest, from the record and the engine's check."""
    return {
        "kind": kind_of(record),
        "game": record.game,
        "rules_id": rules_of_record(record).id or None,
        "players_count": len(record.players),
        "dealer": record.dealer,
        "text": deal_json(record),
        "hands": hands.pack(record),
        **verdict_columns(checked, record),
    }


def kind_of(record: Record) -> str:
    """Return the kind of a record's deal (`Deal.kind`)."""
    if record.is_played:
        return "played"
    return "sheet" if record.result is None else "result"


def deal_json(record: Record) -> str:
    """Return the JSON form of a record's deal, with seat letters for names and without the sender's details.
    A sheet or a result keeps its session and number. JSON can represent every record, and parses faster than
    text."""
    kept = () if record.is_played else ("Session", "Deal")
    tags = {name: record.tags[name] for name in kept if name in record.tags}
    names = {seat: seat for seat in record.players}
    bare = replace(record, players=names, tags=tags, comments={}, score=None)
    return orjson.dumps(write_json(bare)).decode()


def verdict_columns(checked: Check, record: Record) -> dict[str, Any]:
    """Return the columns of a deal that store the engine's answer for the deal."""
    unclaimed = "verified" if record.is_played else "computed"
    facts, score = checked.facts, checked.score
    clauses, sheet = packed_sheets.pack(checked)
    return {
        # A deal is never `disputed`, because the claimed score belongs to the contribution.
        "verdict": unclaimed if checked.verdict == "disputed" else checked.verdict,
        "engine_version": tarock.__version__,
        "clauses": clauses,
        "sheet": sheet,
        "doubles": packed_sheets.pack_doubles(checked),
        "declarer": facts.get("declarer"),
        "partner": facts.get("partner"),
        "card_points": _card_points(facts) if score else None,
        # Points that nobody has checked must not lead the list of the highest scores.
        "highest": max(score.values()) if score and record.result is None else None,
        "contract": facts.get("contract_played") or "",
        "result": (facts.get("result") or "") if score else "",
    }


def _card_points(facts: dict[str, Any]) -> int | None:
    """Return the card points of the declarer's side, or None. The keys of `card_points` are seats, or roles;
    for each role, another fact names the seat."""
    declarer, points = facts.get("declarer"), facts.get("card_points") or {}
    own = (number for side, number in points.items() if declarer in (side, facts.get(side)))
    return next(own, None) if declarer else None


def contribution_verdict(claim: dict[str, int] | None, verdict: str, score: dict[str, int] | None) -> str:
    """Return the verdict on a contribution: its deal's verdict, or `disputed` if the claimed score
    differs."""
    return "disputed" if score is not None and claim not in (None, score) else verdict
