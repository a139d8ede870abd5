"""The values of a replay: the table after some events of a deal, and a row for each event.

A value hidden from a view is None, or an empty tuple; `analysis.replay` makes the positions. The names of the
fields are the keys of the JSON form, and their docstrings are the descriptions in the API schema.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from tarock.core.findings import Finding
from tarock.core.game import Direction
from tarock.core.scoring import Happening
from tarock.words import sentences


@dataclass(frozen=True, slots=True)
class Heap:
    """Some cards; hidden ones are counted, not named."""

    count: int
    """How many there are."""
    cards: tuple[str, ...] | None
    """The cards; null if the view may not know them, and `?` for each unknown card."""


@dataclass(frozen=True, slots=True)
class Hand(Heap):
    """A hand, or what a seat laid away."""

    shown: tuple[str, ...]
    """The cards of it that all have seen."""


@dataclass(frozen=True, slots=True)
class Pile(Heap):
    """A pile, its cards from the top down."""

    top: str | None
    """The top card if it is face up."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card on the table."""

    seat: str
    """The seat that played it."""
    card: str
    """The card."""
    says: str | None
    """The words said with the card: a suit, a double …"""


@dataclass(frozen=True, slots=True)
class Trick:
    """The trick on the table."""

    number: int
    """From 1."""
    leader: str
    """Who led."""
    plays: tuple[Play, ...]
    """The cards on the table, in order."""
    winning: str | None
    """Null before the first card, and while the trick contains only a led Fool."""


@dataclass(frozen=True, slots=True)
class TakenTrick:
    """A trick that was taken."""

    number: int
    """From 1."""
    leader: str
    """Who led."""
    plays: tuple[Play, ...]
    """Its cards, in order."""
    winner: str
    """The seat that took it."""
    value: int
    """The values of all cards played to it added up, blanks as 1; a Sküs or Bättler too that its player
    keeps, and not the card handed over for it. The winner's card points are in `points`."""
    event: int
    """The event that began it."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement in force."""

    event: int
    """The event that made it."""
    seat: str
    """The seat that made it."""
    item: str
    """The announced item."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement or a discard, with its known words."""

    event: int
    """The event."""
    seat: str
    """The seat that said it."""
    words: str | None
    """The words; null if the view may not know them."""


@dataclass(frozen=True, slots=True)
class Move:
    """One event, limited to the knowledge of the view: another seat's discard has no cards."""

    event: int
    """Number of the event among those that the view sees, from 0. The position after it is step event + 1."""
    seat: str
    """The seat that did it."""
    verb: str
    """The action: `bid`, `play` …"""
    args: tuple[str, ...]
    """Cards or words of the verb; empty if the view may not know them."""
    words: str | None
    """Verb and arguments."""


@dataclass(frozen=True, slots=True)
class Step(Move):
    """A row of the outline: one event and its consequences."""

    phase: str
    """The phase of the deal that it belongs to."""
    trick: int | None
    """Number of the trick, for a play."""
    winner: str | None
    """The seat that took the trick, if this play ended it."""
    happenings: tuple[Happening, ...]
    """The consequences of the event."""
    comments: tuple[str, ...]
    """The comments behind it."""
    judged: bool = True
    """False from an illegal event on."""

    def as_json(self) -> dict[str, Any]:
        """The row as the command line and the API give it."""
        return _form(self) | {"happenings": [sentences.happening_json(h) for h in self.happenings]}


@dataclass(frozen=True, slots=True)
class Choice:
    """One event that may come next."""

    event: tuple[str, ...]
    """As the JSON form has it: seat, verb, arguments."""
    written: str
    """The event in the text form: a card in the line of its trick, anything else on a separate line."""
    words: str
    """In words: `A plays T20`."""


@dataclass(frozen=True, slots=True)
class DiscardWay:
    """One way to discard."""

    all_of: tuple[str, ...]
    """These cards, all of them;"""
    rest_of: tuple[str, ...]
    """and the others from these, whichever."""


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A discard that may come next; the cards to choose from may be too many for a list of all choices."""

    number: int
    """How many cards are discarded."""
    ways: tuple[DiscardWay, ...]
    """The ways to choose them."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The legal next events."""

    turn: str
    """The seat whose turn it is."""
    moves: tuple[Choice, ...]
    """All legal next events except discards. If the seat's cards are unknown and very many items can be
    announced, the list has each item only separately."""
    discard: DiscardChoice | None
    """The discard that may come next, if one may."""

    def as_json(self) -> dict[str, Any]:
        """The choices as the API gives them."""
        return _form(self)


@dataclass(frozen=True, slots=True)
class Position:
    """The table after a number of events; null marks values that the view may not know."""

    game: str
    """The game."""
    step: int
    """How many of the events that the view sees came before it."""
    steps: int
    """The last step."""
    phase: str
    """The phase of the deal."""
    seats: tuple[str, ...]
    """All seats, in the order of the letters."""
    active: tuple[str, ...]
    """The seats that take part."""
    sitting: str | None
    """The seat that sits out."""
    direction: Direction
    """In which direction one plays."""
    players: dict[str, str]
    """Seat → name."""
    dealer: str
    """The seat of the dealer."""
    forehand: str
    """The seat that begins."""
    turn: str | None
    """The seat whose turn it is; null if it is nobody's turn."""
    view: str | None
    """From whose eyes; null where all hands are open."""
    hands: dict[str, Hand]
    """Seat → hand."""
    piles: dict[str, Pile]
    """Name of a pile → its cards."""
    talon: Heap
    """The talon."""
    discards: dict[str, Hand]
    """Seat → its discards."""
    trick: Trick | None
    """The trick on the table; null where none is played."""
    tricks: tuple[TakenTrick, ...]
    """The tricks taken, in order."""
    won: dict[str, int]
    """Seat → tricks taken."""
    points: dict[str, int]
    """Seat → card points."""
    side_points: dict[str, int] | None
    """Side, or seat, → card points."""
    declarer: str | None
    """The seat of the declarer, as soon as there is one."""
    partner: str | None
    """The seat of the partner, if the view may know it."""
    sides: dict[str, str]
    """Seat → side."""
    contract: str | None
    """Null until it is settled, and in Grosstarock. In the words of the deal's facts, only that Varšava,
    there a first duty with `varsava`, is `varsava` here."""
    called: str | None
    """The card called."""
    doubles: dict[str, int]
    """Doubled item → its factor."""
    announced: tuple[Announcement, ...]
    """The announcements that stand."""
    said: tuple[Statement, ...]
    """All statements so far, in order."""
    last: Move | None
    """The event that led to this position."""
    legal: tuple[str, ...] | None
    """The legal choices of the seat on turn."""
    comments: tuple[str, ...]
    """The comments at this step: with all hands open those on the last event; at the last step those on the
    deal, too."""
    over: bool
    """Whether the deal is over."""
    happenings: tuple[Happening, ...]
    """The consequences of the last event."""
    error: Finding | None
    """The error of the deal, at the last step that the rules allow and after it."""
    level: int | None = None
    """Taroky: the level of a troika."""
    judged: bool = True
    """False from an illegal event on: the cards follow the record, and nothing is counted any more."""

    def as_json(self) -> dict[str, Any]:
        """The position as the command line and the API give it."""
        error = self.error
        return _form(self) | {
            "happenings": [sentences.happening_json(h) for h in self.happenings],
            "error": None if error is None else sentences.finding_json(error, self.game),
        }


def _form(value: Any) -> dict[str, Any]:
    """The fields of a value of this module by their names."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return _form(value) if is_dataclass(value) else value
