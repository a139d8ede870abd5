"""The state of a deal of Troggu, including the sides of the seats."""

from __future__ import annotations

from tarock.core.cards import value
from tarock.core.record import Record
from tarock.core.table import Table


class TrogguTable(Table):
    """A table with the additional state of a deal of Troggu."""

    __slots__ = (
        "alone",
        "called",
        "dead",
        "misere",
        "partner",
        "solo",
    )

    def __init__(self, record: Record) -> None:
        self.solo = self.misere = self.alone = False
        self.partner: str | None = None  # seat; None if the Tappist called a card of their own
        self.called: str | None = None
        self.dead: str | None = None  # seat whose Bättler may not be played before the last trick
        super().__init__(record)

    def side(self, seat: str) -> tuple[str, ...]:
        """Return all seats on the side of a seat, including the seat; in a misère, only the seat itself."""
        if self.misere:
            return (seat,)
        own = tuple(s for s in self.active if s in (self.declarer, self.partner))
        return own if seat in own else tuple(s for s in self.active if s not in own)

    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the seats of each side; empty in a misère, which has no sides."""
        if self.misere or self.declarer is None:
            return {}
        own = self.side(self.declarer)
        return {"tappist": own, "opponents": tuple(s for s in self.active if s not in own)}

    def count_points(self, cards: int) -> int:
        return value(cards)

    def put_by(self, seat: str) -> int:
        if self.solo and seat == self.declarer:
            return self.talon_cards() or 0
        return super().put_by(seat)

    def sides_points(self) -> dict[str, int]:
        if self.misere:
            return super().sides_points()
        return {
            name: sum(value(self.taken[s] | self.put_by(s)) for s in seats)
            for name, seats in self.sides().items()
        }
