"""The notes on what was missed by one card point or one trick: each at its edge and on both sides of it.

A row: the game's function, the table's values, and the notes as sentences.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tarock.core.tricks import Trick, TrickPlay
from tarock.games.grosstarock import settlement as grosstarock
from tarock.games.grosstarock.outcome import Announced
from tarock.games.strohmann import settlement as strohmann
from tarock.games.strohmann.options import StrohmannOptions
from tarock.games.taroky import settlement as taroky
from tarock.games.troggu import settlement as troggu
from tarock.words import sentences
from tarock.words.sentences import Names

NEAR = "{} has {} card points: {} would have made the difference."
TRICKS = "{} took {} of the {} tricks needed."
OFF = "{} played {} to trick {}; it would have counted in trick {}."


def trick(number: int, cards: str = "SK SQ", winner: str = "A") -> Trick:
    """Return a trick of A and B whose first event has ten times its number."""
    return Trick(number, ("A", "B"), tuple(cards.split()), winner, 0, 10 * number)


def of_points(**points: int) -> dict[str, Any]:
    return {"sides_points": lambda: points}


def for_two(points: int, tricks: int = 20, declarer: str | None = "A") -> dict[str, Any]:
    """Strohmanntarock: A's card points of 70 and tricks of 27."""
    won = {"A": tricks, "B": 27 - tricks}
    return of_points(A=points, B=70 - points) | {"won": won, "declarer": declarer}


def bird(code: str, number: int, quapil: int = 0) -> dict[str, Any]:
    """Strohmanntarock: the trick to which B plays T1, T2, T3 or T4."""
    rules = StrohmannOptions.default() if not quapil else StrohmannOptions(quapil=quapil)
    return {"played": (code, number), "rules": rules}


def by_side(bidder: int, valat_by: str | None = None) -> dict[str, Any]:
    """Taroky: the number of tricks of A and B, of 12; C wins the others, the third trick first."""
    won = {"A": bidder - 1, "B": 1, "C": 12 - bidder, "D": 0}
    lost = [trick(3, winner="C")] if bidder < 12 else []
    return {"won": won, "tricks": [trick(1), *lost, trick(9)], "valat_by": valat_by}


def of_three(a: int, b: int, c: int, *announced: tuple[str, str], for_two: bool = False) -> dict[str, Any]:
    """Grosstarock: the tricks of each, of 25, of which A wins the first and B the second, and the
    announcements, none of which is made."""
    return {
        "won": {"A": a, "B": b, "C": c},
        "for_two": for_two,
        "announced": [(4, Announced(seat, item, 1)) for seat, item in announced],
    }


ROWS: list[tuple[Any, dict[str, Any], list[str]]] = [
    # strohmann.game: 27, 36 and 45 change the payment.
    *(
        (strohmann.game_missed, for_two(points), [NEAR.format("A", points, points + 1)] * noted)
        for edge in (27, 36, 45)
        for points, noted in ((edge - 2, 0), (edge - 1, 1), (edge, 0))
    ),
    (strohmann.game_missed, for_two(35, declarer=None), []),
    (strohmann.game_missed, for_two(44, tricks=27), []),
    # strohmann.valat: 27 tricks.
    (strohmann.game_missed, for_two(50, tricks=25), []),
    (strohmann.game_missed, for_two(50, tricks=26), [TRICKS.format("A", 26, 27)]),
    (strohmann.game_missed, for_two(50, tricks=27), []),
    (strohmann.game_missed, for_two(44, tricks=26), [TRICKS.format("A", 26, 27), NEAR.format("A", 44, 45)]),
    # strohmann.pagat-ultimo, uhu, kakadu, quapil: the last tricks, 27, 26, 25 and 24.
    *(
        (
            strohmann.last_tricks_missed,
            bird(code, number, quapil=1),
            [OFF.format("B", code, number, at)] * noted,
        )
        for code, at in (("T1", 27), ("T2", 26), ("T3", 25), ("T4", 24))
        for number, noted in ((at - 2, 0), (at - 1, 1), (at, 0), (at + 1, 1))
        if number <= 27
    ),
    (strohmann.last_tricks_missed, bird("T4", 23), []),
    # taroky.game: more than 35.
    (taroky.game_missed, of_points(bidder=34, opponents=36), []),
    (taroky.game_missed, of_points(bidder=35, opponents=35), [NEAR.format("bidder’s side", 35, 36)]),
    (taroky.game_missed, of_points(bidder=36, opponents=34), []),
    # taroky.valat: 12 tricks.
    (taroky.valat_missed, by_side(10), []),
    (taroky.valat_missed, by_side(11), [TRICKS.format("bidder’s side", 11, 12)]),
    (taroky.valat_missed, by_side(12), []),
    *(
        (taroky.valat_missed, by_side(bidder, "A"), ["A announced the valat; C ended it by taking trick 3."])
        for bidder in (10, 11)
    ),
    # taroky.pagat-ultimo: the last trick, the twelfth.
    (taroky.pagat_missed, {"played": ("T1", 10), "pagat_by": None}, []),
    (taroky.pagat_missed, {"played": ("T1", 11), "pagat_by": None}, [OFF.format("B", "T1", 11, 12)]),
    (taroky.pagat_missed, {"played": ("T1", 12), "pagat_by": None}, []),
    (
        taroky.pagat_missed,
        {"played": ("T1", 11), "pagat_by": "B"},
        ["B announced the pagat and had to play it in trick 11, before the last trick."],
    ),
    (
        taroky.pagat_missed,
        {"played": ("T1", 12), "pagat_by": "B"},
        ["B announced the pagat, but A, on the same side, won the last trick with a higher card."],
    ),
    # troggu.game: 58 win; 30 or fewer cost more.
    (troggu.game_missed, of_points(tappist=56, opponents=58), []),
    (troggu.game_missed, of_points(tappist=57, opponents=57), [NEAR.format("Tappist’s side", 57, 58)]),
    (troggu.game_missed, of_points(tappist=58, opponents=56), []),
    (troggu.game_missed, of_points(tappist=29, opponents=85), []),
    (troggu.game_missed, of_points(tappist=30, opponents=84), [NEAR.format("Tappist’s side", 30, 31)]),
    (troggu.game_missed, of_points(tappist=31, opponents=83), []),
    (troggu.game_missed, of_points(tappist=84, opponents=30), [NEAR.format("opponents", 30, 31)]),
    # grosstarock.bole and grosstarock.null: 25 tricks, and none.
    (grosstarock.tricks_missed, of_three(23, 2, 0), []),
    (grosstarock.tricks_missed, of_three(24, 1, 0), [TRICKS.format("A", 24, 25)]),
    (grosstarock.tricks_missed, of_three(25, 0, 0), []),
    (grosstarock.tricks_missed, of_three(22, 1, 2), ["B took 1 trick; null is made with none."]),
    (
        grosstarock.tricks_missed,
        of_three(23, 1, 1),
        [f"{s} took 1 trick; null is made with none." for s in "BC"],
    ),
    (
        grosstarock.tricks_missed,
        of_three(24, 1, 0, ("A", "bole"), ("B", "null")),
        ["A announced bolé; B ended it by taking trick 2.", "B announced null and took trick 2."],
    ),
    # grosstarock.two-tout: 25 tricks.
    (grosstarock.tricks_missed, of_three(24, 1, 0, for_two=True), [TRICKS.format("A", 24, 25)]),
]


def table(values: dict[str, Any]) -> Any:
    """Return an object with the values that the notes read, and with the tricks of the card `played`."""
    code, number = values.get("played", ("T1", 1))
    total = 25 if "announced" in values else 12
    sides = {"A": "bidder", "B": "bidder", "C": "opponents", "D": "opponents"}
    given = {
        "rules": StrohmannOptions.default(),
        "total": total,
        "tricks": [trick(1), trick(2, winner="B")],
        "sides": sides,
        "members": lambda side: [seat for seat in sides if sides[seat] == side],
        "all_tricks": lambda: None,
        "null": lambda: None,
        "trick_with": lambda card: (trick(number, f"T9 {code}"), "B", 5) if card == code else None,
    }
    found: Any = SimpleNamespace(**given | values)
    found.one_off = partial(TrickPlay.one_off, found)
    return found


@pytest.mark.parametrize(("function", "values", "noted"), ROWS)
def test_what_was_missed_by_one_is_noted(function: Any, values: dict[str, Any], noted: list[str]) -> None:
    game = function.__module__.split(".")[2]
    assert [sentences.note(note, Names(game, "en")) for note in function(table(values))] == noted
