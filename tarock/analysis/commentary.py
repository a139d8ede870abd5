"""Commentary on events, as data for pages: why a card could be played, under which clause, and how many
points an event finally won or lost.

>>> from tarock.analysis.simulate import simulate
>>> reasons(next(simulate("taroky", deals=1, seed=1)))[0] is None
True
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tarock.core.cards import FOOL_BIT, indices
from tarock.core.findings import Illegal
from tarock.core.record import Event, Record
from tarock.core.scoring import ScoreLine
from tarock.core.table import Table
from tarock.core.tricks import SUIT_LETTER
from tarock.games import GAMES, start


class Deed(NamedTuple):
    """An event, and the points that its seat finally won or lost by it."""

    event: Event  # of several announcements, only the most valuable ones
    points: int  # points that the seat won by the event; negative if it lost points


def _stakes(record: Record, event: Event) -> dict[str, tuple[str, ...]]:
    """Map each argument of an event to the clauses that score the stake announced or raised, if any."""
    stakes = GAMES[record.game].table.STAKES if event[1] == "announce" else {}
    return {word: stakes.get(word.rpartition(":")[2], ()) for word in event[2:]}


def deed(record: Record, lines: Iterable[ScoreLine], number: int) -> Deed | None:
    """Return the points that event `number` won or lost for its seat: from the score lines that the event
    earned and, for an announcement or a raise, from those that score its stake. If the event announces
    several items, count only the most valuable. None for 0 points."""
    event = record.events[number]
    seat, verb, *words = event
    stakes, worth = _stakes(record, event), dict[tuple[str, ...], int]()
    for line in lines:
        raised = [word for word in words if line.clause in stakes[word]]
        if raised or number in line.events:
            behind = raised or [word for word in words if not stakes[word]] or words
            worth[tuple(behind)] = worth.get(tuple(behind), 0) + line.points.get(seat, 0)
    most = max(worth, key=lambda behind: abs(worth[behind]), default=())
    return Deed((seat, verb, *most), worth[most]) if worth.get(most) else None


def decided_by(record: Record, line: ScoreLine) -> int | None:
    """Return the number of the event that determines the value of a score line: the last announcement or
    raise of the line's stake, or else the last event that earned the line; None if there is none."""
    raised = [
        number
        for number, event in enumerate(record.events)
        if any(line.clause in clauses for clauses in _stakes(record, event).values())
    ]
    return max(raised or line.events, default=None)


def reasons(record: Record, view: str | None = None) -> list[dict[str, Any] | None]:
    """Return, for each event before the first illegal event, the reason why its card could be played. The
    reason is None for an event that is not a play.

    A reason is `{"kind", "suit", "clause", "reason", "choices", "legal"}`. `kind`: `lead` (any card may be
    led), `follow` (the hand has the suit led), `tarock` (the hand lacks the suit led, so a tarock must be
    played), `free` (the hand has neither), `special` (a clause of the game narrows or widens the choice),
    `open` (the led card sets no suit to follow), or `fool` (another seat's Sküs or Bättler, which tells a
    view nothing about that seat's hand). `clause`: the clause behind the reason; `reason`: for `special` and
    `open`, the key of the clause's sentence in `plays`. `suit`: letter of the suit led, None if there is
    none. `choices`: number of playable cards; `legal`: the playable cards. If a seat other than `view` played
    the card, `choices` and `legal` are None, because they would reveal hidden cards.
    """
    table = start(record)
    found: list[dict[str, Any] | None] = []
    for event in record.events:
        reason = _reason(table, event[0]) if event[1] == "play" and table.turn == event[0] else None
        try:
            table.apply(event)
        except Illegal:
            break
        found.append(_seen(reason, event, view))
    return found


def reason(record: Record, number: int, view: str | None = None) -> dict[str, Any] | None:
    """Return the reason why the card of event `number` could be played, as in `reasons`. None if the event is
    not a play, does not exist, or comes after an illegal event."""
    found = reasons(record, view)
    return found[number] if 0 <= number < len(found) else None


def _seen(reason: dict[str, Any] | None, event: Event, view: str | None) -> dict[str, Any] | None:
    """Limit a reason to what a view may know: of another seat's play, only what the card itself reveals."""
    if reason is None or view in (None, event[0]):
        return reason
    suit, code = reason["suit"], event[2].partition("(")[0]
    game = str(reason["clause"]).partition(".")[0]
    hidden = {"choices": None, "legal": None}
    if reason["kind"] == "open":
        return reason | hidden
    if not suit:
        kind = "lead"
    elif code == "T0" and GAMES[game].table.SPECIAL & FOOL_BIT:
        # In a game with its own rules for the Fool, playing it reveals nothing about the rest of the hand.
        kind = "fool"
    else:
        kind = "follow" if code[0] == suit else "tarock" if code[0] == "T" else "free"
    clause = f"{game}.{'follow' if suit else 'lead'}"
    return reason | hidden | {"kind": kind, "clause": clause, "reason": None}


def _reason(table: Table, seat: str) -> dict[str, Any]:
    hand, led, playable = table.hands[seat], table.led, table.playable(seat)
    game = table.info.id
    clause, sentence = f"{game}.{'follow' if led else 'lead'}", None
    if table.trick and not led:
        kind, (clause, sentence) = "open", table.opened()
    elif playable != Table.playable(table, seat):
        kind, (clause, sentence) = "special", table.special(seat)
    elif not led:
        kind = "lead"
    elif hand & led:
        kind = "follow"
    elif hand & table.TRUMPS:
        kind = "tarock"
    else:
        kind = "free"
    suit = SUIT_LETTER.get(led)
    tokens = [token for card in indices(playable) for token in table.tokens(card)]
    return {
        "kind": kind,
        "suit": suit,
        "clause": clause,
        "reason": sentence,
        "choices": len(tokens),
        "legal": tokens,
    }
