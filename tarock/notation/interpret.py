"""From the JSON form to a record: the types and values of TGN, no legality.

Both readers end here: the text reader turns its lines into the JSON form first, so that what is malformed is
said in one place. A fault is raised as `Malformed` with the JSON pointer of the value at fault.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tarock.cards import CARDS, INDEX, looks_like_card, pack, parse_card
from tarock.games.info import INFO, SEATS, GameInfo
from tarock.record import Event, Record

VERBS = frozenset(
    [
        "bid",
        "take",
        "solo",
        "pass",
        "varsava",
        "call",
        "alone",
        "level",
        "discard",
        "refuse",
        "surrender",
        "announce",
    ]
)
SEAT_TAGS = frozenset(SEATS)
#: Optional tags in canonical order, without those that the JSON form keeps elsewhere.
OPTIONAL_TAGS = ("Date", "Event", "Site", "Round", "Session", "Deal", "Recorder")
#: Tags that have a place of their own in the JSON form.
STRUCTURAL_TAGS = ("TGN", "Game", "Dealer", "Options", "Score")
KNOWN_TAGS = {t.lower(): t for t in (*OPTIONAL_TAGS, *STRUCTURAL_TAGS, *SEATS)}
KEYS = ("tgn", "game", "dealer", "players", "options", "tags", "deal", "events", "comments", "score")

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_DATE = re.compile(r"(\d{4}|\?{4})-(\d\d|\?\?)-(\d\d|\?\?)", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PLAYED = re.compile(r"([A-Za-z0-9]+)(?:\(([A-Za-z]+)\))?", re.ASCII)
#: What is one word in the text form, too.
_WORD = re.compile(r"[^\s{};]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_BLANK = re.compile(r"\s+")
_MAX_SCORE = 10**9


class Malformed(Exception):
    """A value that makes the input no record; `pointer` says which (RFC 6901), `clause` cites a deal
    clause."""

    def __init__(
        self, pointer: str, message: str, clause: str | None = None, event: int | None = None
    ) -> None:
        super().__init__(message)
        self.pointer, self.message, self.clause, self.event = pointer, message, clause, event


def _shown(value: object) -> str:
    text = repr(value) if not isinstance(value, str) else f"“{value}”"
    return text if len(text) <= 60 else text[:57] + "…"


def _text(value: object, pointer: str, what: str) -> str:
    """A string without control characters or lone surrogates."""
    if not isinstance(value, str):
        raise Malformed(pointer, f"found {_shown(value)}, expected {what} as a string")
    bad = _CONTROL.search(value)
    if bad:
        raise Malformed(
            pointer, f"found the control character U+{ord(bad[0]):04X}, expected {what} in plain characters"
        )
    return value


def _mapping(value: object, pointer: str, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(pointer, f"found {_shown(value)}, expected {what} as an object")
    return value


def _list(value: object, pointer: str, what: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise Malformed(pointer, f"found {_shown(value)}, expected {what} as a list")
    return list(value)


def escape(key: str) -> str:
    """A key as a part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1")


@lru_cache(maxsize=4096)
@lru_cache(1000)
def check_date(value: str) -> bool:
    """Whether a `Date` is `YYYY-MM-DD` with `????` and `??` for unknown parts, and can be a date."""
    found = _DATE.fullmatch(value)
    if not found:
        return False
    year, month, day = found.groups()
    if month == "??":
        return day == "??" or 1 <= int(day) <= 31
    if not 1 <= int(month) <= 12 or year == "0000":
        return False
    if day == "??":
        return True
    longest = _DAYS[int(month) - 1]
    if month == "02" and year != "????":
        leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
        longest = 29 if leap else 28
    return 1 <= int(day) <= longest


def item_key(item: str, order: tuple[str, ...]) -> tuple[int, str]:
    """Sorting key of an announcement item: its place in the game's table, then its argument by suit."""
    name, _, argument = item.partition(":")
    suit = "SHDC".find(argument) if len(argument) == 1 else -1
    for rank, known in enumerate(order):
        if known in (item, name):
            return rank, str(suit) if suit >= 0 else argument
    return len(order), ""


def _item(word: str) -> str:
    """An announcement item in canonical case: words small, a suit letter large."""
    name, colon, argument = word.lower().partition(":")
    if len(argument) == 1:
        argument = argument.upper()
    return name + colon + argument


def _card_argument(word: str, info: GameInfo, pointer: str, strict: bool, event: int) -> str:
    """A card in canonical spelling; a word that is no card stays (small) for the clauses to judge, unless
    `strict`."""
    found = _PLAYED.fullmatch(word)
    base, qualifier = found.groups() if found else (word, None)
    card = parse_card(base)
    if card is not None and pack(info.pack) >> card & 1:
        if qualifier is None:
            return CARDS[card]
        return f"{CARDS[card]}({qualifier.upper() if len(qualifier) == 1 else qualifier.lower()})"
    if card is not None or looks_like_card(base):
        raise Malformed(
            pointer,
            f"found {_shown(word)}, which is not in the pack of {info.pack} of {info.id}",
            event=event,
        )
    if strict:
        raise Malformed(pointer, f"found {_shown(word)}, expected a card", event=event)
    return word.lower()


def normal_event(raw: object, number: int, info: GameInfo, seats: tuple[str, ...]) -> Event:
    """One event in canonical form; Malformed if its seat or verb is none of TGN's or a card is not in the
    pack."""
    pointer = f"/events/{number}"
    parts = _list(raw, pointer, "an event [seat, verb, argument…]")
    words = [_text(w, f"{pointer}/{i}", "a word") for i, w in enumerate(parts)]
    if len(words) < 2:
        raise Malformed(
            pointer, "found an event without a verb, expected [seat, verb, argument…]", event=number
        )
    for i, word in enumerate(words):
        if not _WORD.fullmatch(word):
            raise Malformed(f"{pointer}/{i}", f"found {_shown(word)}, expected one word", event=number)
    seat, verb = words[0].upper(), words[1].lower()
    if seat not in seats:
        raise Malformed(
            pointer, f"found the seat {_shown(words[0])}, expected one of {' '.join(seats)}", event=number
        )
    if verb != "play" and verb not in VERBS:
        raise Malformed(
            pointer,
            f"found {_shown(words[1])}, expected a verb of TGN: {' '.join(sorted(VERBS))}",
            event=number,
        )
    arguments = words[2:]
    if verb in ("play", "discard", "call"):
        arguments = [
            _card_argument(w, info, f"{pointer}/{i + 2}", verb == "play", number)
            for i, w in enumerate(arguments)
        ]
        if verb == "discard":
            arguments.sort(key=lambda w: INDEX.get(w, len(INDEX)))
    elif verb == "announce":
        arguments = [_item(w) for w in arguments]
        arguments.sort(key=lambda w: item_key(w, info.items))
    elif verb == "level" or verb == "bid":
        arguments = [w.lower() for w in arguments]
    else:
        # No argument is right here; a card keeps its name, so that the finding can speak of it.
        arguments = [CARDS[INDEX[w.upper()]] if w.upper() in INDEX else w.lower() for w in arguments]
    return (seat, verb, *arguments)


def _players(value: object, info: GameInfo) -> dict[str, str]:
    given = _mapping(value, "/players", "the players' names by seat")
    for key in given:
        if key not in SEAT_TAGS:
            raise Malformed(f"/players/{escape(key)}", f"found the seat {_shown(key)}, expected A to H")
    names = {key: _text(name, f"/players/{key}", "a player's name") for key, name in given.items()}
    number = len(names)
    if number not in info.seats:
        allowed = " or ".join(map(str, info.seats))
        more = " (no rules are known for two players)" if info.id == "grosstarock" and number == 2 else ""
        raise Malformed("/players", f"found {number} seats, expected {allowed} for {info.id}{more}")
    letters = info.seat_letters(number)
    for letter in letters:
        if letter not in names:
            raise Malformed("/players", f"seat {letter} has no player, expected seats {' '.join(letters)}")
    return {letter: names[letter] for letter in letters}


def _options(value: object, info: GameInfo) -> tuple[str, ...]:
    given = [
        _text(o, f"/options/{i}", "an option") for i, o in enumerate(_list(value, "/options", "options"))
    ]
    for i, option in enumerate(given):
        if option not in info.options:
            known = ", ".join(info.options) or "none"
            raise Malformed(
                f"/options/{i}", f"found the option {_shown(option)}, expected one of {info.id}'s: {known}"
            )
        if option in given[:i]:
            raise Malformed(f"/options/{i}", f"found the option {_shown(option)} twice, expected it once")
    return tuple(sorted(given))


def _tags(value: object) -> dict[str, str]:
    given = _mapping(value, "/tags", "tags")
    found: dict[str, str] = {}
    lowered: set[str] = set()
    for name, content in given.items():
        pointer = f"/tags/{escape(name)}"
        if not TAG_NAME.fullmatch(name):
            raise Malformed(
                pointer, f"found the tag {_shown(name)}, expected a name of letters, digits, - and _"
            )
        proper = KNOWN_TAGS.get(name.lower(), name)
        if proper in STRUCTURAL_TAGS or proper in SEAT_TAGS:
            raise Malformed(pointer, f"found the tag {proper}, which has a place of its own in the JSON form")
        if proper.lower() in lowered:
            raise Malformed(pointer, f"found the tag {proper} twice, expected it once")
        text = _text(content, pointer, "a tag value")
        if proper == "Date" and not check_date(text):
            raise Malformed(pointer, f"found {_shown(text)}, expected a date YYYY-MM-DD, unknown parts as ?")
        if proper == "Deal" and not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
            raise Malformed(pointer, f"found {_shown(text)}, expected a number from 1 up")
        found[proper] = text
        lowered.add(proper.lower())
    known = {name: found.pop(name) for name in OPTIONAL_TAGS if name in found}
    return known | {name: found[name] for name in sorted(found)}


def _deal(value: object, info: GameInfo, number: int, dealer: str) -> dict[str, tuple[str, ...]]:
    given = _mapping(value, "/deal", "the cards by place")
    clause = f"{info.id}.deal"
    places = info.places(number, dealer)
    sizes = dict(places)
    whole = pack(info.pack)
    dealt: dict[str, list[int]] = {}
    owner: dict[int, str] = {}
    for key, cards in given.items():
        pointer = f"/deal/{escape(key)}"
        if key not in sizes:
            raise Malformed(pointer, f"found the place {_shown(key)}, expected {' '.join(sizes)}", clause)
        hand: list[int] = []
        for i, code in enumerate(_list(cards, pointer, "the cards of a place")):
            spot = f"{pointer}/{i}"
            card = parse_card(_text(code, spot, "a card"))
            if card is None or not whole >> card & 1:
                raise Malformed(
                    spot, f"found {_shown(code)}, expected a card of the pack of {info.pack}", clause
                )
            if card in owner:
                raise Malformed(
                    spot, f"found {CARDS[card]} a second time, it was dealt to {owner[card]} already", clause
                )
            owner[card] = key
            hand.append(card)
        dealt[key] = hand
    for where, size in places:
        if where not in dealt:
            raise Malformed("/deal", f"no cards for {where}, expected {size}", clause)
        if len(dealt[where]) != size:
            raise Malformed(
                f"/deal/{escape(where)}",
                f"found {len(dealt[where])} cards for {where}, expected {size}",
                clause,
            )
    result = {}
    for where, _ in places:
        hand = dealt[where]
        if not ("/" in where or (where == "talon" and info.ordered_talon)):
            hand.sort()
        result[where] = tuple([CARDS[c] for c in hand])
    return result


def _comments(value: object, events: int) -> dict[int, list[str]]:
    given = _mapping(value, "/comments", "comments by event")
    found: dict[int, list[str]] = {}
    for key, texts in given.items():
        pointer = f"/comments/{escape(key)}"
        if not (
            key.isascii() and key.isdigit() and len(key) < 7 and int(key) <= events and str(int(key)) == key
        ):
            raise Malformed(pointer, f"found {_shown(key)}, expected a number of events from 0 to {events}")
        kept = []
        for i, text in enumerate(_list(texts, pointer, "comments")):
            if not isinstance(text, str):
                raise Malformed(f"{pointer}/{i}", f"found {_shown(text)}, expected a comment as a string")
            words = _BLANK.sub(" ", text).strip()
            if "}" in words:
                raise Malformed(f"{pointer}/{i}", "found a closing brace in a comment, expected none")
            words = _text(words, f"{pointer}/{i}", "a comment")
            if words:
                kept.append(words)
        if kept:
            found[int(key)] = kept
    return dict(sorted(found.items()))


def _score(value: object, seats: tuple[str, ...]) -> dict[str, int]:
    given = _mapping(value, "/score", "points by seat")
    points = {}
    for key, number in given.items():
        if key not in seats:
            raise Malformed(
                f"/score/{escape(key)}", f"found the seat {_shown(key)}, expected {' '.join(seats)}"
            )
        if type(number) is not int or abs(number) > _MAX_SCORE:
            raise Malformed(f"/score/{key}", f"found {_shown(number)}, expected a whole number of points")
        points[key] = number
    for seat in seats:
        if seat not in points:
            raise Malformed("/score", f"no score for seat {seat}, expected every seat once")
    return {seat: points[seat] for seat in seats}


def interpret(value: object) -> Record:
    """The record that a JSON form holds, in canonical form; raises Malformed with the pointer of the first
    fault."""
    form = _mapping(value, "", "a record")
    for key in form:
        if key not in KEYS:
            raise Malformed(f"/{escape(key)}", f"found the key {_shown(key)}, expected only {' '.join(KEYS)}")
    for key in KEYS:
        if key not in form and key not in ("options", "tags", "comments", "score"):
            raise Malformed("", f"found no key “{key}”, expected it in every record")
    if type(form["tgn"]) is not int or form["tgn"] != 1:
        raise Malformed("/tgn", f"found {_shown(form['tgn'])}, expected version 1")
    name = _text(form["game"], "/game", "a game")
    info = INFO.get(name)
    if info is None:
        raise Malformed("/game", f"found the game {_shown(name)}, expected one of {' '.join(INFO)}")
    players = _players(form["players"], info)
    seats = tuple(players)
    dealer = _text(form["dealer"], "/dealer", "the dealer's seat")
    if dealer not in seats:
        raise Malformed("/dealer", f"found the dealer {_shown(dealer)}, expected one of {' '.join(seats)}")
    options = _options(form.get("options", []), info)
    tags = _tags(form.get("tags", {}))
    deal = _deal(form["deal"], info, len(players), dealer)
    raw_events = _list(form["events"], "/events", "events")
    events = [normal_event(e, i, info, seats) for i, e in enumerate(raw_events)]
    comments = _comments(form.get("comments", {}), len(events))
    score = _score(form["score"], seats) if "score" in form else None
    return Record(name, dealer, players, options, tags, deal, events, comments, score)
