"""Counting of deals by contract, tarocks held, points, clauses, doubles and months, for the stored sums and
for the statistics of a player or of a hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from archive.hands import Hand, unpack
from archive.packed_sheets import effects
from tarock.games import game as game_of

TOPICS = ("contract", "tarocks", "points", "clause", "double", "month")
"""Topics of the lines. `contract`: by contract, and by the role of the seat; `tarocks`: by the number of
tarocks that the seat was dealt; `points`: by the points of the winner or, for a player, of the player, in the
steps of `step_of`; `clause`: by the clauses that the score cites, where a deal counts as won if the declarer
gained points by the clause; `double`: by the stakes that one side (for a player, the player's) doubled first,
where a deal counts as won if that side gained points by the stake; `month`: by the month of the deal and the
role of the seat that counts, the declarer's or, in a deal without a declarer, the winner's (`alone`)."""

SEAT_ROLES = ("declarer", "partner", "opponent", "alone")
"""Roles of a player in a deal. `alone`: the deal has no declarer."""

COLUMNS = (
    "deal__game", "deal__contract", "deal__declarer", "deal__partner", "deal__highest", "deal__clauses",
    "deal__hands", "deal__doubles", "played_on", "date",
)  # fmt: skip
"""The columns of a `DealFacts`, for a query of contributions."""


class DealFacts(NamedTuple):
    """What `Lines.add` needs to know about a scored deal."""

    game: str
    contract: str
    declarer: str
    partner: str
    highest: int | None
    clauses: str
    hands: str | None
    doubles: str | None
    played_on: date | None
    date: str

    @property
    def month(self) -> str:
        """The month in which the deal was played (`2026-11`), empty if it is unknown."""
        return "" if self.played_on is None or "?" in self.date[:7] else self.date[:7]

    def role(self, seat: str) -> str:
        """Return the role of a seat (`SEAT_ROLES`)."""
        if not self.declarer:
            return "alone"
        if seat == self.declarer:
            return "declarer"
        return "partner" if seat == self.partner else "opponent"


@dataclass(slots=True)
class Line:
    """Deals with something in common. `seats`: number of seats in these deals that count; `won`: number of
    them with a positive score; `points`: sum of their scores."""

    deals: int = 0
    seats: int = 0
    won: int = 0
    points: int = 0

    @property
    def mean(self) -> float:
        """Average points of a seat."""
        return self.points / self.seats

    @property
    def share(self) -> int:
        """Percentage of seats, or of deals, that won."""
        return round(100 * self.won / (self.seats or self.deals))


Key = tuple[str, str, str]
"""Topic, key and role of a line. The key is a contract, a clause or a number."""


@dataclass(slots=True)
class Lines:
    """Lines by topic, key and role."""

    by_key: dict[Key, Line] = field(default_factory=dict)

    def add(
        self,
        deal: DealFacts,
        points: Mapping[str, int],
        seats: Collection[str] = (),
        hand: Hand | None = None,
    ) -> None:
        """Count a deal. `points`: by seat; `seats`: the seats that count, by default all; `hand`: count only
        seats that were dealt this hand."""
        seen: set[Key] = set()
        hands = unpack(deal.hands)
        for seat, number in points.items():
            if (seats and seat not in seats) or (hand and not (seat in hands and hand.fits(hands[seat]))):
                continue
            self._count(("contract", deal.contract, deal.role(seat)), number, seen)
            if not hand and seat in hands:
                self._count(("tarocks", str(hands[seat].tarocks), ""), number, seen)
            if seats and not hand:
                self._count(("points", str(step_of(number)[0]), ""), number, seen)
        if hand:
            return
        # A player can have two seats of the side, and the deal counts once.
        doubled = {found for seat in seats or [""] for found in effects(deal.doubles or "", seat)}
        for stake, sign in doubled:
            if sign != "0":
                self._add("double", stake, won=sign == "+")
        if seats:
            return
        if deal.highest is not None:
            self._count(("points", str(step_of(deal.highest)[0]), ""), deal.highest, seen)
        main = game_of(deal.game).main
        gained: dict[str, bool] = {}
        for clause, sign in effects(deal.clauses):
            if clause not in main:
                gained[clause] = gained.get(clause, False) or sign == "+"
        for clause, has_gained in gained.items():
            self._add("clause", clause, won=has_gained)

    def add_month(self, deal: DealFacts, points: Mapping[str, int]) -> None:
        """Count a deal in its month, if it has one. `points`: by seat."""
        number = points.get(deal.declarer, 0) if deal.declarer else deal.highest or 0
        if deal.month:
            self._count(("month", deal.month, deal.role(deal.declarer)), number, set())

    def _add(self, topic: str, key: str, *, won: bool) -> None:
        line = self.by_key.setdefault((topic, key, ""), Line())
        line.deals, line.won = line.deals + 1, line.won + won

    def _count(self, key: Key, number: int, seen: set[Key]) -> None:
        line = self.by_key.setdefault(key, Line())
        line.deals += key not in seen
        seen.add(key)
        line.seats, line.won, line.points = line.seats + 1, line.won + (number > 0), line.points + number


def step_of(points: int) -> tuple[int, int]:
    """Return the first and the last number of the step of a distribution to which points belong. The steps
    grow with the points, because some rules count in points and others in hundreds of small coins.

    >>> step_of(7), step_of(-30), step_of(0)
    ((5, 9), (-49, -20), (0, 0))
    """
    if points <= 0:
        return (0, 0) if not points else (-step_of(-points)[1], -step_of(-points)[0])
    tens = 10 ** (len(str(points)) - 1)
    first = next(first for first in (5, 2, 1) if first * tens <= points)
    return first * tens, {1: 2, 2: 5, 5: 10}[first] * tens - 1
