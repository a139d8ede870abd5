"""The state of a deal of Taroky, which all phases share."""

from __future__ import annotations

from tarock.core.record import Record
from tarock.core.table import Table

#: Word for a raise → factor of the stake after the raise (`taroky.double`).
RAISES = {"flek": 2, "re": 4, "sub": 8}
STAKES = ("game", "pagat", "valat")
#: Raise of a stake (such as `flek:game`) → its bit, in the order of the notation.
RAISE_BIT = {
    f"{word}:{stake}": 1 << (len(STAKES) * i + k)
    for i, word in enumerate(RAISES)
    for k, stake in enumerate(STAKES)
}


class TarokyTable(Table):
    """A table with the additional state of a deal of Taroky."""

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
        self.called: str | None = None  # the called card
        self.drawn = 0  # talon cards taken by the bidder
        self.pending: str | None = None  # talon card that the seat on turn may take but hasn't seen
        self.face_up: dict[str, int] = {}  # seat → tarocks discarded face up
        self.partner: str | None = None
        self.laid_open: str | None = None  # seat that revealed its side by discarding the called card face up
        self.sides: dict[str, str] = {}  # seat → its true side, which players don't fully know
        self.announced_sides: list[tuple[int, str, str]] = []  # event, seat, side revealed by an announcement
        self.hands_announced: dict[str, int] = {}  # seat → hand from which it makes announcements
        self.hand_items: list[tuple[int, str, str]] = []  # event, seat, item of each hand declaration
        self.pagat_by: str | None = None
        self.valat_by: str | None = None
        self.valat_event = 0  # number of the event that announced the valat
        self.turns_taken = 0
        self.factors = dict.fromkeys(STAKES, 1)
        self.raised_by: dict[str, str] = {}  # stake → side that last raised it
        self.open: dict[str, int] = {}  # side → raises open to it (`RAISE_BIT`)
        self.offered: dict[str, int] = {}  # seat → raises that it has had a chance to make (`RAISE_BIT`)
        super().__init__(record)

    @property
    def bidder(self) -> str:
        """Seat with the highest bid."""
        assert self.declarer is not None
        return self.declarer

    def members(self, side: str) -> list[str]:
        """Return the seats of a side."""
        return [seat for seat, own in self.sides.items() if own == side]

    def reveal_side(self, seat: str, side: str) -> None:
        """Record the side that an announcement reveals, unless it is already public (`taroky.side-shown`)."""
        if seat != self.declarer and all(seat != known for _, known, _ in self.announced_sides):
            self.announced_sides.append((self.step, seat, side))

    @property
    def revealed_sides(self) -> list[tuple[int, str, str]]:
        """Sides revealed by announcements or by playing the called card, as tuples (event, seat, side)."""
        partner = self.partner
        if partner is None or any(seat == partner for _, seat, _ in self.announced_sides):
            return self.announced_sides
        event = self.called_played()
        return self.announced_sides if event is None else [*self.announced_sides, (event, partner, "bidder")]

    def called_played(self) -> int | None:
        """Return the number of the event that played the called card; None if it has not been played."""
        if not self.called:
            return None
        if self.called in self.trick:
            return self.step - len(self.trick) + self.trick.index(self.called)
        found = self.trick_with(self.called)
        return found[2] if found else None
