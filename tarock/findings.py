"""Findings: what is wrong with a record, and where.

A finding names its sentence by a key; the sentences, in four languages, stand in the text files, beside the
clause that is broken (`tarock.sentences`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Illegal(Exception):
    """An event breaks a clause. The table is as it was before the event.

    `clause`: its slug; `reason`: which of the clause's sentences says how; `values`: what the sentence names.
    """

    def __init__(self, clause: str, reason: str, **values: Any) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause, self.reason, self.values = clause, reason, values


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, with its place. Whatever does not apply is None.

    `reason`: which sentence says what is wrong, one of the clause's or, without a clause, of the common ones;
    `values`: what that sentence names, plain values (seats and cards by their codes); `event`: 0-based number
    of the event, `trick`: number of the trick it belongs to, from 1; `seat`: whose event it was; `clause`:
    slug of the clause it breaks; `legal`: the cards or words that would have been legal; `line` and `column`
    (1-based): the place in the input; `pointer` (RFC 6901): the place in the JSON form.
    """

    reason: str
    values: dict[str, Any] = field(default_factory=dict)
    event: int | None = None
    trick: int | None = None
    seat: str | None = None
    clause: str | None = None
    legal: tuple[str, ...] | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None


class NotationError(ValueError):
    """An input is not a record; `finding` says where and what was expected."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"line {finding.line}, column {finding.column}: {finding.reason}")
        self.finding = finding


class NotWritable(ValueError):
    """A record holds what the text form cannot write; `event` is the 0-based number of the event at fault."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event
