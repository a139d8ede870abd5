"""The settlement of Taroky: the score lines for each clause, and the notes on a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tarock.core.scoring import Note, ScoreLine, from_side
from tarock.games.taroky.announcing import near_misses, worth
from tarock.games.taroky.outcome import HALF, SIDES, TarokyOutcome, other_side
from tarock.games.taroky.state import TarokyTable


def _won(
    outcome: TarokyOutcome,
    clause: str,
    side: str,
    amount: int,
    quantity: dict[str, Any],
    sentences: tuple[str, ...],
    events: tuple[int, ...] = (),
) -> ScoreLine:
    """Return a score line in which the other side pays an amount to `side` (`taroky.settlement`)."""
    points = from_side(outcome.sides, side, amount)
    quantity |= {"side": side, "amount": amount}
    return ScoreLine(clause, points, quantity, sentences, events)


def surrender(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a surrender (`taroky.surrender`)."""
    each, bidder = outcome.options.surrender * outcome.options.stake, outcome.bidder
    points = {seat: -3 * each if seat == bidder else each for seat in outcome.active}
    quantity = {"bidder": bidder, "each": each}
    events = outcome.events.get(("surrendered",), ())
    yield ScoreLine("taroky.surrender", points, quantity, ("paid",), events)


def price(outcome: TarokyOutcome) -> int:
    """Return the price of a card point above half of them, with the stake (`taroky.game`)."""
    level = "" if outcome.level is None else f"-{outcome.level}"
    return int(outcome.options.value(f"price-{outcome.contract}{level}")) * outcome.options.stake


def game(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for the game (`taroky.game`, `taroky.game-tie` or `taroky.settle-uncontested`)."""
    options = outcome.options
    if outcome.uncontested:
        amount = options.uncontested * options.stake
        yield _won(outcome, "taroky.settle-uncontested", "bidder", amount, {}, ("not-played",))
        return
    points, factor = outcome.card_points, outcome.factor("game")
    # A side that took all tricks may count less than all its cards, so start from the winner's points.
    side = outcome.all_tricks or ("bidder" if points["bidder"] > HALF else "opponents")
    over = points[side] - HALF
    rate = price(outcome)
    if over:
        clause, sentence, base = "taroky.game", "over" if rate == 1 else "over-rate", over * rate
    else:
        clause, sentence, base, side = "taroky.game-tie", "tie", options.tie * options.stake, "opponents"
    exact = base * factor
    amount = -(-exact // options.round) * options.round
    quantity: dict[str, Any] = {"card_points": points, "half": HALF, "base": base, "factor": factor}
    if over:
        quantity |= {"points": points[side], "over": over, "rate": rate}
    sentences: tuple[str, ...] = (sentence,)
    if amount != exact:
        quantity |= {"exact": exact, "multiple": options.round}
        sentences += ("doubled-rounded" if factor > 1 else "rounded",)
    elif factor > 1:
        sentences += ("doubled",)
    yield _won(outcome, clause, side, amount, quantity, sentences)


def pagat(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for the Pagat (`taroky.pagat-announced` or `taroky.pagat-ultimo`)."""
    if outcome.pagat is None:
        return
    how, seat, end = outcome.pagat
    made, events = end == "made", outcome.events.get(("pagat",), ())
    side = outcome.sides[seat] if made else other_side(outcome.sides[seat])
    if how == "silent":
        quantity = {"seat": seat, "card": "T1", "made": made}
        sentence, amount = "won" if made else "lost", outcome.options.pagat_silent * outcome.options.stake
        yield _won(outcome, "taroky.pagat-ultimo", side, amount, quantity, (sentence,), events)
        return
    factor, base = outcome.factor("pagat"), outcome.options.pagat_announced * outcome.options.stake
    quantity = {"announcer": seat, "card": "T1", "made": made, "base": base, "factor": factor}
    sentences = ("made" if made else "failed", *(("doubled",) if factor > 1 else ()))
    amount = base * factor
    yield _won(outcome, "taroky.pagat-announced", side, amount, quantity, sentences, events)


def valat(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for the valat (`taroky.valat-announced`, `taroky.valat`). A side that defeats an
    announced valat by taking every trick gets the points of both lines."""
    announcing, options = None, outcome.options
    if outcome.valat:
        seat, end = outcome.valat
        announcing, made, factor = outcome.sides[seat], end == "made", outcome.factor("valat")
        base = options.valat_announced * options.stake
        quantity = {"announcer": seat, "made": made, "base": base, "factor": factor}
        yield _won(
            outcome,
            "taroky.valat-announced",
            announcing if made else other_side(announcing),
            base * factor,
            quantity,
            ("made" if made else "failed", *(("doubled",) if factor > 1 else ())),
            outcome.events.get(("valat",), ()),
        )
    side = outcome.all_tricks
    if side and side != announcing:
        amount = options.valat_silent * options.stake
        yield _won(outcome, "taroky.valat", side, amount, {"tricks": outcome.seating.tricks}, ("all",))


def hands(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for hand declarations (`taroky.hand-…`), which don't depend on the play."""
    if not outcome.hand:
        return
    # List the declarations in the order of the announcements, bidder first (`taroky.announce-order`).
    in_turn = outcome.seating.turns[outcome.bidder or ""]
    for seat, items in sorted(outcome.hand, key=lambda row: in_turn.index(row.seat)):
        events = outcome.events.get(("hand", seat), ())
        for item in items:
            quantity = {"seat": seat, "item": item}
            amount = worth(item, outcome.options) * outcome.options.stake
            side = outcome.sides[seat]
            yield _won(outcome, f"taroky.hand-{item}", side, amount, quantity, ("declared",), events)


def varsava(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a Varšava (`taroky.varsava-pay` or `taroky.varsava-tie`)."""
    points, active = outcome.card_points, outcome.active
    most = max(points.values())
    in_order = outcome.seating.turns[outcome.seating.forehand]
    payers = [seat for seat in in_order if points[seat] == most]
    options = outcome.options
    payment = (
        options.varsava_low if most <= 29 else options.varsava_mid if most <= 39 else options.varsava_high
    )
    payment *= options.stake
    quantity: dict[str, Any] = {"card_points": points, "payers": payers, "most": most, "payment": payment}
    if len(payers) == len(active):
        yield ScoreLine("taroky.varsava-tie", {}, quantity, ("all-tied",))
        return
    without = outcome.trickless or ()
    shares, over = dict.fromkeys(active, 0), dict.fromkeys(active, 0)
    for seat in active:
        if seat in payers:
            continue
        due = options.varsava_trickless * payment if seat in without else payment
        shares[seat] = due
        # If several seats share a payment, the first seats in the order of play pay the odd points.
        each, odd = divmod(due, len(payers))
        for i, payer in enumerate(payers):
            paid = each + (i < odd)
            shares[payer] -= paid
            if options.cap and paid > options.cap:
                over[seat] -= paid - options.cap
                over[payer] += paid - options.cap
    clause, sentence = ("taroky.varsava-pay", "pays") if len(payers) == 1 else ("taroky.varsava-tie", "share")
    trickless = [seat for seat in in_order if seat in without]
    rest: tuple[str, ...] = ("to-all",)
    if trickless:
        quantity |= {"trickless": trickless, "double": options.varsava_trickless * payment}
        rest = ("to-all-double",) if len(trickless) + len(payers) == len(active) else ("to-each", "trickless")
    if trickless and options.varsava_trickless == 1:
        rest = ("to-all",)
    yield ScoreLine(clause, shares, quantity, (sentence, *rest))
    if any(over.values()):
        yield ScoreLine("taroky.cap", over, {"cap": options.cap}, ("each-payment",))


def cap(outcome: TarokyOutcome, lines: Sequence[ScoreLine]) -> Iterator[ScoreLine]:
    """Yield the score line that takes off what one player would pay another above the most that the table
    has agreed on (`taroky.cap`). `lines`: all other lines."""
    # A side pays the other in each line, so the points of one seat show what one pays another.
    seat = outcome.active[0]
    total = sum(line.points[seat] for line in lines)
    alone = [*outcome.sides.values()].count(outcome.sides[seat]) == 1
    paid = abs(total) // 3 if alone else abs(total)
    over = paid - outcome.options.cap
    if outcome.options.cap and over > 0:
        payer = outcome.sides[seat] if total < 0 else other_side(outcome.sides[seat])
        quantity = {"cap": outcome.options.cap, "paid": paid}
        yield _won(outcome, "taroky.cap", payer, over, quantity, ("above",))


def settle(outcome: TarokyOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for an outcome."""
    if outcome.contract == "varsava":
        yield from varsava(outcome)
        return
    clauses = (surrender,) if outcome.surrendered else (game, pagat, valat, hands)
    lines = [line for clause in clauses for line in clause(outcome)]
    yield from lines
    yield from cap(outcome, lines)


# -- notes ---------------------------------------------------------------------------------------------------


def game_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note if the bidder's side was one card point short of winning."""
    if table.sides_points().get("bidder") == HALF:
        yield Note("taroky.game", "points-near", {"side": "bidder", "points": HALF, "wanted": HALF + 1})


def pagat_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on an announced Pagat that failed, or on an unannounced one played one trick too early."""
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


def valat_missed(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on the trick that made an announced valat fail, or on a valat missed by one trick."""
    for side in SIDES:
        number = sum(table.won[seat] for seat in table.members(side))
        lost = next((t for t in table.tricks if table.sides[t.winner] != side), None)
        if lost is None:
            continue
        if table.valat_by and table.sides[table.valat_by] == side:
            values = {"seat": table.valat_by, "trick": lost.number, "winner": lost.winner}
            yield Note("taroky.valat-announced", "failed", values, (lost.event,))
        elif not table.valat_by and number == table.total - 1:
            values = {"side": side, "tricks": number, "wanted": table.total}
            yield Note("taroky.valat", "tricks-near", values, (lost.event,))


def hands_not_declared(table: TarokyTable) -> Iterator[Note]:
    """Yield a note on each hand declaration that a player could have made but did not make."""
    if table.tricks:
        for seat, hand in table.hands_announced.items():
            declared = {item for _, who, item in table.hand_items if who == seat}
            for item in near_misses(hand, declared, table.rules):
                yield Note(f"taroky.hand-{item}", "not-declared", {"seat": seat, "item": item})


def notes(table: TarokyTable) -> Iterator[Note]:
    """Yield the notes on a deal; none for Varšava or a surrender."""
    if not (table.varsava or table.surrendered):
        for missed in (game_missed, pagat_missed, valat_missed, hands_not_declared):
            yield from missed(table)
