"""The declarations of Grosstarock: which ones a hand of 25 cards may make, their prices, and why a hand may
not make the others (`grosstarock.declare-…`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
_RUNS = (range(21, 0, -1), range(1, 22))


def _run(hand: int, numbers: range, step_over: bool) -> set[int]:
    """Return the tarocks of an unbroken run that starts at the first number. With `step_over`, one missing
    tarock inside the run counts as held."""
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


def _matadors(hand: int) -> int:
    """Return the number of matadors in a hand; 0 unless the hand has the whole trull."""
    if hand & TRULL != TRULL:
        return 0
    return 1 + len(_run(hand, _RUNS[0], False) | _run(hand, _RUNS[1], False))


def _skus_matadors(hand: int) -> int:
    """Return the number of Sküs-matadors; 0 unless the hand has the whole trull and a run steps over a
    tarock."""
    if hand & TRULL != TRULL:
        return 0
    run = _run(hand, _RUNS[0], True) | _run(hand, _RUNS[1], True)
    return 0 if all(hand & BIT[f"T{number}"] for number in run) else 1 + len(run)


class Numbered(NamedTuple):
    """A declaration with a number."""

    base: int  # price at the lowest number
    least: int  # lowest number
    count: Callable[[int], int]  # hand → its number


NUMBERED = {
    "tarocks": Numbered(10, 10, lambda hand: (hand & TAROCKS).bit_count()),
    "matadors": Numbered(10, 3, _matadors),
    "skus-matadors": Numbered(5, 3, _skus_matadors),
    "kings": Numbered(5, 3, lambda hand: (hand & (KINGS | TRULL)).bit_count()),
    "ladons": Numbered(15, 16, lambda hand: (hand & ~(TRUMPS | COURTS)).bit_count()),
}
#: Regular expression for every declaration, even one that a hand may not make.
ITEM_PATTERN = (
    rf"(?:(?:{'|'.join(NUMBERED)}):(?:0|[1-9][0-9]{{0,3}})|(?:half-)?cavallery:[SHDC]|{'|'.join(FOURS)})"
)
_WORD = re.compile(ITEM_PATTERN, re.ASCII)


def known(item: str) -> bool:
    """Return whether a word is any declaration, allowed or not."""
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
    """Return the numbers with which a hand may make a declaration, the full number first; empty if it is too
    low. Ladons with the Sküs have two numbers, because the Sküs may be left out."""
    _, least, count = NUMBERED[name]
    full = count(hand)
    found = [full, full - 1] if name == "ladons" and hand & FOOL_BIT else [full]
    return [number for number in found if number >= least]


def _cavallery(suit: str, hand: int) -> str:
    """Return the cavallery of a hand in a suit: `cavallery`; `half-cavallery` if one court card other than
    the King is missing and the Sküs is held; otherwise an empty string."""
    courts = SUIT_SET[suit] & COURTS
    held = hand & courts
    if held == courts:
        return "cavallery"
    return "half-cavallery" if held.bit_count() == 3 and held & KINGS and hand & FOOL_BIT else ""


def declarable(hand: int) -> list[str]:
    """Return every declaration that a hand may make, in the order of the table, the highest number first."""
    items = [f"{name}:{number}" for name in NUMBERED if name != "ladons" for number in numbers(name, hand)]
    if (hand & COURTS).bit_count() >= 3:
        suits = {suit: _cavallery(suit, hand) for suit in "SHDC"}
        for name in ("cavallery", "half-cavallery"):
            items += [f"{name}:{suit}" for suit, has in suits.items() if has == name]
        items += [name for name, courts in FOURS.items() if hand & courts == courts]
    return items + [f"ladons:{number}" for number in numbers("ladons", hand)]


def may_declare(hand: int, possible: int, size: int) -> list[str]:
    """Return every declaration that a partly unknown hand of `size` cards might make, in the order of the
    table. `hand`: known cards of the hand; `possible`: all cards that it may hold."""
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
    """Yield the numbers with which some possible hand may make a declaration, from the highest down."""
    _, least, count = NUMBERED[name]
    if name in _MATADORS:
        if possible & TRULL == TRULL:
            # Sküs-matadors include cards stepped over, which the hand doesn't hold.
            tarocks = possible & TAROCKS if name == "matadors" else TAROCKS
            yield from range(tarocks.bit_count(), least - 1, -1)
        return
    low, high = count(hand), min(count(possible), count(hand) + free)
    # The lowest number leaves out the Sküs, which ladons need not include.
    yield from range(high, max(least, low - (name == "ladons")) - 1, -1)


def go_together(items: tuple[str, ...]) -> bool:
    """Whether declarations may be made in one turn: both kinds of matadors, or two numbers of ladons, may
    not."""
    kinds = [item.partition(":")[0] for item in items]
    return not set(_MATADORS) <= set(kinds) and kinds.count("ladons") < 2


def why_not(item: str, hand: int) -> tuple[str, dict[str, Any]] | None:
    """Return why a hand may not make a declaration: a key and values for a sentence; None if it may."""
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
    """Return the word that says, in a declaration of tarocks, which of Pagat and Sküs the hand holds."""
    pagat, skus = bool(hand & PAGAT_BIT), bool(hand & FOOL_BIT)
    return "both" if pagat and skus else "pagat" if pagat else "skus" if skus else "neither"
