"""The bots of Grosstarock."""

from __future__ import annotations

import random

from tarock.core.bots import (
    ALL,
    LOSE,
    PIPS,
    WIN,
    Bots,
    Layout,
    Scene,
    Wish,
    random_cards,
    tarock_run,
    top,
    worst,
)
from tarock.core.cards import (
    BIT,
    CAVALIERS,
    COURTS,
    FOOL,
    FOOL_BIT,
    JACKS,
    KINGS,
    MOND_BIT,
    PAGAT_BIT,
    QUEENS,
    SUIT_SET,
    TAROCKS,
    bits,
    names,
    pack,
    value,
)
from tarock.core.record import Event
from tarock.games.grosstarock.rules import Grosstarock

_TRUMPS = TAROCKS ^ FOOL_BIT
_HIGH = tarock_run(21, 12)
#: Cards that hardly ever win a trick.
_HARMLESS = bits(s + str(n) for s in "SC" for n in range(1, 8)) | bits(
    s + str(n) for s in "HD" for n in range(4, 11)
)


def _null(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player low cards, often with Sküs, Pagat or a King (`grosstarock.null`, `…null-refund`)."""
    low = random_cards(rng, _HARMLESS, 20) | random_cards(rng, tarock_run(7, 2), 3)
    extra = [0, PAGAT_BIT, FOOL_BIT, random_cards(rng, KINGS, 1), PAGAT_BIT | random_cards(rng, KINGS, 1)]
    return [(seat, low | rng.choice(extra))]


def _matadors(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player the trull and runs with or without gaps (`grosstarock.declare-matadors`)."""
    run = FOOL_BIT | MOND_BIT | PAGAT_BIT
    run |= tarock_run(20, rng.randint(17, 21)) | tarock_run(rng.randint(1, 4), 2)
    if rng.random() < 0.5:
        run = (run | BIT["T19"] | BIT["T3"]) & ~rng.choice([BIT["T20"], BIT["T2"]])
    return [(seat, run)]


def _courts(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player court cards that score together (`grosstarock.declare-cavallery`, `…four`, `…kings`)."""
    suit = SUIT_SET[rng.choice("SHDC")] & COURTS
    if rng.random() < 0.3:
        others = bits(s + rng.choice("QCJK") for s in "SHDC")
    else:
        others = rng.choice((QUEENS, KINGS, CAVALIERS, JACKS))
    return [(seat, suit | others | (FOOL_BIT if rng.random() < 0.6 else 0))]


def _ladons(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give a player at least fifteen pip cards, sometimes with the Sküs (`grosstarock.declare-ladons`)."""
    fool = FOOL_BIT if rng.random() < 0.5 else 0
    return [(seat, fool | random_cards(rng, pack(78) & PIPS, rng.randint(15, 20)))]


def _few_tarocks(rng: random.Random, layout: Layout, seat: str) -> list[Wish]:
    """Give the dealer so few tarocks that they may all be discarded (`grosstarock.discard`)."""
    extra = rng.choice([0, FOOL_BIT, random_cards(rng, tarock_run(9, 2), 1)])
    second = 0 if extra and rng.random() < 0.5 else random_cards(rng, tarock_run(20, 10), 1)
    plain = pack(78) & ~TAROCKS
    hand = PAGAT_BIT | extra | second
    hand |= random_cards(rng, plain, 25 - hand.bit_count())
    return [(layout.dealer, hand), ("talon", random_cards(rng, plain & ~hand, 3))]


class GrosstarockBots(Bots[Grosstarock]):
    """Bots for two or three active players. A player with a suitable hand tries to take every trick or, with
    three players, no trick. With three players, they may announce this goal early, late or never."""

    shapes = (
        # A hand that can take every trick (`grosstarock.bole`).
        lambda rng, layout, seat: [(seat, top(_TRUMPS, rng.randint(16, 21)) | KINGS)],
        _null,
        _matadors,
        _courts,
        _ladons,
        # The Sküs and a whole suit, so that naming this suit has no effect (`grosstarock.skus-lead`).
        lambda rng, layout, seat: [(seat, FOOL_BIT | SUIT_SET[rng.choice("SHDC")])],
        _few_tarocks,
    )
    scene = Scene(
        "Søren Åse Jørgen Bjørn Ærtha Kirsten Gudrun Frøydis Mogens Høgni Inge Ågot Viggo Þóra Aksel Öyvind",
        ("Onsdagsklubben", "Tarokaften", "Fynsk mesterskab"),
        ("København", "Ærøskøbing", "Rudkøbing", "Tórshavn"),
    )
    trumps = _TRUMPS

    def __init__(self, table: Grosstarock, rng: random.Random) -> None:
        super().__init__(table, rng)
        #: Trick number → announcements planned before that trick: (seat, `bole` or `null`).
        self.plans: dict[int, list[tuple[str, str]]] = {}
        #: Seats that announced null and have not taken a trick.
        self.announced_null: set[str] = set()
        self.early_skus = rng.random() < 0.25
        self.keeps_skus = rng.random() < 0.1

    def in_exchange(self, seat: str) -> Event:
        """Return the dealer's discard: usually all tarocks if that is allowed, otherwise rarely the Sküs."""
        number, choices = self.table.discard_choices()
        if len(choices) > 1 and self.chance() < 0.7:
            fixed, pool = choices[1]
        else:
            fixed, pool = choices[0]
            if self.chance() <= 0.05 or pool.bit_count() <= number:
                fixed |= pool & FOOL_BIT
        chosen = self.pick_discards(pool & ~FOOL_BIT, number - fixed.bit_count())
        return (seat, "discard", *names(fixed | chosen))

    def in_declaring(self, seat: str) -> Event:
        """Return most of the declarations that the seat may make, or a pass."""
        items = [word.partition(" ")[2] for word in self.table.legal_words() if word.startswith("announce ")]
        chosen = [item for item in items if self.chance() < 0.8]
        if {"matadors", "skus-matadors"} <= {item.partition(":")[0] for item in chosen}:
            dropped = self.rng.choice(("matadors:", "skus-matadors:"))
            chosen = [item for item in chosen if not item.startswith(dropped)]
        ladons = [item for item in chosen if item.startswith("ladons:")]
        if len(ladons) > 1:
            # Keep one number: a seat may declare ladons with or without the Sküs, but not both.
            chosen.remove(min(ladons))
        return (seat, "announce", *chosen) if chosen else (seat, "pass")

    # -- bolé and null -----------------------------------------------------------------------------

    def begin_play(self) -> None:
        for seat in self.table.active:
            hand = self.table.hands[seat]
            high = (hand & (_HIGH | KINGS)).bit_count()
            harmless = (hand & _HARMLESS).bit_count()
            if high >= 10 and (hand & _TRUMPS).bit_count() >= 12:
                self.plan(seat, "bole", ALL)
            elif self.table.for_two:
                continue
            elif harmless - (hand & (COURTS | _HIGH)).bit_count() > 9 + 2 * self.chance():
                self.plan(seat, "null", LOSE)
            elif self.chance() < 0.004:
                self.plan(seat, "bole" if self.chance() < 0.5 else "null", WIN)

    def plan(self, seat: str, item: str, goal: str) -> None:
        """Make a seat try for bolé or null, and plan to announce it before a random trick, or never."""
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

    def play(self, seat: str) -> Event:
        return (not self.table.trick and self.announcement(seat)) or super().play(seat)

    def announcement(self, seat: str) -> Event | None:
        """Return an announcement that is planned for this trick and still allowed; None if there is none."""
        planned = self.plans.setdefault(len(self.table.tricks) + 1, [])
        if seat in self.announced_null and self.table.won[seat]:
            # A player who won a trick despite null announces bolé instead, if it is still allowed.
            self.announced_null.remove(seat)
            planned.append((seat, "bole"))
        allowed = list(self.table.phase_events()) if planned else []
        while planned:
            speaker, item = planned.pop()
            if (speaker, "announce", item) in allowed:
                if item == "null":
                    self.announced_null.add(speaker)
                return (speaker, "announce", item)
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
            legal ^= FOOL_BIT
            if self.goal[seat] is not ALL and not self.keeps_skus:
                left = 25 - len(self.table.tricks)
                wants = self.early_skus or value(worst(legal)) > 1 or (left < 8 and self.table.won[seat])
                if wants and self.chance() < 0.3:
                    return FOOL_BIT
            if not legal & (legal - 1):
                return legal
        return super().follow(seat, legal)

    def token(self, seat: str, card: int) -> str:
        if card == FOOL_BIT and not self.table.trick:
            return self.rng.choice(self.table.tokens(FOOL))
        return super().token(seat, card)
