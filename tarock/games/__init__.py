"""The list of games. A game is a folder here, and one line below."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from tarock.core.game import GameInfo
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.games.grosstarock.rules import Grosstarock
from tarock.games.strohmann.rules import Strohmann
from tarock.games.taroky.rules import Taroky
from tarock.games.troggu.rules import Troggu

if TYPE_CHECKING:
    from tarock.core.bots import Bots


class Game(NamedTuple):
    """A game: its table, whose `info` has the fixed facts and whose folder has the texts and the bots."""

    table: type[Table]

    @property
    def folder(self) -> str:
        """The package that the rules of the game are in."""
        return self.table.__module__.rpartition(".")[0]

    @property
    def bots(self) -> type[Bots[Any]]:
        """The bots of the game. They are imported only to deal and play: a tenth of every other start."""
        bots: type[Bots[Any]] = getattr(import_module(".bots", self.folder), f"{self.table.__name__}Bots")
        return bots

    @property
    def info(self) -> GameInfo:
        """The fixed facts of the game."""
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


def games() -> tuple[GameInfo, ...]:
    """The facts of all games, in the order of the rules pages."""
    return tuple(game.info for game in GAMES.values())


def game(name: str) -> GameInfo:
    """The facts of a game by its id; KeyError for another word."""
    return GAMES[name].info


def start(record: Record) -> Table:
    """The table at the beginning of a record's deal, before its first event."""
    return GAMES[record.game].table(record)
