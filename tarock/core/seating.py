"""The organisation of an evening: seating, next dealer, ranking, and distribution of players over tables.

The players at a table are listed in seat order. If a table has more players than a deal has seats, the dealer
sits out and, if there are still too many, so do the players just before the dealer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tarock.core.game import GameInfo

Who = TypeVar("Who", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Seats:
    """The seating of one deal of an evening."""

    number: int  # number of the deal
    players: dict[str, str]  # seat → name
    dealer: str  # seat of the dealer, or the seat before forehand if the dealer sits out
    deals: str  # name of the dealer
    out: tuple[str, ...]  # players who sit out
    turn: tuple[str, ...]  # all players at the table, starting after the dealer


def seated(
    info: GameInfo, table: Sequence[str], seats: int, deals: str, number: int, out: Sequence[str] = ()
) -> Seats:
    """Return the seating of a deal. `table`: players in seat order; `seats`: number of players in a deal;
    `deals`: name of the dealer; `number`: number of the deal; `out`: players who sit out. If `out` has the
    wrong number of players, the players whose turn it is sit out instead."""
    at = table.index(deals)
    # All players at the table, from the one after the dealer to the dealer.
    turn = (*table[at + 1 :], *table[: at + 1])
    letters = info.seat_letters(seats)
    sit_out = [name for name in turn if name in out]
    if len(sit_out) != len(table) - seats:
        sit_out = list(turn[seats:])
    # If nobody sits out, the players keep their seats.
    playing = [name for name in turn if name not in sit_out] if sit_out else table
    dealer = letters[-1 if sit_out else at]
    return Seats(number, dict(zip(letters, playing, strict=True)), dealer, deals, tuple(sit_out), turn)


def seats_at(info: GameInfo, players: int, wanted: int = 0) -> int:
    """Return the number of seats in a deal at a table with this number of players: `wanted` if possible,
    otherwise the highest possible number, or 0 if there are too few players for the game."""
    possible = [number for number in info.seats if number <= players]
    return wanted if wanted in possible else max(possible, default=0)


def next_dealer(table: Sequence[str], first: str, played: Iterable[Sequence[str]]) -> str:
    """Return the dealer of the next deal. `first`: the first dealer; `played`: for each deal so far, its
    players in the order of play from forehand, or `()` if it was thrown in and the dealer is unknown.

    >>> next_dealer(["Alena", "Bořek", "Cyril", "Dana"], "Dana", [("Alena", "Bořek", "Cyril", "Dana"), ()])
    'Bořek'
    """
    turn: Sequence[str] = (first,)
    for players in played:
        # Forehand deals next. If the dealer is unknown, assume that it was the player next in turn.
        at = table.index(_first_there(table, turn)) + 1
        turn = players or (*table[at:], *table[:at])
    return _first_there(table, turn)


def _first_there(table: Sequence[str], turn: Iterable[str]) -> str:
    """Return the first player in the order `turn` who is still at the table; if none is, `table[0]`."""
    return next((name for name in turn if name in table), table[0])


def places(totals: Mapping[Who, float]) -> dict[Who, int]:
    """Rank players by total or mean, highest first. Players with equal values share a rank.

    >>> places({"Alena": 40, "Bořek": -80, "Cyril": 40})
    {'Alena': 1, 'Cyril': 1, 'Bořek': 3}
    """
    ranked = sorted(totals, key=lambda who: -totals[who])
    found: dict[Who, int] = {}
    for number, who in enumerate(ranked, 1):
        before = ranked[number - 2]
        found[who] = found[before] if number > 1 and totals[before] == totals[who] else number
    return found


def tables_by_place(
    players: Sequence[Who], tables: int, seats: int, *, snake: bool = False
) -> tuple[list[list[Who]], list[Who]]:
    """Distribute players over tables with up to `seats` seats each. `players`: players by rank, best first.
    Players of similar rank sit together. With `snake`, distribute the players back and forth, so that all
    tables are equally strong. Return the tables, whose sizes differ by at most one, and the lowest-ranked
    players if there are no seats for them.

    >>> tables_by_place(range(1, 9), 2, 4)
    ([[1, 2, 3, 4], [5, 6, 7, 8]], [])
    >>> tables_by_place(range(1, 9), 2, 4, snake=True)
    ([[1, 4, 5, 8], [2, 3, 6, 7]], [])
    """
    seated, rest = list(players[: tables * seats]), list(players[tables * seats :])
    found: list[list[Who]] = [[] for _table in range(tables)]
    if snake:
        for at, who in enumerate(seated):
            row, column = divmod(at, tables)
            found[tables - 1 - column if row % 2 else column].append(who)
    else:
        each, more = divmod(len(seated), tables)
        for number, table in enumerate(found):
            start = number * each + min(number, more)
            table += seated[start : start + each + (number < more)]
    return [table for table in found if table], rest
