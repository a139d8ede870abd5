"""Rule sets: a game and the options of its deals. Points are added up only within a rule set, because points
by other rules are worth something else.

A rule set is its options. The tag `Rules` of a record is only a label: different clubs may give the same name
to different options. So only published rule sets have a name here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tarock.core.game import NO_GAME, UNKNOWN_GAME, GameInfo
from tarock.core.options import Options
from tarock.core.record import Record
from tarock.games import GAMES, profiles
from tarock.notation.faults import Faults
from tarock.notation.options_part import read_options

SEED = "seed"
"""Name of the source rules of all games: no options."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set. `options`: the options that differ from the source rules, in canonical form."""

    game: str
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: str, options: Iterable[str]) -> Rules:
        """Return the rule set of a deal with these options, in canonical form. A deal that has only options
        that the source itself leaves to each table is by the source rules."""
        words = tuple(options)
        return cls(game, () if _info(game).rules.is_of_source(words) else words)

    @property
    def id(self) -> int:
        """Id of the rule set, 0 for the source rules. It is a hash, so that it needs no query."""
        if not self.options:
            return 0
        digest = hashlib.sha256(" ".join([self.game, *self.options]).encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    @property
    def values(self) -> Options:
        """The values of all options."""
        return _info(self.game).rules.of(self.options)

    @property
    def unit(self) -> str:
        """What 1 of the score is: `point`, `h` …"""
        return self.values.unit

    @property
    def name(self) -> str:
        """Name of the published rule set with these options, or an empty string."""
        return _names().get(self, "")

    def as_json(self, record: Record, label: str = "") -> dict[str, Any]:
        """Return the rule set for the API, with the values of all options in a record. `label`: its name in
        the record."""
        options = _info(self.game).rules.of(record.options)
        values = {slug: options.value(slug) for slug in options.table()}
        name = label or self.name or None
        return {"name": name, "filter": self.text, "unit": self.unit, "options": values}

    @property
    def text(self) -> str:
        """The rule set as a value of the filter `rules` (`rules_of`)."""
        return (self.name or " ".join(self.options)) if self.options else SEED


def rules_of(text: str) -> tuple[Rules, ...]:
    """Return the rule sets that a filter means: `seed`, the name of a published rule set, or options as in a
    record, of each game that has them.

    :raises ValueError: if it means none.
    """
    if text == SEED:
        return tuple(Rules(game) for game in (*GAMES, UNKNOWN_GAME))
    if profile := profiles().get(text):
        return (Rules(profile.game, profile.words),)
    games = (*GAMES, UNKNOWN_GAME)
    read = {game: read_options(text.split(), _info(game), Faults()) for game in games}
    found = tuple(Rules.of(game, options) for game, options in read.items() if options)
    if not found:
        raise ValueError(f"“{text}” is no rule set")
    return found


def rules_of_record(record: Record) -> Rules:
    """Return the rule set of a record."""
    return Rules.of(record.game, record.options)


def _info(game: str) -> GameInfo:
    return NO_GAME if game == UNKNOWN_GAME else GAMES[game].info


@cache
def _names() -> Mapping[Rules, str]:
    """Return the names of the published rule sets; of equal ones, the first."""
    return {Rules(one.game, one.words): one.name for one in reversed([*profiles().values()])}
