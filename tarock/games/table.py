"""The table: the state of one deal, and what all four games share of playing it.

A game is a subclass of `Table` that answers a few questions: its phases and verbs, what may be played
(`playable`), which card wins so far (`compare`), what a finished trick brings about (`trick_done`), how a
finished deal scores (`settle`). The loop over events is in `tarock.replay` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, ClassVar, NamedTuple, Self

from tarock.cards import (
    BEATS,
    BIT,
    CARDS,
    FIRST_CARD,
    FOOL_BIT,
    INDEX,
    SUIT_OF,
    SUIT_SET,
    SUIT_WORDS,
    TAROCKS,
    bits,
    indices,
    names,
)
from tarock.games.info import GameInfo
from tarock.games.tricks import Outcome, Play, follow
from tarock.record import Event, Record, Tricks
from tarock.scoring import Counting, Note, ScoreLine, add_up, in_threes

#: Card token → (index, bit), for plays without a qualifier.
_CARD_BITS: dict[str, tuple[int, int]] = {code: (INDEX[code], BIT[code]) for code in CARDS}
_BIT_OF = BIT.get
_SUIT_NAME = {SUIT_SET[letter]: word for letter, word in SUIT_WORDS.items()} | {TAROCKS ^ FOOL_BIT: "tarocks"}


class Illegal(Exception):
    """An event breaks a clause: its slug and a sentence. The table is as it was before the event."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(message)
        self.clause, self.message = clause, message


class Trick(NamedTuple):
    """A finished trick: number from 1, the seats and card tokens in the order played, who won it, its cards
    as a bit set, and the number of the event that led to it."""

    number: int
    seats: tuple[str, ...]
    cards: tuple[str, ...]
    winner: str
    set: int
    event: int

    @property
    def leader(self) -> str:
        """The seat that led."""
        return self.seats[0]


#: A way to discard: these cards all together, and the rest out of that pool, which has none of them.
Discard = tuple[int, int]
Action = Callable[[Any, Event], None]
_NO_VERBS: dict[str, Action] = {}


class Table:
    """The state of a deal after some of its events. `apply` does the next event or raises Illegal.

    `hands` holds what each seat may play from, as bit sets; `turn` the seat to speak or play, None when the
    deal is over; `taken` the cards of the tricks each seat has won; `said` all events but plays, with their
    numbers.
    """

    info: ClassVar[GameInfo]
    #: Phase → verb → what does it.
    PHASES: ClassVar[dict[str, dict[str, Action]]]
    #: Whether some events are `hidden` from the other seats in this game, so that each counts its own.
    HIDES: ClassVar[bool] = False
    #: The cards that count as tarocks for the duty to follow and to play a tarock.
    TRUMPS: ClassVar[int] = TAROCKS

    # Slots are read and written faster than the entries of a dictionary, of which a table would have many.
    __slots__ = (
        "active",
        "best",
        "best_seat",
        "dealer",
        "declarer",
        "discards",
        "forehand",
        "hands",
        "led",
        "next",
        "outcome",
        "phase",
        "record",
        "said",
        "seats",
        "size",
        "step",
        "taken",
        "talon",
        "total",
        "trick",
        "trick_seats",
        "trick_set",
        "tricks",
        "turn",
        "verbs",
        "won",
    )

    def __init__(self, record: Record) -> None:
        self.record = record
        self.seats, active, self.next, self.forehand, self.total = record.seating
        self.active = active
        self.size = len(active)
        self.dealer = record.dealer
        sets = record.sets
        self.hands = {seat: sets[seat] for seat in active}
        self.trick: list[str] = []
        self.trick_seats: list[str] = []
        self.tricks: list[Trick] = []
        self.taken = dict.fromkeys(active, 0)
        self.won = self.taken.copy()
        self.talon: list[str] = list(record.in_order("talon"))
        self.discards: dict[str, int] = {}
        self.said: list[tuple[int, Event]] = []
        self.outcome: Outcome | None = None
        self.step = self.led = self.trick_set = self.best = 0
        self.best_seat = self.phase = ""
        self.declarer: str | None = None
        self.turn: str | None = None
        self.verbs: dict[str, Action] = _NO_VERBS
        self.begin()

    # -- questions a game answers --------------------------------------------------------------------

    def begin(self) -> None:
        """Enters the first phase."""
        raise NotImplementedError

    def settle(self) -> list[ScoreLine]:
        """The score sheet of a finished deal."""
        raise NotImplementedError

    def score(self) -> dict[str, int]:
        """The score of a finished deal by seat: the sum of the lines of its score sheet."""
        return add_up(self.record.players, self.settle())

    def countings(self) -> list[Counting]:
        """How the cards of each side were counted; empty if the deal was not played."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """What searches want to know of a finished deal, in the game's own words."""
        raise NotImplementedError

    def missed(self) -> list[Note]:
        """What nearly scored in a finished deal, and what was announced and failed, with the reason."""
        return []

    def trick_with(self, code: str) -> tuple[Trick, str, int] | None:
        """The finished trick that holds a card, who played it there, and the number of that event."""
        for trick in self.tricks:
            for place, token in enumerate(trick.cards):
                if token == code or token.startswith(code + "("):
                    return trick, trick.seats[place], trick.event + place
        return None

    def one_off(self, code: str, wanted: int, clause: str) -> list[Note]:
        """A note if a card fell in the trick before the one in which it scores, or (but for the last) after
        it."""
        found = self.trick_with(code)
        if found is None or abs(found[0].number - wanted) != 1:
            return []
        trick, seat, event = found
        return [
            Note(
                clause,
                "trick-off",
                {"seat": seat, "card": code, "trick": trick.number, "wanted": wanted},
                (event,),
            )
        ]

    def plain_play(self, tricks: Tricks) -> Play | None:
        """The tricks of a deal to be looked through at once (`play_through`); None unless nothing but the
        duty to follow limits the play, and each trick goes to its highest card."""
        return None

    def run_tricks(self, tricks: Tricks) -> bool:
        """Plays all the tricks of a deal at once, where the game knows how but it is no plain play. False if
        it does not, or if anything is out of the ordinary (the table is then of no use: let `apply` go
        through the events and name what it is). True says that `apply` would have found every card legal and
        come to the same score: the table is good for `settle` alone."""
        return False

    def played_through(self, outcome: Outcome) -> None:
        """Takes over what a plain play has come to. The table is good for `settle` alone then, which asks
        `cards_taken`, `tricks_won` and `in_last_trick`."""
        self.outcome = outcome
        self.finish()

    def cards_taken(self, seats: tuple[str, ...]) -> int:
        """The cards of the tricks that some seats have won together, as a bit set."""
        if self.outcome is not None:
            return self.outcome.cards(seats)
        cards = 0
        for seat in seats:
            cards |= self.taken[seat]
        return cards

    def tricks_won(self, seats: tuple[str, ...]) -> int:
        """How many tricks some seats have won together."""
        if self.outcome is not None:
            return self.outcome.won(seats)
        return sum([self.won[seat] for seat in seats])

    def played_at(self, card: int) -> int | None:
        """The number of the event by which a card was played in a finished play; None if it was not."""
        if self.outcome is None:
            found = self.trick_with(CARDS[card])
            return found[2] if found is not None else None
        at = self.outcome.tricks.cards.find(FIRST_CARD + card)
        return self.step + at if at >= 0 else None

    def in_last_trick(self, card: int) -> tuple[str, str, int] | None:
        """Who played a card to the last trick of a finished play, who won that trick, and the number of the
        event; None if it fell before."""
        if self.outcome is None:
            last = self.tricks[-1]
            if CARDS[card] not in last.cards:
                return None
            place = last.cards.index(CARDS[card])
            return last.seats[place], last.winner, last.event + place
        (_, seats, cards), takers, _ = self.outcome
        at = cards.rfind(FIRST_CARD + card)
        if at < len(cards) - self.size:
            return None
        return self.active[seats[at]], self.active[takers[at]], self.step + at

    def discard_ways(self) -> tuple[int, list[Discard]]:
        """How many cards the seat on turn must discard, and the ways to do it."""
        raise NotImplementedError

    def phase_events(self) -> Iterator[Event]:
        """Every legal event of the seat on turn outside the play and the discard."""
        raise NotImplementedError

    def playable(self, seat: str) -> int:
        """The cards that a seat may play now: it follows suit (tarocks too), else plays a tarock, else any
        card (`X.follow`); whoever leads may lead any card."""
        return follow(self.hands[seat], self.led, self.TRUMPS)

    def trick_done(self, trick: Trick) -> None:
        """What happens when a trick is complete; the winner has it already and leads next."""

    def qualified(self, token: str) -> tuple[int, int]:
        """Card and bit of a play token with a qualifier; Illegal if the game knows none such."""
        raise Illegal(
            "common.item", f"{token} is not a card of this game's play: no call or name goes with it"
        )

    # -- the vocabulary that games build on ----------------------------------------------------------

    def enter(self, phase: str, turn: str | None) -> None:
        """Goes to a phase of the game; `turn` speaks or plays next."""
        self.phase = phase
        self.verbs = self.PHASES[phase]
        self.turn = turn

    def finish(self) -> None:
        """The deal is over."""
        self.phase = "over"
        self.verbs = _NO_VERBS
        self.turn = None

    @property
    def over(self) -> bool:
        """Whether the deal is over, so that it can be scored."""
        return self.turn is None

    def copy(self) -> Self:
        """A copy that can go its own way."""
        twin = object.__new__(type(self))
        for name in (name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())):
            value = getattr(self, name)
            if type(value) is list:
                value = [v[:] if type(v) is list else v for v in value]
            elif type(value) is dict and name not in ("next", "verbs"):
                value = {k: [p[:] for p in v] if type(v) is list else v for k, v in value.items()}
            elif type(value) is set:
                value = set(value)
            setattr(twin, name, value)
        return twin

    def speak(self, events: list[Event]) -> None:
        """Does events in order, as `apply` does each."""
        for event in events:
            self.apply(event)

    def begin_on(self, events: list[Event]) -> bool:
        """Does those of the events before the play that belong to the phase, as `apply` does each, but keeps
        no list of what was said. Gives whether there are more. Raises Illegal or KeyError if one is illegal
        (the table is then of no use)."""
        phase, verbs = self.phase, self.verbs
        for step, event in enumerate(events[self.step :], self.step):
            if self.phase != phase:
                return True
            self.step = step
            if event[0] != self.turn:
                self.out_of_turn(event)
            else:
                verbs[event[1]](self, event)
            self.step = step + 1
        return False

    def apply(self, event: Event) -> None:
        """Does the next event, or raises Illegal and leaves everything as it was.

        Checked in this order: the deal is not over (`common.after-end`), the seat's turn (`common.turn`), the
        verb (`common.unexpected`), its arguments, the cards held, then the game's own clauses.
        """
        if event[0] != self.turn:
            self.out_of_turn(event)
        else:
            action = self.verbs.get(event[1])
            if action is None:
                raise self.unexpected(event)
            action(self, event)
        if event[1] != "play":
            self.said.append((self.step, event))
        self.step += 1

    def unexpected(self, event: Event) -> Illegal:
        """The verb is none of this phase's."""
        known = ", ".join(sorted(self.verbs)) or "nothing"
        return Illegal(
            "common.unexpected", f"“{' '.join(event[1:])}” does not belong here: the phase knows {known}"
        )

    def out_of_turn(self, event: Event) -> None:
        """An event by a seat that is not on turn: Illegal, unless the game lets it speak."""
        if self.turn is None:
            raise Illegal(
                "common.after-end", f"the deal is over, but {event[0]} goes on with “{' '.join(event[1:])}”"
            )
        raise Illegal("common.turn", f"it is {self.turn}'s turn, not {event[0]}'s")

    def arguments(self, event: Event, low: int, high: int) -> tuple[str, ...]:
        """The arguments of an event; Illegal (`common.count`) unless there are `low` to `high` of them."""
        found = event[2:]
        if not low <= len(found) <= high:
            wanted = "no argument" if high == 0 else str(low) if low == high else f"{low} or more"
            raise Illegal("common.count", f"{event[1]} takes {wanted}, found {len(found)}")
        return found

    def held(self, seat: str, codes: tuple[str, ...], drawn: int = 0) -> int:
        """The cards named, as a bit set; Illegal if one is no card, named twice, or not held by the seat (or
        just `drawn` by it)."""
        mask = 0
        for code in codes:
            if code not in BIT:
                raise Illegal("common.item", f"“{code}” is not a card")
            mask |= BIT[code]
        if mask.bit_count() != len(codes):
            twice = next(code for n, code in enumerate(codes) if code in codes[:n])
            raise Illegal("common.item", f"{twice} is named twice")
        if mask & ~(self.hands[seat] | drawn):
            missing = names(mask & ~(self.hands[seat] | drawn))
            raise Illegal("common.not-held", f"{seat} does not hold {' '.join(missing)}")
        return mask

    def discard(self, event: Event, drawn: int = 0) -> int:
        """The cards that a discard puts away, checked against `discard_ways`; they are gone from the hand, to
        which the cards `drawn` have come."""
        number, ways = self.discard_ways()
        if len(event) == number + 2:
            mask = 0
            for code in event[2:]:
                mask |= _BIT_OF(code, 0)
            if mask.bit_count() == number:
                for fixed, pool in ways:
                    # All ways lie within the hand; so what fits is held, too.
                    if mask & ~pool == fixed:
                        seat = event[0]
                        self.hands[seat] = (self.hands[seat] | drawn) ^ mask
                        self.discards[seat] = self.discards.get(seat, 0) | mask
                        return mask
        raise self._not_discardable(event, drawn)

    def _not_discardable(self, event: Event, drawn: int) -> Illegal:
        """Which clause a discard breaks."""
        number, ways = self.discard_ways()
        codes = self.arguments(event, number, number)
        mask = self.held(event[0], codes, drawn)
        free = 0
        for fixed, pool in ways:
            free |= fixed | pool
        bad = names(mask & ~free)
        why = f"{' '.join(bad)} may not be discarded" if bad else "these cards may not go together"
        return Illegal(f"{self.info.id}.discard", f"{why}; discardable: {' '.join(names(free))}")

    # -- play ----------------------------------------------------------------------------------------

    def play(self, event: Event) -> None:
        """One card to the trick."""
        if len(event) != 3:
            raise Illegal("common.count", f"a play is one card, found {len(event) - 2}")
        seat, _, token = event
        found = _CARD_BITS.get(token)
        card, bit = found if found is not None else self.qualified(token)
        if not bit & self.playable(seat):
            raise self.misplay(seat, card, bit)
        self.lay(seat, card, bit, token)

    def lay(self, seat: str, card: int, bit: int, token: str) -> None:
        """Puts a legal card on the table, and ends the trick if it was the last one."""
        self.hands[seat] ^= bit
        self.compare(seat, card, bit, token)
        self.trick.append(token)
        self.trick_seats.append(seat)
        self.trick_set |= bit
        if len(self.trick) == self.size:
            self.end_trick()
        else:
            self.turn = self.next[seat]

    def whole_play(self, tricks: Tricks) -> Play:
        """The tricks of a deal with the hands as they are now."""
        leader = self.active.index(self.turn or "")
        return tricks, list(self.hands.values()), leader, self.info.pack

    def compare(self, seat: str, card: int, bit: int, token: str) -> None:
        """Finds whether a card about to lie on the table leads, or wins the trick so far: the highest tarock,
        else the highest card of the suit led."""
        if not self.trick:
            self.led = SUIT_OF[card]
            self.best, self.best_seat = card, seat
        elif bit & BEATS[self.best]:
            self.best, self.best_seat = card, seat

    def end_trick(self) -> None:
        """Gives the trick to its winner, who leads to the next; after the last one the deal is over."""
        winner = self.best_seat
        number = len(self.tricks) + 1
        trick = Trick(
            number,
            tuple(self.trick_seats),
            tuple(self.trick),
            winner,
            self.trick_set,
            self.step - self.size + 1,
        )
        self.tricks.append(trick)
        self.taken[winner] |= self.trick_set
        self.won[winner] += 1
        self.trick, self.trick_seats = [], []
        self.trick_set = self.led = 0
        self.turn = winner
        self.trick_done(trick)
        if number == self.total:
            self.finish()

    def misplay(self, seat: str, card: int, bit: int) -> Illegal:
        """Which clause a card breaks that is not playable."""
        if not bit & self.hands[seat]:
            return Illegal("common.not-held", f"{seat} does not hold {CARDS[card]}")
        follow = f"{self.info.id}.follow"
        hand = self.hands[seat]
        if hand & self.led and not bit & self.led:
            return Illegal(
                follow,
                f"{seat} must follow {_SUIT_NAME[self.led]}, holding {' '.join(names(hand & self.led))}",
            )
        if self.led and not bit & (self.led | self.TRUMPS):
            tarocks = " ".join(names(hand & self.TRUMPS))
            return Illegal(follow, f"{seat} has no {_SUIT_NAME[self.led]} and must play a tarock: {tarocks}")
        return self.forbidden(seat, card)

    def forbidden(self, seat: str, card: int) -> Illegal:
        """Which clause of the game forbids a card that the duty to follow allows."""
        raise AssertionError(f"{CARDS[card]} is neither playable nor forbidden")

    def special_clause(self, seat: str) -> str:
        """The clause that makes a seat's choice of card now other than the duty to follow alone would."""
        return f"{self.info.id}.follow"

    def tokens(self, card: int) -> list[str]:
        """The tokens by which a playable card may be played now."""
        return [CARDS[card]]

    # -- choices -------------------------------------------------------------------------------------

    def choices(self) -> Iterator[Event]:
        """Every legal next event of the seat on turn, one by one (discards can be very many)."""
        seat = self.turn
        if seat is None:
            return
        if "discard" in self.verbs:
            number, ways = self.discard_ways()
            for fixed, pool in ways:
                for extra in combinations(indices(pool), number - fixed.bit_count()):
                    mask = fixed | bits(CARDS[i] for i in extra)
                    yield (seat, "discard", *names(mask))
        if self.phase == "play":
            for card in indices(self.playable(seat)):
                for token in self.tokens(card):
                    yield (seat, "play", token)
        yield from self.phase_events()

    def legal(self) -> list[str]:
        """The choices of the seat on turn in few words: the cards that may be played or discarded, the words
        and announcement items that may be said."""
        if self.turn is None:
            return []
        found = []
        if "discard" in self.verbs:
            free = 0
            for fixed, pool in self.discard_ways()[1]:
                free |= fixed | pool
            found = names(free)
        if self.phase == "play":
            found += [t for card in indices(self.playable(self.turn)) for t in self.tokens(card)]
        return found + self.legal_words()

    def legal_seen(self) -> list[str]:
        """The choices as the seat on turn itself sees them: no card among them that it has not looked at
        yet."""
        return self.legal()

    def legal_words(self) -> list[str]:
        """What the seat on turn may say, each once, without its seat."""
        return [" ".join(e[1:]) for e in self.phase_events()]

    # -- what is known -------------------------------------------------------------------------------

    def known_partner(self, view: str | None) -> str | None:
        """The partner, as far as a seat (None: everybody's cards open) knows him."""
        return None

    def known_sides(self, view: str | None) -> dict[str, str]:
        """Seat → side, as far as a seat knows them."""
        return {}

    def hidden(self, event: Event, number: int, view: str) -> bool:
        """Whether a seat must not see an event at all, since it betrays a secret."""
        return False

    def turn_known(self, view: str) -> bool:
        """Whether a seat may see whose turn it is."""
        return True

    def shown_discards(self, seat: str) -> int:
        """The discards of a seat that lie open for all to see."""
        return 0

    def known_words(self, event: Event, view: str) -> tuple[str, ...]:
        """The arguments of a spoken event that a seat hears: not which cards another discards."""
        if event[1] == "discard" and event[0] != view:
            return tuple(names(bits(event[2:]) & self.shown_discards(event[0])))
        return event[2:]

    def points_of(self, seat: str) -> int:
        """The card points of the tricks a seat has taken, as the game counts."""
        raise NotImplementedError

    def sides_points(self) -> dict[str, int]:
        """The card points of each side as the cards lie now, what is put away included; here every seat is a
        side of its own."""
        return {seat: in_threes(cards | self.discards.get(seat, 0)) for seat, cards in self.taken.items()}

    def contract_words(self) -> dict[str, Any]:
        """What stands: contract, called card, doubles, announcements."""
        return {"contract": None, "called": None, "doubles": {}, "announced": []}

    def piles_shown(self) -> dict[str, tuple[list[str], bool]]:
        """Pile → (its cards, top first; whether the top lies open)."""
        return {}
