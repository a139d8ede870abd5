"""Amounts of a score in each unit and language."""

from __future__ import annotations

import pytest

from tarock.words.amounts import amount, unit_name

AMOUNTS = [
    (105, "point", "en", "105"), (-15, "point", "cs", "−15"),
    (925, "h", "cs", "925 h (9,25 Kč)"), (-5, "h", "en", "−5 h (−0.05 Kč)"), (None, "h", "en", "–"),
    (1, "cent", "en", "1 cent (0.01 €)"), (80, "cent", "de", "80 Cent (0,80 €)"),
    (3, "chip", "cs", "3 žetony"), (5, "chip", "cs", "5 žetonů"), (12, "groschen", "ja", "12 groschen"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "unit", "language", "text"), AMOUNTS)
def test_amounts(value: int | None, unit: str, language: str, text: str) -> None:
    assert amount(value, unit, language).replace("\u00a0", " ") == text


def test_a_gain_has_its_sign_if_signed() -> None:
    assert amount(930, "h", "de", signed=True).replace("\u00a0", " ") == "+930 h (+9,30 Kč)"
    assert (amount(4, "point", signed=True), amount(0, "point", signed=True)) == ("+4", "0")


def test_an_unknown_unit_keeps_its_name() -> None:
    assert (unit_name("point", "de"), unit_name("groschen", "de")) == ("Punkte", "groschen")
