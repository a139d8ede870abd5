"""Names: of players and sessions, and all other values of tags."""

from __future__ import annotations

import re
from typing import Any

#: The characters that cannot be stored, for a pattern: NUL and lone surrogates.
NOT_STORABLE = r"\x00\ud800-\udfff"
#: The characters that no string of a record may have except a comment, for a pattern: control characters and
#: surrogates.
CONTROLS = r"\x00-\x1f\x7f\ud800-\udfff"
#: A name has no characters that change the direction of the following text either, since it appears among
#: other words. A comment, which is shown separately, may have them.
_CONTROL = re.compile(rf"[{CONTROLS}\u202a-\u202e\u2066-\u2069]")
#: A visible character: neither blank nor, by the Unicode standard, ignorable (joiners, fillers, selectors) or
#: no character at all, nor the pattern of Braille without a dot.
_SEEN = re.compile(
    r"[^\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164"
    r"\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\ufffe\uffff\U000e0000-\U000e0fff]"
)


class NoName(ValueError):
    """A text that can't be a name: `reason` is the key of the sentence, `values` the sentence's values."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def read_name(text: str) -> str:
    """The text as a name: without blanks of any kind at its ends. It may be empty.

    Raises NoName for a text with a control character, or without any visible character.
    """
    if not text.isprintable() and (bad := _CONTROL.search(text)):
        raise NoName("control-character", found=f"U+{ord(bad[0]):04X}")
    name = text.strip()
    if not name.isascii() and not _SEEN.search(name):
        raise NoName("invisible")
    return name
