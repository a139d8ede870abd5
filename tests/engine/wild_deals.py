"""Deals of all kinds: sensible, at random, and settled by any house rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from tarock.core.record import Record
from tarock.games import game as info_of
from tests.engine.driver import pool
from tests.engine.test_options import random_words


def wild_deals(game: str, players: int, seed: int) -> Iterator[Record]:
    """Simulated deals and deals at random, alternately; every third one with any options of its game."""
    sensible, wild, made_sensible, made_wild = pool(game, players)
    rng = random.Random(seed)
    for n in count():
        made, more = ((made_sensible, sensible), (made_wild, wild))[n % 2]
        while len(made) <= n // 2:
            made.append(next(more))
        record = made[n // 2]
        if n % 3 == 2:
            words = info_of(game).rules.of(random_words(rng, game)).words()
            record = replace(record, options=words)
        yield record
