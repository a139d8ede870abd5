"""The list of games. Each game is a subpackage of this package, and is listed in `GAMES`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, NamedTuple

from tarock.core.game import GameInfo
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.games.grosstarock import bga
from tarock.games.grosstarock.rules import Grosstarock
from tarock.games.strohmann.rules import Strohmann
from tarock.games.taroky.rules import Taroky
from tarock.games.troggu.rules import Troggu

if TYPE_CHECKING:
    from tarock.core.bots import Bots


class Game(NamedTuple):
    """A game: the table class with its constants (`info`), and the package with its texts and bots."""

    table: type[Table]

    @property
    def folder(self) -> str:
        """Dotted name of the package that contains the game."""
        return self.table.__module__.rpartition(".")[0]

    @property
    def bots(self) -> type[Bots[Any]]:
        """Class of the game's bots. It is imported on first use, because importing the bots at startup would
        slow the start of each process by a tenth."""
        bots: type[Bots[Any]] = getattr(import_module(".bots", self.folder), f"{self.table.__name__}Bots")
        return bots

    @property
    def info(self) -> GameInfo:
        return self.table.info


class Profile(NamedTuple):
    """A published rule set of a game. It is never edited; a correction is a new version."""

    name: str  # such as `vysocina@1`
    game: str
    words: tuple[str, ...]  # options that differ from the default, in canonical form
    #: Slug of an option → origin of its value: `S` (the source says so), `I` (inferred) or `A` (the source is
    #: silent, so the value of the source rules applies), and the key of the reason, if there is one.
    origins: Mapping[str, tuple[str, str]]
    source: str  # the text that the rule set comes from; empty for the source rules
    source_note: str  # key of a note on the source, such as how much of it can be read; may be empty


#: Id → game, in the order of the rules pages.
GAMES: dict[str, Game] = {
    game.info.id: game
    for game in (
        Game(Strohmann),
        Game(Taroky),
        Game(Troggu),
        Game(Grosstarock),
    )
}


LOGS = (bga,)
"""Modules that read the logs of other sites: `is_log(text)`, and `read_log(text)`."""


def games() -> tuple[GameInfo, ...]:
    """Return the constants of all games, in the order of the rules pages."""
    return tuple(game.info for game in GAMES.values())


def game(name: str) -> GameInfo:
    """Return the constants of the game with this id. Raise KeyError if there is no such game."""
    return GAMES[name].info


# The files don't change while the program runs, and most records name no rules, so read them on first use.
@cache
def profiles() -> Mapping[str, Profile]:
    """Return all published profiles: name → profile."""
    found = {}
    for game_id, game in GAMES.items():
        file = resources.files(game.folder) / "profiles.json"
        for title, rows in json.loads(file.read_text(encoding="utf-8")).items():
            rules, source, note = game.info.rules, rows.pop("source", ""), rows.pop("source-note", "")
            values = rules.of([rules.table()[slug].word(row[0]) for slug, row in rows.items()])
            origins = {slug: (row[1], row[2] if len(row) > 2 else "") for slug, row in rows.items()}
            found[title] = Profile(title, game_id, values.words(), origins, source, note)
    return found


def profiles_of(game_id: str) -> list[Profile]:
    """Return the published profiles of a game; the first is that of its source."""
    return [profile for profile in profiles().values() if profile.game == game_id]


def start(record: Record) -> Table:
    """Return a new table for the deal of a record, in the state before the first event."""
    return GAMES[record.game].table(record)
