"""Readers for JSON values of one type. Each returns the value, or raises Malformed if its type is wrong."""

from __future__ import annotations

import re
from typing import Any

from tarock.notation.faults import Malformed, quoted
from tarock.notation.limits import MAX_TAG
from tarock.notation.names import CONTROLS, NoName, read_name

#: White space between words and records, including characters that occur where files were concatenated.
SPACES = r"\s\x1a\ufeff"
#: A word of the text form.
WORD = re.compile(rf"[^{SPACES}{{}};]+")
#: A name in a line of a result: a JSON string without the characters that begin or end a comment or remark.
NAME = re.compile(r'"(?:[^"\\\n{};]|\\[^\n{};])*"')
_CONTROL = re.compile(f"[{CONTROLS}]")


def read_string(value: object, pointer: str) -> str:
    """Return a string. Raise Malformed if it has control characters or lone surrogates."""
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    if not value.isprintable() and (bad := _CONTROL.search(value)):
        raise Malformed("control-character", pointer, found=f"U+{ord(bad[0]):04X}")
    return value


def read_tag(value: object, pointer: str) -> str:
    """Return the value of a tag, or a player's name. Raise Malformed if it is not valid."""
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    try:
        text = read_name(value)
    except NoName as fault:
        raise Malformed(fault.reason, pointer, **fault.values) from None
    if len(value) > MAX_TAG:
        raise Malformed("tag-too-long", pointer, found=len(value), limit=MAX_TAG)
    return text


def read_object(value: object, pointer: str) -> dict[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise Malformed("no-object", pointer, found=quoted(value))
    return value


def read_list(value: object, pointer: str) -> list[Any]:
    """Return a JSON array."""
    if not isinstance(value, list):
        raise Malformed("no-list", pointer, found=quoted(value))
    return value
