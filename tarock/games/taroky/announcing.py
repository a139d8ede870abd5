"""The announcements of Taroky: hand declarations, the pagat, the valat, and doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from tarock.core.cards import BIT, FIVES, KINGS, PAGAT_BIT, TAROCKS, TRULL, names
from tarock.core.findings import Illegal
from tarock.core.record import Event
from tarock.games.taroky.options import TarokyOptions
from tarock.games.taroky.state import RAISE_BIT, RAISES, TarokyTable


class HandItem(NamedTuple):
    """A hand declaration."""

    big: bool  # whether it is worth `hand-big` instead of `hand-small`
    holds: Callable[[int], bool]  # whether a hand of 12 cards allows the declaration
    about: int  # cards that the declaration is about


#: Item → hand declaration, in the order in which the rules list them (`taroky.hand-…`).
HAND_ITEMS = {
    "taroky": HandItem(True, lambda h: (h & TAROCKS).bit_count() >= 10, TAROCKS),
    "tarocky": HandItem(False, lambda h: 8 <= (h & TAROCKS).bit_count() <= 9, TAROCKS),
    "barvy": HandItem(True, lambda h: h & TAROCKS in (0, PAGAT_BIT), TAROCKS),
    "barvicky": HandItem(
        False,
        lambda h: (h & TAROCKS).bit_count() == 2 or ((h & TAROCKS).bit_count() == 1 and not h & PAGAT_BIT),
        TAROCKS,
    ),
    "trul": HandItem(False, lambda h: h & TRULL == TRULL, TRULL),
    "honery": HandItem(False, lambda h: (h & FIVES).bit_count() >= 4, FIVES),
    "kralovske-honery": HandItem(True, lambda h: h & KINGS == KINGS, KINGS),
    "trulhonery": HandItem(True, lambda h: h & TRULL == TRULL and bool(h & KINGS), FIVES),
}
#: The option `barvy-pagat=no`: the Pagat counts like any other tarock.
_WITHOUT_PAGAT = {
    "barvy": HandItem(True, lambda h: not h & TAROCKS, TAROCKS),
    "barvicky": HandItem(False, lambda h: 1 <= (h & TAROCKS).bit_count() <= 2, TAROCKS),
}
#: Values of the options `barvy-pagat` and `trulhonery` → the hand declarations of the table.
_ITEMS = {
    (pagat, trulhonery): {
        item: row
        for item, row in (HAND_ITEMS if pagat else HAND_ITEMS | _WITHOUT_PAGAT).items()
        if trulhonery or item != "trulhonery"
    }
    for pagat in (True, False)
    for trulhonery in (True, False)
}
#: Hand declaration → declarations that the same player may not make as well.
NOT_WITH = {"kralovske-honery": {"honery"}, "trulhonery": {"trul", "honery", "kralovske-honery"}}
_FACTOR_WORD = {1: "flek", 2: "re", 4: "sub", 8: "resub"}
_STAKE_BITS = {
    stake: sum(bit for item, bit in RAISE_BIT.items() if item.endswith(":" + stake))
    for stake in ("game", "pagat", "valat")
}


def hand_items(options: TarokyOptions) -> dict[str, HandItem]:
    """Return the hand declarations of a table with these options."""
    return _ITEMS[options.barvy_pagat, options.trulhonery]


def worth(item: str, options: TarokyOptions) -> int:
    """Return the price of a hand declaration, before the stake."""
    return options.hand_big if HAND_ITEMS[item].big else options.hand_small


def clashing(items: Iterable[str]) -> str:
    """Return the clause by which one of these items excludes another; empty if they go together."""
    chosen = set(items)
    found = (item for item in NOT_WITH if item in chosen and NOT_WITH[item] & chosen)
    return next((f"taroky.hand-{item}" for item in found), "")


def dearest(hand: int, options: TarokyOptions) -> tuple[int, tuple[str, ...]]:
    """Return the price of the dearest set of declarations that a hand allows, and one set that is worth it
    (`taroky.declare-all`)."""
    items = [item for item, (_, holds, _) in hand_items(options).items() if holds(hand)]
    sets = [chosen for n in range(len(items) + 1) for chosen in combinations(items, n)]
    rows = [(sum(worth(item, options) for item in chosen), chosen) for chosen in sets if not clashing(chosen)]
    return max(rows, key=lambda row: row[0])


def is_enough(table: TarokyTable, items: Iterable[str]) -> bool:
    """Return whether a seat declares enough in its turn: all that it can if the table has agreed so
    (`taroky.declare-all`). Without knowledge of all its cards, nobody can tell."""
    seat = table.turn or ""
    if not table.rules.declare_all or table.turns_taken >= table.size or seat in table.unknown:
        return True
    said = sum(worth(item, table.rules) for item in items if item in HAND_ITEMS)
    return said >= dearest(table.hands[seat], table.rules)[0]


def is_named(table: TarokyTable, item: str) -> bool:
    """Return whether a table has an item at all."""
    if item in HAND_ITEMS:
        return item in hand_items(table.rules)
    return item in table.info.items and not (item.startswith("resub:") and table.rules.doubles < 4)


def begin(table: TarokyTable) -> None:
    """Begin the announcements: determine the sides (`taroky.partner`), and let the bidder announce first."""
    bidder = table.bidder
    partners = _partners(table)
    table.hands_announced = dict(table.hands)
    table.open = dict.fromkeys(("bidder", "opponents"), _following(table, "game"))
    table.offered = dict.fromkeys(table.active, 0)
    if table.contract == "second":
        # The bid itself announces the pagat (taroky.announce-pagat).
        table.pagat_by = bidder
        table.open["opponents"] |= _following(table, "pagat")
    table.enter("announcing", bidder)
    table.split(partners, _set_partner)


def _partners(table: TarokyTable) -> list[str | None]:
    """Return every seat that may be the partner: only one seat unless cards are unknown. None in the list
    means that the bidder plays alone."""
    if not table.called:
        return [None]
    bit = BIT[table.called]
    for holder, hand in table.hands.items():
        if (hand | table.discards.get(holder, 0)) & bit:
            return [holder if holder != table.bidder else None]
    found = [seat for seat in table.active if table.may_have_had(seat, bit)]
    return [seat if seat != table.bidder else None for seat in found] or [None]


def _set_partner(table: TarokyTable, partner: str | None) -> None:
    own, table.partner = (table.bidder, partner), partner
    table.sides = {seat: "bidder" if seat in own else "opponents" for seat in table.active}


def announce(table: TarokyTable, event: Event) -> None:
    """Handle `announce ITEM…` or `pass` (`taroky.announce-order`, `taroky.double-order`)."""
    seat = event[0]
    side = table.sides[seat]
    raises = table.open[side]
    if event[1] == "announce":
        items = table.items(event, lambda item: "" if is_named(table, item) else "no-item")
        _check(table, seat, items, raises)
        _check_enough(table, items)
        for item in items:
            _do(table, seat, side, item)
    else:
        table.arguments(event, 0, 0)
        _check_enough(table, ())
    table.offered[seat] |= raises
    table.turns_taken += 1
    # After its first turn, a seat gets another turn only if it can make a raise that it hasn't declined.
    first, others = table.turns_taken < table.size, table.turns[table.next[seat]]
    open_to = (other for other in others if first or table.open[table.sides[other]] & ~table.offered[other])
    table.turn = next(open_to, None)
    if table.turn is None:
        over(table)


def _check(table: TarokyTable, seat: str, items: tuple[str, ...], raises: int) -> None:
    first_turn = table.turns_taken < table.size
    for item in items:
        bit = RAISE_BIT.get(item, 0)
        if bit:
            if not bit & raises:
                reason, values = _why_not_open(table, table.sides[seat], item)
                raise Illegal("taroky.double", reason, item=item, **values)
            if bit & table.offered[seat]:
                raise Illegal("taroky.double-order", "passed-up", item=item)
        elif not first_turn:
            raise Illegal("taroky.announce-order", "only-raises", item=item)
        elif item == "pagat":
            if table.contract == "second":
                raise Illegal("taroky.announce-pagat", "second")
            if not table.may_hold(seat, PAGAT_BIT):
                raise Illegal("taroky.announce-pagat", "not-held")
        elif item == "valat":
            if table.valat_by:
                raise Illegal("taroky.announce-valat", "again", before=table.valat_by)
        elif seat in table.unknown:
            table.doubts.add(seat)
        else:
            _check_hand(item, table.hands[seat], items, table.rules)


def _check_enough(table: TarokyTable, items: tuple[str, ...]) -> None:
    seat = table.turn or ""
    if not is_enough(table, items):
        most, dear = dearest(table.hands[seat], table.rules)
        said = sum(worth(item, table.rules) for item in items if item in HAND_ITEMS)
        values = {"items": list(dear), "most": most, "found": said}
        raise table.not_here("taroky.declare-all", "less", **values)
    elif table.rules.declare_all and table.turns_taken < table.size and seat in table.unknown:
        table.doubts.add(seat)


def _check_hand(item: str, hand: int, items: tuple[str, ...], options: TarokyOptions) -> None:
    _, holds, about = hand_items(options)[item]
    if not holds(hand):
        values: dict[str, Any] = {"number": (hand & about).bit_count(), "held": names(hand & about)}
        raise Illegal(f"taroky.hand-{item}", "not-held", item=item, **values)
    if clash := clashing(items):
        raise Illegal(clash, "not-both")


def _why_not_open(table: TarokyTable, side: str, item: str) -> tuple[str, dict[str, Any]]:
    """Return why a raise is not open to a side, as the key and values of a sentence of `taroky.double`."""
    word, _, stake = item.partition(":")
    announcer = {"pagat": table.pagat_by, "valat": table.valat_by}.get(stake, table.declarer)
    if announcer is None:
        return "not-announced", {"stake": stake}
    factor = table.factors[stake]
    if RAISES[word] > 1 << table.rules.doubles or (stake == "valat" and not table.rules.valat_doubles):
        return "not-here", {"stake": stake, "rules": table.record.tags.get("Rules", "")}
    if RAISES[word] <= factor:
        return "already", {"stake": stake}
    if RAISES[word] > 2 * factor:
        return "too-early", {"needed": _FACTOR_WORD[RAISES[word] // 4] + ":" + stake}
    return "own-side", {"stake": stake}


def _do(table: TarokyTable, seat: str, side: str, item: str) -> None:
    if item in HAND_ITEMS:
        table.hand_items.append((table.step, seat, item))
        return
    stake = item
    if item == "pagat":
        table.pagat_by = seat
    elif item == "valat":
        table.valat_by, table.valat_event = seat, table.step
    else:
        word, _, stake = item.partition(":")
        table.factors[stake] = RAISES[word]
        table.raised_by[stake] = side
    # Only the other side may make the next raise of a stake, not the side that announced or raised it.
    other = "opponents" if side == "bidder" else "bidder"
    table.open = {
        side: table.open[side] & ~_STAKE_BITS[stake],
        other: table.open[other] & ~_STAKE_BITS[stake] | _following(table, stake),
    }
    table.reveal_side(seat, side)


def _following(table: TarokyTable, stake: str) -> int:
    """Return the next raise of a stake as a bit; 0 if the rules of the deal have none (`taroky.double`)."""
    factor, rules = table.factors[stake], table.rules
    if factor >= 1 << rules.doubles or (stake == "valat" and not rules.valat_doubles):
        return 0
    return RAISE_BIT[f"{_FACTOR_WORD[factor]}:{stake}"]


def over(table: TarokyTable) -> None:
    """End the announcements: begin the play or, if the option requires it, settle the game unplayed."""
    uncontested = not (table.pagat_by or table.valat_by or table.raised_by)
    if uncontested and table.contract == "first" and table.rules.settle_uncontested:
        table.settled = True
        table.finish()
    else:
        table.enter("play", table.forehand)


def open_items(table: TarokyTable, seat: str) -> list[str]:
    """Return the announcement items open to a seat in its turn: declarations, pagat, valat, then raises."""
    raises = table.open[table.sides[seat]] & ~table.offered[seat]
    items = []
    if table.turns_taken < table.size:
        hand = table.hands[seat]
        declared = hand_items(table.rules).items()
        items = [item for item, (_, holds, _) in declared if holds(hand) or seat in table.unknown]
        if table.may_hold(seat, PAGAT_BIT) and table.contract != "second":
            items.append("pagat")
        if not table.valat_by:
            items.append("valat")
    return items + [item for item, bit in RAISE_BIT.items() if bit & raises]


def why_over(table: TarokyTable, event: Event) -> tuple[str, dict[str, Any]]:
    """Return why an announcement or pass is illegal during the play, as the key and values of a sentence."""
    if table.varsava:
        return "varsava", {}
    seat = event[0]
    for item in event[2:]:
        if RAISE_BIT.get(item, 0) & table.offered[seat]:
            return "passed-up", {}
    return "announced", {}


def near_misses(hand: int, declared: set[str], options: TarokyOptions) -> Iterator[str]:
    """Yield the declarations that a hand allowed but that were not made. Leave out `honery` if the hand also
    allowed `kralovske-honery`, because a player may not declare both, and `trulhonery` next to a declaration
    that excludes it."""
    kings = HAND_ITEMS["kralovske-honery"].holds(hand)
    for item, (_, holds, _) in hand_items(options).items():
        if item in declared or not holds(hand) or (item == "honery" and kings):
            continue
        if clashing({item, *declared}) != "taroky.hand-trulhonery":
            yield item
