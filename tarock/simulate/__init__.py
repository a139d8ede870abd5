"""Simulated deals: players who play sensibly, at tables of any allowed size, as many deals as wanted.

They serve as test data, as demonstration, and to fill an archive. So it matters less that they play well
than that everything that a game knows happens: a part of the players is bold or timid, a part of the moves a
whim, and a part of the deals is *shaped* (`tarock.simulate.dealing`), so that hands that come up once in ten
thousand deals come up once in some hundreds. What is legal the table says; no rule stands here.

>>> one, two = simulate("taroky", deals=2, seed=7)
>>> one.tags["Deal"], two.tags["Deal"], two.dealer == "ABCDA"["ABCD".index(one.dealer) + 1]
('1', '2', True)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tarock.games import GameInfo, game, start
from tarock.record import Record
from tarock.scoring import add_up
from tarock.simulate.dealing import deal
from tarock.simulate.grosstarock import GrosstarockPlayers
from tarock.simulate.players import Players
from tarock.simulate.sessions import sessions
from tarock.simulate.strohmann import StrohmannPlayers
from tarock.simulate.taroky import TarokyPlayers
from tarock.simulate.troggu import TrogguPlayers

__all__ = ["SHAPED", "SimulationError", "simulate"]

#: The part of the deals that is shaped.
SHAPED = 0.15
#: The part of the records whose players wrote their (right) score down.
CLAIMED = 0.6

_PLAYERS: dict[str, type[Players]] = {
    p.game: p for p in (StrohmannPlayers, TarokyPlayers, TrogguPlayers, GrosstarockPlayers)
}


class SimulationError(ValueError):
    """What was asked for cannot be dealt: no such game, number of players, option or number of deals."""


def _checked(name: str, players: int | None, deals: int, options: Sequence[str]) -> tuple[GameInfo, int]:
    try:
        info = game(name)
    except KeyError:
        raise SimulationError(f"“{name}” is no game; expected {' '.join(_PLAYERS)}") from None
    number = info.seats[0] if players is None else players
    if number not in info.seats:
        allowed = " or ".join(map(str, info.seats))
        raise SimulationError(f"{info.name} has no table of {number} players; expected {allowed}")
    for option in options:
        if option not in info.options:
            known = " ".join(info.options) or "none"
            raise SimulationError(f"{info.name} has no option “{option}”; it has {known}")
    if deals < 0:
        raise SimulationError(f"{deals} deals cannot be dealt")
    return info, number


def simulate(
    game: str, *, players: int | None = None, deals: int, seed: int, options: Sequence[str] = ()
) -> Iterator[Record]:
    """Deals played out, one by one; every one of them is `verified` by the check.

    The same arguments give the same records, in any process and on any machine; asking for more deals only
    adds to them. `players`: seats at the table, the smallest number that the game allows if not given;
    `options`: table options that all records carry. The deals come in sessions, in which the dealer moves on
    as the rules say. Raises SimulationError at once if the game does not allow what is asked.
    """
    info, number = _checked(game, players, deals, options)
    return _records(info, number, deals, seed, tuple(sorted(set(options))))


def _records(
    info: GameInfo, number: int, deals: int, seed: int, options: tuple[str, ...]
) -> Iterator[Record]:
    rng = random.Random(f"{info.id} {number} {seed}")
    kind = _PLAYERS[info.id]
    table_talk = sessions(info, number, rng)
    for _ in range(deals):
        dealer, players, tags = next(table_talk)
        shape = rng.random() < SHAPED
        record = Record(
            game=info.id,
            dealer=dealer,
            players=players,
            options=options,
            tags=tags,
            deal=deal(info, number, dealer, rng, shape),
            events=[],
        )
        yield _played(record, kind, rng)


def _played(record: Record, kind: type[Players], rng: random.Random) -> Record:
    """Plays a deal out: the events go into the record, and now and then the score."""
    table = start(record)
    decide = kind(table, rng).decide
    apply, note = table.apply, record.events.append
    while table.turn is not None:
        event = decide(table.turn)
        apply(event)
        note(event)
    if rng.random() < CLAIMED:
        record.score = add_up(record.seats, table.settle())
    return record
