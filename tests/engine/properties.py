"""Shared code of the property tests."""

from __future__ import annotations

import random

import pytest

from tarock.core.record import Record
from tests.engine.builder import pack_of
from tests.engine.driver import DEALS, TABLE_IDS, TABLES

ALL = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_IDS)
#: The slowest (all spellings, whole positions) is held to a part of the deals.
FEW = max(10, DEALS // 10)


def in_play(record: Record) -> list[str]:
    """The cards of the pack but those of a stock."""
    return [card for card in pack_of(record.game) if any(card in cards for cards in record.deal.values())]


def some_steps(record: Record, rng: random.Random) -> list[int]:
    """Return the end and a few more steps, some of them before the play."""
    spoken = [n for n, event in enumerate(record.events) if event[1] != "play"]
    steps = {len(record.events), *rng.sample(spoken, min(2, len(spoken))), rng.randrange(len(record.events))}
    return sorted(steps)
