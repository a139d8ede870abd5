"""Text as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString, mark_safe

__all__ = ["cut", "esc", "joined"]


_SHORT = 40
_escaped = lru_cache(maxsize=4096)(escape)


def esc(text: str) -> str:
    """A text as HTML shows it; names and words, which come again and again, from memory."""
    return _escaped(text) if len(text) <= _SHORT else escape(text)


def joined(parts: Iterable[str]) -> SafeString:
    """Pieces of HTML as one. What is text in them must have been escaped."""
    return mark_safe("".join(parts))  # noqa: S308 - this is where all markup made here comes out


def cut(text: str, length: int) -> str:
    """A text that is too long, cut to so many characters, an ellipsis the last of them."""
    return text if len(text) <= length else text[: length - 1] + "…"
