"""Payments at the end of an evening: worked by hand, and compared with all other ways to pay."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping

import pytest

from tarock.core.payments import MOST_EXACT, payments
from tests.engine.test_evening import FOUR, evening, played, whole_evening


@pytest.mark.parametrize(("totals", "paid"), [
    ({}, ""),
    ({"A": 0, "B": 0}, ""),
    # One winner: each other player pays what they lost.
    ({"A": 34, "B": -12, "C": -22, "D": 0}, "C pays A 22, B pays A 12"),
    # Three share the first place: 6 for each of them.
    ({"A": 6, "B": 6, "C": 6, "D": -18}, "D pays C 6, D pays B 6, D pays A 6"),
    # Two pairs: two payments, though the largest debt is not the largest credit's.
    ({"A": 7, "B": -7, "C": 5, "D": -5}, "B pays A 7, D pays C 5"),
    # 10 = 4 + 6 and 7 = 7: three payments. The largest debt for the largest credit would take four:
    # E pays A 7, C pays D 6, B pays A 3, B pays D 1.
    ({"A": 10, "B": -4, "C": -6, "D": 7, "E": -7}, "E pays D 7, C pays A 6, B pays A 4"),
    # The largest debt for the largest credit: 8 - 6 = 2 are left of it, and of the other debt 5 - 3 = 2.
    ({"A": 3, "B": 8, "C": -5, "D": -6}, "D pays B 6, C pays A 3, C pays B 2"),
    # An unknown player has the other 3.
    ({"A": 10, "B": -7}, ""),
])  # fmt: skip
def test_payments_worked_by_hand(totals: dict[str, int], paid: str) -> None:
    assert ", ".join(f"{payer} pays {other} {points}" for payer, other, points in payments(totals)) == paid


def settled(totals: Mapping[int, int]) -> int:
    """The number of payments, which settle the totals: everybody is at 0 afterwards."""
    rest, found = dict(totals), payments(totals)
    for payer, recipient, points in found:
        assert points > 0
        rest[payer] += points
        rest[recipient] -= points
    assert not any(rest.values())
    return len(found)


def fewest(totals: Mapping[int, int]) -> int:
    """The smallest number of pairs that can settle the totals: players linked by pairs must be even."""
    pairs = [*itertools.combinations(totals, 2)]
    for number in range(len(totals)):
        for chosen in itertools.combinations(pairs, number):
            linked = {who: {who} for who in totals}
            for one, other in chosen:
                both = linked[one] | linked[other]
                linked |= dict.fromkeys(both, both)
            if not any(sum(totals[who] for who in group) for group in linked.values()):
                return number
    raise AssertionError(totals)


def test_ten_players_pay_the_fewest_times() -> None:
    """The five of the worked example in 3 payments, and five pairs or more; the largest debt for the largest
    credit would take more."""
    five = {"A": 10, "B": -4, "C": -6, "D": 7, "E": -7}
    others = {"F": 1, "G": -1, "H": 2, "I": -3, "J": 1}
    assert len(payments(five | others | {"K": 0})) == 3 + 3, "a player with 0 pays nothing"
    assert len(payments(five | others | {"J": 2, "K": -1})) > 3 + 4, "one player too many to compare"


def chance(players: int, most: int, seed: int) -> dict[int, int]:
    dice = random.Random(seed)
    totals = {who: dice.randint(-most, most) for who in range(players - 1)}
    return totals | {players - 1: -sum(totals.values())}


@pytest.mark.parametrize("players", range(1, 7))
def test_no_other_way_needs_fewer_payments(players: int) -> None:
    for seed in range(40):
        totals = chance(players, 3 + seed % 4, seed)
        assert settled(totals) == fewest(totals), totals


def test_more_players_than_can_be_compared_settle_too() -> None:
    for seed in range(40):
        for players in (MOST_EXACT, MOST_EXACT + 1, 24):
            totals = chance(players, 50, seed)
            assert settled(totals) < sum(map(bool, totals.values()))


def test_nobody_pays_into_an_account_of_ones_own() -> None:
    """At Strohmanntarock both players only gain, and neither pays: 3 for each of them."""
    sheets = ("contract take, declarer A, points A 40", "contract take, declarer B, points B 40")
    answer = whole_evening("strohmann", FOUR[:2], sheets)
    assert [row["total"] for row in answer["standings"]] == [3, 3]
    assert answer["payments"] == []


def test_points_of_an_unknown_player_leave_the_rest_open() -> None:
    following = evening("taroky", ["?", *FOUR[1:]])["next"]
    deal = played(1, following, "contract first", "bidder A", "partner C", "points bidder 45")
    assert evening("taroky", ["?", *FOUR[1:]], [deal])["payments"] == []
