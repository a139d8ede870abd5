"""The record: one complete deal as it was dealt, said and played, and nothing that follows from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from tarock.cards import CARDS, FIRST_CARD, bits, names
from tarock.games.info import INFO, GameInfo, Seating, seating

Event = tuple[str, ...]


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no blanks and characters as they are: the form that digests are taken from."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Tricks(NamedTuple):
    """A whole play as its trick lines give it, one byte for each card played: `seats` has the place of who
    played it among the `active` seats, `cards` the number of its token, counted from `FIRST_CARD` on."""

    active: tuple[str, ...]
    seats: bytes
    cards: bytes

    def plays(self) -> list[Event]:
        """The plays one by one, in order."""
        active = self.active
        return [
            (active[seat], "play", CARDS[card - FIRST_CARD])
            for seat, card in zip(self.seats, self.cards, strict=True)
        ]


class TagNames(NamedTuple):
    """Where among the values of a head the names of the players stand, by seat, and those of other tags."""

    seats: tuple[tuple[str, int], ...]
    others: tuple[tuple[str, int], ...]


class Record:
    """A well-formed record: syntax, seats and deal are right; whether the play was legal is not known.

    Built by the readers of `tarock.notation`, which put everything into canonical form; not changed after
    that. `deal` maps seats, piles (`A/1`) and `talon` to card codes; `events` are `(seat, verb, argument…)`,
    every card a `play`; `comments` maps the number of events before a comment to its texts; `score` is the
    players' claim.

    A record read from canonical text holds its cards as bit sets (`sets`, and in `order` where that matters)
    and its play as `tricks` after the events that were `spoken` (None: those are all events), as they are
    checked fastest, and its tags as they stand in the text; `deal`, `events`, `players` and `tags` are made
    of them when they are asked for.
    """

    __slots__ = (
        "_deal",
        "_digest",
        "_events",
        "_names",
        "_order",
        "_players",
        "_sets",
        "_tags",
        "_values",
        "comments",
        "dealer",
        "game",
        "options",
        "score",
        "seating",
        "spoken",
        "tricks",
    )

    def __init__(
        self,
        game: str,
        dealer: str,
        players: dict[str, str] | None,
        options: tuple[str, ...],
        tags: dict[str, str] | None,
        deal: dict[str, tuple[str, ...]] | None = None,
        events: list[Event] | None = None,
        comments: dict[int, list[str]] | None = None,
        score: dict[str, int] | None = None,
        sets: dict[str, int] | None = None,
        order: dict[str, tuple[str, ...]] | None = None,
        spoken: list[Event] | None = None,
        tricks: Tricks | None = None,
        names: TagNames | None = None,
        values: Sequence[str] = (),
        seats: Seating | None = None,
    ) -> None:
        self.game = game
        self.dealer = dealer
        self._players = players
        self.options = options
        self._tags = tags
        self.comments = comments if comments is not None else {}
        self.score = score
        self._deal = deal
        self._events = events
        self._sets = sets
        self._order = order
        self.spoken = spoken
        self.tricks = tricks
        self._names = names
        self._values = values
        self.seating = seats or seating(game, len(players or ()), dealer)
        self._digest: str | None = None

    @property
    def info(self) -> GameInfo:
        """The fixed facts of the game."""
        return INFO[self.game]

    @property
    def players(self) -> dict[str, str]:
        """Seat → name, in the order of play from A on."""
        if self._players is None:
            seats = self._names.seats if self._names is not None else ()
            self._players = {seat: self._values[n] for seat, n in seats}
        return self._players

    @property
    def tags(self) -> dict[str, str]:
        """The other tags, as they are written, options and claim left out."""
        if self._tags is None:
            others = self._names.others if self._names is not None else ()
            self._tags = {name: self._values[n] for name, n in others}
        return self._tags

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats at the table, one that sits out included, in the order of play from A on."""
        return self.seating.seats

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that take part in the deal."""
        return self.seating.active

    @property
    def deal(self) -> dict[str, tuple[str, ...]]:
        """The cards dealt by place, in canonical order where their order has no meaning."""
        if self._deal is None:
            sets, order = self._sets or {}, self._order or {}
            self._deal = {where: order.get(where) or tuple(names(cards)) for where, cards in sets.items()}
        return self._deal

    @property
    def events(self) -> list[Event]:
        """The events, every card of the play one of them."""
        if self._events is None:
            spoken = self.spoken or []
            self._events = spoken + self.tricks.plays() if self.tricks is not None else spoken
        return self._events

    def hand(self, where: str) -> int:
        """The cards dealt to a place, as a bit set (0 for a place the deal does not have)."""
        return self.sets.get(where, 0)

    @property
    def sets(self) -> dict[str, int]:
        """The cards dealt to every place, as bit sets."""
        if self._sets is None:
            self._sets = {place: bits(cards) for place, cards in self.deal.items()}
        return self._sets

    def in_order(self, where: str) -> tuple[str, ...]:
        """The cards dealt to a place whose order matters, first to last."""
        if self._order is not None and where in self._order:
            return self._order[where]
        return self.deal.get(where, ())

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the deal as played: game, options, dealer, deal and events; names, tags,
        comments and claim left out."""
        if self._digest is None:
            identity = {
                "game": self.game,
                "options": self.options,
                "dealer": self.dealer,
                "deal": self.deal,
                "events": self.events,
            }
            self._digest = hashlib.sha256(canonical_json(identity).encode()).hexdigest()
        return self._digest

    def __repr__(self) -> str:
        return f"<Record {self.game} {self.digest[:12]}>"

    def __eq__(self, other: object) -> bool:
        """Equal in everything that is kept, names, tags, comments and claim included."""
        if not isinstance(other, Record):
            return NotImplemented
        kept = ("game", "dealer", "players", "options", "tags", "deal", "events", "comments", "score")
        return all(getattr(self, name) == getattr(other, name) for name in kept)

    __hash__ = None  # type: ignore[assignment]
