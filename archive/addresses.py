"""How a deal is named in addresses: by its number, ``12``, or as one contribution says it, ``12-45``."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import register_converter


class Key(NamedTuple):
    """A deal, and the contribution by which it is shown; without one the reader's first."""

    deal: int
    said: int | None = None

    def __str__(self) -> str:
        return str(self.deal) if self.said is None else f"{self.deal}-{self.said}"


KEY = "[0-9]{1,18}(?:-[0-9]{1,18})?"
"""What a key looks like."""


class _KeyConverter:
    regex = KEY

    def to_python(self, text: str) -> Key:
        """The key that an address holds."""
        deal, _, said = text.partition("-")
        return Key(int(deal), int(said) if said else None)

    def to_url(self, key: Key | int | str) -> str:
        """The key as it is written."""
        return str(key)


register_converter(_KeyConverter, "deal")
