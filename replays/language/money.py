"""The value of points in money, if the players of an evening want it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format

_AMOUNT = re.compile(r"[0-9]{1,5}(?:[.,][0-9]{1,4})?")
MOST = Decimal(10_000)
"""The highest stake."""


class NoStake(ValueError):
    """A text that is no amount of money, as a stake."""


@dataclass(frozen=True, slots=True)
class Stake:
    """The money of one point, exact, with its currency as the players write it, which may be empty."""

    amount: Decimal
    currency: str = ""

    def of(self, points: int) -> Decimal:
        """Return the exact money for a number of points."""
        return self.amount * points

    def written(self, points: int) -> str:
        """Return the money for a number of points with its sign, in the reader's language: “−1,20”. Nothing
        is rounded: it has as many decimals as the stake, two if the stake has one."""
        money = self.of(points)
        sign = "+" if money > 0 else "−" if money < 0 else ""
        return sign + self._figures(abs(money))

    def __str__(self) -> str:
        """The stake with its currency: “0,10 Kč”."""
        return f"{self._figures(self.amount)}\u00a0{self.currency}".strip()

    def _figures(self, money: Decimal) -> str:
        decimals = -int(self.amount.as_tuple().exponent)
        return str(number_format(money, max(decimals, 2) if decimals else 0))


def read_stake(amount: str, currency: str = "") -> Stake | None:
    """Read a stake, with a decimal comma or point; None for an empty one.

    :raises NoStake: if it is no amount of money above 0 and up to `MOST` with four decimals at most.

    >>> read_stake("0,10", "Kč")
    Stake(amount=Decimal('0.10'), currency='Kč')
    """
    amount = amount.strip()
    if not amount:
        return None
    if not _AMOUNT.fullmatch(amount):
        raise NoStake(amount)
    money = Decimal(amount.replace(",", "."))
    if not 0 < money <= MOST:
        raise NoStake(amount)
    return Stake(money, currency)
