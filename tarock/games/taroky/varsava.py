"""Varšava: everybody plays alone, and the player with the most card points pays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.cards import BEATS, PAGAT_BIT, TAROCKS
from tarock.core.scoring import ScoreLine
from tarock.core.tricks import follow
from tarock.games.taroky.outcome import TarokyOutcome


def playable(hand: int, led: int, best: int | None) -> int:
    """Return the playable cards of a hand (`taroky.varsava-play`). The player must beat the winning card if
    possible, and may play the Pagat only as their last tarock. `best`: winning card; None for the leader."""
    cards = follow(hand, led, TAROCKS)
    if cards & PAGAT_BIT and hand & TAROCKS != PAGAT_BIT:
        cards ^= PAGAT_BIT
    if best is None:
        return cards
    return cards & BEATS[best] or cards


def settlement(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a Varšava (`taroky.varsava-pay` or `taroky.varsava-tie`)."""
    points, active = outcome.card_points, outcome.active
    most = max(points.values())
    at = active.index(outcome.seating.forehand)
    in_order = active[at:] + active[:at]
    payers = [seat for seat in in_order if points[seat] == most]
    payment = 10 if most <= 29 else 20 if most <= 39 else 40
    quantity: dict[str, Any] = {"card_points": points, "payers": payers, "most": most, "payment": payment}
    if len(payers) == len(active):
        yield ScoreLine("taroky.varsava-tie", {}, quantity, ("all-tied",))
        return
    without = outcome.trickless or ()
    shares = dict.fromkeys(active, 0)
    for seat in active:
        if seat in payers:
            continue
        due = 2 * payment if seat in without else payment
        shares[seat] = due
        # If several seats share a payment, the first seats in the order of play pay the odd points.
        each, odd = divmod(due, len(payers))
        for i, payer in enumerate(payers):
            shares[payer] -= each + (i < odd)
    clause, sentence = ("taroky.varsava-pay", "pays") if len(payers) == 1 else ("taroky.varsava-tie", "share")
    trickless = [seat for seat in in_order if seat in without]
    rest: tuple[str, ...] = ("to-all",)
    if trickless:
        quantity |= {"trickless": trickless, "double": 2 * payment}
        rest = ("to-all-double",) if len(trickless) + len(payers) == len(active) else ("to-each", "trickless")
    yield ScoreLine(clause, shares, quantity, (sentence, *rest))
