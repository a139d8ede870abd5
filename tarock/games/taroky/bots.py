"""The bots of Czech Taroky."""

from __future__ import annotations

import random

from tarock.core.bots import (
    ALL,
    LOSE,
    Bots,
    Layout,
    Scene,
    Wish,
    random_cards,
    strength,
    tarock_run,
    top,
)
from tarock.core.cards import BIT, FOOL_BIT, KINGS, PAGAT_BIT, TAROCKS, names, pack
from tarock.core.record import Event
from tarock.games.taroky.announcing import HAND_ITEMS, NOT_WITH, dearest
from tarock.games.taroky.rules import Taroky

_T19 = BIT["T19"]
_NINE_HIGHEST = top(TAROCKS, 9)
#: Number of tarocks in a hand → probability that the player passes, in order to double another's game.
_HOLDS_BACK = {10: 0.3, 11: 0.4, 12: 0.5}


def _sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player a hand that can take every trick (valat)."""
    number = rng.randint(9, 12)
    return [(seat, top(TAROCKS, number) | random_cards(rng, KINGS, min(4, 12 - number)))]


def _sweep_together(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give two players the high tarocks, so that they can take every trick together if either calls T19."""
    other = rng.choice([s for s in layout.seats if s != seat])
    high = tarock_run(21, 11) | FOOL_BIT
    first = random_cards(rng, high & ~_T19, 7)
    return [(seat, first), (other, high & ~first)]


def _tarocks_and_kings(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player only tarocks and Kings, to force discards of tarocks, perhaps even the called card."""
    hand = random_cards(rng, (TAROCKS | KINGS) & ~_T19, 11)
    if rng.random() < 0.6:
        hand |= _T19
        return [(seat, hand), ("talon", random_cards(rng, TAROCKS & ~hand, 6))]
    return [(seat, hand), ("talon", random_cards(rng, TAROCKS & ~(hand | _T19), 5) | _T19)]


def _drawn_tarock(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a non-bidder only tarocks and Kings, and a tarock to draw, to force a discard of a tarock."""
    drawer = layout.seats[rng.randint(1, 2)]
    hand = random_cards(rng, (TAROCKS | KINGS) & ~_T19, 11) | _T19
    return [(drawer, hand), ("talon", random_cards(rng, TAROCKS & ~hand, 2))]


def _few_tarocks(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player no tarock, only the Pagat, or one or two tarocks (`barvy`, `barvicky`)."""
    tarocks = rng.choice([0, PAGAT_BIT, random_cards(rng, TAROCKS, 1), random_cards(rng, TAROCKS, 2)])
    return [(seat, tarocks | random_cards(rng, pack(54) & ~TAROCKS, 12 - tarocks.bit_count()))]


class TarokyBots(Bots[Taroky]):
    """Bots for four players. They know no more about the secret partner than the rules allow."""

    shapes = (
        _sweep,
        _sweep_together,
        # The high tarocks without T19, to take every trick against a bidder (`taroky.valat`).
        lambda rng, layout, seat: [(rng.choice(layout.seats[1:]), (tarock_run(21, 10) | FOOL_BIT) & ~_T19)],
        _tarocks_and_kings,
        _drawn_tarock,
        _few_tarocks,
        # All four Kings (`kralovske-honery`).
        lambda rng, layout, seat: [(seat, KINGS | random_cards(rng, TAROCKS, rng.randint(0, 6)))],
        # T19 and the next one to three lower tarocks, so that the player may call T19 to play alone.
        lambda rng, layout, seat: [(seat, tarock_run(19, 19 - rng.randint(1, 3)))],
        # T19 as the last card of the talon, so that a player who draws T19 becomes the partner.
        lambda rng, layout, seat: [("talon", _T19)],
        # The Pagat and many tarocks, to announce the pagat (`taroky.announce-pagat`).
        lambda rng, layout, seat: [
            (seat, PAGAT_BIT | random_cards(rng, TAROCKS & ~PAGAT_BIT, rng.randint(6, 8)))
        ],
    )
    scene = Scene(
        "Alena Bořek Cyril Dana Růžena Jiří Ondřej Žaneta Tomáš Květa Šimon Eliška Matěj Zdeňka Vojtěch",
        ("Hlučín club evening", "Taroky u Žida", "Moravský pohár", "Svatomartinský pohár"),
        ("Hlučín", "Štramberk", "Frenštát pod Radhoštěm", "Ostrava"),
    )

    def __init__(self, table: Taroky, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.sides_seen = 0
        self.doubling = rng.random()

    def in_bidding(self, seat: str) -> Event:
        """Return the bid that fits the hand, if it is open. Otherwise return a pass or, if forehand may not
        pass, `first`."""
        events = list(self.table.phase_events())
        hand = self.table.hands[seat]
        power = strength(hand) + self.boldness / 2 + 2 * self.chance()
        wish = "solo" if power > 13.5 else "troika" if power > 11.5 else "second" if power > 9 else ""
        if wish == "troika" and hand & PAGAT_BIT and self.chance() < 0.5:
            wish = "second"
        bids = {event[2]: event for event in events if event[1] == "bid"}
        if self.holds_back or self.chance() < _HOLDS_BACK.get((hand & TAROCKS).bit_count(), 0):
            wish = ""
        if wish in bids:
            return bids[wish]
        if wish == "second" and "troika" in bids and self.chance() < 0.15:
            return bids["troika"]
        passing = next((event for event in events if event[1] == "pass"), None)
        return passing or bids["first"]

    def in_calling(self, seat: str) -> Event:
        """Return the call of a card, the choice of Varšava, or the level of a Troika."""
        events = list(self.table.phase_events())
        if events[0][1] == "level":
            return events[0] if self.chance() < 0.4 else self.rng.choice(events)
        power = strength(self.table.hands[seat])
        if events[-1][1] == "varsava":
            if power < 4.5 or self.chance() < 0.08:
                return events[-1]
            events.pop()
        # The first event calls T19. A bidder who holds T19 and calls it plays alone in secret.
        if len(events) > 1 and not (power > 9 and self.chance() < 0.4) and self.chance() < 0.95:
            return events[1]
        return events[0]

    in_level = in_calling

    def in_exchange(self, seat: str) -> Event:
        """Return a discard, or sometimes a refusal or a surrender."""
        for event in self.table.phase_events():
            if event[1] == "surrender":
                if strength(self.table.hands[seat]) < 9 and self.chance() < 0.7:
                    return event
            elif self.chance() < 0.12:
                return event
        number, choices = self.table.discard_choices()
        fixed, pool = choices[0]
        missing = number - fixed.bit_count()
        # If the called card may be discarded, often discard it, so that nobody can win it in a trick.
        called = BIT.get(self.table.called or "", 0) & pool & TAROCKS
        if missing and called and self.chance() < 0.6:
            fixed |= called
            pool ^= called
            missing -= 1
        return (seat, "discard", *names(fixed | self.pick_discards(pool, missing)))

    def in_announcing(self, seat: str) -> Event:
        """Return the announcements and doubles of a seat, or a pass."""
        hand = self.table.hands[seat]
        chosen = [item for item in self.table.open_items(seat) if self.chance() < self.likely(item, hand)]
        if "honery" in chosen and "kralovske-honery" in chosen:
            chosen.remove("kralovske-honery" if self.chance() < 0.2 else "honery")
        if "trulhonery" in chosen:
            chosen = [item for item in chosen if item not in NOT_WITH["trulhonery"]]
        if not self.table.says_enough(tuple(chosen)):
            _, dear = dearest(hand, self.table.rules)
            chosen = [*dear, *(item for item in chosen if item not in HAND_ITEMS)]
        return (seat, "announce", *chosen) if chosen else (seat, "pass")

    def likely(self, item: str, hand: int) -> float:
        """Return the probability that the holder of a hand announces an item."""
        if item == "pagat":
            tarocks = (hand & TAROCKS).bit_count()
            return 0.75 if tarocks >= 8 else 0.3 if tarocks >= 6 else 0.01
        if item == "valat":
            high = (hand & _NINE_HIGHEST).bit_count()
            return 0.6 if high == 9 else 0.25 if high >= 7 else 0.002
        step, _, stake = item.partition(":")
        if not stake:
            return 0.85
        dare = 0.06 * max(0.0, strength(hand) - 5) * self.doubling
        if step == "flek":
            return dare if stake == "game" else 0.3 + dare
        return 0.25 + dare

    def begin_play(self) -> None:
        table = self.table
        if not table.sides:
            # Varšava: everybody plays alone, and nobody wants points.
            self.goal = dict.fromkeys(table.active, LOSE)
            return
        self.find_partners()
        for seat in table.active:
            if seat == table.valat_by or (table.hands[seat] & _NINE_HIGHEST).bit_count() >= 8:
                self.goal[seat] = ALL

    def card(self, seat: str) -> int:
        if self.sides_seen != len(self.table.revealed_sides):
            self.sides_seen = len(self.table.revealed_sides)
            self.find_partners()
        return super().card(seat)
