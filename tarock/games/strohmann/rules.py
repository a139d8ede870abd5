"""The rules of Strohmanntarock: two players, 54 cards, three face-down piles of four each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Self

from tarock.core.cards import BIT, CARDS, INDEX, KINGS, TAROCKS, TRULL, UNKNOWN, bits
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo, Threshold
from tarock.core.outcome import Key, Points
from tarock.core.record import Event, Record
from tarock.core.table import Table
from tarock.core.tricks import Trick
from tarock.games.strohmann import settlement
from tarock.games.strohmann.options import StrohmannOptions
from tarock.games.strohmann.outcome import (
    ALL_TRICKS,
    LAST_TRICKS,
    WINS,
    Rostopschin,
    StrohmannOutcome,
)

_CALLS = {"T17(ros)": INDEX["T17"], "T18(topschin)": INDEX["T18"]}
_TAKEN_UP = KINGS | TAROCKS
#: Cards that can score a bonus.
_ROLES = TRULL | bits(code for _, code, _ in LAST_TRICKS) | bits(("T17", "T18"))


class Strohmann(Table):
    """A deal of Strohmanntarock."""

    info = GameInfo(
        id="strohmann",
        name="Strohmanntarock",
        description="Two players, 54 cards, and three face-down piles each that open as they are played.",
        seats=(2,),
        pack=54,
        direction="clockwise",
        hands={2: 15},
        talon={2: 0},
        verbs={"take": "none", "pass": "none", "play": "card"},
        threshold=Threshold(WINS, 70, None, "strohmann.game"),
        main=frozenset({"strohmann.game", "strohmann.game-undeclared"}),
        ultimo=frozenset({"strohmann.pagat-ultimo"}),
        piles=3,
        pile_size=4,
        rules=StrohmannOptions,
        own_accounts=(2,),
    )
    OPENS = True

    __slots__ = (
        "piles",
        "taken_up",
    )

    def __init__(self, record: Record) -> None:
        self.piles = {s: [list(record.deal[f"{s}/{p}"]) for p in (1, 2, 3)] for s in record.active}
        #: Seat → the Kings and tarocks that went into the hand from its piles. Both players have seen them.
        self.taken_up = dict.fromkeys(record.active, 0)
        super().__init__(record)

    def bid(self, event: Event) -> None:
        """Handle `take` or `pass` (`strohmann.bid`)."""
        self.arguments(event, 0, 0)
        if event[1] == "take":
            self.declarer = event[0]
        elif event[0] == self.forehand:
            self.turn = self.dealer
            return
        for seat in self.active:
            for pile in self.piles[seat]:
                self._turn_up(seat, pile)
        self.enter("play", self.forehand)

    def _turn_up(self, seat: str, pile: list[str]) -> None:
        """Turn up the top card of a pile. If it is a King or a tarock, add it to the hand and turn up the
        next card (`strohmann.reveal`)."""
        while pile:
            card = pile[0]
            bit = BIT[card]
            self.hands[seat] |= bit
            if not bit & _TAKEN_UP:
                self.tops |= bit
                return
            del pile[0]
            self.taken_up[seat] |= bit
            self.happened("strohmann.reveal", "taken-up", seat=seat, card=card)

    def hand_size(self, seat: str) -> int:
        """Return the number of cards in the hand, including the face-up top cards of the piles. If the top
        card of a pile is unknown, include the whole pile, because all its cards may have been turned up."""
        up = self.phase == "play"
        covered = [len(pile) - up for pile in self.piles[seat] if pile and not (up and pile[0] == UNKNOWN)]
        return super().hand_size(seat) - sum(covered)

    def draws_later(self, seat: str) -> bool:
        return any(UNKNOWN in pile for pile in self.piles[seat])

    def may_hold(self, seat: str, cards: int) -> int:
        return super().may_hold(seat, cards) | (cards & sum(map(self._may_be_up, self.piles[seat])))

    def _may_be_up(self, pile: list[str]) -> int:
        """Return the known cards of a pile that may have been turned up, if its top card is unknown."""
        found = 0
        for card in pile if pile[:1] == [UNKNOWN] else ():
            found |= BIT[card]
            if card != UNKNOWN and not BIT[card] & _TAKEN_UP:
                break
        return found

    def assume(self, event: Event) -> None:
        """If the played card came from a pile, also remove the unknown cards above it: they must have been
        turned up earlier."""
        super().assume(event)
        seat, card = event[0], event[-1].partition("(")[0]
        for pile in self.piles[seat] if seat in self.active else ():
            while card in pile and pile[0] == UNKNOWN:
                del pile[0]
                self._turn_up(seat, pile)

    def why_turn(self) -> tuple[str, dict[str, Any]]:
        if self.phase == "play" and not (self.tricks or self.trick) and self.declarer:
            return "taken", {"declarer": self.declarer}
        return super().why_turn()

    def qualified(self, token: str) -> tuple[int, int]:
        """Return the index and bit of the card in `T17(ros)` or `T18(topschin)`. Raise Illegal for any other
        token (`strohmann.call-misplaced`)."""
        code, _, call = token.partition("(")
        if call not in ("ros)", "topschin)"):
            raise Illegal("common.item", "no-call")
        if not BIT[code] & self.hands[self.turn or ""]:
            raise self.misplay(self.turn or "", INDEX[code], BIT[code])
        if token not in _CALLS:
            reason = "ros" if call == "ros)" else "topschin"
            raise Illegal("strohmann.call-misplaced", reason, card=code)
        return INDEX[code], BIT[code]

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        if any(CARDS[card] in pile for pile in self.piles[seat]) and not bit & self.hands[seat]:
            return Illegal("common.not-held", "covered")
        return super().misplay(seat, card, bit)

    def card_gone(self, seat: str, bit: int) -> None:
        """Turn up the next card of a pile whose top card was played (`strohmann.pile-card`)."""
        self.tops ^= bit
        pile = next(p for p in self.piles[seat] if p and BIT[p[0]] == bit)
        del pile[0]
        self._turn_up(seat, pile)

    def tokens(self, card: int) -> list[str]:
        return [CARDS[card], *(t for t, c in _CALLS.items() if c == card)]

    def phase_events(self) -> Iterator[Event]:
        if self.phase == "bidding" and self.turn:
            yield (self.turn, "take")
            yield (self.turn, "pass")

    def public_in_hand(self, seat: str) -> int:
        return self.taken_up[seat] & self.hands[seat]

    def visible_piles(self) -> dict[str, tuple[list[str], bool]]:
        return {
            f"{seat}/{p + 1}": (pile, bool(pile and bits(pile[:1]) & self.tops))
            for seat in self.active
            for p, pile in enumerate(self.piles[seat])
        }

    def standing(self) -> dict[str, Any]:
        return super().standing() | {"contract": None if self.phase == "bidding" else self._contract()}

    def _contract(self) -> str:
        """Return the contract after the bidding: `take` if there is a declarer, otherwise `undeclared`."""
        return "take" if self.declarer else "undeclared"

    def fork(self) -> Self:
        fork = super().fork()
        fork.piles = {seat: [pile[:] for pile in piles] for seat, piles in self.piles.items()}
        fork.taken_up = self.taken_up.copy()
        return fork

    def roles(self) -> int:
        return _ROLES

    def past(self) -> Hashable:
        wanted = (TRULL if self.rules.trull or self.rules.mondfang else 0) | (
            KINGS if self.rules.kings else 0
        )
        ros = settlement.won_rostopschin(self)
        last = self.tricks[-1] if self.tricks else None
        return (
            tuple((name, trick.winner) for name, trick in self._last_tricks()),
            ros and ros[0].winner,
            last is not None and last.card_of(last.winner) == "T17(ros)",
            tuple(cards & wanted for cards in self.taken.values()),
            self._mond_caught(),
        )

    def _last_tricks(self) -> Iterator[tuple[str, Trick]]:
        """Yield the bonuses won so far with T1 to T4, each with its trick, one of the last four."""
        for back, (name, code, _) in enumerate(LAST_TRICKS):
            number = ALL_TRICKS - back
            if number > len(self.tricks) or (name == "quapil" and not self.rules.quapil):
                continue
            trick = self.tricks[number - 1]
            if trick.set & BIT[code] and (self.rules.catch or trick.card_of(trick.winner) == code):
                yield name, trick

    def _mond_caught(self) -> Trick | None:
        """Return the trick in which T0 took T21, if the table scores it."""
        found = self.trick_with("T21") if self.rules.mondfang else None
        return found[0] if found and found[0].card_of(found[0].winner) == "T0" else None

    OUTCOME = StrohmannOutcome
    settle = staticmethod(settlement.settle)
    notes = settlement.notes

    def outcome(self) -> StrohmannOutcome:
        events: dict[Key, tuple[int, ...]] = {}
        won: dict[str, Any] = {}
        for name, trick in self._last_tricks():
            won[name], events[name,] = trick.winner, (trick.event, trick.event + 1)
        for seat, taken in self.taken.items():
            for name, wanted in (("trull", TRULL), ("kings", KINGS)):
                if self.rules.value(name) and taken & wanted == wanted:
                    won[name] = seat
        if caught := self._mond_caught():
            won["mondfang"], events["mondfang",] = caught.winner, (caught.event, caught.event + 1)
        if called := settlement.won_rostopschin(self):
            first, second = called
            won["rostopschin"] = Rostopschin(first.winner, first.number)
            cards = ((first, "T17(ros)"), (second, "T18(topschin)"))
            events["rostopschin",] = tuple(trick.event + trick.cards.index(card) for trick, card in cards)
        return StrohmannOutcome(
            seating=self.seating,
            options=self.rules,
            contract=self._contract(),
            declarer=self.declarer,
            points=tuple(map(Points._make, self.sides_points().items())),
            tricks=next((seat for seat, number in self.won.items() if number == ALL_TRICKS), None),
            events=events,
            **won,
        )

    PHASES = {"bidding": {"take": bid, "pass": bid}, "play": {"play": Table.play}}
