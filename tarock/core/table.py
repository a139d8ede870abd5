"""The table: the state of one deal, and the rules of play that all games share.

A game is a subclass of `Table` that defines the phases and verbs, the playable cards (`playable`), its rules
for the winning card of a trick (`compare`), the consequences of a finished trick (`trick_done`), the outcome
of a deal (`outcome`) and the score (`settle`). `tarock.analysis.fold` applies the events of a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import reduce
from itertools import chain, combinations
from operator import or_
from typing import Any, ClassVar, NamedTuple, Self

from tarock.core.cards import BIT, FOOL_BIT, UNKNOWN, bits, indices, names, pack
from tarock.core.findings import Illegal
from tarock.core.game import Threshold
from tarock.core.outcome import Outcome, Points
from tarock.core.record import Event, Record, own_cards, shown_cards
from tarock.core.scoring import SCHEMES, Counting, Happening, Note, ScoreLine, counting
from tarock.core.tricks import TrickPlay

#: A choice of discards, as two sets that don't overlap: the seat must discard all cards of the first set, and
#: makes up the required number with cards of the second set.
Discard = tuple[int, int]
Action = Callable[[Any, Event], None]
#: Maximum number of open items for which `moves` lists every combination.
_MOST_COMBINED = 13


class SpecialCards(NamedTuple):
    """The special rules of the play of a deal that the kernel for endings knows."""

    ultimo: bool = False  # whether the score may depend on a Pagat in the last trick
    hold: str | None = None  # seat that must hold back its Pagat
    withhold: bool = False  # whether a Fool may be withheld and is then dead
    dead: str | None = None  # seat with a dead Fool


def free_cards(choices: list[Discard]) -> int:
    """Return all cards that at least one of the choices allows the seat to discard."""
    return reduce(or_, (fixed | pool for fixed, pool in choices), 0)


class Table(TrickPlay):
    """The state of a deal after some of its events. `apply` applies the next event or raises Illegal.

    If cards are unknown, `partial` is True, `hands` has only the cards that a seat certainly holds, and an
    event is legal unless the known cards prove otherwise.
    """

    #: Phase → verb → function that handles an event with this verb.
    PHASES: ClassVar[dict[str, dict[str, Action]]]
    #: Class of this game's outcomes.
    OUTCOME: ClassVar[type[Outcome]]
    #: Stake that can be announced or raised → clauses that score it. Empty if every score line names the
    #: events that earned it.
    STAKES: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: Whether some events are `hidden` from other seats, so that the number of an event depends on the view.
    HIDES: ClassVar[bool] = False
    __slots__ = (
        "dealer",
        "declarer",
        "discards",
        "doubts",
        "forehand",
        "happenings",
        "loose",
        "others",
        "partial",
        "phase",
        "record",
        "rules",
        "shown",
        "statements",
        "talon",
        "unseen",
        "verbs",
    )

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.record, self.dealer, self.forehand = record, record.dealer, self.seating.forehand
        self.rules: Any = record.rules  # the options of the deal
        self.talon: list[str] = list(record.deal.get("talon", ()))
        self.discards: dict[str, int] = {}  # seat → cards that it put away
        self.statements: list[tuple[int, Event]] = []  # all events except plays, with their numbers
        self.happenings: list[Happening] = []  # consequences of the rules so far
        self.phase = ""
        self.declarer: str | None = None
        self.verbs: dict[str, Action] = {}  # verb → its action in this phase
        self.partial = False
        self.unseen = 0  # cards that the record shows nowhere
        self.shown: dict[str, int] = {}  # seat → cards that it shows later, dealt to an unknown place
        self.loose: dict[str, int] = {}  # seat → cards that it may have discarded face down
        #: Seats with an event that may be illegal, if all cards dealt to them are known.
        self.doubts: set[str] = set()
        #: Tables with the other possible states of the deal, if unknown cards decide who speaks next.
        self.others: list[Any] = []
        if not record.is_whole:
            self._look_ahead()
        self.begin()
        if self.partial:
            self._take_in_shown()

    # -- unknown cards -------------------------------------------------------------------------------

    def _look_ahead(self) -> None:
        """Mark the table as partial, and collect the cards that each seat shows later in the record, and the
        cards that the record never shows. A card that two seats show counts as never shown."""
        self.partial = True
        lying = bits(chain.from_iterable(self.record.deal.values()))
        own = {
            seat: bits(cards) for seat, cards in own_cards(self.record.events, self.record.seating).items()
        }
        once = twice = 0
        for cards in own.values():
            once, twice = once | cards, twice | once & cards
        self.unseen = pack(self.info.pack) & ~lying & ~(once ^ twice)
        self.shown = {seat: own.get(seat, 0) & ~lying & ~twice for seat in self.active}

    def _take_in_shown(self) -> None:
        """Add to each hand the cards that the seat shows later, if the seat certainly holds them now."""
        gone = self._gone()
        for seat, shown in self.shown.items():
            if not self.draws_later(seat):
                self.hands[seat] |= self._fitting(seat, shown & ~gone)

    def _fitting(self, seat: str, cards: int) -> int:
        """Return `cards` if the seat's hand has room for those that are not yet in it, otherwise 0."""
        room = self.hand_size(seat) - self.hands[seat].bit_count()
        return cards if (cards & ~self.hands[seat]).bit_count() <= room else 0

    def _gone(self) -> int:
        """Return the cards that have been played or discarded so far."""
        return reduce(or_, (*self.taken.values(), *self.discards.values()), self.trick_set)

    @property
    def unknown(self) -> frozenset[str]:
        """The seats that have unknown cards in their hands now."""
        if not self.partial:
            return frozenset()
        return frozenset(s for s, hand in self.hands.items() if hand.bit_count() < self.hand_size(s))

    def hand_size(self, seat: str) -> int:
        """Return the number of cards in a seat's hand, including unknown cards."""
        size = self.total - len(self.tricks) - (seat in self.trick_seats)
        return size + self.to_discard() if seat == self.turn else size

    def to_discard(self) -> int:
        """Return the number of extra cards that the seat on turn holds now and must discard."""
        return self.discard_choices()[0] if "discard" in self.verbs else 0

    def draws_later(self, seat: str) -> bool:
        """Return whether a seat has yet to take unknown cards, which may be cards that it shows later."""
        later = self.record.events[self.step :]
        return UNKNOWN in self.talon and any(event[:2] == (seat, "discard") for event in later)

    def may_hold(self, seat: str, cards: int) -> int:
        """Return those of `cards` that a seat holds or may hold."""
        possible = self.hands[seat]
        if seat in self.unknown:
            possible |= (self.unseen | self.shown[seat] | self.loose.get(seat, 0)) & ~self._gone()
        return cards & possible

    def may_have_had(self, seat: str, cards: int) -> int:
        """Return those of `cards` that a seat holds, may hold, or may have discarded face down."""
        hidden = self.unseen if seat in self.loose else 0
        return self.may_hold(seat, cards) | (cards & hidden)

    def talon_cards(self) -> int | None:
        """Return the cards in the talon as a bit set, or None if they can't be determined."""
        number = self.talon.count(UNKNOWN)
        if number and number != self.unseen.bit_count():
            return None
        return bits(self.talon) | (self.unseen if number else 0)

    def assume(self, event: Event) -> None:
        """Before checking an event, add its cards to the hand of the seat on turn if it may hold them."""
        seat, verb = event[0], event[1]
        if seat != self.turn or verb not in ("play", "discard"):
            return
        if verb == "discard":
            # The seat takes no talon cards after this discard, so it now has all cards that it shows later.
            self.hands[seat] |= self._fitting(seat, self.shown[seat])
        cards = self._fitting(seat, self.may_hold(seat, bits(shown_cards(event))))
        self.hands[seat] |= cards
        self.unseen &= ~cards

    def twin(self) -> Self:
        """Return a copy of this table, to hold another possible state of the deal."""
        shared = (self.record, self.rules, self.seating, self.next, self.turns)
        return deepcopy(self, {id(value): value for value in shared})

    def split(self, choices: Iterable[Any], choose: Callable[[Any, Any], None]) -> None:
        """Apply the first of the possible choices to this state of the deal, and each other choice to a copy
        of the state (`others`). `choose`: function that applies a choice to a state."""
        first, *others = choices
        states = [self.twin() for _ in others]
        for state, choice in ((self, first), *zip(states, others, strict=True)):
            choose(state, choice)
        self.others = states

    def states(self) -> tuple[Any, ...]:
        """Return this table and all other possible states of the deal."""
        return (self, *self.others)

    def _apply_to_each(self, event: Event) -> None:
        """Apply an event to every possible state of the deal, and drop the states in which it is illegal.
        Raise Illegal if no state is left."""
        states = self.states()
        left: list[Any] = []
        fault: Illegal | None = None
        self.others = []
        for state in states:
            try:
                state.apply(event)
                left += state.states()
            except Illegal as illegal:
                if fault is None or state.turn == event[0]:
                    fault = illegal
        if not left:
            self.others = list(states[1:])
            assert fault is not None
            raise fault
        # Sort finished states last, because the deal is over only when all states are.
        left.sort(key=lambda state: state.over)
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                setattr(self, name, getattr(left[0], name))
        self.others = left[1:]

    # -- methods that a game defines -----------------------------------------------------------------

    def begin(self) -> None:
        """Enter the first phase. By default, forehand speaks first."""
        self.enter(next(iter(self.PHASES)), self.forehand)

    def outcome(self) -> Outcome:
        """Return the outcome of a finished deal."""
        raise NotImplementedError

    @staticmethod
    def settle(outcome: Any) -> Iterator[ScoreLine]:
        """Yield the score lines for an outcome of this game, clause by clause."""
        raise NotImplementedError

    def special_rules(self) -> SpecialCards | None:
        """Return the special rules of this deal; None if the kernel for endings doesn't know all of them."""
        return None

    def imagined(
        self, outcome: Any, points: tuple[Points, ...], sweep: str | None, ultimo: tuple[str, bool] | None
    ) -> Outcome:
        """Return the outcome of another end of this deal, which has `special_rules`. `outcome`: that of any
        end; `sweep`: side that takes all tricks, if any; `ultimo`: seat that plays the Pagat to the last
        trick, and whether it wins."""
        raise NotImplementedError

    def notes(self) -> Iterator[Note]:
        """Yield the notes on a finished deal, for example on missed bonuses and failed announcements."""
        raise NotImplementedError

    @property
    def scheme(self) -> str:
        """Method of counting cards in this deal (`Counting.scheme`)."""
        return "threes"

    def countings(self) -> list[Counting]:
        """Return the counting of each side's cards; empty if the deal was not played. By default, each seat
        is a side."""
        return [
            counting(s, s, [*self.counted_tricks(s), ("discards", s, self.put_by(s))], self.scheme)
            for s in self.active
        ]

    def facts(self, outcome: Any) -> dict[str, Any]:
        """Return the facts of a finished deal that users can search by, including those of its outcome."""
        return {**outcome.facts(), "tricks": dict(self.won)}

    def discard_choices(self) -> tuple[int, list[Discard]]:
        """Return the number of cards that the seat on turn must discard, and the choices (see `Discard`)."""
        raise NotImplementedError

    def discard_choices_seen(self) -> tuple[int, list[Discard]]:
        """Return `discard_choices` computed only from cards that the seat on turn has seen."""
        return self.discard_choices()

    def why_not_discarded(self, mask: int, hand: int) -> tuple[str, dict[str, Any]]:
        """Return why cards may not be discarded, as the key and values of a sentence of `X.discard`."""
        raise NotImplementedError

    def phase_events(self) -> Iterator[Event]:
        """Yield every legal next event except plays, discards, and announcements of `open_items`."""
        raise NotImplementedError

    def open_items(self, seat: str) -> list[str]:
        """Return the items that a seat can announce in this turn, in the order of `GameInfo.items`."""
        return []

    def go_together(self, items: tuple[str, ...]) -> bool:
        """Return whether open items may be announced together: they may if every two of them may."""
        return True

    def says_enough(self, items: tuple[str, ...]) -> bool:
        """Return whether the seat on turn may announce nothing but these items, which may be none."""
        return True

    @staticmethod
    def taken_from_talon(events: Sequence[Event], size: int) -> dict[str, Sequence[int]]:
        """Return, for each seat, the positions of the cards that it took from a talon of `size` cards. By
        default, the first seat that discards takes the whole talon."""
        first = next((event for event in events if event[1] == "discard"), None)
        return {first[0]: range(size)} if first and len(first) == 2 + size else {}

    # -- the parts that all games share --------------------------------------------------------------

    def enter(self, phase: str, turn: str | None) -> None:
        """Enter a phase of the game. `turn`: seat that speaks or plays next."""
        self.phase = phase
        self.verbs = self.PHASES[phase]
        self.turn = turn

    def finish(self) -> None:
        """End the deal."""
        self.phase = "over"
        self.verbs = {}
        self.turn = None

    def fork(self) -> Self:
        fork = super().fork()
        fork.happenings = self.happenings[:]
        return fork

    def happened(self, clause: str, kind: str, **values: Any) -> None:
        """Record a consequence of the current event that the rules require (see `Happening`)."""
        self.happenings.append(Happening(self.step, clause, kind, values))

    def apply(self, event: Event) -> None:
        """Apply the next event, or raise Illegal without applying it.

        The checks are, in this order: whether the deal is over (`common.after-end`), whether the seat is on
        turn (`common.turn`), the verb (`common.unexpected`), the arguments, whether the seat holds the cards,
        and then the clauses of the game.
        """
        if self.partial:
            if self.others:
                self._apply_to_each(event)
                return
            self.assume(event)
        if event[0] != self.turn:
            self.out_of_turn(event)
        else:
            action = self.verbs.get(event[1])
            if action is None:
                raise self.unexpected(event)
            action(self, event)
        if event[1] != "play":
            self.statements.append((self.step, event))
            self.step += 1
        if self.partial:
            for state in self.others:
                state.statements.append((state.step, event))
                state.step += 1
            for state in self.states():
                state._take_in_shown()

    def unexpected(self, event: Event) -> Illegal:
        """Return the error for a verb that does not belong to this phase."""
        return Illegal("common.unexpected", "verb", phase=self.phase)

    def out_of_turn(self, event: Event) -> None:
        """Handle an event by a seat that is not on turn. Raise Illegal unless the game allows the event."""
        if self.turn is None:
            reason, values = self.why_over()
            raise Illegal("common.after-end", reason, **values)
        if event[0] not in self.active:
            raise Illegal("common.turn", "sits-out", turn=self.turn)
        reason, values = self.why_turn()
        raise Illegal("common.turn", reason, turn=self.turn, **values)

    def why_over(self) -> tuple[str, dict[str, Any]]:
        """Return why no event can follow, as the key and values of a sentence of `common.after-end`."""
        return "over", {}

    def why_turn(self) -> tuple[str, dict[str, Any]]:
        """Return why it is this seat's turn, as the key and values of a sentence of `common.turn`."""
        if self.phase == "play" and not self.trick:
            if not self.tricks:
                return "leads-first", {}
            last = self.tricks[-1]
            return "won-trick", {"number": last.number, "winning": last.card_of(last.winner)}
        if not self.step:
            return "speaks-first", {}
        return "after", {"before": self.record.events[self.step - 1][0]}

    def arguments(self, event: Event, low: int, high: int) -> tuple[str, ...]:
        """Return the arguments of an event. Raise Illegal (`common.count`) if their number is wrong."""
        found = event[2:]
        if not low <= len(found) <= high:
            if event[1] == "discard":
                raise Illegal("common.count", "cards", wanted=low, found=len(found))
            reason = "none" if high == 0 else "one" if low == high else "nothing-named"
            raise Illegal("common.count", reason, verb=event[1], wanted=low, found=len(found))
        return found

    def items(self, event: Event, why_not: Callable[[str], str]) -> tuple[str, ...]:
        """Return the items of an announcement. Raise Illegal (`common.item`) if one is repeated, or if
        `why_not` returns a reason to reject it."""
        items = self.arguments(event, 1, len(event))
        for i, item in enumerate(items):
            if reason := why_not(item) or ("twice" if item in items[:i] else ""):
                raise Illegal("common.item", reason, item=item)
        return items

    def held(self, seat: str, codes: tuple[str, ...], drawn: int) -> int:
        """Convert card codes to a bit set. Raise Illegal if a code is not a card or appears twice, or if the
        card is neither in the seat's hand nor one of the cards just `drawn`."""
        mask = 0
        for code in codes:
            if code not in BIT:
                raise Illegal("common.item", "no-card", item=code)
            if mask & BIT[code]:
                raise Illegal("common.item", "card-twice", card=code)
            mask |= BIT[code]
        if missing := mask & ~(self.hands[seat] | drawn):
            raise Illegal("common.not-held", "cards", cards=names(missing))
        return mask

    def discard(self, event: Event, drawn: int = 0) -> int:
        """Apply a discard: add the cards `drawn` to the hand, remove the discards, and return the discards as
        a bit set. Raise Illegal unless `discard_choices` allows them."""
        number, choices = self.discard_choices()
        seat = event[0]
        mask = self.held(seat, self.arguments(event, number, number), drawn)
        if UNKNOWN in event and not self.partial:
            self._look_ahead()
        if seat in self.unknown or UNKNOWN in event:
            self.doubts.add(seat)
            return self._discard_unjudged(event, mask, drawn)
        for fixed, pool in choices:
            if mask & ~pool == fixed:
                self.hands[seat] = (self.hands[seat] | drawn) ^ mask
                self.discards[seat] = self.discards.get(seat, 0) | mask
                return mask
        reason, values = self.why_not_discarded(mask, self.hands[seat] | drawn)
        raise Illegal(f"{self.info.id}.discard", reason, number=number, **values)

    def _discard_unjudged(self, event: Event, mask: int, drawn: int) -> int:
        """Apply a discard without checking it, because unknown cards could make it legal. If some discards
        are unknown, only the cards that the seat shows later are certain to be still in its hand."""
        seat = event[0]
        later = own_cards(self.record.events[self.step :], self.record.seating)
        hand = (self.hands[seat] | drawn) & ~mask
        self.hands[seat] = hand & bits(later.get(seat, ())) if UNKNOWN in event else hand
        if UNKNOWN in event:
            self.loose[seat] = hand & ~self.hands[seat]
        self.discards[seat] = self.discards.get(seat, 0) | mask
        return mask

    # -- choices -------------------------------------------------------------------------------------

    def moves(self) -> Iterator[Event]:
        """Yield every legal next event except discards, because there can be too many to list (see
        `discard_choices`). Even without them, there can be several hundred combinations of announcements."""
        yield from self.single_moves()
        seat = self.turn
        items = self.open_items(seat) if seat else []
        # List only single items if there are many, because unknown cards can allow millions of combinations.
        for number in range(1, 1 + (len(items) if len(items) <= _MOST_COMBINED else 1)):
            for chosen in combinations(items, number):
                if seat and self.go_together(chosen) and self.says_enough(chosen):
                    yield (seat, "announce", *chosen)

    def single_moves(self) -> Iterator[Event]:
        """Yield the legal next events except discards and announcements of `open_items`. If a different seat
        is on turn in another possible state of the deal, also yield that seat's events, including its
        announcements and, if it may discard, a discard of unknown cards."""
        found = dict.fromkeys(self._single_moves())
        for state in self.others:
            found |= dict.fromkeys(state._single_moves() if state.turn == self.turn else state.moves())
            if state.turn != self.turn and "discard" in state.verbs:
                found[state.turn, "discard", *[UNKNOWN] * state.to_discard()] = None
        yield from found

    def _single_moves(self) -> Iterator[Event]:
        seat = self.turn
        if seat is None:
            return
        if self.phase == "play":
            for card in indices(self._may_play(seat) if seat in self.unknown else self.playable(seat)):
                for token in self.tokens(card):
                    yield (seat, "play", token)
        yield from self.phase_events()

    def _may_play(self, seat: str) -> int:
        """Return the cards that a seat with unknown cards could legally play, if it holds them."""
        hand, found = self.hands[seat], 0
        for card in indices(self.may_hold(seat, -1)):
            bit = 1 << card
            self.hands[seat] = hand | bit
            found |= bit & self.playable(seat)
        self.hands[seat] = hand
        return found

    def legal(self, *, seen: bool = False) -> list[str]:
        """Return the choices of the seat on turn in short form: cards to play or discard, and other events
        without the seat letter. Empty if the choices depend on unknown cards. With `seen`, return the choices
        computed only from cards that the seat has seen, even if other cards are unknown."""
        if self.turn is None or (not seen and (self.turn in self.unknown or self.others)):
            return []
        choices = self.discard_choices_seen if seen else self.discard_choices
        found = names(free_cards(choices()[1])) if "discard" in self.verbs else []
        if self.phase == "play":
            found += [t for card in indices(self.playable(self.turn)) for t in self.tokens(card)]
        return found + self.legal_words()

    def legal_to_say(self, seat: str) -> list[str]:
        """Return the announcements that a seat may make although it is not on turn."""
        return []

    def legal_words(self) -> list[str]:
        """Return the legal events of the seat on turn, except plays and discards, without the seat letter."""
        items = self.open_items(self.turn) if self.turn else []
        return [*(" ".join(e[1:]) for e in self.phase_events()), *(f"announce {item}" for item in items)]

    # -- what is known -------------------------------------------------------------------------------

    def known_partner(self, view: str | None) -> str | None:
        """Return the partner if the seat `view` knows who it is. `view` is None if all hands are open."""
        return None

    def known_sides(self, view: str | None) -> dict[str, str]:
        """Return the sides known to the seat `view`: seat → side. `view` is None if all hands are open."""
        return {}

    def hidden(self, event: Event, number: int, view: str) -> bool:
        """Return whether an event is hidden from the seat `view`, because it would reveal a secret."""
        return False

    def turn_known(self, view: str) -> bool:
        """Return whether the seat `view` knows which seat is on turn."""
        return True

    def public_discards(self, seat: str) -> int:
        """Return a seat's discards that everyone has seen: by default, all of them once the deal is over."""
        return self.discards.get(seat, 0) if self.over else 0

    def public_in_hand(self, seat: str) -> int:
        """Return the cards in a seat's hand that everyone has seen."""
        return 0

    def known_words(self, event: Event, view: str | None) -> tuple[str, ...]:
        """Return the arguments of an event that the seat `view` knows. For another seat's discard, these are
        only the `public_discards`. `view` is None if all hands are open."""
        if event[1] == "discard" and view not in (None, event[0]):
            return tuple(names(bits(event[2:]) & self.public_discards(event[0])))
        return event[2:]

    def put_by(self, seat: str) -> int:
        """Return the cards outside tricks that count for a seat: by default, its discards."""
        return self.discards.get(seat, 0)

    def counted_tricks(self, seat: str) -> list[tuple[str, str | None, int]]:
        """Return the parts of a seat's counting that come from the play: its tricks without the card that it
        gave up for a Fool, its own Fool if another seat won the trick, and a card received for a Fool. Each
        part is a tuple of (origin, seat, cards)."""
        taken = self.taken[seat]
        won = sum([trick.set for trick in self.tricks if trick.winner == seat])
        others = taken & ~won
        return [
            ("tricks", seat, taken & won),
            ("kept", seat, others & FOOL_BIT),
            ("exchange", seat, others & ~FOOL_BIT),
        ]

    def count_points(self, cards: int) -> int:
        """Return the card points of a set of cards, by the counting method of this deal."""
        return SCHEMES[self.scheme](cards)

    def points_of(self, seat: str) -> int:
        """Return the card points of a seat's tricks and, once the deal is over, of its discards."""
        return self.count_points(self.taken[seat] | (self.put_by(seat) if self.over else 0))

    def sides_points(self) -> dict[str, int]:
        """Return the card points of each side so far, including discards. By default, each seat is a side."""
        return {seat: self.count_points(cards | self.put_by(seat)) for seat, cards in self.taken.items()}

    def threshold(self) -> Threshold | None:
        """Return the card points that decide who wins this deal; None if card points don't decide it."""
        return self.info.threshold

    def standing(self) -> dict[str, Any]:
        """Return the current contract, called card, doubles and announcements."""
        return {"contract": None, "called": None, "doubles": {}, "announced": []}

    def visible_piles(self) -> dict[str, tuple[list[str], bool]]:
        """Return, for each pile, its cards (top first) and whether the top card is face up."""
        return {}
