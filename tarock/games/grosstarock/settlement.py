"""The settlement of Grosstarock: the score lines for each clause, and the notes on a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tarock.core.cards import FOOL_BIT
from tarock.core.scoring import Note, ScoreLine, add_up, from_each
from tarock.games.grosstarock.declarations import clause_of, declarable, price
from tarock.games.grosstarock.outcome import GrosstarockOutcome

if TYPE_CHECKING:
    from tarock.games.grosstarock.rules import Grosstarock

#: Average card points of three players: a third of 78 (`grosstarock.card-points`).
AVERAGE = 26
#: Key of a score line's sentence → key to use with two players, whose points go to their own accounts.
_FOR_TWO = {
    "declared": "declared-two",
    "won": "won-two",
    "lost": "lost-two",
    "won-somewhere": "won-two-somewhere",
    "lost-somewhere": "lost-two-somewhere",
}
_MATADORS = {"matadors", "skus-matadors"}


def _each(
    outcome: GrosstarockOutcome,
    clause: str,
    seat: str,
    amount: int,
    sentence: str,
    events: tuple[int, ...] = (),
    **quantity: Any,
) -> ScoreLine:
    """Return a score line in which each other player pays an amount, times the stake, to a seat or, if
    negative, receives it. With two players, add the amount to the seat's own account instead
    (`grosstarock.two-account`)."""
    amount *= outcome.options.stake
    quantity["seat"], quantity["amount"] = seat, abs(amount)
    active = outcome.seating.active
    if len(active) == 2:
        return ScoreLine(clause, {seat: amount}, quantity, (_FOR_TWO.get(sentence, sentence),), events)
    return ScoreLine(clause, from_each(seat, active, amount), quantity, (sentence,), events)


def declarations(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for declarations (`grosstarock.declare-…`), beginning with the dealer's."""
    in_turn = outcome.seating.turns[outcome.seating.dealer]
    for seat, items in sorted(outcome.declare, key=lambda row: in_turn.index(row.seat)):
        events = outcome.events.get(("declare", seat), ())
        for item in items:
            yield _each(outcome, clause_of(item), seat, price(item), "declared", events, item=item)


def kings_and_pagat(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for the Pagat and the Kings (`grosstarock.pagat`, `…king`, `…pagat-ultimo` and
    `…king-ultimo`) in the order of play, then the refund to the player of a null (`…null-refund`)."""
    options = outcome.options
    null, refund = outcome.null, dict.fromkeys(outcome.active, 0)
    parts: list[int] = []
    refunded: list[int] = []
    for row in outcome.card:
        code, seat, end, _ = row
        last, won = row.is_last, end == "won"
        if last and won and outcome.tout:
            # The tout is scored instead of this card (`grosstarock.two-tout`).
            continue
        if last and won and outcome.ends_for_nothing:
            continue
        if code == "T1":
            clause, amount = "grosstarock.pagat", options.pagat
            if last:
                clause, amount = "grosstarock.pagat-ultimo", options.pagat_ultimo
        elif last:
            clause, amount = "grosstarock.king-ultimo", options.king_ultimo
        else:
            clause, amount = "grosstarock.king", options.king_won if won else options.king_lost
        events = outcome.events.get(("card", code), ())
        sentence, signed = ("won", amount) if won else ("lost", -amount)
        quantity: dict[str, Any] = {"card": code}
        if row.trick is None:
            sentence += "-somewhere"
        else:
            quantity["trick"] = outcome.seating.tricks if last else row.trick
        yield _each(outcome, clause, seat, signed, sentence, events, **quantity, won=won)
        amount *= options.stake
        if null and options.null_refund and amount and won != (seat == null):
            # The player of the null paid for this card: to both others if the card was their own, otherwise
            # to the seat that won with it.
            others = [s for s in outcome.active if s != null] if seat == null else [seat]
            for other in others:
                refund[other] -= amount
            refund[null] += amount * len(others)
            parts.append(amount * len(others))
            refunded += events
    if null and parts:
        quantity = {"seat": null, "parts": parts, "amount": sum(parts)}
        sentence = "several" if len(parts) > 1 else "one"
        yield ScoreLine("grosstarock.null-refund", refund, quantity, (sentence,), tuple(refunded))


def last_trick(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a last trick without Pagat or King (`grosstarock.last-trick`)."""
    if outcome.last and not outcome.tout and not outcome.ends_for_nothing:
        events, trick = outcome.events.get(("last",), ()), outcome.seating.tricks
        yield _each(
            outcome,
            "grosstarock.last-trick",
            outcome.last,
            outcome.options.last_trick,
            "won",
            events,
            trick=trick,
        )


def bole_and_null(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for bolé and null (`grosstarock.bole`, `…null`): for each one that was made
    without an announcement, and for each announcement, made or failed."""
    made = {"bole": outcome.bole, "null": outcome.null}
    for item, seat in made.items():
        clause = f"grosstarock.{item}"
        announced = [row for row in outcome.announce if row.item == item]
        if seat and seat not in [row.seat for row in announced]:
            yield _each(outcome, clause, seat, int(outcome.options.value(item)), "silent", made=True)
        for speaker, _, number in sorted(announced, key=lambda row: row.trick):
            success = speaker == seat
            gain, loss = _announced(item, number)
            sentence, amount = ("made", gain) if success else ("failed", -loss)
            events = outcome.events.get(("announce", speaker, item), ())
            yield _each(outcome, clause, speaker, amount, sentence, events, made=success, before_trick=number)


def _announced(item: str, number: int) -> tuple[int, int]:
    """Return the gain for an announcement made before trick `number`, and the loss if it fails."""
    if item == "bole":
        amount = 52 if number == 1 else 38 if number <= 13 else 31
        return amount, amount
    return (36, 10) if number == 1 else (31, 5)


def card_points(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for card points (`grosstarock.card-points`), unless a seat made bolé or null.
    There are none before the end of a deal."""
    points = outcome.card_points
    if points and not outcome.bole and not outcome.null:
        options = outcome.options
        shares = {seat: (count - AVERAGE) * options.stake for seat, count in points.items()}
        quantity: dict[str, Any] = {"card_points": points, "average": AVERAGE}
        sentences = ["less-average"]
        if options.stake > 1:
            quantity["stake_of"] = options.stake
            sentences.append("staked")
        if options.card_round > 1:
            shares = {seat: _nearest(share, options.card_round) for seat, share in shares.items()}
            rest, quantity["multiple"] = -sum(shares.values()), options.card_round
            sentences.append("rounded")
            if rest:
                # The next dealer is the forehand of this deal.
                shares[outcome.seating.forehand] += rest
                quantity |= {"rest": rest, "seat": outcome.seating.forehand}
                sentences.append("next-dealer")
        yield ScoreLine("grosstarock.card-points", shares, quantity, tuple(sentences))


def _nearest(share: int, multiple: int) -> int:
    """Return the nearest multiple. Halves are rounded away from 0, so that a gain and a loss of the same
    size stay the same size."""
    size = (2 * abs(share) + multiple) // (2 * multiple) * multiple
    return size if share > 0 else -size


def tout(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a tout (`grosstarock.two-tout`)."""
    if seat := outcome.tout:
        amount = outcome.options.tout * outcome.options.stake
        quantity = {"seat": seat, "amount": amount, "tricks": outcome.seating.tricks}
        yield ScoreLine("grosstarock.two-tout", {seat: amount}, quantity, ("made",))


def counted(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for the card points of two players (`grosstarock.two-count`)."""
    if points := outcome.card_points:
        stake = outcome.options.stake
        quantity: dict[str, Any] = {"card_points": points}
        if stake > 1:
            quantity |= {"stake_of": stake}
        shares = {seat: count * stake for seat, count in points.items()}
        yield ScoreLine(
            "grosstarock.two-count", shares, quantity, ("counted", *(("staked",) if stake > 1 else ()))
        )


def score(outcome: GrosstarockOutcome, lines: Sequence[ScoreLine]) -> ScoreLine:
    """Return the score line that subtracts the lower account from both accounts (`grosstarock.two-score`). An
    account is the sum of a seat's points in all other `lines`."""
    accounts = add_up(outcome.active, lines)
    higher, lower = max(accounts, key=lambda seat: accounts[seat]), min(accounts.values())
    amount = accounts[higher] - lower
    quantity = {"accounts": accounts, "lower": lower, "amount": amount}
    points = dict.fromkeys(outcome.active, -lower)
    if amount:
        return ScoreLine("grosstarock.two-score", points, quantity | {"winner": higher}, ("difference",))
    return ScoreLine("grosstarock.two-score", points, quantity, ("equal",))


def settle(outcome: GrosstarockOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for an outcome."""
    tricks = (tout, counted) if outcome.for_two else (bole_and_null, card_points)
    clauses = (declarations, kings_and_pagat, last_trick, *tricks)
    lines = [line for clause in clauses for line in clause(outcome)]
    yield from lines
    if outcome.for_two:
        yield score(outcome, lines)


# -- notes ---------------------------------------------------------------------------------------------------


def not_declared(table: Grosstarock) -> Iterator[Note]:
    """Yield a note on each declaration that a seat could have made but didn't."""
    for seat, hand in table.declared_from.items():
        declared = {item for _, who, item in table.declared if who == seat}
        kinds = {item.partition(":")[0] for item in declared}
        for item in declarable(hand):
            kind = item.partition(":")[0]
            # A seat that declared one kind of matadors or one number of ladons may not declare another.
            instead = _MATADORS & kinds if kind in _MATADORS else kind == "ladons" and kind in kinds
            if item not in declared and not instead:
                yield Note(clause_of(item), "not-declared", {"seat": seat, "item": item})
                kinds.add(kind)


def tricks_missed(table: Grosstarock) -> Iterator[Note]:
    """Yield notes on failed announcements, and on a bolé, tout or null missed by one trick."""
    made = {"bole": table.all_tricks(), "null": table.null()}
    for event, (seat, item, _) in table.announced:
        if made[item] != seat:
            yield _failed(table, f"grosstarock.{item}", seat, item, event)
    for seat, won in table.won.items():
        items = [row.item for _, row in table.announced if row.seat == seat]
        if won == table.total - 1 and "bole" not in items:
            values = {"side": seat, "tricks": won, "wanted": table.total}
            yield Note("grosstarock.two-tout" if table.for_two else "grosstarock.bole", "tricks-near", values)
        if won == 1 and "null" not in items and max(table.won.values()) < table.total - 1:
            yield Note("grosstarock.null", "trick-too-many", {"side": seat, "tricks": 1})


def _failed(table: Grosstarock, clause: str, seat: str, item: str, event: int) -> Note:
    decisive = next((t for t in table.tricks if (t.winner == seat) == (item == "null")), None)
    if decisive is None:
        return Note(clause, "other-bole", {"seat": seat}, (event,))
    values = {"seat": seat, "trick": decisive.number, "winner": decisive.winner}
    return Note(clause, "failed", values, (event, decisive.event))


def skus_lost(table: Grosstarock) -> Iterator[Note]:
    """Yield a note on a lost Sküs, which costs only the card's five points (`grosstarock.skus-lost`)."""
    found = table.trick_with("T0")
    if found is not None and not table.taken[found[1]] & FOOL_BIT:
        values = {"seat": found[1], "trick": found[0].number, "winner": found[0].winner}
        yield Note("grosstarock.skus-lost", "fool-lost", values, (found[2],))


def notes(table: Grosstarock) -> Iterator[Note]:
    """Yield the notes on a finished deal."""
    for missed in (not_declared, tricks_missed, skus_lost):
        yield from missed(table)
