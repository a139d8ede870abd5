"""What the players of all games have in common: how to lead, to follow and to throw away.

Cards are single bits and sets of cards bit sets, as everywhere near the table; within a suit the lower bit is
the higher card. What may be played the table says.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

from tarock.cards import (
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
    indices,
    value,
)
from tarock.record import Event

_PIPS = ~(TAROCKS | COURTS)
_LOW_TAROCKS = TAROCKS & ~(FOOL_BIT | MOND_BIT | PAGAT_BIT)
_HIGH_TAROCKS = sum(1 << i for i in indices(TAROCKS)[:8])
_NOBODY: frozenset[str] = frozenset()

#: What a player is after: points; no points or no tricks; every trick.
WIN, LOSE, ALL = "win", "lose", "all"


def worst(cards: int) -> int:
    """The card of a set that one gives away most gladly."""
    pick = (
        cards & _PIPS
        or cards & JACKS
        or cards & CAVALIERS
        or cards & _LOW_TAROCKS
        or cards & QUEENS
        or cards & KINGS
        or cards
    )
    return 1 << (pick.bit_length() - 1)


def richest(cards: int) -> int:
    """The card of a set to give to a partner's trick: King, Pagat, Queen … but not Mond and Fool."""
    pick = (
        cards & (KINGS | PAGAT_BIT)
        or cards & QUEENS
        or cards & CAVALIERS
        or cards & JACKS
        or cards & _PIPS
        or cards & _LOW_TAROCKS
        or cards
    )
    return 1 << (pick.bit_length() - 1)


def strength(hand: int) -> float:
    """What a hand is good for: a tarock counts 1, one of the eight highest half more, a King ¾."""
    return (
        (hand & TAROCKS).bit_count()
        + 0.5 * (hand & _HIGH_TAROCKS).bit_count()
        + 0.75 * (hand & KINGS).bit_count()
    )


class Players:
    """The players of one deal. `decide` says what happens next; each game's players are a subclass.

    `goal` is what each seat is after, `mates` whom it knows to be on its side, `boldness` (−2 to 2) how much
    this table dares today, `lurks` whether strong hands let others bid, `whim` how often somebody plays any
    card at all.
    """

    game: ClassVar[str]
    #: Tarocks that win as such (in Grosstarock the Fool does not).
    TRUMPS: ClassVar[int] = TAROCKS

    def __init__(self, table: Any, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.chance = rng.random
        self.goal: dict[str, str] = dict.fromkeys(table.active, WIN)
        self.mates: dict[str, frozenset[str]] = dict.fromkeys(table.active, _NOBODY)
        self.boldness = 4 * rng.random() - 2
        self.whim = rng.choice((0.0, 0.02, 0.05))
        self.saves_pagat = rng.random() < 0.7
        self.lurks = rng.random() < 0.08
        self.started = False

    def decide(self, seat: str) -> Event:
        """The next event at the table, mostly by the seat on turn."""
        if self.table.phase == "play":
            if not self.started:
                self.started = True
                self.begin_play()
            return (seat, "play", self.token(self.card(seat)))
        return self.speak(seat)

    def speak(self, seat: str) -> Event:
        """What the seat on turn says or puts away before the play."""
        raise NotImplementedError

    def begin_play(self) -> None:
        """Makes up everybody's mind before the first lead."""

    def token(self, card: int) -> str:
        """How a card is written when played."""
        return CARDS[card.bit_length() - 1]

    def words(self) -> list[Event]:
        """What the table lets the seat on turn say."""
        return list(self.table.phase_events())

    def know_sides(self) -> None:
        """Every seat learns its partners as far as it may know them."""
        table = self.table
        for seat in table.active:
            sides = table.known_sides(seat)
            mine = sides.get(seat)
            if mine is not None:
                self.mates[seat] = frozenset(s for s, side in sides.items() if side == mine and s != seat)

    # -- cards -------------------------------------------------------------------------------------

    def card(self, seat: str) -> int:
        """The card that a seat plays, as a bit."""
        table = self.table
        legal: int = table.playable(seat)
        if not legal & (legal - 1):
            return legal
        if self.whim and self.chance() < self.whim:
            return 1 << self.rng.choice(indices(legal))
        return self.follow(seat, legal) if table.trick else self.lead(seat, legal)

    def lead(self, seat: str, legal: int) -> int:
        """A card to lead."""
        goal = self.goal[seat]
        tarocks = legal & self.TRUMPS
        plain = legal & ~TAROCKS
        if goal is ALL:
            pick = tarocks or plain & KINGS or plain & QUEENS or plain & CAVALIERS or plain & JACKS or legal
            return pick & -pick
        if goal is LOSE:
            pick = plain & _PIPS or tarocks & _LOW_TAROCKS or plain or legal
            return 1 << (pick.bit_length() - 1)
        chance = self.chance()
        if 2 * tarocks.bit_count() > legal.bit_count() and chance < 0.55:
            if chance < 0.3:
                return tarocks & -tarocks
            pick = tarocks & ~PAGAT_BIT or tarocks
            return 1 << (pick.bit_length() - 1)
        if plain:
            kings = plain & KINGS
            if kings and chance < 0.8:
                return kings & -kings
            return worst(plain)
        pick = tarocks & ~PAGAT_BIT or legal
        return 1 << (pick.bit_length() - 1)

    def follow(self, seat: str, legal: int) -> int:
        """A card to a trick that others have begun."""
        table = self.table
        best: int = table.best
        over = legal & BEATS[best] if best >= 0 else legal
        goal = self.goal[seat]
        if goal is LOSE:
            under = legal & ~over
            if under:
                return self.duck(under)
            return worst(over)
        last = len(table.trick) == table.size - 1
        if not over:
            if table.best_seat in self.mates[seat]:
                return richest(legal)
            return worst(legal)
        if goal is ALL:
            return 1 << (over.bit_length() - 1) if last else over & -over
        if table.best_seat in self.mates[seat] and (last or self.chance() < 0.5):
            under = legal & ~over
            return richest(under) if under else worst(legal)
        suited = over & ~TAROCKS
        if suited:
            return suited & -suited if last or suited & KINGS or self.chance() < 0.5 else worst(legal)
        if over & PAGAT_BIT and over != PAGAT_BIT and (self.saves_pagat or not last):
            over ^= PAGAT_BIT
        if last or self.chance() < 0.5:
            # The lowest tarock that wins.
            return 1 << (over.bit_length() - 1)
        if legal & ~over and self.chance() < 0.2:
            return worst(legal & ~over)
        return over & -over

    def duck(self, under: int) -> int:
        """The most dangerous card of those that do not win the trick."""
        pick = under & FIVES or under & QUEENS or under & CAVALIERS or under
        return pick & -pick

    # -- discards ----------------------------------------------------------------------------------

    def put_away(self, pool: int, number: int) -> int:
        """Cards to discard out of a pool: short suits first, in each the valuable ones, low tarocks last."""
        if number <= 0:
            return 0
        chance = self.chance
        ranked = []
        for suit in "SHDC":
            cards = pool & SUIT_SET[suit]
            length = cards.bit_count() + chance()
            ranked += [(length - 0.4 * value(1 << i), i) for i in indices(cards)]
        ranked.sort()
        chosen = [i for _, i in ranked[:number]]
        if len(chosen) < number:
            tarocks = indices(pool & TAROCKS)
            missing = number - len(chosen)
            chosen += tarocks[-missing:] if chance() < 0.5 else self.rng.sample(tarocks, missing)
        return sum(1 << i for i in chosen)
