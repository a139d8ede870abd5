"""The outcome of a deal of Taroky: its fields, and checks for impossible combinations of values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tarock.core.game import Seating
from tarock.core.outcome import Impossible, Outcome, Part, Points, When, Word, sheet_field, wrong_total
from tarock.core.record import Line
from tarock.games.taroky.announcing import HAND_ITEMS, clashing, hand_items
from tarock.games.taroky.options import TarokyOptions
from tarock.games.taroky.state import RAISES, STAKES

_DUTIES = ("first", "second")
_CONTRACTS = (*_DUTIES, "troika", "solo", "varsava")
SIDES = ("bidder", "opponents")
#: Half of the card points. A side wins with more than this (`taroky.game`).
HALF = 35
_TOTAL = 70
#: Hand declaration → lowest number of tarocks in a hand that may make the declaration.
_TAROCKS = {"taroky": 10, "tarocky": 8, "trul": 3, "trulhonery": 3, "barvicky": 1, "barvy": 0}
_ALL_TAROCKS = 22
#: Highest card points of a side that took no trick: (bidder's side, opponents). The side has only its
#: discards, without 5-point cards, and the opponents also have the rest of the talon. In a First or Second
#: Duty, the bidder discards four cards and the partner one (four Queens and a Cavalier: 19 - 3 = 16), and the
#: opponents discard two (8 - 1 = 7). In a Troika, the bidder discards three (12 - 2 = 10), and the opponents
#: get the other three of the talon (15 - 2 = 13). In a Solo, the opponents get all six (30 - 4 = 26).
_DUTY = (16, 7)
_WITHOUT_TRICK = {"first": _DUTY, "second": _DUTY, "troika": (10, 13), "solo": (0, 26)}
#: Lowest and highest total of card points in Varšava, where nobody gets the six cards of the talon. The
#: values of the pack add up to 106, and those of the talon to between 6 (six ones) and 30 (six fives).
#: Counting in threes takes 31 to 33 off the other 48 cards. 106 - 30 - 33 = 43, and 106 - 6 - 31 = 69.
_VARSAVA = (43, 69)

#: Lowest card points of the tricks alone if they are all tricks (`valat-tricks-only`): the values of the pack
#: add up to 106, the 48 cards in tricks count in threes (less 32), and the other six cards are at most worth
#: four Queens and two Cavaliers (22), in a Troika 12 and three cards worth 5, in a Solo six of these.
_TRICKS_ALONE = {"first": 52, "second": 52, "troika": 47, "solo": 44}

#: Raises by the side that did not raise first, and declarations of a hand with the trull.
_ANSWERS, _WITH_TRULL = {"re", "resub"}, {"trul", "trulhonery"}
_BY_BIDDER = When("contract", _CONTRACTS[:4])
_COUNTED = (When("surrendered", (None, False)), When("uncontested", (None, False)))
_PLAYED = (_BY_BIDDER, *_COUNTED)


def other_side(side: str) -> str:
    return "opponents" if side == "bidder" else "bidder"


class Pagat(NamedTuple):
    """The result of a Pagat that was announced, or that was played to the last trick unannounced."""

    how: str  # `announced` or `silent`
    seat: str
    end: str  # `made` or `failed`


class Valat(NamedTuple):
    """An announced valat. `end`: `made` or `failed`."""

    seat: str
    end: str


class Hand(NamedTuple):
    """The hand declarations of a seat."""

    seat: str
    items: tuple[str, ...]


class Double(NamedTuple):
    """A raise of a stake, and the seat that made the raise, if it is known."""

    stake: str
    word: str
    seat: str | None


@dataclass(kw_only=True)
class TarokyOutcome(Outcome):
    """The outcome of a deal of Taroky.

    `partner`: the partner's seat, or `alone`; `points`: card points by side or, in Varšava, by seat; `pagat`:
    the result of a Pagat that was announced or played to the last trick; `tricks`: the side that took all
    tricks; `trickless`: in Varšava, the seats that took no trick.
    """

    options: TarokyOptions = TarokyOptions.default()
    contract: str | None = sheet_field("taroky.bid", Part("contracts", _CONTRACTS))
    level: int | None = sheet_field(
        "taroky.troika-level", Part(number=(1, 3)), when=(When("contract", ("troika",)),)
    )
    bidder: str | None = sheet_field("taroky.bid", Part(seats=True), when=(_BY_BIDDER,))
    partner: str | None = sheet_field(
        "taroky.partner",
        Part("sheet_words", ("alone",), seats=True),
        when=(When("contract", _DUTIES), When("surrendered", (None, False))),
    )
    surrendered: bool = sheet_field("taroky.surrender", when=(When("contract", ("first",)),), optional=True)
    uncontested: bool = sheet_field(
        "taroky.settle-uncontested",
        when=(When("contract", ("first",)), When("surrendered", (None, False))),
        optional=True,
    )
    points: tuple[Points, ...] = sheet_field(
        "taroky.card-points",
        Part("sides", SIDES, seats=True),
        Part(number=(0, _TOTAL)),
        key=1,
        row=Points,
        when=_COUNTED,
    )
    hand: tuple[Hand, ...] = sheet_field(
        "taroky.announce-order",
        Part(seats=True),
        Part("items", tuple(HAND_ITEMS), many=True),
        key=1,
        row=Hand,
        when=(_BY_BIDDER, _COUNTED[0]),
        optional=True,
    )
    double: tuple[Double, ...] = sheet_field(
        "taroky.double",
        Part("stakes", STAKES),
        Part("sheet_words", tuple(RAISES), steps=True),
        Part(seats=True, optional=True),
        key=2,
        row=Double,
        when=_PLAYED,
        optional=True,
    )
    pagat: Pagat | None = sheet_field(
        "taroky.pagat-announced",
        Part("sheet_words", ("announced", "silent")),
        Part(seats=True),
        Part("sheet_words", ("made", "failed")),
        row=Pagat,
        when=_PLAYED,
        optional=True,
    )
    valat: Valat | None = sheet_field(
        "taroky.valat-announced",
        Part(seats=True),
        Part("sheet_words", ("made", "failed")),
        row=Valat,
        when=_PLAYED,
        optional=True,
    )
    tricks: str | None = sheet_field("taroky.valat", Part("sides", SIDES), when=_PLAYED, optional=True)
    trickless: tuple[str, ...] | None = sheet_field(
        "taroky.varsava-pay",
        Part(seats=True, many=True),
        when=(When("contract", ("varsava",)),),
        optional=True,
    )

    TOTAL, SIDES, ALONE = _TOTAL, SIDES, "varsava"

    @classmethod
    def total(cls, values: Mapping[str, Any]) -> int | None:
        # A side that counts the cards of its tricks alone leaves six cards out.
        valat = values.get("valat")
        whole = values.get("tricks") or (valat and valat.end == "made")
        return None if values["options"].valat_tricks_only and whole else super().total(values)

    @classmethod
    def needed(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[str]:
        yield from super().needed(seating, values)
        if values.get("contract") == "second":
            # A bid of Second Duty announces the pagat.
            yield "pagat"

    @classmethod
    def usual(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Line]:
        contract = values.get("contract")
        if contract in (None, "first"):
            yield ("contract", "first")
            yield ("bidder", seating.forehand)
        if contract == "second" and values.get("bidder"):
            yield ("pagat", "announced", values["bidder"])
        # Every trick is worth at least one point, so a side or seat with 0 card points took no trick.
        points = cls.points_of(seating, values)
        valat = values.get("valat")
        if not (valat and valat.end == "made"):
            yield from (("tricks", other_side(side)) for side in SIDES if points.get(side) == 0)
        if contract == "varsava":
            trickless = values.get("trickless") or ()
            yield from (("points", seat, 0) for seat in trickless if seat not in points)
            if nobody := [seat for seat in seating.active if points.get(seat) == 0]:
                yield ("trickless", *nobody)

    @classmethod
    def offered(
        cls, seating: Seating, options: Any, values: Mapping[str, Any], line: Line
    ) -> Container[Word] | None:
        contract, bidder, pagat = values.get("contract"), values.get("bidder"), values.get("pagat")
        announced = pagat and pagat.how == "announced"
        match line:
            case ("bidder",) if contract in _DUTIES:
                first = contract == "first"
                if not first and options.second_forehand:
                    return None
                return [seat for seat in seating.active if (seat == seating.forehand) == first]
            case ("partner",):
                return ["alone", *(seat for seat in seating.active if seat != bidder)]
            case ("uncontested",):
                contested = announced or values.get("valat") or values.get("double")
                return None if options.settle_uncontested and not contested else ()
            case ("contract",) if not options.varsava:
                return _CONTRACTS[:4]
            case ("surrendered",) if not options.surrender:
                return ()
            case ("hand", _, *_):
                return hand_items(options)
            case ("double", stake):
                none = stake == "valat" and not options.valat_doubles
                return () if none else tuple(RAISES)[: options.doubles]
            case ("double",) if not options.doubles:
                return ()
            case ("double",):
                open_stakes = {"pagat": announced, "valat": values.get("valat")}
                return [stake for stake in STAKES if open_stakes.get(stake, True)]
            case ("pagat",) if contract == "second":
                return ["announced"]
            case ("pagat", "announced") if contract == "second" and bidder:
                return [bidder]
            case ("trickless",):
                points = cls.points_of(seating, values)
                return [seat for seat in seating.active if not points.get(seat)]
        return None

    #: Seat → side; empty in Varšava, where everybody plays alone.
    sides: dict[str, str] = field(init=False, repr=False, compare=False)
    #: Card points by side or, in Varšava, by seat.
    card_points: dict[str, int] = field(init=False, repr=False, compare=False)
    #: Doubled stake → its factor (`taroky.double`).
    factors: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        own = (self.bidder, self.partner)
        active = self.seating.active if self.bidder else ()
        sides = {seat: "bidder" if seat in own else "opponents" for seat in active}
        factors: dict[str, int] = {}
        for stake, word, _ in self.double:
            factors[stake] = max(RAISES[word], factors.get(stake, 1))
        # Compute these attributes immediately, because every clause needs them. As a `cached_property`, each
        # would take 1 µs for the lock.
        self.sides, self.card_points, self.factors = sides, dict(self.points), factors

    def factor(self, stake: str) -> int:
        """Return the factor of a stake; 1 if it is not doubled."""
        return self.factors.get(stake, 1)

    @property
    def announcer_of_pagat(self) -> str | None:
        """Seat that announced the pagat, if any."""
        return self.pagat.seat if self.pagat is not None and self.pagat.how == "announced" else None

    @property
    def all_tricks(self) -> str | None:
        """Side that took all tricks, if any."""
        if self.tricks is None and self.valat is not None and self.valat.end == "made":
            return self.sides[self.valat.seat]
        return self.tricks

    @property
    def tricks_alone(self) -> bool:
        """Whether a side took all tricks and counts the cards of its tricks alone."""
        return self.options.valat_tricks_only and self.all_tricks is not None

    @property
    def result(self) -> str:
        if self.surrendered:
            return "surrendered"
        if self.uncontested:
            return "settled"
        if self.contract == "varsava":
            return "varsava"
        over = self.card_points["bidder"] - HALF
        return "won" if over > 0 else "lost" if over else "drawn"

    def facts(self) -> dict[str, Any]:
        varsava = self.contract == "varsava"
        partner = self.partner if self.partner in self.active else None
        items = [[row.seat, item] for row in self.hand for item in row.items]
        if self.announcer_of_pagat:
            items.append([self.announcer_of_pagat, "pagat"])
        if self.valat is not None:
            items.append([self.valat.seat, "valat"])
        raises = [[row.seat, f"{row.word}:{row.stake}"] for row in self.double if row.seat]
        facts: dict[str, Any] = {
            "declarer": self.bidder,
            "bidder": self.bidder or self.seating.forehand,
            "partner": partner,
            "alone": not (varsava or self.surrendered or partner),
            "contract": "first" if varsava else self.contract,
            "contract_played": self.contract,
            "level": self.level,
            "varsava": varsava,
            "result": self.result,
            "doubles": {stake: self.factors[stake] for stake in STAKES if stake in self.factors},
            "raises": raises,
            "announcements": items + raises,
        }
        if self.points:
            facts["card_points"] = self.card_points
        return facts

    def doubled(self) -> dict[str, tuple[str, ...]]:
        sides = {stake: self._first_to_raise(stake) for stake in STAKES if stake in self.factors}
        return {
            stake: tuple([seat for seat, own in self.sides.items() if own == side])
            for stake, side in sides.items()
            if side
        }

    # -- impossible values ---------------------------------------------------------------------------

    def impossible(self) -> Iterator[Impossible]:
        yield from self._impossible_points()
        yield from self._impossible_seats()
        yield from self._impossible_hands()
        yield from self._impossible_pagat()
        yield from self._impossible_doubles()
        yield from self._impossible_tricks()

    def _impossible_points(self) -> Iterator[Impossible]:
        varsava = self.contract == "varsava"
        low, high = _VARSAVA if varsava else (_TOTAL, _TOTAL)
        if not self.tricks_alone:
            yield from wrong_total("taroky.card-points", self.card_points, low, high)
        for seat in self.trickless or ():
            if self.card_points[seat]:
                values = {"side": seat, "points": self.card_points[seat], "high": 0}
                yield Impossible("taroky.varsava-pay", "trickless", "points-without-trick", values)
        # Every trick is worth at least one point, so a side or seat with 0 points took no trick.
        for side, points in self.points:
            if varsava and not points and side not in (self.trickless or ()):
                yield Impossible(
                    "taroky.varsava-pay", "trickless", "took-no-trick", {"side": side, "points": 0}
                )
            elif not (varsava or points) and self.all_tricks in (None, side):
                yield Impossible("taroky.valat", "tricks", "took-no-trick", {"side": side, "points": 0})

    def _impossible_seats(self) -> Iterator[Impossible]:
        forehand = self.seating.forehand
        if self.bidder and self.partner == self.bidder:
            yield Impossible("taroky.partner", "partner", "partner-is-declarer", {"seat": self.bidder})
        if self.contract == "varsava" and not self.options.varsava:
            yield Impossible("taroky.varsava", "contract", "not-at-this-table", {})
        if self.surrendered and not self.options.surrender:
            yield Impossible("taroky.surrender", "surrendered", "not-at-this-table", {})
        if self.contract == "second" and self.bidder == forehand and not self.options.second_forehand:
            yield Impossible("taroky.forehand-must-bid", "bidder", "second-by-forehand", {"seat": forehand})
        if self.contract == "first" and self.bidder != forehand:
            values = {"seat": self.bidder, "other": forehand}
            yield Impossible("taroky.forehand-must-bid", "bidder", "first-by-other", values)
        settles = self.options.settle_uncontested
        if self.uncontested and not settles:
            yield Impossible("taroky.settle-uncontested", "uncontested", "without-option", {})
        contested = self.announcer_of_pagat or self.valat or self.double
        if settles and self.contract == "first" and not (contested or self.uncontested or self.surrendered):
            yield Impossible("taroky.settle-uncontested", "uncontested", "settled-by-option", {})

    def _impossible_hands(self) -> Iterator[Impossible]:
        """Yield contradictions between hand declarations that can't all be true with one pack of cards."""
        values: dict[str, Any]
        for row in self.hand:
            items = set(row.items)
            # Only one declaration fits a hand's number of tarocks. The trull has three tarocks, too many for
            # those in `few`. Ten tarocks and four Kings would be 14 cards.
            number = items & (_TAROCKS.keys() - _WITH_TRULL)
            few = items & {"barvy", "barvicky"}
            if len(number) > 1 or (items & _WITH_TRULL and few) or {"taroky", "kralovske-honery"} <= items:
                clause, values = f"taroky.hand-{row.items[-1]}", {"seat": row.seat, "items": list(row.items)}
                yield Impossible(clause, "hand", "not-in-one-hand", values)
            if clash := clashing(items):
                both = clash == "taroky.hand-kralovske-honery"
                reason = "not-both-honours" if both else "not-with-trulhonery"
                yield Impossible(clash, "hand", reason, {"seat": row.seat})
            for item in sorted(items - hand_items(self.options).keys()):
                yield Impossible("common.item", "hand", "no-such-item", {"item": item})
        held = {item: [row.seat for row in self.hand if item in row.items] for item in HAND_ITEMS}
        held["trul"] = [*dict.fromkeys(held["trul"] + held["trulhonery"])]
        for item in ("trul", "honery", "kralovske-honery"):
            if len(held[item]) > 1:
                clause, values = f"taroky.hand-{item}", {"seats": held[item], "item": item}
                yield Impossible(clause, "hand", "declared-by-two", values)
        kings, fives = held["kralovske-honery"], held["honery"]
        if kings and fives and kings != fives:
            values = {"seat": fives[0], "other": kings[0]}
            yield Impossible("taroky.hand-honery", "hand", "too-few-fives", values)
        tarocks = sum(max(_TAROCKS.get(item, 0) for item in row.items) for row in self.hand)
        if tarocks > _ALL_TAROCKS:
            values = {"total": tarocks, "high": _ALL_TAROCKS}
            yield Impossible("taroky.hand-tarocky", "hand", "too-many-tarocks", values)

    def _impossible_pagat(self) -> Iterator[Impossible]:
        pagat = self.pagat
        if self.contract == "second" and self.announcer_of_pagat != self.bidder:
            yield Impossible("taroky.bid-second", "pagat", "second-announces", {"seat": self.bidder})
        if pagat is None:
            return
        holder = next((row.seat for row in self.hand if _WITH_TRULL & {*row.items}), pagat.seat)
        if holder != pagat.seat:
            values = {"seat": pagat.seat, "other": holder}
            yield Impossible("taroky.announce-pagat", "pagat", "pagat-held-by-other", values)

    def _impossible_doubles(self) -> Iterator[Impossible]:
        announcer = {
            "game": self.bidder,
            "pagat": self.announcer_of_pagat,
            "valat": self.valat.seat if self.valat else None,
        }
        for stake, word, seat in self.double:
            values = {"seat": seat, "item": f"{word}:{stake}", "stake": stake}
            if word == "resub" and self.options.doubles < 4:
                yield Impossible("common.item", "double", "no-such-item", values)
            elif RAISES[word] > 1 << self.options.doubles or (
                stake == "valat" and not self.options.valat_doubles
            ):
                yield Impossible("taroky.double", "double", "not-at-this-table", values)
            owner, first = announcer[stake], self._first_to_raise(stake)
            if owner is None:
                yield Impossible("taroky.double", "double", "stake-not-announced", values)
            elif seat and first and self.sides[seat] != (other_side(first) if word in _ANSWERS else first):
                yield Impossible("taroky.double", "double", "double-of-other-side", values)

    def _first_to_raise(self, stake: str) -> str | None:
        """Return the side that first raised a stake (`flek`). None if it is unknown: either side may double
        the game, and a sheet may leave out who did."""
        if stake == "game":
            seated = [row for row in self.double if row.stake == stake and row.seat]
            sides = [(self.sides[row.seat or ""], row.word) for row in seated]
            return next((other_side(side) if word in _ANSWERS else side for side, word in sides), None)
        announcement = self.pagat if stake == "pagat" else self.valat
        return other_side(self.sides[announcement.seat]) if announcement else None

    def _impossible_tricks(self) -> Iterator[Impossible]:
        values: dict[str, Any]
        made = self.valat and self.sides[self.valat.seat]
        if self.valat and (self.valat.end == "made") != (self.all_tricks == made):
            values = {"seat": self.valat.seat, "side": made}
            yield Impossible("taroky.valat-announced", "valat", "valat-against-tricks", values)
        if side := self.all_tricks:
            most = _WITHOUT_TRICK[self.contract or ""][SIDES.index(other_side(side))]
            least, points = _TOTAL - most, self.card_points[side]
            if self.tricks_alone:
                least = _TRICKS_ALONE[self.contract or ""]
            if points < least:
                values = {"side": side, "points": points, "wanted": least}
                name = "tricks" if self.tricks else "valat"
                yield Impossible("taroky.valat", name, "too-few-for-all-tricks", values)
            if self.pagat and self.pagat.end == "made" and self.sides[self.pagat.seat] != side:
                values = {"seat": self.pagat.seat, "side": side}
                yield Impossible("taroky.pagat-ultimo", "pagat", "pagat-against-tricks", values)
