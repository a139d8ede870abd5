"""The play of tricks in all games: the duty to follow suit, the winner of a trick, and the next leader.

A game overrides methods of `TrickPlay` for its special rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self

from tarock.core.cards import BEATS, BIT, CARDS, FOOL_BIT, INDEX, SUIT_OF, SUIT_SET, TAROCKS, bits, names
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo
from tarock.core.record import Event, Record
from tarock.core.scoring import Note

#: Card token without a qualifier → (index, bit) of the card.
_CARD_BITS: dict[str, tuple[int, int]] = {code: (INDEX[code], BIT[code]) for code in CARDS}
#: Bit set of a suit (tarocks: with or without the Fool) → letter of the suit.
SUIT_LETTER = {cards: letter for letter, cards in SUIT_SET.items()} | {TAROCKS ^ FOOL_BIT: "T"}


class Trick(NamedTuple):
    """A finished trick."""

    number: int  # from 1
    seats: tuple[str, ...]  # in the order played
    cards: tuple[str, ...]  # card tokens, in the order played
    winner: str
    set: int  # the cards as a bit set
    event: int  # number of its first event

    @property
    def leader(self) -> str:
        return self.seats[0]

    def card_of(self, seat: str) -> str:
        """Return the token of the card that a seat played."""
        return self.cards[self.seats.index(seat)]


def follow(hand: int, led: int, trumps: int) -> int:
    """Return the cards of a hand that the duty to follow suit allows (`X.follow`): the cards of the suit led;
    if there are none, the tarocks; if there are neither, all cards. `led`: bit set of the suit led, which may
    be the tarocks; 0 for the leader, who may lead any card."""
    return hand & led or (hand & trumps or hand if led else hand)


# Look up the slots of a class once, because a search for the best play copies thousands of tables.
@cache
def _slots(kind: type) -> tuple[tuple[str, ...], attrgetter[tuple[Any, ...]]]:
    """Return the names of all slots of a class, and a function that returns their values."""
    names = [name for one in kind.__mro__ for name in getattr(one, "__slots__", ())]
    return tuple(names), attrgetter(*names)


class TrickPlay:
    """The state of the trick play in a deal. `Table` is a subclass that adds the rest of the deal."""

    info: ClassVar[GameInfo]
    #: Whether some cards lie on piles face up (`tops`), so that playing one turns up another (`card_gone`).
    OPENS: ClassVar[bool] = False
    #: Cards that count as tarocks for the duties to follow suit and to play a tarock.
    TRUMPS: ClassVar[int] = TAROCKS
    #: Card index → bit set of the suit to follow if the card is led.
    SUITS: ClassVar[tuple[int, ...]] = SUIT_OF
    #: Cards for which the game has its own rules in every deal (`special_cards`).
    SPECIAL: ClassVar[int] = 0

    # Use slots, because looking up attributes in a dictionary makes folding a record take a sixth longer.
    __slots__ = (
        "active",
        "best",
        "best_seat",
        "hands",
        "led",
        "next",
        "seating",
        "seats",
        "size",
        "step",
        "taken",
        "tops",
        "total",
        "trick",
        "trick_set",
        "tricks",
        "turn",
        "turns",
        "won",
    )

    def __init__(self, record: Record) -> None:
        seating = self.seating = record.seating
        self.seats, self.active, self.next = seating.seats, seating.active, seating.next
        # `total`: number of tricks in the deal; `turns`: leader → seats in the order of play in the trick.
        self.total, self.turns, self.size = seating.tricks, seating.turns, len(seating.active)
        self.hands = {seat: bits(record.deal[seat]) for seat in self.active}  # cards still held
        self.trick: list[str] = []  # card tokens of the trick in progress
        self.tricks: list[Trick] = []
        self.taken = dict.fromkeys(self.active, 0)  # cards of the tricks that each seat has won
        self.won = dict.fromkeys(self.active, 0)  # number of tricks that each seat has won
        # `step`: number of events so far; `led`: suit to follow; `best`: index of the winning card.
        self.step = self.led = self.trick_set = self.best = 0
        self.tops = 0  # face-up top cards of piles, which are also in `hands`
        #: Seat that is winning the trick so far; None if no seat is, such as after a Sküs is led.
        self.best_seat: str | None = None
        self.turn: str | None = None  # seat to speak or play; None when the deal is over

    # -- methods that a game defines -----------------------------------------------------------------

    def playable(self, seat: str) -> int:
        """Return the cards that a seat may play now. The leader may lead any card. Other seats must follow
        suit or, if they can't, play a tarock; without either, they may play any card (`X.follow`)."""
        return follow(self.hands[seat], self.led, self.TRUMPS)

    def special_cards(self) -> int:
        """Return the cards for which the game has its own rules in this deal. `play_cards` calls `playable`
        and `compare` only if the player holds such a card or the trick contains one."""
        return self.SPECIAL

    def compare(self, seat: str, card: int, bit: int, token: str) -> bool:
        """Apply the game's own rules to a card played to the trick. Return whether one of them applied. If
        not, the general rules decide whether the card wins and, if it is led, which suit to follow."""
        return False

    def card_gone(self, seat: str, bit: int) -> None:
        """Apply the consequences of playing one of the `tops`. Called only if the game sets `OPENS`."""

    def trick_done(self, trick: Trick) -> None:
        """Apply the game's own consequences of a complete trick, after its winner has taken the cards."""

    def qualified(self, token: str) -> tuple[int, int]:
        """Return (index, bit) of a card played with a qualifier. Raise Illegal if the token isn't allowed."""
        raise Illegal("common.item", "no-qualifier")

    def forbidden(self, seat: str, card: int) -> Illegal:
        """Return the error for a card that `X.follow` allows but another clause of the game forbids."""
        raise AssertionError(f"{CARDS[card]} is neither playable nor forbidden")

    def special(self, seat: str) -> tuple[str, str]:
        """Return the clause that gives a seat other choices than the duty to follow suit does, and the key of
        the sentence that explains the choices (among the clause's `plays`)."""
        raise AssertionError(f"{self.info.id} has no special duty")

    def opened(self) -> tuple[str, str]:
        """Return the clause that makes the second card of a trick, not the first, set the suit to follow, and
        the key of the sentence that explains it (among the clause's `plays`)."""
        raise AssertionError(f"in {self.info.id} every card leads its suit")

    def tokens(self, card: int) -> list[str]:
        """Return every token with which a playable card can be played now, with or without a qualifier."""
        return [CARDS[card]]

    def finish(self) -> None:
        """End the deal."""
        raise NotImplementedError

    def roles(self) -> int:
        """Return the cards that the rules of this deal treat differently from their neighbors, apart from
        their value: the settlement may depend on which of two such cards was played."""
        return self.special_cards()

    def past(self) -> Hashable:
        """Return the facts about finished tricks that the rest of the play or the settlement depends on, not
        counting card points and which sides have taken a trick. Two positions with the same cards and the
        same past have the same future. By default, the past is all finished tricks. Used only for deals with
        two sides."""
        return tuple(self.tricks)

    def fork(self) -> Self:
        """Return a copy in which the play can go on differently. It shares all state that no play changes."""
        fork = object.__new__(type(self))
        kind: Any = type(self)
        names, values = _slots(kind)
        for name, value in zip(names, values(self), strict=True):
            setattr(fork, name, value)
        fork.hands, fork.taken, fork.won = self.hands.copy(), self.taken.copy(), self.won.copy()
        fork.trick, fork.tricks = self.trick[:], self.tricks[:]
        return fork

    # -- the tricks ----------------------------------------------------------------------------------

    @property
    def trick_seats(self) -> tuple[str, ...]:
        """The seats that have played to the trick so far, in order."""
        return self.turns[self.turn][self.size - len(self.trick) :] if self.turn else ()

    @property
    def over(self) -> bool:
        """Whether the deal is over and can be scored."""
        return self.turn is None

    def play(self, event: Event) -> None:
        """Play one card to the trick."""
        self.play_cards((event,))

    def play_cards(self, events: Iterable[Event]) -> None:
        """Apply events up to the first that is not a play by the seat on turn. Raise Illegal if a play is
        illegal. The highest tarock wins a trick or, if there is none, the highest card of the suit led."""
        hands, following, size, card_of = self.hands, dict(self.next), self.size, _CARD_BITS.get
        trumps, suits, beats, opens = self.TRUMPS, self.SUITS, BEATS, self.OPENS
        special, trick = self.special_cards(), self.trick
        for event in events:
            try:
                seat, verb, token = event
            except ValueError:
                if event[1] != "play" or event[0] != self.turn:
                    return
                raise Illegal("common.count", "one-card", found=len(event) - 2) from None
            if verb != "play" or seat != self.turn:
                return
            card, bit = card_of(token) or self.qualified(token)
            hand = hands[seat]
            if special and special & (hand | self.trick_set):
                if not bit & self.playable(seat):
                    raise self.misplay(seat, card, bit)
                ordinary = not self.compare(seat, card, bit, token)
            else:
                led, ordinary = self.led, True
                # Skip `follow` for a held card of the suit led, because such a card is always allowed.
                if not bit & hand & led and not bit & follow(hand, led, trumps):
                    raise self.misplay(seat, card, bit)
            if ordinary:
                if not trick:
                    self.led, self.best, self.best_seat = suits[card], card, seat
                elif bit & beats[self.best]:
                    self.best, self.best_seat = card, seat
            hands[seat] = hand ^ bit
            trick.append(token)
            self.trick_set |= bit
            if len(trick) == size:
                self.end_trick(following[seat])
                trick = self.trick
            else:
                self.turn = following[seat]
            if opens and bit & self.tops:
                self.card_gone(seat, bit)
            self.step += 1

    def end_trick(self, leader: str) -> None:
        """Give the trick to its winner, who leads to the next trick. After the last trick, end the deal."""
        winner, cards, tricks = self.best_seat, self.trick_set, self.tricks
        assert winner is not None
        number = len(tricks) + 1
        first = self.step - self.size + 1
        # Call `tuple.__new__` for speed: the constructor of a `NamedTuple` takes three times as long.
        trick = tuple.__new__(Trick, (number, self.turns[leader], tuple(self.trick), winner, cards, first))
        tricks.append(trick)
        self.taken[winner] |= cards
        self.won[winner] += 1
        self.trick = []
        self.trick_set = self.led = 0
        self.turn = winner
        self.trick_done(trick)
        if number == self.total:
            self.finish()

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        """Return the error for a card that the seat may not play, with the clause that forbids it."""
        hand, led, clause = self.hands[seat], self.led, f"{self.info.id}.follow"
        if not bit & hand:
            return Illegal("common.not-held", "card")
        if hand & led and not bit & led:
            return Illegal(clause, "suit", suit=SUIT_LETTER[led], held=names(hand & led))
        if led and not bit & (led | self.TRUMPS):
            return Illegal(clause, "tarock", suit=SUIT_LETTER[led], held=names(hand & self.TRUMPS))
        return self.forbidden(seat, card)

    def trick_with(self, code: str) -> tuple[Trick, str, int] | None:
        """Return the finished trick that contains a card, the seat that played the card, and the number of
        the event. Return None if no finished trick contains it."""
        bit = BIT[code]
        for trick in self.tricks:
            if trick.set & bit:
                for place, token in enumerate(trick.cards):
                    if token == code or token.startswith(code + "("):
                        return trick, trick.seats[place], trick.event + place
        return None

    def one_off(self, code: str, wanted: int, clause: str) -> Iterator[Note]:
        """Yield a note if a card was played one trick before or after `wanted`, the trick where it scores."""
        found = self.trick_with(code)
        if found is not None and abs(found[0].number - wanted) == 1:
            trick, seat, event = found
            values = {"seat": seat, "card": code, "trick": trick.number, "wanted": wanted}
            yield Note(clause, "trick-off", values, (event,))
