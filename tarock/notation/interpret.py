"""From the JSON form to a record: the types and values of TGN, no legality.

Both readers end here: the text reader turns its lines into the JSON form first, so that one module checks all
values. A fault is a `Malformed` with the JSON pointer of the bad value. After a fault reading goes on with
all that does not depend on it; faults that may only follow from it are left out (`Faults`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import repeat
from operator import getitem
from typing import Any, TypeVar

from tarock.cards import CARDS, INDEX, looks_like_card, pack, parse_card
from tarock.findings import Finding
from tarock.game import SEATS, GameInfo
from tarock.games import GAMES, games
from tarock.notation.limits import MAX_COMMENT, MAX_COMMENTS, MAX_EVENTS, MAX_TAG, MAX_TAGS, MAX_WORDS
from tarock.notation.names import CONTROLS, NoName, read_name
from tarock.record import Event, Record

SEAT_TAGS = frozenset(SEATS)
#: Optional tags in canonical order, without those that have another place in the JSON form.
OPTIONAL_TAGS = ("Date", "Event", "Site", "Round", "Session", "Deal", "Recorder")
#: Tags that have a place of their own in the JSON form.
STRUCTURAL_TAGS = ("TGN", "Game", "Dealer", "Options", "Score")
_PLAIN_TAGS = frozenset(OPTIONAL_TAGS)
KNOWN_TAGS = {t.lower(): t for t in (*OPTIONAL_TAGS, *STRUCTURAL_TAGS, *SEATS)}
KEYS = ("tgn", "game", "dealer", "players", "options", "tags", "deal", "events", "comments", "score")

_NEEDED = frozenset(KEYS) - {"options", "tags", "comments", "score"}

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_DATE = re.compile(r"(\d{4}|\?{4})-(\d\d|\?\?)-(\d\d|\?\?)", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PLAYED = re.compile(r"([A-Za-z0-9]+)(?:\(([A-Za-z]+)\))?", re.ASCII)
#: One word, as in the text form; and words with a blank between them.
_WORD = re.compile(r"[^\s{};]+")
_WORDS = re.compile(r"[!-:<-z|~]+(?: [!-:<-z|~]+)+")
_CONTROL = re.compile(f"[{CONTROLS}]")
_BLANK = re.compile(r"\s+")
_MAX_SCORE = 10**9
_Read = TypeVar("_Read")


class Malformed(Exception):
    """A value that makes the input no record.

    `reason`: the key of its sentence; `values`: the values of the sentence; `pointer`: the place of the value
    in the JSON form (RFC 6901); `offset`: its place in the text if the text form is at fault; `clause`: the
    deal clause; `event`: the number of the bad event.
    """

    def __init__(
        self,
        reason: str,
        pointer: str | None = None,
        *,
        clause: str | None = None,
        event: int | None = None,
        offset: int | None = None,
        **values: Any,
    ) -> None:
        super().__init__(reason)
        self.reason, self.pointer, self.values = reason, pointer, values
        self.clause, self.event, self.offset = clause, event, offset

    def finding(self, line: int, column: int) -> Finding:
        """The fault as a finding, with its place in the input."""
        return Finding(
            self.reason,
            self.values,
            event=self.event,
            clause=self.clause,
            line=line,
            column=column,
            pointer=self.pointer,
        )


class Enough(Exception):
    """The limit of faults of one record is reached."""


class Faults:
    """The faults of one record in the order found, without those that may follow from another one.

    `unread`: pointers of values that a fault made unreadable; nothing is reported as missing there.
    """

    __slots__ = ("found", "most", "unread")
    MOST = 20

    def __init__(self) -> None:
        self.found: list[Malformed] = []
        self.unread: set[str] = set()
        self.most = self.MOST

    def note(self, fault: Malformed) -> None:
        """Add a fault; raises Enough at the limit."""
        self.found.append(fault)
        if len(self.found) >= self.most:
            raise Enough

    def attempt(self, read: Callable[..., _Read], *arguments: Any) -> _Read | None:
        """Read a value. Returns None, and adds the fault, if the value is bad."""
        try:
            return read(*arguments)
        except Malformed as fault:
            self.note(fault)
            return None


def quoted(value: object) -> str:
    """Quote a value for a fault: a string in quotation marks, others as JSON; at most 60 characters."""
    try:
        text = f"“{value}”" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "…"
    return text if len(text) <= 60 else text[:57] + "…"


def _text(value: object, pointer: str) -> str:
    """A string without control characters or lone surrogates."""
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    if not value.isprintable() and (bad := _CONTROL.search(value)):
        raise Malformed("control-character", pointer, found=f"U+{ord(bad[0]):04X}")
    return value


def _tag_text(value: object, pointer: str) -> str:
    """The value of a tag, or a player's name."""
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    try:
        text = read_name(value)
    except NoName as fault:
        raise Malformed(fault.reason, pointer, **fault.values) from None
    if len(value) > MAX_TAG:
        raise Malformed("tag-too-long", pointer, found=len(value), limit=MAX_TAG)
    return text


def _mapping(value: object, pointer: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed("no-object", pointer, found=quoted(value))
    return value


def _list(value: object, pointer: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed("no-list", pointer, found=quoted(value))
    return value


def escape(key: str) -> str:
    """A key as a part of a JSON pointer."""
    return key if key.isalnum() else key.replace("~", "~0").replace("/", "~1")


def is_date(value: str) -> bool:
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


# -- events ------------------------------------------------------------------------------------------


def verbs() -> list[str]:
    """Every verb of TGN but `play`: those of all games."""
    return sorted({verb for info in games() for verb in info.verbs} - {"play"})


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
    return name + colon + (argument.upper() if len(argument) == 1 else argument)


# Pure tables of pack and seating, for cards in canonical spelling. Without them a card takes 1 µs, not 0.05.
@cache
def _pack_cards(size: int) -> dict[str, int]:
    """Code → index of each card of a pack."""
    return {code: i for code, i in INDEX.items() if pack(size) >> i & 1}


@cache
def _plays(size: int) -> dict[str, dict[str, Event]]:
    """Seat → card of a pack → the event of playing it."""
    return {seat: {code: (seat, "play", code) for code in _pack_cards(size)} for seat in SEATS}


@cache
def trick_plays(info: GameInfo, number: int, dealer: str) -> dict[str, tuple[dict[str, Event], ...]]:
    """Leader → for each seat of his trick: card → the event of playing it."""
    turns, known = info.seating(number, dealer).turns, _plays(info.pack)
    return {leader: tuple(known[seat] for seat in turn) for leader, turn in turns.items()}


def _card_argument(word: str, info: GameInfo, pointer: str, strict: bool, event: int) -> str:
    """The canonical spelling of a card in another spelling. A word that is no card stays, in lower case, for
    the clauses to check, unless `strict`."""
    found = _PLAYED.fullmatch(word)
    base, qualifier = found.groups() if found else (word, None)
    card = parse_card(base)
    if card is not None and pack(info.pack) >> card & 1:
        if qualifier is None:
            return CARDS[card]
        return f"{CARDS[card]}({qualifier.upper() if len(qualifier) == 1 else qualifier.lower()})"
    if card is not None or looks_like_card(base):
        raise Malformed("not-in-pack", pointer, event=event, found=quoted(word), pack=info.pack, game=info.id)
    if strict:
        raise Malformed("no-card", pointer, event=event, found=quoted(word))
    return word.lower()


# A pure table of the game. Without it an event that is no play takes 1 µs more.
@cache
def _vocabulary(info: GameInfo) -> frozenset[str]:
    """The words in the facts of a game: seats, verbs, items and cards."""
    return frozenset((*SEATS, *info.verbs, *info.items, *_pack_cards(info.pack)))


def _are_words(words: list[Any], info: GameInfo) -> bool:
    """Whether these are certainly words, two or more."""
    try:
        if _vocabulary(info).issuperset(words):
            return len(words) > 1
        joined = " ".join(words)
    except TypeError:
        return False
    return joined.count(" ") == len(words) - 1 and _WORDS.fullmatch(joined) is not None


def _words(raw: object, number: int) -> list[str]:
    """The words of an event that `_are_words` does not accept; Malformed if one is no word."""
    pointer = f"/events/{number}"
    words = _list(raw, pointer)
    for i, word in enumerate(words):
        if not _WORD.fullmatch(_text(word, f"{pointer}/{i}")):
            raise Malformed("no-word", f"{pointer}/{i}", event=number, found=quoted(word))
    if len(words) < 2:
        raise Malformed("no-verb", pointer, event=number)
    return words


def _seat_and_verb(words: list[str], number: int, info: GameInfo, seats: tuple[str, ...]) -> tuple[str, str]:
    """Seat and verb of an event in canonical case; the verb may belong to another game."""
    seat, verb = words[0].upper(), words[1].lower()
    if seat not in seats:
        expected = " ".join(seats)
        raise Malformed(
            "unknown-seat", f"/events/{number}", event=number, found=quoted(words[0]), expected=expected
        )
    if verb not in info.verbs and verb != "play" and verb not in verbs():
        expected = " ".join(verbs())
        raise Malformed(
            "unknown-verb", f"/events/{number}", event=number, found=quoted(words[1]), expected=expected
        )
    return seat, verb


def _event(raw: object, number: int, info: GameInfo, seats: tuple[str, ...], faults: Faults) -> Event:
    """One event in canonical form; Malformed if TGN does not have its seat or verb. Cards that are not in the
    pack are added to the faults."""
    if type(raw) is list and len(raw) == 2 and raw[0] in seats and raw[1] in info.verbs:
        return (raw[0], raw[1])
    words = raw if isinstance(raw, list) and _are_words(raw, info) else _words(raw, number)
    if len(words) > MAX_WORDS:
        where = f"/events/{number}"
        raise Malformed("event-too-long", where, event=number, found=len(words), limit=MAX_WORDS)
    seat, verb = words[0], words[1]
    if seat not in seats or verb not in info.verbs:
        seat, verb = _seat_and_verb(words, number, info, seats)
    arguments = words[2:]
    if verb in ("play", "discard", "call"):
        cards = _pack_cards(info.pack)
        strict = verb == "play"
        arguments = [
            w
            if w in cards
            else faults.attempt(_card_argument, w, info, f"/events/{number}/{i}", strict, number) or w
            for i, w in enumerate(arguments, 2)
        ]
        if verb == "discard":
            arguments.sort(key=lambda w: INDEX.get(w, len(INDEX)))
    elif verb == "announce":
        arguments = [w if w in info.items else _item(w) for w in arguments]
        if len(arguments) > 1:
            arguments.sort(key=lambda w: item_key(w, info.items))
    elif verb == "level" or verb == "bid":
        arguments = [w.lower() for w in arguments]
    else:
        # No argument is legal here; a card stays a card, so that the finding can name it.
        arguments = [CARDS[INDEX[w.upper()]] if w.upper() in INDEX else w.lower() for w in arguments]
    return (seat, verb, *arguments)


def _events(value: object, info: GameInfo, seats: tuple[str, ...], faults: Faults) -> list[Event]:
    raw_events = _list(value, "/events")
    if len(raw_events) > MAX_EVENTS:
        raise Malformed(
            "too-many-events",
            f"/events/{MAX_EVENTS}",
            event=MAX_EVENTS,
            found=len(raw_events),
            limit=MAX_EVENTS,
        )
    cards = _plays(info.pack)
    events = raw_events[:]
    for number, raw in enumerate(raw_events):
        # Nearly all events are cards in canonical spelling; the text reader has their events already.
        if type(raw) is tuple:
            continue
        if type(raw) is list and len(raw) == 3 and raw[1] == "play" and _is_known(raw, cards, seats):
            events[number] = cards[raw[0]][raw[2]]
        else:
            try:
                events[number] = _event(raw, number, info, seats, faults)
            except Malformed as fault:
                faults.note(fault)
    return events


def _is_known(raw: list[Any], cards: dict[str, dict[str, Event]], seats: tuple[str, ...]) -> bool:
    """Whether a play is by one of the seats and of a card of the pack, both in canonical spelling."""
    seat, _, card = raw
    return type(card) is str and seat in seats and card in cards[seat]


# -- the rest ----------------------------------------------------------------------------------------


def _players(value: object, info: GameInfo, faults: Faults) -> dict[str, str] | None:
    """Seat → name; None if faults leave the seats open."""
    given = _mapping(value, "/players")
    names = {}
    for key, name in given.items():
        try:
            if key not in SEAT_TAGS:
                raise Malformed("no-seat", f"/players/{escape(key)}", found=quoted(key))
            names[key] = ""
            names[key] = _tag_text(name, f"/players/{key}")
        except Malformed as fault:
            faults.note(fault)
    number = len(names)
    if number < len(given) or "/players" in faults.unread:
        return None
    if number not in info.seats:
        expected = _or(info.seats)
        raise Malformed("wrong-number-of-seats", "/players", found=number, expected=expected, game=info.id)
    letters = info.seat_letters(number)
    for letter in letters:
        if letter not in names:
            raise Malformed("seat-missing", "/players", seat=letter, expected=" ".join(letters))
    return {letter: names[letter] for letter in letters}


def _or(numbers: tuple[int, ...]) -> str | list[str]:
    return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 2 else [str(number) for number in numbers]


def _options(value: object, info: GameInfo, faults: Faults) -> tuple[str, ...]:
    given = _list(value, "/options")
    for i, option in enumerate(given):
        faults.attempt(_check_option, option, i, given[:i], info)
    return () if faults.found else tuple(sorted(given))


def _check_option(value: object, number: int, before: list[Any], info: GameInfo) -> None:
    pointer = f"/options/{number}"
    option = _text(value, pointer)
    if option not in info.options:
        expected = " ".join(info.options) or "–"
        raise Malformed("unknown-option", pointer, found=quoted(option), game=info.id, expected=expected)
    if option in before:
        raise Malformed("option-twice", pointer, found=quoted(option))


def _tags(value: object, faults: Faults) -> dict[str, str]:
    given = _mapping(value, "/tags")
    if len(given) > MAX_TAGS:
        name = list(given)[MAX_TAGS]
        raise Malformed("too-many-tags", f"/tags/{escape(name)}", found=len(given), limit=MAX_TAGS)
    found: dict[str, str] = {}
    for name, content in given.items():
        try:
            proper = name if name in _PLAIN_TAGS and name not in found else _proper_tag(name, found)
            text = _tag_text(content, f"/tags/{name}")
            if proper == "Date" and not is_date(text):
                raise Malformed("no-date", f"/tags/{name}", found=quoted(text))
            if proper == "Deal" and not (
                text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0
            ):
                raise Malformed("no-deal-number", f"/tags/{name}", found=quoted(text))
            found[proper] = text
        except Malformed as fault:
            faults.note(fault)
    known = {name: found.pop(name) for name in OPTIONAL_TAGS if name in found}
    return known | {name: found[name] for name in sorted(found)}


def _proper_tag(name: str, found: dict[str, str]) -> str:
    """The name of a tag in any case; Malformed if it may not be given here."""
    pointer = f"/tags/{escape(name)}"
    if not TAG_NAME.fullmatch(name):
        raise Malformed("tag-name", pointer, found=quoted(name))
    proper: str = KNOWN_TAGS.get(name.lower(), name)
    if proper in STRUCTURAL_TAGS or proper in SEAT_TAGS:
        raise Malformed("tag-elsewhere", pointer, found=proper)
    if proper.lower() in map(str.lower, found):
        raise Malformed("tag-twice", pointer, found=proper)
    return proper


def _deal(
    value: object, info: GameInfo, number: int, dealer: str, faults: Faults
) -> dict[str, tuple[str, ...]]:
    given = _mapping(value, "/deal")
    clause = info.deal_clause(number)
    places = info.places(number, dealer)
    sizes = dict(places)
    if stock := info.stock.get(number):
        # It follows from the rest, and is not stored. If it is given, it must be complete.
        sizes["stock"] = stock
    cards = _pack_cards(info.pack)
    dealt: dict[str, list[int]] = {}
    everything: set[int] = set()
    #: Places with a bad card or one dealt twice: their number of cards is not checked.
    spoilt: set[str] = set()
    for key, codes in given.items():
        if key not in sizes:
            pointer, expected = f"/deal/{escape(key)}", " ".join(place for place, _ in places)
            faults.unread.add("/deal")
            faults.note(
                Malformed("unknown-place", pointer, clause=clause, found=quoted(key), expected=expected)
            )
            continue
        try:
            hand = list(map(getitem, repeat(cards), codes))
        except (KeyError, TypeError):
            hand, sound = _hand(codes, info, clause, f"/deal/{escape(key)}", faults)
            if not sound:
                spoilt.add(key)
        before = len(everything)
        everything.update(hand)
        if len(everything) - before != len(hand):
            spoilt |= {key, *_note_dealt_twice(dealt, key, hand, clause, faults)}
        dealt[key] = hand
    result = {}
    for where, size in sizes.items():
        if where not in dealt:
            if where != "stock" and "/deal" not in faults.unread:
                faults.note(Malformed("place-missing", "/deal", clause=clause, place=where, expected=size))
            continue
        hand = dealt[where]
        if len(hand) != size and where not in spoilt:
            pointer, found = f"/deal/{escape(where)}", len(hand)
            faults.note(
                Malformed("wrong-size", pointer, clause=clause, found=found, place=where, expected=size)
            )
        if where == "stock":
            continue
        if not ("/" in where or (where == "talon" and info.ordered_talon)):
            hand.sort()
        result[where] = tuple(map(getitem, repeat(CARDS), hand))
    return result


def _hand(codes: object, info: GameInfo, clause: str, pointer: str, faults: Faults) -> tuple[list[int], bool]:
    """The cards of a place in any spelling, without those that are no cards; and whether all words are
    cards."""
    words = faults.attempt(_list, codes, pointer)
    if words is None:
        return [], False
    cards = [
        faults.attempt(_dealt_card, code, info, clause, f"{pointer}/{i}") for i, code in enumerate(words)
    ]
    return [card for card in cards if card is not None], None not in cards


def _note_dealt_twice(
    dealt: dict[str, list[int]], place: str, hand: list[int], clause: str, faults: Faults
) -> set[str]:
    """Add a fault for each card of a place that was dealt before. Returns the earlier places."""
    before = set()
    owner = {card: where for where, cards in dealt.items() for card in cards}
    for i, card in enumerate(hand):
        if card in owner:
            before.add(owner[card])
            pointer = f"/deal/{escape(place)}/{i}"
            faults.note(Malformed("dealt-twice", pointer, clause=clause, card=CARDS[card], place=owner[card]))
        else:
            owner[card] = place
    return before


def _dealt_card(code: object, info: GameInfo, clause: str, pointer: str) -> int:
    """The index of a card in any spelling."""
    card = parse_card(_text(code, pointer))
    if card is None or not pack(info.pack) >> card & 1:
        raise Malformed(
            "not-in-pack",
            pointer,
            clause=clause,
            found=quoted(code),
            pack=info.pack,
            game=info.id,
        )
    return card


def _comments(value: object, events: int, faults: Faults) -> dict[int, list[str]]:
    given = _mapping(value, "/comments")
    found: dict[int, list[str]] = {}
    number = 0
    for key, texts in given.items():
        pointer = f"/comments/{escape(key)}"
        if not (
            key.isascii() and key.isdigit() and len(key) < 7 and int(key) <= events and str(int(key)) == key
        ):
            faults.note(Malformed("no-number-of-events", pointer, found=quoted(key), expected=events))
            continue
        cleaned = []
        for i, text in enumerate(faults.attempt(_list, texts, pointer) or ()):
            words = faults.attempt(_comment, text, f"{pointer}/{i}")
            number += 1
            if number > MAX_COMMENTS:
                raise Malformed("too-many-comments", f"{pointer}/{i}", limit=MAX_COMMENTS)
            if words:
                cleaned.append(words)
        if cleaned:
            found[int(key)] = cleaned
    return dict(sorted(found.items()))


def _comment(value: object, pointer: str) -> str:
    if not isinstance(value, str):
        raise Malformed("no-string", pointer, found=quoted(value))
    words = _BLANK.sub(" ", value).strip()
    if "}" in words:
        raise Malformed("brace-in-comment", pointer)
    words = _text(words, pointer)
    if len(words) > MAX_COMMENT:
        raise Malformed("comment-too-long", pointer, found=len(words), limit=MAX_COMMENT)
    return words


def _score(value: object, seats: tuple[str, ...], faults: Faults) -> dict[str, int]:
    given = _mapping(value, "/score")
    points, unknown = {}, False
    for key, number in given.items():
        if key not in seats:
            unknown = True
            pointer, expected = f"/score/{escape(key)}", " ".join(seats)
            faults.note(Malformed("unknown-seat", pointer, found=quoted(key), expected=expected))
        elif type(number) is not int or abs(number) > _MAX_SCORE:
            faults.note(Malformed("no-points", f"/score/{key}", found=quoted(number)))
        else:
            points[key] = number
    for seat in seats:
        if seat not in given and not unknown:
            faults.note(Malformed("score-missing", "/score", seat=seat))
    return {} if faults.found else {seat: points[seat] for seat in seats}


def _game(value: object) -> GameInfo:
    name = _text(value, "/game")
    if name not in GAMES:
        raise Malformed("unknown-game", "/game", found=quoted(name), expected=" ".join(GAMES))
    return GAMES[name].info


def _dealer(value: object, seats: tuple[str, ...]) -> str:
    dealer = _text(value, "/dealer")
    if dealer not in seats:
        raise Malformed("unknown-dealer", "/dealer", found=quoted(dealer), expected=" ".join(seats))
    return dealer


def any_dealer(info: GameInfo, number: int) -> str | None:
    """A seat in place of an unreadable dealer: if nobody sits out, places and turns do not depend on the
    dealer. None if they do."""
    return SEATS[0] if info.sits_out.get(number) is None else None


def interpret(value: object, faults: Faults | None = None) -> Record | None:
    """The record of a JSON form, in canonical form; None if there are faults, which are added to `faults`."""
    faults = faults or Faults()
    form = faults.attempt(_mapping, value, "")
    if form is None:
        return None
    for key in form:
        if key not in KEYS:
            expected = " ".join(KEYS)
            faults.note(Malformed("unknown-key", f"/{escape(key)}", found=quoted(key), expected=expected))
    # A key that is missing may be the one that is unknown.
    if not (faults.found or form.keys() >= _NEEDED):
        for key in KEYS:
            if key in _NEEDED and key not in form:
                faults.note(Malformed("key-missing", "", key=key))
    info = players = dealer = options = deal = events = None
    seats: tuple[str, ...] = ()
    version, given = form.get("tgn", 1), form.get("events")
    if type(version) is not int or version != 1:
        faults.note(Malformed("unknown-version", "/tgn", found=quoted(version)))
    # Each of these needs the one before it. (To begin a try costs nothing.)
    try:
        if "game" in form:
            info = _game(form["game"])
        if info and "players" in form:
            players = _players(form["players"], info, faults)
        if players:
            seats = tuple(players)
            dealer = _dealer(form["dealer"], seats) if "dealer" in form else None
    except Malformed as fault:
        faults.note(fault)
    if info:
        options = faults.attempt(_options, form.get("options", []), info, faults)
    tags = faults.attempt(_tags, form.get("tags", {}), faults)
    if info and seats:
        anybody = dealer or any_dealer(info, len(seats))
        if anybody and "deal" in form:
            deal = faults.attempt(_deal, form["deal"], info, len(seats), anybody, faults)
        if "events" in form:
            events = faults.attempt(_events, given, info, seats, faults)
    comments = form.get("comments", {})
    if comments != {} and isinstance(given, list):
        comments = faults.attempt(_comments, comments, len(given), faults)
    score = faults.attempt(_score, form["score"], seats, faults) if seats and "score" in form else None
    if faults.found:
        return None
    assert info
    assert players
    assert dealer
    assert options is not None
    assert tags is not None
    assert deal is not None
    assert events is not None
    return Record(info, dealer, players, options, tags, deal, events, comments, score)
