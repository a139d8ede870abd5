"""The rules of Grosstarock (Danish Tarok): two or three active players, 78 cards, bolé and null."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from tarock.core.cards import (
    BIT,
    CARDS,
    FOOL,
    FOOL_BIT,
    KINGS,
    MOND_BIT,
    PAGAT_BIT,
    SUIT_OF,
    SUIT_SET,
    TAROCKS,
    bits,
    cheapest,
    names,
    value,
)
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo, Threshold
from tarock.core.outcome import Key, Points
from tarock.core.record import Event, Record
from tarock.core.table import Action, Discard, Table
from tarock.core.tricks import Trick, follow
from tarock.games.grosstarock import settlement
from tarock.games.grosstarock.declarations import (
    NUMBERED,
    TRUMPS,
    clause_of,
    declarable,
    go_together,
    known,
    may_declare,
    why_not,
    with_pagat_and_skus,
)
from tarock.games.grosstarock.options import GrosstarockOptions
from tarock.games.grosstarock.outcome import (
    LATEST,
    Announced,
    CardOutcome,
    Declared,
    GrosstarockOutcome,
)

#: Card index → suit of the card as a bit set, without the Sküs, which belongs to no suit.
_SUIT = tuple(cards & ~FOOL_BIT for cards in SUIT_OF)
#: Cards that are scored when they are played.
_SCORED = KINGS | PAGAT_BIT
_NAMED = {f"T0({s})": s for s in "SHDCT"}
#: Verbs of the play phase with two players, who can't announce anything.
_PLAY_ALONE: dict[str, Action] = {"play": Table.play}
#: Key of the reason why a card may not be played → key to use instead if the player also holds the Sküs.
_OR_SKUS = {"suit": "suit-or-skus", "tarock": "tarock-or-skus"}
#: Number of tricks at the end of a deal in which a Sküs is lost to the winner of the trick.
_LOST_IN = 3


class Grosstarock(Table):
    """A deal of Grosstarock."""

    info = GameInfo(
        id="grosstarock",
        name="Grosstarock",
        description="Three active players or two, 78 cards, declarations; bolé and null with three.",
        seats=(2, 3, 4),
        usual=3,
        pack=78,
        rules=GrosstarockOptions,
        direction="clockwise",
        hands={2: 25, 3: 25, 4: 25},
        talon={2: 3, 3: 3, 4: 3},
        deal_clauses={2: "grosstarock.two-deal"},
        stock={2: 25},
        verbs={"discard": "cards", "announce": "items", "pass": "none", "play": "card"},
        threshold=Threshold(settlement.AVERAGE, 78, None, "grosstarock.card-points"),
        main=frozenset({"grosstarock.card-points", "grosstarock.two-count", "grosstarock.two-score"}),
        ultimo=frozenset({"grosstarock.pagat-ultimo"}),
        handing_over=frozenset({"grosstarock.skus-keeps", "grosstarock.skus-owed", "grosstarock.skus-lost"}),
        items=(
            "tarocks",
            "matadors",
            "skus-matadors",
            "kings",
            "cavallery",
            "half-cavallery",
            "queens",
            "cavaliers",
            "jacks",
            "ladons",
            "bole",
            "null",
        ),
        sits_out={4: 2},
        own_accounts=(2,),
        difference="grosstarock.two-score",
    )
    TRUMPS, SUITS, SPECIAL = TRUMPS, _SUIT, FOOL_BIT

    __slots__ = (
        "announced",
        "declared",
        "declared_from",
        "for_two",
        "owes",
        "turns_taken",
    )

    def __init__(self, record: Record) -> None:
        #: Seat that owes a card for the Sküs, and seat that will get the card (`grosstarock.skus-owed`).
        self.owes: tuple[str, str] | None = None
        self.declared: list[tuple[int, str, str]] = []  # event, seat, item of each declaration
        self.declared_from: dict[str, int] = {}  # seat → hand from which it makes declarations
        self.announced: list[tuple[int, Announced]] = []  # event and announcement of each bolé and null
        self.turns_taken = 0  # number of seats that have had a turn to declare
        self.for_two = len(record.players) == 2  # two players can't announce bolé or null
        super().__init__(record)

    def begin(self) -> None:
        self.hands[self.dealer] |= bits(self.talon)
        self.talon = []
        self.enter("exchange", self.dealer)

    def why_turn(self) -> tuple[str, dict[str, Any]]:
        if self.phase == "exchange":
            return "dealer-discards", {}
        if not self.turns_taken:
            return "dealer-declares", {}
        return super().why_turn()

    # -- discard and declarations --------------------------------------------------------------------

    def discard_choices(self) -> tuple[int, list[Discard]]:
        """Return the number of discards and the choices (`grosstarock.discard`). Kings may not be discarded;
        the Sküs always may. Other tarocks may be discarded only if the hand has the Pagat, not the Mond, and
        at most three tarocks including the Sküs, and then only all of them together."""
        hand = self.hands[self.dealer]
        plain = hand & ~(KINGS | TRUMPS)
        choices = [(0, plain)]
        tarocks = hand & TAROCKS
        if hand & PAGAT_BIT and not hand & MOND_BIT and tarocks.bit_count() <= 3:
            choices.append((tarocks, plain & ~FOOL_BIT))
        return 3, choices

    def why_not_discarded(self, mask: int, hand: int) -> tuple[str, dict[str, Any]]:
        if bad := mask & (KINGS | MOND_BIT):
            return "never", {"cards": names(bad)}
        tarocks = hand & TAROCKS
        if len(self.discard_choices()[1]) > 1:
            reason = "all-or-skus" if tarocks & FOOL_BIT else "all-or-none"
            return reason, {"cards": names(mask & TAROCKS), "tarocks": names(tarocks)}
        return "tarocks", {"cards": names(mask & TRUMPS)}

    def put_away(self, event: Event) -> None:
        """Handle the dealer's `discard`."""
        self.discard(event)
        self.declared_from = dict(self.hands)
        self.enter("declaring", self.dealer)

    def declare(self, event: Event) -> None:
        """Handle `announce ITEM…` or `pass` in the declarations (`grosstarock.declare`)."""
        seat = event[0]
        if event[1] == "announce":
            items = self.items(event, self._why_no_item)
            self._check_items(seat, items)
            for item in items:
                self.declared.append((self.step, seat, item))
                if item.startswith("tarocks:") and seat not in self.unknown:
                    kind = with_pagat_and_skus(self.hands[seat])
                    self.happened("grosstarock.declare-tarocks", kind, seat=seat)
        else:
            self.arguments(event, 0, 0)
        self.turns_taken += 1
        if self.turns_taken < self.size:
            self.turn = self.next[seat]
        else:
            self.enter("play", self.forehand)

    def _why_no_item(self, item: str) -> str:
        if known(item):
            return ""
        return "no-item" if item not in LATEST else "not-with-two" if self.for_two else "later"

    def _check_items(self, seat: str, items: tuple[str, ...]) -> None:
        for item in items if seat not in self.unknown else ():
            if reason := why_not(item, self.hands[seat]):
                raise Illegal(clause_of(item), reason[0], item=item, **reason[1])
        if not go_together(items):
            two_ladons = sum(item.startswith("ladons") for item in items) > 1
            clause = "grosstarock.declare-ladons" if two_ladons else "grosstarock.declare-skus-matadors"
            raise Illegal(clause, "not-both")

    # -- bolé and null -------------------------------------------------------------------------------

    def enter(self, phase: str, turn: str | None) -> None:
        """Enter a phase. Two players may not announce anything in the play (`grosstarock.two-announce`)."""
        super().enter(phase, turn)
        if self.for_two and phase == "play":
            self.verbs = _PLAY_ALONE

    def unexpected(self, event: Event) -> Illegal:
        if self.verbs is _PLAY_ALONE and event[1] == "announce":
            return Illegal("common.unexpected", "nothing-with-two")
        return super().unexpected(event)

    def out_of_turn(self, event: Event) -> None:
        """Allow a seat to announce bolé or null out of turn between tricks."""
        if self.phase == "play" and not self.for_two and event[1] == "announce" and event[0] in self.active:
            self.announce(event)
        else:
            super().out_of_turn(event)

    def announce(self, event: Event) -> None:
        """Handle `announce bole` or `announce null` (`grosstarock.announce-bole`, `…announce-null`)."""
        if self.trick:
            raise Illegal("common.unexpected", "in-mid-trick")
        items = self.items(
            event, lambda item: "" if item in LATEST else "earlier" if known(item) else "no-item"
        )
        seat = event[0]
        for item in items:
            if reason := self._barred(seat, item):
                values = {"latest": LATEST[item], "next_trick": len(self.tricks) + 1}
                raise Illegal(f"grosstarock.announce-{item}", reason, item=item, **values)
        if len(items) > 1:
            raise Illegal(f"grosstarock.announce-{items[0]}", "one-at-a-time")
        self.announced.append((self.step, Announced(seat, items[0], len(self.tricks) + 1)))

    def _may_announce(self) -> bool:
        """Return whether bolé and null may be announced now: between tricks, but not with two players."""
        return self.phase == "play" and not self.trick and not self.for_two

    def _barred(self, seat: str, item: str) -> str:
        """Return why a seat may not announce an item now, as the key of a sentence; empty if it may."""
        if any(row[:2] == (seat, item) for _, row in self.announced):
            return "again"
        if len(self.tricks) >= LATEST[item]:
            return "too-late"
        if item == "bole" and self.won[seat] < len(self.tricks):
            return "trick-lost"
        if item == "null" and self.won[seat]:
            return "trick-won"
        return ""

    # -- play ----------------------------------------------------------------------------------------

    def playable(self, seat: str) -> int:
        """Return the playable cards: those that the duty to follow suit allows, and always the Sküs
        (`grosstarock.follow`)."""
        hand = self.hands[seat]
        return follow(hand, self.led, TRUMPS) | hand & FOOL_BIT

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        found = super().misplay(seat, card, bit)
        if found.reason in _OR_SKUS and self.hands[seat] & FOOL_BIT:
            return Illegal(found.clause, _OR_SKUS[found.reason], **found.values)
        return found

    def special(self, seat: str) -> tuple[str, str]:
        return "grosstarock.follow", _OR_SKUS["suit" if self.hands[seat] & self.led else "tarock"]

    def opened(self) -> tuple[str, str]:
        return "grosstarock.skus-lead", "void"

    def qualified(self, token: str) -> tuple[int, int]:
        """Return the index and bit of a Sküs that is led with a named suit (`grosstarock.skus-lead`)."""
        code = token.partition("(")[0]
        if token not in _NAMED:
            raise Illegal("common.item", "no-suit" if code == "T0" else "no-name", card=code)
        if not self.hands[self.turn or ""] & BIT[code]:
            raise Illegal("common.not-held", "card")
        if self.trick:
            raise Illegal("grosstarock.skus-lead", "not-led", card=code)
        return FOOL, FOOL_BIT

    def compare(self, seat: str, card: int, bit: int, token: str) -> bool:
        """Apply the rules for the Sküs: a suit named with it counts as led, and it never wins a trick
        (`grosstarock.skus-lead`). Return whether these rules applied to the card."""
        if card == FOOL:
            if not self.trick:
                if token not in _NAMED:
                    raise Illegal("grosstarock.skus-lead", "unnamed")
                named = SUIT_SET[_NAMED[token]] & ~FOOL_BIT
                held = any(self.hands[s] & named for s in self.active if s != seat)
                self.led = named if held else 0
                self.best, self.best_seat = FOOL, None
            return True
        if not self.trick:
            return False
        if self.best_seat is None:
            # The first card after the Sküs counts as led, unless the suit named with the Sküs counts as led.
            self.led = self.led or _SUIT[card]
        elif _SUIT[card] != self.led or _SUIT[self.best] & (self.led | TRUMPS):
            return False
        self.best, self.best_seat = card, seat
        return True

    def trick_done(self, trick: Trick) -> None:
        """Return a Sküs to its player, who gives the winner of the trick the lowest-valued card of their own
        earlier tricks (`grosstarock.skus-keeps`) or, if they have no trick yet, owes a card."""
        if self.owes and trick.winner == self.owes[0]:
            self._hand_over(*self.owes, trick.set, "grosstarock.skus-owed", "paid")
            self.owes = None
        if trick.set & FOOL_BIT:
            self._skus_played(trick)
        if self.owes and trick.number == self.total:
            self.happened("grosstarock.skus-lost", "no-trick", seat=self.owes[0], winner=self.owes[1])

    def _skus_played(self, trick: Trick) -> None:
        place = next(i for i, c in enumerate(trick.cards) if c.startswith("T0"))
        seat, winner = trick.seats[place], trick.winner
        if trick.number > self.total - _LOST_IN:
            self.happened("grosstarock.skus-lost", "late", seat=seat, winner=winner)
        elif heap := self.taken[seat]:
            self._hand_over(seat, winner, heap, "grosstarock.skus-keeps", "handed-over")
        else:
            self.owes = (seat, winner)
            self.happened("grosstarock.skus-owed", "owed", seat=seat, winner=winner)

    def _hand_over(self, seat: str, winner: str, heap: int, clause: str, kind: str) -> None:
        bit = cheapest(heap)
        self.taken[seat] = (self.taken[seat] & ~bit) | FOOL_BIT
        self.taken[winner] = (self.taken[winner] & ~FOOL_BIT) | bit
        (card,) = names(bit)
        self.happened(clause, kind, seat=seat, winner=winner, card=card)

    def roles(self) -> int:
        return super().roles() | PAGAT_BIT

    def past(self) -> Hashable:
        # The lowest card of a heap matters as long as it may be given for the Sküs.
        held = sum(self.hands.values()) & FOOL_BIT
        lowest = [value(cheapest(heap)) if held and heap else 0 for heap in self.taken.values()]
        scored = [trick for trick in self.tricks if trick.set & _SCORED]
        return self.owes, *lowest, *(row[:3] for trick in scored for row in self._kings_and_pagat(trick, {}))

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
        elif self._may_announce():
            for speaker in self.active:
                for item in LATEST:
                    if not self._barred(speaker, item):
                        yield (speaker, "announce", item)

    def open_items(self, seat: str) -> list[str]:
        if self.phase != "declaring":
            return []
        if seat in self.unknown:
            return may_declare(self.hands[seat], self.may_hold(seat, -1), self.hand_size(seat))
        return declarable(self.hands[seat])

    def go_together(self, items: tuple[str, ...]) -> bool:
        # With unknown cards, several numbers of a declaration may be open, but a seat can declare only one.
        kinds = [item.partition(":")[0] for item in items if item.partition(":")[0] in NUMBERED]
        return go_together(items) and len({*kinds}) == len(kinds)

    def legal_to_say(self, seat: str) -> list[str]:
        if not self._may_announce():
            return []
        return [f"announce {item}" for item in LATEST if not self._barred(seat, item)]

    def legal_words(self) -> list[str]:
        if self.turn and self._may_announce():
            return self.legal_to_say(self.turn)
        return super().legal_words()

    # -- settlement ----------------------------------------------------------------------------------

    @property
    def scheme(self) -> str:
        return "twos" if self.for_two else "threes"

    def threshold(self) -> Threshold | None:
        return None if self.for_two else self.info.threshold

    OUTCOME = GrosstarockOutcome
    settle = staticmethod(settlement.settle)
    notes = settlement.notes

    def outcome(self) -> GrosstarockOutcome:
        events: dict[Key, tuple[int, ...]] = {}
        declared: dict[str, Declared] = {}
        for event, seat, item in self.declared:
            before = declared[seat].items if seat in declared else ()
            declared[seat], events["declare", seat] = Declared(seat, (*before, item)), (event,)
        for event, row in self.announced:
            events["announce", row.seat, row.item] = (event,)
        cards: list[CardOutcome] = []
        for trick in self.tricks:
            if trick.set & _SCORED:
                cards += self._kings_and_pagat(trick, events)
        last = self.tricks[-1]
        plain = not last.set & _SCORED
        if plain:
            events["last",] = tuple(range(last.event, last.event + self.size))
        return GrosstarockOutcome(
            seating=self.seating,
            options=self.rules,
            declare=tuple(declared.values()),
            announce=tuple(row for _, row in self.announced),
            bole=None if self.for_two else self.all_tricks(),
            null=self.null(),
            tout=self.all_tricks() if self.for_two else None,
            card=tuple(cards),
            last=last.winner if plain else None,
            points=tuple(map(Points._make, self.sides_points().items())),
            events=events,
        )

    def _kings_and_pagat(self, trick: Trick, events: dict[Key, tuple[int, ...]]) -> Iterator[CardOutcome]:
        """Yield the outcomes of the Pagat and the Kings in a trick, and add their events to `events`."""
        number = "last" if trick.number == self.total else trick.number
        for place, (seat, code) in enumerate(zip(trick.seats, trick.cards, strict=True)):
            if code == "T1" or code[1] == "K":
                events["card", code] = (trick.event + place,)
                yield CardOutcome(code, seat, "won" if seat == trick.winner else "lost", number)

    # -- what is known -------------------------------------------------------------------------------

    def standing(self) -> dict[str, Any]:
        rows = [*self.declared, *((event, row.seat, row.item) for event, row in self.announced)]
        announced = [{"event": event, "seat": seat, "item": item} for event, seat, item in rows]
        return super().standing() | {"announced": announced}

    def facts(self, outcome: GrosstarockOutcome) -> dict[str, Any]:
        announcements = [[a["seat"], a["item"]] for a in self.standing()["announced"]]
        return super().facts(outcome) | {"announcements": announcements}

    def all_tricks(self) -> str | None:
        """Return the seat that took all 25 tricks, if any. With two players, this is called a tout."""
        return next((seat for seat, won in self.won.items() if won == self.total), None)

    def null(self) -> str | None:
        """Return the seat that took no trick, if there is exactly one. With two players, return None."""
        empty = [s for s in self.active if not self.won[s]]
        return empty[0] if len(empty) == 1 and not self.for_two else None

    PHASES = {
        "exchange": {"discard": put_away},
        "declaring": {"announce": declare, "pass": declare},
        "play": {"play": Table.play, "announce": announce},
    }
