"""The list of games. Each game is a subpackage of this package, and is listed in `GAMES`."""

from __future__ import annotations

from importlib import import_module
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


def start(record: Record) -> Table:
    """Return a new table for the deal of a record, in the state before the first event."""
    return GAMES[record.game].table(record)
