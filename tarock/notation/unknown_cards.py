"""Cards of a deal that nobody wrote down, as far as they follow from the rest of the record.

Only what is certain is filled in. A card that a seat played or laid away was in its hand, unless it may have
come from somewhere else: from a pile, or from a talon of which cards are unknown, to a seat that discarded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tarock.cards import CARDS, UNKNOWN, pack_cards
from tarock.game import GameInfo, Seating
from tarock.record import Event, own_cards

Deal = dict[str, tuple[str, ...]]


def follow(deal: Deal, events: Sequence[Event], info: GameInfo, seating: Seating) -> Deal:
    """The deal with the cards that follow from its events and from the other cards. Cards that are known of a
    hand stand before the unknown ones; in a place whose order counts, an unknown card keeps its own."""
    sizes = dict(info.places(len(seating.seats), seating.dealer))
    found = {place: list(cards) for place, cards in deal.items()}
    own = own_cards(events)
    drew = {event[0] for event in events if event[1] == "discard"}
    for seat in seating.active:
        if any(UNKNOWN in found[f"{seat}/{number}"] for number in range(1, info.piles + 1)):
            continue
        hand, talon = found[seat], found.get("talon", [])
        beyond = _lacking(own.get(seat, ()), found)
        if seat not in drew or UNKNOWN not in talon:
            _put(hand, beyond)
        elif UNKNOWN not in hand and not info.ordered_talon:
            _put(talon, beyond)
    left = _lacking(pack_cards(info.pack), found)
    open_places = [place for place in sizes if UNKNOWN in found[place]]
    if len(open_places) == 1 and not info.stock.get(len(seating.seats)):
        (place,) = open_places
        slots = found[place].count(UNKNOWN)
        ordered = "/" in place or (place == "talon" and info.ordered_talon)
        if slots == len(left) and (slots == 1 or not ordered):
            _put(found[place], left)
    order = pack_cards(info.pack)
    return {
        place: tuple(sorted(cards, key=lambda card: order.get(card, len(CARDS))))
        if place in seating.seats or (place == "talon" and not info.ordered_talon)
        else tuple(cards)
        for place, cards in found.items()
    }


def _lacking(cards: Sequence[str] | Mapping[str, int], deal: Mapping[str, Sequence[str]]) -> list[str]:
    """Those cards that are in no place of the deal."""
    known = {card for place in deal.values() for card in place}
    return [card for card in dict.fromkeys(cards) if card not in known]


def _put(place: list[str], cards: Sequence[str]) -> None:
    """Put cards where unknown ones are, if there is room for all."""
    if len(cards) <= place.count(UNKNOWN):
        for card in cards:
            place[place.index(UNKNOWN)] = card
