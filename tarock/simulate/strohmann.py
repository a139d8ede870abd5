"""Players of Strohmanntarock."""

from __future__ import annotations

import random
from typing import Any

from tarock.cards import INDEX, PAGAT_BIT, TAROCKS
from tarock.record import Event
from tarock.simulate.players import ALL, Players, strength

_ROS, _TOPSCHIN = 1 << INDEX["T17"], 1 << INDEX["T18"]
_BIRDS = sum(1 << INDEX[c] for c in ("T1", "T2", "T3"))


class StrohmannPlayers(Players):
    """Two players; who holds T17 and T18 likes to call them, and now and then calls in vain."""

    game = "strohmann"

    def __init__(self, table: Any, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.calls = rng.random()
        self.called_ros = ""

    def speak(self, seat: str) -> Event:
        hand = self.table.hands[seat]
        dares = strength(hand) + self.boldness + 2 * self.chance() > 9
        return (seat, "take") if dares and not self.lurks else (seat, "pass")

    def begin_play(self) -> None:
        hands = self.table.hands
        for seat in hands:
            if (hands[seat] & TAROCKS).bit_count() >= 16:
                self.goal[seat] = ALL

    def lead(self, seat: str, legal: int) -> int:
        if self.calls < 0.85 and legal & (_ROS | _TOPSCHIN):
            if self.called_ros == seat and legal & _TOPSCHIN:
                return _TOPSCHIN
            if legal & _ROS and legal & _TOPSCHIN and self.chance() < 0.3:
                return _ROS
        keep = legal & ~_BIRDS
        return super().lead(seat, keep or legal)

    def follow(self, seat: str, legal: int) -> int:
        if self.saves_pagat and legal & _BIRDS and legal & ~_BIRDS:
            legal &= ~_BIRDS if self.chance() < 0.9 else ~PAGAT_BIT
        return super().follow(seat, legal) if legal & (legal - 1) else legal

    def token(self, card: int) -> str:
        seat = self.table.turn
        if card == _ROS and (self.calls > 0.9 or (self.calls < 0.7 and self.table.hands[seat] & _TOPSCHIN)):
            self.called_ros = seat
            return "T17(ros)"
        if card == _TOPSCHIN and (self.called_ros == seat or 0.7 < self.calls < 0.75):
            return "T18(topschin)"
        return super().token(card)
