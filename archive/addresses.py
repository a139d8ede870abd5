"""Values in URLs: integers, and deal keys (`12`, or `12-45` to select contribution 45)."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import register_converter


class Key(NamedTuple):
    """The ids of a deal and of a contribution to it. If the contribution is None, the key refers to the first
    contribution that the viewer can see."""

    deal: int
    contribution: int | None = None

    @classmethod
    def read(cls, text: str) -> Key:
        """Parse a key from a text that matches `KEY`."""
        deal, _, contribution = text.partition("-")
        return cls(int(deal), int(contribution) if contribution else None)

    def __str__(self) -> str:
        return str(self.deal) if self.contribution is None else f"{self.deal}-{self.contribution}"


KEY = "[0-9]{1,18}(?:-[0-9]{1,18})?"
"""Regular expression for a key."""

WHOLE_KEY = "[0-9]{1,18}-[0-9]{1,18}"
"""Regular expression for a key that includes the contribution."""


def number_of(text: str | None, digits: int = 9) -> int | None:
    """Parse a non-negative integer of at most `digits` digits. Return None for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


class _KeyConverter:
    regex = KEY
    to_python = staticmethod(Key.read)
    to_url = staticmethod(str)


register_converter(_KeyConverter, "deal")
