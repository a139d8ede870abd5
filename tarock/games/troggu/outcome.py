"""The outcome of a deal of Troggu: its fields, and checks for impossible combinations of values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tarock.core.game import Seating
from tarock.core.outcome import Impossible, Outcome, Part, Points, When, Word, sheet_field, wrong_total
from tarock.core.record import Line

#: Card points that the Tappist's side needs to win. With one point less, the game is a draw (`troggu.game`).
WINS = 58
_TOTAL = 114
_PACK = 62
#: Values of all cards that are worth more than 1, in descending order.
_FIVES, _KINGS = [5] * 7, 4
_VALUES = [*_FIVES, *[4] * 4, *[3] * 4, *[2] * 4]
#: Minimum number of players at which the Tappist can call a partner and a player can be forced to be Tappist.
PARTNERS_FROM = 7
SIDES = ("tappist", "opponents")
_BY_TAPPIST = When("contract", ("take", "solo"))


def sides_of(active: tuple[str, ...], tappist: str | None, partner: str | None) -> dict[str, tuple[str, ...]]:
    """Return the seats of each side; empty without a Tappist."""
    own = tuple(seat for seat in active if seat in (tappist, partner))
    return {"tappist": own, "opponents": tuple(seat for seat in active if seat not in own)} if tappist else {}


def _tapp(seating: Seating) -> int:
    return _PACK - len(seating.active) * seating.tricks


@dataclass(kw_only=True)
class TrogguOutcome(Outcome):
    """The outcome of a deal of Troggu. `partner`: the partner's seat, or `alone`; `points`: card points by
    side or, in a misère, by seat; `trickless`: the side that took no trick."""

    contract: str | None = sheet_field("troggu.bid", Part("contracts", ("take", "solo", "misere")))
    tappist: str | None = sheet_field("troggu.bid", Part(seats=True), when=(_BY_TAPPIST,))
    partner: str | None = sheet_field(
        "troggu.call",
        Part("sheet_words", ("alone",), seats=True),
        when=(_BY_TAPPIST, When("seats", (PARTNERS_FROM, PARTNERS_FROM + 1))),
    )
    points: tuple[Points, ...] = sheet_field(
        "troggu.card-points",
        Part("sides", SIDES, seats=True),
        Part(number=(0, _TOTAL)),
        key=1,
        row=Points,
    )
    trickless: str | None = sheet_field(
        "troggu.game", Part("sides", SIDES), when=(_BY_TAPPIST,), optional=True
    )

    TOTAL, SIDES, ALONE = _TOTAL, SIDES, "misere"

    @classmethod
    def usual(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Line]:
        if "contract" not in values:
            yield ("contract", "take")
        # The Tapp belongs to the Tappist, so opponents with 0 card points took no trick, and vice versa.
        points = cls.points_of(seating, values)
        if values.get("trickless") == "opponents" and not points:
            yield ("points", "opponents", 0)
        if points.get("opponents") == 0:
            yield ("trickless", "opponents")
        # The Tappist's first trick adds a point for each of its cards to those of the Tapp.
        if points.get("tappist", _TOTAL) < _tapp(seating) + len(seating.active):
            yield ("trickless", "tappist")

    @classmethod
    def offered(
        cls, seating: Seating, options: Any, values: Mapping[str, Any], line: Line
    ) -> Container[Word] | None:
        match line:
            case ("partner",):
                return ["alone", *(seat for seat in seating.active if seat != values.get("tappist"))]
            case ("trickless",) if cls.points_of(seating, values).get("opponents"):
                return ["tappist"]
        return None

    @property
    def card_points(self) -> dict[str, int]:
        return dict(self.points)

    @property
    def solo(self) -> bool:
        """Whether the deal was a solo, in which nobody sees the Tapp."""
        return self.contract == "solo"

    @property
    def partner_seat(self) -> str | None:
        """Seat of the called partner; None if the Tappist is alone."""
        return None if self.partner == "alone" else self.partner

    @property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """Seats of each side; empty in a misère, which has no sides."""
        return sides_of(self.active, self.tappist, self.partner)

    @property
    def result(self) -> str:
        if self.contract == "misere":
            return "misere"
        over = self.card_points["tappist"] - (WINS - 1)
        return "won" if over > 0 else "lost" if over else "drawn"

    def facts(self) -> dict[str, Any]:
        return {
            "declarer": self.tappist,
            "tappist": self.tappist,
            "partner": self.partner_seat,
            "contract": self.contract,
            "contract_played": self.contract,
            "solo": self.solo,
            "misere": self.contract == "misere",
            "result": self.result,
            "card_points": self.card_points,
            "announcements": [],
        }

    # -- impossible values ---------------------------------------------------------------------------

    @property
    def tapp(self) -> int:
        """Number of cards in the Tapp, which is also the number of discards."""
        return _tapp(self.seating)

    def impossible(self) -> Iterator[Impossible]:
        yield from wrong_total("troggu.card-points", self.card_points, *self._bounds())
        if self.tappist and self.partner == self.tappist:
            yield Impossible("troggu.call", "partner", "partner-is-declarer", {"seat": self.tappist})
        for side in self.sides:
            yield from self._impossible_side(side)

    def _bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest possible total of card points. In a misère, the Tapp counts for
        nobody and, with seven or more players, has both Bättler and Pagat (`troggu.forced-tappist`)."""
        if self.contract != "misere":
            return _TOTAL, _TOTAL
        fives = 2 if len(self.active) >= PARTNERS_FROM else 0
        return _TOTAL - sum(_VALUES[: self.tapp]), _TOTAL - 5 * fives - (self.tapp - fives)

    def _impossible_side(self, side: str) -> Iterator[Impossible]:
        """Yield a contradiction if a side's card points don't fit the tricks. Every card is worth at least 1
        point. A trick has a card from each player, and the Tappist also gets the Tapp or the discards."""
        points, own = self.card_points[side], side == "tappist"
        values: dict[str, Any] = {"side": side, "points": points}
        if own and points < self.tapp:
            yield Impossible("troggu.exchange", "points", "fewer-than-tapp", values | {"low": self.tapp})
        elif self.trickless == side:
            # The four Kings are the only 5-point cards that may be discarded (`troggu.discard`).
            cards = _VALUES if self.solo else _VALUES[len(_FIVES) - _KINGS :]
            high = sum(cards[: self.tapp]) if own else 0
            if points > high:
                yield Impossible("troggu.game", "trickless", "points-without-trick", values | {"high": high})
        elif points < self.tapp * own + len(self.active):
            yield Impossible("troggu.game", "trickless", "took-no-trick", values)
