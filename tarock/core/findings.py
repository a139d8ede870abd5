"""Findings: errors in a record, and their locations.

A finding names its sentence by a key; the sentences, in four languages, are in the text files, next to the
broken clause (`tarock.words.sentences`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any


class Illegal(Exception):
    """Error: an event breaks a clause. The table is left as it was before the event.

    `clause`: slug of the broken clause; `reason`: key of the clause's sentence; `values`: values for the
    sentence.
    """

    def __init__(self, clause: str, reason: str, **values: Any) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause, self.reason, self.values = clause, reason, values


@dataclass(frozen=True, slots=True)
class Finding:
    """An error in a record, with the broken rule and the location. Fields that don't apply are null."""

    reason: str
    """Stable identifier of the error: the key of one of the clause's sentences or, without a clause, of a
    common sentence. Empty if the seat may not know the error."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    """Values for the sentence; seats and cards are codes."""
    event: int | None = None
    """Number of the event, from 0."""
    trick: int | None = None
    """Number of the event's trick, from 1."""
    seat: str | None = None
    """Seat that made the event."""
    clause: str | None = None
    """Slug of the broken clause."""
    legal: tuple[str, ...] | None = None
    """Legal choices: cards or words."""
    line: int | None = None
    """Line in the input, from 1."""
    column: int | None = None
    """Column in the line, from 1."""
    pointer: str | None = None
    """JSON Pointer (RFC 6901) into the JSON form."""
    field: str | None = None
    """Field of the score sheet that the error is in; only for score sheets."""

    @property
    def anywhere(self) -> Finding:
        """The finding without its location in the input."""
        return replace(self, line=None, column=None, pointer=None)


class NotationError(ValueError):
    """Error: the input is not a record. `finding`: the error and its location."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"line {finding.line}, column {finding.column}: {finding.reason}")
        self.finding = finding


class NotWritable(ValueError):
    """Error: a record has no text form. `event`: number, from 0, of the event that cannot be written."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event
