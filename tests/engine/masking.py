"""Deals with some cards hidden, complete or broken off."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from tarock.core.record import Record
from tarock.notation import read_value, write_json
from tests.engine.driver import TABLES, random_record

Json = dict[str, Any]
#: Deals at random from one seed on; simulated ones come in as many sessions.
_BATCH = 20


def some_deals(game: str, number: int, seed: str) -> Iterator[Record]:
    """Deals of a game at tables of every size, half of them simulated, half played at random."""
    from tarock.analysis.simulate import simulate

    sizes = [players for other, players in TABLES if other == game]
    rng = random.Random(f"{game} {seed}")
    for batch in range(-(-number // _BATCH)):
        players, first = sizes[batch % len(sizes)], rng.randrange(10**9)
        options = ("settle-uncontested",) if game == "taroky" and batch % 4 == 0 else ()
        made = partial(simulate, game, players=players, seed=first, options=options)
        half = min(_BATCH, number - batch * _BATCH)
        yield from made(deals=half - half // 2)
        yield from (random_record(game, players, first + n) for n in range(half // 2))


def cut(form: Json, rng: random.Random) -> Json:
    """The first events of a record; every other time few of them, since most are plays."""
    said = sum(event[1] != "play" for event in form["events"])
    end = rng.randrange(1, (said + 3 if rng.random() < 0.5 else len(form["events"])) + 1)
    return form | {"events": form["events"][:end], "comments": {}}


def hide(form: Json, rng: random.Random) -> Json:
    """Return a record with some cards unknown: whole places, single cards, discards."""
    share, single = rng.choice((0, 0.2, 0.5, 0.8, 1)), rng.choice((0, 0.1, 0.3, 0.6))
    deal = {place: list(cards) for place, cards in form["deal"].items() if rng.random() >= share}
    if rng.random() < 0.3:
        deal.pop("talon", None)
    if rng.random() < 0.3:
        one = rng.choice(list(form["deal"]))
        deal = {place: list(cards) for place, cards in form["deal"].items() if place != one}
    for place, cards in deal.items():
        deal[place] = ["?" if rng.random() < single else card for card in cards]
    events = [list(event) for event in form["events"]]
    unknown = rng.choice((0, 0, 0.5, 1))
    for event in events:
        if event[1] == "discard":
            event[2:] = ["?" if rng.random() < unknown else card for card in event[2:]]
    return form | {"deal": deal, "events": events}


def masked(record: Record, rng: random.Random) -> tuple[Record, Record]:
    """A record, half the time broken off, and the same with unknown cards. Its claim is left out."""
    form = write_json(record)
    form.pop("score", None)
    form = cut(form, rng) if rng.random() < 0.5 else form
    return read_value(form), read_value(hide(form, rng))
