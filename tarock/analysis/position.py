"""Value classes of a replay: the table after some events of a deal, and a row for each event.

A value that is hidden from a view is None or an empty tuple. `analysis.replay` creates the positions. Field
names are the keys of the JSON form, and field docstrings are the descriptions in the API schema.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from tarock.core.findings import Finding
from tarock.core.game import Direction
from tarock.core.scoring import Happening
from tarock.words import json_forms


@dataclass(frozen=True, slots=True)
class Heap:
    """A set of cards. Hidden cards are counted but not named."""

    count: int
    """Number of cards."""
    cards: tuple[str, ...] | None
    """Codes of the cards, with `?` for each unknown card; null if the view may not know the cards."""


@dataclass(frozen=True, slots=True)
class Hand(Heap):
    """The hand or the discards of a seat."""

    shown: tuple[str, ...]
    """Cards that everybody at the table has seen."""


@dataclass(frozen=True, slots=True)
class Pile(Heap):
    """A pile; its cards are listed from the top down."""

    top: str | None
    """Top card, if it lies face up."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card played to a trick."""

    seat: str
    """Seat that played the card."""
    card: str
    """Code of the card."""
    says: str | None
    """Qualifier of the card: the suit named for a led Sküs, `ros` or `topschin`; null if there is none."""


@dataclass(frozen=True, slots=True)
class Trick:
    """The trick on the table."""

    number: int
    """Number of the trick, from 1."""
    leader: str
    """Seat that led."""
    plays: tuple[Play, ...]
    """Cards on the table, in the order of play."""
    winning: str | None
    """Seat that is winning the trick so far; null before the first card, and while a led Fool is the only
    card."""


@dataclass(frozen=True, slots=True)
class TakenTrick:
    """A finished trick."""

    number: int
    """Number of the trick, from 1."""
    leader: str
    """Seat that led."""
    plays: tuple[Play, ...]
    """Cards of the trick, in the order of play."""
    winner: str
    """Seat that took the trick."""
    value: int
    """Sum of the values of all cards played to the trick, counting a blank as 1. It includes a Sküs or
    Bättler that its player keeps, but not the card handed over for it. The winner's card points are in
    `points`."""
    event: int
    """Number of the event that began the trick."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement in force."""

    event: int
    """Number of the event that announced the item."""
    seat: str
    """Seat that made the announcement."""
    item: str
    """Announced item."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement or a discard, with the words that the view may know."""

    event: int
    """Number of the event."""
    seat: str
    """Seat that made the statement or the discard."""
    words: str | None
    """Verb and known arguments as one string; null if the view may not know the words."""


@dataclass(frozen=True, slots=True)
class Move:
    """One event as the view sees it: another seat's discard shows only its open cards."""

    event: int
    """Number of the event among the events that the view sees, from 0. The position after the event is step
    `event` + 1."""
    seat: str
    """Seat that acted."""
    verb: str
    """Verb of the event: `bid`, `play` …"""
    args: tuple[str, ...]
    """Arguments of the verb: cards or words; empty if the view may not know them."""
    words: str | None
    """Verb and arguments as one string."""


@dataclass(frozen=True, slots=True)
class Step(Move):
    """An event and its consequences, as a row of the outline."""

    phase: str
    """Phase of the deal to which the event belongs."""
    trick: int | None
    """Number of the trick, if the event is a play."""
    winner: str | None
    """Seat that took the trick, if this play ended it."""
    happenings: tuple[Happening, ...]
    """Consequences of the event."""
    comments: tuple[str, ...]
    """Comments on the event."""
    judged: bool = True
    """Whether the rules were applied: false for an illegal event and all events after it."""

    def as_json(self) -> dict[str, Any]:
        """Return the row as the command line and the API output it."""
        return _form(self) | {"happenings": [json_forms.happening_json(h) for h in self.happenings]}


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal next event."""

    event: tuple[str, ...]
    """The event in the JSON form: seat, verb, arguments."""
    written: str
    """The event in the text form: for a play, the card, which goes into the line of its trick; for any other
    event, a separate line."""
    words: str
    """The event in words: `A plays T20`."""


@dataclass(frozen=True, slots=True)
class DiscardWay:
    """One way to choose the cards of a discard."""

    all_of: tuple[str, ...]
    """Cards that must all be discarded."""
    rest_of: tuple[str, ...]
    """Cards from which the rest of the discard may be chosen freely."""


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """The legal next discards, described by the cards from which they may be chosen, because there may be too
    many to list."""

    number: int
    """Number of cards to discard."""
    ways: tuple[DiscardWay, ...]
    """Ways to choose the cards."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal next events."""

    turn: str
    """Seat whose turn it is."""
    moves: tuple[Choice, ...]
    """All legal next events except discards. If the seat's cards are unknown and too many items could be
    announced, combinations of items are not listed."""
    discard: DiscardChoice | None
    """The legal next discards; null if no discard is legal."""

    def as_json(self) -> dict[str, Any]:
        """Return the choices as the API outputs them."""
        return _form(self)


@dataclass(frozen=True, slots=True)
class Position:
    """The table after some of the events; null marks values that the view may not know."""

    game: str
    """Id of the game."""
    step: int
    """Number of events before this position, counting only the events that the view sees."""
    steps: int
    """Number of the last step."""
    phase: str
    """Phase of the deal."""
    seats: tuple[str, ...]
    """All seats, in the order of their letters."""
    active: tuple[str, ...]
    """Seats that take part in the deal."""
    sitting: str | None
    """Seat that sits out, if there is one."""
    direction: Direction
    """Direction of play."""
    players: dict[str, str]
    """Seat → name of the player."""
    dealer: str
    """Seat of the dealer."""
    forehand: str
    """Seat of forehand, who begins."""
    turn: str | None
    """Seat whose turn it is; null if it is nobody's turn, or if the view may not know it."""
    view: str | None
    """Seat from whose view the table is shown; null if all hands are open."""
    hands: dict[str, Hand]
    """Seat → hand."""
    piles: dict[str, Pile]
    """Name of the pile → its cards."""
    talon: Heap
    """The talon."""
    discards: dict[str, Hand]
    """Seat → discards."""
    trick: Trick | None
    """The trick on the table; null if no trick is being played."""
    tricks: tuple[TakenTrick, ...]
    """Tricks taken so far, in order."""
    won: dict[str, int]
    """Seat → number of tricks taken."""
    points: dict[str, int]
    """Seat → card points."""
    side_points: dict[str, int] | None
    """Side or seat → card points, including discards; null in a seat's view, or if cards are unknown."""
    declarer: str | None
    """Seat of the declarer; null until there is one."""
    partner: str | None
    """Seat of the partner, if the view may know it."""
    sides: dict[str, str]
    """Seat → side."""
    contract: str | None
    """Contract, named like `contract_played` in the facts of the deal; null until the contract is settled,
    and always null in Grosstarock."""
    called: str | None
    """Called card."""
    doubles: dict[str, int]
    """Doubled item → factor."""
    announced: tuple[Announcement, ...]
    """Announcements in force."""
    said: tuple[Statement, ...]
    """All statements so far, in order."""
    last: Move | None
    """Event that led to this position."""
    legal: tuple[str, ...] | None
    """Legal choices of the seat on turn; null if the view may not know them."""
    comments: tuple[str, ...]
    """Comments at this step: with all hands open, the comments on the last event; at the last step also the
    comments on the deal."""
    over: bool
    """Whether the deal is over."""
    happenings: tuple[Happening, ...]
    """Consequences of the last event."""
    error: Finding | None
    """Why the deal is illegal or incomplete, from the last step that the rules allow on; otherwise null."""
    level: int | None = None
    """Level of a troika (Taroky only)."""
    judged: bool = True
    """Whether the rules were applied: false after an illegal event. From then on, cards move as recorded, but
    nothing is counted."""

    def as_json(self) -> dict[str, Any]:
        """Return the position as the command line and the API output it."""
        error = self.error
        return _form(self) | {
            "happenings": [json_forms.happening_json(h) for h in self.happenings],
            "error": None if error is None else json_forms.finding_json(error, self.game),
        }


def _form(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass of this module by name, as JSON-serializable values."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return _form(value) if is_dataclass(value) else value
