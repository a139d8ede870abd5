"""Reading events: conversion of words in any case and spelling to the canonical form."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tarock.core.cards import CARDS, INDEX, UNKNOWN, looks_like_card, pack_cards, parse_card
from tarock.core.game import SEATS, Arguments, GameInfo
from tarock.core.record import Event
from tarock.games import games
from tarock.notation.faults import Faults, Malformed, quoted, unlisted
from tarock.notation.limits import MAX_EVENTS, MAX_WORDS
from tarock.notation.values import WORD, read_list, read_string

#: A played card with its optional qualifier.
PLAYED = re.compile(r"([A-Za-z0-9]+)(?:\(([A-Za-z]+)\))?", re.ASCII)
#: Two or more words, separated by single spaces.
_WORDS = re.compile(r"[!-:<-z|~]+(?: [!-:<-z|~]+)+")


def verbs() -> dict[str, Arguments]:
    """Map each verb of every game to the kind of its arguments."""
    return {verb: kind for info in games() for verb, kind in info.verbs.items()}


def verb_list() -> list[str]:
    """Return the verbs that an event line may have, for error messages: all except `play`."""
    return sorted(verbs().keys() - {"play"})


def item_key(item: str, order: tuple[str, ...]) -> tuple[int, str]:
    """Return the sort key of an announcement item: position in the game's table, then argument or suit."""
    name, _, argument = item.partition(":")
    suit = "SHDC".find(argument) if len(argument) == 1 else -1
    for rank, known in enumerate(order):
        if known in (item, name):
            return rank, str(suit) if suit >= 0 else argument
    return len(order), ""


def canonical_item(word: str) -> str:
    """Return an announcement item in canonical case: words in lower case, a suit letter in upper case."""
    name, colon, argument = word.lower().partition(":")
    return name + colon + (argument.upper() if len(argument) == 1 else argument)


# Cache the tables, because they depend only on pack and seating. Looking up a card then takes 0.05 µs instead
# of 1 µs.
@cache
def _plays(size: int) -> dict[str, dict[str, Event]]:
    """Map each seat to a map from the cards of the pack to the events of playing them."""
    return {seat: {code: (seat, "play", code) for code in pack_cards(size)} for seat in SEATS}


@cache
def trick_plays(info: GameInfo, number: int, dealer: str) -> dict[str, tuple[dict[str, Event], ...]]:
    """Map the leader of a trick to the seats' maps from card to play event, in playing order."""
    turns, known = info.seating(number, dealer).turns, _plays(info.pack)
    return {leader: tuple(known[seat] for seat in turn) for leader, turn in turns.items()}


def _card_argument(word: str, info: GameInfo, pointer: str, strict: bool, event: int) -> str:
    """Return the canonical spelling of a card. Unless `strict`, return any other word in lower case, so that
    the rules can check it."""
    if word == UNKNOWN and not strict:
        return word
    found = PLAYED.fullmatch(word)
    base, qualifier = found.groups() if found else (word, None)
    card = parse_card(base)
    if card is not None and CARDS[card] in pack_cards(info.pack):
        if qualifier is None:
            return CARDS[card]
        return f"{CARDS[card]}({qualifier.upper() if len(qualifier) == 1 else qualifier.lower()})"
    if card is not None or looks_like_card(base):
        raise Malformed("not-in-pack", pointer, event=event, found=quoted(word), pack=info.pack, game=info.id)
    if strict:
        raise Malformed("no-card", pointer, event=event, found=quoted(word))
    return word.lower()


# The vocabulary depends only on the game. Without the cache an event that is not a play takes 1 µs more.
@cache
def _vocabulary(info: GameInfo) -> frozenset[str]:
    """Return all words that a game defines: seats, verbs, items and cards."""
    return frozenset((*SEATS, *info.verbs, *info.items, *pack_cards(info.pack)))


def _are_words(words: list[Any], info: GameInfo) -> bool:
    """Quickly check whether the values are two or more valid words. If unsure, return False, and let `_words`
    check."""
    try:
        if _vocabulary(info).issuperset(words):
            return len(words) > 1
        joined = " ".join(words)
    except TypeError:
        return False
    return joined.count(" ") == len(words) - 1 and _WORDS.fullmatch(joined) is not None


def _words(raw: object, number: int) -> list[str]:
    """Return the words of an event that `_are_words` rejected. Raise Malformed if they are invalid."""
    pointer = f"/events/{number}"
    words = read_list(raw, pointer)
    for i, word in enumerate(words):
        if not WORD.fullmatch(read_string(word, f"{pointer}/{i}")):
            raise Malformed("no-word", f"{pointer}/{i}", event=number, found=quoted(word))
    if len(words) < 2:
        raise Malformed("no-verb", pointer, event=number)
    return words


def _seat_and_verb(words: list[str], number: int, info: GameInfo, seats: tuple[str, ...]) -> tuple[str, str]:
    """Return the seat and the verb of an event in canonical case. The verb may belong to another game."""
    seat, verb, pointer = words[0].upper(), words[1].lower(), f"/events/{number}"
    if seat not in seats:
        raise unlisted("unknown-seat", pointer, words[0], seats, event=number)
    if verb not in info.verbs and verb not in verbs():
        raise unlisted("unknown-verb", pointer, words[1], verb_list(), event=number)
    return seat, verb


def _event(raw: object, number: int, info: GameInfo, seats: tuple[str, ...], faults: Faults) -> Event:
    """Return an event in canonical form. Raise Malformed if its seat is not at the table or no game has its
    verb. Add a fault for each invalid card."""
    if (
        type(raw) is list
        and len(raw) == 2
        and raw[0] in seats
        and type(raw[1]) is str
        and raw[1] in info.verbs
    ):
        return (raw[0], raw[1])
    words = raw if isinstance(raw, list) and _are_words(raw, info) else _words(raw, number)
    if len(words) > MAX_WORDS:
        where = f"/events/{number}"
        raise Malformed("event-too-long", where, event=number, found=len(words), limit=MAX_WORDS)
    seat, verb = words[0], words[1]
    if seat not in seats or verb not in info.verbs:
        seat, verb = _seat_and_verb(words, number, info, seats)
    kind = info.verbs[verb] if verb in info.verbs else verbs()[verb]
    arguments = words[2:]
    if kind == "items":
        arguments = [w if w in info.items else canonical_item(w) for w in arguments]
        if len(arguments) > 1:
            arguments.sort(key=lambda w: item_key(w, info.items))
    elif kind == "words":
        arguments = [w.lower() for w in arguments]
    elif kind == "none":
        # Convert a card to canonical spelling, so that the finding can name it.
        arguments = [CARDS[INDEX[w.upper()]] if w.upper() in INDEX else w.lower() for w in arguments]
    else:
        cards, strict = pack_cards(info.pack), kind == "card"
        arguments = [
            w
            if w in cards
            else faults.attempt(_card_argument, w, info, f"/events/{number}/{i}", strict, number) or w
            for i, w in enumerate(arguments, 2)
        ]
        if kind == "cards":
            arguments.sort(key=lambda w: INDEX.get(w, len(INDEX)))
    return (seat, verb, *arguments)


def read_events(value: object, info: GameInfo, seats: tuple[str, ...], faults: Faults) -> list[Event]:
    """Return the events of a record in canonical form, and add a fault for each invalid event."""
    raw_events = read_list(value, "/events")
    if len(raw_events) > MAX_EVENTS:
        where, found = f"/events/{MAX_EVENTS}", len(raw_events)
        raise Malformed("too-many-events", where, event=MAX_EVENTS, found=found, limit=MAX_EVENTS)
    cards = _plays(info.pack)
    events = raw_events[:]
    for number, raw in enumerate(raw_events):
        # The text reader has already turned plays, which are nearly all events, into tuples, so skip these.
        if type(raw) is tuple:
            continue
        # Look up a play in canonical spelling, because that is faster than parsing it.
        is_play = type(raw) is list and len(raw) == 3 and raw[1] == "play" and type(raw[2]) is str
        if is_play and raw[0] in seats and raw[2] in cards[raw[0]]:
            events[number] = cards[raw[0]][raw[2]]
        else:
            try:
                events[number] = _event(raw, number, info, seats, faults)
            except Malformed as fault:
                faults.note(fault)
    return events
