"""Verdicts in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

VERDICTS: dict[str, tuple[str, Promise, Promise]] = {
    "verified": (
        "✓",
        gettext_lazy("Verified"),
        gettext_lazy(
            "Complete and legal from the first event to the last. The score follows from the rules."
        ),
    ),
    "computed": (
        "∑",
        gettext_lazy("Computed"),
        gettext_lazy("The score follows from the score sheet. The play was not recorded."),
    ),
    "stated": (
        "~",
        gettext_lazy("Stated"),
        gettext_lazy("These points were written down. Nobody has checked them."),
    ),
    "disputed": (
        "≠",
        gettext_lazy("Disputed"),
        gettext_lazy("Complete and legal, but the score by the rules differs from the one written down."),
    ),
    "illegal": (
        "✕",
        gettext_lazy("Illegal"),
        gettext_lazy("An event in this record breaks a rule of the game."),
    ),
    "incomplete": (
        "…",
        gettext_lazy("Incomplete"),
        gettext_lazy("Legal so far, but the record ends before the deal is over."),
    ),
    "malformed": (
        "!",
        gettext_lazy("Malformed"),
        gettext_lazy("This can’t be read as a record."),
    ),
    # Not a verdict, but pages show it in place of one if the check failed because of a program error.
    "failed": (
        "!",
        gettext_lazy("An error on our side"),
        gettext_lazy("An error in the program prevented this record from being checked."),
    ),
}

_OF_SHEETS = {
    "disputed": gettext_lazy(
        "The score that follows from the other lines of the sheet differs from the one written down."
    ),
    "illegal": gettext_lazy("By the rules of the game, this score sheet is impossible."),
    "incomplete": gettext_lazy("Something is missing from the sheet, so the score can’t be computed."),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with its sign, its name, and its explanation."""

    key: str
    sign: str
    word: str
    meaning: str


def verdict(key: str, is_sheet: bool = False) -> Verdict:
    """Return a verdict with its sign and texts. `is_sheet`: whether it is the verdict on a score sheet
    without cards."""
    sign, word, meaning = VERDICTS[key]
    return Verdict(key, sign, str(word), str(_OF_SHEETS.get(key, meaning) if is_sheet else meaning))
