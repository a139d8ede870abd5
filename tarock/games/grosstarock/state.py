"""The state of a deal of Grosstarock."""

from __future__ import annotations

from typing import NamedTuple

from tarock.core.record import Record
from tarock.core.table import Table


class Announcement(NamedTuple):
    """An announced bolé or null: the seat, the item, the number of the next trick, and the number of the
    event."""

    seat: str
    item: str
    trick: int
    event: int


class GrosstarockTable(Table):
    """The state of a deal of Grosstarock, in addition to the state of every table.

    `declared`: (event, seat, item) of each declaration; `declared_from`: the hands from which the
    declarations are made; `announced`: announcements of bolé and null; `for_two`: whether the deal has two
    players, who can't announce bolé or null; `owes`: the seat that owes a card for its Sküs, and the seat
    that gets the card (`grosstarock.skus-owed`); `turns_taken`: number of seats that have had their turn to
    declare.
    """

    __slots__ = (
        "announced",
        "declared",
        "declared_from",
        "for_two",
        "owes",
        "turns_taken",
    )

    def __init__(self, record: Record) -> None:
        self.owes: tuple[str, str] | None = None
        self.declared: list[tuple[int, str, str]] = []
        self.declared_from: dict[str, int] = {}
        self.announced: list[Announcement] = []
        self.turns_taken = 0
        self.for_two = len(record.players) == 2
        super().__init__(record)

    def _all_tricks(self) -> str | None:
        return next((seat for seat, won in self.won.items() if won == self.total), None)

    def bole(self) -> str | None:
        """Return the seat that took all 25 tricks, if any. With two players, return None: that is a tout."""
        return None if self.for_two else self._all_tricks()

    def tout(self) -> str | None:
        """Return the seat that took all 25 tricks with two players, if any (`grosstarock.two-tout`)."""
        return self._all_tricks() if self.for_two else None

    def null(self) -> str | None:
        """Return the seat that took no trick while both others took at least one, if any."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 and not self.for_two else None
