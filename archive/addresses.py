"""Values in URLs: whole numbers, and keys of deals: `12`, or with a contribution `12-45`."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import register_converter


class Key(NamedTuple):
    """A deal, and the contribution that describes it; without one, the viewer's first."""

    deal: int
    contribution: int | None = None

    @classmethod
    def read(cls, text: str) -> Key:
        """Parse a key that matches `KEY`."""
        deal, _, contribution = text.partition("-")
        return cls(int(deal), int(contribution) if contribution else None)

    def __str__(self) -> str:
        return str(self.deal) if self.contribution is None else f"{self.deal}-{self.contribution}"


KEY = "[0-9]{1,18}(?:-[0-9]{1,18})?"
"""The form of a key, as a regular expression."""

WHOLE_KEY = "[0-9]{1,18}-[0-9]{1,18}"
"""The same for a key with the contribution."""


def number_of(text: str | None, digits: int = 9) -> int | None:
    """Parse a whole number of at most `digits` digits; return None for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


class _KeyConverter:
    regex = KEY

    def to_python(self, text: str) -> Key:
        """Parse a key."""
        return Key.read(text)

    def to_url(self, key: Key | int | str) -> str:
        """Write a key."""
        return str(key)


register_converter(_KeyConverter, "deal")
