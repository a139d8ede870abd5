"""Text as HTML.

Only for `replays.markup.replay`, until that is a template, too: then this file goes.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def esc(text: str) -> str:
    """A text as HTML shows it."""
    return str(escape(text))


def joined(parts: Iterable[str]) -> SafeString:
    """Pieces of HTML as one. What is text in them must have been escaped."""
    return mark_safe("".join(parts))  # noqa: S308 - this is where all markup made here comes out


def cut(text: str, length: int) -> str:
    """A text that is too long, cut to so many characters, an ellipsis the last of them."""
    return text if len(text) <= length else text[: length - 1] + "…"
