"""Verdicts on pages."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

VERDICTS: dict[str, tuple[str, Promise, Promise]] = {
    "verified": (
        "✓",
        gettext_lazy("Verified"),
        gettext_lazy(
            "Complete and legal from the first event to the last; the score is what the rules give."
        ),
    ),
    "disputed": (
        "≠",
        gettext_lazy("Disputed"),
        gettext_lazy("Complete and legal, but the score written down is not what the rules give."),
    ),
    "illegal": (
        "✕",
        gettext_lazy("Illegal"),
        gettext_lazy("An event in this record breaks a rule of the game."),
    ),
    "incomplete": (
        "…",
        gettext_lazy("Incomplete"),
        gettext_lazy("Legal as far as it goes, but the record ends before the deal is over."),
    ),
    "malformed": (
        "!",
        gettext_lazy("Malformed"),
        gettext_lazy("This is not a record: it can't be read."),
    ),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with its sign, its word, and the sentence that explains it."""

    key: str
    sign: str
    word: str
    meaning: str


def verdict(key: str) -> Verdict:
    """The sign and words of a verdict."""
    sign, word, meaning = VERDICTS[key]
    return Verdict(key, sign, str(word), str(meaning))
