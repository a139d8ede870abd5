"""The settlement of Strohmanntarock: a function for each clause or group of clauses, with its condition, its
score, and the notes on near misses."""

from __future__ import annotations

from collections.abc import Iterator

from tarock.cards import BIT
from tarock.scoring import Note, ScoreLine
from tarock.table import Scoring, Table
from tarock.tricks import Trick

#: The card points that win: a declarer's game, or the deal where nobody declared (`strohmann.game`).
WINS = 36
_HIGH, _LOW = 45, 27
_ALL = 27
#: The bonus of each of the last three tricks, counted from the end: the tarock it must hold, and the clause.
_LAST_TRICKS = (("T1", "strohmann.pagat-ultimo"), ("T2", "strohmann.uhu"), ("T3", "strohmann.kakadu"))


def game(table: Table) -> Iterator[ScoreLine]:
    """`strohmann.valat`, or else `strohmann.game` or `strohmann.game-undeclared`."""
    for seat, won in table.won.items():
        if won == _ALL:
            quantity = {"tricks": won, "winner": seat, "amount": 12}
            yield ScoreLine("strohmann.valat", {seat: 12}, quantity, ("made",))
            return
    points = table.sides_points()
    if table.declarer is None:
        yield _undeclared(points)
    else:
        yield _declared(table.declarer, table.next[table.declarer], points)


def game_missed(table: Table) -> Iterator[Note]:
    """Yield notes on a valat missed by one trick, and on a band of points missed by one."""
    for seat, won in table.won.items():
        if won == _ALL - 1:
            values = {"side": seat, "tricks": won, "wanted": _ALL}
            yield Note("strohmann.valat", "tricks-near", values)
    if table.declarer and max(table.won.values()) < _ALL:
        count = table.sides_points()[table.declarer]
        if count + 1 in (_LOW, WINS, _HIGH):
            values = {"side": table.declarer, "points": count, "wanted": count + 1}
            yield Note("strohmann.game", "points-near", values)


def _declared(declarer: str, opponent: str, points: dict[str, int]) -> ScoreLine:
    """`strohmann.game`."""
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
    """`strohmann.game-undeclared`."""
    for seat, count in points.items():
        if count >= WINS:
            quantity = {"card_points": points, "winner": seat, "points": count, "wanted": WINS, "amount": 2}
            return ScoreLine("strohmann.game-undeclared", {seat: 2}, quantity, ("won",))
    return ScoreLine("strohmann.game-undeclared", {}, {"card_points": points, "points": WINS - 1}, ("drawn",))


def last_tricks(table: Table) -> Iterator[ScoreLine]:
    """`strohmann.pagat-ultimo`, `strohmann.uhu`, `strohmann.kakadu`."""
    for back, (code, clause) in enumerate(_LAST_TRICKS):
        trick = table.tricks[-1 - back]
        if trick.set & BIT[code]:
            quantity = {"trick": trick.number, "card": code, "winner": trick.winner, "amount": 1}
            events = (trick.event, trick.event + 1)
            yield ScoreLine(clause, {trick.winner: 1}, quantity, ("won",), events)


def last_tricks_missed(table: Table) -> Iterator[Note]:
    """Yield a note on a bird played one trick before or after the one in which it counts."""
    for back, (code, clause) in enumerate(_LAST_TRICKS):
        yield from table.one_off(code, _ALL - back, clause)


def rostopschin(table: Table) -> Iterator[ScoreLine]:
    """`strohmann.rostopschin`: T17 called and won, and T18 called and won in the very next trick."""
    for first, second in zip(table.tricks, table.tricks[1:], strict=False):
        called = ((first, "T17(ros)"), (second, "T18(topschin)"))
        if first.winner == second.winner and all(_won_with(t, c) for t, c in called):
            events = tuple(t.event + t.cards.index(c) for t, c in called)
            quantity = {
                "tricks": [first.number, second.number],
                "trick": first.number,
                "next_trick": second.number,
                "card": "T17",
                "next_card": "T18",
                "amount": 1,
            }
            yield ScoreLine("strohmann.rostopschin", {first.winner: 1}, quantity, ("made",), events)


def called_in_vain(table: Table) -> Iterator[Note]:
    """Yield a note on each call that scored nothing."""
    scored = {event for line in rostopschin(table) for event in line.events}
    for trick in table.tricks:
        for place, token in enumerate(trick.cards):
            event = trick.event + place
            if "(" in token and event not in scored:
                values = {"seat": trick.seats[place], "card": token, "trick": trick.number}
                yield Note("strohmann.rostopschin", "call-in-vain", values, (event,))


def _won_with(trick: Trick, token: str) -> bool:
    return token in trick.cards and trick.card_of(trick.winner) == token


CLAUSES: tuple[Scoring[Table], ...] = (
    Scoring(game, game_missed),
    Scoring(last_tricks, last_tricks_missed),
    Scoring(rostopschin, called_in_vain),
)
