"""How each side's cards were counted, laid out as people count on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from replays import sentences, words
from replays.cards import HAND_ORDER, Face, faces, in_hand_order, pack
from replays.sentences import Names
from tarock.cards import INDEX, VALUE, bits
from tarock.scoring import Counting, in_threes


class Counted(NamedTuple):
    """One card as it is counted."""

    card: Face
    value: int


@dataclass(frozen=True, slots=True)
class CountedGroup:
    """A set of three cards (or what is left over): its cards, what it counts, and the count so far."""

    cards: list[Face]
    reckoning: str
    running: int


@dataclass(frozen=True, slots=True)
class CountedPart:
    """Where some of the cards come from."""

    title: str
    cards: list[Counted]
    """Empty where they are counted in threes."""


@dataclass(frozen=True, slots=True)
class CountedSide:
    """How one side's cards were counted."""

    title: str
    seats: str
    counting: Counting
    parts: list[CountedPart]
    groups: list[CountedGroup]
    """The cards in threes; empty where each is counted by itself."""
    reckoning: str


def countings(found: Iterable[Counting], players: Mapping[str, str], game: str) -> list[CountedSide]:
    """The countings of a deal, laid out as people count on the table. ``players``: names by seat."""
    return [_counting(counting, players, game) for counting in found]


def _counting(found: Counting, players: Mapping[str, str], game: str) -> CountedSide:
    side, groups, reckoning = found.side, [], str(found.points)
    by_threes, cards, names = found.scheme == "threes", pack(game), Names(game, players)
    if by_threes:
        groups = _threes([code for part in found.parts for code in part["cards"]], cards)
        less = f" − 2 × {found.threes}" + (" − 1" if found.rest else "")
        reckoning = f"{found.value}{less} = {found.points}"
    return CountedSide(
        title=players.get(side) or words.side_name(side, game),
        seats=words.listed(players.get(s, s) for s in found.seats) if side not in players else "",
        counting=found,
        parts=[
            CountedPart(sentences.counted(part, names), [] if by_threes else _counted(part["cards"], cards))
            for part in found.parts
        ],
        groups=groups,
        reckoning=reckoning,
    )


def _counted(codes: Iterable[str], pack: Mapping[str, Face]) -> list[Counted]:
    return [Counted(pack[code], VALUE[INDEX[code]]) for code in in_hand_order(codes)]


def _threes(codes: Sequence[str], pack: Mapping[str, Face]) -> list[CountedGroup]:
    """The cards in threes, each counting card with two blanks beside it as far as they last."""
    by_value = sorted(codes, key=lambda c: (-VALUE[INDEX[c]], HAND_ORDER[c]))
    running = 0
    groups = []
    for three in _with_blanks(by_value):
        worth = in_threes(bits(three))
        running += worth
        values = " + ".join(str(VALUE[INDEX[c]]) for c in three)
        less = 2 if len(three) == 3 else 1
        groups.append(CountedGroup(faces(three, pack), f"{values} − {less} = {worth}", running))
    return groups


def _with_blanks(codes: list[str]) -> Iterator[list[str]]:
    """Sets of three: the dearest card left and the two cheapest ones; the last set may be short."""
    left = list(codes)
    while left:
        take = [left.pop(0)]
        take += [left.pop() for _ in range(min(2, len(left)))]
        yield take
