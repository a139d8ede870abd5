"""The value of points in money, for evenings that are played for money."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format

_AMOUNT = re.compile(r"[0-9]{1,5}(?:[.,][0-9]{1,4})?")
MOST = Decimal(10_000)
"""Maximum amount of money per point, in any currency."""


class NoStake(ValueError):
    """Error for a text that is not a valid stake."""


@dataclass(frozen=True, slots=True)
class Stake:
    """The exact amount of money per point, and the currency as the players write it, which can be empty."""

    amount: Decimal
    currency: str = ""

    def of(self, points: int) -> Decimal:
        """Return the exact value of points in money."""
        return self.amount * points

    def written(self, points: int) -> str:
        """Return the value of points with its sign, in the reader's language: “−1,20”. Amounts are not
        rounded: they have as many decimals as the stake, or two decimals if the stake has one."""
        money = self.of(points)
        sign = "+" if money > 0 else "−" if money < 0 else ""
        return sign + self._figures(abs(money))

    def paid(self, points: int) -> str:
        """Return the value of points that a player pays, with the currency: “1,20 Kč”."""
        return f"{self._figures(self.of(points))}\u00a0{self.currency}".strip()

    def __str__(self) -> str:
        """Return the stake with its currency: “0,10 Kč”."""
        return self.paid(1)

    def _figures(self, money: Decimal) -> str:
        decimals = -int(self.amount.as_tuple().exponent)
        return str(number_format(money, max(decimals, 2) if decimals else 0))


def read_stake(amount: str, currency: str = "") -> Stake | None:
    """Read a stake with a decimal comma or point. Return None for an empty text.

    :raises NoStake: if the text is not an amount above 0, up to `MOST`, with at most four decimals.

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
