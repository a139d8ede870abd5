"""Inference of unknown cards from the known cards of a record.

A seat's *share* is its hand, its piles and the cards that it took from the talon: all cards that it played or
discarded. If only one place of a share has unknown cards, the share's remaining cards belong there. If only
one share has room, all cards without a share belong to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tarock.core.cards import CARDS, INDEX, UNKNOWN, pack_cards
from tarock.core.game import GameInfo, Seating
from tarock.core.record import Event, own_cards
from tarock.core.table import Table

Deal = dict[str, tuple[str, ...]]


@dataclass
class _Part:
    """Some of the cards at a place, given by their positions."""

    place: list[str]
    positions: Sequence[int]
    ordered: bool

    @property
    def known(self) -> set[str]:
        return {self.place[at] for at in self.positions} - {UNKNOWN}

    @property
    def open(self) -> list[int]:
        """Positions of unknown cards."""
        return [at for at in self.positions if self.place[at] == UNKNOWN]


@dataclass
class _Share:
    """The parts that belong to a seat, or to nobody. `cards`: cards that certainly belong to the share."""

    parts: list[_Part]
    cards: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        return sum(len(part.positions) for part in self.parts)

    def place_cards(self) -> None:
        """Fill in the unknown cards if only one part has any, unless their order matters and is unknown."""
        lacking = sorted(self.cards.difference(*(part.known for part in self.parts)), key=INDEX.__getitem__)
        parts = [part for part in self.parts if part.open]
        if len(parts) == 1 and (len(parts[0].open) == 1 or not parts[0].ordered):
            for at, card in zip(parts[0].open, lacking, strict=False):
                parts[0].place[at] = card


def has_unknown(deal: Deal, events: Sequence[Event]) -> bool:
    """Return whether a record has unknown cards in its deal or in a discard."""
    for cards in deal.values():
        if UNKNOWN in cards:
            return True
    for event in events:
        if event[1] == "play":
            break
        if event[1] == "discard" and UNKNOWN in event:
            return True
    return False


def follow(deal: Deal, events: list[Event], table: type[Table], seating: Seating) -> tuple[Deal, list[Event]]:
    """Return the deal and the events with every unknown card filled in that the known cards determine. In a
    place without an order, known cards come first; in other places, an unknown card keeps its position."""
    info = table.info
    found = {place: list(cards) for place, cards in deal.items()}
    shares = _shares(found, events, table, seating)
    own = {seat: {*cards} for seat, cards in own_cards(events, seating).items()}
    _claim(shares, found, own)
    if not info.stock.get(len(seating.seats)):
        _share_out(list(shares.values()), info)
    for share in shares.values():
        share.place_cards()
    order = pack_cards(info.pack)
    dealt = {
        place: tuple(cards)
        if info.is_ordered(place)
        else tuple(sorted(cards, key=lambda card: order.get(card, len(CARDS))))
        for place, cards in found.items()
    }
    return dealt, [_whole(event, shares, own) if UNKNOWN in event else event for event in events]


def _shares(
    deal: dict[str, list[str]], events: Sequence[Event], table: type[Table], seating: Seating
) -> dict[str, _Share]:
    """Return the share of each seat. The talon cards that nobody took are under `talon`."""
    info, talon = table.info, deal.get("talon", [])
    taken = table.taken_from_talon(events, len(talon))
    left = [at for at in range(len(talon)) if not any(at in places for places in taken.values())]
    shares = {"talon": _Share([_Part(talon, left, info.ordered_talon)])}
    for seat in seating.active:
        parts = [
            _Part(cards, range(len(cards)), info.is_ordered(place))
            for place, cards in deal.items()
            if place.partition("/")[0] == seat
        ]
        shares[seat] = _Share([*parts, _Part(talon, taken.get(seat, ()), info.ordered_talon)])
    return shares


def _claim(shares: dict[str, _Share], deal: dict[str, list[str]], own: dict[str, set[str]]) -> None:
    """Give each share its known cards and, if there is room, the cards that only events of its seat show."""
    lying = {card for cards in deal.values() for card in cards}
    for seat, share in shares.items():
        share.cards = {card for part in share.parts for card in part.known}
        others = {card for other, cards in own.items() if other != seat for card in cards}
        claimed = share.cards | own.get(seat, set()) - lying - others
        if len(claimed) <= share.size:
            share.cards = claimed


def _share_out(shares: list[_Share], info: GameInfo) -> None:
    """Give the cards that are in no share to the only share with room, if they fill it exactly."""
    left = set(pack_cards(info.pack)).difference(*(share.cards for share in shares))
    lacking = [share for share in shares if len(share.cards) < share.size]
    if len(lacking) == 1 and len(lacking[0].cards) + len(left) == lacking[0].size:
        lacking[0].cards |= left


def _whole(event: Event, shares: dict[str, _Share], own: dict[str, set[str]]) -> Event:
    """Fill in the unknown cards of a discard if they are exactly the seat's cards that no event shows."""
    seat, verb, *words = event
    share = shares.get(seat)
    if verb != "discard" or share is None or len(share.cards) < share.size:
        return event
    hidden, named = share.cards - own.get(seat, set()), [word for word in words if word != UNKNOWN]
    cards = share.cards & {*named} | hidden
    if len(hidden) + len(named) != len(words) or len(cards) != len(words):
        return event
    return (seat, verb, *sorted(cards, key=INDEX.__getitem__))
