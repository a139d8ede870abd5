"""Simulation of any number of deals with sensible players, at tables of any allowed size.

The deals are for tests, for demonstrations, and to fill an archive, so covering everything that can happen in
a game matters more than good play. Some players are bold and some timid, some cards are played on a whim, and
some deals are *shaped*: one seat gets a rare hand, so that an event that usually occurs once in ten thousand
deals occurs once in a few hundred. The bots of each game are in `tarock/games/<game>/bots.py`.

>>> one, two = simulate("taroky", deals=2, seed=7)
>>> one.tags["Deal"], two.tags["Deal"], two.dealer == "ABCDA"["ABCD".index(one.dealer) + 1]
('1', '2', True)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any

from tarock.core.bots import Bots, Layout, Scene, Shape
from tarock.core.cards import CARDS, indices, pack
from tarock.core.game import GameInfo
from tarock.core.record import Record
from tarock.core.scoring import add_up
from tarock.games import GAMES, start
from tarock.notation.faults import Faults
from tarock.notation.options_part import read_options
from tarock.words import sentences

#: Proportion of shaped deals.
SHAPED = 0.15
#: Proportion of records that include a score written down by the players, which is always correct.
CLAIMED = 0.6


class SimulationError(ValueError):
    """Error for an invalid game, number of players, option or number of deals."""


def simulate(
    game: str, *, players: int | None = None, deals: int, seed: int, options: Sequence[str] = ()
) -> Iterator[Record]:
    """Yield simulated deals that are all `verified`.

    The same arguments give the same records, in any process and on any machine. A higher number of deals only
    adds records. `players`: number of seats, by default the usual number for the game; `options`: table
    options of all records. The deals come in sessions, in which the dealer changes according to the rules.

    :raises SimulationError: immediately, for arguments that the game does not allow.
    """
    if game not in GAMES:
        raise SimulationError(f"“{game}” is no game; expected {' '.join(GAMES)}")
    info = GAMES[game].info
    number = info.usual_seats if players is None else players
    if number not in info.seats:
        allowed = " or ".join(map(str, info.seats))
        raise SimulationError(f"{info.name} has no table of {number} players; expected {allowed}")
    faults = Faults()
    words = read_options([*dict.fromkeys(options)], info, faults)
    if words is None:
        raise SimulationError(sentences.message(faults.found[0].finding(), info.id))
    if deals < 0:
        raise SimulationError(f"{deals} deals cannot be dealt")
    return _records(info, GAMES[info.id].bots, number, deals, seed, words)


def _records(
    info: GameInfo, bots: type[Bots[Any]], number: int, deals: int, seed: int, options: tuple[str, ...]
) -> Iterator[Record]:
    rng = random.Random(f"{info.id} {number} {seed}")
    cards = indices(pack(info.pack))
    for dealer, names, tags in islice(_sessions(info, bots.scene, number, rng), deals):
        shapes = bots.shapes if rng.random() < SHAPED else ()
        deal = _deal(info, number, dealer, rng, cards[:], shapes)
        record = Record(
            info=info, dealer=dealer, players=names, options=options, tags=tags, deal=deal, events=[]
        )
        table = start(record)
        players = bots(table, rng)
        while table.turn is not None:
            event = players.decide(table.turn)
            table.apply(event)
            record.events.append(event)
        if rng.random() < CLAIMED:
            record.score = add_up(record.seats, table.settle(table.outcome()))
        yield record


def _sessions(
    info: GameInfo, scene: Scene, number: int, rng: random.Random
) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Yield the dealer, the names by seat and the tags of each deal, in an infinite series of sessions.

    A session is a number of rounds with the same players, in which each player deals once per round. The
    first dealer is chosen at random.
    """
    letters = info.seat_letters(number)
    everyone = scene.names.split()
    day = date(2024, 1, 5) + timedelta(days=rng.randrange(300))
    tables: dict[str, int] = {}
    while True:
        names = dict(zip(letters, rng.sample(everyone, number), strict=True))
        day += timedelta(days=rng.choice((0, 0, 1, 7)))
        if day.year > 2025:
            # Go back to 2024, so that no deal is dated in the future.
            day = day.replace(year=2024)
        written = day.isoformat()
        if rng.random() < 0.05:
            written = written[:8] + "??"
        tables[written] = tables.get(written, 0) + 1
        tags = {"Date": written}
        if rng.random() < 0.7:
            tags["Event"] = rng.choice(scene.events)
        if rng.random() < 0.5:
            tags["Site"] = rng.choice(scene.sites)
        tags["Session"] = f"{written} {info.id} table {tables[written]}"
        recorder = {"Recorder": rng.choice(list(names.values()))} if rng.random() < 0.3 else {}
        first = rng.randrange(number)
        for count in range(number * rng.randint(1, 4)):
            dealer = letters[(first + count) % number]
            yield dealer, dict(names), tags | {"Deal": str(count + 1)} | recorder


def _deal(
    info: GameInfo,
    number: int,
    dealer: str,
    rng: random.Random,
    cards: list[int],
    shapes: Sequence[Shape],
) -> dict[str, tuple[str, ...]]:
    """Shuffle the cards and deal them to the places of a record. If there are `shapes`, apply a random one,
    which gives a seat a rare hand."""
    rng.shuffle(cards)
    slots: dict[str, range] = {}
    for place, size in info.places(number, dealer):
        first = sum(map(len, slots.values()))
        slots[place] = range(first, first + size)
    if shapes:
        seats = tuple(place for place in slots if len(place) == 1)
        after = next((i for i, seat in enumerate(seats) if seat > dealer), 0)
        sizes = {place: len(where) for place, where in slots.items()}
        layout = Layout(sizes, seats[after:] + seats[:after], dealer)
        free = {place: list(where) for place, where in slots.items()}
        for place, wanted in rng.choice(shapes)(rng, layout, rng.choice(seats)):
            for card in indices(wanted):
                # If the place is already full, the card stays where it was dealt.
                if free[place]:
                    slot, old = free[place].pop(), cards.index(card)
                    cards[slot], cards[old] = card, cards[slot]
    dealt = {}
    for place, where in slots.items():
        hand = cards[where.start : where.stop]
        if not info.is_ordered(place):
            hand.sort()
        dealt[place] = tuple([CARDS[card] for card in hand])
    return dealt
