"""The bidding of Taroky, and the bidder's next choice: a called card, a level, or Varšava."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tarock.core.cards import BIT, PAGAT_BIT
from tarock.core.findings import Illegal
from tarock.core.record import Event
from tarock.games.taroky import announcing, exchange
from tarock.games.taroky.state import TarokyTable

_BIDS = {"first": 1, "second": 2, "troika": 3, "solo": 4}
_CALLABLE = ("T19", "T18", "T17", "T16")


def bid(table: TarokyTable, event: Event) -> None:
    """Handle `bid X` or `pass` (`taroky.bid`). Every player speaks exactly once."""
    seat, verb = event[0], event[1]
    standing = table.contract
    if verb == "bid":
        (name,) = table.arguments(event, 1, 1)
        if name not in _BIDS:
            raise Illegal("common.item", "no-bid", item=name)
        if standing is not None and _BIDS[name] <= _BIDS[standing]:
            raise Illegal("taroky.bid", "too-low", item=name, standing=standing)
        if name == "second" and seat == table.forehand and not table.rules.second_forehand:
            raise Illegal("taroky.forehand-must-bid", "second")
        if name == "second" and not table.may_hold(seat, PAGAT_BIT):
            raise Illegal("taroky.bid-second", "without-pagat")
        table.contract, table.declarer = name, seat
    else:
        table.arguments(event, 0, 0)
        if seat == table.forehand:
            raise Illegal("taroky.forehand-must-bid", "pass")
    if table.step < 3:
        table.turn = table.next[seat]
    elif table.contract == "solo":
        announcing.begin(table)
    else:
        table.enter("level" if table.contract == "troika" else "calling", table.declarer)


def bids(table: TarokyTable, seat: str) -> Iterator[Event]:
    """Yield the bids open to a seat, including `pass` if it is allowed."""
    standing = table.contract
    for name, rank in _BIDS.items():
        if standing is not None and rank <= _BIDS[standing]:
            continue
        barred = seat == table.forehand and not table.rules.second_forehand
        if name == "second" and (barred or not table.may_hold(seat, PAGAT_BIT)):
            continue
        yield (seat, "bid", name)
    if seat != table.forehand:
        yield (seat, "pass")


def may_varsava(table: TarokyTable) -> bool:
    """Return whether the bidder may choose Varšava (`taroky.varsava`), which requires that all others passed.
    That is so if the contract is `first`, the lowest bid. Some tables have no Varšava."""
    return table.contract == "first" and bool(table.rules.varsava)


def varsava(table: TarokyTable, event: Event) -> None:
    """Handle `varsava` (`taroky.varsava`)."""
    table.arguments(event, 0, 0)
    if not table.rules.varsava:
        raise table.not_here("taroky.varsava")
    if not may_varsava(table):
        raise Illegal("taroky.varsava", "not-open", contract=table.contract)
    table.varsava = True
    table.declarer = None  # everyone plays alone
    table.enter("play", table.forehand)


def callable_cards(hand: int, possible: int) -> list[str]:
    """Return the cards that the bidder may call (`taroky.call`): T19 and, if the bidder holds T19, the
    highest of T18, T17 and T16 that the bidder does not hold. `hand`: cards that the bidder certainly holds;
    `possible`: cards that the bidder holds or may hold."""
    found = ["T19"]
    for higher, code in pairwise(_CALLABLE):
        if not possible & BIT[higher]:
            break
        if not hand & BIT[code]:
            found.append(code)
    return found


def call(table: TarokyTable, event: Event) -> None:
    """Handle `call CARD` (`taroky.call`)."""
    (code,) = table.arguments(event, 1, 1)
    if code not in BIT:
        raise Illegal("common.item", "no-card", item=code)
    hand, possible = table.hands[table.bidder], table.may_hold(table.bidder, -1)
    if code not in callable_cards(hand, possible):
        raise Illegal("taroky.call", "other", card=code)
    if code not in callable_cards(possible, hand):
        table.doubts.add(table.bidder)
    table.called = code
    exchange.take(table, 4)


def calls(table: TarokyTable, seat: str) -> Iterator[Event]:
    """Yield the events open to the bidder of a First or Second Duty before the exchange."""
    for code in callable_cards(table.hands[seat], table.may_hold(seat, -1)):
        yield (seat, "call", code)
    if may_varsava(table):
        yield (seat, "varsava")


def level(table: TarokyTable, event: Event) -> None:
    """Handle `level N` in a Troika (`taroky.troika-level`)."""
    (word,) = table.arguments(event, 1, 1)
    if word not in ("1", "2", "3"):
        raise Illegal("taroky.troika-level", "no-level", item=word)
    table.level = int(word)
    if word == "2":
        table.talon = table.talon[3:] + table.talon[:3]
    exchange.take(table, 3)
