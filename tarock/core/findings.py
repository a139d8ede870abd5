"""Findings: errors in a record, and their locations.

A finding has the key of the sentence that describes it. The text files contain the sentences of each clause
in four languages (`tarock.words.sentences`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any


class Illegal(Exception):
    """Raised when an event breaks a clause. The table does not apply the event.

    `clause`: slug of the broken clause; `reason`: key of the clause's sentence that describes the error;
    `values`: values for the sentence.
    """

    def __init__(self, clause: str, reason: str, **values: Any) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause, self.reason, self.values = clause, reason, values


@dataclass(frozen=True, slots=True)
class Finding:
    """An error in a record, with the broken clause and the location. Fields that don't apply are null."""

    reason: str
    """Stable identifier of the error: the key of one of the clause's sentences or, if there is no clause, of
    a common sentence."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    """Values to insert into the sentence. Seats and cards are codes."""
    event: int | None = None
    """Number of the event at which the error was found, counted from 0."""
    trick: int | None = None
    """Number of the trick that contains the event, counted from 1."""
    seat: str | None = None
    """Seat that made the event."""
    clause: str | None = None
    """Slug of the broken clause."""
    legal: tuple[str, ...] | None = None
    """Legal choices in place of the event: cards, or words such as `pass`."""
    line: int | None = None
    """Number of the line in the input, counted from 1."""
    column: int | None = None
    """Number of the column in the line, counted from 1."""
    pointer: str | None = None
    """JSON Pointer (RFC 6901) to the error in the record's JSON form."""
    field: str | None = None
    """Name of the score sheet field that has the error; null if the record is not a score sheet."""

    @property
    def anywhere(self) -> Finding:
        """The finding without its location in the input."""
        return replace(self, line=None, column=None, pointer=None)


class NotationError(ValueError):
    """Raised when the input is not a valid record. `finding`: the error and its location."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"line {finding.line}, column {finding.column}: {finding.reason}")
        self.finding = finding


class NotWritable(ValueError):
    """Raised when a record can't be written as text. `event`: 0-based number of the event at fault."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event
