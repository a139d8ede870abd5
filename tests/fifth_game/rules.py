"""The rules of Zweier: twelve cards each, one of the two plays for 16 card points, Kings can be declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.cards import BIT, KINGS, names
from tarock.findings import Illegal
from tarock.game import GameInfo, Threshold
from tarock.record import Event, Record
from tarock.scoring import Counting, Note, ScoreLine, counting
from tarock.table import Scoring, Table

WINS = 16
_KINGS = 2
_TRICKS = 12


class Zweier(Table):
    """A deal of Zweier. `declared`: event and seat of each declaration."""

    info = GameInfo(
        id="zweier",
        name="Zweier",
        description="Two players, twelve cards each, and a declaration of Kings.",
        seats=(2,),
        pack=54,
        direction="clockwise",
        hands={2: 12},
        talon={2: 30},
        verbs={"take": "none", "pass": "none", "declare": "items", "play": "card"},
        threshold=Threshold(WINS, 70, "declarer", "zweier.game"),
        main=frozenset({"zweier.game"}),
        items=("kings",),
    )

    def __init__(self, record: Record) -> None:
        self.declared: list[tuple[int, str]] = []
        super().__init__(record)

    def begin(self) -> None:
        self.enter("bidding", self.forehand)

    def bid(self, event: Event) -> None:
        """`take` or `pass` (`zweier.bid`); after a pass the dealer has to play (`zweier.forced`)."""
        self.arguments(event, 0, 0)
        self.declarer = event[0] if event[1] == "take" else self.dealer
        if event[1] == "pass":
            self.happened("zweier.forced", "dealer-plays", declarer=self.dealer)
        self.enter("declaring", self.declarer)

    def declare(self, event: Event) -> None:
        """`declare kings` or `pass`, the declarer first (`zweier.declare`)."""
        seat = event[0]
        if event[1] == "declare":
            (item,) = self.arguments(event, 1, 1)
            if item not in self.info.items:
                raise Illegal("common.item", "no-item", item=item)
            kings = self.hands[seat] & KINGS
            if kings.bit_count() < _KINGS:
                raise Illegal("zweier.declare", "too-few", found=kings.bit_count(), wanted=_KINGS)
            self.declared.append((self.step, seat))
        else:
            self.arguments(event, 0, 0)
        if seat == self.declarer:
            self.turn = self.next[seat]
        else:
            self.enter("play", self.forehand)

    def phase_events(self) -> Iterator[Event]:
        seat = self.turn
        if seat is None:
            return
        if self.phase == "bidding":
            yield (seat, "take")
            yield (seat, "pass")
        elif self.phase == "declaring":
            if (self.hands[seat] & KINGS).bit_count() >= _KINGS:
                yield (seat, "declare", "kings")
            yield (seat, "pass")

    def side(self, seat: str) -> str:
        """Which side a seat is, once there is a declarer."""
        return "declarer" if seat == self.declarer else "opponent"

    def known_sides(self, view: str | None) -> dict[str, str]:
        return {seat: self.side(seat) for seat in self.active} if self.declarer else {}

    def sides_points(self) -> dict[str, int]:
        points = super().sides_points()
        return {self.side(seat): count for seat, count in points.items()} if self.declarer else points

    def standing(self) -> dict[str, Any]:
        announced = [{"event": number, "seat": seat, "item": "kings"} for number, seat in self.declared]
        return super().standing() | {"contract": self._contract(), "announced": announced}

    def _contract(self) -> str | None:
        forced = any(h.clause == "zweier.forced" for h in self.happenings)
        return None if self.declarer is None else "forced" if forced else "take"

    def countings(self) -> list[Counting]:
        return [
            counting(self.side(seat), seat, [("tricks", seat, self.taken[seat])], "threes")
            for seat in self.active
        ]

    def clauses(self) -> tuple[Scoring[Any], ...]:
        return _CLAUSES

    def facts(self) -> dict[str, Any]:
        points = self.sides_points()
        return {
            "declarer": self.declarer,
            "partner": None,
            "contract": self._contract(),
            "result": "won" if points["declarer"] >= WINS else "lost",
            "card_points": points,
            "tricks": dict(self.won),
            "announcements": [[seat, "kings"] for _, seat in self.declared],
        }

    PHASES = {
        "bidding": {"take": bid, "pass": bid},
        "declaring": {"declare": declare, "pass": declare},
        "play": {"play": Table.play},
    }


def _paid(table: Table, winner: str, amount: int) -> dict[str, int]:
    return {winner: amount, table.next[winner]: -amount}


def game(table: Zweier) -> Iterator[ScoreLine]:
    """`zweier.game`."""
    assert table.declarer is not None
    points = table.sides_points()["declarer"]
    key, winner = ("won", table.declarer) if points >= WINS else ("lost", table.next[table.declarer])
    quantity = {"declarer": table.declarer, "points": points, "wanted": WINS, "winner": winner, "amount": 2}
    yield ScoreLine("zweier.game", _paid(table, winner, 2), quantity, (key,))


def game_missed(table: Zweier) -> Iterator[Note]:
    """`zweier.game`, missed by a point."""
    if table.sides_points()["declarer"] == WINS - 1:
        yield Note("zweier.game", "points-near", {"side": "declarer", "points": WINS - 1, "wanted": WINS})


def kings(table: Zweier) -> Iterator[ScoreLine]:
    """`zweier.declare`."""
    for event, seat in table.declared:
        held = [code for code in names(KINGS) if code in table.record.deal[seat]]
        quantity = {"seat": seat, "held": held, "amount": 1}
        yield ScoreLine("zweier.declare", _paid(table, seat, 1), quantity, ("made",), (event,))


def last_trick(table: Zweier) -> Iterator[ScoreLine]:
    """`zweier.pagat`."""
    trick = table.tricks[-1]
    if trick.set & BIT["T1"]:
        quantity = {"card": "T1", "trick": trick.number, "winner": trick.winner, "amount": 1}
        points = _paid(table, trick.winner, 1)
        yield ScoreLine("zweier.pagat", points, quantity, ("won",), (trick.event, trick.event + 1))


def last_trick_missed(table: Zweier) -> Iterator[Note]:
    """`zweier.pagat`, missed by a trick."""
    if not table.tricks[-1].set & BIT["T1"]:
        yield from table.one_off("T1", _TRICKS, "zweier.pagat")


_CLAUSES: tuple[Scoring[Any], ...] = (
    Scoring(game, game_missed),
    Scoring(kings),
    Scoring(last_trick, last_trick_missed),
)
