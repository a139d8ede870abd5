"""Findings: the errors of a record, and their places.

A finding names its sentence by a key; the sentences, in four languages, are in the text files, next to the
broken clause (`tarock.words.sentences`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any


class Illegal(Exception):
    """An event breaks a clause. The table is as it was before the event.

    `clause`: its slug; `reason`: the key of the clause's sentence; `values`: the values of the sentence.
    """

    def __init__(self, clause: str, reason: str, **values: Any) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause, self.reason, self.values = clause, reason, values


@dataclass(frozen=True, slots=True)
class Finding:
    """An error: the broken rule and its place; fields that don't apply are null."""

    reason: str
    """A stable word for the error: the key of its sentence, one of the clause's or, without a clause, a
    common one. Empty if the seat may not know it."""
    values: dict[str, Any] = dataclass_field(default_factory=dict)
    """The values in the sentence: seats and cards by their codes."""
    event: int | None = None
    """Number of the event, from 0."""
    trick: int | None = None
    """Number of the trick it belongs to, from 1."""
    seat: str | None = None
    """Whose event it was."""
    clause: str | None = None
    """Slug of the clause it breaks."""
    legal: tuple[str, ...] | None = None
    """The legal choices: cards or words."""
    line: int | None = None
    """Line of the input, from 1."""
    column: int | None = None
    """Column of the line, from 1."""
    pointer: str | None = None
    """RFC 6901 pointer into the JSON form."""
    field: str | None = None
    """Of a score sheet: the field that it is about."""

    @property
    def anywhere(self) -> Finding:
        """The same finding without its place in an input."""
        return replace(self, line=None, column=None, pointer=None)


class NotationError(ValueError):
    """An input is not a record; `finding` has the place and the fault."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"line {finding.line}, column {finding.column}: {finding.reason}")
        self.finding = finding


class NotWritable(ValueError):
    """A record that the text form cannot express; `event` is the 0-based number of the bad event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event
