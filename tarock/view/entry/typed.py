"""Text as phones, word processors and input methods write it, turned into text that can be read.

>>> straightened("[Deal “７．”]\\nA\\u00a0ｂｉｄ first {“so”}")
'[Deal "7"]\\nA bid first {“so”}'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Full-width signs, letters and digits, all kinds of blanks, and all signs that mean a minus.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN |= dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], ord(" "))
_PLAIN |= {ord(dash): ord("-") for dash in "−‐‑‒–—"}

_QUOTES = "\"'“”„‟«»‹›‘’‚‛「」『』＂＇"
_TAG = re.compile(r"\s*[\[［]\s*([A-Za-z][\w-]*)\s*(.*?)\s*[\]］]?\s*")
_WHOLE_TAG = re.compile(r'[ \t]*\[[ \t]*[\w-]+[ \t]+"(?:[^"\\]|\\.)*"[ \t]*\][ \t]*')
_CODED = {"TGN", "Game", "Dealer", "Date", "Deal", "Options", "Score", "Agreed"}
"""Tags whose values are read, and not only shown."""
_COMMENT = re.compile(r"(\{[^}]*\}?|;[^\n]*)")
_TRICK = re.compile(r"^(\d+)\.(?=\w)", re.MULTILINE)
_POINTS = re.compile(r"([^\s,;:=]+)\s*[:=]?\s*([+-]?)\s*(\d+)[,;\s]*")


def straightened(record: str) -> str:
    """Return a record in text form with plain quotation marks, blanks, letters, digits and minus signs, and
    with numbers and scores as a record has them. Comments and the values of other tags keep their signs, and
    lines that can be read stay as they are."""
    seats: dict[str, str] = {}
    parts = []
    for part in re.split(r"(^[ \t\u3000]*[\[［].*$)", record, flags=re.MULTILINE):
        if tag := _TAG.fullmatch(part):
            parts.append(_tag(part, tag[1], tag[2], seats))
        else:
            words = _COMMENT.split(part)
            words[::2] = [_TRICK.sub(r"\1. ", word.translate(_PLAIN)) for word in words[::2]]
            parts.append("".join(words))
    return "".join(parts)


def _tag(line: str, name: str, value: str, seats: dict[str, str]) -> str:
    """Return a tag line. `seats`: name of each player so far → seat, to which a player's tag adds."""
    is_whole = _WHOLE_TAG.fullmatch(line) is not None
    inner = value[1:-1] if is_whole else value.strip(_QUOTES)
    if len(name) == 1:
        seats[inner] = name.upper()
    coded = _coded(name, inner, seats) if name in _CODED else inner
    if is_whole and coded == inner:
        return line
    escaped = coded if is_whole else coded.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _coded(name: str, value: str, seats: Mapping[str, str]) -> str:
    if name not in ("Score", "Agreed"):
        plain = value.translate(_PLAIN)
        return plain.rstrip(". ") if name == "Deal" else plain
    for player in sorted(seats, key=len, reverse=True):
        value = re.sub(rf"(?<!\w){re.escape(player)}(?=\s*[:=])", seats[player], value)
    plain = value.translate(_PLAIN)
    rows = [(seat.upper(), "-" * (sign == "-") + points) for seat, sign, points in _POINTS.findall(plain)]
    return " ".join(f"{seat}={points}" for seat, points in rows) if not _POINTS.sub("", plain) else plain
