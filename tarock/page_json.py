"""What the engine found, as JSON for a page: sentences in the reader's language, each with its clause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tarock import sentences
from tarock.findings import Finding, NotationError, NotWritable
from tarock.naming import PlayerNames
from tarock.notation import write_text
from tarock.notation.faults import quoted
from tarock.outcome import LACKING
from tarock.record import Record
from tarock.remarks import Remark
from tarock.scoring import ScoreLine

Json = dict[str, Any]


def clause_json(slug: str | None, names: PlayerNames) -> Json:
    """A clause by its slug and its title; empty without one."""
    return {"clause": slug or "", "title": names.clause_title(slug) if slug else ""}


def finding_json(finding: Finding, names: PlayerNames) -> Json:
    """A finding: its sentence, the field of a sheet that it is about, and whether something is only missing
    there."""
    text = names.sentence(sentences.finding, finding)
    lacking = finding.reason in LACKING
    return {"text": text, "field": finding.field, "lacking": lacking, **clause_json(finding.clause, names)}


def line_json(line: ScoreLine, names: PlayerNames) -> Json:
    """A score line: its reckoning, and its points by seat."""
    text = names.sentence(sentences.line, line)
    return {"text": text, "points": line.points, **clause_json(line.clause, names)}


def remark_json(remark: Remark, names: PlayerNames) -> Json:
    """A remark beside the score."""
    return {"text": remark.text, **clause_json(remark.clause, names)}


def text_of(record: Record) -> str | None:
    """The record as TGN; None if it has an illegal event that TGN cannot write."""
    try:
        return write_text(record)
    except NotWritable:
        return None


# --- what a question has ------------------------------------------------------------------------------------


def object_in(question: Mapping[str, Any], key: str) -> Json:
    """The object below a key of a question.

    :raises NotationError: if there is none.
    """
    found = question.get(key)
    if not isinstance(found, dict):
        raise NotationError(Finding("no-object", {"found": quoted(found)}, pointer=f"/{key}"))
    return found


def list_in(question: Mapping[str, Any], key: str) -> list[Any]:
    """The list below a key of a question; empty where there is none.

    :raises NotationError: if something else is there.
    """
    found = question.get(key) or []
    if not isinstance(found, list):
        raise NotationError(Finding("no-list", {"found": quoted(found)}, pointer=f"/{key}"))
    return found


def language_of(question: Mapping[str, Any]) -> str:
    """The language of a question; English where it has none."""
    return str(question.get("language") or "en")
