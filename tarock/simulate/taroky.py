"""Players of Czech Taroky."""

from __future__ import annotations

import random
from typing import Any

from tarock.cards import BIT, PAGAT_BIT, TAROCKS, names
from tarock.record import Event
from tarock.simulate.players import ALL, LOSE, Players, strength

#: The nine highest tarocks.
_TOP = 0
for _i in range(9):
    _TOP |= (TAROCKS & -TAROCKS) << _i

#: How often a hand of so many tarocks waits for others to bid what can be doubled.
_LURKS = {10: 0.3, 11: 0.4, 12: 0.5}


class TarokyPlayers(Players):
    """Four players, who know of the secret partner what they may know."""

    game = "taroky"

    def __init__(self, table: Any, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.seen = 0
        self.fights = rng.random()

    def speak(self, seat: str) -> Event:
        phase = self.table.phase
        if phase == "bidding":
            return self.bid(seat)
        if phase == "exchange":
            return self.exchange(seat)
        if phase == "announcing":
            return self.announce(seat)
        return self.name(seat)

    def bid(self, seat: str) -> Event:
        words = self.words()
        hand = self.table.hands[seat]
        power = strength(hand) + self.boldness / 2 + 2 * self.chance()
        wish = 4 if power > 13.5 else 3 if power > 11.5 else 2 if power > 9 else 0
        if wish == 3 and hand & PAGAT_BIT and self.chance() < 0.5:
            wish = 2
        names_of = ("", "first", "second", "troika", "solo")
        bids = {event[2]: event for event in words if event[1] == "bid"}
        if self.lurks or (self.chance() < _LURKS.get((hand & TAROCKS).bit_count(), 0)):
            wish = 0
        if wish and names_of[wish] in bids:
            return bids[names_of[wish]]
        if wish == 2 and "troika" in bids and self.chance() < 0.15:
            return bids["troika"]
        passing = next((event for event in words if event[1] == "pass"), None)
        return passing or bids["first"]

    def name(self, seat: str) -> Event:
        """The called card, Varšava, or the level of a Troika."""
        words = self.words()
        first = words[0]
        if first[1] == "level":
            return words[0 if self.chance() < 0.4 else self.rng.randrange(len(words))]
        power = strength(self.table.hands[seat])
        if words[-1][1] == "varsava":
            if power < 4.5 or self.chance() < 0.08:
                return words[-1]
            words.pop()
        # The first is T19; who holds it himself and calls it plays alone in secret.
        if len(words) > 1 and not (power > 9 and self.chance() < 0.4) and self.chance() < 0.95:
            return words[1]
        return first

    def exchange(self, seat: str) -> Event:
        for event in self.words():
            if event[1] == "surrender":
                if strength(self.table.hands[seat]) < 9 and self.chance() < 0.7:
                    return event
            elif self.chance() < 0.12:
                return event
        number, ways = self.table.discard_ways()
        fixed, pool = ways[0]
        missing = number - fixed.bit_count()
        # A called card that may go for want of others is safe with the discards.
        called = BIT.get(self.table.called, 0) & pool & TAROCKS
        if missing and called and self.chance() < 0.6:
            fixed |= called
            pool ^= called
            missing -= 1
        return (seat, "discard", *names(fixed | self.put_away(pool, missing)))

    def announce(self, seat: str) -> Event:
        items: list[str] = self.table.open_items(seat)
        if not items:
            return (seat, "pass")
        table = self.table
        hand: int = table.hands[seat]
        power = strength(hand)
        said = []
        for item in items:
            chance = self.chance()
            if item == "pagat":
                tarocks = (hand & TAROCKS).bit_count()
                if chance < (0.75 if tarocks >= 8 else 0.3 if tarocks >= 6 else 0.01):
                    said.append(item)
            elif item == "valat":
                if chance < (
                    0.6 if hand & _TOP == _TOP else 0.25 if (hand & _TOP).bit_count() >= 7 else 0.002
                ):
                    said.append(item)
            elif ":" in item:
                if self.raises(item, power, chance):
                    said.append(item)
            elif chance < 0.85:
                said.append(item)
        if "honery" in said and "kralovske-honery" in said:
            said.remove("kralovske-honery" if self.chance() < 0.2 else "honery")
        return (seat, "announce", *said) if said else (seat, "pass")

    def raises(self, item: str, power: float, chance: float) -> bool:
        """Whether to say a double: the strong hand does, and the table that likes to fight."""
        step, _, stake = item.partition(":")
        dare = 0.06 * max(0.0, power - 5) * self.fights
        if step == "flek":
            return chance < (dare if stake == "game" else 0.3 + dare)
        return chance < 0.25 + dare

    def begin_play(self) -> None:
        table = self.table
        if not table.sides:
            # Varšava: everybody for himself, and nobody wants points.
            self.goal = dict.fromkeys(table.active, LOSE)
            return
        self.know_sides()
        for seat in table.active:
            if seat == table.valat_by or (table.hands[seat] & _TOP).bit_count() >= 8:
                self.goal[seat] = ALL

    def card(self, seat: str) -> int:
        if self.seen != len(self.table.shown):
            self.seen = len(self.table.shown)
            self.know_sides()
        return super().card(seat)
