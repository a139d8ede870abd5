"""The quick reader of the text form: records in canonical shape, many at once.

It looks at whole lines and at all their cards together; what surprises it, it leaves to the careful reader in
`tarock.notation.text`, which says what is wrong. The two agree on everything that this one takes; tests hold
them to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tarock.cards import CARDS, FIRST_CARD, INDEX, SUITS, indices, names, pack, pick, placed
from tarock.games.info import INFO, SEATS, GameInfo, Seating, seating
from tarock.notation.interpret import KNOWN_TAGS, OPTIONAL_TAGS, SEAT_TAGS, check_date, item_key
from tarock.record import Event, Record, TagNames, Tricks


@cache
def order_from(active: tuple[str, ...], seats: tuple[str, ...], leader: str) -> tuple[str, ...]:
    """The seats of one trick in order, beginning with the leader (who may have had no right to lead)."""
    at = seats.index(leader)
    around = seats[at:] + seats[:at]
    return (leader, *[s for s in around if s in active and s != leader][: len(active) - 1])


def read_quickly(chunks: Sequence[str]) -> list[Record | None]:
    """The records of texts that have one each and begin with its first tag; None for each that is in any way
    out of the ordinary."""
    # Step by step, for all of them: a processor is faster at doing the same again than something new.
    tags = [_tags(chunk) for chunk in chunks]
    drafts = [
        _draft(chunk, tag) if tag is not None else None for chunk, tag in zip(chunks, tags, strict=True)
    ]
    found: list[Record | None] = [None] * len(chunks)
    alike: dict[int, list[tuple[int, _Draft]]] = {}
    for n, draft in enumerate(drafts):
        if draft is not None:
            alike.setdefault(id(draft[1]), []).append((n, draft))
    for group in alike.values():
        form = group[0][1][1]
        cards = _read_cards([draft[2] for _, draft in group], form)
        for k, (n, draft) in enumerate(group):
            # One of them is not what it seems; each for itself, then.
            row = cards[k : k + 1] if cards is not None else _read_cards([draft[2]], form)
            if row:
                found[n] = _record(draft, *row[0])
    return found


#: The tags of a record: their shape, the table's layout, their values without that of `TGN`, the options, and
#: where they end.
_Tags = tuple["_Shape", "_Layout", list[str], tuple[str, ...], int]


def _tags(chunk: str) -> _Tags | None:
    """Reads the tags of a record; None if anything is out of the ordinary."""
    end = chunk.find("\n\n")
    if end < 0:
        return None
    # What stands at odd places between the quotation marks are values.
    head = chunk[:end]
    pieces = head.split('"') if "\\" not in head else _unquoted_pieces(head)
    around = '"'.join(pieces[::2])
    shape = _SHAPES.get(around) or _shape(around)
    if shape is None or len(pieces) != shape.pieces or pieces[1] != "1":
        return None
    values = pieces[3::2]
    if not ("".join(values).isprintable() or all(map(_VALUE.fullmatch, values))):
        return None
    number = shape.number
    layout = _layout(values[0], number, values[number + 1])
    if (
        layout is None
        or (shape.date and not check_date(values[shape.date]))
        or (shape.deal and not _DEAL.fullmatch(values[shape.deal]))
        or (shape.score and not _claims(number).fullmatch(values[shape.score]))
    ):
        return None
    options: tuple[str, ...] = ()
    if shape.options:
        options = tuple(sorted(values[shape.options].split(" ")))
        if not layout.options.issuperset(options) or len(set(options)) != len(options):
            return None
    return shape, layout, values, options, end + 2


#: A record of which all has been read but the cards: its tags; what its lines of cards are to look like, and
#: these themselves; what was said before the play, or all events; and whether the lines have the whole play.
_Draft = tuple[_Tags, "_Form", bytes, list[Event], bool]


def _draft(chunk: str, tags: _Tags) -> _Draft | None:
    """Reads what is said in a record; None if anything is out of the ordinary."""
    _, layout, _, _, end = tags
    body = chunk[end:]
    # The deal lines end with that of the last place; the first trick begins after what was said.
    said = body.find("\n", body.find(layout.talon)) + 1
    play = body.find("\n1. ", said - 1) + 1
    try:
        if play:
            raw = (body[:said] + body[play:] + _END).encode()
            if raw.translate(None, _CAPITALS) == layout.whole.shape:
                lines = body[said : play - 1].split("\n") if play > said else []
                return tags, layout.whole, raw, [layout.known[line] for line in lines], True
        raw = (body[:said] + _END).encode()
        if raw.translate(None, _CAPITALS) != layout.deal.shape:
            return None
        events = _mixed(body[said:].split("\n"), layout)
    except (KeyError, ValueError, IndexError):
        return None
    return (tags, layout.deal, raw, events, False) if events is not None else None


#: Card byte → code.
_CODES = [""] * FIRST_CARD + list(CARDS)


def _record(draft: _Draft, cards: bytes, seats: bytes) -> Record | None:
    """The record of a draft and its cards; None if they are not the pack."""
    (shape, layout, values, options, _), _, _, events, play = draft
    count = layout.deal.cards
    dealt = cards[:count]
    owners = placed(dealt, layout.dealt)
    # Where no card is left without a place, and there are as many as places, each is there once.
    if owners.translate(None, layout.numbers) != layout.absent:
        return None
    sets = {where: int(owners.translate(digits), 2) for where, digits in layout.places}
    # A card played must be in the pack, whoever holds it.
    played = cards[count:]
    if played.translate(None, layout.known_cards):
        return None
    order = {
        where: tuple([_CODES[card] for card in dealt[first:last]]) for where, first, last in layout.ordered
    }
    number = shape.number
    score = None
    if shape.score:
        score = {claim[0]: int(claim[2:]) for claim in values[shape.score].split(" ")}
    return Record(
        layout.info.id,
        values[number + 1],
        None,
        options,
        None,
        None,
        None,
        None,
        score,
        sets,
        order,
        events,
        Tricks(layout.active, seats, played) if play else None,
        shape.names,
        values,
        layout.seating,
    )


# -- the tags ---


class _Shape(NamedTuple):
    """The tags of a canonical head: how many seats; in how many `pieces` their quotation marks cut it; and
    where among the values without the first one those of the other tags stand (0: no such tag). First comes
    the game, then the players and the dealer."""

    number: int
    pieces: int
    options: int
    date: int
    deal: int
    score: int
    names: TagNames


#: So many are remembered at the most: of heads, and of event lines.
_MOST_SHAPES = 500
_MOST_KNOWN = 10_000
#: Heads met before, by all that stands around their values; the same tags come again and again.
_SHAPES: dict[str, _Shape] = {}
_AROUND = re.compile(r"(?:\]\n)?\[([A-Za-z][A-Za-z0-9_-]*) ")
_VALUE = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]*")
_DEAL = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


@cache
def _claims(number: int) -> re.Pattern[str]:
    """What a canonical claim of so many seats looks like."""
    return re.compile(" ".join(rf"{seat}=-?[0-9]{{1,9}}" for seat in SEATS[:number]), re.ASCII)


def _unquoted_pieces(head: str) -> list[str]:
    """What the quotation marks of a head leave between them, those set behind a backslash read as what they
    stand for; nothing if there is no telling."""
    if "\1" in head or "\2" in head:
        return []
    escaped = head.replace("\\\\", "\1").replace('\\"', "\2")
    if "\\" in escaped:
        return []
    return [piece.replace("\2", '"').replace("\1", "\\") for piece in escaped.split('"')]


def _shape(around: str) -> _Shape | None:
    """The shape of a head by what stands around its values (with one quotation mark for each), or None if its
    tags are not all in canonical order."""
    form = around.split('"')
    found = [_AROUND.fullmatch(piece) for piece in form[:-1]]
    names = [f[1] for f in found if f is not None]
    if (
        not names
        or len(names) != len(found)
        or form[-1] != "]"
        or form[0][0] != "["
        or not all(piece.startswith("]\n[") for piece in form[1:-1])
        or len({n.lower() for n in names}) != len(names)
    ):
        return None
    number = sum(name in SEAT_TAGS for name in names)
    fixed = ("TGN", "Game", *SEATS[:number], "Dealer")
    known = (*OPTIONAL_TAGS[:-1], "Options", "Score", OPTIONAL_TAGS[-1])
    rest = names[len(fixed) :]
    strange = [name for name in rest if name not in known]
    if any(name.lower() in KNOWN_TAGS for name in strange):
        return None
    if names != [*fixed, *(name for name in known if name in rest), *sorted(strange)]:
        return None
    at = {name: n for n, name in enumerate(names[1:])}
    found_at = TagNames(
        tuple((seat, at[seat]) for seat in SEATS[:number]),
        tuple((name, at[name]) for name in rest if name not in ("Options", "Score")),
    )
    options, date, deal, score = [at.get(name, 0) for name in ("Options", "Date", "Deal", "Score")]
    shape = _Shape(number, 2 * len(names) + 1, options, date, deal, score, found_at)
    if len(_SHAPES) >= _MOST_SHAPES:
        _SHAPES.clear()
    _SHAPES[around] = shape
    return shape


# -- the lines of cards ---


class _Form(NamedTuple):
    """What canonical lines of cards look like.

    `shape`: what is left of the lines without capitals and digits; `length`: theirs in bytes, if each card
    were two characters wide; `words`: how many they have, `cards`: how many of these are cards; `heads`: for
    each of the first three characters of the other words what must be there under a mask, the words side by
    side; `leaders`: a mask for the leaders of the tricks; `players`: for each card of a trick the letter of
    the leader → the place of who plays it, or `_NOBODY`.
    """

    shape: bytes
    length: int
    words: int
    cards: int
    heads: tuple[tuple[int, int], ...]
    leaders: int
    players: tuple[bytes, ...]


_NOBODY = 255


@cache
def _form(
    deal: tuple[tuple[str, int], ...], seats: tuple[str, ...], active: tuple[str, ...], tricks: int
) -> _Form:
    """The form of deal lines, and of trick lines after them."""
    lines = [["deal", where, *["##"] * count] for where, count in deal]
    lines += [[f"{number}.", "@", *["##"] * len(active)] for number in range(1, tricks + 1)]
    text = "".join(" ".join(line) + "\n" for line in lines) + _END
    # Of a word that is but one letter, the blank after it is looked at, too.
    words = [*(word + " " for line in lines for word in line), _END]

    def column(at: int) -> tuple[int, int]:
        found = [word[at] if len(word) > at else "#" for word in words]
        mask = bytes(
            0 if word[0] == "#" or char in "#@" else 255 for word, char in zip(words, found, strict=True)
        )
        row = int.from_bytes(mask, "little")
        return int.from_bytes("".join(found).encode(), "little") & row, row

    def player(at: int) -> bytes:
        places = {ord(s): active.index(order_from(active, seats, s)[at]) for s in active}
        return bytes(places.get(byte, _NOBODY) for byte in range(256))

    return _Form(
        text.encode().translate(None, _CAPITALS + b"#@"),
        len(text),
        len(words),
        text.count("##"),
        (column(0), column(1), column(2)),
        int.from_bytes(bytes(255 if word[0] == "@" else 0 for word in words), "little"),
        tuple(player(at) for at in range(len(active))) if tricks else (),
    )


#: Set after the lines, so that each word has two characters after its first.
_END = "~~~\n"
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SEPARATORS = bytes(255 if byte in b" \n" else 0 for byte in range(256))
#: The first three characters of a word → numbers. For each card their sum is another; a word that is no card
#: may have the sum of one only if it is wider than the card.
_FIRST = {suit: 40 * n for n, suit in enumerate(SUITS, 1)}
_SECOND = {rank: n for n, rank in enumerate("KQCJ03456789", 1)} | {"1": 23, "2": 33}
_THIRD = {str(digit): 13 + digit for digit in range(10)}
_NUMBERED = [bytes(numbers.get(chr(byte), 0) for byte in range(256)) for numbers in (_FIRST, _SECOND, _THIRD)]
#: The sum → the byte of the card, 0 if there is none; and 1 for the cards of three characters.
_SUMS = {
    sum(numbers[char] for numbers, char in zip((_FIRST, _SECOND, _THIRD), card, strict=False)): card
    for card in CARDS
}
_CARD_BYTES = bytes(FIRST_CARD + INDEX[_SUMS[byte]] if byte in _SUMS else 0 for byte in range(256))
_WIDE = bytes(len(_SUMS.get(byte, "")) == 3 for byte in range(256))


@lru_cache(200)
def _heads(form: _Form, number: int) -> tuple[list[tuple[int, int]], int]:
    """The `heads` and `leaders` of so many texts of a form after one another."""
    times = int.from_bytes((b"\1" + bytes(form.words - 1)) * number, "little")
    return [(wanted * times, mask * times) for wanted, mask in form.heads], form.leaders * times


def _read_cards(texts: Sequence[bytes], form: _Form) -> list[tuple[bytes, bytes]] | None:
    """For each of some texts of the same form and of its shape the cards as bytes, and the places of who
    played them; or None if one of them is not canonical."""
    raw = b"".join(texts)
    length, number = len(raw), len(texts)
    heads, leads = _heads(form, number)
    count = form.words * number
    whole = int.from_bytes(raw, "little")
    # The first characters of all words, then the second ones, then the third.
    starts = int.from_bytes(raw.translate(_SEPARATORS), "little") << 8 | 255
    total = leaders = 0
    for column, (wanted, mask) in enumerate(heads):
        letters = (whole >> 8 * column & starts).to_bytes(length, "little").translate(None, b"\0")
        if len(letters) != count:
            return None
        row = int.from_bytes(letters, "little")
        if row & mask != wanted:
            return None
        total += int.from_bytes(letters.translate(_NUMBERED[column]), "little")
        if not column:
            leaders = row & leads
    sums = total.to_bytes(count, "little")
    cards = sums.translate(_CARD_BYTES).translate(None, b"\0")
    # Every word is as wide as it must be, if all together are.
    if len(cards) != form.cards * number or form.length * number + sums.translate(_WIDE).count(1) != length:
        return None
    led = leaders.to_bytes(count, "little").translate(None, b"\0")
    size = len(form.players)
    seats = bytearray(size * len(led))
    for place, following in enumerate(form.players):
        seats[place::size] = led.translate(following)
    if _NOBODY in seats:
        return None
    cut, each = form.cards, len(seats) // number
    return [(cards[n * cut : (n + 1) * cut], bytes(seats[n * each : (n + 1) * each])) for n in range(number)]


# -- the table ---


class _Layout(NamedTuple):
    """What canonical move lines must look like at one table.

    `deal`: the form of the deal lines, `whole` of these with a full row of tricks; `talon`: how the last deal
    line begins; `dealt`: the place of each card dealt, in the order of the lines, `places` names them with
    what picks theirs (`pick`), `ordered` those whose order matters with their cards in the row;
    `known_cards`: all cards as bytes, `absent`: what is left of a right deal without the bytes of the places,
    `numbers`; `turns`: leader → the seats of a trick; `tokens`: what may be played.
    """

    info: GameInfo
    seats: tuple[str, ...]
    active: tuple[str, ...]
    seating: Seating
    options: frozenset[str]
    deal: _Form
    whole: _Form
    talon: str
    dealt: bytes
    places: tuple[tuple[str, bytes], ...]
    ordered: tuple[tuple[str, int, int], ...]
    known_cards: bytes
    absent: bytes
    numbers: bytes
    turns: dict[str, tuple[str, ...]]
    tokens: frozenset[str]
    known: _Known


class _Known(dict[str, Event]):
    """Event line → event. What is said at a table is said again and again: each line is looked into once,
    long discards excepted. KeyError for a line that is not canonical."""

    def __init__(self, info: GameInfo, seats: tuple[str, ...], cards: set[str]) -> None:
        super().__init__()
        self.info, self.seats, self.cards = info, seats, cards

    def __missing__(self, line: str) -> Event:
        event = _event(line, self)
        if event is None:
            raise KeyError(line)
        if (len(event) <= 3 or event[1] == "announce") and len(self) < _MOST_KNOWN:
            self[line] = event
        return event


@cache
def _layout(game: str, number: int, dealer: str) -> _Layout | None:
    """The layout at a table of a game, or None if there is no such game, table or dealer."""
    info = INFO.get(game)
    if info is None or number not in info.seats or dealer not in info.seat_letters(number):
        return None
    seats, active = info.seat_letters(number), info.active(number, dealer)
    places = info.places(number, dealer)
    spans: list[tuple[str, int, int]] = []
    for where, count in places:
        first = spans[-1][2] if spans else 0
        spans.append((where, first, first + count))
    whole = pack(info.pack)
    in_pack = bytes(FIRST_CARD + card for card in indices(whole))
    tricks = info.hands[number] + info.piles * info.pile_size
    tokens = set(names(whole))
    if info.pack == 78:
        tokens |= {f"T0({suit})" for suit in SUITS}
    if info.piles:
        tokens |= {"T17(ros)", "T18(topschin)"}
    return _Layout(
        info,
        seats,
        active,
        seating(game, number, dealer),
        frozenset(info.options),
        _form(places, seats, active, 0),
        _form(places, seats, active, tricks),
        f"deal {places[-1][0]} ",
        bytes(n for n, (_, count) in enumerate(places) for _ in range(count)),
        tuple((where, pick(n)) for n, (where, _) in enumerate(places)),
        tuple(s for s in spans if "/" in s[0] or (s[0] == "talon" and info.ordered_talon)),
        in_pack,
        placed(in_pack, bytes(len(in_pack))).translate(None, b"\0"),
        bytes(range(len(places))),
        {seat: order_from(active, seats, seat) for seat in seats},
        frozenset(tokens),
        _Known(info, seats, tokens),
    )


# -- the events ---

_PLAIN_VERBS = frozenset(["pass", "take", "solo", "varsava", "alone", "refuse", "surrender"])
_WORD_VERBS = {
    "bid": frozenset(["first", "second", "troika", "solo"]),
    "level": frozenset(["1", "2", "3"]),
}
_NUMBERS = [f"{n}." for n in range(1, 100)]
_ITEM = re.compile(r"[a-z-]+(?::(?:[A-Z0-9]|[a-z0-9-]{2,}))?")


def _event(line: str, table: _Known) -> Event | None:
    """The event of a canonical event line, or None; KeyError for a card that there is not."""
    words = line.split(" ")
    if words[0] not in table.seats or len(words) < 2:
        return None
    verb = words[1]
    if verb == "discard" or verb == "call":
        if not table.cards.issuperset(words[2:]):
            return None
        if verb == "discard" and len(words) > 3:
            words[2:] = sorted(words[2:], key=INDEX.__getitem__)
        return tuple(words)
    if verb in _PLAIN_VERBS:
        return (words[0], verb) if len(words) == 2 else None
    if verb == "announce":
        if not all(map(_ITEM.fullmatch, words[2:])):
            return None
        items = table.info.items
        ranks = _item_ranks(items)
        if len(words) > 3:
            said = sorted(words[2:], key=lambda w: item_key(w, items))
            return (words[0], verb, *said) if all(i.partition(":")[0] in ranks for i in said) else None
        return tuple(words) if len(words) == 2 or words[2].partition(":")[0] in ranks else None
    if verb not in _WORD_VERBS or len(words) != 3 or words[2] not in _WORD_VERBS[verb]:
        return None
    return tuple(words)


def _mixed(lines: list[str], layout: _Layout) -> list[Event] | None:
    """The events of a deal whose play is not a full row of trick lines: none at all, broken off, too long, or
    with words between tricks; None or KeyError for a line that is not canonical."""
    events: list[Event] = []
    tricks = 0
    short = False
    if lines[-1] == "":
        lines.pop()
    for line in lines:
        if not line:
            return None
        if short:
            return None
        if line[0] in layout.seats:
            events.append(layout.known[line])
            continue
        words = line.split(" ")
        size = len(layout.active)
        if words[0] != _NUMBERS[tricks] or not 3 <= len(words) <= size + 2:
            return None
        tricks += 1
        turn = layout.turns[words[1]]
        for seat, token in zip(turn, words[2:], strict=False):
            if token not in layout.tokens:
                return None
            events.append((seat, "play", token))
        short = len(words) < size + 2
    return events


@cache
def _item_ranks(items: tuple[str, ...]) -> frozenset[str]:
    return frozenset(i.partition(":")[0] for i in items)
