"""The list of games. A game is a folder here, and one line below."""

from __future__ import annotations

from typing import Any, NamedTuple

from tarock.core.bots import Bots
from tarock.core.game import GameInfo
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.games.grosstarock.bots import GrosstarockBots
from tarock.games.grosstarock.rules import Grosstarock
from tarock.games.strohmann.bots import StrohmannBots
from tarock.games.strohmann.rules import Strohmann
from tarock.games.taroky.bots import TarokyBots
from tarock.games.taroky.rules import Taroky
from tarock.games.troggu.bots import TrogguBots
from tarock.games.troggu.rules import Troggu


class Game(NamedTuple):
    """A game: its table, whose `info` has the fixed facts and whose folder has the texts, and its
    bots."""

    table: type[Table]
    bots: type[Bots[Any]]

    @property
    def info(self) -> GameInfo:
        """The fixed facts of the game."""
        return self.table.info


#: Id → game, in the order of the rules pages.
GAMES: dict[str, Game] = {
    game.info.id: game
    for game in (
        Game(Strohmann, StrohmannBots),
        Game(Taroky, TarokyBots),
        Game(Troggu, TrogguBots),
        Game(Grosstarock, GrosstarockBots),
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
