"""The state of a deal of Grosstarock."""

from __future__ import annotations

from typing import NamedTuple

from tarock.core.record import Record
from tarock.core.table import Table


class Announcement(NamedTuple):
    """An announced bolé or null."""

    seat: str
    item: str
    trick: int  # number of the next trick
    event: int  # number of the event


class GrosstarockTable(Table):
    """A table with the additional state of a deal of Grosstarock."""

    __slots__ = (
        "announced",
        "declared",
        "declared_from",
        "for_two",
        "owes",
        "turns_taken",
    )

    def __init__(self, record: Record) -> None:
        #: Seat that owes a card for the Sküs, and seat that will get the card (`grosstarock.skus-owed`).
        self.owes: tuple[str, str] | None = None
        self.declared: list[tuple[int, str, str]] = []  # event, seat, item of each declaration
        self.declared_from: dict[str, int] = {}  # seat → hand from which it makes declarations
        self.announced: list[Announcement] = []  # announcements of bolé and null
        self.turns_taken = 0  # number of seats that have had a turn to declare
        self.for_two = len(record.players) == 2  # two players can't announce bolé or null
        super().__init__(record)

    def _all_tricks(self) -> str | None:
        return next((seat for seat, won in self.won.items() if won == self.total), None)

    def bole(self) -> str | None:
        """Return the seat that took all 25 tricks, if any. With two players, return None, because this
        is then called a tout."""
        return None if self.for_two else self._all_tricks()

    def tout(self) -> str | None:
        """Return the seat that took all 25 tricks with two players, if any (`grosstarock.two-tout`)."""
        return self._all_tricks() if self.for_two else None

    def null(self) -> str | None:
        """Return the seat that took no trick, if there is exactly one. With two players, return None."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 and not self.for_two else None
