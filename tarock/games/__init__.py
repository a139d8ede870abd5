"""The registry of games: the only place that maps a game's id to its rules."""

from __future__ import annotations

from tarock.games.grosstarock import Grosstarock
from tarock.games.info import INFO, GameInfo
from tarock.games.strohmann import Strohmann
from tarock.games.table import Illegal, Table, Trick
from tarock.games.taroky import Taroky
from tarock.games.troggu import Troggu
from tarock.record import Record

__all__ = ["GameInfo", "Illegal", "Table", "Trick", "game", "games", "start"]

TABLES: dict[str, type[Table]] = {t.info.id: t for t in (Strohmann, Taroky, Troggu, Grosstarock)}


def games() -> tuple[GameInfo, ...]:
    """The four games, in the order of the rules pages."""
    return tuple(INFO.values())


def game(name: str) -> GameInfo:
    """The facts of a game by its id; KeyError for another word."""
    return INFO[name]


def start(record: Record) -> Table:
    """The table at the beginning of a record's deal, before its first event."""
    return TABLES[record.game](record)
