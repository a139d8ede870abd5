"""The settlement of Grosstarock: a function for each clause or group of clauses, with its condition, its
payment, and the notes on near misses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tarock.cards import FOOL_BIT, KINGS, PAGAT_BIT
from tarock.games.grosstarock.declarations import clause_of, declarable, price
from tarock.games.grosstarock.state import GrosstarockTable
from tarock.scoring import Note, ScoreLine, add_up, from_each
from tarock.table import Scoring

#: A third of the 78 (`grosstarock.card-points`).
AVERAGE = 26
#: The points for all tricks with two players (`grosstarock.two-tout`).
TOUT = 25
#: The sentences of lines that go to an account.
_FOR_TWO = {"declared": "declared-two", "won": "won-two", "lost": "lost-two"}
_MATADORS = {"matadors", "skus-matadors"}


def _each(
    table: GrosstarockTable,
    clause: str,
    seat: str,
    amount: int,
    sentence: str,
    events: tuple[int, ...] = (),
    **quantity: Any,
) -> ScoreLine:
    """A line by which a seat gets an amount from each of the others, or pays it if it is negative; with two
    players the amount is added to the seat's own account (`grosstarock.two-account`)."""
    quantity["seat"], quantity["amount"] = seat, abs(amount)
    if table.for_two:
        return ScoreLine(clause, {seat: amount}, quantity, (_FOR_TWO[sentence],), events)
    return ScoreLine(clause, from_each(seat, table.active, amount), quantity, (sentence,), events)


def declarations(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.declare-…`."""
    for event, seat, item in table.declared:
        yield _each(table, clause_of(item), seat, price(item), "declared", (event,), item=item)


def not_declared(table: GrosstarockTable) -> Iterator[Note]:
    """Yield a note for each declaration that was held and not made."""
    for seat, hand in table.declared_from.items():
        declared = {item for _, who, item in table.declared if who == seat}
        kinds = {item.partition(":")[0] for item in declared}
        for item in declarable(hand):
            kind = item.partition(":")[0]
            # Only one kind of matadors may be declared, and one number of ladons.
            instead = _MATADORS & kinds if kind in _MATADORS else kind == "ladons" and kind in kinds
            if item not in declared and not instead:
                yield Note(clause_of(item), "not-declared", {"seat": seat, "item": item})
                kinds.add(kind)


def kings_and_pagat(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.pagat`, `grosstarock.king` and their ultimos, in the order of play, and the refund to the
    player of a null (`grosstarock.null-refund`)."""
    null, refund, parts, refunded = table.null(), dict.fromkeys(table.active, 0), [], []
    for trick in table.tricks:
        if not trick.set & (KINGS | PAGAT_BIT):
            continue
        last = trick.number == table.total
        for place, (seat, code) in enumerate(zip(trick.seats, trick.cards, strict=True)):
            if code == "T1":
                clause, amount = ("grosstarock.pagat-ultimo", 15) if last else ("grosstarock.pagat", 5)
            elif code[1] == "K":
                clause, amount = ("grosstarock.king-ultimo", 10) if last else ("grosstarock.king", 5)
            else:
                continue
            won = seat == trick.winner
            if last and won and table.tout():
                # The tout is scored instead (`grosstarock.two-tout`).
                continue
            event = trick.event + place
            sentence, signed = ("won", amount) if won else ("lost", -amount)
            yield _each(
                table, clause, seat, signed, sentence, (event,), card=code, trick=trick.number, won=won
            )
            if null and won != (seat == null):
                # The player of the null paid: to both for a card of his own, else to its player.
                others = [s for s in table.active if s != null] if seat == null else [seat]
                for other in others:
                    refund[other] -= amount
                refund[null] += amount * len(others)
                parts.append(amount * len(others))
                refunded.append(event)
    if null and parts:
        quantity = {"seat": null, "parts": parts, "amount": sum(parts)}
        sentence = "several" if len(parts) > 1 else "one"
        yield ScoreLine("grosstarock.null-refund", refund, quantity, (sentence,), tuple(refunded))


def last_trick(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.last-trick`: it holds neither Pagat nor King."""
    last = table.tricks[-1]
    if not last.set & (KINGS | PAGAT_BIT) and not table.tout():
        events = tuple(range(last.event, last.event + table.size))
        yield _each(table, "grosstarock.last-trick", last.winner, 5, "won", events, trick=last.number)


def bole_and_null(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.bole` and `grosstarock.null`, made or failed, announced or not."""
    made = {"bole": table.bole(), "null": table.null()}
    for item, seat in made.items():
        clause = f"grosstarock.{item}"
        announced = [a for a in table.announced if a.item == item]
        if seat and seat not in [a.seat for a in announced]:
            yield _each(table, clause, seat, 26, "silent", made=True)
        for speaker, _, number, event in announced:
            success = speaker == seat
            gain, loss = _announced(item, number)
            sentence, amount = ("made", gain) if success else ("failed", -loss)
            yield _each(table, clause, speaker, amount, sentence, (event,), made=success, before_trick=number)


def bole_and_null_missed(table: GrosstarockTable) -> Iterator[Note]:
    """Yield notes on announcements that failed, and on a bolé or null missed by one trick."""
    made = {"bole": table.bole(), "null": table.null()}
    for seat, item, _, event in table.announced:
        if made[item] != seat:
            yield _failed(table, f"grosstarock.{item}", seat, item, event)
    for seat, won in table.won.items():
        items = [a.item for a in table.announced if a.seat == seat]
        if won == table.total - 1 and "bole" not in items:
            values = {"side": seat, "tricks": won, "wanted": table.total}
            yield Note("grosstarock.bole", "tricks-near", values)
        if won == 1 and "null" not in items and max(table.won.values()) < table.total - 1:
            yield Note("grosstarock.null", "trick-too-many", {"side": seat, "tricks": 1})


def _announced(item: str, number: int) -> tuple[int, int]:
    """The gain of an announcement before the trick of this number, and the loss if it fails."""
    if item == "bole":
        amount = 52 if number == 1 else 38 if number <= 13 else 31
        return amount, amount
    return (36, 10) if number == 1 else (31, 5)


def _failed(table: GrosstarockTable, clause: str, seat: str, item: str, event: int) -> Note:
    decisive = next((t for t in table.tricks if (t.winner == seat) == (item == "null")), None)
    if decisive is None:
        return Note(clause, "other-bole", {"seat": seat}, (event,))
    values = {"seat": seat, "trick": decisive.number, "winner": decisive.winner}
    return Note(clause, "failed", values, (event, decisive.event))


def card_points(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.card-points`, unless somebody made a bolé or a null."""
    if not table.bole() and not table.null():
        points = table.sides_points()
        shares = {seat: count - AVERAGE for seat, count in points.items()}
        quantity = {"card_points": points, "average": AVERAGE}
        yield ScoreLine("grosstarock.card-points", shares, quantity, ("less-average",))


def skus_lost(table: GrosstarockTable) -> Iterator[Note]:
    """`grosstarock.skus-lost`: no payment, but its five points are gone."""
    found = table.trick_with("T0")
    if found is not None and not table.taken[found[1]] & FOOL_BIT:
        values = {"seat": found[1], "trick": found[0].number, "winner": found[0].winner}
        yield Note("grosstarock.skus-lost", "fool-lost", values, (found[2],))


def tout(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.two-tout`."""
    if seat := table.tout():
        quantity = {"seat": seat, "amount": TOUT, "tricks": table.total}
        yield ScoreLine("grosstarock.two-tout", {seat: TOUT}, quantity, ("made",))


def tout_missed(table: GrosstarockTable) -> Iterator[Note]:
    """Yield a note on a tout missed by one trick."""
    for seat, won in table.won.items():
        if won == table.total - 1:
            values = {"side": seat, "tricks": won, "wanted": table.total}
            yield Note("grosstarock.two-tout", "tricks-near", values)


def counted(table: GrosstarockTable) -> Iterator[ScoreLine]:
    """`grosstarock.two-count`."""
    points = table.sides_points()
    yield ScoreLine("grosstarock.two-count", points, {"card_points": points}, ("counted",))


def score(table: GrosstarockTable, lines: Sequence[ScoreLine]) -> ScoreLine:
    """`grosstarock.two-score`: the accounts are the sums of all other lines."""
    accounts = add_up(table.active, lines)
    higher, lower = max(accounts, key=lambda seat: accounts[seat]), min(accounts.values())
    amount = accounts[higher] - lower
    quantity = {"accounts": accounts, "lower": lower, "amount": amount}
    points = dict.fromkeys(table.active, -lower)
    if amount:
        return ScoreLine("grosstarock.two-score", points, quantity | {"winner": higher}, ("difference",))
    return ScoreLine("grosstarock.two-score", points, quantity, ("equal",))


CLAUSES: tuple[Scoring[GrosstarockTable], ...] = (
    Scoring(declarations, not_declared),
    Scoring(kings_and_pagat),
    Scoring(last_trick),
    Scoring(bole_and_null, bole_and_null_missed),
    Scoring(card_points, skus_lost),
)
#: The same with two players; their lines make up the accounts, of which `score` leaves the difference.
FOR_TWO: tuple[Scoring[GrosstarockTable], ...] = (
    Scoring(declarations, not_declared),
    Scoring(kings_and_pagat),
    Scoring(last_trick),
    Scoring(tout, tout_missed),
    Scoring(counted, skus_lost),
)
