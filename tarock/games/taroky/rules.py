"""The rules of Czech Taroky. `bidding`, `exchange` and `announcing` contain the phases before the play."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from tarock.core.cards import BEATS, BIT, PAGAT, PAGAT_BIT, TAROCKS, UNKNOWN
from tarock.core.findings import Illegal
from tarock.core.game import GameInfo, Threshold
from tarock.core.outcome import Key, Points
from tarock.core.record import Event
from tarock.core.scoring import Counting, counting
from tarock.core.table import Discard, SpecialCards, Table
from tarock.core.tricks import follow
from tarock.games.taroky import announcing, bidding, exchange, settlement
from tarock.games.taroky.announcing import HAND_ITEMS, clashing
from tarock.games.taroky.options import TarokyOptions
from tarock.games.taroky.outcome import HALF, Double, Hand, Pagat, TarokyOutcome, Valat
from tarock.games.taroky.state import RAISE_BIT, TarokyTable


class Taroky(TarokyTable):
    """A deal of Czech Taroky."""

    STAKES = {
        "game": ("taroky.game", "taroky.game-tie"),
        "pagat": ("taroky.pagat-announced",),
        "valat": ("taroky.valat-announced",),
    }
    info = GameInfo(
        id="taroky",
        name="Czech Taroky",
        description="Four players, 54 cards, a secretly called partner, announcements and doubles.",
        seats=(4,),
        pack=54,
        direction="anticlockwise",
        hands={4: 12},
        talon={4: 6},
        verbs={
            "bid": "words",
            "pass": "none",
            "varsava": "none",
            "call": "card or word",
            "level": "words",
            "discard": "cards",
            "refuse": "none",
            "surrender": "none",
            "announce": "items",
            "play": "card",
        },
        threshold=Threshold(HALF + 1, 70, "bidder", "taroky.game"),
        main=frozenset(
            {
                "taroky.game",
                "taroky.game-tie",
                "taroky.settle-uncontested",
                "taroky.surrender",
                "taroky.varsava-pay",
                "taroky.varsava-tie",
            }
        ),
        ultimo=frozenset({"taroky.pagat-ultimo", "taroky.pagat-announced"}),
        items=(*HAND_ITEMS, "pagat", "valat", *RAISE_BIT),
        rules=TarokyOptions,
        ordered_talon=True,
    )

    __slots__ = ()

    def phase_events(self) -> Iterator[Event]:
        if self.turn and self.phase in self._CHOICES:
            yield from self._CHOICES[self.phase](self, self.turn)

    def open_items(self, seat: str) -> list[str]:
        # Unknown cards can leave several states of the deal possible, so list the items open in any state.
        found = {item for state in self.states() for item in state.own_items(seat)}
        return [item for item in self.info.items if item in found]

    def own_items(self, seat: str) -> list[str]:
        """Return the items open to a seat in this state of the deal; none if it is not on turn."""
        return announcing.open_items(self, seat) if self.phase == "announcing" and seat == self.turn else []

    def go_together(self, items: tuple[str, ...]) -> bool:
        wanted = set(items)
        return not clashing(items) and any(
            wanted <= set(state.own_items(self.turn or "")) for state in self.states()
        )

    def says_enough(self, items: tuple[str, ...]) -> bool:
        return self.phase != "announcing" or announcing.is_enough(self, items)

    def to_discard(self) -> int:
        if self.pending is None:
            return super().to_discard()
        # A known talon card joins the hand only with the discard, so until then it is not an extra card.
        return int(self.pending == UNKNOWN)

    def draws_later(self, seat: str) -> bool:
        drawn = self.phase == "exchange" and seat == self.declarer
        return not drawn and super().draws_later(seat)

    def why_over(self) -> tuple[str, dict[str, Any]]:
        if self.surrendered:
            return "surrendered", {"bidder": self.bidder}
        return ("settled", {}) if self.settled else super().why_over()

    def why_turn(self) -> tuple[str, dict[str, Any]]:
        if self.phase == "play" and not (self.tricks or self.trick):
            return "forehand-leads", {}
        if self.phase in ("calling", "level") or (self.phase == "exchange" and self.turn == self.declarer):
            return "bidder", {}
        if self.phase == "announcing":
            if not self.turns_taken:
                return "bidder-announces", {}
            if self.turns_taken >= self.size:
                return "raises", {}
        return super().why_turn()

    def unexpected(self, event: Event) -> Illegal:
        if self.phase == "play" and event[1] in ("announce", "pass"):
            reason, values = announcing.why_over(self, event)
            return Illegal("common.unexpected", reason, **values)
        return super().unexpected(event)

    def out_of_turn(self, event: Event) -> None:
        """Raise Illegal with a more helpful reason for an announcement or a discard that comes too late."""
        seat, verb = event[0], event[1]
        if seat in self.active and self.phase == "play" and verb in ("announce", "pass"):
            reason, values = announcing.why_over(self, event)
            raise Illegal("common.turn", reason, turn=self.turn, **values)
        if self.phase == "announcing" and not self.turns_taken and verb in ("discard", "refuse"):
            reason = "talon-used-up" if not self.talon else "exchange-over"
            raise Illegal("common.turn", reason, turn=self.turn)
        super().out_of_turn(event)

    taken_from_talon = staticmethod(exchange.taken_from_talon)

    # -- exchange ------------------------------------------------------------------------------------

    def discard_choices(self) -> tuple[int, list[Discard]]:
        hand = self.hands[self.turn or ""]
        return exchange.discard_choices(self, hand | BIT[self.pending] if self.pending else hand)

    why_not_discarded = staticmethod(exchange.why_not_discarded)

    def discard_choices_seen(self) -> tuple[int, list[Discard]]:
        # Compute the choices from the hand alone, because the seat may still refuse the unseen talon card.
        return exchange.discard_choices(self, self.hands[self.turn or ""])

    # -- play ----------------------------------------------------------------------------------------

    def special_cards(self) -> int:
        """Return all cards in Varšava; otherwise only the Pagat, if it was announced."""
        return -1 if self.varsava else PAGAT_BIT if self.pagat_by else 0

    def playable(self, seat: str) -> int:
        hand = self.hands[seat]
        cards = follow(hand, self.led, TAROCKS)
        if self.varsava:
            # A player must beat the winning card if possible, and may play the Pagat only as their last
            # tarock (taroky.varsava-play).
            if cards & PAGAT_BIT and hand & TAROCKS != PAGAT_BIT:
                cards ^= PAGAT_BIT
            beating = self.trick and self.rules.varsava_overtake
            return (cards & BEATS[self.best] if beating else 0) or cards
        if cards & PAGAT_BIT and seat == self.pagat_by and cards != PAGAT_BIT:
            # Another legal card must be played before an announced Pagat (taroky.hold-pagat).
            return cards ^ PAGAT_BIT
        return cards

    def special(self, seat: str) -> tuple[str, str]:
        if not self.varsava:
            return "taroky.hold-pagat", "held"
        free = follow(self.hands[seat], self.led, TAROCKS) & ~PAGAT_BIT
        return "taroky.varsava-play", "pagat" if free == self.playable(seat) else "beat"

    def forbidden(self, seat: str, card: int) -> Illegal:
        if not self.varsava:
            return Illegal("taroky.hold-pagat", "announced")
        return Illegal("taroky.varsava-play", "pagat" if card == PAGAT else "beat")

    def roles(self) -> int:
        # A Pagat that nobody announced scores in the last trick, too.
        return super().roles() | PAGAT_BIT

    def past(self) -> Hashable:
        # A Pagat played before the last trick is in no hand, and that is all that matters about it.
        return None

    # -- settlement ----------------------------------------------------------------------------------

    OUTCOME = TarokyOutcome
    settle = staticmethod(settlement.settle)
    notes = settlement.notes

    def outcome(self) -> TarokyOutcome:
        seating, options = self.seating, self.rules
        if self.surrendered:
            return TarokyOutcome(
                seating=seating,
                options=options,
                contract=self.contract,
                bidder=self.bidder,
                surrendered=True,
                events={("surrendered",): (self.step - 1,)},
            )
        points = tuple(map(Points._make, self.sides_points().items()))
        if self.varsava:
            return TarokyOutcome(
                seating=seating,
                options=options,
                contract="varsava",
                points=points,
                trickless=tuple(seat for seat in self.active if not self.won[seat]) or None,
            )
        hands: dict[str, Hand] = {}
        events: dict[Key, tuple[int, ...]] = {("valat",): (self.valat_event,)}
        for event, seat, item in self.hand_items:
            hands[seat] = Hand(seat, (*(hands[seat].items if seat in hands else ()), item))
            events["hand", seat] = (event,)
        # Look for the Pagat only if its result matters.
        in_last = self.tricks and self.tricks[-1].set & PAGAT_BIT
        found = self.trick_with("T1") if in_last or self.pagat_by else None
        won = False
        if found is not None:
            events["pagat",] = (found[2],)
            won = found[0].number == self.total and found[0].winner == found[1]
        return TarokyOutcome(
            seating=seating,
            options=options,
            contract=self.contract,
            level=self.level,
            bidder=self.bidder,
            partner=(self.partner or "alone") if self.called else None,
            uncontested=self.settled,
            points=points,
            hand=tuple(hands.values()),
            double=tuple([Double(stake, word, seat) for word, stake, seat in self.raises()]),
            pagat=self._pagat(found and found[1], won),
            valat=self._valat(self._all_tricks()),
            tricks=self._all_tricks(),
            events=events,
        )

    def _pagat(self, player: str | None, won: bool) -> Pagat | None:
        """Return the result of a Pagat that was announced or played to the last trick, if any. `player`: seat
        that played it; `won`: whether it won the last trick."""
        if self.pagat_by is None:
            return Pagat("silent", player, "made" if won else "failed") if player else None
        return Pagat("announced", self.pagat_by, "made" if won and player == self.pagat_by else "failed")

    def _all_tricks(self) -> str | None:
        """Return the side that took all tricks, if any."""
        winners = {self.sides[seat] for seat, won in self.won.items() if won}
        return winners.pop() if len(winners) == 1 else None

    def _valat(self, sweep: str | None) -> Valat | None:
        if self.valat_by is None:
            return None
        return Valat(self.valat_by, "made" if sweep == self.sides[self.valat_by] else "failed")

    def special_rules(self) -> SpecialCards | None:
        return None if self.varsava else SpecialCards(ultimo=True, hold=self.pagat_by)

    def imagined(
        self,
        outcome: TarokyOutcome,
        points: tuple[Points, ...],
        sweep: str | None,
        ultimo: tuple[str, bool] | None,
    ) -> TarokyOutcome:
        if sweep and self.rules.valat_tricks_only:
            cards = reduce(or_, (*self.hands.values(), *self.taken.values()), self.trick_set)
            points = tuple(
                [
                    row._replace(points=self.count_points(cards)) if row.owner == sweep else row
                    for row in points
                ]
            )
        return replace(
            outcome,
            points=points,
            pagat=self._pagat(*(ultimo or (None, False))),
            valat=self._valat(sweep),
            tricks=sweep,
        )

    def countings(self) -> list[Counting]:
        if self.varsava:
            return super().countings()
        if not self.sides or self.settled:
            return []
        found = []
        for side in ("bidder", "opponents"):
            seats = self.members(side)
            counts_all = side != self._tricks_only()
            parts: list[tuple[str, str | None, int]] = [("tricks", s, self.taken[s]) for s in seats]
            parts += [("discards", s, self.discards.get(s, 0)) for s in seats if counts_all]
            if side == "opponents" and counts_all:
                parts.append(("talon", None, self.talon_cards() or 0))
            found.append(counting(side, seats, parts, self.scheme))
        return found

    def sides_points(self) -> dict[str, int]:
        """Return the card points by side, including discards and, for the opponents, the rest of the talon.
        In Varšava, return them by seat."""
        if self.varsava:
            return super().sides_points()
        if not self.sides or self.settled:
            return {}
        cards, alone = {"bidder": 0, "opponents": self.talon_cards() or 0}, self._tricks_only()
        if alone:
            cards[alone] = 0
        for seat, side in self.sides.items():
            cards[side] |= self.taken[seat] | (self.discards.get(seat, 0) if side != alone else 0)
        return {side: self.count_points(taken) for side, taken in cards.items()}

    def _tricks_only(self) -> str | None:
        """Return the side that counts the cards of its tricks alone, because it took all of them and the
        table has agreed so (`taroky.card-points`)."""
        whole = self.rules.valat_tricks_only and len(self.tricks) == self.total
        return self._all_tricks() if whole else None

    def threshold(self) -> Threshold | None:
        return None if self.varsava else self.info.threshold

    def facts(self, outcome: TarokyOutcome) -> dict[str, Any]:
        facts = outcome.facts()
        facts["called"] = self.called
        facts["sides_shown"] = [list(row) for row in self.revealed_sides]
        facts["tricks"] = dict(self.won)
        facts["announcements"] = [[a["seat"], a["item"]] for a in self.announced()]
        return facts

    PHASES = {
        "bidding": {"bid": bidding.bid, "pass": bidding.bid},
        "calling": {"call": bidding.call, "varsava": bidding.varsava},
        "level": {"level": bidding.level},
        "exchange": {
            "discard": exchange.put_away,
            "refuse": exchange.refuse,
            "surrender": exchange.surrender,
        },
        "announcing": {"announce": announcing.announce, "pass": announcing.announce},
        "play": {"play": Table.play},
    }
    #: Phase → function that yields the events open to a seat.
    _CHOICES: dict[str, Callable[[Any, str], Iterable[Event]]] = {
        "bidding": bidding.bids,
        "calling": bidding.calls,
        "level": lambda table, seat: ((seat, "level", level) for level in "123"),
        "exchange": exchange.instead_of_discarding,
        "announcing": lambda table, seat: ((seat, "pass"),) if table.says_enough(()) else (),
    }
