"""What the notation must know of each game: pack, seats, sizes, options and the order of announcement
items."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

SEATS = "ABCDEFGH"


@dataclass(frozen=True)
class GameInfo:
    """The fixed facts of a game.

    `seats`: the numbers of seats allowed; `pack`: cards in the pack; `points`: what the pack is worth;
    `direction`: the way round the table, for pictures only; `hands` and `talon`: sizes by number of seats;
    `piles`: face-down piles a seat, each of `pile_size`; `ordered`: whether the order of the talon matters;
    `items`: announcement items in the order of the game's tables; `zero_sum`: whether the seats' scores add
    up to 0.
    """

    id: str
    name: str
    description: str
    seats: tuple[int, ...]
    pack: int
    points: int
    direction: str
    hands: dict[int, int]
    talon: dict[int, int]
    verbs: tuple[str, ...]
    items: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    piles: int = 0
    pile_size: int = 0
    ordered_talon: bool = False
    zero_sum: bool = True
    sits_out: dict[int, int] = field(default_factory=dict)

    def seat_letters(self, number: int) -> tuple[str, ...]:
        """The seat letters of a table of `number` seats, in the order of play."""
        return tuple(SEATS[:number])

    def sitting(self, number: int, dealer: str) -> str | None:
        """The seat that sits out, if the table has more seats than the deal has players."""
        after = self.sits_out.get(number)
        if after is None:
            return None
        letters = self.seat_letters(number)
        return letters[(letters.index(dealer) + after) % number]

    def active(self, number: int, dealer: str) -> tuple[str, ...]:
        """The seats that take part in the deal, in the order of play from A on."""
        return _active(self.id, number, dealer)

    def places(self, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
        """Where cards are dealt and how many: seats in order, then piles, then the talon."""
        return _places(self.id, number, dealer)


class Seating(NamedTuple):
    """Who sits where at a table: all seats and those that take part, in the order of play from A on; each
    one's next; forehand; and the number of tricks."""

    seats: tuple[str, ...]
    active: tuple[str, ...]
    next: dict[str, str]
    forehand: str
    tricks: int


@cache
def seating(name: str, number: int, dealer: str) -> Seating:
    """The seating of a game at a table of `number` seats with this dealer."""
    info = INFO[name]
    seats, active = info.seat_letters(number), _active(name, number, dealer)
    following = {s: active[(i + 1) % len(active)] for i, s in enumerate(active)}
    forehand = seats[(seats.index(dealer) + 1) % number]
    return Seating(seats, active, following, forehand, info.hands[number] + info.piles * info.pile_size)


@cache
def _active(name: str, number: int, dealer: str) -> tuple[str, ...]:
    info = INFO[name]
    sitting = info.sitting(number, dealer)
    return tuple(s for s in info.seat_letters(number) if s != sitting)


@cache
def _places(name: str, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
    info = INFO[name]
    active = _active(name, number, dealer)
    rows = [(s, info.hands[number]) for s in active]
    rows += [(f"{s}/{p}", info.pile_size) for s in active for p in range(1, info.piles + 1)]
    if info.talon[number]:
        rows.append(("talon", info.talon[number]))
    return tuple(rows)


_RAISES = tuple(f"{r}:{x}" for r in ("flek", "re", "sub") for x in ("game", "pagat", "valat"))

INFO: dict[str, GameInfo] = {
    g.id: g
    for g in (
        GameInfo(
            id="strohmann",
            name="Strohmanntarock",
            description="Two players, 54 cards, and three face-down piles each that open as they are played.",
            seats=(2,),
            pack=54,
            points=70,
            direction="clockwise",
            hands={2: 15},
            talon={2: 0},
            verbs=("take", "pass", "play"),
            piles=3,
            pile_size=4,
            zero_sum=False,
        ),
        GameInfo(
            id="taroky",
            name="Czech Taroky",
            description="Four players, 54 cards, a secretly called partner, announcements and doubles.",
            seats=(4,),
            pack=54,
            points=70,
            direction="anticlockwise",
            hands={4: 12},
            talon={4: 6},
            verbs=(
                "bid",
                "pass",
                "varsava",
                "call",
                "level",
                "discard",
                "refuse",
                "surrender",
                "announce",
                "play",
            ),
            items=(
                "taroky",
                "tarocky",
                "barvy",
                "barvicky",
                "trul",
                "honery",
                "kralovske-honery",
                "pagat",
                "valat",
                *_RAISES,
            ),
            options=("settle-uncontested",),
            ordered_talon=True,
        ),
        GameInfo(
            id="troggu",
            name="Troggu",
            description="Three to eight players, 62 cards, and a Fool that may be withheld.",
            seats=(3, 4, 5, 6, 7, 8),
            pack=62,
            points=114,
            direction="anticlockwise",
            hands={3: 18, 4: 13, 5: 11, 6: 9, 7: 8, 8: 7},
            talon={3: 8, 4: 10, 5: 7, 6: 8, 7: 6, 8: 6},
            verbs=("take", "solo", "pass", "discard", "call", "alone", "play"),
        ),
        GameInfo(
            id="grosstarock",
            name="Grosstarock",
            description="Three active players, all 78 cards, declarations, bolé and null.",
            seats=(3, 4),
            pack=78,
            points=78,
            direction="clockwise",
            hands={3: 25, 4: 25},
            talon={3: 3, 4: 3},
            verbs=("discard", "announce", "pass", "play"),
            items=(
                "tarocks",
                "matadors",
                "skus-matadors",
                "kings",
                "cavallery",
                "half-cavallery",
                "queens",
                "cavaliers",
                "jacks",
                "ladons",
                "bole",
                "null",
            ),
            sits_out={4: 2},
        ),
    )
}
