"""The state of a deal of Grosstarock."""

from __future__ import annotations

from typing import NamedTuple

from tarock.core.record import Record
from tarock.core.table import Table


class Announcement(NamedTuple):
    """An announced bolé or null: its seat, the item, the number of the next trick, and the event."""

    seat: str
    item: str
    trick: int
    event: int


class GrosstarockTable(Table):
    """The state of a deal of Grosstarock, in addition to that of every table.

    `declared`: (event, seat, item) of each declaration, made from the hands in `declared_from`; `announced`:
    bolé and null; `for_two`: whether two play, who announce neither; `owes`: the seat that owes a card for
    its Sküs, and the creditor (`grosstarock.skus-owed`); `turns_taken`: the number of seats that have had
    their turn to declare.
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
        """The seat that took all 25 tricks, if any; with two players that is a tout."""
        return None if self.for_two else self._all_tricks()

    def tout(self) -> str | None:
        """The one of two players that took all 25 tricks, if any (`grosstarock.two-tout`)."""
        return self._all_tricks() if self.for_two else None

    def null(self) -> str | None:
        """The seat that took no trick while each of the other two took at least one, if any."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 and not self.for_two else None
