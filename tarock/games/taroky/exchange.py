"""The exchange of Taroky: taking cards from the talon, and discarding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tarock.core.cards import BIT, FIVES, KINGS, TAROCKS, TRULL, UNKNOWN, bits, names
from tarock.core.findings import Illegal
from tarock.core.record import Event
from tarock.core.table import Discard
from tarock.games.taroky import announcing
from tarock.games.taroky.state import TarokyTable

_PLAIN = ~(TAROCKS | KINGS)


def take(table: TarokyTable, number: int) -> None:
    """Give the bidder the top `number` talon cards, and enter the exchange phase (`taroky.exchange`)."""
    table.drawn = bits(table.talon[:number])
    table.hands[table.bidder] |= table.drawn
    del table.talon[:number]
    table.enter("exchange", table.declarer)


def taken_from_talon(events: Sequence[Event], size: int) -> dict[str, Sequence[int]]:
    """Return, for each seat, the positions of the talon cards that it took: three or four for the bidder, and
    one for each other seat that discards."""
    troika = any(event[1] == "level" for event in events)
    positions = list(range(size))
    if any(event[1:] == ("level", "2") for event in events):
        positions = positions[3:] + positions[:3]
    found: dict[str, Sequence[int]] = {}
    for seat, _, *cards in (event for event in events if event[1] == "discard"):
        number = 1 if found else 3 if troika else 4
        if len(cards) != number or seat in found or not positions or (troika and found):
            break
        found[seat], positions = positions[:number], positions[number:]
    return found


def discard_choices(table: TarokyTable, hand: int) -> tuple[int, list[Discard]]:
    """Return the number of discards and the choices (`taroky.discard`). A 5-point card may not be discarded,
    and a tarock only if there are too few other cards. `hand` must include the talon cards taken."""
    number = 1 if table.pending else 3 if table.contract == "troika" else 4
    plain = hand & _PLAIN
    if plain.bit_count() >= number:
        return number, [(0, plain)]
    return number, [(plain, hand & TAROCKS & ~TRULL)]


def why_not_discarded(mask: int, hand: int) -> tuple[str, dict[str, Any]]:
    """Return why cards of a hand may not be discarded, as the key and values of a sentence."""
    if mask & FIVES:
        return "never", {"cards": names(mask & FIVES)}
    return "plain-first", {"cards": names(mask & TAROCKS), "plain": names(hand & _PLAIN & ~mask)}


def put_away(table: TarokyTable, event: Event) -> None:
    """Handle `discard CARD…` by the bidder, or by a seat that takes a talon card (`taroky.exchange`)."""
    seat = event[0]
    mask = table.discard(event, BIT[table.pending] if table.pending else 0)
    if table.pending:
        del table.talon[0]
        table.pending = None
    if tarocks := mask & TAROCKS:
        table.face_up[seat] = tarocks
        if table.called and tarocks & BIT[table.called]:
            # The called card is always a tarock, so it is discarded face up and reveals this seat's side.
            table.laid_open = seat
    if not table.talon or table.contract == "troika":
        announcing.begin(table)
    else:
        table.pending = table.talon[0]
        table.turn = table.next[seat]


def may_refuse(table: TarokyTable) -> bool:
    """Return whether the seat on turn may refuse the talon card (`taroky.refuse`). Only one seat in a deal
    may do so, and never the bidder."""
    return table.turn != table.declarer and not table.refused and bool(table.rules.refuse)


def refuse(table: TarokyTable, event: Event) -> None:
    """Handle `refuse`: offer the talon card to the next player (`taroky.refuse`)."""
    table.arguments(event, 0, 0)
    if table.turn == table.declarer:
        raise Illegal("taroky.refuse", "bidder")
    if not table.rules.refuse:
        raise table.not_here("taroky.refuse")
    if not may_refuse(table):
        last = table.next[event[0]] == table.declarer
        raise Illegal("taroky.refuse", "last" if last else "again")
    table.refused = True
    table.turn = table.next[event[0]]


def may_surrender(table: TarokyTable) -> bool:
    """Return whether the seat on turn may surrender (`taroky.surrender`): the bidder may in a First Duty, if
    the called card is, or may be, among the four talon cards taken."""
    first = table.contract == "first" and table.turn == table.declarer and table.rules.surrender
    drawn = table.drawn | (table.unseen if UNKNOWN in table.record.deal["talon"][:4] else 0)
    return bool(first and table.called and drawn & BIT[table.called])


def surrender(table: TarokyTable, event: Event) -> None:
    """Handle `surrender` (`taroky.surrender`)."""
    table.arguments(event, 0, 0)
    if not table.rules.surrender:
        raise table.not_here("taroky.surrender")
    if not may_surrender(table):
        raise Illegal("taroky.surrender", "not-open")
    if not table.drawn & BIT[table.called or ""]:
        table.doubts.add(table.bidder)
    table.surrendered = True
    table.finish()


def instead_of_discarding(table: TarokyTable, seat: str) -> Iterator[Event]:
    """Yield the events that a seat may choose instead of a discard."""
    if may_refuse(table):
        yield (seat, "refuse")
    if may_surrender(table):
        yield (seat, "surrender")
