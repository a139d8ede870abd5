"""Findings: what is wrong with a record, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, with its place.

    `event`: 0-based number of the event, `seat`: whose event it was, `clause`: slug of the clause it breaks,
    `legal`: the cards or words that would have been legal, `message`: a sentence; `line` and `column`
    (1-based) for text, `pointer` (RFC 6901) for JSON. Whatever does not apply is None.
    """

    message: str
    event: int | None = None
    seat: str | None = None
    clause: str | None = None
    legal: tuple[str, ...] | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The finding as the eight keys of the API and the command line."""
        return {
            "event": self.event,
            "seat": self.seat,
            "clause": self.clause,
            "legal": None if self.legal is None else list(self.legal),
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "pointer": self.pointer,
        }


class NotationError(ValueError):
    """An input is not a record; `finding` says where and what was expected."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class NotWritable(ValueError):
    """A record holds what the text form cannot write; `event` is the 0-based number of the event at fault."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event
