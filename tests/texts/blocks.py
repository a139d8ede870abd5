"""The fenced blocks of a page of `docs/`: the info string, and the content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
_FENCE = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: `tgn canonical verdict=verified` has a language, one flag and one attribute."""

    language: str
    flags: frozenset[str]
    attributes: dict[str, str]
    body: str
    line: int

    @property
    def name(self) -> str:
        """How test reports call it."""
        return f"{self.language}@{self.line}"


def blocks(page: str) -> list[Block]:
    """All fenced blocks of `docs/<page>`, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        words = match[2].split()
        attributes = dict(word.split("=", 1) for word in words if "=" in word)
        flags = frozenset(word for word in words if "=" not in word)
        found.append(Block(match[1], flags, attributes, match[3], text.count("\n", 0, match.start()) + 1))
    return found
