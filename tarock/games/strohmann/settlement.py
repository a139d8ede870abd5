"""The settlement of Strohmanntarock: the score lines for each clause, and the notes on a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.scoring import Note, ScoreLine
from tarock.core.table import Table
from tarock.core.tricks import Trick
from tarock.games.strohmann.outcome import ALL_TRICKS, LAST_TRICKS, WINS, StrohmannOutcome

_HIGH, _LOW = 45, 27


def game(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for a valat or, without one, the game (`strohmann.game`, `…game-undeclared`)."""
    declarer, seat = outcome.declarer, outcome.tricks
    if seat:
        quantity = {"tricks": ALL_TRICKS, "winner": seat, "amount": 12}
        yield ScoreLine("strohmann.valat", {seat: 12}, quantity, ("made",))
    elif declarer is None:
        yield _undeclared(outcome.card_points)
    else:
        yield _declared(declarer, outcome.seating.next[declarer], outcome.card_points)


def game_missed(table: Table) -> Iterator[Note]:
    """Yield notes on a valat missed by one trick, and on a better result missed by one card point."""
    for seat, won in table.won.items():
        if won == ALL_TRICKS - 1:
            values = {"side": seat, "tricks": won, "wanted": ALL_TRICKS}
            yield Note("strohmann.valat", "tricks-near", values)
    if table.declarer and max(table.won.values()) < ALL_TRICKS:
        count = table.sides_points()[table.declarer]
        if count + 1 in (_LOW, WINS, _HIGH):
            values = {"side": table.declarer, "points": count, "wanted": count + 1}
            yield Note("strohmann.game", "points-near", values)


def _declared(declarer: str, opponent: str, points: dict[str, int]) -> ScoreLine:
    """Return the score line for a game with a declarer (`strohmann.game`)."""
    count = points[declarer]
    if count >= _HIGH:
        winner, amount, sentence, low, high = declarer, 4, "at-least", _HIGH, 0
    elif count >= WINS:
        winner, amount, sentence, low, high = declarer, 3, "between", WINS, _HIGH - 1
    elif count >= _LOW:
        winner, amount, sentence, low, high = opponent, 4, "between", _LOW, WINS - 1
    else:
        winner, amount, sentence, low, high = opponent, 5, "at-most", 0, _LOW - 1
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


def _undeclared(points: dict[str, int]) -> ScoreLine:
    """Return the score line for a game without a declarer (`strohmann.game-undeclared`)."""
    for seat, count in points.items():
        if count >= WINS:
            quantity = {"card_points": points, "winner": seat, "points": count, "wanted": WINS, "amount": 2}
            return ScoreLine("strohmann.game-undeclared", {seat: 2}, quantity, ("won",))
    return ScoreLine("strohmann.game-undeclared", {}, {"card_points": points, "points": WINS - 1}, ("drawn",))


def last_tricks(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for the last three tricks (`strohmann.pagat-ultimo`, `…uhu`, `…kakadu`)."""
    for back, (name, code, clause) in enumerate(LAST_TRICKS):
        if winner := getattr(outcome, name):
            quantity = {"trick": ALL_TRICKS - back, "card": code, "winner": winner, "amount": 1}
            yield ScoreLine(clause, {winner: 1}, quantity, ("won",), outcome.events.get((name,), ()))


def last_tricks_missed(table: Table) -> Iterator[Note]:
    """Yield a note on each of T1, T2 and T3 played one trick before or after the trick in which it scores."""
    for back, (_, code, clause) in enumerate(LAST_TRICKS):
        yield from table.one_off(code, ALL_TRICKS - back, clause)


def rostopschin(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score line for T17 and T18 called and won in successive tricks (`strohmann.rostopschin`)."""
    if outcome.rostopschin is None:
        return
    seat, trick = outcome.rostopschin
    quantity: dict[str, Any] = {"card": "T17", "next_card": "T18", "amount": 1}
    sentence = "made-somewhere"
    if trick:
        quantity = {"tricks": [trick, trick + 1], "trick": trick, "next_trick": trick + 1} | quantity
        sentence = "made"
    else:
        quantity["seat"] = seat
    events = outcome.events.get(("rostopschin",), ())
    yield ScoreLine("strohmann.rostopschin", {seat: 1}, quantity, (sentence,), events)


def settle(outcome: StrohmannOutcome) -> Iterator[ScoreLine]:
    """Yield the score lines for an outcome."""
    for clause in (game, last_tricks, rostopschin):
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
