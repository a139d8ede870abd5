"""The state of a deal of Taroky, which all phases share, and the knowledge of each seat: the partner stays
secret until an event reveals them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.cards import BIT
from tarock.core.findings import Illegal
from tarock.core.record import Event, Record
from tarock.core.table import Table

#: Word for a raise → factor of the stake after the raise (`taroky.double`).
RAISES = {"flek": 2, "re": 4, "sub": 8, "resub": 16}
STAKES = ("game", "pagat", "valat")
#: Raise of a stake (such as `flek:game`) → its bit, in the order of the notation.
RAISE_BIT = {
    f"{word}:{stake}": 1 << (len(STAKES) * i + k)
    for i, word in enumerate(RAISES)
    for k, stake in enumerate(STAKES)
}


class TarokyTable(Table):
    """A table with the additional state of a deal of Taroky."""

    HIDES = True
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

    def not_here(self, clause: str, reason: str = "not-here", **values: Any) -> Illegal:
        """Return the error for an event that the rules of this deal don't allow, although others do."""
        return Illegal(clause, reason, rules=self.record.tags.get("Rules", ""), **values)

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

    # -- what is known -------------------------------------------------------------------------------

    def public_discards(self, seat: str) -> int:
        return self.face_up.get(seat, 0) | super().public_discards(seat)

    def _sees_called(self, view: str) -> bool:
        """Return whether a seat holds, has discarded or has played the called card."""
        if not self.called:
            return False
        mine = self.hands[view] | self.discards.get(view, 0)
        return bool(mine & BIT[self.called]) or any(self.called == t.card_of(view) for t in self.tricks)

    def known_partner(self, view: str | None) -> str | None:
        if self.partner is None or self.others:
            return None
        revealed = [seat for _, seat, _ in self.revealed_sides]
        public = self.partner == self.laid_open or self.partner in revealed
        return self.partner if view in (None, self.partner) or public else None

    def known_sides(self, view: str | None) -> dict[str, str]:
        if not self.sides:
            bid = self.declarer and self.phase != "bidding" and not self.varsava
            return {self.bidder: "bidder"} if bid else {}
        if self.others:
            alike = [s for s in self.sides if len({state.sides[s] for state in self.states()}) == 1]
            return {seat: self.sides[seat] for seat in alike}
        if (
            view is None
            or not self.called
            or self.known_partner(view)
            or self.called_played() is not None
            or self.face_up.get(self.bidder, 0) & BIT[self.called]
            or (view == self.declarer and self._sees_called(view))
        ):
            return dict(self.sides)
        known = {self.bidder: "bidder"} | {s: side for _, s, side in self.revealed_sides}
        if view != self.declarer:
            known[view] = self.sides[view]
        return dict(sorted(known.items()))

    def hidden(self, event: Event, number: int, view: str) -> bool:
        """Return whether an event is another seat's `pass` in the turns for raises. Such a pass would show
        that a raise was open to the seat, and so reveal the seat's side."""
        if event[1] != "pass" or event[0] == view:
            return False
        turns = [n for n, e in self.statements if e[1] == "announce" or (e[1] == "pass" and n >= self.size)]
        return len(turns) > self.size and number >= turns[self.size]

    def turn_known(self, view: str) -> bool:
        return self.phase != "announcing" or self.turns_taken < self.size or self.turn == view

    def announced(self) -> list[dict[str, Any]]:
        """Return event, seat and item of each announcement so far, including the pagat of a Second Duty."""
        found = [
            {"event": n, "seat": e[0], "item": item}
            for n, e in self.statements
            if e[1] == "announce"
            for item in e[2:]
        ]
        if self.contract == "second" and self.pagat_by:
            event = next(n for n, e in self.statements if e[1:] == ("bid", "second"))
            found.insert(0, {"event": event, "seat": self.pagat_by, "item": "pagat"})
        return found

    def raises(self) -> Iterator[tuple[str, str, str]]:
        """Yield each raise so far as a tuple of (word, stake, seat)."""
        for row in self.announced() if self.raised_by else ():
            if row["item"] in RAISE_BIT:
                yield (*row["item"].split(":"), row["seat"])

    def standing(self) -> dict[str, Any]:
        name = self.contract if self.phase != "bidding" else None
        return {
            "contract": "varsava" if self.varsava else name,
            "called": self.called,
            "doubles": {stake: factor for stake, factor in self.factors.items() if factor > 1},
            "announced": self.announced(),
            "level": self.level,
        }
