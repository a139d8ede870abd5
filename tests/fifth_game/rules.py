"""The rules of Zweier: twelve cards each, one of the two plays for 16 card points, Kings can be declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tarock.core.cards import BIT, KINGS
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo, Threshold
from tarock.core.outcome import Impossible, Key, Outcome, Part, Points, sheet_field
from tarock.core.record import Event, Record
from tarock.core.scoring import Counting, Note, ScoreLine, counting
from tarock.core.table import Table

WINS = 16
_KINGS = 2
_TRICKS = 12
_SIDES = ("declarer", "opponent")


@dataclass(kw_only=True)
class ZweierOutcome(Outcome):
    """The outcome of a deal of Zweier. `declare`: the seats that declared Kings; `pagat`: the winner of the
    last trick, if the Pagat is in it."""

    contract: str | None = sheet_field("zweier.bid", Part("contracts", ("take", "forced")))
    declarer: str | None = sheet_field("zweier.bid", Part(seats=True))
    points: tuple[Points, ...] = sheet_field(
        "zweier.game", Part("sides", _SIDES), Part(number=(0, 70)), key=1, row=Points
    )
    declare: tuple[str, ...] = sheet_field("zweier.declare", Part(seats=True), key=1, optional=True)
    pagat: str | None = sheet_field("zweier.pagat", Part(seats=True), optional=True)

    SIDES = _SIDES

    @property
    def other(self) -> str:
        """The seat that is not the declarer."""
        return self.seating.next[self.declarer or ""]

    @property
    def card_points(self) -> dict[str, int]:
        """The card points by side."""
        return dict(self.points)

    def facts(self) -> dict[str, Any]:
        return {
            "declarer": self.declarer,
            "partner": None,
            "contract": self.contract,
            "contract_played": self.contract,
            "result": "won" if self.card_points["declarer"] >= WINS else "lost",
            "card_points": self.card_points,
            "announcements": [[seat, "kings"] for seat in self.declare],
        }

    def impossible(self) -> Iterator[Impossible]:
        """A forehand who passes leaves it to the dealer (`zweier.forced`)."""
        seat = self.seating.dealer if self.contract == "forced" else self.seating.forehand
        if self.declarer != seat:
            values = {"seat": self.declarer, "other": seat}
            yield Impossible("zweier.forced", "declarer", "other-declarer", values)


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
            if seat in self.unknown:
                self.doubts.add(seat)
            elif kings.bit_count() < _KINGS:
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
        """Return the side of a seat, once there is a declarer."""
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

    OUTCOME = ZweierOutcome

    @staticmethod
    def settle(outcome: ZweierOutcome) -> Iterator[ScoreLine]:
        for clause in (game, kings, last_trick):
            yield from clause(outcome)

    def notes(self) -> Iterator[Note]:
        yield from game_missed(self)
        yield from last_trick_missed(self)

    def outcome(self) -> ZweierOutcome:
        events: dict[Key, tuple[int, ...]] = {("declare", seat): (event,) for event, seat in self.declared}
        trick = self.tricks[-1]
        pagat = trick.winner if trick.set & BIT["T1"] else None
        if pagat:
            events["pagat",] = (trick.event, trick.event + 1)
        return ZweierOutcome(
            seating=self.record.seating,
            contract=self._contract(),
            declarer=self.declarer,
            points=tuple(Points(*row) for row in self.sides_points().items()),
            declare=tuple(seat for _, seat in self.declared),
            pagat=pagat,
            events=events,
        )

    PHASES = {
        "bidding": {"take": bid, "pass": bid},
        "declaring": {"declare": declare, "pass": declare},
        "play": {"play": Table.play},
    }


def _paid(outcome: ZweierOutcome, winner: str, amount: int) -> dict[str, int]:
    return {winner: amount, outcome.seating.next[winner]: -amount}


def game(outcome: ZweierOutcome) -> Iterator[ScoreLine]:
    """`zweier.game`."""
    points = outcome.card_points["declarer"]
    key, winner = ("won", outcome.declarer or "") if points >= WINS else ("lost", outcome.other)
    quantity = {
        "declarer": outcome.declarer,
        "points": points,
        "wanted": WINS,
        "winner": winner,
        "amount": 2,
    }
    yield ScoreLine("zweier.game", _paid(outcome, winner, 2), quantity, (key,))


def game_missed(table: Zweier) -> Iterator[Note]:
    """`zweier.game`, missed by a point."""
    if table.sides_points()["declarer"] == WINS - 1:
        yield Note("zweier.game", "points-near", {"side": "declarer", "points": WINS - 1, "wanted": WINS})


def kings(outcome: ZweierOutcome) -> Iterator[ScoreLine]:
    """`zweier.declare`, the declarer first."""
    for seat in sorted(outcome.declare, key=lambda seat: seat != outcome.declarer):
        events = outcome.events.get(("declare", seat), ())
        points = _paid(outcome, seat, 1)
        yield ScoreLine("zweier.declare", points, {"seat": seat, "amount": 1}, ("made",), events)


def last_trick(outcome: ZweierOutcome) -> Iterator[ScoreLine]:
    """`zweier.pagat`."""
    if winner := outcome.pagat:
        quantity = {"card": "T1", "trick": _TRICKS, "winner": winner, "amount": 1}
        points, events = _paid(outcome, winner, 1), outcome.events.get(("pagat",), ())
        yield ScoreLine("zweier.pagat", points, quantity, ("won",), events)


def last_trick_missed(table: Zweier) -> Iterator[Note]:
    """`zweier.pagat`, missed by a trick."""
    if not table.tricks[-1].set & BIT["T1"]:
        yield from table.one_off("T1", _TRICKS, "zweier.pagat")
