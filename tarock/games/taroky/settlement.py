"""The settlement of Taroky: a function for each clause or group of clauses, with its condition, its payment,
and the notes on near misses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.games.taroky.announcing import HAND_ITEMS, near_misses
from tarock.games.taroky.state import TarokyTable
from tarock.scoring import Note, ScoreLine, multiples
from tarock.table import Scoring

#: Half of the card points; a side wins with more (`taroky.game`).
HALF = 35
_SOLO_RATE = 6
_PAGAT, _PAGAT_ANNOUNCED = 10, 20
_VALAT, _VALAT_ANNOUNCED = 70, 140


def _won(
    table: TarokyTable,
    clause: str,
    side: str,
    amount: int,
    quantity: dict[str, Any],
    sentences: tuple[str, ...],
    events: tuple[int, ...] = (),
) -> ScoreLine:
    """A line by which a side wins an amount from the other (`taroky.settlement`)."""
    points = {seat: times * amount for seat, times in multiples(table.sides, side).items()}
    return ScoreLine(clause, points, quantity | {"side": side, "amount": amount}, sentences, events)


def _other(side: str) -> str:
    return "opponents" if side == "bidder" else "bidder"


def _doubled(base: int, factor: int) -> dict[str, int]:
    return {"base": base, "factor": factor}


def surrender(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.surrender`."""
    each = 10
    points = {seat: -3 * each if seat == table.bidder else each for seat in table.active}
    quantity = {"bidder": table.bidder, "each": each}
    yield ScoreLine("taroky.surrender", points, quantity, ("paid",), (table.step - 1,))


def game(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.game`, `taroky.game-tie` or `taroky.settle-uncontested`."""
    if table.settled:
        yield _won(table, "taroky.settle-uncontested", "bidder", 1, {}, ("not-played",))
        return
    points, factor = table.sides_points(), table.factors["game"]
    over = points["bidder"] - HALF
    quantity: dict[str, Any] = {"card_points": points, "half": HALF}
    doubled = ("doubled",) if factor > 1 else ()
    if not over:
        quantity |= _doubled(1, factor)
        yield _won(table, "taroky.game-tie", "opponents", factor, quantity, ("tie", *doubled))
        return
    side = "bidder" if over > 0 else "opponents"
    rate = _SOLO_RATE if table.contract == "solo" else table.level or 1
    base = abs(over) * rate
    quantity |= _doubled(base, factor) | {"points": points[side], "over": abs(over), "rate": rate}
    sentences = ("over-rate" if rate > 1 else "over", *doubled)
    yield _won(table, "taroky.game", side, base * factor, quantity, sentences)


def game_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on a bidder one point short of winning."""
    if table.sides_points().get("bidder") == HALF:
        yield Note("taroky.game", "points-near", {"side": "bidder", "points": HALF, "wanted": HALF + 1})


def pagat(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.pagat-announced` or `taroky.pagat-ultimo`."""
    if table.settled:
        return
    found = table.trick_with("T1")
    last = found is not None and found[0].number == table.total
    if table.pagat_by is None:
        if found is None or not last:
            return
        trick, seat, event = found
        made = trick.winner == seat
        side = table.sides[seat] if made else _other(table.sides[seat])
        sentence = "won" if made else "lost"
        quantity = {"seat": seat, "card": "T1", "made": made}
        yield _won(table, "taroky.pagat-ultimo", side, _PAGAT, quantity, (sentence,), (event,))
        return
    seat, factor = table.pagat_by, table.factors["pagat"]
    made = last and found is not None and found[1] == seat == found[0].winner
    side = table.sides[seat] if made else _other(table.sides[seat])
    quantity = {"announcer": seat, "card": "T1", "made": made} | _doubled(_PAGAT_ANNOUNCED, factor)
    sentences = ("made" if made else "failed", *(("doubled",) if factor > 1 else ()))
    events = (found[2],) if found else ()
    amount = _PAGAT_ANNOUNCED * factor
    yield _won(table, "taroky.pagat-announced", side, amount, quantity, sentences, events)


def pagat_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on a Pagat in the last trick but one, or on an announced pagat that failed."""
    if table.pagat_by is None:
        yield from table.one_off("T1", table.total, "taroky.pagat-ultimo")
        return
    found = table.trick_with("T1")
    if found is None:
        return
    trick, seat, event = found
    if trick.number < table.total:
        kind = "early"
    elif trick.winner == table.pagat_by:
        return
    else:
        kind = "partner" if table.sides[trick.winner] == table.sides[seat] else "lost"
    values = {"seat": seat, "trick": trick.number, "winner": trick.winner}
    yield Note("taroky.pagat-announced", kind, values, (event,))


def _tricks(table: TarokyTable) -> dict[str, int]:
    """Side → number of tricks taken."""
    tricks = {"bidder": 0, "opponents": 0}
    for seat, side in table.sides.items():
        tricks[side] += table.won[seat]
    return tricks


def valat(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.valat-announced` and `taroky.valat`; a side that foils an announced valat by taking every trick
    gets both."""
    if table.settled:
        return
    tricks = _tricks(table)
    announcing = table.sides[table.valat_by] if table.valat_by else None
    if announcing:
        factor = table.factors["valat"]
        made = tricks[announcing] == table.total
        quantity = {"announcer": table.valat_by, "made": made} | _doubled(_VALAT_ANNOUNCED, factor)
        yield _won(
            table,
            "taroky.valat-announced",
            announcing if made else _other(announcing),
            _VALAT_ANNOUNCED * factor,
            quantity,
            ("made" if made else "failed", *(("doubled",) if factor > 1 else ())),
            (table.valat_event,),
        )
    for side, number in tricks.items():
        if number == table.total and side != announcing:
            yield _won(table, "taroky.valat", side, _VALAT, {"tricks": number}, ("all",))


def valat_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on the trick that ended an announced valat, or on a valat missed by one trick."""
    for side, number in _tricks(table).items():
        lost = next((t for t in table.tricks if table.sides[t.winner] != side), None)
        if lost is None:
            continue
        if table.valat_by and table.sides[table.valat_by] == side:
            values = {"seat": table.valat_by, "trick": lost.number, "winner": lost.winner}
            yield Note("taroky.valat-announced", "failed", values, (lost.event,))
        elif not table.valat_by and number == table.total - 1:
            values = {"side": side, "tricks": number, "wanted": table.total}
            yield Note("taroky.valat", "tricks-near", values, (lost.event,))


def hands(table: TarokyTable) -> Iterator[ScoreLine]:
    """`taroky.hand-…`: paid to the declaring side, whatever the play brings."""
    for event, seat, item in table.hand_items:
        quantity = {"seat": seat, "item": item}
        amount = HAND_ITEMS[item].points
        side = table.sides[seat]
        yield _won(table, f"taroky.hand-{item}", side, amount, quantity, ("declared",), (event,))


def hands_not_declared(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on each declaration that was held and not made."""
    if table.tricks:
        for seat, hand in table.hands_announced.items():
            declared = {item for _, who, item in table.hand_items if who == seat}
            for item in near_misses(hand, declared):
                yield Note(f"taroky.hand-{item}", "not-declared", {"seat": seat, "item": item})


CLAUSES: tuple[Scoring[TarokyTable], ...] = (
    Scoring(game, game_missed),
    Scoring(pagat, pagat_missed),
    Scoring(valat, valat_missed),
    Scoring(hands, hands_not_declared),
)
SURRENDER = (Scoring(surrender),)
