"""The faults in one record, collected while it is read.

A fault is a `Malformed` with the JSON pointer of the invalid value. Reading continues with every value that
does not depend on an invalid value, and ignores faults that may only be consequences of another fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tarock.core.findings import Finding

_Value = TypeVar("_Value")


class Malformed(Exception):
    """An invalid value, which makes the record malformed.

    `reason`: key of the message; `values`: values for the message; `pointer`: JSON pointer (RFC 6901) of the
    value in the JSON form; `offset`: offset in the text, if the fault is in the text form; `clause`: slug of
    the broken clause on dealing, if any; `event`: number of the invalid event.
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

    def finding(self, line: int | None = None, column: int | None = None) -> Finding:
        """Return the fault as a finding, with its position in the input if it is known."""
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
    """Exception that stops the reading of a record at the maximum number of faults."""


class Faults:
    """The faults of one record in the order of discovery, without faults that may follow from others."""

    __slots__ = ("found", "most", "unread")
    MOST = 20

    def __init__(self) -> None:
        self.found: list[Malformed] = []
        #: Keys that a fault made unreadable. Values under these keys are not reported as missing.
        self.unread: set[str] = set()
        self.most = self.MOST

    def note(self, fault: Malformed) -> None:
        """Add a fault. Raise Enough when the number of faults reaches the maximum."""
        self.found.append(fault)
        if len(self.found) >= self.most:
            raise Enough

    def attempt(self, read: Callable[..., _Value], *arguments: Any) -> _Value | None:
        """Read a value. If it is invalid, add the fault and return None."""
        try:
            return read(*arguments)
        except Malformed as fault:
            self.note(fault)
            return None


def quoted(value: object) -> str:
    """Quote a value for an error message: a string in quotation marks, any other value as JSON, cut to 60
    characters."""
    try:
        text = f"“{value}”" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "…"
    return text if len(text) <= 60 else text[:57] + "…"


def unlisted(
    reason: str, pointer: str, found: object, allowed: Iterable[str], clause: str | None = None, **more: Any
) -> Malformed:
    """Return the fault for a value that is not one of the allowed words. Other arguments: see `Malformed`."""
    expected = " ".join(allowed)
    return Malformed(reason, pointer, clause=clause, found=quoted(found), expected=expected, **more)


def escape(key: str) -> str:
    """Escape a key for use in a JSON pointer."""
    return key if key.isalnum() else key.replace("~", "~0").replace("/", "~1")


def unescape(key: str) -> str:
    """Return the key that a part of a JSON pointer represents."""
    return key.replace("~1", "/").replace("~0", "~")
