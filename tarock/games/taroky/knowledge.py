"""The knowledge of each seat in Taroky, where the partner stays secret until an event reveals them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.core.cards import BIT
from tarock.core.record import Event
from tarock.games.taroky.state import RAISE_BIT, TarokyTable


class Knowledge(TarokyTable):
    """A table of Taroky, with the methods that return what each seat knows."""

    HIDES = True
    __slots__ = ()

    def public_discards(self, seat: str) -> int:
        return self.face_up.get(seat, 0) | super().public_discards(seat)

    def _known_alone(self) -> bool:
        """Return whether the called card has shown all players that the bidder is alone."""
        if not self.called or self.partner or not self.sides:
            return False
        return self.called_played() is not None or bool(self.face_up.get(self.bidder, 0) & BIT[self.called])

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
            or self._known_alone()
            or (view == self.declarer and self._sees_called(view))
        ):
            return dict(self.sides)
        known = {self.bidder: "bidder"} | {s: side for _, s, side in self.revealed_sides}
        if view in self.active and view != self.declarer:
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
