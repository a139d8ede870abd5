"""Dealing: shuffled hands, and shaped ones in which somebody gets a hand that seldom comes up.

A shape is a list of wishes `(place, cards)`: these cards (a bit set) go to that place, everything else is as
shuffled. Which shapes a game knows, and what they are for, its table below says; one is drawn at random for a
shaped deal, the seat it falls to as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tarock.cards import (
    CARDS,
    COURTS,
    FOOL_BIT,
    INDEX,
    KINGS,
    MOND_BIT,
    PAGAT_BIT,
    QUEENS,
    SUIT_SET,
    TAROCKS,
    bits,
    indices,
    pack,
)
from tarock.games import GameInfo

Wish = tuple[str, int]
Places = Sequence[tuple[str, int]]


class Layout(NamedTuple):
    """Where cards can go (place → how many), the seats in order of play from forehand on, and the dealer."""

    sizes: dict[str, int]
    seats: tuple[str, ...]
    dealer: str


Shape = Callable[[random.Random, Layout, str], list[Wish]]

_PIPS = ~(TAROCKS | COURTS)


def tarock_run(high: int, low: int) -> int:
    """The tarocks from one number down to another."""
    return bits(f"T{n}" for n in range(low, high + 1))


def _some(rng: random.Random, cards: int, number: int) -> int:
    """So many cards of a set, at random."""
    chosen = rng.sample(indices(cards), number)
    return sum(1 << card for card in chosen)


def _best(cards: int, number: int) -> int:
    """The first cards of a set in canonical order: its highest tarocks."""
    return sum(1 << card for card in indices(cards)[:number])


# -- Strohmanntarock: A, B, and the piles A/1 … B/3 ------------------------------------------------


def _strohmann_sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """All tarocks and Kings with one player: he takes every trick (`strohmann.valat`)."""
    if rng.random() < 0.5:
        return [
            (seat, tarock_run(21, 8) | FOOL_BIT),
            (f"{seat}/1", tarock_run(7, 4)),
            (f"{seat}/2", tarock_run(3, 1) | INDEXED["SK"]),
            (f"{seat}/3", KINGS & ~INDEXED["SK"] | INDEXED["HQ"]),
        ]
    return [(seat, tarock_run(21, 11) | FOOL_BIT | _some(rng, KINGS, 3)), (f"{seat}/2", tarock_run(10, 7))]


def _strohmann_topschin(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The high tarocks with one player: T17 and T18 can be called to effect (`strohmann.rostopschin`)."""
    return [(seat, tarock_run(21, 17) | FOOL_BIT)]


def _strohmann_birds(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """T1, T2 and T3 and tarocks enough to bring them home (`strohmann.uhu`, `strohmann.kakadu`)."""
    return [(seat, tarock_run(3, 1) | FOOL_BIT | _some(rng, tarock_run(21, 12), 8))]


# -- Czech Taroky: A to D and the talon ------------------------------------------------------------


def _taroky_sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """A hand to take every trick with (valat)."""
    number = rng.randint(9, 12)
    return [(seat, _best(TAROCKS, number) | _some(rng, KINGS, min(4, 12 - number)))]


def _taroky_two_sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Two partners with the high tarocks between them, T19 with the second (valat of a side)."""
    other = rng.choice([s for s in layout.seats if s != seat])
    first = _some(rng, (tarock_run(21, 11) | FOOL_BIT) & ~INDEXED["T19"], 7)
    return [(seat, first), (other, (tarock_run(21, 11) | FOOL_BIT) & ~first)]


def _taroky_tarocks(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Nothing but tarocks and Kings: `taroky`, `trul`, discards of tarocks and of the called card."""
    hand = _some(rng, (TAROCKS | KINGS) & ~INDEXED["T19"], 11)
    called = INDEXED["T19"]
    if rng.random() < 0.6:
        hand, called = hand | called, 0
    rest = TAROCKS & ~(hand | called)
    return [(seat, hand), ("talon", _some(rng, rest, 5 if called else 6) | called)]


def _taroky_drawer(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Tarocks and Kings with one who will draw a tarock from the talon, and must put a tarock away for it."""
    drawer = layout.seats[rng.randint(1, 2)]
    hand = _some(rng, (TAROCKS | KINGS) & ~INDEXED["T19"], 11) | INDEXED["T19"]
    return [(drawer, hand), ("talon", _some(rng, TAROCKS & ~hand, 2))]


def _taroky_ambush(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The high tarocks without T19, so against the bidder's side if another bids (`taroky.valat`)."""
    return [(rng.choice(layout.seats[1:]), (tarock_run(21, 10) | FOOL_BIT) & ~INDEXED["T19"])]


def _taroky_colours(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """No tarock, the Pagat alone, one or two (`barvy`, `barvicky`)."""
    tarocks = rng.choice([0, PAGAT_BIT, _some(rng, TAROCKS, 1), _some(rng, TAROCKS, 2)])
    return [(seat, tarocks | _some(rng, pack(54) & ~TAROCKS, 12 - tarocks.bit_count()))]


def _taroky_kings(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """All four Kings (`kralovske-honery`)."""
    return [(seat, KINGS | _some(rng, TAROCKS, rng.randint(0, 6)))]


def _taroky_alone(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """T19 to T16 in one hand: the bidder must call his own card (`taroky.call`)."""
    return [(seat, tarock_run(19, 19 - rng.randint(1, 3)))]


def _taroky_talon(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """T19 in the talon: surrender, or a partner who drew his card (`taroky.surrender`, `taroky.partner`)."""
    return [("talon", INDEXED["T19"])]


def _taroky_pagat(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The Pagat in a long hand (`taroky.announce-pagat`, doubles of it)."""
    return [(seat, PAGAT_BIT | _some(rng, TAROCKS & ~PAGAT_BIT, rng.randint(6, 8)))]


# -- Troggu: A to C … H and the Tapp ("talon") -----------------------------------------------------


def _troggu_kings(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """All four Kings with one player, who may discard them together (`troggu.discard`)."""
    return [(seat, KINGS | _some(rng, tarock_run(21, 14), 2))]


def _troggu_bettler(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The Bättler as only tarock, beside long suits (`troggu.bettler-withheld`, `troggu.bettler-last`)."""
    size = layout.sizes[seat] - 1
    suits = rng.sample("SHDC", 3 if size > 12 else 2)
    cards = pack(62) & sum(SUIT_SET[s] for s in suits)
    return [
        (
            seat,
            FOOL_BIT
            | _best(cards & COURTS, 4)
            | _some(rng, cards & _PIPS, max(0, min(size - 4, 6 * len(suits)))),
        )
    ]


def _troggu_tapp(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Bättler or Bättler and Pagat in the Tapp (`troggu.forced-tappist`)."""
    return [("talon", FOOL_BIT | (PAGAT_BIT if rng.random() < 0.6 else 0))]


def _troggu_strong(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The high tarocks in one hand: solos, and sides without a trick."""
    return [(seat, _best(TAROCKS, layout.sizes[seat]))]


def _troggu_weak(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The high tarocks and Kings spread out evenly, so that nobody likes to take (misère)."""
    seats = layout.seats
    return [(seats[i % len(seats)], 1 << card) for i, card in enumerate(indices(tarock_run(21, 10)))]


# -- Grosstarock: three seats and the talon --------------------------------------------------------


def _gross_sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """A hand to take every trick with (`grosstarock.bole`)."""
    tarocks = _best(TAROCKS & ~FOOL_BIT, rng.randint(16, 21))
    return [(seat, tarocks | KINGS)]


def _gross_null(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Low cards, now and then a King or the Pagat (`grosstarock.null`, `grosstarock.null-refund`)."""
    red = bits(s + str(n) for s in "HD" for n in range(4, 11))
    black = bits(s + str(n) for s in "SC" for n in range(1, 8))
    low = _some(rng, red | black, 20) | _some(rng, tarock_run(7, 2), 3)
    extra = rng.choice([0, PAGAT_BIT, FOOL_BIT, _some(rng, KINGS, 1), PAGAT_BIT | _some(rng, KINGS, 1)])
    return [(seat, low | extra)]


def _gross_dealer(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The dealer may get rid of all his tarocks (`grosstarock.discard`)."""
    extra = rng.choice([0, FOOL_BIT, _some(rng, tarock_run(9, 2), 1)])
    second = 0 if extra and rng.random() < 0.5 else _some(rng, tarock_run(20, 10), 1)
    plain = pack(78) & ~TAROCKS
    hand = PAGAT_BIT | extra | second
    hand |= _some(rng, plain, 25 - hand.bit_count())
    return [(layout.dealer, hand), ("talon", _some(rng, plain & ~hand, 3))]


def _gross_matadors(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The trull with a run, whole or with gaps (`grosstarock.declare-matadors`, `…declare-skus-matadors`)."""
    run = (
        FOOL_BIT
        | MOND_BIT
        | PAGAT_BIT
        | tarock_run(20, rng.randint(17, 21))
        | tarock_run(rng.randint(1, 4), 2)
    )
    if rng.random() < 0.5:
        run = (run | INDEXED["T19"] | INDEXED["T3"]) & ~rng.choice([INDEXED["T20"], INDEXED["T2"]])
    return [(seat, run)]


def _gross_courts(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Court cards together (`grosstarock.declare-cavallery`, `…half-cavallery`, `…four`, `…kings`)."""
    suit = SUIT_SET[rng.choice("SHDC")] & COURTS
    rank = bits(s + rng.choice("QCJK") for s in "SHDC") if rng.random() < 0.3 else rng.choice(_RANKS)
    return [(seat, suit | rank | (FOOL_BIT if rng.random() < 0.6 else 0))]


def _gross_ladons(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Pips and little else (`grosstarock.declare-ladons`)."""
    fool = FOOL_BIT if rng.random() < 0.5 else 0
    return [(seat, fool | _some(rng, pack(78) & _PIPS, rng.randint(15, 20)))]


def _gross_void(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """The Sküs, and a whole suit beside it: to name that suit is void (`grosstarock.skus-lead`)."""
    return [(seat, FOOL_BIT | SUIT_SET[rng.choice("SHDC")])]


INDEXED = {code: 1 << i for code, i in INDEX.items()}
_RANKS = (QUEENS, KINGS, bits(s + "C" for s in "SHDC"), bits(s + "J" for s in "SHDC"))

#: The shapes of each game.
SHAPES: dict[str, tuple[Shape, ...]] = {
    "strohmann": (_strohmann_sweep, _strohmann_topschin, _strohmann_birds),
    "taroky": (
        _taroky_sweep,
        _taroky_two_sweep,
        _taroky_ambush,
        _taroky_tarocks,
        _taroky_drawer,
        _taroky_colours,
        _taroky_kings,
        _taroky_alone,
        _taroky_talon,
        _taroky_pagat,
    ),
    "troggu": (_troggu_kings, _troggu_bettler, _troggu_bettler, _troggu_tapp, _troggu_strong, _troggu_weak),
    "grosstarock": (
        _gross_sweep,
        _gross_null,
        _gross_matadors,
        _gross_courts,
        _gross_ladons,
        _gross_void,
        _gross_dealer,
    ),
}


def deal(
    info: GameInfo, number: int, dealer: str, rng: random.Random, shaped: bool
) -> dict[str, tuple[str, ...]]:
    """The cards by place, as a record has them: shuffled, and shaped if asked for."""
    places = info.places(number, dealer)
    cards = _PACKS[info.id][:]
    rng.shuffle(cards)
    if shaped:
        shapes = SHAPES[info.id]
        seats = info.active(number, dealer)
        after = next((i for i, seat in enumerate(seats) if seat > dealer), 0)
        layout = Layout(dict(places), seats[after:] + seats[:after], dealer)
        _arrange(cards, places, rng.choice(shapes)(rng, layout, rng.choice(seats)))
    dealt = {}
    first = 0
    for where, size in places:
        hand = cards[first : first + size]
        if not ("/" in where or (where == "talon" and info.ordered_talon)):
            hand.sort()
        dealt[where] = tuple([CARDS[card] for card in hand])
        first += size
    return dealt


_PACKS = {
    name: indices(pack(size))
    for name, size in (("strohmann", 54), ("taroky", 54), ("troggu", 62), ("grosstarock", 78))
}


def _arrange(cards: list[int], places: Places, wishes: list[Wish]) -> None:
    """Swaps the wished cards to their places; more of them than a place has room for stay where they fell."""
    slots: dict[str, list[int]] = {}
    first = 0
    for where, size in places:
        slots[where] = list(range(first, first + size))
        first += size
    for where, wanted in wishes:
        for card in indices(wanted):
            if slots[where]:
                slot = slots[where].pop()
                old = cards.index(card)
                cards[slot], cards[old] = card, cards[slot]
