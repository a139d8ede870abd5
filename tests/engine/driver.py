"""Deals played at random by asking the table for its choices: wilder than sensible players, and quick."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count, islice
from typing import Any

import pytest

from tarock.core.cards import INDEX
from tarock.core.findings import Illegal
from tarock.core.record import Event, Record
from tarock.core.table import Table
from tarock.games import start
from tarock.notation import read_one
from tests.engine.builder import SEATS, choices, pack_of, places
from tests.support.effort import DEALS

#: Every game with every number of players.
TABLES = [
    ("strohmann", 2),
    ("taroky", 4),
    *(("troggu", n) for n in range(3, 9)),
    *(("grosstarock", n) for n in (2, 3, 4)),
]
TABLE_IDS = [f"{game}-{players}" for game, players in TABLES]

ALL = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
#: The slowest (all spellings, whole positions) is held to a part of the deals.
FEW = max(DEALS // 10, min(10, DEALS // 3))


def examples(number: int) -> int:
    """Return how many examples hypothesis tries: `number` with 100 deals, in proportion to `DEALS`."""
    return max(10, number * DEALS // 100)


def dealt(game: str, players: int, rng: random.Random) -> dict[str, Any]:
    dealer = SEATS[rng.randrange(players)]
    pack = pack_of(game)
    rng.shuffle(pack)
    deal = {}
    for where, size in places(game, players, dealer).items():
        deal[where], pack = pack[:size], pack[size:]
    options = ["settle-uncontested"] if game == "taroky" and rng.random() < 0.1 else []
    return {
        "tgn": 1,
        "game": game,
        "dealer": dealer,
        "players": {s: f"Player {s}" for s in SEATS[:players]},
        "options": options,
        "tags": {},
        "deal": deal,
        "events": [],
        "comments": {},
    }


def copied(table: Table) -> Table:
    twin = object.__new__(type(table))
    for name in (name for kind in type(table).__mro__ for name in getattr(kind, "__slots__", ())):
        value = getattr(table, name)
        if type(value) is list:
            value = [v[:] if type(v) is list else v for v in value]
        elif type(value) is dict:
            value = {k: [p[:] for p in v] if type(v) is list else v for k, v in value.items()}
        setattr(twin, name, value)
    return twin


def choose(table: Table, rng: random.Random) -> Event:
    """One legal event, at random; discards and announcements are tried until one is legal."""
    seat = table.turn
    assert seat is not None
    legal = table.legal()
    said = [w for w in legal if " " in w or not (w[0].isupper())]
    cards = [w for w in legal if w not in said]
    if table.phase == "play":
        if said and rng.random() < 0.02:
            options = [e for e in choices(table) if e[1] == "announce"]
            if options:
                return rng.choice(options)
        return (seat, "play", rng.choice(cards))
    if table.phase == "bidding":
        # High bids end the fun of the others: make them rarer than passes.
        low = [w for w in said if w in ("pass", "take", "bid first", "bid second")]
        words = rng.choice(low if low and rng.random() < 0.75 else said)
        return (seat, *words.split())
    if cards and (not said or rng.random() < 0.8):
        for number in (1, 3, 4, 6, 7, 8, 10):
            for _ in range(40):
                if number > len(cards):
                    break
                event = (seat, "discard", *rng.sample(cards, number))
                if accepts(table, event):
                    return event
        for event in choices(table):
            if event[1] == "discard":
                return event
    items = [w.split()[1] for w in said if w.startswith("announce ")]
    if items and rng.random() < 0.5:
        chosen = rng.sample(items, rng.randint(1, min(3, len(items))))
        if accepts(table, (seat, "announce", *chosen)):
            return (seat, "announce", *chosen)
    words = rng.choice([w for w in said if not w.startswith("announce ")] or said)
    return (seat, *words.split())


def accepts(table: Table, event: Event) -> bool:
    try:
        copied(table).apply(event)
    except Illegal:
        return False
    return True


def random_record(game: str, players: int, seed: int) -> Record:
    rng = random.Random(f"{game} {players} {seed}")
    form = dealt(game, players, rng)
    table = start(read_one(json.dumps(form)))
    while not table.over:
        event = choose(table, rng)
        table.apply(event)
        form["events"].append(list(event))
    return read_one(json.dumps(form))


@cache
def pool(game: str, players: int) -> tuple[Iterator[Record], Iterator[Record], list[Record], list[Record]]:
    """Endless simulated deals and deals at random, and those of them that were made so far."""
    from tarock.analysis.simulate import simulate

    wild = (random_record(game, players, n) for n in count())
    return simulate(game, players=players, deals=10**6, seed=1), wild, [], []


def deals(game: str, players: int, number: int) -> Iterator[Record]:
    """Simulated deals and deals at random, half of each: the same ones for every property."""
    sensible, wild, made_sensible, made_wild = pool(game, players)
    half = number - number // 2
    made_sensible += islice(sensible, max(0, half - len(made_sensible)))
    made_wild += islice(wild, max(0, number - half - len(made_wild)))
    yield from made_sensible[:half]
    yield from made_wild[: number - half]


def in_play(record: Record) -> list[str]:
    """The cards of the pack but those of a stock."""
    return [card for card in pack_of(record.game) if any(card in cards for cards in record.deal.values())]


def some_steps(record: Record, rng: random.Random) -> list[int]:
    """Return the end and a few more steps, some of them before the play."""
    spoken = [n for n, event in enumerate(record.events) if event[1] != "play"]
    steps = {len(record.events), *rng.sample(spoken, min(2, len(spoken))), rng.randrange(len(record.events))}
    return sorted(steps)


def renamed(record: Record) -> Record:
    """Return a deal with spades and clubs, and hearts and diamonds, in each other's place: they have the same
    cards."""

    def of(word: str) -> str:
        return word[0].translate(_OTHER) + word[1:] if word in INDEX else word

    deal = {place: tuple(map(of, cards)) for place, cards in record.deal.items()}
    return replace(record, deal=deal, events=[tuple(map(of, event)) for event in record.events])


_OTHER = str.maketrans("SHDC", "CDHS")
