"""Grosstarock (Danish Tarok): three active players, 78 cards, declarations, bolé and null."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tarock.cards import (
    BEATS,
    BIT,
    CARDS,
    CAVALIERS,
    COURTS,
    FOOL,
    FOOL_BIT,
    JACKS,
    KINGS,
    MOND_BIT,
    PAGAT_BIT,
    QUEENS,
    SUIT_OF,
    SUIT_SET,
    TAROCKS,
    TRULL,
    bits,
)
from tarock.games.info import INFO
from tarock.games.table import Discard, Illegal, Table, Trick
from tarock.games.troggu import cheapest
from tarock.record import Event, Record
from tarock.scoring import Counting, Note, ScoreLine, counting, from_each, in_threes, written

#: The tarocks without the Fool, who is none here but where a clause says so.
_TRUMPS = TAROCKS ^ FOOL_BIT
_COURT_NAMES = {"queens": QUEENS, "cavaliers": CAVALIERS, "jacks": JACKS}
_NUMBERED = {
    "tarocks": (10, 10),
    "matadors": (10, 3),
    "skus-matadors": (5, 3),
    "kings": (5, 3),
    "ladons": (15, 16),
}
_NUMBER = re.compile(r"(tarocks|matadors|skus-matadors|kings|ladons):(0|[1-9]\d{0,3})", re.ASCII)
_SUITED = re.compile(r"(cavallery|half-cavallery):([SHDC])", re.ASCII)
_NAMED = {f"T0({s})": s for s in "SHDCT"}


def _run(hand: int, numbers: list[int], step_over: bool) -> set[int]:
    """The tarocks of an unbroken run from the first number on; with `step_over`, single missing ones inside
    it count as held, and the run ends on a held card."""
    run: set[int] = set()
    skipped: int | None = None
    for number in numbers:
        if hand & BIT[f"T{number}"]:
            if skipped is not None:
                run.add(skipped)
                skipped = None
            run.add(number)
        elif skipped is None and step_over:
            skipped = number
        else:
            break
    return run


def _matadors(hand: int, step_over: bool) -> int:
    """How many matadors a hand has, 0 without the whole trull; with `step_over`, 0 unless there is a step."""
    if hand & TRULL != TRULL:
        return 0
    run = _run(hand, list(range(21, 0, -1)), step_over) | _run(hand, list(range(1, 22)), step_over)
    if step_over and all(hand & BIT[f"T{number}"] for number in run):
        return 0
    return len(run) + 1


def held_number(name: str, hand: int) -> int:
    """The full number that a hand of 25 holds of a numbered declaration."""
    if name == "tarocks":
        return (hand & TAROCKS).bit_count()
    if name == "kings":
        return (hand & (KINGS | TRULL)).bit_count()
    if name == "ladons":
        return (hand & ~(_TRUMPS | COURTS)).bit_count()
    return _matadors(hand, name == "skus-matadors")


def item_clause(item: str) -> str:
    """The slug of the clause of a declaration item."""
    name = item.partition(":")[0]
    return "grosstarock.declare-four" if name in _COURT_NAMES else f"grosstarock.declare-{name}"


def item_points(item: str) -> int:
    """What each other player pays for a declaration item."""
    name, _, argument = item.partition(":")
    if name in _NUMBERED:
        base, least = _NUMBERED[name]
        return base + 5 * (int(argument) - least)
    return 10 if name == "cavallery" else 5


def _declared_number(name: str, hand: int) -> int:
    """The number with which a hand of 25 may make a numbered declaration, 0 if it may not."""
    number = held_number(name, hand)
    return number if number >= _NUMBERED[name][1] else 0


def _cavallery(suit: str, hand: int) -> str:
    """Which cavallery a hand of 25 has in a suit: the whole, half of it (one court but the King lacking, and
    the Sküs), or none."""
    courts = SUIT_SET[suit] & COURTS
    held = hand & courts
    if held == courts:
        return "cavallery"
    return "half-cavallery" if held.bit_count() == 3 and held & KINGS and hand & FOOL_BIT else ""


def holds_item(item: str, hand: int) -> bool:
    """Whether a hand of 25 has what a well-formed declaration item says, a number being the full one held."""
    name, _, argument = item.partition(":")
    if name in _NUMBERED:
        return int(argument) == _declared_number(name, hand) != 0
    if name in _COURT_NAMES:
        return hand & _COURT_NAMES[name] == _COURT_NAMES[name]
    return _cavallery(argument, hand) == name


def declarable(hand: int) -> list[str]:
    """Every item that a hand may declare, in the order of the table; `matadors` and `skus-matadors` exclude
    each other."""
    numbers = {name: _declared_number(name, hand) for name in _NUMBERED}
    ladons = numbers.pop("ladons")
    items = [f"{name}:{number}" for name, number in numbers.items() if number]
    if (hand & COURTS).bit_count() >= 3:
        suits = {suit: _cavallery(suit, hand) for suit in "SHDC"}
        for name in ("cavallery", "half-cavallery"):
            items += [f"{name}:{suit}" for suit, has in suits.items() if has == name]
        items += [name for name, courts in _COURT_NAMES.items() if hand & courts == courts]
    return [*items, f"ladons:{ladons}"] if ladons else items


class Grosstarock(Table):
    """A deal of Grosstarock.

    `owes`: the seat whose Sküs waits for a card to be paid, and to whom (`grosstarock.skus-owed`);
    `announced`: seat → (bole|null, number of the trick to come, event).
    """

    info = INFO["grosstarock"]
    TRUMPS = _TRUMPS
    __slots__ = ("announced", "declared", "handed", "owes", "spoken")

    def __init__(self, record: Record) -> None:
        self.spoken = 0
        self.owes: tuple[str, str] | None = None
        self.handed: tuple[str, str, int] | None = None
        self.declared: list[tuple[int, str, str]] = []
        self.announced: dict[str, tuple[str, int, int]] = {}
        super().__init__(record)

    def begin(self) -> None:
        self.hands[self.dealer] |= bits(self.talon)
        self.talon = []
        self.enter("exchange", self.dealer)

    # -- discard and declarations --------------------------------------------------------------------

    def discard_ways(self) -> tuple[int, list[Discard]]:
        """`grosstarock.discard`: no King, no Mond; tarocks only all together, three at most with `T0`, the
        Pagat among them and the Mond not held."""
        hand = self.hands[self.dealer]
        plain = hand & ~(KINGS | _TRUMPS)
        ways = [(0, plain)]
        tarocks = hand & TAROCKS
        if hand & PAGAT_BIT and not hand & MOND_BIT and tarocks.bit_count() <= 3:
            ways.append((tarocks, plain & ~FOOL_BIT))
        return 3, ways

    def put_away(self, event: Event) -> None:
        """The dealer's `discard`."""
        self.discard(event)
        self.enter("declaring", self.dealer)

    def declare(self, event: Event) -> None:
        """`announce ITEM…` or `pass`, from the dealer on (`grosstarock.declare`)."""
        seat = event[0]
        if event[1] == "announce":
            items = self.arguments(event, 1, 99)
            self._check_items(seat, items)
            self.declared += [(self.step, seat, item) for item in items]
        else:
            self.arguments(event, 0, 0)
        self.spoken += 1
        if self.spoken < 3:
            self.turn = self.next[seat]
        else:
            self.enter("play", self.forehand)

    def _check_items(self, seat: str, items: tuple[str, ...]) -> None:
        for i, item in enumerate(items):
            if not (_NUMBER.fullmatch(item) or _SUITED.fullmatch(item) or item in _COURT_NAMES):
                late = "; it is said between tricks" if item in ("bole", "null") else ""
                raise Illegal("common.item", f"“{item}” is no declaration{late}")
            if item in items[:i]:
                raise Illegal("common.item", f"{item} is declared twice")
        hand = self.hands[seat]
        for item in items:
            if not holds_item(item, hand):
                name = item.partition(":")[0]
                full = f"; held: {held_number(name, hand)}" if name in _NUMBERED else ""
                raise Illegal(item_clause(item), f"{seat} declares {item} without holding just that{full}")
        said = {item.partition(":")[0] for item in items}
        if {"matadors", "skus-matadors"} <= said:
            raise Illegal(
                "grosstarock.declare-skus-matadors", "matadors and skus-matadors exclude each other"
            )

    # -- bolé and null -------------------------------------------------------------------------------

    def out_of_turn(self, event: Event) -> None:
        """Between tricks bolé and null wait for nobody's turn."""
        if self.phase == "play" and event[1] == "announce" and event[0] in self.active:
            self.announce(event)
        else:
            super().out_of_turn(event)

    def announce(self, event: Event) -> None:
        """`announce bole` or `announce null` (`grosstarock.announce-bole`, `grosstarock.announce-null`)."""
        if self.trick:
            raise Illegal(
                "common.unexpected", "bolé and null are announced between tricks, not in the middle of one"
            )
        items = self.arguments(event, 1, 99)
        for i, item in enumerate(items):
            if item not in ("bole", "null"):
                raise Illegal("common.item", f"“{item}” cannot be said here, only bole or null")
            if item in items[:i]:
                raise Illegal("common.item", f"{item} is said twice")
        seat = event[0]
        for item in items:
            why = self._barred(seat, item)
            if why or len(items) > 1:
                raise Illegal(
                    f"grosstarock.announce-{item}", why or "a player announces at most one of bolé and null"
                )
        self.announced[seat] = (items[0], len(self.tricks) + 1, self.step)

    def _barred(self, seat: str, item: str) -> str:
        """Why a seat may not announce an item now, or nothing."""
        number = len(self.tricks) + 1
        latest = 20 if item == "bole" else 13
        if seat in self.announced:
            return f"{seat} has announced {self.announced[seat][0]} already"
        if number > latest:
            return f"{item} may be announced up to the lead to trick {latest}, not before trick {number}"
        if item == "bole" and self.won[seat] < len(self.tricks):
            return f"{seat} has not won every trick so far"
        if item == "null" and self.won[seat]:
            return f"{seat} has won a trick already"
        return ""

    # -- play ----------------------------------------------------------------------------------------

    def playable(self, seat: str) -> int:
        """`grosstarock.follow`: as everywhere, but the Sküs may be played at any time."""
        return super().playable(seat) | self.hands[seat] & FOOL_BIT

    def qualified(self, token: str) -> tuple[int, int]:
        """The Sküs led with the name of a suit (`grosstarock.skus-lead`)."""
        seat = self.turn or ""
        code = token.partition("(")[0]
        if token not in _NAMED:
            raise Illegal("common.item", f"{token}: only T0 is named, one of {' '.join(_NAMED)}")
        if not self.hands[seat] & BIT[code]:
            raise Illegal("common.not-held", f"{seat} does not hold {code}")
        if self.trick:
            raise Illegal("grosstarock.skus-lead", "T0 takes a name only when it is led")
        return FOOL, FOOL_BIT

    def compare(self, seat: str, card: int, bit: int, token: str) -> None:
        """The highest tarock wins, else the highest card of the suit led or named; the Sküs never
        (`grosstarock.skus-lead`)."""
        if card == FOOL:
            if not self.trick:
                named = SUIT_SET[_NAMED[token]] & ~FOOL_BIT
                held = any(self.hands[s] & named for s in self.active if s != seat)
                self.led = named if held else 0
                self.best, self.best_seat = FOOL, seat
            return
        suit = SUIT_OF[card] & ~FOOL_BIT
        if not self.trick or self.best == FOOL:
            # The first card beside the Sküs; it leads unless a suit was led or named to good effect.
            self.led = self.led or suit
            self.best, self.best_seat = card, seat
        elif bit & BEATS[self.best] or (suit == self.led and not SUIT_OF[self.best] & (self.led | _TRUMPS)):
            self.best, self.best_seat = card, seat

    def trick_done(self, trick: Trick) -> None:
        """The Sküs stays with its player, who hands over the lowest-valued card he has won
        (`grosstarock.skus-keeps`)."""
        if self.owes and trick.winner == self.owes[0]:
            player, creditor = self.owes
            self._hand_over(player, creditor, trick.set)
            self.owes = None
        token = next((c for c in trick.cards if c == "T0" or c in _NAMED), None)
        if token is None or trick.number > self.total - 3:
            return
        player = trick.seats[trick.cards.index(token)]
        heap = self.taken[player]
        if heap:
            self._hand_over(player, trick.winner, heap)
        else:
            self.owes = (player, trick.winner)

    def _hand_over(self, player: str, winner: str, heap: int) -> None:
        card = cheapest(heap)
        self.taken[player] = (self.taken[player] & ~card) | FOOL_BIT
        self.taken[winner] = (self.taken[winner] & ~FOOL_BIT) | card
        self.handed = (player, winner, card)

    def play(self, event: Event) -> None:
        """One card to the trick; a Sküs led needs a name (`grosstarock.skus-lead`)."""
        if not self.trick and event[2:] == ("T0",) and self.hands[event[0]] & FOOL_BIT:
            raise Illegal("grosstarock.skus-lead", "T0 led needs a name: T0(S), T0(H), T0(D), T0(C) or T0(T)")
        super().play(event)

    def special_clause(self, seat: str) -> str:
        return "grosstarock.follow"

    def tokens(self, card: int) -> list[str]:
        if card == FOOL and not self.trick:
            return list(_NAMED)
        return [CARDS[card]]

    def phase_events(self) -> Iterator[Event]:
        seat = self.turn
        if seat is None:
            return
        if self.phase == "declaring":
            yield (seat, "pass")
            items = declarable(self.hands[seat])
            for number in range(1, len(items) + 1):
                for chosen in combinations(items, number):
                    if not {"matadors", "skus-matadors"} <= {c.partition(":")[0] for c in chosen}:
                        yield (seat, "announce", *chosen)
        elif self.phase == "play" and not self.trick:
            for speaker in self.active:
                for item in ("bole", "null"):
                    if not self._barred(speaker, item):
                        yield (speaker, "announce", item)

    def legal_words(self) -> list[str]:
        if self.phase == "declaring" and self.turn:
            return ["pass", *(f"announce {item}" for item in declarable(self.hands[self.turn]))]
        if self.phase == "play" and self.turn and not self.trick:
            return [f"announce {item}" for item in ("bole", "null") if not self._barred(self.turn, item)]
        return super().legal_words()

    # -- settlement ----------------------------------------------------------------------------------

    def points_of(self, seat: str) -> int:
        return in_threes(self.taken[seat])

    def countings(self) -> list[Counting]:
        return [
            counting(s, s, [("tricks", s, self.taken[s]), ("discards", s, self.discards.get(s, 0))], "threes")
            for s in self.active
        ]

    def bole(self) -> str | None:
        """The seat that took all 25 tricks, if any."""
        return next((s for s in self.active if self.won[s] == self.total), None)

    def null(self) -> str | None:
        """The seat that took no trick while each of the other two took at least one, if any."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 else None

    def settle(self) -> list[ScoreLine]:
        lines = []
        for number, seat, item in self.declared:
            amount = item_points(item)
            words = f"{seat} declares {item}: {amount} from each"
            lines.append(
                self._each(item_clause(item), seat, amount, {"seat": seat, "item": item}, words, (number,))
            )
        cards = list(self._card_bonuses())
        lines += [line for line, _, _ in cards]
        lines += self._last_trick()
        lines += self._bole_and_null()
        null = self.null()
        if null:
            lines += self._refund(null, cards)
        if not null and not self.bole():
            points = self.sides_points()
            shares = {s: p - 26 for s, p in points.items()}
            words = "; ".join(f"{s}: {p} − 26 = {written(p - 26)}" for s, p in points.items())
            lines.append(ScoreLine("grosstarock.card-points", shares, {"card_points": points}, words))
        return lines

    def _each(
        self,
        clause: str,
        seat: str,
        amount: int,
        quantity: dict[str, Any],
        words: str,
        events: tuple[int, ...] = (),
    ) -> ScoreLine:
        return ScoreLine(
            clause, from_each(seat, self.active, amount), quantity | {"amount": amount}, words, events
        )

    def _card_bonuses(self) -> Iterator[tuple[ScoreLine, str, int]]:
        """The Pagat and the Kings, each as it was played: line, player, what he got from each (or paid,
        negative)."""
        for trick in self.tricks:
            if not trick.set & (KINGS | PAGAT_BIT):
                continue
            last = trick.number == self.total
            for place, (seat, code) in enumerate(zip(trick.seats, trick.cards, strict=True)):
                if code == "T1":
                    clause, amount = ("grosstarock.pagat-ultimo", 15) if last else ("grosstarock.pagat", 5)
                elif code[1:] == "K":
                    clause, amount = ("grosstarock.king-ultimo", 10) if last else ("grosstarock.king", 5)
                else:
                    continue
                won = seat == trick.winner
                signed = amount if won else -amount
                outcome = "wins it: gets" if won else "loses it: pays"
                words = f"{seat} plays {code} in trick {trick.number} and {outcome} {amount}"
                quantity = {"seat": seat, "card": code, "trick": trick.number, "won": won}
                yield self._each(clause, seat, signed, quantity, words, (trick.event + place,)), seat, signed

    def _last_trick(self) -> Iterator[ScoreLine]:
        last = self.tricks[-1]
        if not last.set & (KINGS | PAGAT_BIT):
            words = f"the last trick holds neither Pagat nor King; {last.winner} wins it: 5 from each"
            events = (last.event, last.event + 1, last.event + 2)
            yield self._each("grosstarock.last-trick", last.winner, 5, {"trick": last.number}, words, events)

    def _bole_and_null(self) -> Iterator[ScoreLine]:
        """`grosstarock.bole` and `grosstarock.null`, made or failed."""
        made = {"bole": self.bole(), "null": self.null()}
        for item in ("bole", "null"):
            seat = made[item]
            if seat and self.announced.get(seat, ("",))[0] != item:
                yield self._each(
                    f"grosstarock.{item}",
                    seat,
                    26,
                    {"seat": seat, "made": True},
                    f"{seat} makes {item}, not announced: 26 from each",
                )
            for speaker, (said, number, event) in self.announced.items():
                if said != item:
                    continue
                if item == "bole":
                    gain = loss = 52 if number == 1 else 38 if number <= 13 else 31
                else:
                    gain, loss = (36, 10) if number == 1 else (31, 5)
                success = speaker == seat
                amount = gain if success else -loss
                outcome = "makes it: gets" if success else "fails: pays"
                words = f"{speaker} announces {item} before trick {number} and {outcome} {abs(amount)}"
                quantity = {"seat": speaker, "made": success, "before_trick": number}
                yield self._each(f"grosstarock.{item}", speaker, amount, quantity, words, (event,))

    def _refund(self, null: str, cards: list[tuple[ScoreLine, str, int]]) -> Iterator[ScoreLine]:
        """`grosstarock.null-refund`: what the player of a null paid for Pagat and Kings comes back to him."""
        shares = dict.fromkeys(self.active, 0)
        events: list[int] = []
        parts: list[str] = []
        for line, player, signed in cards:
            paid = -line.points[null]
            if paid <= 0:
                continue
            events += line.events
            parts.append(str(paid))
            for seat in self.active:
                if seat != null and (player == null or seat == player):
                    back = abs(signed)
                    shares[null] += back
                    shares[seat] -= back
        if parts:
            words = f"{null} is paid back {' + '.join(parts)} = {shares[null]}"
            yield ScoreLine(
                "grosstarock.null-refund",
                shares,
                {"seat": null, "amount": shares[null]},
                words,
                tuple(events),
            )

    # -- what is known -------------------------------------------------------------------------------

    def contract_words(self) -> dict[str, Any]:
        announced = [{"event": n, "seat": s, "item": item} for n, s, item in self.declared]
        announced += [{"event": n, "seat": s, "item": item} for s, (item, _, n) in self.announced.items()]
        return {"contract": None, "called": None, "doubles": {}, "announced": announced}

    def missed(self) -> list[Note]:
        notes = []
        for seat, (item, _, event) in self.announced.items():
            if seat != (self.bole() if item == "bole" else self.null()):
                decisive = [t for t in self.tricks if (t.winner == seat) == (item == "null")]
                values = (
                    {"seat": seat, "trick": decisive[0].number, "winner": decisive[0].winner}
                    if decisive
                    else {"seat": seat}
                )
                events = (event, decisive[0].event) if decisive else (event,)
                notes.append(Note(f"grosstarock.{item}", f"{item}-failed", values, events))
        for seat, won in self.won.items():
            said = self.announced.get(seat, ("",))[0]
            if won == self.total - 1 and said != "bole":
                values = {"side": seat, "tricks": won, "wanted": self.total}
                notes.append(Note("grosstarock.bole", "tricks-near", values))
            if won == 1 and said != "null" and max(self.won.values()) < self.total - 1:
                notes.append(
                    Note("grosstarock.null", "tricks-near", {"side": seat, "tricks": 1, "wanted": 0})
                )
        fool = self.trick_with("T0")
        if fool is not None and not self.taken[fool[1]] & FOOL_BIT:
            values = {"seat": fool[1], "trick": fool[0].number, "winner": fool[0].winner}
            notes.append(Note("grosstarock.skus-lost", "fool-lost", values, (fool[2],)))
        declared = {(seat, item) for _, seat, item in self.declared}
        for seat in self.active:
            hand = bits(t.cards[t.seats.index(seat)].partition("(")[0] for t in self.tricks)
            held = declarable(hand)
            one_of = {i.partition(":")[0] for s, i in declared if s == seat} & {"matadors", "skus-matadors"}
            for item in held:
                other = item.partition(":")[0] in ("matadors", "skus-matadors") and one_of
                if (seat, item) not in declared and not other:
                    notes.append(Note(item_clause(item), "not-declared", {"seat": seat, "item": item}))
        return notes

    def facts(self) -> dict[str, Any]:
        bole, null = self.bole(), self.null()
        return {
            "declarer": None,
            "partner": None,
            "contract": None,
            "result": "bole" if bole else "null" if null else "counted",
            "bole": bole,
            "null": null,
            "card_points": {c.side: c.points for c in self.countings()},
            "tricks": dict(self.won),
            "announcements": [[a["seat"], a["item"]] for a in self.contract_words()["announced"]],
        }

    PHASES = {
        "exchange": {"discard": put_away},
        "declaring": {"announce": declare, "pass": declare},
        "play": {"play": play, "announce": announce},
    }
