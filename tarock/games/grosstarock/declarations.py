"""The declarations of Grosstarock: which ones a hand of 25 may make, their prices, and the reasons against
them (`grosstarock.declare-…`)."""

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

#: The tarocks without the Fool, which is a tarock in this game only where a clause says so.
TRUMPS = TAROCKS ^ FOOL_BIT
FOURS = {"queens": QUEENS, "cavaliers": CAVALIERS, "jacks": JACKS}
_MATADORS = ("matadors", "skus-matadors")
_RUNS = (range(21, 0, -1), range(1, 22))


def _run(hand: int, numbers: range, step_over: bool) -> set[int]:
    """The tarocks of an unbroken run from the first number on; with `step_over`, single missing ones inside
    it count as held, and the run ends on a held card."""
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
    """The number of matadors in a hand, 0 without the whole trull."""
    if hand & TRULL != TRULL:
        return 0
    return 1 + len(_run(hand, _RUNS[0], False) | _run(hand, _RUNS[1], False))


def _skus_matadors(hand: int) -> int:
    """The number of Sküs-matadors in a hand, 0 without the whole trull or without a step."""
    if hand & TRULL != TRULL:
        return 0
    run = _run(hand, _RUNS[0], True) | _run(hand, _RUNS[1], True)
    return 0 if all(hand & BIT[f"T{number}"] for number in run) else 1 + len(run)


class Numbered(NamedTuple):
    """A declaration with a number: its price at the least number, that number, and the count of a hand."""

    base: int
    least: int
    count: Callable[[int], int]


NUMBERED = {
    "tarocks": Numbered(10, 10, lambda hand: (hand & TAROCKS).bit_count()),
    "matadors": Numbered(10, 3, _matadors),
    "skus-matadors": Numbered(5, 3, _skus_matadors),
    "kings": Numbered(5, 3, lambda hand: (hand & (KINGS | TRULL)).bit_count()),
    "ladons": Numbered(15, 16, lambda hand: (hand & ~(TRUMPS | COURTS)).bit_count()),
}
#: Every declaration, right or wrong for a hand.
ITEM_PATTERN = (
    rf"(?:(?:{'|'.join(NUMBERED)}):(?:0|[1-9][0-9]{{0,3}})|(?:half-)?cavallery:[SHDC]|{'|'.join(FOURS)})"
)
_WORD = re.compile(ITEM_PATTERN, re.ASCII)


def known(item: str) -> bool:
    """Whether a word is a declaration, right or wrong for the hand."""
    return _WORD.fullmatch(item) is not None


def clause_of(item: str) -> str:
    """The slug of the clause of a declaration."""
    name = item.partition(":")[0]
    return "grosstarock.declare-four" if name in FOURS else f"grosstarock.declare-{name}"


def price(item: str) -> int:
    """The price that each other player pays for a declaration."""
    name, _, argument = item.partition(":")
    if name in NUMBERED:
        base, least, _ = NUMBERED[name]
        return base + 5 * (int(argument) - least)
    return 10 if name == "cavallery" else 5


def numbers(name: str, hand: int) -> list[int]:
    """The right numbers of a numbered declaration, the full one first: one, or none if it is too small; two
    for ladons with the Sküs, which may be left out."""
    _, least, count = NUMBERED[name]
    full = count(hand)
    found = [full, full - 1] if name == "ladons" and hand & FOOL_BIT else [full]
    return [number for number in found if number >= least]


def _cavallery(suit: str, hand: int) -> str:
    """The cavallery of a hand in a suit: the whole, half of it (one court card other than the King missing,
    and the Sküs), or none."""
    courts = SUIT_SET[suit] & COURTS
    held = hand & courts
    if held == courts:
        return "cavallery"
    return "half-cavallery" if held.bit_count() == 3 and held & KINGS and hand & FOOL_BIT else ""


def declarable(hand: int) -> list[str]:
    """Every declaration that a hand may make, in the order of the table, the full number before another."""
    items = [f"{name}:{number}" for name in NUMBERED if name != "ladons" for number in numbers(name, hand)]
    if (hand & COURTS).bit_count() >= 3:
        suits = {suit: _cavallery(suit, hand) for suit in "SHDC"}
        for name in ("cavallery", "half-cavallery"):
            items += [f"{name}:{suit}" for suit, has in suits.items() if has == name]
        items += [name for name, courts in FOURS.items() if hand & courts == courts]
    return items + [f"ladons:{number}" for number in numbers("ladons", hand)]


def may_declare(hand: int, possible: int, size: int) -> list[str]:
    """Return every declaration that a hand of `size` cards may be able to make, in the order of the table.
    Some of its cards are known (`hand`); the others are among the `possible` ones."""
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
    """The numbers of a declaration that are right for some hand, from the highest down."""
    _, least, count = NUMBERED[name]
    if name in _MATADORS:
        if possible & TRULL == TRULL:
            # Sküs-matadors count the cards stepped over.
            tarocks = possible & TAROCKS if name == "matadors" else TAROCKS
            yield from range(tarocks.bit_count(), least - 1, -1)
        return
    low, high = count(hand), min(count(possible), count(hand) + free)
    # Ladons may leave out the Sküs.
    yield from range(high, max(least, low - (name == "ladons")) - 1, -1)


def go_together(items: tuple[str, ...]) -> bool:
    """Whether declarations may be made in one turn: not both kinds of matadors, not two numbers of ladons."""
    kinds = [item.partition(":")[0] for item in items]
    return not set(_MATADORS) <= set(kinds) and kinds.count("ladons") < 2


def why_not(item: str, hand: int) -> tuple[str, dict[str, Any]] | None:
    """Why a hand may not make a declaration: the sentence of its clause, and its values; None if it may."""
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
    """Which of Pagat and Sküs are in a hand, as announced with a declaration of tarocks."""
    pagat, skus = bool(hand & PAGAT_BIT), bool(hand & FOOL_BIT)
    return "both" if pagat and skus else "pagat" if pagat else "skus" if skus else "neither"
