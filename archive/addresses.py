"""What addresses hold: whole numbers, and deals: ``12``, or as one contribution says it, ``12-45``."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import register_converter


class Key(NamedTuple):
    """A deal, and the contribution by which it is shown; without one the reader's first."""

    deal: int
    contribution: int | None = None

    @classmethod
    def read(cls, text: str) -> Key:
        """The key that a text of the form `KEY` is."""
        deal, _, contribution = text.partition("-")
        return cls(int(deal), int(contribution) if contribution else None)

    def __str__(self) -> str:
        return str(self.deal) if self.contribution is None else f"{self.deal}-{self.contribution}"


KEY = "[0-9]{1,18}(?:-[0-9]{1,18})?"
"""How a key is written, as a regular expression."""

WHOLE_KEY = "[0-9]{1,18}-[0-9]{1,18}"
"""One that names the contribution, too."""


def number_of(text: str | None, digits: int = 9) -> int | None:
    """The whole number that somebody wrote, of so many digits at most; None if it is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


class _KeyConverter:
    regex = KEY

    def to_python(self, text: str) -> Key:
        """The key that an address holds."""
        return Key.read(text)

    def to_url(self, key: Key | int | str) -> str:
        """The key as it is written."""
        return str(key)


register_converter(_KeyConverter, "deal")
