"""What the answers to a page's questions have in common: the keys that are read, findings and score lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tarock import clauses, sentences
from tarock.findings import Finding, NotationError
from tarock.naming import PlayerNames
from tarock.notation.faults import quoted
from tarock.scoring import ScoreLine

Json = dict[str, Any]


def language_of(question: Mapping[str, Any]) -> str:
    """The language of the answer."""
    return str(question.get("language") or "en")


def object_at(value: Mapping[str, Any], key: str) -> Json:
    """The object at a key of a question.

    :raises NotationError: if there is none.
    """
    found = value.get(key)
    if not isinstance(found, dict):
        raise NotationError(Finding("no-object", {"found": quoted(found)}, pointer=f"/{key}"))
    return found


def list_at(value: Mapping[str, Any], key: str) -> list[Any]:
    """The list at a key of a question; empty without one.

    :raises NotationError: if it is something else.
    """
    found = value.get(key) or []
    if not isinstance(found, list):
        raise NotationError(Finding("no-list", {"found": quoted(found)}, pointer=f"/{key}"))
    return found


def line_json(line: ScoreLine, names: PlayerNames) -> Json:
    """A line of a score with its points and its clause."""
    text = names.sentence(sentences.line, line)
    return {"text": text, "points": line.points, **clause_json(line.clause, names)}


def clause_json(slug: str | None, names: PlayerNames) -> Json:
    """A clause by its slug and its title; empty without one."""
    return {"clause": slug or "", "title": clauses.clause(slug, names.language).title if slug else ""}
