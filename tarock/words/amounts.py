"""Amounts of a score in the unit of the deal's rules.

>>> amount(925, "h")
'925\xa0h (9.25\xa0Kč)'
"""

from __future__ import annotations

from tarock.core.options import POINT
from tarock.words import sentences
from tarock.words.clauses import words
from tarock.words.sentences import Names


def unit_name(unit: str, language: str = "en") -> str:
    """Return the name of a unit for the head of a table: “points”. An unknown unit is returned unchanged."""
    return str(words("common", language)["units"].get(unit, unit))


def amount(
    value: int | None, unit: str, language: str = "en", *, signed: bool = False, money: bool = True
) -> str:
    """Return an amount with its unit and, with `money`, small units also in their currency: “925 h
    (9.25 Kč)”. Points have no unit; None is a dash. `signed`: whether to write the sign of a gain, too."""
    if value is None:
        return "–"
    sign = "+" if signed and value > 0 else ""
    if unit == POINT:
        return sign + sentences.number(value)
    names = Names("common", language)
    text = sign + sentences.amount(value, unit, names)
    if money and value and (coins := sentences.money(value, unit, names)):
        text += f" ({sign}{coins})"
    return text


def mean(text: str, unit: str, language: str = "en") -> str:
    """Return a formatted average with its unit: “+12.35 h”. Points have no unit."""
    return text if unit == POINT else sentences.in_unit(text, unit, Names("common", language))


def money(value: int, unit: str, language: str = "en") -> str:
    """Return an amount of a small unit in its currency: “9.25 Kč”; empty if there is none."""
    return sentences.money(value, unit, Names("common", language))
