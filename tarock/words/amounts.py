"""Amounts of a score in the unit of the deal's rules.

>>> amount(925, "h")
'925\xa0h\xa0(9.25\xa0Kč)'
"""

from __future__ import annotations

from tarock.core.options import POINT
from tarock.words.clauses import words
from tarock.words.sentences import Names, fill, number

_MONEY = {"h": "Kč", "cent": "€"}
"""Unit → the currency of which it is a hundredth."""


def unit_name(unit: str, language: str = "en") -> str:
    """Return the name of a unit for the head of a table: “points”. An unknown unit is returned unchanged."""
    return str(words("common", language)["units"].get(unit, unit))


def amount(value: int | None, unit: str, language: str = "en", *, signed: bool = False) -> str:
    """Return an amount with its unit, and small units of money also in their currency: “925 h (9.25 Kč)”.
    Points have no unit; None is a dash. `signed`: whether to write the sign of a gain, too."""
    if value is None:
        return "–"
    sign = "−" if value < 0 else "+" if signed and value else ""
    if unit == POINT:
        return sign + number(abs(value))
    texts = words("common", language)
    forms = texts["unit_amounts"].get(unit, f"# {unit}")
    text = sign + fill(f"{{amount:{forms}}}", {"amount": abs(value)}, Names("common", language))
    if unit in _MONEY:
        whole, part = divmod(abs(value), 100)
        text += f" ({sign}{whole}{texts['decimal_mark']}{part:02} {_MONEY[unit]})"
    # Keep the number and its unit on one line.
    return text.replace(" ", "\u00a0")
