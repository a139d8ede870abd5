"""Deals of Grosstarock that several tests start from. Three players, dealer C, forehand A."""

from __future__ import annotations

from tarock.analysis.verify import Check
from tests.engine.builder import Deal

#: A talon of blanks, which the dealer puts away again: the hands are as dealt.
TALON = {"talon": "S1 C1 H10"}
PUT = "C discard S1 C1 H10"


def gross(
    given: dict[str, str] | None = None, without: dict[str, str] | None = None, *, quiet: bool = True
) -> Deal:
    """A deal up to the declarations, or (`quiet`) up to the first lead."""
    deal = Deal("grosstarock", TALON | (given or {}), without=without).say(PUT)
    return deal.passes("CAB") if quiet else deal


def each(seat: str, amount: int) -> dict[str, int]:
    """`amount` for a seat from each of the other two (to each, if negative)."""
    return {s: 2 * amount if s == seat else -amount for s in "ABC" if amount}


def declare(hand: str, item: str, without: str = "T", courts: bool = True) -> Deal:
    """A (after C's pass) declares an item with the cards named and none of the suits or cards in
    `without`."""
    bar = without + (" " + " ".join(s + r for s in "SHDC" for r in "KQCJ") if courts else "")
    return gross({"A": hand}, {"A": bar}, quiet=False).say("C pass", f"A announce {item}")


#: A holds every tarock and T0, and three Kings: he wins all 25 tricks unless he leads T0.
STRONG = {"A": "T21-T1 SK HK DK CK"}


def after(deal: Deal, number: int) -> Deal:
    """Return a deal played from the first lead on, broken off after a number of tricks."""
    cut = deal.also()
    del cut.form["events"][4 + 3 * number :]
    return cut


def for_two(
    given: dict[str, str] | None = None, without: dict[str, str] | None = None, *, quiet: bool = True
) -> Deal:
    """A deal for two up to the declarations, or (`quiet`) up to the first lead."""
    deal = Deal("grosstarock", TALON | (given or {}), players=2, without=without).say("B discard S1 C1 H10")
    return deal.passes("BA") if quiet else deal


def kings(found: Check) -> dict[str, dict[str, int]]:
    """Return the payments for each King that is not in the last trick."""
    lines = [line for line in found.lines if line.clause == "grosstarock.king"]
    assert len({line.quantity["card"] for line in lines}) == len(lines), "each once"
    return {line.quantity["card"]: dict(line.points) for line in lines}
