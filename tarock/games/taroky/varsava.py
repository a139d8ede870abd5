"""Varšava: everybody plays alone, and the player with the most card points pays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.cards import BEATS, PAGAT_BIT, TAROCKS
from tarock.games.taroky.state import TarokyTable
from tarock.scoring import ScoreLine
from tarock.table import Scoring
from tarock.tricks import follow


def playable(hand: int, led: int, best: int | None) -> int:
    """The playable cards of a hand (`taroky.varsava-play`): beat the trick if possible; the Pagat only as the
    last tarock. `best` is the winning card so far, None for the leader."""
    cards = follow(hand, led, TAROCKS)
    if cards & PAGAT_BIT and hand & TAROCKS != PAGAT_BIT:
        cards ^= PAGAT_BIT
    if best is None:
        return cards
    return cards & BEATS[best] or cards


def _payment(most: int) -> int:
    """The payment to each of the others, given the highest number of card points (`taroky.varsava-pay`)."""
    return 10 if most <= 29 else 20 if most <= 39 else 40


def settlement(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.varsava-pay` or `taroky.varsava-tie`."""
    points = table.sides_points()
    most = max(points.values())
    at = table.active.index(table.forehand)
    in_order = table.active[at:] + table.active[:at]
    payers = [seat for seat in in_order if points[seat] == most]
    payment = _payment(most)
    quantity: dict[str, Any] = {"card_points": points, "payers": payers, "most": most, "payment": payment}
    if len(payers) == table.size:
        yield ScoreLine("taroky.varsava-tie", {}, quantity, ("all-tied",))
        return
    shares = dict.fromkeys(table.active, 0)
    for seat in table.active:
        if seat in payers:
            continue
        due = payment if table.won[seat] else 2 * payment
        shares[seat] = due
        # Of several payers the earlier ones pay the odd points.
        each, odd = divmod(due, len(payers))
        for i, payer in enumerate(payers):
            shares[payer] -= each + (i < odd)
    clause, sentence = ("taroky.varsava-pay", "pays") if len(payers) == 1 else ("taroky.varsava-tie", "share")
    trickless = [seat for seat in in_order if not table.won[seat]]
    rest: tuple[str, ...] = ("to-all",)
    if trickless:
        quantity |= {"trickless": trickless, "double": 2 * payment}
        rest = ("to-all-double",) if len(trickless) + len(payers) == table.size else ("to-each", "trickless")
    yield ScoreLine(clause, shares, quantity, (sentence, *rest))


CLAUSES: tuple[Scoring[TarokyTable], ...] = (Scoring(settlement),)
