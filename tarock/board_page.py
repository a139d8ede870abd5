"""What the page of the board needs of the engine, as JSON: the pack, a typed hand, and how a deal stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from tarock import clauses, replay, sentences
from tarock.board import Announcements, Board, board
from tarock.cards import HAND_ORDER, in_hand_order, names, pack, parse_card
from tarock.findings import Finding, NotationError
from tarock.fold import fold
from tarock.frame import frame_json, table_json, words_json
from tarock.game import SEATS
from tarock.move_list import groups_json, move_groups
from tarock.naming import PlayerNames, card_name, card_short, label
from tarock.notation import read_value, write_json
from tarock.notation.events import PLAYED, verbs
from tarock.notation.faults import quoted
from tarock.page_json import (
    Json,
    clause_json,
    finding_json,
    language_of,
    line_json,
    list_in,
    object_in,
    text_of,
)
from tarock.position import DiscardChoice
from tarock.record import Event, Record
from tarock.table_page import table_view
from tarock.verify import warnings
from tarock.written_hand import read_hand

#: A sheet has a line at least.
_ANY_SHEET = {"tags": {"Session": "–", "Deal": "1"}, "sheet": [["points"]]}


# --- before the first event ---------------------------------------------------------------------------------


def start_answer(question: Mapping[str, Any]) -> Json:
    """The places of a deal, and the cards of the pack by suit.

    `game`, `seats`: how many sit at the table; `dealer`: seat; `options`; `language`.

    :raises NotationError: if there is no such table.
    """
    seats = question.get("seats")
    letters = SEATS[:seats] if type(seats) is int and seats > 0 else ""
    table: Json = {"players": dict.fromkeys(letters, ""), "dealer": question.get("dealer")}
    record = _table(question, table)
    language = language_of(question)
    words = clauses.words(record.game, language)
    called = PlayerNames(record.game, {}, language)
    places = [
        {
            "place": place,
            **_place_json(place, words),
            "size": size,
            # Whether the order of its cards matters.
            "ordered": "/" in place or (place == "talon" and record.info.ordered_talon),
        }
        for place, size in record.info.places(len(record.seats), record.dealer)
    ]
    suits = []
    for suit, cards in groupby(in_hand_order(names(pack(record.info.pack))), key=lambda code: code[0]):
        found = [
            {"card": code, "label": card_short(words, code), "name": card_name(words, code)} for code in cards
        ]
        suits.append({"suit": suit, "name": label(called.name("suit", suit)), "cards": found})
    return {"places": places, "suits": suits}


def _table(question: Mapping[str, Any], table: Mapping[str, Any]) -> Record:
    """A record of a game at a table, for what is known before the deal."""
    options = question.get("options") or []
    return read_value({"tgn": 1, "game": question.get("game"), "options": options, **table, **_ANY_SHEET})


def _place_json(place: str, words: Mapping[str, Any]) -> Json:
    """A place by its seat, if it has one, and its name: that of a pile without its seat."""
    seat, _, pile = place.partition("/")
    if pile:
        return {"seat": seat, "name": label(str(words.get("pile", "{pile}")).format(pile=pile))}
    return {"seat": None, "name": label(words["talon"])} if place == "talon" else {"seat": seat, "name": seat}


def hand_answer(question: Mapping[str, Any]) -> Json:
    """The cards of a hand as people write it, and the words of it that are none.

    `game`, `text`, `language`.

    :raises NotationError: if there is no such game, or the text is too long.
    """
    game = question.get("game")
    if not isinstance(game, str) or game not in clauses.book_names() or game == "common":
        values = {"found": quoted(game), "expected": " ".join(clauses.book_names()[1:])}
        raise NotationError(Finding("unknown-game", values, pointer="/game"))
    called = PlayerNames(game, {}, language_of(question))
    hand = read_hand(game, str(question.get("text") or ""), called.language)
    wrong = [
        {"text": one.text, "message": called.sentence(sentences.finding, one.finding)} for one in hand.wrong
    ]
    return {"cards": list(hand.cards), "wrong": wrong}


# --- the deal -----------------------------------------------------------------------------------------------


def board_answer(question: Mapping[str, Any]) -> Json:
    """How a deal stands after the events of its record, and what may come next.

    `record`: the JSON form of the record, with the whole deal and the events so far; `typed`: one event more
    as a text, legal or not (`T20`, `pass`, `B bid solo`), None without one; `later`: events that are only in
    the list of moves, behind the others; `known`: how many of the first events the page has listed, up to the
    end of a group; `language`. The table is drawn by `frame`, `words` and `table`; `groups` has the moves
    from the event `first` on: the first that is not known, or 0. Of a record with an illegal event `finding`
    has its fault, and the table shows that event. `warnings`: one name at two seats, or a date that can't be
    true.

    :raises NotationError: if it is no record, or that of a score sheet.
    """
    form, language = object_in(question, "record"), language_of(question)
    record = read_value(form)
    if record.sheet is not None:
        raise NotationError(Finding("key-missing", {"key": "deal"}, pointer="/record"))
    if isinstance(typed := question.get("typed"), str):
        events = [*record.events, _typed_event(record, typed, language)]
        record = read_value(form | {"events": [list(event) for event in events]})
    later = list_in(question, "later")
    # Of a typed event nothing is later.
    listed = read_value(form | {"events": [*(form.get("events") or []), *later]}) if later else record
    known = question.get("known")
    first = known if type(known) is int and 0 < known <= len(listed.events) else 0
    found = board(record, first=len(record.events) if later else first)
    # Seats without names are called by their letters while the deal is entered.
    called = PlayerNames(record.game, {s: name or s for s, name in record.players.items()}, language)
    steps = replay.run(listed, first)[1] if later else found.steps
    if steps and steps[0].event < first:
        first, steps = 0, replay.run(listed)[1]
    checked, over = found.checked, found.at.over and found.fault is None
    # That a deal has not come to its end is no error here.
    visible = found.at if found.fault else replace(found.at, error=None)
    for after, _ in replay.unjudged(record) if found.fault else ():
        visible = after
    view = table_view(visible, called)
    return {
        "record": write_json(record),
        "table": table_json(view),
        "frame": frame_json(view),
        "words": words_json(view, called),
        "first": first,
        "groups": groups_json(move_groups(steps, called), called),
        "turn": found.at.turn,
        "choices": _choices_json(found.moves, called),
        "many": _discard_json(found, called),
        "more": _announcements_json(found.announcements, called),
        "finding": _fault_json(found, called),
        "warnings": [finding_json(one, called) for one in warnings(record)],
        "over": over,
        "verdict": checked.verdict,
        "score": checked.score,
        "sheet": [line_json(line, called) for line in checked.lines],
        "text": text_of(record),
    }


def _typed_event(record: Record, text: str, language: str) -> Event:
    """An event from its text: a card by itself is played, and an event without a seat is that of the seat on
    turn. What is neither card nor verb is left to the reader of records."""
    words = text.split()
    if len(words) > 1 and words[0].upper() in record.seats:
        seat, words = words[0].upper(), words[1:]
    else:
        seat = fold(record).table.turn or record.seating.forehand
    if not words or words[0].lower() in verbs():
        return (seat, *words)
    if len(words) == 1 and (found := PLAYED.fullmatch(words[0])) and parse_card(found[1]) is not None:
        return (seat, "play", words[0])
    hand = read_hand(record.game, " ".join(words), language)
    return (seat, "play", *hand.cards) if len(hand.cards) == 1 and not hand.wrong else (seat, *words)


def _choices_json(moves: Iterable[Event], called: PlayerNames) -> list[Json]:
    """The events that may come next: the cards in the order of a hand, then all else."""
    rows = []
    for event in moves:
        verb, *arguments = event[1:]
        card = arguments[0].partition("(")[0] if verb == "play" else None
        short = sentences.event_sentence(verb, arguments, called, "short")
        long = called.choice(arguments[0]) if card else called.event(" ".join(event[1:]))
        rows.append({"event": list(event), "card": card, "label": label(short), "name": label(long)})
    return sorted(rows, key=lambda row: HAND_ORDER.get(row["card"] or "", (len(SEATS), 0)))


def _discard_json(found: Board, called: PlayerNames) -> Json | None:
    discard = found.discard
    if discard is None:
        return None
    free = {code for option in discard.ways for code in (*option.all_of, *option.rest_of)}
    return {
        "verb": "discard",
        "seat": found.at.turn,
        "label": label(called.event("discard")),
        "number": discard.number,
        "cards": in_hand_order(free),
        "ways": _ways_json(discard),
        "unknown": found.at.turn in found.unknown,
    }


def _ways_json(discard: DiscardChoice) -> list[Json]:
    return [
        {"all_of": in_hand_order(option.all_of), "rest_of": in_hand_order(option.rest_of)}
        for option in discard.ways
    ]


def _announcements_json(found: Announcements | None, called: PlayerNames) -> Json | None:
    if found is None:
        return None
    items = [
        {"item": item, "label": label(called.name("item", item, "short")), "name": label(called.choice(item))}
        for item in found.items
    ]
    return {
        "verb": "announce",
        "seat": found.seat,
        "label": label(called.event("announce")),
        "items": items,
        "apart": [list(pair) for pair in found.apart],
    }


def _fault_json(found: Board, called: PlayerNames) -> Json | None:
    """The fault of an illegal event: its place, its text without it, and what would have been legal."""
    fault = found.fault
    if fault is None or fault.event is None:
        return None
    return {
        "event": fault.event,
        "place": label(sentences.place(found.record, fault.event, called)),
        "text": called.sentence(sentences.finding, replace(fault, trick=None)),
        "legal": [called.choice(word) for word in fault.legal or ()],
        **clause_json(fault.clause, called),
    }
