"""The counting of each side's cards, arranged as people count at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from replays.language import words
from replays.language.cards import pack
from replays.language.names import Names
from tarock.core.cards import HAND_ORDER, INDEX, VALUE, bits, in_hand_order
from tarock.core.scoring import Counting, in_threes, in_twos
from tarock.view.cards import Face, faces
from tarock.words import sentences


@dataclass(frozen=True, slots=True)
class CountedGroup:
    """Cards that are counted together (three, a pair, or the rest), with their value and the count so far."""

    cards: list[Face]
    calculation: str
    running: int


@dataclass(frozen=True, slots=True)
class CountedPart:
    """Cards with the same origin, such as tricks or discards."""

    title: str
    cards: list[tuple[Face, int]]
    """The cards with their values; empty if the cards are counted in threes or pairs."""


@dataclass(frozen=True, slots=True)
class CountedSide:
    """The counting of one side's cards."""

    title: str
    seats: str
    counting: Counting
    parts: list[CountedPart]
    groups: list[CountedGroup]
    """The cards in threes or pairs; empty if the cards are counted one by one."""
    calculation: str


def counted_side(counting: Counting, names: Names) -> CountedSide:
    """Return the counting of one side, arranged as people count at the table."""
    groups, calculation = [], str(counting.points)
    cards = pack(names.game)
    codes = [code for part in counting.parts for code in part["cards"]]
    if counting.scheme == "threes":
        groups = _sets(codes, cards, 3)
        less = f" − 2 × {counting.threes}" + (" − 1" if counting.rest else "")
        calculation = f"{counting.value}{less} = {counting.points}"
    elif counting.scheme == "twos":
        groups = _sets(codes, cards, 2)
        calculation = f"{counting.value} − {counting.pairs} = {counting.points}"
    return CountedSide(
        title=names.side(counting.side),
        seats=""
        if counting.side in names.players
        else words.listed(names.name("seat", seat) for seat in counting.seats),
        counting=counting,
        parts=[
            CountedPart(
                names.sentence(sentences.counted, part),
                _counted(part["cards"], cards) if counting.scheme == "singly" else [],
            )
            for part in counting.parts
        ],
        groups=groups,
        calculation=calculation,
    )


def _counted(codes: Iterable[str], pack: Mapping[str, Face]) -> list[tuple[Face, int]]:
    return [(pack[code], VALUE[INDEX[code]]) for code in in_hand_order(codes)]


def _sets(codes: Sequence[str], pack: Mapping[str, Face], size: int) -> list[CountedGroup]:
    """Return the cards in threes or pairs. Each counting card is grouped with blanks while any are left."""
    by_value = sorted(codes, key=lambda c: (-VALUE[INDEX[c]], HAND_ORDER[c]))
    running = 0
    groups = []
    for one in _with_blanks(by_value, size):
        worth = in_threes(bits(one)) if size == 3 else in_twos(bits(one))
        running += worth
        values = [VALUE[INDEX[c]] for c in one]
        less = f" − {sum(values) - worth}" if sum(values) > worth else ""
        calculation = f"{' + '.join(map(str, values))}{less} = {worth}" if less else str(worth)
        groups.append(CountedGroup(faces(one, pack), calculation, running))
    return groups


def _with_blanks(codes: list[str], size: int) -> Iterator[list[str]]:
    """Yield sets of `size` cards. Each combines the most valuable card left with the least valuable ones."""
    left = list(codes)
    while left:
        take = [left.pop(0)]
        take += [left.pop() for _ in range(min(size - 1, len(left)))]
        yield take
