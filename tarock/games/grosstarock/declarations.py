"""The declarations of Grosstarock (`grosstarock.declare-…`): which declarations a hand of 25 cards may make,
why it may not make the others, and the price of each declaration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from tarock.core.cards import (
    BIT,
    CAVALIERS,
    COURTS,
    FOOL_BIT,
    JACKS,
    KINGS,
    PAGAT_BIT,
    QUEENS,
    SUIT_SET,
    TAROCKS,
    TRULL,
    names,
)

#: The tarocks except the Fool. In this game the Fool counts as a tarock only where a clause says so.
TRUMPS = TAROCKS ^ FOOL_BIT
FOURS = {"queens": QUEENS, "cavaliers": CAVALIERS, "jacks": JACKS}
_MATADORS = ("matadors", "skus-matadors")


def _run(hand: int, numbers: range, step_over: bool) -> set[int]:
    """Return the numbers of the tarocks in an unbroken run that starts at the first of `numbers`. With
    `step_over`, a single missing tarock inside the run counts as held, but not two in a row."""
    run: set[int] = set()
    skipped: int | None = None
    for number in numbers:
        if hand & BIT[f"T{number}"]:
            if skipped is not None:
                run.add(skipped)
                skipped = None
            run.add(number)
        elif skipped is None and step_over:
            skipped = number
        else:
            break
    return run


def _matadors(hand: int, step_over: bool = False) -> int:
    """Return the number of matadors in a hand or, with `step_over`, of Sküs-matadors; 0 unless the hand has
    the whole trull and, for Sküs-matadors, a run skips a tarock."""
    if hand & TRULL != TRULL:
        return 0
    run = _run(hand, range(21, 0, -1), step_over) | _run(hand, range(1, 22), step_over)
    return 0 if step_over and all(hand & BIT[f"T{number}"] for number in run) else 1 + len(run)


class Numbered(NamedTuple):
    """A kind of declaration that includes a number, such as `tarocks:12`."""

    base: int  # price at the lowest number
    least: int  # lowest number
    count: Callable[[int], int]  # hand → number that it can declare


NUMBERED = {
    "tarocks": Numbered(10, 10, lambda hand: (hand & TAROCKS).bit_count()),
    "matadors": Numbered(10, 3, _matadors),
    "skus-matadors": Numbered(5, 3, partial(_matadors, step_over=True)),
    "kings": Numbered(5, 3, lambda hand: (hand & (KINGS | TRULL)).bit_count()),
    "ladons": Numbered(15, 16, lambda hand: (hand & ~(TRUMPS | COURTS)).bit_count()),
}
#: Regular expression for declarations. It also matches numbers that no hand may declare.
ITEM_PATTERN = (
    rf"(?:(?:{'|'.join(NUMBERED)}):(?:0|[1-9][0-9]{{0,3}})|(?:half-)?cavallery:[SHDC]|{'|'.join(FOURS)})"
)
_WORD = re.compile(ITEM_PATTERN, re.ASCII)


def known(item: str) -> bool:
    """Return whether a word is a declaration, even one that no hand may make."""
    return _WORD.fullmatch(item) is not None


def clause_of(item: str) -> str:
    """Return the slug of the clause for a declaration."""
    name = item.partition(":")[0]
    return "grosstarock.declare-four" if name in FOURS else f"grosstarock.declare-{name}"


def price(item: str) -> int:
    """Return the price that each other player pays for a declaration."""
    name, _, argument = item.partition(":")
    if name in NUMBERED:
        base, least, _ = NUMBERED[name]
        return base + 5 * (int(argument) - least)
    return 10 if name == "cavallery" else 5


def numbers(name: str, hand: int) -> list[int]:
    """Return the numbers with which a hand may make a declaration, the full number first; empty if the hand
    has too few cards. Ladons can have two numbers, because a player may leave out the Sküs."""
    _, least, count = NUMBERED[name]
    full = count(hand)
    found = [full, full - 1] if name == "ladons" and hand & FOOL_BIT else [full]
    return [number for number in found if number >= least]


def _cavallery(suit: str, hand: int) -> str:
    """Return which cavallery a hand has in a suit: `cavallery` with all four court cards, `half-cavallery`
    with the Sküs, the King and two others, and otherwise an empty string."""
    courts = SUIT_SET[suit] & COURTS
    held = hand & courts
    if held == courts:
        return "cavallery"
    return "half-cavallery" if held.bit_count() == 3 and held & KINGS and hand & FOOL_BIT else ""


def declarable(hand: int) -> list[str]:
    """Return every declaration that a hand may make, in the order in which the rules list them."""
    items = [f"{name}:{number}" for name in NUMBERED if name != "ladons" for number in numbers(name, hand)]
    suits = {suit: _cavallery(suit, hand) for suit in "SHDC"}
    for name in ("cavallery", "half-cavallery"):
        items += [f"{name}:{suit}" for suit, held in suits.items() if held == name]
    items += [name for name, courts in FOURS.items() if hand & courts == courts]
    return items + [f"ladons:{number}" for number in numbers("ladons", hand)]


def may_declare(hand: int, possible: int, size: int) -> list[str]:
    """Return every declaration that is possible for a partly unknown hand of `size` cards, in the order in
    which the rules list them. `hand`: known cards of the hand; `possible`: all cards that it may contain."""
    free = size - hand.bit_count()
    items = []
    for name in NUMBERED:
        if name != "ladons":
            items += [f"{name}:{number}" for number in _possible_numbers(name, hand, possible, free)]
    for name, missing in (("cavallery", 0), ("half-cavallery", 1)):
        for suit in "SHDC":
            courts, kings = SUIT_SET[suit] & COURTS, SUIT_SET[suit] & KINGS
            needed = kings | FOOL_BIT if missing else courts
            enough = (possible & courts).bit_count() >= 4 - missing
            if possible & needed == needed and enough and not (missing and hand & courts == courts):
                items.append(f"{name}:{suit}")
    items += [name for name, courts in FOURS.items() if possible & courts == courts]
    return items + [f"ladons:{number}" for number in _possible_numbers("ladons", hand, possible, free)]


def _possible_numbers(name: str, hand: int, possible: int, free: int) -> Iterator[int]:
    """Yield the numbers with which a partly unknown hand may be able to make a declaration, highest first."""
    _, least, count = NUMBERED[name]
    if name in _MATADORS:
        if possible & TRULL == TRULL:
            # Sküs-matadors may skip any tarock, so tarocks that the hand can't hold count, too.
            tarocks = possible & TAROCKS if name == "matadors" else TAROCKS
            yield from range(tarocks.bit_count(), least - 1, -1)
        return
    low, high = count(hand), min(count(possible), count(hand) + free)
    # The lowest number of ladons is one less, because a player may leave out the Sküs.
    yield from range(high, max(least, low - (name == "ladons")) - 1, -1)


def go_together(items: tuple[str, ...]) -> bool:
    """Return whether one player may make these declarations together. Nobody may declare both kinds of
    matadors or two numbers of ladons."""
    kinds = [item.partition(":")[0] for item in items]
    return not set(_MATADORS) <= set(kinds) and kinds.count("ladons") < 2


def why_not(item: str, hand: int) -> tuple[str, dict[str, Any]] | None:
    """Return why a hand may not make a declaration, as the key and values of a sentence; None if it may."""
    name, _, argument = item.partition(":")
    if name in FOURS:
        missing = FOURS[name] & ~hand
        return ("lacking", {"cards": names(missing)}) if missing else None
    if name not in NUMBERED:
        if _cavallery(argument, hand) == name:
            return None
        courts = SUIT_SET[argument] & COURTS
        if name == "cavallery":
            return "lacking", {"cards": names(courts & ~hand), "suit": argument}
        if hand & courts == courts:
            return "whole", {"suit": argument}
        if missing := (courts & KINGS | FOOL_BIT) & ~hand:
            return "lacking", {"cards": names(missing), "suit": argument}
        return "too-few", {"held": (hand & courts & ~KINGS).bit_count(), "suit": argument}
    if int(argument) in numbers(name, hand):
        return None
    if name in _MATADORS and hand & TRULL != TRULL:
        return "lacking", {"cards": names(TRULL & ~hand)}
    _, least, count = NUMBERED[name]
    held = count(hand)
    if not held and name == "skus-matadors":
        return "no-step", {}
    return "too-few" if held < least else "other-number", {"held": held, "least": least}


def with_pagat_and_skus(hand: int) -> str:
    """Return which of Pagat and Sküs a hand has, as the key of the sentence for a declaration of tarocks."""
    pagat, skus = bool(hand & PAGAT_BIT), bool(hand & FOOL_BIT)
    return "both" if pagat and skus else "pagat" if pagat else "skus" if skus else "neither"
