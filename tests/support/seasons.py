"""A club's season whose sums are worked out by hand."""

from __future__ import annotations

from typing import Any

from archive.models import Deal, Seat, Session, Space
from tests.support import samples, settling
from tests.support.storing import deal_of

GAME = "taroky"
ADA, BEN, CLEO, DOV, EVA = "Ada", "Ben", "Cleo", "Dov", "Eva"

SEASON: list[tuple[dict[str, str], dict[str, tuple[int, ...]]]] = [
    (
        {"Session": "First night", "Date": "2026-01-09"},
        {ADA: (10, -4), BEN: (-10, 4), CLEO: (5, 0), DOV: (-5, 0)},
    ),
    ({"Session": "Second night", "Date": "2026-02-13"}, {ADA: (-20,), BEN: (20,), CLEO: (3,), DOV: (-3,)}),
    # Two deals without a session, on one day.
    ({"Date": "2026-03-13"}, {ADA: (8, 1), BEN: (-8, -1), CLEO: (2, 4), EVA: (-2, -4)}),
]
"""Each evening's tags, and the points of its players, deal by deal.

    evening   Ada       Ben        Cleo   Dov   Eva
    First     10−4=6    −10+4=−6   5      −5
    Second    −20       20         3      −3
    March     8+1=9     −8−1=−9    2+4=6        −6
    in all    −5        5          14     −8    −6
    deals     5         5          5      3     2
    a deal    −1        1          2.8    −8/3  −3
    an ev.    −5/3      5/3        14/3   −4    −6
"""


def season(space: Space, user: Any) -> Session:
    """Store the season in a space; returns its first session."""
    seed = 500
    for tags, points in SEASON:
        for number in range(len(points[next(iter(points))])):
            seed += 1
            deal = deal_of(samples.dealt(seed, players=points, **tags), user=user, space=space)
            # Points by hand: this is about adding up.
            Deal.objects.filter(pk=deal.pk).update(verdict="verified")
            deal.deal.contributions.update(verdict="verified")
            for seat, of in zip("ABCD", points.values(), strict=True):
                Seat.objects.filter(contribution__deal=deal.pk, seat=seat).update(points=of[number])
    settling.settle()
    return Session.objects.get(space=space, name="First night")
