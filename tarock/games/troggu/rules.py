"""The rules of Troggu: three to eight players, 62 cards; the Bättler (`T0`) is the highest tarock."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any

from tarock.core.cards import (
    BIT,
    FIVES,
    FOOL,
    FOOL_BIT,
    INDEX,
    KINGS,
    PAGAT_BIT,
    SUIT_OF,
    TAROCKS,
    UNKNOWN,
    bits,
    cheapest,
    names,
    pack,
    value,
)
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo, Threshold
from tarock.core.outcome import Points
from tarock.core.record import Event, Record
from tarock.core.scoring import Counting, counting
from tarock.core.table import Discard, SpecialCards, Table
from tarock.core.tricks import Trick
from tarock.games.troggu import settlement
from tarock.games.troggu.outcome import PARTNERS_FROM, WINS, TrogguOutcome, sides_of

_CALLABLE = [c for c in names(pack(62)) if c not in ("T0", "T21")]


class Troggu(Table):
    """A deal of Troggu."""

    info = GameInfo(
        id="troggu",
        name="Troggu",
        description="Three to eight players, 62 cards, and a Fool that may be withheld.",
        seats=(3, 4, 5, 6, 7, 8),
        pack=62,
        direction="anticlockwise",
        hands={3: 18, 4: 13, 5: 11, 6: 9, 7: 8, 8: 7},
        talon={3: 8, 4: 10, 5: 7, 6: 8, 7: 6, 8: 6},
        verbs={
            "take": "none",
            "solo": "none",
            "pass": "none",
            "discard": "cards",
            "call": "card or word",
            "alone": "none",
            "play": "card",
        },
        threshold=Threshold(WINS, 114, "tappist", "troggu.game"),
        main=frozenset({"troggu.game", "troggu.solo", "troggu.partner-split", "troggu.misere"}),
        handing_over=frozenset({"troggu.bettler-last"}),
    )

    SPECIAL = FOOL_BIT

    __slots__ = (
        "alone",
        "called",
        "dead",
        "misere",
        "partner",
        "solo",
    )

    def __init__(self, record: Record) -> None:
        self.solo = self.misere = self.alone = False
        self.partner: str | None = None  # seat; None if the Tappist has no partner
        self.called: str | None = None
        self.dead: str | None = None  # seat whose Bättler may not be played before the last trick
        super().__init__(record)

    # -- bidding -------------------------------------------------------------------------------------

    def bid(self, event: Event) -> None:
        """Handle `take`, `solo` or `pass` (`troggu.bid`)."""
        self.arguments(event, 0, 0)
        seat, verb = event[0], event[1]
        if verb == "take" and self.declarer is not None:
            raise Illegal("troggu.bid", "taken", before=self.declarer)
        if verb != "pass":
            self.declarer = seat
        if verb == "solo":
            self.solo = True
        elif self.step + 1 < self.size:
            self.turn = self.next[seat]
            return
        all_passed = self.declarer is None and self.size >= PARTNERS_FROM
        self.split(self._forcible() if all_passed else (None,), Troggu._begin_after_bids)

    def _begin_after_bids(self, forced: tuple[str, str] | None) -> None:
        """Begin the phase after the bidding. `forced`: the seat that must be Tappist because all players
        passed, and the card that forces the seat; None if no seat is forced."""
        if forced:
            self.declarer, card = forced
            self.happened("troggu.forced-tappist", "forced", seat=self.declarer, card=card)
        if self.declarer is None:
            self.misere = True
            self.enter("play", self.forehand)
        elif self.solo:
            self._call_or_play()
        else:
            self.hands[self.declarer] |= bits(self.talon)
            self.talon = []
            self.enter("exchange", self.declarer)

    def _forcible(self) -> Iterator[tuple[str, str] | None]:
        """Yield the seat that must be Tappist because of its card, and the card: the Bättler or, if it is in
        the Tapp, the Pagat (`troggu.forced-tappist`). If cards are unknown, yield every seat that may be
        forced. Yield None if both cards are, or may be, in the Tapp."""
        for card, bit in (("T0", FOOL_BIT), ("T1", PAGAT_BIT)):
            holders = [seat for seat in self.active if self.may_hold(seat, bit)]
            yield from ((seat, card) for seat in holders)
            if holders and (UNKNOWN not in self.talon or self.hands[holders[0]] & bit):
                return
        yield None

    def _call_or_play(self) -> None:
        self.enter("calling" if self.size >= PARTNERS_FROM else "play", self.declarer)

    def unexpected(self, event: Event) -> Illegal:
        if self.forced_by and event[1] == "take":
            return Illegal("common.unexpected", "forced", card=self.forced_by)
        return super().unexpected(event)

    @property
    def forced_by(self) -> str | None:
        """Card that forced a seat to be Tappist after all players passed; None if no seat was forced."""
        return next((h.values["card"] for h in self.happenings if h.kind == "forced"), None)

    def why_turn(self) -> tuple[str, dict[str, Any]]:
        if self.forced_by and self.phase in ("exchange", "calling"):
            return "forced", {"card": self.forced_by}
        if self.solo and not (self.tricks or self.trick):
            return "solo", {"declarer": self.declarer}
        if self.phase == "play" and self.declarer and not (self.tricks or self.trick):
            return "tappist-leads", {}
        if self.phase in ("exchange", "calling"):
            return "tappist", {}
        return super().why_turn()

    def discard_choices(self) -> tuple[int, list[Discard]]:
        """Return the number of discards and the choices (`troggu.discard`). No 5-point card may be discarded,
        except all four Kings together."""
        hand = self.hands[self.declarer or ""]
        pool = hand & ~FIVES
        choices = [(0, pool)]
        if hand & KINGS == KINGS:
            choices.append((KINGS, pool))
        return self.info.talon[len(self.seats)], choices

    def why_not_discarded(self, mask: int, hand: int) -> tuple[str, dict[str, Any]]:
        if mask & FIVES & ~KINGS:
            return "never", {"cards": names(mask & FIVES & ~KINGS)}
        held = hand & KINGS
        return "kings" if held == KINGS else "kings-lacking", {"cards": names(mask & KINGS)}

    def put_away(self, event: Event) -> None:
        """Handle the Tappist's `discard`."""
        self.discard(event)
        self._call_or_play()

    def call(self, event: Event) -> None:
        """Handle `call CARD` (`troggu.call`)."""
        (code,) = self.arguments(event, 1, 1)
        if code not in INDEX:
            raise Illegal("common.item", "no-card", item=code)
        if code not in _CALLABLE:
            raise Illegal("troggu.call", "never", card=code)
        bit = bits([code])
        self.called = code
        self.partner = next((s for s in self.active if self.hands[s] & bit and s != self.declarer), None)
        self.enter("play", self.declarer)

    def say_alone(self, event: Event) -> None:
        """Handle `alone`: the Tappist calls no partner."""
        self.arguments(event, 0, 0)
        self.alone = True
        self.enter("play", self.declarer)

    # -- play ----------------------------------------------------------------------------------------

    def playable(self, seat: str) -> int:
        """Return the playable cards (`troggu.follow`). A seat may withhold a Bättler that is its only tarock.
        The Bättler is then dead until the last trick (`troggu.bettler-withheld`)."""
        hand = self.hands[seat]
        if not hand & FOOL_BIT or hand == FOOL_BIT:
            return super().playable(seat)
        if seat == self.dead:
            hand ^= FOOL_BIT
            return hand & self.led or hand
        if self._may_withhold(hand):
            return hand
        return super().playable(seat)

    def _may_withhold(self, hand: int) -> bool:
        """Return whether the holder of a hand must play a tarock, but has none except the Bättler."""
        return bool(self.led) and hand & TAROCKS == FOOL_BIT and not hand & self.led & ~TAROCKS

    def special(self, seat: str) -> tuple[str, str]:
        if seat != self.dead:
            return "troggu.bettler-withheld", "may-be"
        return "troggu.bettler-withheld", "dead" if self.led else "dead-lead"

    def opened(self) -> tuple[str, str]:
        return "troggu.bettler-last", "led"

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        if seat == self.dead and bit == FOOL_BIT & self.hands[seat]:
            return Illegal("troggu.bettler-withheld", "dead")
        return super().misplay(seat, card, bit)

    def compare(self, seat: str, card: int, bit: int, token: str) -> bool:
        if seat == self.dead and card == FOOL:
            # A dead Bättler can't win. If it is led, the next card counts as led (troggu.bettler-last).
            if not self.trick:
                self.best_seat = None
            return True
        if self.trick and self.best_seat is None:
            self.led, self.best, self.best_seat = SUIT_OF[card], card, seat
            return True
        if seat != self.dead and card != FOOL and self._may_withhold(self.hands[seat]):
            self.dead = seat
        return False

    def trick_done(self, trick: Trick) -> None:
        """After the last trick, return a dead Bättler to its player, and give the winner another card in
        exchange (`troggu.bettler-last`)."""
        seat, winner = self.dead, trick.winner
        if seat is None or "T0" not in trick.cards:
            return
        side = self.side(seat)
        if side == self.side(winner):
            return
        heap = sum(self.taken[member] for member in side)
        if not heap:
            self.happened("troggu.bettler-last", "lost", seat=seat, winner=winner)
            return
        bit = cheapest(heap)
        giver = next(s for s in side if self.taken[s] & bit)
        self.taken[winner] = (self.taken[winner] & ~FOOL_BIT) | bit
        self.taken[giver] &= ~bit
        self.taken[seat] |= FOOL_BIT
        (card,) = names(bit)
        self.happened("troggu.bettler-last", "handed-over", seat=seat, giver=giver, winner=winner, card=card)

    def past(self) -> Hashable:
        held = self.trick_set | sum(self.hands.values())
        if not held & FOOL_BIT:
            return None
        # If a dead Bättler may change hands, the lowest card of each side does, too.
        heaps = [sum(self.taken[seat] for seat in seats) for seats in self.sides().values()]
        return (self.dead, *(value(cheapest(heap)) if heap else 0 for heap in heaps))

    def phase_events(self) -> Iterator[Event]:
        seat = self.turn
        if seat is None:
            return
        if self.phase == "bidding":
            if self.declarer is None:
                yield (seat, "take")
            yield (seat, "solo")
            yield (seat, "pass")
        elif self.phase == "calling":
            yield (seat, "alone")
            for code in _CALLABLE:
                yield (seat, "call", code)

    # -- settlement ----------------------------------------------------------------------------------

    def side(self, seat: str) -> tuple[str, ...]:
        """Return all seats on the side of a seat, including the seat; in a misère, only the seat itself."""
        return next((seats for seats in self.sides().values() if seat in seats), (seat,))

    def sides(self) -> dict[str, tuple[str, ...]]:
        """Return the seats of each side; empty in a misère, which has no sides."""
        return sides_of(self.active, self.declarer, self.partner)

    @property
    def scheme(self) -> str:
        return "singly"

    def put_by(self, seat: str) -> int:
        if self.solo and seat == self.declarer:
            return self.talon_cards() or 0
        return super().put_by(seat)

    def sides_points(self) -> dict[str, int]:
        if self.misere:
            return super().sides_points()
        return {
            name: sum(value(self.taken[s] | self.put_by(s)) for s in seats)
            for name, seats in self.sides().items()
        }

    def countings(self) -> list[Counting]:
        if self.misere:
            return super().countings()
        found = []
        for name, seats in self.sides().items():
            parts = [part for s in seats for part in self.counted_tricks(s)]
            if name == "tappist" and self.declarer:
                what = "talon" if self.solo else "discards"
                parts.append((what, self.declarer, self.put_by(self.declarer)))
            found.append(counting(name, seats, parts, self.scheme))
        return found

    def threshold(self) -> Threshold | None:
        return None if self.misere else self.info.threshold

    OUTCOME = TrogguOutcome
    settle = staticmethod(settlement.settle)
    notes = settlement.notes

    def outcome(self) -> TrogguOutcome:
        trickless = [name for name, seats in self.sides().items() if not any(self.won[s] for s in seats)]
        return TrogguOutcome(
            seating=self.seating,
            options=self.rules,
            contract=self._contract(),
            tappist=self.declarer,
            partner=(self.partner or "alone") if self.declarer and self.size >= PARTNERS_FROM else None,
            points=tuple(map(Points._make, self.sides_points().items())),
            trickless=trickless[0] if trickless else None,
        )

    def special_rules(self) -> SpecialCards | None:
        return None if self.misere else SpecialCards(withhold=True, dead=self.dead)

    def imagined(
        self,
        outcome: TrogguOutcome,
        points: tuple[Points, ...],
        sweep: str | None,
        ultimo: tuple[str, bool] | None,
    ) -> TrogguOutcome:
        trickless = next(side for side in self.sides() if side != sweep) if sweep else None
        return replace(outcome, points=points, trickless=trickless)

    # -- what is known -------------------------------------------------------------------------------

    def _called_played(self) -> bool:
        return self.called is not None and (
            self.called in self.trick or any(self.called in t.cards for t in self.tricks)
        )

    def known_partner(self, view: str | None) -> str | None:
        if view is None or view == self.partner or self._called_played():
            return self.partner
        return None

    def known_sides(self, view: str | None) -> dict[str, str]:
        if self.declarer is None or self.phase == "bidding":
            return {}
        if self.phase in ("exchange", "calling"):
            return {self.declarer: "tappist"}
        # Everyone knows that there is no partner if no card was called, or if the Tappist played the called
        # card. Before that, a Tappist who called a card of their own is the only one who knows.
        alone = self.partner is None and (self.called is None or self._called_played())
        held = self.hands[self.declarer] | self.discards.get(self.declarer, 0)
        own_call = view == self.declarer and self.called is not None and held & BIT[self.called]
        if view is None or alone or own_call or self.known_partner(view):
            own = self.side(self.declarer)
            return {s: "tappist" if s in own else "opponents" for s in self.active}
        known = {self.declarer: "tappist"}
        if view != self.declarer and view in self.active:
            known[view] = "opponents"
        return dict(sorted(known.items()))

    def _contract(self) -> str:
        return "misere" if self.misere else "solo" if self.solo else "take"

    def standing(self) -> dict[str, Any]:
        contract = None if self.phase == "bidding" else self._contract()
        return super().standing() | {"contract": contract, "called": self.called}

    def facts(self, outcome: TrogguOutcome) -> dict[str, Any]:
        return outcome.facts() | {
            "called": "alone" if self.alone else self.called,
            "forced": self.forced_by is not None,
            "dead_bettler": self.dead,
            "tricks": dict(self.won),
        }

    PHASES = {
        "bidding": {"take": bid, "solo": bid, "pass": bid},
        "exchange": {"discard": put_away},
        "calling": {"call": call, "alone": say_alone},
        "play": {"play": Table.play},
    }
