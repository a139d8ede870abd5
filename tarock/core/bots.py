"""Base class of the bots that play simulated deals, and functions that choose cards from a set.

`analysis.simulate` uses only a game's subclass of `Bots`. In this module, a set of cards is a bit set, and a
single card is a bit set with one bit. Within a suit, the lower bit is the higher card.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar, Generic, NamedTuple, TypeVar

from tarock.core.cards import (
    BEATS,
    CARDS,
    CAVALIERS,
    COURTS,
    FIVES,
    FOOL_BIT,
    JACKS,
    KINGS,
    MOND_BIT,
    PAGAT_BIT,
    QUEENS,
    SUIT_SET,
    TAROCKS,
    bits,
    indices,
    value,
)
from tarock.core.record import Event
from tarock.core.table import Table

AnyTable = TypeVar("AnyTable", bound=Table)

#: Goals of a player: to win many points, to win as few points or tricks as possible, or to win every trick.
WIN, LOSE, ALL = "win", "lose", "all"


# -- cards -----------------------------------------------------------------------------------------


def highest(cards: int) -> int:
    """Return the first card of a set in canonical order. In a set of one suit, this is the highest card."""
    return cards & -cards


def lowest(cards: int) -> int:
    """Return the last card of a set in canonical order. In a set of one suit, this is the lowest card."""
    return 1 << (cards.bit_length() - 1)


def top(cards: int, number: int) -> int:
    """Return the first `number` cards of a set in canonical order. In one suit, these are the highest."""
    return sum(1 << card for card in indices(cards)[:number])


def random_cards(rng: random.Random, cards: int, number: int) -> int:
    """Return `number` random cards from a set."""
    return sum(1 << card for card in rng.sample(indices(cards), number))


def tarock_run(high: int, low: int) -> int:
    """Return the tarocks from number `high` down to number `low`."""
    return bits(f"T{n}" for n in range(low, high + 1))


#: Mask of all cards except tarocks and court cards.
PIPS = ~(TAROCKS | COURTS)
_LOW_TAROCKS = TAROCKS & ~(FOOL_BIT | MOND_BIT | PAGAT_BIT)
_HIGH_TAROCKS = top(TAROCKS, 8)


#: Groups of cards, from those that a player is most willing to lose to an opponent to those to keep.
_WORST_FIRST = (PIPS, JACKS, CAVALIERS, _LOW_TAROCKS, QUEENS, KINGS)
#: Groups of cards, from the best to add to a partner's trick to the worst.
_RICHEST_FIRST = (KINGS | PAGAT_BIT, QUEENS, CAVALIERS, JACKS, PIPS, _LOW_TAROCKS)


def _lowest_of_first(cards: int, groups: tuple[int, ...]) -> int:
    """Return the lowest card of a set that is in the first possible group, or else in none of the groups."""
    return lowest(next((cards & group for group in groups if cards & group), cards))


def worst(cards: int) -> int:
    """Return the card of a set that a player is most willing to lose to an opponent."""
    return _lowest_of_first(cards, _WORST_FIRST)


def richest(cards: int) -> int:
    """Return the card to add to a partner's trick: ideally a King or the Pagat, at worst the Mond or Fool."""
    return _lowest_of_first(cards, _RICHEST_FIRST)


def strength(hand: int) -> float:
    """Return the strength of a hand: 1 per tarock, ½ extra for each of the top eight, and ¾ per King."""
    return (
        (hand & TAROCKS).bit_count()
        + 0.5 * (hand & _HIGH_TAROCKS).bit_count()
        + 0.75 * (hand & KINGS).bit_count()
    )


# -- shaped deals and scenes -----------------------------------------------------------------------

#: A place of the deal (a seat, a pile or the talon), and the cards to deal to this place, as a bit set.
Wish = tuple[str, int]


class Layout(NamedTuple):
    """Layout of a deal. `sizes`: place → number of cards; `seats`: active seats in the order of play."""

    sizes: dict[str, int]
    seats: tuple[str, ...]
    dealer: str


#: Function that chooses the cards of a rare hand, usually for the given seat. All other cards stay random.
Shape = Callable[[random.Random, Layout, str], list[Wish]]


class Scene(NamedTuple):
    """Names to use in a game's simulated deals: first names (separated by spaces), events, and towns."""

    names: str
    events: tuple[str, ...]
    sites: tuple[str, ...]


# -- bots ------------------------------------------------------------------------------------------


class Bots(Generic[AnyTable]):
    """The bots that play all seats of one deal. Each game has a subclass. `decide` returns the next event."""

    shapes: ClassVar[tuple[Shape, ...]]
    scene: ClassVar[Scene]
    #: Cards that beat every card of the four plain suits.
    trumps: ClassVar[int] = TAROCKS

    def __init__(self, table: AnyTable, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.chance = rng.random
        #: Seat → its goal: `WIN`, `LOSE` or `ALL`.
        self.goal = dict.fromkeys(table.active, WIN)
        #: Seat → the seats that this seat knows to be its partners.
        self.partners: dict[str, frozenset[str]] = dict.fromkeys(table.active, frozenset())
        self.boldness = 4 * rng.random() - 2  # how much risk all players of this deal take
        self.whim = rng.choice((0.0, 0.02, 0.05))  # how often a player plays a legal card at random
        self.saves_pagat = rng.random() < 0.7
        self.holds_back = rng.random() < 0.08  # whether players with strong hands let others bid
        self.started = False

    def decide(self, seat: str) -> Event:
        """Return the next event, which usually comes from `seat`, the seat on turn."""
        if self.table.phase != "play":
            return self.speak(seat)
        if not self.started:
            self.started = True
            self.begin_play()
        return self.play(seat)

    def speak(self, seat: str) -> Event:
        """Return a seat's event in a phase before the play. By default, call the method `in_<phase>`."""
        event: Event = getattr(self, f"in_{self.table.phase}")(seat)
        return event

    def begin_play(self) -> None:
        """Set each seat's goal and partners before the first lead. By default, leave them unchanged."""

    def play(self, seat: str) -> Event:
        """Return the next event during the play. By default, the seat on turn plays a card."""
        return (seat, "play", self.token(seat, self.card(seat)))

    def token(self, seat: str, card: int) -> str:
        """Return the token for a card in a `play` event: by default, the card's code."""
        return CARDS[card.bit_length() - 1]

    def find_partners(self) -> None:
        """Update `partners` for each seat that knows which side it is on."""
        for seat in self.table.active:
            sides = self.table.known_sides(seat)
            if seat in sides:
                self.partners[seat] = frozenset(s for s in sides if sides[s] == sides[seat] and s != seat)

    def card(self, seat: str) -> int:
        """Choose the card that a seat plays, and return it as a bit."""
        legal = self.table.playable(seat)
        if legal == highest(legal):
            return legal
        if self.whim and self.chance() < self.whim:
            return 1 << self.rng.choice(indices(legal))
        return self.follow(seat, legal) if self.table.trick else self.lead(seat, legal)

    def lead(self, seat: str, legal: int) -> int:
        """Choose a card to lead."""
        goal = self.goal[seat]
        tarocks = legal & self.trumps
        plain = legal & ~TAROCKS
        if goal is ALL:
            return highest(
                tarocks or plain & KINGS or plain & QUEENS or plain & CAVALIERS or plain & JACKS or legal
            )
        if goal is LOSE:
            return lowest(plain & PIPS or tarocks & _LOW_TAROCKS or plain or legal)
        chance = self.chance()
        if 2 * tarocks.bit_count() > legal.bit_count() and chance < 0.55:
            return highest(tarocks) if chance < 0.3 else lowest(tarocks & ~PAGAT_BIT or tarocks)
        if plain:
            kings = plain & KINGS
            return highest(kings) if kings and chance < 0.8 else worst(plain)
        return lowest(tarocks & ~PAGAT_BIT or legal)

    def follow(self, seat: str, legal: int) -> int:
        """Choose a card to play to the trick in progress."""
        table = self.table
        over = legal & BEATS[table.best]
        under = legal & ~over
        goal = self.goal[seat]
        if goal is LOSE:
            # Get rid of the card that is most dangerous to keep.
            return highest(under & FIVES or under & QUEENS or under & CAVALIERS or under) or worst(over)
        last = len(table.trick) == table.size - 1
        helps = table.best_seat in self.partners[seat]
        if not over:
            return richest(legal) if helps else worst(legal)
        if goal is ALL:
            return lowest(over) if last else highest(over)
        if helps and (last or self.chance() < 0.5):
            return richest(under) if under else worst(legal)
        suited = over & ~TAROCKS
        if suited:
            return highest(suited) if last or suited & KINGS or self.chance() < 0.5 else worst(legal)
        if over & PAGAT_BIT and over != PAGAT_BIT and (self.saves_pagat or not last):
            over ^= PAGAT_BIT
        if last or self.chance() < 0.5:
            return lowest(over)
        # A Pagat removed from `over` above is now in `losing`, although it would win. `worst` picks it last.
        losing = legal & ~over
        return worst(losing) if losing and self.chance() < 0.2 else highest(over)

    def pick_discards(self, pool: int, number: int) -> int:
        """Choose `number` discards from a pool: preferably valuable cards of short suits, tarocks last."""
        if number <= 0:
            return 0
        ranked = []
        for suit in "SHDC":
            cards = pool & SUIT_SET[suit]
            length = cards.bit_count() + self.chance()
            ranked += [(length - 0.4 * value(1 << i), i) for i in indices(cards)]
        chosen = [i for _, i in sorted(ranked)[:number]]
        if len(chosen) < number:
            tarocks = indices(pool & TAROCKS)
            missing = number - len(chosen)
            chosen += tarocks[-missing:] if self.chance() < 0.5 else self.rng.sample(tarocks, missing)
        return sum(1 << i for i in chosen)
