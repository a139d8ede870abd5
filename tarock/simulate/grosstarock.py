"""Players of Grosstarock."""

from __future__ import annotations

import random
from typing import Any

from tarock.cards import CARDS, COURTS, FOOL_BIT, INDEX, KINGS, TAROCKS, names, value
from tarock.record import Event
from tarock.simulate.players import ALL, LOSE, WIN, Players, worst

_TRUMPS = TAROCKS ^ FOOL_BIT
_HIGH = sum(1 << INDEX[f"T{n}"] for n in range(12, 22))
#: Cards that hardly ever win a trick.
_HARMLESS = sum(1 << INDEX[s + str(n)] for s in "SC" for n in range(1, 8)) | sum(
    1 << INDEX[s + str(n)] for s in "HD" for n in range(4, 11)
)
_NAMES = "SHDCT"


class GrosstarockPlayers(Players):
    """Three active players. Who holds the hand for it goes for every trick, or for none, and announces it
    early, late or never."""

    game = "grosstarock"
    TRUMPS = _TRUMPS

    def __init__(self, table: Any, rng: random.Random) -> None:
        super().__init__(table, rng)
        self.plans: dict[int, list[tuple[str, str]]] = {}
        self.early_skus = rng.random() < 0.25
        self.keeps_skus = rng.random() < 0.1

    def decide(self, seat: str) -> Event:
        table = self.table
        if table.phase == "play":
            if not self.started:
                self.started = True
                self.begin_play()
            if self.plans and not table.trick:
                said = self.speak_up(len(table.tricks) + 1)
                if said is not None:
                    return said
            return (seat, "play", self.token(self.card(seat)))
        return self.speak(seat)

    def speak(self, seat: str) -> Event:
        table = self.table
        if table.phase == "exchange":
            number, ways = table.discard_ways()
            if len(ways) > 1 and self.chance() < 0.7:
                fixed, pool = ways[1]
                return (seat, "discard", *names(fixed | self.put_away(pool, number - fixed.bit_count())))
            fixed, pool = ways[0]
            skus = pool & FOOL_BIT
            if self.chance() > 0.05 and pool.bit_count() > number:
                skus = 0
            return (
                seat,
                "discard",
                *names(skus | self.put_away(pool & ~FOOL_BIT, number - skus.bit_count())),
            )
        items = [word.partition(" ")[2] for word in table.legal_words() if word.startswith("announce ")]
        said = [item for item in items if self.chance() < 0.8]
        if {"matadors", "skus-matadors"} <= {item.partition(":")[0] for item in said}:
            gone = self.rng.choice(("matadors:", "skus-matadors:"))
            said = [item for item in said if not item.startswith(gone)]
        return (seat, "announce", *said) if said else (seat, "pass")

    # -- bolé and null -----------------------------------------------------------------------------

    def begin_play(self) -> None:
        table = self.table
        for seat in table.active:
            hand: int = table.hands[seat]
            high = (hand & (_HIGH | KINGS)).bit_count()
            harmless = (hand & _HARMLESS).bit_count()
            if high >= 10 and (hand & _TRUMPS).bit_count() >= 12:
                self.plan(seat, "bole", ALL)
            elif harmless - (hand & (COURTS | _HIGH)).bit_count() > 9 + 2 * self.chance():
                self.plan(seat, "null", LOSE)
            elif self.chance() < 0.004:
                self.plan(seat, "bole" if self.chance() < 0.5 else "null", WIN)

    def plan(self, seat: str, item: str, goal: str) -> None:
        """A seat goes for it, and will say so before some trick, or never."""
        self.goal[seat] = goal
        chance = self.chance()
        if chance < 0.3:
            number = 1
        elif chance < 0.55:
            number = self.rng.randint(2, 13)
        elif chance < 0.75:
            number = self.rng.randint(8, 20)
        else:
            return
        self.plans.setdefault(number, []).append((seat, item))

    def speak_up(self, number: int) -> Event | None:
        """An announcement planned for this trick that the table still allows."""
        planned = self.plans.get(number)
        if not planned:
            return None
        allowed = self.words()
        while planned:
            seat, item = planned.pop()
            if (seat, "announce", item) in allowed:
                return (seat, "announce", item)
        return None

    # -- cards -------------------------------------------------------------------------------------

    def card(self, seat: str) -> int:
        card = super().card(seat)
        if self.goal[seat] is LOSE and self.table.won[seat]:
            self.goal[seat] = WIN
        return card

    def lead(self, seat: str, legal: int) -> int:
        if legal & FOOL_BIT and legal != FOOL_BIT:
            if not self.keeps_skus and self.chance() < (0.1 if self.early_skus else 0.03):
                return FOOL_BIT
            legal ^= FOOL_BIT
        return super().lead(seat, legal)

    def follow(self, seat: str, legal: int) -> int:
        if legal & FOOL_BIT and legal != FOOL_BIT:
            rest = legal ^ FOOL_BIT
            if self.goal[seat] is not ALL and not self.keeps_skus:
                left = 25 - len(self.table.tricks)
                dear = value(worst(rest)) > 1
                wants = self.early_skus or dear or (left < 8 and self.table.won[seat])
                if wants and self.chance() < 0.3:
                    return FOOL_BIT
            legal = rest
            if not legal & (legal - 1):
                return legal
        return super().follow(seat, legal)

    def token(self, card: int) -> str:
        if card == FOOL_BIT and not self.table.trick:
            words = self.table.tokens(INDEX["T0"])
            return str(self.rng.choice(words))
        return CARDS[card.bit_length() - 1]
