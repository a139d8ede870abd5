"""The payments that settle an evening: who pays whom."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

Who = TypeVar("Who", bound=Hashable)

MOST_EXACT = 10
"""Maximum number of players for which the number of payments is always the minimum."""


class Payment(NamedTuple, Generic[Who]):
    """A payment in points between two players, who are named by the keys of the totals."""

    payer: Who
    recipient: Who
    points: int


def payments(totals: Mapping[Who, int]) -> list[Payment[Who]]:
    """Return the payments that settle these totals, largest first. Empty if the totals do not add up to 0,
    because then nobody knows who owes the rest. Of several ways with as few payments, the order of the totals
    decides.

    With up to `MOST_EXACT` players whose total is not 0, no other way needs fewer payments. With more
    players, the largest debt always pays the largest credit. This is not always the minimum, but takes fewer
    payments than there are players.

    >>> [tuple(payment) for payment in payments({"Alena": 34, "Bořek": -12, "Cyril": -22})]
    [('Cyril', 'Alena', 22), ('Bořek', 'Alena', 12)]
    """
    if sum(totals.values()):
        return []
    rest = {who: points for who, points in totals.items() if points}
    found = []
    for group in _even_groups(rest) if len(rest) <= MOST_EXACT else [[*rest]]:
        # Each payment settles at least one player, and the last payment settles two.
        while group := [who for who in group if rest[who]]:
            payer, recipient = min(group, key=rest.__getitem__), max(group, key=rest.__getitem__)
            points = min(-rest[payer], rest[recipient])
            rest[payer] += points
            rest[recipient] -= points
            found.append(Payment(payer, recipient, points))
    return sorted(found, key=lambda payment: -payment.points)


def _even_groups(totals: Mapping[Who, int]) -> list[list[Who]]:
    """Split players into as many groups as possible whose totals add up to 0. A group of n players needs
    n - 1 payments, so the more groups, the fewer payments."""
    players = list(totals)
    # A set of players is a number with one bit per player. For each set: the sum of the totals, the largest
    # number of groups in it, and a player after whose removal the rest still contains all complete groups.
    sums, groups, removed = [0], [0], [0]
    for some in range(1, 1 << len(players)):
        before, bit = max((groups[some ^ 1 << bit], bit) for bit in range(len(players)) if some >> bit & 1)
        sums.append(sums[some ^ 1 << bit] + totals[players[bit]])
        groups.append(before + (sums[some] == 0))
        removed.append(bit)
    found: list[list[Who]] = []
    some = (1 << len(players)) - 1
    while some:
        if sums[some] == 0:
            found.append([])
        found[-1].append(players[removed[some]])
        some ^= 1 << removed[some]
    return found[::-1]
