"""Values of cards against every line of play, and what holds for any ending."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest

from tarock.analysis.endings import ending, position, sides_of, solve, worth
from tarock.analysis.fold import fold
from tarock.analysis.simulate import simulate
from tarock.core.cards import FOOL_BIT, INDEX, names
from tarock.core.record import Record
from tarock.core.scoring import add_up
from tarock.core.table import Table
from tarock.games import start
from tarock.notation import read_value, write_json
from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import STRONG, for_two
from tests.engine.driver import DEALS, TABLE_IDS, TABLES, choose, dealt, renamed
from tests.engine.wild_deals import wild_deals

TWO_SIDED = [row for row in TABLES if row[0] != "grosstarock" or row[1] == 2]
IDS = [name for row, name in zip(TABLES, TABLE_IDS, strict=True) if row in TWO_SIDED]
EACH = pytest.mark.parametrize(("game", "players"), TWO_SIDED, ids=IDS)
#: Positions of each game and number of players; `make fuzz` takes 500.
POSITIONS = max(6, DEALS // 4)
#: Most cards that the search of every line plays.
_MOST = 4_000


class _TooMany(Exception):
    pass


def values_by_every_line(table: Table, most: int) -> dict[str, int]:
    """The value of each card for the seat on turn."""
    values, budget = {}, [most]
    for token in tokens(table):
        child = table.fork()
        child.apply((str(table.turn), "play", token))
        values[token] = every_line(child, str(table.turn), budget)
    return values


def every_line(table: Table, seat: str, budget: list[int]) -> int:
    """The value of a position for a seat, by trying every line to its end."""
    if table.over:
        return worth(table, seat, table.outcome())
    turn = table.turn
    assert turn is not None
    sides = sides_of(table)
    values = []
    choices = tokens(table)
    budget[0] -= len(choices)
    if budget[0] < 0:
        raise _TooMany
    for token in choices:
        child = table if token is choices[-1] else table.fork()
        child.apply((turn, "play", token))
        values.append(every_line(child, seat, budget))
    return max(values) if sides[turn] == sides[seat] else min(values)


def tokens(table: Table) -> list[str]:
    return [event[2] for event in table.single_moves()]


def small(record: Record, rng: random.Random) -> tuple[int, dict[str, int]] | None:
    """The step of a late position with few enough lines, and its values by every line; None without one."""
    if not record.is_played or fold(record).table.phase != "over":
        return None
    size = len(record.active)
    tricks = {2: 5, 3: 3, 4: 3}.get(size, 2)
    for back in range(rng.randint(size + 1, tricks * size + 1), size, -1):
        step, table, why = position(record, -1 - back)
        if table is None or why or step is None:
            return None
        with suppress(_TooMany):
            return step, values_by_every_line(table, _MOST)
    return None


def endings(
    game: str, players: int, number: int, seed: int = 1
) -> Iterator[tuple[Record, int, dict[str, int]]]:
    rng = random.Random(f"{game} {players} {seed}")
    for record in wild_deals(game, players, seed):
        if not number:
            return
        if found := small(record, rng):
            number -= 1
            yield record, *found


@EACH
def test_the_values_are_those_of_every_line(game: str, players: int) -> None:
    for record, step, values in endings(game, players, POSITIONS):
        found = ending(record, step)
        assert found.values == values, (step, write_json(record))
        table = fold(record, step).table
        for event in found.best or ():
            table.apply(event)
        score = add_up(table.active, table.settle(table.outcome()))
        # Of two players what counts is the difference.
        lost = sum(score.values()) - score[str(found.seat)] if players == 2 else 0
        assert score[str(found.seat)] - lost == max(values.values())


def kept(game: str, players: int, seed: int, options: tuple[str, ...]) -> Record:
    """A deal in which one hand has the Mond and the Pagat, another the Sküs, and all play them late."""
    rng = random.Random(f"keep2 {game} {players} {seed}")
    form = dealt(game, players, rng) | {"options": [*options]}
    honours = {"T21": "A", "T1": "A", "T0": "B"}
    for card, seat in honours.items():
        if card not in form["deal"][seat]:
            other = rng.choice([one for one in form["deal"][seat] if one not in honours])
            swap = {card: other, other: card}
            form["deal"] = {at: [swap.get(one, one) for one in cards] for at, cards in form["deal"].items()}
    table = start(read_value(form))
    while not table.over:
        event = choose(table, rng)
        if event[1] == "play":
            moves = [move for move in table.single_moves() if move[1] == "play"]
            event = rng.choice([move for move in moves if move[2] not in honours] or moves)
        table.apply(event)
        form["events"].append(list(event))
    return read_value(form)


@pytest.mark.parametrize(
    ("game", "players", "options", "seed", "step"),
    [("taroky", 4, (), 92, 45), ("grosstarock", 2, ("pagat-ultimo=0",), 3, 47)],
)
def test_a_pagat_is_not_equal_to_a_mond(
    game: str, players: int, options: tuple[str, ...], seed: int, step: int
) -> None:
    """Both count five, but only a Pagat in the last trick has a price of its own. Here playing it early is
    right."""
    record = kept(game, players, seed, options)
    _, table, _ = position(record, step)
    assert table is not None
    both = 1 << INDEX["T21"] | 1 << INDEX["T1"]
    assert any(hand & both == both for hand in table.hands.values())
    assert ending(record, step).values == values_by_every_line(table, 100_000)


def test_a_pagat_that_won_is_not_equal_to_one_that_was_lost() -> None:
    """A has T10, T8 and T1, B leads from SJ, T20 and T17. T1 wins SJ or is lost to a higher tarock."""
    (record,) = simulate("grosstarock", players=2, deals=1, seed=30)
    step, table, _ = position(record, tricks=3)
    assert table is not None
    assert {seat: names(hand) for seat, hand in table.hands.items()} == {
        "A": ["T10", "T8", "T1"],
        "B": ["SJ", "T20", "T17"],
    }
    assert ending(record, step).values == values_by_every_line(table, 1_000)


def test_a_player_without_a_trick_may_still_hold_the_skus() -> None:
    """A has all other tarocks and the Kings. B plays the Sküs to one of the last tricks, so A gets it."""
    record = for_two({**STRONG, "B": "T0"}).play_out().record()
    step, table, _ = position(record, tricks=2)
    assert table is not None
    assert (table.won["B"], table.hands["B"] & FOOL_BIT) == (0, FOOL_BIT)
    assert ending(record, step).values == values_by_every_line(table, 100)


def test_what_of_the_tricks_of_strohmann_still_decides_the_score_is_remembered() -> None:
    """The takers of trull and Kings matter if these have a price, and a Ros until the next trick is over."""

    def past(lines: str, *options: str) -> object:
        deal = Deal("strohmann", {"A": "T21 T17 T18 SK", "B": "T2 T1 S7"})
        deal.form["options"] = list(options)
        return deal.say("A take", *lines.split("; ")).table().past()

    for option in ("trull=2", "mondfang=2", "kings=2"):
        assert past("A: T21 T2", option) != past("A: SK S7", option)
    assert past("A: T21 T2") == past("A: SK S7")
    assert past("A: T17(ros) T2") != past("A: T17 T2")
    assert past("A: T17(ros) T2; A: SK S7") == past("A: T17 T2; A: SK S7")
    assert past("A: T17(ros) T2; A: T18(topschin) T1") != past("A: T17(ros) T2; A: T18 T1")


def test_other_names_of_suits_change_no_value() -> None:
    for record in simulate("taroky", deals=5, seed=22):
        values, others = (ending(one, tricks=3).values for one in (record, renamed(record)))
        swap = str.maketrans("SHDC", "CDHS")
        assert others == (values and {card[0].translate(swap) + card[1:]: n for card, n in values.items()})


def test_a_limit_leaves_no_values() -> None:
    (record,) = simulate("taroky", deals=1, seed=32)
    found = ending(record, tricks=3)
    assert found.values
    for nodes in (1, found.nodes):
        stopped = ending(record, tricks=3, solver=partial(solve, nodes=nodes))
        where = (stopped.step, stopped.seat)
        assert (*where, stopped.values, stopped.why) == (found.step, found.seat, None, "limit")
    assert ending(record, tricks=3, solver=partial(solve, nodes=found.nodes + 1)) == found
    assert ending(record, tricks=6, solver=partial(solve, seconds=0)).why == "limit"


def test_more_card_points_may_bring_a_lower_price() -> None:
    """A table that pays more for a tie than for the first points: 36 points win 1, 35 lose 100, 34 lose 1."""
    rng = random.Random(3)
    compared = 0
    for record in simulate("taroky", deals=20, seed=23, options=["tie=100"]):
        if found := small(record, rng):
            compared += 1
            assert ending(record, found[0]).values == found[1]
    assert compared > 10


def test_why_a_position_has_no_values() -> None:
    (taroky,) = simulate("taroky", deals=1, seed=32)
    (three,) = simulate("grosstarock", players=3, deals=1, seed=1)
    end = len(taroky.events)
    assert ending(taroky, 0).why == ending(taroky, -1).why == ending(taroky, end + 1).why == "not-in-play"
    steps = [ending(taroky, step).step for step in (0, -1, end, end + 1, -end - 2)]
    assert steps == [0, end, end, None, None]
    assert ending(taroky, tricks=13).step is ending(taroky, tricks=0).step is None
    assert ending(three).why == "each-for-himself"
    illegal = replace(taroky, events=[*taroky.events[:-2], taroky.events[-1]])
    assert (ending(illegal, -1).why, ending(illegal, -2).why) == ("illegal", None)
    unknown = replace(taroky, deal=taroky.deal | {"A": ("?",) * 12})
    assert ending(unknown, tricks=2).why == "cards-unknown"
