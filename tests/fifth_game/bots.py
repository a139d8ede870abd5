"""The bots of Zweier."""

from __future__ import annotations

import random

from tarock.core.bots import Bots, Layout, Scene, Wish, strength, tarock_run
from tarock.core.cards import KINGS
from tarock.core.record import Event
from tests.fifth_game.rules import Zweier


def _pagat(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """High tarocks and the Pagat (`zweier.pagat`)."""
    return [(seat, tarock_run(21, 12) | tarock_run(1, 1))]


class ZweierBots(Bots[Zweier]):
    """Two players who declare what they have."""

    shapes = (_pagat,)
    scene = Scene("Ada Emil Ida Otto", ("A rainy day",), ("Nowhere",))

    def speak(self, seat: str) -> Event:
        hand = self.table.hands[seat]
        if self.table.phase == "declaring":
            return (seat, "declare", "kings") if (hand & KINGS).bit_count() >= 2 else (seat, "pass")
        return (seat, "take" if strength(hand) + self.boldness > 6 else "pass")
