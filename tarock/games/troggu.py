"""Troggu: three to eight players, 62 cards; the Bättler (`T0`) is the highest tarock and may be withheld."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tarock.cards import (
    FIVES,
    FOOL,
    FOOL_BIT,
    INDEX,
    KINGS,
    PAGAT_BIT,
    SUIT_OF,
    TAROCKS,
    VALUE,
    bits,
    indices,
    names,
    pack,
    value,
)
from tarock.games.info import INFO
from tarock.games.table import Discard, Illegal, Table, Trick
from tarock.games.tricks import Play
from tarock.record import Event, Record, Tricks
from tarock.scoring import Counting, Note, ScoreLine, counting

_CALLABLE = [c for c in names(pack(62)) if c not in ("T0", "T21")]


def cheapest(cards: int) -> int:
    """The lowest-valued card of a set, of equals the one that comes last in canonical order, as a bit set."""
    found = indices(cards)
    low = min(VALUE[i] for i in found)
    return 1 << max(i for i in found if VALUE[i] == low)


class Troggu(Table):
    """A deal of Troggu. `dead` is the seat whose Bättler may not be played before the last trick, if any."""

    info = INFO["troggu"]
    __slots__ = ("called", "dead", "handed", "lone", "misere", "partner", "solo", "tapp")

    def __init__(self, record: Record) -> None:
        self.solo = self.misere = self.lone = False
        self.partner: str | None = None
        self.called: str | None = None
        self.dead: str | None = None
        self.handed: tuple[str, str, int] | None = None
        self.tapp = record.hand("talon")
        super().__init__(record)

    def begin(self) -> None:
        self.enter("bidding", self.forehand)

    # -- bidding -------------------------------------------------------------------------------------

    def bid(self, event: Event) -> None:
        """`take`, `solo` or `pass` (`troggu.bid`)."""
        self.arguments(event, 0, 0)
        seat, verb = event[0], event[1]
        if verb == "take" and self.declarer is not None:
            raise Illegal("troggu.bid", f"{self.declarer} said take already; after it only solo or pass")
        if verb != "pass":
            self.declarer = seat
        if verb == "solo":
            self.solo = True
        elif self.step + 1 < self.size:
            self.turn = self.next[seat]
            return
        self._bidding_over()

    def _bidding_over(self) -> None:
        if self.declarer is None and self.size >= 7:
            # troggu.forced-tappist: the Bättler's holder, else the Pagat's, must take.
            for bit in (FOOL_BIT, PAGAT_BIT):
                self.declarer = next((s for s in self.active if self.hands[s] & bit), None)
                if self.declarer is not None:
                    break
        if self.declarer is None:
            self.misere = True
            self.enter("play", self.forehand)
        elif self.solo:
            self._call_or_play()
        else:
            self.hands[self.declarer] |= self.tapp
            self.talon = []
            self.enter("exchange", self.declarer)

    def _call_or_play(self) -> None:
        self.enter("calling" if self.size >= 7 else "play", self.declarer)

    def discard_ways(self) -> tuple[int, list[Discard]]:
        """`troggu.discard`: no 5-point card, but all four Kings may go together."""
        hand = self.hands[self.declarer or ""]
        pool = hand & ~FIVES
        ways = [(0, pool)]
        if hand & KINGS == KINGS:
            ways.append((KINGS, pool))
        return self.tapp.bit_count(), ways

    def put_away(self, event: Event) -> None:
        """The Tappist's `discard`."""
        self.discard(event)
        self._call_or_play()

    def call(self, event: Event) -> None:
        """`call CARD` (`troggu.call`)."""
        (code,) = self.arguments(event, 1, 1)
        if code not in INDEX:
            raise Illegal("common.item", f"“{code}” is not a card")
        if code in ("T0", "T21"):
            raise Illegal("troggu.call", f"{code} may not be called")
        bit = bits([code])
        self.called = code
        self.partner = next((s for s in self.active if self.hands[s] & bit and s != self.declarer), None)
        self.enter("play", self.declarer)

    def alone(self, event: Event) -> None:
        """`alone`: no partner is called."""
        self.arguments(event, 0, 0)
        self.lone = True
        self.enter("play", self.declarer)

    # -- play ----------------------------------------------------------------------------------------

    def playable(self, seat: str) -> int:
        """`troggu.follow`, but the Bättler as one's only tarock may be withheld (`troggu.bettler-withheld`),
        and one that was is dead until the last trick."""
        hand = self.hands[seat]
        if not hand & FOOL_BIT or hand == FOOL_BIT:
            return super().playable(seat)
        if seat == self.dead:
            hand ^= FOOL_BIT
            return hand & self.led or hand
        if self.led and not (hand & self.led & ~TAROCKS) and hand & TAROCKS == FOOL_BIT:
            return hand
        return super().playable(seat)

    def special_clause(self, seat: str) -> str:
        return "troggu.bettler-withheld"

    def forbidden(self, seat: str, card: int) -> Illegal:
        return Illegal(
            "troggu.bettler-withheld", f"{seat}'s Bättler is dead: it comes down in the last trick only"
        )

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        if seat == self.dead and bit == FOOL_BIT & self.hands[seat]:
            return self.forbidden(seat, card)
        return super().misplay(seat, card, bit)

    def plain_play(self, tricks: Tricks) -> Play | None:
        """A Bättler that is withheld breaks the duty to follow, and sends the deal the long way."""
        return self.whole_play(tricks)

    def compare(self, seat: str, card: int, bit: int, token: str) -> None:
        if seat == self.dead and card == FOOL:
            # It comes down in the last trick and cannot win; if led, the next card sets the suit
            # (troggu.bettler-last).
            if not self.trick:
                self.best = -1
            return
        hand = self.hands[seat] | bit
        if self.led and hand & TAROCKS == FOOL_BIT and card != FOOL and not hand & self.led & ~TAROCKS:
            self.dead = seat
        if self.trick and self.best < 0:
            self.led = SUIT_OF[card]
            self.best, self.best_seat = card, seat
        else:
            super().compare(seat, card, bit, token)

    def trick_done(self, trick: Trick) -> None:
        """Hands the dead Bättler back and the card for it over, when the last trick is done."""
        seat = self.dead
        if seat is None or "T0" not in trick.cards:
            return
        side, winners = self._side(seat), self._side(trick.winner)
        if side == winners:
            return
        heap = 0
        for member in side:
            heap |= self.taken[member]
        if not heap:
            return
        card = cheapest(heap)
        giver = next(s for s in side if self.taken[s] & card)
        self.taken[trick.winner] = (self.taken[trick.winner] & ~FOOL_BIT) | card
        self.taken[giver] &= ~card
        self.taken[seat] |= FOOL_BIT
        self.handed = (giver, trick.winner, card)

    def _side(self, seat: str) -> tuple[str, ...]:
        if self.misere:
            return (seat,)
        own = tuple(s for s in self.active if s in (self.declarer, self.partner))
        return own if seat in own else tuple(s for s in self.active if s not in own)

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

    def points_of(self, seat: str) -> int:
        return value(self.taken[seat])

    def _put_by(self) -> tuple[str, int]:
        return ("talon", self.tapp) if self.solo else ("discards", self.discards.get(self.declarer or "", 0))

    def countings(self) -> list[Counting]:
        if self.misere:
            return [counting(s, s, [("tricks", s, self.taken[s])], "singly") for s in self.active]
        if self.declarer is None:
            return []
        own = self._side(self.declarer)
        rest = tuple(s for s in self.active if s not in own)
        what, cards = self._put_by()
        parts = [("tricks", s, self.taken[s]) for s in own]
        return [
            counting("tappist", own, [*parts, (what, self.declarer, cards)], "singly"),
            counting("opponents", rest, [("tricks", s, self.taken[s]) for s in rest], "singly"),
        ]

    def sides_points(self) -> dict[str, int]:
        if self.misere:
            return {s: value(self.cards_taken((s,))) for s in self.active}
        if self.declarer is None:
            return {}
        side = self._side(self.declarer)
        own = value(self.cards_taken(side)) + value(self._put_by()[1])
        rest = value(self.cards_taken(self.active)) + value(self._put_by()[1]) - own
        return {"tappist": own, "opponents": rest}

    def settle(self) -> list[ScoreLine]:
        points = self.sides_points()
        if self.misere:
            return [self._misere(points)]
        own = self._side(self.declarer or "")
        rest = tuple(s for s in self.active if s not in own)
        clause = "troggu.partner-split" if self.partner else "troggu.solo" if self.solo else "troggu.game"
        quantity: dict[str, Any] = {"card_points": points}
        if points["tappist"] == 57:
            return [ScoreLine(clause, {}, quantity, "57 to 57: a draw, nothing is paid")]
        won = points["tappist"] >= 58
        losers, lost = (rest, points["opponents"]) if won else (own, points["tappist"])
        no_trick = not self.tricks_won(losers)
        level = 3 if no_trick else 2 if lost <= 30 else 1
        chips = level * (2 if self.solo else 1)
        why = "no trick" if no_trick else f"{lost} points, 30 or fewer" if level == 2 else f"{lost} points"
        words = f"{points['tappist']} to {points['opponents']}: the losing side has {why}: {level}"
        if self.solo:
            words += f" × 2 = {chips} (solo)"
        words += f" for each of {len(rest)} opponents"
        sign = 1 if won else -1
        shares = dict.fromkeys(rest, -sign * chips)
        tappist = self.declarer or ""
        if self.partner:
            shares[self.partner] = sign * 2 * chips
            shares[tappist] = sign * (len(rest) - 2) * chips
            words += f"; partner 2 × {chips}, Tappist {len(rest) - 2} × {chips}"
        else:
            shares[tappist] = sign * len(rest) * chips
        quantity |= {"level": level, "chips": chips, "opponents": len(rest), "solo": self.solo}
        return [ScoreLine(clause, dict(sorted(shares.items())), quantity, words)]

    def _misere(self, points: dict[str, int]) -> ScoreLine:
        """`troggu.misere`: whoever took the most pays 1 to each of the others."""
        most = max(points.values())
        payers = [s for s in self.active if points[s] == most]
        rest = [s for s in self.active if s not in payers]
        shares = dict.fromkeys(self.active, 0)
        for payer in payers:
            for seat in rest:
                shares[payer] -= 1
                shares[seat] += 1
        words = f"most points: {most} ({', '.join(payers)}); each pays 1 to each of {len(rest)} others"
        quantity = {"card_points": points, "most": most, "payers": payers}
        return ScoreLine("troggu.misere", shares if rest else {}, quantity, words)

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
        if self.declarer is None or self.phase in ("bidding", "exchange", "calling"):
            return {self.declarer: "tappist"} if self.declarer and self.phase != "bidding" else {}
        # The Tappist knows that he is alone if he called a card of his own or said so; so do all where nobody
        # is called.
        alone = self.partner is None and (self.called is None or self._called_played())
        own_call = view == self.declarer and self.called is not None and self._holds_called()
        if view is None or alone or own_call or self.known_partner(view):
            own = self._side(self.declarer)
            return {s: "tappist" if s in own else "opponents" for s in self.active}
        known = {self.declarer: "tappist"}
        if view != self.declarer and view in self.active:
            known[view] = "opponents"
        return dict(sorted(known.items()))

    def _holds_called(self) -> bool:
        """Whether the Tappist sees for himself that the called card is his own."""
        bit = bits([self.called or ""])
        seat = self.declarer or ""
        return bool((self.hands[seat] | self.discards.get(seat, 0)) & bit)

    def contract_words(self) -> dict[str, Any]:
        contract = None
        if self.phase != "bidding":
            contract = "misere" if self.misere else "solo" if self.solo else "take"
        return {"contract": contract, "called": self.called, "doubles": {}, "announced": []}

    def missed(self) -> list[Note]:
        notes = []
        if self.dead is not None:
            notes.append(Note("troggu.bettler-withheld", "fool-dead", {"seat": self.dead}))
        if self.misere or self.declarer is None:
            return notes
        points = self.sides_points()
        if points["tappist"] == 57:
            notes.append(Note("troggu.game", "points-near", {"side": "tappist", "points": 57, "wanted": 58}))
        for side, count in points.items():
            # One point more on the losing side, and it would have paid the single chip only.
            if count == 30:
                notes.append(Note("troggu.game", "points-near", {"side": side, "points": 30, "wanted": 31}))
        return notes

    def facts(self) -> dict[str, Any]:
        points = {c.side: c.points for c in self.countings()}
        result = "misere"
        if not self.misere:
            result = "drawn" if points["tappist"] == 57 else "won" if points["tappist"] > 57 else "lost"
        return {
            "declarer": self.declarer,
            "tappist": self.declarer,
            "partner": self.partner,
            "called": "alone" if self.lone else self.called,
            "contract": "misere" if self.misere else "solo" if self.solo else "take",
            "solo": self.solo,
            "misere": self.misere,
            "dead_bettler": self.dead,
            "result": result,
            "card_points": points,
            "tricks": dict(self.won),
            "announcements": [],
        }

    PHASES = {
        "bidding": {"take": bid, "solo": bid, "pass": bid},
        "exchange": {"discard": put_away},
        "calling": {"call": call, "alone": alone},
        "play": {"play": Table.play},
    }
