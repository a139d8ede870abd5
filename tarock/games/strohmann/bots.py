"""The bots of Strohmanntarock."""

from __future__ import annotations

import random

from tarock.core.bots import ALL, Bots, Layout, Scene, Wish, random_cards, strength, tarock_run
from tarock.core.cards import BIT, FOOL_BIT, KINGS, PAGAT_BIT, TAROCKS
from tarock.core.record import Event
from tarock.games.strohmann.rules import Strohmann

_ROS, _TOPSCHIN = BIT["T17"], BIT["T18"]
#: Pagat, Uhu and Kakadu.
_BIRDS = tarock_run(3, 1)


def _sweep(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player nearly all tarocks and Kings, enough to take every trick (`strohmann.valat`)."""
    if rng.random() < 0.5:
        return [
            (seat, tarock_run(21, 8) | FOOL_BIT),
            (f"{seat}/1", tarock_run(7, 4)),
            (f"{seat}/2", tarock_run(3, 1) | BIT["SK"]),
            (f"{seat}/3", KINGS & ~BIT["SK"] | BIT["HQ"]),
        ]
    hand = tarock_run(21, 11) | FOOL_BIT | random_cards(rng, KINGS, 3)
    return [(seat, hand), (f"{seat}/2", tarock_run(10, 7))]


class StrohmannBots(Bots[Strohmann]):
    """Bots for two players. They often call T17 and T18 if they hold both, and sometimes call in vain."""

    shapes = (
        _sweep,
        # The high tarocks, so that calls of T17 and T18 succeed (`strohmann.rostopschin`).
        lambda rng, layout, seat: [(seat, tarock_run(21, 17) | FOOL_BIT)],
        # T1, T2, T3 and enough tarocks to win the last tricks with them (`strohmann.uhu`).
        lambda rng, layout, seat: [(seat, _BIRDS | FOOL_BIT | random_cards(rng, tarock_run(21, 12), 8))],
    )
    scene = Scene(
        "Jörg Käthe Hedwig Ödön Rosl Franz Leopold Ágnes Züleyha Sepp Poldi Łukasz Grete Anton Günther",
        ("Kaffeehaus, Nebenzimmer", "Vereinsabend", "Sonntagsrunde"),
        ("Wien", "Graz", "Mürzzuschlag", "Sankt Pölten"),
    )

    def __init__(self, table: Strohmann, rng: random.Random) -> None:
        super().__init__(table, rng)
        #: Random number that decides which of T17 and T18 the players call, even if the call can't score.
        self.calls = rng.random()
        self.called_ros = ""

    def in_bidding(self, seat: str) -> Event:
        dares = strength(self.table.hands[seat]) + self.boldness + 2 * self.chance() > 9
        return (seat, "take") if dares and not self.holds_back else (seat, "pass")

    def begin_play(self) -> None:
        for seat, hand in self.table.hands.items():
            if (hand & TAROCKS).bit_count() >= 16:
                self.goal[seat] = ALL

    def lead(self, seat: str, legal: int) -> int:
        if self.calls < 0.85:
            if self.called_ros == seat and legal & _TOPSCHIN:
                return _TOPSCHIN
            if legal & _ROS and legal & _TOPSCHIN and self.chance() < 0.3:
                return _ROS
        return super().lead(seat, legal & ~_BIRDS or legal)

    def follow(self, seat: str, legal: int) -> int:
        if self.saves_pagat and legal & _BIRDS and legal & ~_BIRDS:
            legal &= ~_BIRDS if self.chance() < 0.9 else ~PAGAT_BIT
        return super().follow(seat, legal) if legal & (legal - 1) else legal

    def token(self, seat: str, card: int) -> str:
        if card == _ROS and (self.calls > 0.9 or (self.calls < 0.7 and self.table.hands[seat] & _TOPSCHIN)):
            self.called_ros = seat
            return "T17(ros)"
        if card == _TOPSCHIN and (self.called_ros == seat or 0.7 < self.calls < 0.75):
            return "T18(topschin)"
        return super().token(seat, card)
