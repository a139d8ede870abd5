"""Deals of Czech Taroky that several tests start from. Dealer D, forehand A, unless said otherwise."""

from __future__ import annotations

import re

from tarock.notation import read_one
from tests.engine.builder import Deal
from tests.engine.worked import WORKED

#: A talon of blanks: those who exchange put away what they drew, so that the hands stay as dealt.
BLANKS = "S7 S8 C7 C8 H4 D4"


def bid(first: str, rest: str = "pass pass pass") -> list[str]:
    """The four events of the bidding: A's bid, then what B, C and D say."""
    words = [w if w == "pass" else f"bid {w}" for w in rest.split()]
    return [f"A bid {first}", *(f"{seat} {word}" for seat, word in zip("BCD", words, strict=True))]


def called(given: dict[str, str], *lines: str, without: dict[str, str] | None = None) -> Deal:
    """A's First Duty with T19 called, before the exchange."""
    return Deal("taroky", given, without=without).say(*bid("first"), "A call T19", *lines)


def duty(
    given: dict[str, str], call: str = "T19", without: dict[str, str] | None = None, **more: object
) -> Deal:
    """A's First Duty up to the announcements; the hands are as dealt."""
    deal = Deal("taroky", {"talon": BLANKS} | given, without=without, **more)  # type: ignore[arg-type]
    return deal.say(*bid("first"), f"A call {call}", "A discard S7 S8 C7 C8", "B discard H4", "C discard D4")


def second(given: dict[str, str], call: str = "T19", without: dict[str, str] | None = None) -> Deal:
    """B's Second Duty up to the announcements; B holds T1."""
    deal = Deal("taroky", {"talon": BLANKS} | given, without=without)
    deal.say(*bid("first", "second pass pass"), f"B call {call}")
    return deal.say("B discard S7 S8 C7 C8", "C discard H4", "D discard D4")


def solo(given: dict[str, str] | None = None, without: dict[str, str] | None = None) -> Deal:
    """A's Solo up to the announcements."""
    return Deal("taroky", given, without=without).say(*bid("solo"))


#: A Solo that A wins seven tricks of, with 54 in 28 cards: 35 points.
_EVEN = WORKED["TAROKY_EVEN"].text
EVEN = {place: " ".join(cards) for place, cards in read_one(_EVEN).deal.items()}
EVEN_PLAY = [f"{leader}: {cards}" for leader, cards in re.findall(r"(?m)^\d+\. (\w) (.*)$", _EVEN)]
#: The same, but B throws the King of diamonds and not S9: 58 − 19 = 39.
MORE_PLAY = [
    *EVEN_PLAY[:6],
    "A: T16 DK C8 H3",
    "A: S7 S9 D3 SJ",
    "D: HJ H4 D1 C10",
    "D: H1 S8 D2 CC",
    "D: CJ C7 DC CQ",
    "C: CK DJ D4 DQ",
]
#: The same, but C throws D3 and keeps the King of hearts: 50 − 19 = 31.
LESS_PLAY = [
    *EVEN_PLAY[:3],
    "A: T19 SK D3 SC",
    *EVEN_PLAY[4:7],
    "A: S7 D2 C10 SJ",
    "D: HJ H4 D1 HK",
    "C: CK CJ C7 DC",
    "C: CQ DJ D4 DQ",
    "C: CC H1 S8 DK",
]
#: A takes every trick with twelve tarocks; the talon holds six blanks, 6 − 4 = 2 for the others.
SWEEP = {"A": "T0 T21-T12 T1", "talon": "S7 S8 C7 C8 H4 D4"}


def alone(amount: int, seat: str = "A") -> dict[str, int]:
    """A wins `amount` from each of the three (pays it, if negative)."""
    return {s: 3 * amount if s == seat else -amount for s in "ABCD"}


def declared(item: str, hand: str, *, without: str = "T", others: str = "K") -> Deal:
    """A declares an item in a Solo with the cards named, and none of the suits or cards in `without`."""
    return solo({"A": hand}, without={"A": f"{without} {' '.join(s + others for s in 'SHDC')}"}).say(
        f"A announce {item}"
    )


def varsava(given: dict[str, str], without: dict[str, str] | None = None) -> Deal:
    return Deal("taroky", given, without=without).say(*bid("first"), "A varsava")
