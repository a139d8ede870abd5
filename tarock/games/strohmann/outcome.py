"""The outcome of a deal of Strohmanntarock: its fields, and checks for impossible combinations of values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tarock.core.game import Seating
from tarock.core.outcome import Impossible, Outcome, Part, Points, When, Word, sheet_field, wrong_total
from tarock.core.record import Line
from tarock.games.strohmann.options import StrohmannOptions

#: Card points that a seat needs to win, whether or not there is a declarer (`strohmann.game`).
WINS = 36
TOTAL = 70
ALL_TRICKS = 27
#: Bonuses for the last four tricks, from the last trick back: (field, tarock that the trick must contain,
#: clause).
LAST_TRICKS = (
    ("pagat", "T1", "strohmann.pagat-ultimo"),
    ("uhu", "T2", "strohmann.uhu"),
    ("kakadu", "T3", "strohmann.kakadu"),
    ("quapil", "T4", "strohmann.quapil"),
)
#: Bonuses for cards that a seat took: (field, clause).
CARDS_TAKEN = (
    ("trull", "strohmann.trull"),
    ("kings", "strohmann.kings"),
    ("mondfang", "strohmann.mondfang"),
)


class Rostopschin(NamedTuple):
    """The seat that called and won T17 and then T18. `trick`: number of the trick with T17, if known."""

    seat: str
    trick: int | None


@dataclass(kw_only=True)
class StrohmannOutcome(Outcome):
    """The outcome of a deal of Strohmanntarock.

    `declarer`: seat that undertook to win; `tricks`: seat that took all tricks; `pagat`, `uhu`, `kakadu`,
    `quapil`: seat that gets the bonus for T1, T2, T3 or T4 in the last trick, the last but one, and so on;
    `trull`, `kings`: seat with the whole trull or all four Kings in its tricks; `mondfang`: seat whose T0
    took T21.
    """

    options: StrohmannOptions = StrohmannOptions.default()
    contract: str | None = sheet_field("strohmann.bid", Part("contracts", ("take", "undeclared")))
    declarer: str | None = sheet_field("strohmann.bid", Part(seats=True), when=(When("contract", ("take",)),))
    points: tuple[Points, ...] = sheet_field(
        "strohmann.card-points", Part(seats=True), Part(number=(0, TOTAL)), key=1, row=Points
    )
    tricks: str | None = sheet_field("strohmann.valat", Part(seats=True), optional=True)
    pagat: str | None = sheet_field("strohmann.pagat-ultimo", Part(seats=True), optional=True)
    uhu: str | None = sheet_field("strohmann.uhu", Part(seats=True), optional=True)
    kakadu: str | None = sheet_field("strohmann.kakadu", Part(seats=True), optional=True)
    quapil: str | None = sheet_field("strohmann.quapil", Part(seats=True), optional=True)
    rostopschin: Rostopschin | None = sheet_field(
        "strohmann.rostopschin",
        Part(seats=True),
        Part(number=(1, ALL_TRICKS - 1), optional=True),
        row=Rostopschin,
        optional=True,
    )
    trull: str | None = sheet_field("strohmann.trull", Part(seats=True), optional=True)
    kings: str | None = sheet_field("strohmann.kings", Part(seats=True), optional=True)
    mondfang: str | None = sheet_field("strohmann.mondfang", Part(seats=True), optional=True)

    TOTAL = TOTAL

    @classmethod
    def usual(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Line]:
        if values.get("contract") in (None, "take"):
            yield ("contract", "take")
            yield ("declarer", seating.forehand)
        # Every card is played, and every trick is worth at least one point, so a seat with all card points
        # took all tricks, and vice versa.
        points = cls.points_of(seating, values)
        if (seat := values.get("tricks")) and not points:
            yield ("points", seat, TOTAL)
        yield from (("tricks", seat) for seat, count in points.items() if count == TOTAL)

    @classmethod
    def offered(
        cls, seating: Seating, options: Any, values: Mapping[str, Any], line: Line
    ) -> Container[Word] | None:
        match line:
            case ("tricks",):
                points = cls.points_of(seating, values)
                return [seat for seat in seating.active if points.get(seat, TOTAL) == TOTAL]
            case ("quapil" | "trull" | "kings" | "mondfang" as name,) if not options.value(name):
                return ()
            case ("pagat" | "uhu" | "kakadu" | "quapil" | "rostopschin" | "trull" | "kings",) if values.get(
                "tricks"
            ):
                return [values["tricks"]]
        return None

    @property
    def card_points(self) -> dict[str, int]:
        return dict(self.points)

    def price(self, bonus: str) -> int:
        """Return the price of a bonus, which is the option with the name of its field."""
        return int(self.options.value(bonus)) * self.options.stake

    @property
    def result(self) -> str:
        winner = next((seat for seat, points in self.points if points >= WINS), None)
        if self.declarer:
            return "won" if winner == self.declarer else "lost"
        return "won" if winner else "drawn"

    def facts(self) -> dict[str, Any]:
        return {
            "declarer": self.declarer,
            "partner": None,
            "contract": self.contract,
            "contract_played": self.contract,
            "result": self.result,
            "card_points": self.card_points,
            "announcements": [],
        }

    def impossible(self) -> Iterator[Impossible]:
        points = self.card_points
        yield from wrong_total("strohmann.card-points", points, TOTAL, TOTAL)
        if self.tricks is None:
            # Every trick is worth at least one point, so a seat with 0 points took none.
            for side in (seat for seat, count in points.items() if not count):
                yield Impossible("strohmann.valat", "tricks", "took-no-trick", {"side": side, "points": 0})
        # Every card is played, so all tricks are worth all card points.
        elif points[self.tricks] < TOTAL:
            values = {"side": self.tricks, "points": points[self.tricks], "wanted": TOTAL}
            yield Impossible("strohmann.valat", "tricks", "too-few-for-all-tricks", values)
        yield from self._impossible_tricks()
        yield from self._impossible_bonuses()

    def _impossible_bonuses(self) -> Iterator[Impossible]:
        """Yield a contradiction for each bonus that this table doesn't have, and for the trull, the Kings and
        the Mond of a seat that took no trick."""
        for name, clause in (("quapil", "strohmann.quapil"), *CARDS_TAKEN):
            seat = getattr(self, name)
            if seat and not self.options.value(name):
                yield Impossible(clause, name, "not-at-this-table", {})
            elif seat and name != "quapil" and self.tricks and seat != self.tricks:
                yield Impossible(clause, name, "trick-of-other", {"seat": seat, "other": self.tricks})

    def _impossible_tricks(self) -> Iterator[Impossible]:
        """Yield a contradiction for each bonus trick that the other seat must have won."""
        ros = self.rostopschin
        if ros is not None and self.tricks and ros.seat != self.tricks:
            values = {"seat": ros.seat, "other": self.tricks}
            yield Impossible("strohmann.rostopschin", "rostopschin", "trick-of-other", values)
        for back, (name, _, clause) in enumerate(LAST_TRICKS):
            seat, trick = getattr(self, name), ALL_TRICKS - back
            with_ros = ros is not None and ros.trick is not None and trick - ros.trick in (0, 1)
            other = self.tricks or (ros.seat if ros is not None and with_ros else None)
            if seat and other and seat != other:
                yield Impossible(clause, name, "trick-of-other", {"seat": seat, "other": other})
