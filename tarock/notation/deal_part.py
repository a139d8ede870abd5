"""Reading the cards of a deal: their places, spelling and number."""

from __future__ import annotations

from typing import Any

from tarock.core.cards import CARDS, UNKNOWN, pack_cards, parse_card
from tarock.core.game import SEATS, GameInfo
from tarock.notation.faults import Faults, Malformed, escape, quoted, unlisted
from tarock.notation.values import read_list, read_object, read_string

#: Index of an unknown card, after the indexes of all cards.
_UNKNOWN = len(CARDS)
_CODES = (*CARDS, UNKNOWN)


def any_dealer(info: GameInfo, number: int) -> str | None:
    """Return a seat to use if the dealer is unreadable; None if places and turns depend on the dealer."""
    return SEATS[0] if info.sits_out.get(number) is None else None


def read_deal(
    value: object, info: GameInfo, number: int, dealer: str, faults: Faults
) -> dict[str, tuple[str, ...]]:
    """Return each place's cards in canonical form, sorted unless the order matters, and note any faults."""
    given = read_object(value, "/deal")
    clause = info.deal_clause(number)
    places = info.places(number, dealer)
    sizes = dict(places)
    if stock := info.stock.get(number):
        # The stock follows from the other places and is not stored. If a record includes it, it must be
        # complete.
        sizes["stock"] = stock
    cards = pack_cards(info.pack)
    dealt: dict[str, list[int]] = {}
    everything: set[int] = set()
    #: Places with an invalid card or a card dealt twice. The number of cards there is not checked.
    spoilt: set[str] = set()
    for key, codes in given.items():
        if key not in sizes:
            allowed = [place for place, _ in places]
            faults.note(unlisted("unknown-place", f"/deal/{escape(key)}", key, allowed, clause))
            continue
        try:
            hand = list(map(cards.__getitem__, codes))
        except (KeyError, TypeError):
            hand, sound = _hand(codes, info, clause, f"/deal/{escape(key)}", faults)
            if not sound:
                spoilt.add(key)
        before = len(everything)
        everything.update(hand)
        # If the hand adds fewer cards, some of its cards are unknown or were dealt twice.
        if len(everything) - before != len(hand):
            spoilt |= _note_dealt_twice(dealt, key, hand, clause, faults)
        dealt[key] = hand
    result = {}
    for where, size in sizes.items():
        if where not in dealt:
            if where != "stock":
                result[where] = (UNKNOWN,) * size
            continue
        hand = dealt[where]
        if len(hand) != size and where not in spoilt:
            pointer, found = f"/deal/{escape(where)}", len(hand)
            values: dict[str, Any] = {"clause": clause, "found": found, "place": where, "expected": size}
            absent = _absent(dealt, sizes, everything, info) if not spoilt else []
            if size - len(hand) == len(absent):
                faults.note(Malformed("cards-missing", pointer, **values, cards=absent))
            else:
                faults.note(Malformed("wrong-size", pointer, **values))
        if where == "stock":
            continue
        if not info.is_ordered(where):
            hand.sort()
        result[where] = tuple([_CODES[card] for card in hand])
    return result


def _absent(
    dealt: dict[str, list[int]], sizes: dict[str, int], everything: set[int], info: GameInfo
) -> list[str]:
    """Return the missing cards of the pack if they must all belong to one place, because no card is unknown
    and only that place has the wrong number of cards."""
    wrong = [where for where, size in sizes.items() if len(dealt.get(where, ())) != size]
    if len(wrong) != 1 or any(_UNKNOWN in hand for hand in dealt.values()):
        return []
    return [CARDS[card] for card in sorted(set(pack_cards(info.pack).values()) - everything)]


def _hand(codes: object, info: GameInfo, clause: str, pointer: str, faults: Faults) -> tuple[list[int], bool]:
    """Return the valid cards of a place, in any spelling, and whether all its words are valid cards."""
    words = faults.attempt(read_list, codes, pointer)
    if words is None:
        return [], False
    cards = [
        faults.attempt(_dealt_card, code, info, clause, f"{pointer}/{i}") for i, code in enumerate(words)
    ]
    return [card for card in cards if card is not None], None not in cards


def _note_dealt_twice(
    dealt: dict[str, list[int]], place: str, hand: list[int], clause: str, faults: Faults
) -> set[str]:
    """Add a fault for each card of `hand` that was already dealt. Return all places of these cards."""
    places = set()
    owner = {card: where for where, cards in dealt.items() for card in cards}
    for i, card in enumerate(hand):
        if card == _UNKNOWN:
            continue
        if card in owner:
            places |= {place, owner[card]}
            pointer = f"/deal/{escape(place)}/{i}"
            faults.note(Malformed("dealt-twice", pointer, clause=clause, card=CARDS[card], place=owner[card]))
        else:
            owner[card] = place
    return places


def _dealt_card(code: object, info: GameInfo, clause: str, pointer: str) -> int:
    if code == UNKNOWN:
        return _UNKNOWN
    card = parse_card(read_string(code, pointer))
    if card is None or CARDS[card] not in pack_cards(info.pack):
        found = quoted(code)
        raise Malformed("not-in-pack", pointer, clause=clause, found=found, pack=info.pack, game=info.id)
    return card
