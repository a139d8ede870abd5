"""The outcome of a deal of Grosstarock: its fields, and checks for impossible combinations of values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tarock.core.game import Seating
from tarock.core.outcome import Impossible, Key, Outcome, Part, Points, When, Word, sheet_field, wrong_total
from tarock.core.record import Line
from tarock.games.grosstarock.declarations import (
    FOURS,
    ITEM_PATTERN,
    NUMBERED,
    clause_of,
    go_together,
)
from tarock.games.grosstarock.options import GrosstarockOptions

_TOTAL = 78
#: Lowest and highest total of card points with two players, where 25 of the 78 cards are not dealt. The
#: values of the pack add up to 130, those of the 25 most valuable cards to 77, and those of the 25 least
#: valuable cards to 25. Counting in pairs takes 26 off the other 53 cards (50 in tricks and 3 discards).
#: 130 - 77 - 26 = 27, and 130 - 25 - 26 = 79.
_TWO_TOTAL = (27, 79)
_TRICKS = 25
#: Announcement → number of the last trick before which the announcement may be made.
LATEST = {"bole": 20, "null": 13}
#: Numbers of the last tricks before which an announcement has one of its prices.
_PRICES = (1, 13, 20)
_CARDS = ("T1", "SK", "HK", "DK", "CK")
_THREE, _TWO = When("seats", (3,)), When("seats", (2,))
#: Number of players → highest possible card points of the dealer's three discards. Sküs, Pagat and a Queen
#: have a value of 14. Three players count in threes (less 2), two players in pairs (less 1).
_DISCARDED = {3: 12, 2: 13}
_KINGS = tuple(card for card in _CARDS if card[1] == "K")
#: Lowest number of each declaration. Sküs-matadors are at least five: the trull, a card that a run skips, and
#: the card after it.
_LEAST = {name: row.least for name, row in NUMBERED.items()} | {"skus-matadors": 5}
#: Examples of declarations, with the lowest number or with spades as the suit.
_FORMS = (*(f"{name}:{least}" for name, least in _LEAST.items()), "cavallery:S", "half-cavallery:S", *FOURS)
#: Highest number of each declaration: the number of cards that it counts in a whole pack, but at most 25.
_MOST = {"tarocks": 22, "matadors": 22, "skus-matadors": 22, "kings": 7, "ladons": 25}
#: Declarations that need the Sküs.
_WITH_SKUS = {"matadors", "skus-matadors", "half-cavallery"}


class Declared(NamedTuple):
    """The declarations of a seat."""

    seat: str
    items: tuple[str, ...]


class Announced(NamedTuple):
    """An announced bolé or null. `trick`: number of the trick before which it was announced."""

    seat: str
    item: str
    trick: int


class CardOutcome(NamedTuple):
    """A Pagat or King that was played, and whether it won the trick."""

    card: str
    seat: str
    end: str  # `won` or `lost`
    trick: int | str | None  # number, `last`, or None if unknown but not the last

    @property
    def is_last(self) -> bool:
        """Whether the card was played to the last trick."""
        return self.trick in ("last", _TRICKS)


@dataclass(kw_only=True)
class GrosstarockOutcome(Outcome):
    """The outcome of a deal of Grosstarock.

    `card`: the Pagat and the Kings that were played, in the order of play; `last`: the seat that won the last
    trick, if the trick contains neither Pagat nor King; `bole`: the seat that took all tricks with three
    players; `tout`: the seat that took all tricks with two players; `null`: the only seat that took no trick.
    """

    options: GrosstarockOptions = GrosstarockOptions.default()
    declare: tuple[Declared, ...] = sheet_field(
        "grosstarock.declare",
        Part(seats=True),
        Part("items", pattern=ITEM_PATTERN, many=True, forms=_FORMS),
        key=1,
        row=Declared,
        optional=True,
    )
    announce: tuple[Announced, ...] = sheet_field(
        "grosstarock.announce-bole",
        Part(seats=True),
        Part("items", tuple(LATEST)),
        Part(number=(1, max(LATEST.values())), marks=_PRICES),
        key=2,
        row=Announced,
        ordered=True,
        when=(_THREE,),
        optional=True,
    )
    bole: str | None = sheet_field("grosstarock.bole", Part(seats=True), when=(_THREE,), optional=True)
    null: str | None = sheet_field("grosstarock.null", Part(seats=True), when=(_THREE,), optional=True)
    tout: str | None = sheet_field("grosstarock.two-tout", Part(seats=True), when=(_TWO,), optional=True)
    card: tuple[CardOutcome, ...] = sheet_field(
        "grosstarock.king",
        Part("cards", _CARDS),
        Part(seats=True),
        Part("sheet_words", ("won", "lost"), signs=("+", "−")),
        Part("sheet_words", ("last",), number=(1, _TRICKS), optional=True, marks=()),
        key=1,
        row=CardOutcome,
        ordered=True,
        optional=True,
    )
    last: str | None = sheet_field("grosstarock.last-trick", Part(seats=True), optional=True)
    points: tuple[Points, ...] = sheet_field(
        "grosstarock.card-points",
        Part(seats=True),
        Part(number=(0, _TWO_TOTAL[1])),
        key=1,
        row=Points,
        optional=True,
    )

    PAID_AT_ONCE = ("declare", "card", "last")

    @classmethod
    def total(cls, values: Mapping[str, Any]) -> int | None:
        # With two players, 25 cards are not dealt, so the total of card points varies.
        return _TOTAL if values["seats"] == 3 else None

    @classmethod
    def needed(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[str]:
        yield from super().needed(seating, values)
        # A sheet with a tout needs no `last`, because the tout is scored instead of the last trick.
        if not (values.get("tout") or any(row.is_last for row in values.get("card", ()))):
            yield "last"
        if not (values.get("bole") or values.get("null")):
            yield "points"

    @classmethod
    def needed_lines(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Key]:
        # Nobody may discard a King, so with three players all four Kings are played and paid for.
        if values["seats"] == 3:
            yield from (("card", king) for king in _KINGS)

    @classmethod
    def usual(cls, seating: Seating, values: Mapping[str, Any]) -> Iterator[Line]:
        cards = values.get("card", ())
        for card, seat, end, _ in cards:
            if end is None and seat:
                ends = _ends(values, seat)
                # If it is unclear whether a card won, suggest that a King won, because few Kings are lost.
                # Suggest nothing for a Pagat, which is lost about half the time.
                if len(ends) == 1 or card in _KINGS:
                    yield ("card", card, seat, ends[0])
        whole = {row.card for row in cards if row.seat} >= {*_KINGS}
        if whole and values.get("bole") and not any(row.is_last for row in cards):
            yield ("last", values["bole"])
        yield from _without_points(seating, values, cls.points_of(seating, values))

    @classmethod
    def offered(
        cls, seating: Seating, options: Any, values: Mapping[str, Any], line: Line
    ) -> Container[Word] | None:
        match line:
            case ("bole",) if values.get("null"):
                return ()
            case ("null",) if values.get("bole"):
                return ()
            case ("last",) if any(row.is_last for row in values.get("card", ())):
                return ()
            case ("last",):
                return [seat for seat in seating.active if "won" in _ends(values, seat)]
            case ("card", _, seat):
                return _ends(values, seat)
            case ("card", _, _, _) if values.get("last") and not values.get("bole"):
                # The last trick has neither Pagat nor King. After a bolé, the form filled in who won it.
                return range(_TRICKS)
            case ("announce", _, "null"):
                return range(LATEST["null"] + 1)
        return None

    @property
    def for_two(self) -> bool:
        return len(self.seating.active) == 2

    @property
    def card_points(self) -> dict[str, int]:
        """Card points by seat; empty if a sheet with a bolé or null leaves them out."""
        return dict(self.points)

    @property
    def ends_for_nothing(self) -> bool:
        """Whether the last trick brings nothing, because the table has agreed that a bolé or a null settles
        it (`grosstarock.last-trick`). A lost ultimo is paid all the same."""
        return not self.options.end_beside_null and bool(self.bole or self.null)

    @property
    def result(self) -> str:
        return "bole" if self.bole else "null" if self.null else "tout" if self.tout else "counted"

    def facts(self) -> dict[str, Any]:
        declared = [[row.seat, item] for row in self.declare for item in row.items]
        facts: dict[str, Any] = {
            "declarer": None,
            "partner": None,
            "contract": None,
            "contract_played": None,
            "result": self.result,
            "bole": self.bole,
            "null": self.null,
            "tout": self.tout,
            "announcements": declared + [[row.seat, row.item] for row in self.announce],
        }
        if self.points:
            facts["card_points"] = self.card_points
        return facts

    # -- impossible values ---------------------------------------------------------------------------

    def odd(self) -> Iterator[Impossible]:
        """Yield a contradiction for each card that another seat holds according to a declaration."""
        for card, seat, *_ in self.card:
            for other, items in self.declare:
                item = next((item for item in items if card in _held(item)), None)
                if item and other != seat:
                    values = {"seat": seat, "card": card, "other": other, "item": item}
                    yield Impossible(clause_of(item), "card", "card-held-by-other", values)

    def impossible(self) -> Iterator[Impossible]:
        if self.for_two:
            yield from wrong_total("grosstarock.two-count", self.card_points, *_TWO_TOTAL)
        else:
            yield from wrong_total("grosstarock.card-points", self.card_points, _TOTAL, _TOTAL)
        yield from self._impossible_declarations()
        yield from self._impossible_announcements()
        yield from self._impossible_tricks()
        yield from self._impossible_all_or_none()

    def _impossible_declarations(self) -> Iterator[Impossible]:
        """Yield contradictions between declarations that can't all be true with one pack of cards."""
        values: dict[str, Any]
        tarocks = kings = 0
        holders: dict[tuple[str, str], set[str]] = {}
        for seat, items in self.declare:
            numbers: dict[str, int] = {}
            for item in items:
                name, _, argument = item.partition(":")
                if name in NUMBERED:
                    numbers[name] = int(argument)
                    low, high = _LEAST[name], _MOST[name]
                    if not low <= int(argument) <= high:
                        values = {"seat": seat, "item": item, "low": low, "high": high}
                        yield Impossible(clause_of(item), "declare", "declared-number", values)
                for whole in _whole(item):
                    holders.setdefault(whole, set()).add(seat)
            yield from self._impossible_hand(seat, items, numbers)
            tarocks += max(numbers.get(name, 0) for name in ("tarocks", "matadors"))
            kings += numbers.get("kings", 0)
        for (reason, item), seats in holders.items():
            if len(seats) > 1:
                clause = "grosstarock.declare-matadors" if reason == "skus-of-two" else clause_of(item)
                values = {"seats": sorted(seats)} | ({"item": item} if item else {})
                yield Impossible(clause, "declare", reason, values)
        for name, total, reason in (
            ("tarocks", tarocks, "too-many-tarocks"),
            ("kings", kings, "too-many-kings"),
        ):
            if total > _MOST[name]:
                values = {"total": total, "high": _MOST[name]}
                yield Impossible(f"grosstarock.declare-{name}", "declare", reason, values)

    def _impossible_hand(
        self, seat: str, items: tuple[str, ...], numbers: dict[str, int]
    ) -> Iterator[Impossible]:
        """Yield contradictions between the declarations of a seat: those that don't fit into one hand, and
        those that a player may not make together."""
        values: dict[str, Any] = {"seat": seat, "items": list(items)}
        if not go_together(items):
            yield Impossible(clause_of(items[-1]), "declare", "not-together", values)
        halves = [item.removeprefix("half-") for item in items if item.startswith("half-")]
        # The Sküs may count both as a tarock and as a ladon, so the sum may exceed the hand by one card.
        cards = numbers.get("tarocks", 0) + numbers.get("ladons", 0)
        if cards > _TRICKS + 1 or set(halves) & set(items):
            yield Impossible(clause_of(items[-1]), "declare", "not-in-one-hand", values)

    def _impossible_announcements(self) -> Iterator[Impossible]:
        for seat, item, trick in self.announce:
            if trick > LATEST[item]:
                values = {"seat": seat, "item": item, "latest": LATEST[item], "trick": trick}
                yield Impossible(f"grosstarock.announce-{item}", "announce", "announced-too-late", values)

    def _impossible_tricks(self) -> Iterator[Impossible]:
        """Yield contradictions about tricks: a trick with two winners, without a winner, or with two cards
        from one seat, and a last trick that is scored twice."""
        values: dict[str, Any]
        rows = [(_TRICKS if row.is_last else row.trick, row) for row in self.card]
        for trick in dict.fromkeys(number for number, _ in rows if number is not None):
            played = [row for number, row in rows if number == trick]
            winners = list(dict.fromkeys(row.seat for row in played if row.end == "won"))
            if len(winners) > 1:
                values = {"seats": winners, "trick": trick}
                yield Impossible("grosstarock.king", "card", "trick-won-by-two", values)
            seats = [row.seat for row in played]
            for number, row in enumerate(played):
                if row.seat in seats[:number]:
                    values = {"seat": row.seat, "card": row.card, "trick": trick}
                    yield Impossible("grosstarock.king", "card", "two-cards-to-one-trick", values)
            if not winners and set(seats) == set(self.active):
                yield Impossible("grosstarock.king", "card", "trick-won-by-nobody", {"trick": trick})
        if self.last and any(row.is_last for row in self.card):
            yield Impossible("grosstarock.last-trick", "last", "last-trick-has-card", {"seat": self.last})

    def _impossible_all_or_none(self) -> Iterator[Impossible]:
        everything = self.bole or self.tout
        values: dict[str, Any]
        if self.bole and self.null:
            values = {"seat": self.null, "other": self.bole}
            yield Impossible("grosstarock.null", "null", "null-beside-bole", values)
        for row in self.card:
            loser = row.seat == self.null and row.end == "won"
            if loser or (everything and (row.end == "won") != (row.seat == everything)):
                clause = "null" if loser else "bole" if self.bole else "two-tout"
                values = {"seat": row.seat, "card": row.card, "other": self.null if loser else everything}
                yield Impossible(f"grosstarock.{clause}", "card", "card-against-tricks", values)
        if self.last and (self.last == self.null or (everything and self.last != everything)):
            values = {"seat": self.last}
            yield Impossible("grosstarock.last-trick", "last", "last-against-tricks", values)
        without = self._without_trick()
        for seat, points in self.points:
            # A dealer who took no trick still has the discards.
            most = _DISCARDED[len(self.active)] if seat == self.seating.dealer else 0
            values = {"side": seat, "points": points, "high": most}
            if seat in without and points > most:
                field, clause = ("null", "null") if seat == self.null else ("points", "card-points")
                yield Impossible(f"grosstarock.{clause}", field, "points-without-trick", values)
            elif seat not in without and not points:
                field, clause = ("tout", "two-tout") if self.for_two else ("null", "null")
                yield Impossible(f"grosstarock.{clause}", field, "took-no-trick", values)

    def _without_trick(self) -> list[str]:
        """Return the seats that took no trick according to `bole`, `tout` and `null`."""
        if everything := self.bole or self.tout:
            return [seat for seat in self.active if seat != everything]
        return [self.null] if self.null else []


def _ends(values: Mapping[str, Any], seat: Word) -> tuple[str, ...]:
    """Return the possible results of a seat's card (`won`, `lost` or both), given bolé, tout and null."""
    everything = values.get("bole") or values.get("tout")
    if everything:
        return ("won",) if seat == everything else ("lost",)
    return ("lost",) if seat == values.get("null") else ("won", "lost")


def _without_points(seating: Seating, values: Mapping[str, Any], points: Mapping[str, int]) -> Iterator[Line]:
    """Yield the line for a bolé, tout or null, if card points of 0 leave no other possibility."""
    empty = [seat for seat in seating.active if points.get(seat) == 0]
    winners = [row.seat for row in values.get("card", ()) if row.end == "won"] + [values.get("last")]
    most = dict.fromkeys(seating.active, 0) | {seating.dealer: _DISCARDED[len(seating.active)]}
    others = [seat for seat in seating.active if points.get(seat, 0) > most[seat]]
    if empty and len(empty + others) == len(most) and not set(empty) & set(winners):
        yield ("null", *empty) if len(others) == 2 else ("tout" if len(most) == 2 else "bole", *others)


def _held(item: str) -> tuple[str, ...]:
    """Return the Pagat and the Kings that a declaration always includes."""
    name, _, argument = item.partition(":")
    if name in ("cavallery", "half-cavallery"):
        return (f"{argument}K",)
    if item == f"kings:{_MOST['kings']}":
        return _CARDS
    return ("T1",) if name in ("matadors", "skus-matadors") or item == f"tarocks:{_MOST['tarocks']}" else ()


def _whole(item: str) -> Iterator[tuple[str, str]]:
    """Yield the reasons why two seats can't both make this declaration. Each is a tuple of the reason and the
    declaration that the reason names, if any."""
    name, _, suit = item.partition(":")
    if name in _WITH_SKUS:
        yield "skus-of-two", ""
    if name in FOURS:
        yield "declared-by-two", item
    if name in ("cavallery", "half-cavallery"):
        # Treat whole and half cavallery alike, because both need the King of the suit.
        yield "declared-by-two", f"cavallery:{suit}"
