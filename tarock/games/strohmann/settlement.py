"""The settlement of Strohmanntarock: the score lines for each clause, and the notes on a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.scoring import Note, ScoreLine
from tarock.core.table import Table
from tarock.core.tricks import Trick
from tarock.games.strohmann.outcome import ALL_TRICKS, CARDS_TAKEN, LAST_TRICKS, TOTAL, WINS, StrohmannOutcome


def game(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for a valat and the game (`strohmann.valat`, `…game`, `…game-undeclared`). Unless
    the table has agreed otherwise, a valat is scored instead of the game."""
    options, seat = outcome.options, outcome.tricks
    if seat and options.valat:
        amount = options.valat * options.stake
        quantity = {"tricks": ALL_TRICKS, "winner": seat, "amount": amount}
        yield ScoreLine("strohmann.valat", {seat: amount}, quantity, ("made",))
    if not (seat and options.valat and options.valat_replaces):
        yield _undeclared(outcome) if outcome.declarer is None else _declared(outcome, outcome.declarer)


def game_missed(table: Table) -> Iterator[Note]:
    """Yield notes on a valat missed by one trick, and on a better result missed by one card point."""
    for seat, won in table.won.items():
        if won == ALL_TRICKS - 1:
            values = {"side": seat, "tricks": won, "wanted": ALL_TRICKS}
            yield Note("strohmann.valat", "tricks-near", values)
    if table.declarer and max(table.won.values()) < ALL_TRICKS:
        count = table.sides_points()[table.declarer]
        options = table.rules
        if count + 1 in (TOTAL + 1 - options.lost_high_from, WINS, options.won_high_from):
            values = {"side": table.declarer, "points": count, "wanted": count + 1}
            yield Note("strohmann.game", "points-near", values)


def _declared(outcome: StrohmannOutcome, declarer: str) -> ScoreLine:
    """Return the score line for a game with a declarer (`strohmann.game`)."""
    options, points, opponent = outcome.options, outcome.card_points, outcome.seating.next[declarer]
    count = points[declarer]
    from_high, up_to = options.won_high_from, TOTAL - options.lost_high_from
    if count >= from_high:
        winner, amount, sentence, low, high = declarer, options.won_high, "at-least", from_high, 0
    elif count >= WINS:
        winner, amount, sentence, low, high = declarer, options.won, "between", WINS, from_high - 1
    elif count > up_to:
        winner, amount, sentence, low, high = opponent, options.lost, "between", up_to + 1, WINS - 1
    else:
        winner, amount, sentence, low, high = opponent, options.lost_high, "at-most", 0, up_to
    amount *= options.stake
    quantity = {
        "card_points": points,
        "declarer": declarer,
        "points": count,
        "low": low,
        "high": high,
        "amount": amount,
        "winner": winner,
    }
    return ScoreLine("strohmann.game", {winner: amount}, quantity, (sentence,))


def _undeclared(outcome: StrohmannOutcome) -> ScoreLine:
    """Return the score line for a game without a declarer (`strohmann.game-undeclared`)."""
    options, points = outcome.options, outcome.card_points
    for seat, count in points.items():
        if count >= WINS:
            high = options.undeclared_high != options.undeclared and count >= options.undeclared_high_from
            amount = (options.undeclared_high if high else options.undeclared) * options.stake
            wanted = options.undeclared_high_from if high else WINS
            quantity = {"card_points": points, "winner": seat, "points": count, "wanted": wanted}
            quantity["amount"] = amount
            return ScoreLine("strohmann.game-undeclared", {seat: amount}, quantity, ("won",))
    return ScoreLine("strohmann.game-undeclared", {}, {"card_points": points, "points": WINS - 1}, ("drawn",))


def last_tricks(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for the last four tricks (`strohmann.pagat-ultimo`, `…uhu`, `…kakadu`,
    `…quapil`)."""
    for back, (name, code, clause) in enumerate(LAST_TRICKS):
        if winner := getattr(outcome, name):
            amount = outcome.price(name)
            quantity = {"trick": ALL_TRICKS - back, "card": code, "winner": winner, "amount": amount}
            yield ScoreLine(clause, {winner: amount}, quantity, ("won",), outcome.events.get((name,), ()))


def cards_taken(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for the trull and the Kings in a seat's tricks, and for the Mond that the Sküs
    took (`strohmann.trull`, `…kings`, `…mondfang`)."""
    for name, clause in CARDS_TAKEN:
        if winner := getattr(outcome, name):
            amount = outcome.price(name)
            quantity = {"winner": winner, "amount": amount}
            events = outcome.events.get((name,), ())
            yield ScoreLine(clause, {winner: amount}, quantity, ("won",), events)


def last_tricks_missed(table: Table) -> Iterator[Note]:
    """Yield a note on each of T1, T2, T3 and T4 played one trick before or after the trick in which it
    scores."""
    for back, (name, code, clause) in enumerate(LAST_TRICKS):
        if table.rules.value(name):
            yield from table.one_off(code, ALL_TRICKS - back, clause)


def rostopschin(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for T17 and T18 called and won in successive tricks (`strohmann.rostopschin`)."""
    if outcome.rostopschin is None:
        return
    seat, trick = outcome.rostopschin
    amount = outcome.options.rostopschin * outcome.options.stake
    quantity: dict[str, Any] = {"card": "T17", "next_card": "T18", "amount": amount}
    sentence = "made-somewhere"
    if trick:
        quantity = {"tricks": [trick, trick + 1], "trick": trick, "next_trick": trick + 1} | quantity
        sentence = "made"
    else:
        quantity["seat"] = seat
    events = outcome.events.get(("rostopschin",), ())
    yield ScoreLine("strohmann.rostopschin", {seat: amount}, quantity, (sentence,), events)


def settle(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for an outcome."""
    for clause in (game, last_tricks, rostopschin, cards_taken):
        yield from clause(outcome)


# -- notes ---------------------------------------------------------------------------------------------------


def won_rostopschin(table: Table) -> tuple[Trick, Trick] | None:
    """Return the two successive tricks in which a seat called and won T17, then T18; None if no seat did."""
    found = table.trick_with("T17")
    if found is None or found[0].number == len(table.tricks):
        return None
    first, second = found[0], table.tricks[found[0].number]
    won_with = [trick.card_of(trick.winner) for trick in (first, second)]
    made = first.winner == second.winner and won_with == ["T17(ros)", "T18(topschin)"]
    return (first, second) if made else None


def called_in_vain(table: Table) -> Iterator[Note]:
    """Yield a note on each call (of T17 or T18) that scored nothing."""
    scored = set(table.outcome().events.get(("rostopschin",), ()))
    for trick in table.tricks:
        for place, token in enumerate(trick.cards):
            event = trick.event + place
            if "(" in token and event not in scored:
                values = {"seat": trick.seats[place], "card": token, "trick": trick.number}
                yield Note("strohmann.rostopschin", "call-in-vain", values, (event,))


def notes(table: Table) -> Iterator[Note]:
    """Yield the notes on a finished deal."""
    for missed in (game_missed, last_tricks_missed, called_in_vain):
        yield from missed(table)
