"""The list of games. A game is a folder here, and one line below."""

from __future__ import annotations

from typing import Any, NamedTuple

from tarock.game import GameInfo
from tarock.games.grosstarock.rules import Grosstarock
from tarock.games.grosstarock.simulate import GrosstarockPlayers
from tarock.games.strohmann.rules import Strohmann
from tarock.games.strohmann.simulate import StrohmannPlayers
from tarock.games.taroky.rules import Taroky
from tarock.games.taroky.simulate import TarokyPlayers
from tarock.games.troggu.rules import Troggu
from tarock.games.troggu.simulate import TrogguPlayers
from tarock.record import Record
from tarock.simulation import Players
from tarock.table import Table


class Game(NamedTuple):
    """A game: its table, whose `info` has the fixed facts and whose folder has the texts, and its simulated
    players."""

    table: type[Table]
    players: type[Players[Any]]

    @property
    def info(self) -> GameInfo:
        """The fixed facts of the game."""
        return self.table.info


#: Id → game, in the order of the rules pages.
GAMES: dict[str, Game] = {
    game.info.id: game
    for game in (
        Game(Strohmann, StrohmannPlayers),
        Game(Taroky, TarokyPlayers),
        Game(Troggu, TrogguPlayers),
        Game(Grosstarock, GrosstarockPlayers),
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
