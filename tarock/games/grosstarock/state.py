"""The state of a deal of Grosstarock."""

from __future__ import annotations

from typing import NamedTuple

from tarock.record import Record
from tarock.table import Table


class Announced(NamedTuple):
    """A bolé or null announced: by whom, which, the number of the trick to come, and the event."""

    seat: str
    item: str
    trick: int
    event: int


class GrosstarockTable(Table):
    """What is known of a deal of Grosstarock beside what every table has.

    `declared`: (event, seat, item) of each declaration, made from the hands in `declared_from`; `announced`:
    bolé and null; `owes`: the seat whose Sküs waits for a card to be paid, and to whom
    (`grosstarock.skus-owed`); `turns_taken`: how many have had their turn to declare.
    """

    __slots__ = (
        "announced",
        "declared",
        "declared_from",
        "owes",
        "turns_taken",
    )

    def __init__(self, record: Record) -> None:
        self.owes: tuple[str, str] | None = None
        self.declared: list[tuple[int, str, str]] = []
        self.declared_from: dict[str, int] = {}
        self.announced: list[Announced] = []
        self.turns_taken = 0
        super().__init__(record)

    def bole(self) -> str | None:
        """The seat that took all 25 tricks, if any."""
        for seat, won in self.won.items():
            if won == self.total:
                return seat
        return None

    def null(self) -> str | None:
        """The seat that took no trick while each of the other two took at least one, if any."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 else None
