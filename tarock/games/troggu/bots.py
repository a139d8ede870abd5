"""The bots of Troggu."""

from __future__ import annotations

import random

from tarock.core.bots import (
    ALL,
    LOSE,
    PIPS,
    Bots,
    Layout,
    Scene,
    Wish,
    random_cards,
    strength,
    tarock_run,
    top,
)
from tarock.core.cards import COURTS, FOOL_BIT, KINGS, PAGAT_BIT, SUIT_SET, TAROCKS, indices, names, pack
from tarock.core.record import Event
from tarock.games.troggu.rules import Troggu

#: Number of players → average strength per card that a hand needs for `take` and for `solo`. The averages of
#: large hands vary less, so the thresholds for them are lower.
_DARES = {3: (0.56, 0.85), 4: (0.59, 0.92), 5: (0.63, 0.97), 8: (0.65, 1.05)}


def _lone_bettler(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player the Bättler as the only tarock, and few suits (`troggu.bettler-withheld`)."""
    size = layout.sizes[seat] - 1
    suits = rng.sample("SHDC", 3 if size > 12 else 2)
    cards = pack(62) & sum(SUIT_SET[s] for s in suits)
    pips = random_cards(rng, cards & PIPS, max(0, min(size - 4, 6 * len(suits))))
    return [(seat, FOOL_BIT | top(cards & COURTS, 4) | pips)]


def _even(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Spread the high tarocks evenly, so that often nobody takes the Tapp and the deal is a misère."""
    seats = layout.seats
    return [(seats[i % len(seats)], 1 << card) for i, card in enumerate(indices(tarock_run(21, 10)))]


class TrogguBots(Bots[Troggu]):
    """Bots for three to eight players. In about one deal in eight, they are too timid to bid `take`."""

    shapes = (
        # All four Kings, which the player may discard together (`troggu.discard`).
        lambda rng, layout, seat: [(seat, KINGS | random_cards(rng, tarock_run(21, 14), 2))],
        # List the lone Bättler twice to make it more frequent, because many rules depend on it.
        _lone_bettler,
        _lone_bettler,
        # The Bättler in the Tapp, alone or with the Pagat (`troggu.forced-tappist`).
        lambda rng, layout, seat: [("talon", FOOL_BIT | (PAGAT_BIT if rng.random() < 0.6 else 0))],
        # The high tarocks, so that the player bids a solo or leaves no trick to the other side.
        lambda rng, layout, seat: [(seat, top(TAROCKS, layout.sizes[seat]))],
        _even,
    )
    scene = Scene(
        "Ueli Vreni Köbi Bäbi Reto Käthi Röbi Sämi Trudi Élodie Annamarie Jürg Mägi Walti Göpf Rösli",
        ("Troggu im Restaurant Bärghüs", "Stammtisch", "Chilbi", "Dorfmeisterschaft"),
        ("Visperterminen", "Gspon", "Törbel", "Sankt Niklaus"),
    )

    def __init__(self, table: Troggu, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.timid = rng.random() < 0.13
        self.withholds = rng.random()
        self.partner_hidden = False

    def in_bidding(self, seat: str) -> Event:
        """Return a `take`, a `solo` or a `pass`, depending on the strength of the hand."""
        bids = {event[1]: event for event in self.table.phase_events()}
        hand = self.table.hands[seat]
        power = strength(hand) / hand.bit_count() + 0.05 * self.boldness + 0.15 * self.chance()
        take, solo = _DARES.get(self.table.size, _DARES[8])
        if power > solo and self.chance() < 0.7:
            return bids["solo"]
        if "take" in bids and power > take and not self.timid:
            return bids["take"]
        return bids["pass"]

    def in_exchange(self, seat: str) -> Event:
        """Return the Tappist's discard, sometimes of random cards."""
        number, choices = self.table.discard_choices()
        fixed, pool = choices[-1] if self.chance() < 0.5 else choices[0]
        plain = pool & ~TAROCKS
        missing = number - fixed.bit_count()
        if self.chance() < 0.95 and plain.bit_count() >= missing:
            chosen = self.pick_discards(plain, missing)
        else:
            chosen = random_cards(self.rng, pool, missing)
        return (seat, "discard", *names(fixed | chosen))

    def in_calling(self, seat: str) -> Event:
        """Return a call of a King or high tarock, sometimes of a card of the Tappist's own, or `alone`."""
        events = list(self.table.phase_events())
        hand = self.table.hands[seat]
        chance = self.chance()
        if chance < 0.1:
            return events[0] if events[0][1] == "alone" else events[-1]
        calls = {event[2]: event for event in events if event[1] == "call"}
        if chance < 0.2:
            own = [c for c in names(hand | self.table.discards.get(seat, 0)) if c in calls]
            return calls[self.rng.choice(own)]
        wanted = [c for c in names((KINGS | TAROCKS) & ~hand) if c in calls]
        kings = [c for c in wanted if c[1] == "K"]
        if kings and chance < 0.6:
            return calls[self.rng.choice(kings)]
        if chance < 0.9 and len(wanted) > len(kings):
            return calls[wanted[len(kings)]]
        return calls[self.rng.choice(wanted)]

    def begin_play(self) -> None:
        table = self.table
        if table.misere:
            self.goal = dict.fromkeys(table.active, LOSE)
            return
        self.find_partners()
        self.partner_hidden = table.partner is not None
        for seat in table.active:
            hand = table.hands[seat]
            if strength(hand) > 1.2 * hand.bit_count():
                self.goal[seat] = ALL

    def card(self, seat: str) -> int:
        table = self.table
        between = table.tricks and not table.trick
        if self.partner_hidden and between and table.called in table.tricks[-1].cards:
            self.partner_hidden = False
            self.find_partners()
        return super().card(seat)

    def follow(self, seat: str, legal: int) -> int:
        alone = legal & TAROCKS == FOOL_BIT and legal & ~(TAROCKS | self.table.led)
        if alone and self.chance() < 0.4 + 0.6 * self.withholds:
            # Withhold a Bättler that is the only tarock, as the rules allow.
            legal ^= FOOL_BIT
            if not legal & (legal - 1):
                return legal
        return super().follow(seat, legal)
