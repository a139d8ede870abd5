"""The record of a deal: the cards as dealt and all events, the score sheet of a deal whose cards nobody
wrote down, or only the points of the players. A record leaves out all data that can be derived from a deal,
such as the winner of a trick."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from tarock.core.cards import INDEX, UNKNOWN
from tarock.core.game import GameInfo, Seating
from tarock.core.options import Options
from tarock.core.persons import folded

Event = tuple[str, ...]
#: A line of a score sheet: the name of a field, then words and numbers, as in `("points", "bidder", 60)`.
Line = tuple[str | int, ...]

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def _lists_json(lists: Iterable[tuple[str, ...]], number: int) -> str:
    """Return lists of words (without control characters) as JSON arrays, separated by commas. `number`: total
    number of words. Use the JSON encoder, which takes twice as long, only if a word needs escaping."""
    joined = '"],["'.join(map('","'.join, lists))
    if "\\" not in joined and joined.count('"') == 2 * number - 2:
        return f'["{joined}"]'
    return ",".join(map(_JSON, lists))


def shown_cards(event: Event) -> list[str]:
    """Return the codes of the known cards that are played or discarded in an event."""
    if event[1] not in ("play", "discard"):
        return []
    return [card for card in (word.partition("(")[0] for word in event[2:]) if card in INDEX]


def own_cards(events: Iterable[Event], seating: Seating) -> dict[str, list[str]]:
    """Return the codes of the known cards that each seat plays or discards. Ignore a trick with a play out of
    turn and all later events, because they don't prove who held the cards."""
    found: dict[str, list[str]] = {}
    trick: dict[str, list[str]] = {}
    turn: tuple[str, ...] = ()
    for event in events:
        seat, cards = event[0], shown_cards(event)
        if event[1] != "play":
            found.setdefault(seat, []).extend(cards)
            continue
        if len(trick) == len(turn):
            trick, turn = {}, seating.turns[seat]
        if seat != turn[len(trick)]:
            for other, shown in trick.items():
                del found[other][-len(shown) :]
            break
        trick[seat] = cards
        found.setdefault(seat, []).extend(cards)
    return found


@dataclass(slots=True)
class Record:
    """A well-formed record. The syntax, the seats and the deal are valid, but events may be illegal.

    The readers in `tarock.notation` create records in canonical form. Treat these records as immutable.
    """

    info: GameInfo
    dealer: str
    players: dict[str, str]  # seat → name, in the order of play from A
    options: tuple[str, ...]  # options that differ from the default, as sorted words
    tags: dict[str, str]  # all tags that have no field of their own
    deal: dict[str, tuple[str, ...]]  # seats, piles (`A/1`) and `talon` → card codes; `?` is an unknown card
    events: list[Event]  # `(seat, verb, argument…)`, with a separate event for each card played
    #: Number of events before a comment → texts of the comments there. For a score sheet, the number is 0.
    comments: dict[int, list[str]] = field(default_factory=dict)
    score: dict[str, int] | None = None  # score that the players claim
    #: Lines of a score sheet, in canonical order (`in_order`). A record has a sheet, a result or a deal.
    sheet: tuple[Line, ...] | None = None
    #: Points of a result, by place. The places are `1`, `2` …, and are also the keys of `players`, because a
    #: result has no seats and no dealer.
    result: dict[str, int] | None = None
    _digest: str = field(default="", init=False, repr=False, compare=False)

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.info.id

    @property
    def is_played(self) -> bool:
        """Whether the record has the cards and events of a deal, so it is no score sheet and no result."""
        return self.sheet is None and self.result is None

    @property
    def rules(self) -> Options:
        """The values of all options of the deal."""
        return self.info.rules.of(self.options)

    @property
    def seating(self) -> Seating:
        """The seating of the deal, with all seats, the active seats and forehand."""
        return self.info.seating(len(self.players), self.dealer)

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats at the table, including any that sits out, in the order of play from A; the places of a
        result."""
        return self.seating.seats if self.result is None else tuple(self.players)

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that take part in the deal."""
        return self.seating.active if self.result is None else tuple(self.players)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The places of the deal (seats, piles or the talon) that have unknown cards."""
        return tuple([place for place, cards in self.deal.items() if UNKNOWN in cards])

    @property
    def is_whole(self) -> bool:
        """Whether all cards of the deal are known."""
        return not any(UNKNOWN in cards for cards in self.deal.values())

    @property
    def digest(self) -> str:
        """SHA-256 hash, in hex, of the game, options, dealer, deal, and events or sheet lines. Names, tags,
        comments and the claimed score don't affect it. For a result, the hash of its game, session and date,
        and of the number of its deal or, for the total of an evening, the set of its players. It is cached,
        because an archive needs it before and after checking a record, and computing it takes a fourteenth as
        long as the check."""
        if self._digest:
            return self._digest
        if self.result is not None:
            number = self.tags.get("Deal")
            of = sorted(set(map(folded, self.players.values()))) if number is None else int(number)
            identity = _JSON([self.game, folded(self.tags["Session"]), self.tags.get("Date", ""), of])
        elif self.sheet is not None:
            identity = _JSON([self.game, self.options, self.dealer, self.sheet])
        else:
            events = _lists_json(self.events, sum(map(len, self.events)))
            places = [f'"{where}":["' + '","'.join(self.deal[where]) + '"]' for where in sorted(self.deal)]
            # Places, cards and options need no escaping, because the game defines them.
            options = '["' + '","'.join(self.options) + '"]' if self.options else "[]"
            identity = (
                f'{{"deal":{{{",".join(places)}}},"dealer":"{self.dealer}","events":[{events}],'
                f'"game":"{self.info.id}","options":{options}}}'
            )
        self._digest = hashlib.sha256(identity.encode()).hexdigest()
        return self._digest

    def __repr__(self) -> str:
        return f"<Record {self.game} {self.digest}>"
