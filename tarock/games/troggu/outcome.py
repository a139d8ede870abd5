"""The outcome of a deal of Troggu: its fields, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tarock.game import Seating
from tarock.outcome import Impossible, Outcome, Part, When, sheet_field

#: The card points with which the Tappist wins; one less is a draw (`troggu.game`).
WINS = 58
_TOTAL = 114
#: The number of players from which a partner is called and somebody must be Tappist.
PARTNERS_FROM = 7
SIDES = ("tappist", "opponents")
_BY_TAPPIST = When("contract", ("take", "solo"))


class Points(NamedTuple):
    """The card points of a side, or of a seat in a misère."""

    side: str
    points: int


@dataclass(frozen=True, kw_only=True)
class TrogguOutcome(Outcome):
    """The outcome of a deal of Troggu.

    `partner`: a seat, or `alone`; `points`: by side, in a misère by seat; `trickless`: the side that took no
    trick.
    """

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

    @classmethod
    def total(cls, values: Mapping[str, Any]) -> int | None:
        # In a misère nobody has the cards of the Tapp.
        return None if values.get("contract") == "misere" else _TOTAL

    @classmethod
    def owners(cls, seating: Seating, values: Mapping[str, Any]) -> tuple[str, ...]:
        return seating.active if values.get("contract") == "misere" else SIDES

    @property
    def card_points(self) -> dict[str, int]:
        """The card points by side, in a misère by seat."""
        return dict(self.points)

    @property
    def solo(self) -> bool:
        """Whether the Tapp stayed unseen."""
        return self.contract == "solo"

    @property
    def partner_seat(self) -> str | None:
        """The called partner; None if the Tappist is alone."""
        return None if self.partner == "alone" else self.partner

    @property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """Side → its seats; a misère has none."""
        if self.tappist is None:
            return {}
        own = tuple(seat for seat in self.active if seat in (self.tappist, self.partner))
        return {"tappist": own, "opponents": tuple(seat for seat in self.active if seat not in own)}

    @property
    def result(self) -> str:
        """How the deal ended."""
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

    def impossible(self) -> Iterator[Impossible]:
        points, total = self.card_points, sum(self.card_points.values())
        low = 0 if self.contract == "misere" else _TOTAL
        if not low <= total <= _TOTAL:
            values: dict[str, Any] = {"card_points": points, "total": total, "low": low, "high": _TOTAL}
            reason = "points-of-misere" if self.contract == "misere" else "points-do-not-add-up"
            yield Impossible("troggu.card-points", "points", reason, values)
        if self.tappist and self.partner == self.tappist:
            yield Impossible("troggu.call", "partner", "partner-is-declarer", {"seat": self.tappist})
        if self.trickless == "opponents" and points["opponents"]:
            values = {"side": "opponents", "points": points["opponents"]}
            yield Impossible("troggu.game", "trickless", "points-without-trick-of-side", values)
        if self.trickless == "tappist" and points["tappist"] >= WINS - 1:
            values = {"side": "tappist", "points": points["tappist"]}
            yield Impossible("troggu.game", "trickless", "points-without-trick-of-side", values)
