"""“What is tarock?” in five pictures. Each has some cards and a question, which the reader answers by
tapping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from replays.language.cards import face
from tarock.view.cards import Face


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer, which is a card or a number. `whose`: the player who holds the card."""

    value: str
    card: Face | None = None
    whose: str = ""
    right: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture: title, question, choices, the reason for the right answer, and cards on the table."""

    name: str
    title: str
    question: str
    choices: list[Choice]
    answer: str
    lying: Sequence[Face] = ()


def _cards(right: str, *codes: str) -> list[Choice]:
    return [Choice(code, face(code), right=code == right) for code in codes]


def lessons() -> list[Lesson]:
    """Return the five pictures in the reader's language."""
    return [
        Lesson(
            "trumps",
            _("Tarocks beat every suit"),
            _("Spades were led. Which card takes the trick?"),
            _cards("T2", "SK", "T2", "S10"),
            _(
                "Even the II beats the King, because tarocks are always trumps. Players must follow "
                "suit; if they have none of the suit, they must play a tarock."
            ),
        ),
        Lesson(
            "skus",
            _("The Sküs and its companions"),
            _("These three are the trull. Which is the highest?"),
            _cards("T0", "T1", "T21", "T0"),
            _(
                "The Sküs, a Fool without a number, ranks above the Mond (XXI) and the Pagat (I). "
                "Only in Grosstarock does it never take a trick; there it saves its player from "
                "following suit."
            ),
        ),
        Lesson(
            "threes",
            _("Points are counted in threes"),
            _(
                "The King is worth 5, the others 1 each. For three cards, 2 points are subtracted. How "
                "many points are left?"
            ),
            [Choice(number, right=number == "5") for number in ("3", "5", "7")],
            _(
                "5 + 1 + 1 − 2 = 5. So plain cards count nothing in the end, and the 54 cards are "
                "worth 70. Each card of the trull counts 5, like a King; Queens count 4, Cavaliers 3, "
                "Jacks 2."
            ),
            [face("CK"), face("H1"), face("S7")],
        ),
        Lesson(
            "pagat",
            _("The Pagat’s last trick"),
            _("Two cards are left in your hand. Which would you like to take the very last trick with?"),
            _cards("T1", "T20", "T1"),
            _(
                "With the lowest tarock of all. Winning the last trick with the Pagat brings a bonus, "
                "a larger one if it was announced; losing it there costs as much. Only Troggu has no "
                "such bonus."
            ),
        ),
        Lesson(
            "partner",
            _("Who plays with whom?"),
            _("Anna is the bidder and calls the XIX. Who is her partner?"),
            [
                Choice("HK", face("HK"), "Bruno"),
                Choice("T19", face("T19"), "Clara", right=True),
                Choice("T15", face("T15"), "Dana"),
            ],
            _(
                "Clara, who holds it. At first only she knows. This is how partners find each other "
                "in Czech Taroky, and in Troggu with seven or eight players. Otherwise one player "
                "plays against all others, or everybody plays alone."
            ),
        ),
    ]
