"""Tables by places: neighbours together, or back and forth."""

from __future__ import annotations

from itertools import chain

import pytest

from tarock.core.seating import tables_by_place


def test_sixteen_players_at_four_tables() -> None:
    places = range(1, 17)
    assert tables_by_place(places, 4, 4) == (
        [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]],
        [],
    )
    assert tables_by_place(places, 4, 4, snake=True) == (
        [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]],
        [],
    )


@pytest.mark.parametrize(
    ("number", "tables", "seats", "together", "snake", "rest"),
    [
        # Nine at two tables of five: five and four.
        (9, 2, 5, [[1, 2, 3, 4, 5], [6, 7, 8, 9]], [[1, 4, 5, 8, 9], [2, 3, 6, 7]], []),
        # Nine at two tables of four: the last one has no seat.
        (9, 2, 4, [[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 4, 5, 8], [2, 3, 6, 7]], [9]),
        # Ten at three tables: four, three and three; back and forth the last row begins at table 2 … or 3.
        (10, 3, 4, [[1, 2, 3, 4], [5, 6, 7], [8, 9, 10]], [[1, 6, 7], [2, 5, 8], [3, 4, 9, 10]], []),
        (3, 1, 4, [[1, 2, 3]], [[1, 2, 3]], []),
        # A table without a player is none.
        (2, 3, 4, [[1], [2]], [[1], [2]], []),
        (0, 2, 4, [], [], []),
    ],
)
def test_other_numbers(
    number: int, tables: int, seats: int, together: list[list[int]], snake: list[list[int]], rest: list[int]
) -> None:
    places = range(1, number + 1)
    assert tables_by_place(places, tables, seats) == (together, rest)
    assert tables_by_place(places, tables, seats, snake=True) == (snake, rest)


@pytest.mark.parametrize("snake", [False, True])
def test_everybody_has_one_seat_at_most_and_no_table_is_two_larger(snake: bool) -> None:
    for number in range(30):
        for tables in range(1, 7):
            for seats in range(2, 6):
                found, rest = tables_by_place(range(number), tables, seats, snake=snake)
                assert sorted([*chain(*found), *rest]) == list(range(number))
                assert len(rest) == max(0, number - tables * seats)
                sizes = [len(table) for table in found]
                assert max(sizes, default=0) <= seats
                assert max(sizes, default=0) - min(sizes, default=0) <= 1
