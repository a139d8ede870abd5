"""JSON for pages: clauses, and records as text."""

from __future__ import annotations

from typing import Any

from tarock.core.findings import NotWritable
from tarock.core.record import Record
from tarock.notation import write_text
from tarock.words.names import PlayerNames

Json = dict[str, Any]


def clause_json(slug: str | None, names: PlayerNames) -> Json:
    """Return a clause as its slug and title; both are empty if there is no clause."""
    return {"clause": slug or "", "title": names.clause_title(slug) if slug else ""}


def text_of(record: Record) -> str | None:
    """Return the record as TGN; None if it has an illegal event that TGN cannot express."""
    try:
        return write_text(record)
    except NotWritable:
        return None
