"""Validation of the names of players and sessions, and of all other tag values."""

from __future__ import annotations

import re
from typing import Any

#: Characters that cannot be stored, for use in a character class: NUL and lone surrogates.
NOT_STORABLE = r"\x00\ud800-\udfff"
#: Control characters and surrogates, forbidden in strings other than comments, for use in a character class.
CONTROLS = r"\x00-\x1f\x7f\ud800-\udfff"
#: Characters that are not allowed in a name. A name appears among other words, so it must not contain
#: characters that change the direction of the text after it.
_CONTROL = re.compile(rf"[{CONTROLS}\u202a-\u202e\u2066-\u2069]")
#: A visible character. Blanks, ignorable characters (joiners, fillers, selectors), noncharacters and the
#: Braille pattern without dots are not visible.
_SEEN = re.compile(
    r"[^\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164"
    r"\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\ufffe\uffff\U000e0000-\U000e0fff]"
)


class NoName(ValueError):
    """Error for a text that can't be a name. `reason`: key of the message; `values`: values for it."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def read_name(text: str) -> str:
    """Return the text as a name, without leading and trailing blanks of any kind. The name may be empty.

    Raise NoName for a text with a control character, or for a nonempty name without any visible character.
    """
    if not text.isprintable() and (bad := _CONTROL.search(text)):
        raise NoName("control-character", found=f"U+{ord(bad[0]):04X}")
    name = text.strip()
    if not name.isascii() and not _SEEN.search(name):
        raise NoName("invisible")
    return name
