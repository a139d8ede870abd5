"""Czech Taroky: four players, 54 cards, a secret partner, announcements and doubles, and Varšava."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, islice
from typing import Any, ClassVar

from tarock.cards import (
    BEATS,
    BIT,
    CARDS,
    FIRST_CARD,
    FIVES,
    KINGS,
    PAGAT,
    PAGAT_BIT,
    SUIT_OF,
    SUIT_SET,
    TAROCKS,
    TRULL,
    bits,
    names,
)
from tarock.games.info import INFO
from tarock.games.table import Discard, Illegal, Table
from tarock.games.tricks import Outcome, Play, follow, own_cards
from tarock.record import Event, Record, Tricks
from tarock.scoring import Counting, Note, ScoreLine, counting, in_threes, multiples

_BIDS = {"first": 1, "second": 2, "troika": 3, "solo": 4}
_CALLABLE = ("T19", "T18", "T17", "T16")
_CALLABLE_SET = bits(_CALLABLE)
#: Biddings met before, forehand before them → contract, bidder, and who said second. There are but a few
#: hundred that are legal, and of all the cards only the Pagat matters to them.
_BIDDINGS: dict[tuple[str | Event, ...], tuple[str | None, str | None, str | None]] = {}
#: What a side wins from the other: clause, side, amount, quantity, the sentence, events.
_Win = tuple[str, str, int, dict[str, Any], str, tuple[int, ...]]
#: What may be discarded as long as there is enough of it.
_PLAIN = ~(TAROCKS | KINGS)


def _tarocks(hand: int) -> int:
    return (hand & TAROCKS).bit_count()


#: Hand declaration → (points, whether a hand of 12 has it). The slug is `taroky.hand-` and the item.
HAND_ITEMS: dict[str, tuple[int, Callable[[int], bool]]] = {
    "taroky": (10, lambda h: _tarocks(h) >= 10),
    "tarocky": (5, lambda h: 8 <= _tarocks(h) <= 9),
    "barvy": (10, lambda h: h & TAROCKS in (0, PAGAT_BIT)),
    "barvicky": (5, lambda h: _tarocks(h) == 2 or (_tarocks(h) == 1 and not h & PAGAT_BIT)),
    "trul": (5, lambda h: h & TRULL == TRULL),
    "honery": (5, lambda h: (h & FIVES).bit_count() >= 4),
    "kralovske-honery": (10, lambda h: h & KINGS == KINGS),
}
#: Who must hold what.
_Ask = tuple[str, Callable[[int], bool]]
_RAISES = {"flek": 2, "re": 4, "sub": 8}
#: Of what was not yet said; never changed.
_NONE: dict[str, Any] = {}
_STAKES = ("game", "pagat", "valat")
_SINGLE = dict.fromkeys(_STAKES, 1)
_RAISE_BIT = {
    f"{raise_}:{stake}": 1 << (3 * i + k)
    for i, raise_ in enumerate(_RAISES)
    for k, stake in enumerate(_STAKES)
}
_STAKE_BITS = {stake: sum(_RAISE_BIT[f"{raise_}:{stake}"] for raise_ in _RAISES) for stake in _STAKES}
_FLEK_GAME, _FLEK_PAGAT = _RAISE_BIT["flek:game"], _RAISE_BIT["flek:pagat"]
_OPEN = {"bidder": _FLEK_GAME, "opponents": _FLEK_GAME}
_OPEN_SECOND = {"bidder": _FLEK_GAME, "opponents": _FLEK_GAME | _FLEK_PAGAT}
_NOTHING_OFFERED = dict.fromkeys(INFO["taroky"].seat_letters(4), 0)
_ITEMS = frozenset(INFO["taroky"].items)
#: What an uncontested first brings.
_UNCONTESTED = 1
_NEXT_RAISE = {1: "flek", 2: "re", 4: "sub", 8: None}


class Taroky(Table):
    """A deal of Czech Taroky.

    `sides` is the truth, known to nobody whole until it is shown, `members` the same by side; `shown` lists
    `(event, seat, side)` as it becomes public by what is said and played, `laid_open` is who showed his by
    putting the called card away; `factors` the doubling of each stake, `raised_by` the side that raised last;
    `open` the raises open to each side and `offered` those each seat has had a turn to make, as bit sets
    (`_RAISE_BIT`).
    """

    info = INFO["taroky"]
    HIDES = True
    __slots__ = (
        "called",
        "contract",
        "drawn",
        "factors",
        "gains",
        "hand_items",
        "laid_open",
        "level",
        "members",
        "offered",
        "open",
        "open_discards",
        "pagat_by",
        "partner",
        "pending",
        "raised_by",
        "refused",
        "settled",
        "shown",
        "sides",
        "spoken",
        "surrendered",
        "valat_by",
        "varsava",
    )

    def __init__(self, record: Record) -> None:
        self.varsava = self.surrendered = self.settled = self.refused = False
        self.contract: str | None = None
        self.level: int | None = None
        self.called: str | None = None
        self.partner: str | None = None
        self.pending: str | None = None
        self.laid_open: str | None = None
        self.pagat_by: str | None = None
        self.valat_by: str | None = None
        self.drawn = self.spoken = 0
        # What is said about is replaced by something new, not changed: many tables may hold the same.
        self.open: dict[str, int] = _NONE
        self.offered: dict[str, int] = _NONE
        self.gains: dict[str, dict[int, dict[str, int]]] = _NONE
        self.sides: dict[str, str] = _NONE
        self.members: dict[str, tuple[str, ...]] = _NONE
        self.open_discards: dict[str, int] = _NONE
        self.raised_by: dict[str, str] = _NONE
        self.factors = _SINGLE
        self.shown: tuple[tuple[int, str, str], ...] = ()
        self.hand_items: tuple[tuple[int, str, str], ...] = ()
        super().__init__(record)

    def begin(self) -> None:
        self.enter("bidding", self.forehand)

    # -- bidding -------------------------------------------------------------------------------------

    def bid(self, event: Event) -> None:
        """`bid X` or `pass`; every player speaks once (`taroky.bid`)."""
        seat = event[0]
        if event[1] == "bid":
            (name,) = self.arguments(event, 1, 1)
            if name not in _BIDS:
                raise Illegal("common.item", f"“{name}” is no bid: first, second, troika or solo")
            if self.contract is not None and _BIDS[name] <= _BIDS[self.contract]:
                raise Illegal("taroky.bid", f"{name} is not higher than {self.contract}")
            if seat == self.forehand and name == "second":
                raise Illegal("taroky.forehand-must-bid", f"{seat} is forehand and may not bid second")
            if name == "second" and not self.hands[seat] & PAGAT_BIT:
                raise Illegal("taroky.bid-second", f"{seat} bids second without the Pagat (T1)")
            self.contract, self.declarer = name, seat
        else:
            if len(event) > 2:
                self.arguments(event, 0, 0)
            if seat == self.forehand:
                raise Illegal("taroky.forehand-must-bid", f"{seat} is forehand and may not pass")
        if self.step < 3:
            self.turn = self.next[seat]
        else:
            self._bidding_over()

    def begin_on(self, events: list[Event]) -> bool:
        if self.phase == "announcing":
            self._announce_all(events)
        elif self.phase == "bidding" and len(events) >= 4:
            self._bid_all(events[:4])
        else:
            return super().begin_on(events)
        return self.step < len(events)

    def _bid_all(self, events: list[Event]) -> None:
        """The whole bidding."""
        bidding: tuple[str | Event, ...] = (self.forehand, *events)
        known = _BIDDINGS.get(bidding)
        if known is None:
            super().begin_on(events)
            # The highest bid stands, so that of a second below it nothing is known any more.
            second = next((event[0] for event in events if event[1:] == ("bid", "second")), None)
            _BIDDINGS[bidding] = self.contract, self.declarer, second
        else:
            self.contract, self.declarer, second = known
            if second and not self.hands[second] & PAGAT_BIT:
                raise Illegal("taroky.bid-second", f"{second} bids second without the Pagat (T1)")
            self.step = 3
            self._bidding_over()
            self.step = 4

    def _bidding_over(self) -> None:
        """All four have spoken."""
        if self.contract == "solo":
            self._announcing()
        else:
            self.enter("level" if self.contract == "troika" else "calling", self.declarer)

    def _may_varsava(self) -> bool:
        # Whoever bids must go higher than first: where it stands, forehand bid it and all others passed.
        return self.contract == "first"

    def say_varsava(self, event: Event) -> None:
        """`varsava` (`taroky.varsava`)."""
        self.arguments(event, 0, 0)
        if not self._may_varsava():
            raise Illegal("taroky.varsava", "Varšava is open only to forehand whose first all others passed")
        self.varsava = True
        self.enter("play", self.forehand)

    def _callable(self) -> tuple[str, ...]:
        return _calls(self.hands[self.declarer or ""] & _CALLABLE_SET)

    def call(self, event: Event) -> None:
        """`call CARD` (`taroky.call`)."""
        (code,) = event[2:] if len(event) == 3 else self.arguments(event, 1, 1)
        allowed = self._callable()
        if code not in allowed:
            if code not in BIT:
                raise Illegal("common.item", f"“{code}” is not a card")
            raise Illegal("taroky.call", f"{code} may not be called; callable: {' '.join(allowed)}")
        self.called = code
        self._take(4)
        self.enter("exchange", self.declarer)

    def say_level(self, event: Event) -> None:
        """`level N` of a Troika (`taroky.troika-level`)."""
        (word,) = self.arguments(event, 1, 1)
        if word not in ("1", "2", "3"):
            raise Illegal("taroky.troika-level", f"“{word}” is no level: 1, 2 or 3")
        self.level = int(word)
        if word == "2":
            self.talon = self.talon[3:] + self.talon[:3]
        self._take(3)
        self.enter("exchange", self.declarer)

    # -- exchange ------------------------------------------------------------------------------------

    def _take(self, number: int) -> None:
        """The bidder takes the top cards of the talon."""
        self.drawn = bits(self.talon[:number])
        self.hands[self.declarer or ""] |= self.drawn
        del self.talon[:number]

    def discard_ways(self) -> tuple[int, list[Discard]]:
        """`taroky.discard`: no 5-point card, and tarocks only as far as other cards are lacking."""
        hand = self.hands[self.turn or ""]
        if self.pending:  # the bidder is done
            hand |= BIT[self.pending]
            number = 1
        else:
            number = 3 if self.contract == "troika" else 4
        plain = hand & _PLAIN
        if plain.bit_count() >= number:
            return number, [(0, plain)]
        return number, [(plain, hand & TAROCKS & ~TRULL)]

    def put_away(self, event: Event) -> None:
        """`discard CARD…` of the bidder or of one who draws the next talon card (`taroky.exchange`)."""
        seat = event[0]
        talon = self.talon
        if self.pending:
            mask = self.discard(event, BIT[self.pending])
            del talon[0]
            self.pending = None
        else:
            mask = self.discard(event)
        if mask & TAROCKS:
            self.open_discards = {**self.open_discards, seat: mask & TAROCKS}
            if self.called and mask & BIT[self.called]:
                # Only a tarock is called, and it lies open.
                self.laid_open = seat
        if not talon or self.contract == "troika":
            self._announcing()
        else:
            self.pending = talon[0]
            self.turn = self.next[seat]

    def legal_seen(self) -> list[str]:
        if self.pending is None:
            return self.legal()
        # Whether to refuse is decided before the talon card is looked at: the choices of the hand alone.
        pending, self.pending = self.pending, None
        found = self.legal()
        self.pending = pending
        return found

    def refuse(self, event: Event) -> None:
        """`refuse`: the card goes to the player after (`taroky.refuse`)."""
        self.arguments(event, 0, 0)
        seat = event[0]
        if seat == self.declarer:
            raise Illegal("taroky.refuse", f"{seat} is the bidder and exchanges first")
        if not self._may_refuse():
            who = (
                "is the last and takes the last card"
                if not self.refused
                else "may not refuse after another has"
            )
            raise Illegal("taroky.refuse", f"{seat} {who}")
        self.refused = True
        self.turn = self.next[seat]

    def _may_refuse(self) -> bool:
        return self.turn != self.declarer and not self.refused

    def surrender(self, event: Event) -> None:
        """`surrender` of a First Duty (`taroky.surrender`)."""
        self.arguments(event, 0, 0)
        seat = event[0]
        if not self._may_surrender():
            raise Illegal(
                "taroky.surrender",
                f"{seat} may surrender only a First Duty whose called card lay in the four talon cards taken",
            )
        self.surrendered = True
        self.finish()

    def _may_surrender(self) -> bool:
        if self.turn != self.declarer or self.contract != "first" or not self.called:
            return False
        return bool(self.drawn & BIT[self.called])

    # -- announcements -------------------------------------------------------------------------------

    def _announcing(self) -> None:
        """The exchange is over: the sides are settled (`taroky.partner`) and the bidder announces first."""
        bidder = self.declarer or ""
        if self.called:
            bit = BIT[self.called]
            for holder, hand in self.hands.items():
                if (hand | self.discards.get(holder, 0)) & bit:
                    self.partner = holder if holder != bidder else None
                    break
        self.sides, self.members, self.gains = _sides(self.active, bidder, self.partner)
        if self.contract == "second":
            self.pagat_by = bidder
            self.open = _OPEN_SECOND
        else:
            self.open = _OPEN
        self.offered = _NOTHING_OFFERED
        self.enter("announcing", bidder)

    def _open_up(self, stake: str, side: str) -> None:
        """Opens the raises of a stake anew, after a side has announced or raised it (`taroky.double`): to
        that side none, to the other the next one."""
        step = _NEXT_RAISE[self.factors[stake]]
        other = _other(side)
        others = self.open[other] & ~_STAKE_BITS[stake] | (_RAISE_BIT[f"{step}:{stake}"] if step else 0)
        self.open = {side: self.open[side] & ~_STAKE_BITS[stake], other: others}

    def _chances(self, seat: str) -> int:
        """The raises open to a seat that it has not yet had a turn to make."""
        return self.open[self.sides[seat]] & ~self.offered[seat]

    def announce(self, event: Event) -> None:
        """`announce ITEM…` or `pass` (`taroky.announce-order`, `taroky.double-order`)."""
        self._announcements((event,))

    def _announce_all(self, events: list[Event]) -> None:
        """Everything said from here on, as `announce` does each, by way of the moments met before."""
        key = self.step, self.contract, self.declarer, self.partner, self.record.options
        moment = _MOMENTS.get(key)
        if moment is None:
            moment = _Moment(self, ())
            if _Moment.number <= _MOST_MOMENTS:
                _MOMENTS[key] = moment
        hands = self.hands
        for event in events[self.step :]:
            after = moment.after.get(event)
            if after is None or (after.asks and not _all_held(after.asks, hands)):
                moment.put_on(self)
                self._announcements((event,))
                self.step += 1
                after = moment.learn(event, self)
            moment = after
            if moment.over:
                break
        moment.put_on(self)

    def _announcements(self, events: Sequence[Event]) -> None:
        """One turn of announcing after another, as many as there are; `step` is left at the last that was
        done."""
        sides, following = self.sides, self.next
        turn = self.turn
        for step, event in enumerate(events, self.step):
            self.step = step
            seat = event[0]
            if seat != turn:
                self.out_of_turn(event)
            side = sides[seat]
            raises = self.open[side]
            if event[1] == "announce":
                items = event[2:] or self.arguments(event, 1, 99)
                _sound(items)
                if self.spoken < 4:
                    self._check_items(seat, items, raises)
                else:
                    self._check_raises(seat, items, raises)
                self._do_items(seat, side, items)
            elif event[1] != "pass":
                raise self.unexpected(event)
            elif len(event) > 2:
                self.arguments(event, 0, 0)
            offered = self.offered = {**self.offered, seat: self.offered[seat] | raises}
            opened = self.open
            self.spoken += 1
            turn = following[seat]
            if self.spoken >= 4:
                # From now on only those speak to whom a raise is open that they have not passed up.
                for _ in range(4):
                    if opened[sides[turn]] & ~offered[turn]:
                        break
                    turn = following[turn]
                else:
                    return self._announced()
            self.turn = turn
        return None

    def _check_items(self, seat: str, items: tuple[str, ...], offered: int) -> None:
        hand = self.hands[seat]
        for item in items:
            declared = HAND_ITEMS.get(item)
            if declared is not None:
                if not declared[1](hand):
                    raise Illegal(f"taroky.hand-{item}", f"{seat} declares {item} without holding it")
                if item == "kralovske-honery" and "honery" in items:
                    raise Illegal(
                        "taroky.hand-kralovske-honery", "honery and kralovske-honery do not go together"
                    )
            elif item == "pagat":
                if self.contract == "second":
                    raise Illegal(
                        "taroky.announce-pagat", "the bid of second has announced the pagat already"
                    )
                if not hand & PAGAT_BIT:
                    raise Illegal("taroky.announce-pagat", f"{seat} does not hold the Pagat (T1)")
            elif item == "valat":
                if self.valat_by:
                    raise Illegal("taroky.announce-valat", f"{self.valat_by} has announced the valat already")
            elif not _RAISE_BIT[item] & offered:
                raise Illegal("taroky.double", f"{item} is not open to {seat}")

    def _check_raises(self, seat: str, items: tuple[str, ...], offered: int) -> None:
        for item in items:
            if ":" not in item:
                raise Illegal(
                    "taroky.announce-order", f"{item} belongs into {seat}'s first turn; now only raises"
                )
            if not _RAISE_BIT[item] & offered:
                raise Illegal("taroky.double", f"{item} is not open to {seat}")
            if _RAISE_BIT[item] & self.offered[seat]:
                raise Illegal("taroky.double-order", f"{seat} passed {item} up earlier")

    def _do_items(self, seat: str, side: str, items: tuple[str, ...]) -> None:
        for item in items:
            if item in HAND_ITEMS:
                self.hand_items += ((self.step, seat, item),)
                continue
            stake = item
            if item == "pagat":
                self.pagat_by = seat
            elif item == "valat":
                self.valat_by = seat
            else:
                word, _, stake = item.partition(":")
                self.factors = {**self.factors, stake: _RAISES[word]}
                self.raised_by = {**self.raised_by, stake: side}
            self._open_up(stake, side)
            self._show(seat, side)

    def _show(self, seat: str, side: str) -> None:
        """A seat's side becomes public (`taroky.side-shown`)."""
        if seat == self.declarer:
            return
        for _, known, _ in self.shown:
            if known == seat:
                return
        self.shown += ((self.step, seat, side),)

    def _announced(self) -> None:
        """Nobody has anything left to say."""
        if self._uncontested():
            self.settled = True
            self.finish()
        else:
            self.enter("play", self.forehand)

    def _uncontested(self) -> bool:
        """`taroky.settle-uncontested`: nothing was said that makes the deal worth playing."""
        return (
            "settle-uncontested" in self.record.options
            and self.contract == "first"
            and not (self.pagat_by or self.valat_by or self.raised_by)
        )

    # -- play ----------------------------------------------------------------------------------------

    def playable(self, seat: str) -> int:
        if self.varsava:
            return playable_varsava(self.hands[seat], self.led, self.best if self.trick else None)
        cards = super().playable(seat)
        if seat == self.pagat_by and cards & PAGAT_BIT and cards != PAGAT_BIT:
            # taroky.hold-pagat: not before the last trick while another card is legal.
            return cards ^ PAGAT_BIT
        return cards

    def special_clause(self, seat: str) -> str:
        return "taroky.varsava-play" if self.varsava else "taroky.hold-pagat"

    def forbidden(self, seat: str, card: int) -> Illegal:
        allowed = " ".join(names(self.playable(seat)))
        if not self.varsava:
            return Illegal(
                "taroky.hold-pagat", f"{seat} announced the pagat and must keep T1 while he can: {allowed}"
            )
        if card == PAGAT:
            return Illegal(
                "taroky.varsava-play", f"in Varšava T1 may be played only as the last tarock: {allowed}"
            )
        return Illegal("taroky.varsava-play", f"in Varšava {seat} must beat the trick: {allowed}")

    def plain_play(self, tricks: Tricks) -> Play | None:
        return self.whole_play(tricks) if not self.varsava and self._pagat_held(tricks) else None

    def run_tricks(self, tricks: Tricks) -> bool:
        return self.varsava and own_cards(tricks, list(self.hands.values())) and self._run_varsava(tricks)

    def _pagat_held(self, tricks: Tricks) -> bool:
        """Whether surely nobody who announced the pagat let go of T1 before the last trick, unless he had no
        other card to play (`taroky.hold-pagat`)."""
        if self.pagat_by is None:
            return True
        cards, seats = tricks.cards, tricks.seats
        at = cards.find(FIRST_CARD + PAGAT)
        mine = self.active.index(self.pagat_by)
        if at < 0 or at >= len(cards) - 4:
            return True
        if not at % 4 or seats[at] != mine:
            return False
        # What he has left is what he plays from here on.
        whole = self.hands[self.pagat_by]
        left = [card for seat, card in zip(seats[at:], cards[at:], strict=True) if seat == mine]
        self.hands[self.pagat_by] = sum(1 << card - FIRST_CARD for card in left)
        self.led = SUIT_OF[cards[at - at % 4] - FIRST_CARD]
        forced = self.playable(self.pagat_by) == PAGAT_BIT
        self.hands[self.pagat_by], self.led = whole, 0
        return forced

    def _run_varsava(self, tricks: Tricks) -> bool:
        """Plays all the tricks of a Varšava, each player his own cards; False if one of them is not legal."""
        hands = list(self.hands.values())
        winner = self.active.index(self.turn or "")
        to_lead = _bars(0, None)
        winners = bytearray()
        plays = zip(tricks.seats, tricks.cards, strict=True)
        for seat, card in plays:
            if seat != winner or hands[seat] & to_lead[card]:
                return False
            hands[seat] ^= _BITS[card]
            beats, after = _BEATS[card], _AFTER[card]
            bars = after[card]
            for seat, card in islice(plays, 3):
                if hands[seat] & bars[card]:
                    return False
                bit = _BITS[card]
                hands[seat] ^= bit
                if bit & beats:
                    winner, beats, bars = seat, _BEATS[card], after[card]
            winners += _FOUR[winner]
        self.played_through(Outcome.of(tricks, bytes(winners)))
        return True

    def lay(self, seat: str, card: int, bit: int, token: str) -> None:
        if token == self.called:
            self._show(seat, "bidder")
        super().lay(seat, card, bit, token)

    def phase_events(self) -> Iterator[Event]:
        seat = self.turn
        if seat is None or self.phase == "play":
            return
        if self.phase == "bidding":
            yield from self._bids(seat)
        elif self.phase == "calling":
            for code in self._callable():
                yield (seat, "call", code)
            if self._may_varsava():
                yield (seat, "varsava")
        elif self.phase == "level":
            for level in "123":
                yield (seat, "level", level)
        elif self.phase == "exchange":
            if self._may_refuse():
                yield (seat, "refuse")
            if self._may_surrender():
                yield (seat, "surrender")
        else:
            yield (seat, "pass")
            items = self.open_items(seat)
            for number in range(1, len(items) + 1):
                for chosen in combinations(items, number):
                    if not {"honery", "kralovske-honery"} <= set(chosen):
                        yield (seat, "announce", *chosen)

    def _bids(self, seat: str) -> Iterator[Event]:
        for name, rank in _BIDS.items():
            if self.contract is not None and rank <= _BIDS[self.contract]:
                continue
            if name == "second" and (seat == self.forehand or not self.hands[seat] & PAGAT_BIT):
                continue
            yield (seat, "bid", name)
        if seat != self.forehand:
            yield (seat, "pass")

    def open_items(self, seat: str) -> list[str]:
        """The announcement items that a seat may say in its turn, in the order of the game's tables."""
        if self.spoken >= 4:
            return _raises(self._chances(seat))
        hand = self.hands[seat]
        items = [item for item, (_, holds) in HAND_ITEMS.items() if holds(hand)]
        if hand & PAGAT_BIT and self.contract != "second":
            items.append("pagat")
        if not self.valat_by:
            items.append("valat")
        return items + _raises(self.open[self.sides[seat]])

    def legal_words(self) -> list[str]:
        if self.phase == "announcing" and self.turn:
            return ["pass", *(f"announce {item}" for item in self.open_items(self.turn))]
        return super().legal_words()

    # -- settlement ----------------------------------------------------------------------------------

    def points_of(self, seat: str) -> int:
        return in_threes(self.taken[seat])

    def countings(self) -> list[Counting]:
        if self.varsava:
            return [counting(s, s, [("tricks", s, self.taken[s])], "threes") for s in self.active]
        if not self.sides or self.settled:
            return []
        found = []
        for side, seats in self.members.items():
            parts: list[tuple[str, str | None, int]] = [("tricks", s, self.taken[s]) for s in seats]
            parts += [("discards", s, self.discards.get(s, 0)) for s in seats]
            if side == "opponents":
                parts.append(("talon", None, bits(self.talon)))
            found.append(counting(side, seats, parts, "threes"))
        return found

    def sides_points(self) -> dict[str, int]:
        if self.varsava:
            return super().sides_points()
        if self.settled:
            return {}
        return {side: in_threes(self._counted(side)) for side in self.members}

    def _counted(self, side: str) -> int:
        """The cards that count for a side: its tricks, its discards, and the talon for the opponents."""
        cards = self.cards_taken(self.members[side]) | self._put_by(side)
        return cards | bits(self.talon) if side == "opponents" else cards

    def _put_by(self, side: str) -> int:
        """What the seats of a side have discarded."""
        cards, discards = 0, self.discards
        for seat in self.members[side]:
            if seat in discards:
                cards |= discards[seat]
        return cards

    def _bidders_cards(self) -> int:
        """The cards of the tricks that the bidder's side has won."""
        return self.cards_taken(self.members["bidder"])

    def settle(self) -> list[ScoreLine]:
        if self.varsava:
            return [self._varsava()]
        bidder = self.declarer or ""
        if self.surrendered:
            points = {seat: -30 if seat == bidder else 10 for seat in self.active}
            return [
                ScoreLine(
                    "taroky.surrender",
                    points,
                    {"each": 10},
                    f"{bidder} pays 10 to each of three",
                    (self.step - 1,),
                )
            ]
        lines = []
        for clause, side, amount, quantity, words, events in self._wins():
            lines.append(
                ScoreLine(clause, self.gains[side][amount], {**quantity, "side": side}, words, events)
            )
        return lines

    def score(self) -> dict[str, int]:
        if self.varsava:
            return self._varsava_net()[2]
        if self.surrendered:
            return super().score()
        # What one side wins the other pays (taroky.settlement), so that all can be set off before.
        if self.settled:
            net = _UNCONTESTED
        else:
            taken = self._bidders_cards()
            net = self._game_net(taken) + self._pagat_net() + self._valat_net(taken)
        for _, seat, item in self.hand_items:
            net += HAND_ITEMS[item][0] if self.sides[seat] == "bidder" else -HAND_ITEMS[item][0]
        return (self.gains["bidder"][net] if net >= 0 else self.gains["opponents"][-net]).copy()

    def _wins(self) -> list[_Win]:
        """What the sides win from one another in a deal that was not a Varšava nor surrendered."""
        if self.settled:
            words = "not played: 1 for the game"
            amount = _UNCONTESTED
            wins: list[_Win] = [
                ("taroky.settle-uncontested", "bidder", amount, {"amount": amount}, words, ())
            ]
        else:
            wins = [self._game()]
            if net := self._pagat_net():
                wins.append(self._pagat(net))
            if net := self._valat_net(self._bidders_cards()):
                wins.append(self._valat(net))
        for number, seat, item in self.hand_items:
            wins.append(self._hand_item(number, seat, item))
        return wins

    def _hand_item(self, number: int, seat: str, item: str) -> _Win:
        """`taroky.hand-…`, declared by a seat."""
        amount = HAND_ITEMS[item][0]
        quantity = {"seat": seat, "amount": amount}
        words = f"{seat} declares {item}: {amount}"
        return "taroky.hand-" + item, self.sides[seat], amount, quantity, words, (number,)

    def _game_net(self, taken: int) -> int:
        """What the bidder's side wins or, negative, loses by `taroky.game` or `taroky.game-tie`, given the
        cards of its tricks."""
        over = in_threes(taken | self._put_by("bidder")) - 35
        return over * self._rate() * self.factors["game"] if over else -self.factors["game"]

    def _rate(self) -> int:
        """What each point over 35 counts, by the contract."""
        return self.level if self.contract == "troika" and self.level else 6 if self.contract == "solo" else 1

    def _game(self) -> _Win:
        """`taroky.game` or `taroky.game-tie`."""
        points, factor, rate = self.sides_points(), self.factors["game"], self._rate()
        net = self._game_net(self._bidders_cards())
        side = "bidder" if net > 0 else "opponents"
        over, amount = points[side] - 35, abs(net)
        if not over:
            quantity = {"card_points": points, "factor": factor}
            words = f"35 to 35: {_product(1, factor)} to the side without the bidder"
            return "taroky.game-tie", side, amount, quantity, words, ()
        quantity = {"card_points": points, "factor": factor, "over": over, "rate": rate, "amount": amount}
        words = f"({over + 35} − 35) × {rate}{_times(factor)} = {amount}"
        return "taroky.game", side, amount, quantity, words, ()

    def _pagat_net(self) -> int:
        """What the bidder's side wins or, negative, loses by `taroky.pagat-announced` or
        `taroky.pagat-ultimo`; 0 if there is nothing to it."""
        announcer = self.pagat_by
        found = self.in_last_trick(PAGAT)
        if announcer:
            made = found is not None and found[0] == announcer == found[1]
            amount = 20 * self.factors["pagat"]
        elif found:
            announcer, winner, _ = found
            made, amount = announcer == winner, 10
        else:
            return 0
        return amount if (self.sides[announcer] == "bidder") == made else -amount

    def _pagat(self, net: int) -> _Win:
        """`taroky.pagat-announced` or `taroky.pagat-ultimo`."""
        side, amount = "bidder" if net > 0 else "opponents", abs(net)
        found = self.in_last_trick(PAGAT)
        event = self.played_at(PAGAT)
        events = (event,) if event is not None else ()
        who = self.pagat_by or (found[0] if found else "")
        made = self.sides[who] == side
        if self.pagat_by:
            factor = self.factors["pagat"]
            how = "won the last trick with T1" if made else "did not win the last trick with T1"
            quantity = {"announcer": who, "made": made, "factor": factor, "amount": amount}
            words = f"{who} announced the pagat and {how}: {_product(20, factor)}"
            return "taroky.pagat-announced", side, amount, quantity, words, events
        quantity = {"player": who, "made": made, "amount": amount}
        words = f"{who} played T1 to the last trick and {'won' if made else 'lost'} it: {amount}"
        return "taroky.pagat-ultimo", side, amount, quantity, words, events

    def _valat_net(self, taken: int) -> int:
        """What the bidder's side wins or, negative, loses by `taroky.valat-announced` or `taroky.valat`,
        given the cards of its tricks; 0 if there is nothing to it."""
        every = taken.bit_count() == self.total * self.size
        if self.valat_by:
            amount = 140 * self.factors["valat"]
            if self.sides[self.valat_by] == "bidder":
                return amount if every else -amount
            return amount if taken else -amount
        return 70 if every else 0 if taken else -70

    def _valat(self, net: int) -> _Win:
        """`taroky.valat-announced` or `taroky.valat`."""
        side, amount = "bidder" if net > 0 else "opponents", abs(net)
        if self.valat_by:
            factor = self.factors["valat"]
            made = self.sides[self.valat_by] == side
            how = "took every trick" if made else "did not take every trick"
            quantity = {"announcer": self.valat_by, "made": made, "factor": factor, "amount": amount}
            words = f"{self.valat_by} announced the valat, and his side {how}: {_product(140, factor)}"
            said = next(
                n for n, e in enumerate(self.record.events) if e[1] == "announce" and "valat" in e[2:]
            )
            return "taroky.valat-announced", side, amount, quantity, words, (said,)
        quantity = {"tricks": self.total, "amount": amount}
        return "taroky.valat", side, amount, quantity, f"all 12 tricks, not announced: {amount}", ()

    def _varsava_net(self) -> tuple[dict[str, int], list[str], dict[str, int]]:
        """What a Varšava comes to (`taroky.varsava-pay`, `taroky.varsava-tie`): the points of each seat, who
        pays, and the shares of all; who pays and who is paid first by the order of play from forehand."""
        taken = {seat: self.cards_taken((seat,)) for seat in self.active}
        points = {seat: in_threes(cards) for seat, cards in taken.items()}
        most = max(points.values())
        payers = [seat for seat in self._from_forehand() if points[seat] == most]
        payment = _varsava_payment(most)
        shares = dict.fromkeys(self.active, 0)
        for seat in self.active:
            if points[seat] == most:
                continue
            due = payment if taken[seat] else 2 * payment
            shares[seat] = due
            each, over = divmod(due, len(payers))
            for i, payer in enumerate(payers):
                shares[payer] -= each + (i < over)
        return points, payers, shares

    def _from_forehand(self) -> tuple[str, ...]:
        """The seats in the order of play, forehand before them."""
        at = self.active.index(self.forehand)
        return self.active[at:] + self.active[:at]

    def _varsava(self) -> ScoreLine:
        """`taroky.varsava-pay` or `taroky.varsava-tie`."""
        points, payers, shares = self._varsava_net()
        most = points[payers[0]]
        payment = _varsava_payment(most)
        quantity: dict[str, Any] = {"card_points": points, "payers": payers, "payment": payment}
        if len(payers) == 1:
            clause = "taroky.varsava-pay"
            words = f"{payers[0]} has the most points, {most}: pays {payment} to each of the others"
        else:
            clause = "taroky.varsava-tie"
            if len(payers) == self.size:
                words = f"all four have {most} points: nothing is paid"
                return ScoreLine(clause, {}, quantity, words)
            who = " and ".join(payers)
            words = f"{who} tie with {most} points and share {payment} to each of the others"
        if trickless := [s for s in self._from_forehand() if not self.tricks_won((s,))]:
            words += f", twice that to {' and '.join(trickless)} without a trick"
        return ScoreLine(clause, shares, quantity, words)

    # -- what is known -------------------------------------------------------------------------------

    def shown_discards(self, seat: str) -> int:
        return self.open_discards.get(seat, 0)

    def _alone_shown(self) -> bool:
        """Whether all have seen that the bidder of a duty plays alone: the called card came from him."""
        if not self.called or self.partner or not self.sides:
            return False
        bidder = self.declarer or ""
        bit = BIT[self.called]
        played = self.called in self.trick or any(self.called in t.cards for t in self.tricks)
        return played or bool(self.open_discards.get(bidder, 0) & bit)

    def _sees_called(self, view: str) -> bool:
        """Whether a seat has the called card, or put it away itself."""
        if not self.called:
            return False
        bit = BIT[self.called]
        mine = self.hands[view] | self.discards.get(view, 0)
        return bool(mine & bit) or any(
            self.called == c for t in self.tricks for s, c in zip(t.seats, t.cards, strict=True) if s == view
        )

    def known_partner(self, view: str | None) -> str | None:
        if self.partner is None:
            return None
        public = self.partner == self.laid_open or any(seat == self.partner for _, seat, _ in self.shown)
        if view is None or view == self.partner or public:
            return self.partner
        return None

    def known_sides(self, view: str | None) -> dict[str, str]:
        if not self.sides:
            return (
                {self.declarer: "bidder"}
                if self.declarer and self.phase != "bidding" and not self.varsava
                else {}
            )
        if (
            view is None
            or not self.called
            or self.known_partner(view)
            or self._alone_shown()
            or (view == self.declarer and self._sees_called(view))
        ):
            return dict(self.sides)
        known = {self.declarer or "": "bidder"} | {s: side for _, s, side in self.shown}
        if view in self.active and view != self.declarer:
            known[view] = self.sides[view]
        return dict(sorted(known.items()))

    def hidden(self, event: Event, number: int, view: str) -> bool:
        """A `pass` in the turns for raises would betray that a raise was open to the seat, so its side."""
        return event[1] == "pass" and event[0] != view and self._raise_turn(number)

    def _raise_turn(self, number: int) -> bool:
        words = [n for n, e in self.said if e[1] == "announce" or (e[1] == "pass" and n >= 4)]
        return len(words) > 4 and number >= words[4]

    def turn_known(self, view: str) -> bool:
        return self.phase != "announcing" or self.spoken < 4 or self.turn == view

    def contract_words(self) -> dict[str, Any]:
        announced = [
            {"event": n, "seat": e[0], "item": item}
            for n, e in self.said
            if e[1] == "announce"
            for item in e[2:]
        ]
        if self.contract == "second" and self.pagat_by:
            number = next(n for n, e in self.said if e[1:] == ("bid", "second"))
            announced.insert(0, {"event": number, "seat": self.pagat_by, "item": "pagat"})
        doubles = {stake: factor for stake, factor in self.factors.items() if factor > 1}
        name = self.contract if self.phase != "bidding" else None
        if self.varsava:
            name = "varsava"
        return {
            "contract": name,
            "called": self.called,
            "doubles": doubles,
            "announced": announced,
            "level": self.level,
        }

    def missed(self) -> list[Note]:
        if self.varsava or not self.tricks:
            return []
        notes = self._pagat_notes() + self._valat_notes()
        points = self.sides_points()
        for side, count in points.items():
            if count == 35 and side == "bidder":
                notes.append(Note("taroky.game", "points-near", {"side": side, "points": 35, "wanted": 36}))
        declared = {(seat, item) for _, seat, item in self.hand_items}
        for seat in self.active:
            hand = bits(t.cards[t.seats.index(seat)] for t in self.tricks)
            items = [item for item, (_, holds) in HAND_ITEMS.items() if holds(hand)]
            if "honery" in items and (seat, "kralovske-honery") in declared:
                items.remove("honery")
            if "kralovske-honery" in items and (seat, "honery") not in declared and "honery" in items:
                items.remove("honery")
            for item in items:
                if (seat, item) not in declared:
                    notes.append(Note(f"taroky.hand-{item}", "not-declared", {"seat": seat, "item": item}))
        return notes

    def _pagat_notes(self) -> list[Note]:
        found = self.trick_with("T1")
        if found is None:
            return []
        trick, seat, event = found
        if self.pagat_by is None:
            return self.one_off("T1", self.total, "taroky.pagat-ultimo")
        values = {"seat": seat, "trick": trick.number, "winner": trick.winner}
        if trick.number < self.total:
            return [Note("taroky.pagat-announced", "pagat-early", values, (event,))]
        if trick.winner == seat:
            return []
        kind = "pagat-partner" if self.sides[trick.winner] == self.sides[seat] else "pagat-lost"
        return [Note("taroky.pagat-announced", kind, values, (event,))]

    def _valat_notes(self) -> list[Note]:
        lost = {
            side: [t for t in self.tricks if self.sides[t.winner] != side] for side in ("bidder", "opponents")
        }
        if self.valat_by:
            against = lost[self.sides[self.valat_by]]
            if not against:
                return []
            values = {"seat": self.valat_by, "trick": against[0].number, "winner": against[0].winner}
            return [Note("taroky.valat-announced", "valat-failed", values, (against[0].event,))]
        return [
            Note(
                "taroky.valat", "tricks-near", {"side": side, "tricks": 11, "wanted": 12}, (tricks[0].event,)
            )
            for side, tricks in lost.items()
            if len(tricks) == 1
        ]

    def facts(self) -> dict[str, Any]:
        counts = {c.side: c.points for c in self.countings()}
        facts: dict[str, Any] = {
            "declarer": self.declarer,
            "bidder": self.declarer,
            "partner": self.partner,
            "called": self.called,
            "contract": self.contract,
            "level": self.level,
            "varsava": self.varsava,
            "sides_shown": [list(row) for row in self.shown],
            "result": self._result(counts),
            "tricks": dict(self.won),
            "announcements": [[a["seat"], a["item"]] for a in self.contract_words()["announced"]],
        }
        if counts:
            facts["card_points"] = counts
        return facts

    def _result(self, counts: dict[str, int]) -> str:
        if self.surrendered:
            return "surrendered"
        if self.settled:
            return "settled"
        if self.varsava:
            return "varsava"
        return "drawn" if counts["bidder"] == 35 else "won" if counts["bidder"] > 35 else "lost"

    PHASES = {
        "bidding": {"bid": bid, "pass": bid},
        "calling": {"call": call, "varsava": say_varsava},
        "level": {"level": say_level},
        "exchange": {"discard": put_away, "refuse": refuse, "surrender": surrender},
        "announcing": {"announce": announce, "pass": announce},
        "play": {"play": Table.play},
    }


@cache
def _calls(held: int) -> tuple[str, ...]:
    """The cards that may be called (`taroky.call`) by who holds these of those that ever are."""
    missing = [code for code in _CALLABLE if not held & BIT[code]]
    return ("T19", *(code for code in missing[:1] if code != "T19"))


def playable_varsava(hand: int, led: int, best: int | None) -> int:
    """The cards of a hand that may be played in Varšava (`taroky.varsava-play`): beat the trick if possible;
    the Pagat only as one's last tarock. `best` is the card that wins so far, None for who leads."""
    cards = follow(hand, led, TAROCKS)
    if cards & PAGAT_BIT and hand & TAROCKS != PAGAT_BIT:
        cards ^= PAGAT_BIT
    if best is None:
        return cards
    return cards & BEATS[best] or cards


class _Bars(dict[int, int]):
    """Card (as the byte that it is in `Tricks`) → the cards of which each alone makes it illegal to play it,
    when both are in the hand. Worked out for a card when it is first asked for."""

    def __init__(self, allowed: Callable[[int], int]) -> None:
        super().__init__()
        self.allowed = allowed

    def __missing__(self, card: int) -> int:
        bit = 1 << card - FIRST_CARD
        others = (1 << other for other in range(len(CARDS)))
        found = self[card] = sum(other for other in others if not self.allowed(bit | other) & bit)
        return found


@cache
def _bars(led: int, best: int | None) -> _Bars:
    """What bars which card in Varšava, at one moment of a trick."""
    return _Bars(lambda hand: playable_varsava(hand, led, best))


class _After(dict[int, _Bars]):
    """Card that wins so far → what bars which card from a trick in which that suit was led."""

    def __init__(self, led: int) -> None:
        super().__init__()
        self.led = led

    def __missing__(self, best: int) -> _Bars:
        found = self[best] = _bars(self.led, best - FIRST_CARD)
        return found


#: By the bytes of cards: the bit of each, what beats it, and what its lead asks of the others in Varšava.
_BITS = [0] * FIRST_CARD + [BIT[code] for code in CARDS]
_BEATS = [0] * FIRST_CARD + list(BEATS)
#: The place of who takes a trick, for each of its cards.
_FOUR = [bytes([place] * 4) for place in range(4)]
_LEADS = {suit: _After(suit) for suit in SUIT_SET.values()}
_AFTER = [_LEADS[TAROCKS]] * FIRST_CARD + [_LEADS[suit] for suit in SUIT_OF]


class _Moment:
    """A moment of the announcing: what a table knows then (`kept`), whether all has been said (`over`), and
    the moments `after` it by event. The same is said in deal after deal; only what a seat must hold for the
    last event (`asks`) is another matter each time."""

    __slots__ = ("after", "asks", "kept", "over")
    #: How many there have been.
    number: ClassVar[int] = 0

    def __init__(self, table: Taroky, asks: tuple[_Ask, ...]) -> None:
        self.after: dict[Event, _Moment] = {}
        self.asks = asks
        self.over = table.phase != "announcing"
        self.kept = (
            table.step,
            table.spoken,
            table.turn,
            table.settled,
            table.pagat_by,
            table.valat_by,
            table.factors,
            table.raised_by,
            table.hand_items,
            table.shown,
            table.open,
            table.offered,
        )
        _Moment.number += 1

    def learn(self, event: Event, table: Taroky) -> _Moment:
        """The moment after a legal event, at which a table now is."""
        asks = [(event[0], HAND_ITEMS[item][1]) for item in event[2:] if item in HAND_ITEMS]
        if "pagat" in event:
            asks.append((event[0], _holds_pagat))
        moment = _Moment(table, tuple(asks))
        if _Moment.number <= _MOST_MOMENTS:
            self.after[event] = moment
        return moment

    def put_on(self, table: Taroky) -> None:
        """Brings a table from an earlier moment to this one."""
        # Every deal comes this way: to go through a list of names would take four times as long.
        (
            table.step,
            table.spoken,
            table.turn,
            table.settled,
            table.pagat_by,
            table.valat_by,
            table.factors,
            table.raised_by,
            table.hand_items,
            table.shown,
            table.open,
            table.offered,
        ) = self.kept
        if table.settled:
            table.finish()
        elif self.over:
            table.enter("play", table.forehand)


def _holds_pagat(hand: int) -> bool:
    return bool(hand & PAGAT_BIT)


def _all_held(asks: tuple[_Ask, ...], hands: dict[str, int]) -> bool:
    return all(holds(hands[seat]) for seat, holds in asks)


#: The first moments of announcing by number of the event, contract, bidder, partner and options.
_MOMENTS: dict[tuple[Any, ...], _Moment] = {}
#: So many are remembered at the most, these and those after them.
_MOST_MOMENTS = 10_000


def _varsava_payment(most: int) -> int:
    """What who has the most points in Varšava pays to each of the others (`taroky.varsava-pay`)."""
    return 10 if most <= 29 else 20 if most <= 39 else 40


class _Gains(dict[int, dict[str, int]]):
    """Amount → points by seat, when a side wins it; the same amounts come again and again."""

    def __init__(self, sides: dict[str, str], winning: str) -> None:
        super().__init__()
        self.times = multiples(sides, winning)

    def __missing__(self, amount: int) -> dict[str, int]:
        found = self[amount] = {seat: times * amount for seat, times in self.times.items()}
        return found


@cache
def _sides(
    active: tuple[str, ...], bidder: str, partner: str | None
) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, dict[int, dict[str, int]]]]:
    """Seat → side; side → its seats; and for each side what it gets and the other pays, by amount."""
    sides = {s: "bidder" if s in (bidder, partner) else "opponents" for s in active}
    members = {side: tuple(s for s in active if sides[s] == side) for side in ("bidder", "opponents")}
    return sides, members, {side: _Gains(sides, side) for side in members}


@lru_cache(10_000)
def _sound(items: tuple[str, ...]) -> None:
    """Illegal (`common.item`) if one of the items is no announcement or said twice."""
    for item in items:
        if item not in _ITEMS or items.count(item) > 1:
            why = "said twice" if item in _ITEMS else "no announcement"
            raise Illegal("common.item", f"“{item}” is {why}")


def _raises(mask: int) -> list[str]:
    """The raises of a set, in the order of the game's tables."""
    return [item for item, bit in _RAISE_BIT.items() if bit & mask]


def _other(side: str) -> str:
    return "opponents" if side == "bidder" else "bidder"


def _product(amount: int, factor: int) -> str:
    """`20 × 4 = 80`, or `20` where nothing was doubled."""
    return f"{amount} × {factor} = {amount * factor}" if factor > 1 else str(amount)


def _times(factor: int) -> str:
    return f" × {factor}" if factor > 1 else ""
