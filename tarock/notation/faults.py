"""The faults of one record, collected while it is read.

A fault is a `Malformed` with the JSON pointer of the bad value. After a fault reading goes on with all that
does not depend on it; faults that may only follow from it are left out (`Faults`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from tarock.core.findings import Finding

_Value = TypeVar("_Value")


class Malformed(Exception):
    """A value that makes the input no record.

    `reason`: the key of its sentence; `values`: the values of the sentence; `pointer`: the place of the value
    in the JSON form (RFC 6901); `offset`: its place in the text if the text form is at fault; `clause`: the
    deal clause; `event`: the number of the bad event.
    """

    def __init__(
        self,
        reason: str,
        pointer: str | None = None,
        *,
        clause: str | None = None,
        event: int | None = None,
        offset: int | None = None,
        **values: Any,
    ) -> None:
        super().__init__(reason)
        self.reason, self.pointer, self.values = reason, pointer, values
        self.clause, self.event, self.offset = clause, event, offset

    def finding(self, line: int, column: int) -> Finding:
        """The fault as a finding, with its place in the input."""
        return Finding(
            self.reason,
            self.values,
            event=self.event,
            clause=self.clause,
            line=line,
            column=column,
            pointer=self.pointer,
        )


class Enough(Exception):
    """The limit of faults of one record is reached."""


class Faults:
    """The faults of one record in the order found, without those that may follow from another one.

    `unread`: keys of the JSON form that a fault made unreadable; nothing is reported as missing there.
    """

    __slots__ = ("found", "most", "unread")
    MOST = 20

    def __init__(self) -> None:
        self.found: list[Malformed] = []
        self.unread: set[str] = set()
        self.most = self.MOST

    def note(self, fault: Malformed) -> None:
        """Add a fault; raises Enough at the limit."""
        self.found.append(fault)
        if len(self.found) >= self.most:
            raise Enough

    def attempt(self, read: Callable[..., _Value], *arguments: Any) -> _Value | None:
        """Read a value. Returns None, and adds the fault, if the value is bad."""
        try:
            return read(*arguments)
        except Malformed as fault:
            self.note(fault)
            return None


def quoted(value: object) -> str:
    """Quote a value for a fault: a string in quotation marks, others as JSON; at most 60 characters."""
    try:
        text = f"“{value}”" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "…"
    return text if len(text) <= 60 else text[:57] + "…"


def escape(key: str) -> str:
    """A key as a part of a JSON pointer."""
    return key if key.isalnum() else key.replace("~", "~0").replace("/", "~1")


def unescape(key: str) -> str:
    """A part of a JSON pointer as a key."""
    return key.replace("~1", "/").replace("~0", "~")
