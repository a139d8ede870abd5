"""Players of Troggu."""

from __future__ import annotations

import random
from typing import Any

from tarock.cards import FOOL_BIT, INDEX, KINGS, TAROCKS, names
from tarock.record import Event
from tarock.simulate.players import ALL, LOSE, Players, strength

#: Strength a card that it takes to bid, by players.
_DARES = {3: (0.56, 0.85), 4: (0.59, 0.92), 5: (0.63, 0.97), 8: (0.65, 1.05)}


class TrogguPlayers(Players):
    """Three to eight players; about one table in eight is so timid that nobody takes."""

    game = "troggu"

    def __init__(self, table: Any, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.timid = rng.random() < 0.13
        self.withholds = rng.random()
        self.secret = False

    def speak(self, seat: str) -> Event:
        phase = self.table.phase
        if phase == "bidding":
            return self.bid(seat)
        if phase == "exchange":
            return self.discard(seat)
        return self.call(seat)

    def bid(self, seat: str) -> Event:
        words = {event[1]: event for event in self.words()}
        table = self.table
        hand: int = table.hands[seat]
        power = strength(hand) / hand.bit_count() + 0.05 * self.boldness + 0.15 * self.chance()
        # With many cards hands are more alike, and less above the average makes a strong one.
        take, solo = _DARES.get(table.size, _DARES[8])
        if power > solo and self.chance() < 0.7:
            return words["solo"]
        if "take" in words and power > take and not self.timid:
            return words["take"]
        return words["pass"]

    def discard(self, seat: str) -> Event:
        number, ways = self.table.discard_ways()
        fixed, pool = ways[-1] if self.chance() < 0.5 else ways[0]
        plain = pool & ~TAROCKS
        missing = number - fixed.bit_count()
        if self.chance() < 0.95 and plain.bit_count() >= missing:
            pool = plain
            chosen = self.put_away(pool, missing)
        else:
            cards = names(pool)
            chosen = sum(1 << INDEX[c] for c in self.rng.sample(cards, missing))
        return (seat, "discard", *names(fixed | chosen))

    def call(self, seat: str) -> Event:
        """A partner by a King or a high tarock; now and then nobody, or a card of one's own."""
        table = self.table
        words = self.words()
        chance = self.chance()
        if chance < 0.1:
            return words[0] if words[0][1] == "alone" else words[-1]
        calls = {event[2]: event for event in words if event[1] == "call"}
        if chance < 0.2:
            own = [c for c in names(table.hands[seat] | table.discards.get(seat, 0)) if c in calls]
            return calls[self.rng.choice(own)]
        wanted = [c for c in names((KINGS | TAROCKS) & ~table.hands[seat]) if c in calls]
        kings = [c for c in wanted if c[1] == "K"]
        if kings and chance < 0.6:
            return calls[self.rng.choice(kings)]
        return calls[
            wanted[len(kings)] if chance < 0.9 and len(wanted) > len(kings) else self.rng.choice(wanted)
        ]

    def begin_play(self) -> None:
        table = self.table
        if table.misere:
            self.goal = dict.fromkeys(table.active, LOSE)
            return
        self.know_sides()
        self.secret = table.partner is not None
        for seat in table.active:
            hand: int = table.hands[seat]
            if strength(hand) > 1.2 * hand.bit_count():
                self.goal[seat] = ALL

    def card(self, seat: str) -> int:
        table = self.table
        if self.secret and not table.trick and table.tricks and table.called in table.tricks[-1].cards:
            self.secret = False
            self.know_sides()
        return super().card(seat)

    def follow(self, seat: str, legal: int) -> int:
        alone = legal & FOOL_BIT and not legal & TAROCKS & ~FOOL_BIT and legal & ~(TAROCKS | self.table.led)
        if alone and self.chance() < 0.4 + 0.6 * self.withholds:
            # The Bättler, alone of the tarocks, may stay in hand.
            legal ^= FOOL_BIT
            if not legal & (legal - 1):
                return legal
        return super().follow(seat, legal)
