"""What limits each play: the clause behind it, in values that pages put into words.

>>> from tarock.simulate import simulate
>>> reasons(next(simulate("taroky", deals=1, seed=1)))[0] is None
True
"""

from __future__ import annotations

from typing import Any

from tarock.cards import FOOL_BIT, SUIT_SET, TAROCKS, indices
from tarock.findings import Illegal
from tarock.games import GAMES, start
from tarock.record import Event, Record
from tarock.replay import fold
from tarock.table import Table

_LETTERS = {cards: letter for letter, cards in SUIT_SET.items()}


def reasons(record: Record, view: str | None = None) -> list[dict[str, Any] | None]:
    """For each event that can be shown, why its card could be played; None for words.

    A reason is `{"kind", "suit", "clause", "reason", "choices", "legal"}`. `kind`: `lead` (any card may be
    led), `follow` (holds the suit led), `tarock` (has none of it and must play a tarock), `free` (has
    neither), `special` (a clause of the game narrows or widens the choice), `open` (the card led leads no
    suit), or `fool` (another's Sküs or Bättler, of which a view learns nothing). `clause` is the one behind
    it and `reason`, for `special` and `open`, which of its sentences on plays says how. `suit`: letter of the
    suit led, None where none is. `choices`: how many cards were playable and `legal` which; both None in a
    seat's `view` of another's play, for they would tell of hidden cards.
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
    """Why the card of one event (its 0-based `number`) could be played, as `reasons` tells it; None for
    words, for an event that does not exist, and for one that cannot be shown."""
    if not 0 <= number < len(record.events) or record.events[number][1] != "play":
        return None
    table, illegal = fold(record, number)
    event = record.events[number]
    if illegal is not None or table.turn != event[0]:
        return None
    found = _reason(table, event[0])
    try:
        table.apply(event)
    except Illegal:
        return None
    return _seen(found, event, view)


def _seen(reason: dict[str, Any] | None, event: Event, view: str | None) -> dict[str, Any] | None:
    """A reason as a view may know it: of another's play only what the card itself shows; how a seat was bound
    otherwise is its own affair."""
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
        # Where the Fool goes by clauses of its own, it tells nothing of the rest of the hand.
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
    suit = _LETTERS.get(led | (led & TAROCKS and TAROCKS)) if led else None
    tokens = [token for card in indices(playable) for token in table.tokens(card)]
    return {
        "kind": kind,
        "suit": suit,
        "clause": clause,
        "reason": sentence,
        "choices": len(tokens),
        "legal": tokens,
    }
