"""The state of a deal of Taroky, which all phases share."""

from __future__ import annotations

from tarock.core.record import Record
from tarock.core.table import Table

#: Raise → factor of the stake (`taroky.double`).
RAISES = {"flek": 2, "re": 4, "sub": 8}
STAKES = ("game", "pagat", "valat")
#: Raise of a stake → its bit, in the order of the notation.
RAISE_BIT = {
    f"{word}:{stake}": 1 << (len(STAKES) * i + k)
    for i, word in enumerate(RAISES)
    for k, stake in enumerate(STAKES)
}


class TarokyTable(Table):
    """The state of a deal of Taroky, in addition to the state of every table.

    `called`: the called card; `drawn`: talon cards taken by the bidder; `pending`: the talon card that the
    seat on turn may take but hasn't seen; `face_up`: tarocks discarded face up, by seat; `sides`: the true
    side of each seat, which no player fully knows until it is revealed; `announced_sides`: `(event, seat,
    side)` for each side revealed by an announcement; `laid_open`: the seat that discarded the called card
    face up and so revealed its side; `hands_announced`: the hands from which announcements are made;
    `hand_items`: hand declarations as `(event, seat, item)`; `factors`: factor of each stake; `raised_by`:
    the side that last raised each stake; `valat_event`: number of the event that announced the valat; `open`:
    the raises open to each side, and `offered`: the raises that each seat has had a turn to make, both as bit
    sets (`RAISE_BIT`).
    """

    __slots__ = (
        "announced_sides",
        "called",
        "contract",
        "drawn",
        "face_up",
        "factors",
        "hand_items",
        "hands_announced",
        "laid_open",
        "level",
        "offered",
        "open",
        "pagat_by",
        "partner",
        "pending",
        "raised_by",
        "refused",
        "settled",
        "sides",
        "surrendered",
        "turns_taken",
        "valat_by",
        "valat_event",
        "varsava",
    )

    def __init__(self, record: Record) -> None:
        self.varsava = self.surrendered = self.settled = self.refused = False
        self.contract: str | None = None
        self.level: int | None = None
        self.called: str | None = None
        self.drawn = 0
        self.pending: str | None = None
        self.face_up: dict[str, int] = {}
        self.partner: str | None = None
        self.laid_open: str | None = None
        self.sides: dict[str, str] = {}
        self.announced_sides: list[tuple[int, str, str]] = []
        self.hands_announced: dict[str, int] = {}
        self.hand_items: list[tuple[int, str, str]] = []
        self.pagat_by: str | None = None
        self.valat_by: str | None = None
        self.valat_event = 0
        self.turns_taken = 0
        self.factors = dict.fromkeys(STAKES, 1)
        self.raised_by: dict[str, str] = {}
        self.open: dict[str, int] = {}
        self.offered: dict[str, int] = {}
        super().__init__(record)

    @property
    def bidder(self) -> str:
        """Return the seat with the highest bid."""
        assert self.declarer is not None
        return self.declarer

    def members(self, side: str) -> list[str]:
        """Return the seats of a side."""
        return [seat for seat, own in self.sides.items() if own == side]

    def reveal_side(self, seat: str, side: str) -> None:
        """Record the side that an announcement reveals (`taroky.side-shown`)."""
        if seat != self.declarer and all(seat != known for _, known, _ in self.announced_sides):
            self.announced_sides.append((self.step, seat, side))

    @property
    def revealed_sides(self) -> list[tuple[int, str, str]]:
        """Return event, seat and side for each side that was revealed by an announcement or by playing the
        called card."""
        partner = self.partner
        if partner is None or any(seat == partner for _, seat, _ in self.announced_sides):
            return self.announced_sides
        event = self.called_played()
        return self.announced_sides if event is None else [*self.announced_sides, (event, partner, "bidder")]

    def called_played(self) -> int | None:
        """Return the number of the event that played the called card; None if the card has not been
        played."""
        if not self.called:
            return None
        if self.called in self.trick:
            return self.step - len(self.trick) + self.trick.index(self.called)
        found = self.trick_with(self.called)
        return found[2] if found else None
