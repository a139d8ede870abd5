"""JSON answers for the board page: the pack, a typed hand, and the position of a deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Annotated, Any

from tarock.analysis import replay
from tarock.analysis.board import Announcements, Board, board, exchange
from tarock.analysis.fold import fold
from tarock.analysis.verify import warnings
from tarock.core.cards import HAND_ORDER, in_hand_order, names, pack, parse_card
from tarock.core.findings import Finding, NotationError
from tarock.core.game import SEATS
from tarock.core.record import Event, Record
from tarock.games import GAMES
from tarock.notation import read_value, write_json
from tarock.notation.events import PLAYED, verbs
from tarock.view.answers.fields import BadQuestion, Count, Language
from tarock.view.entry.hand import read_hand
from tarock.view.finding import FindingView
from tarock.view.frame import frame_json, table_json, words_json
from tarock.view.moves import groups_json, move_groups
from tarock.view.page_json import Json, clause_json, text_of
from tarock.view.score import line_view
from tarock.view.table import table_view
from tarock.words import clauses, sentences
from tarock.words.names import PlayerNames, card_name, card_short, label

#: Placeholders for a record without cards: it must be a sheet, which needs these tags and at least one line.
_ANY_SHEET = {"tags": {"Session": "–", "Deal": "1"}, "sheet": [["points"]]}


# --- before the first event ---------------------------------------------------------------------------------


def start_answer(
    *,
    game: str,
    seats: Annotated[int, range(1, len(SEATS) + 1)],
    dealer: str,
    options: tuple[str, ...] = (),
    language: Language = "en",
) -> Json:
    """Return the places to which cards are dealt, and the cards of the pack by suit.

    `seats`: number of seats at the table; `dealer`: seat of the dealer.

    :raises NotationError: if there is no such table.
    """
    table = {"game": game, "players": dict.fromkeys(SEATS[:seats], ""), "dealer": dealer}
    record = read_value({"tgn": 1, **table, "options": [*options], **_ANY_SHEET})
    words = clauses.words(record.game, language)
    called = PlayerNames(record.game, {}, language)
    places = [
        {
            "place": place,
            **_place_json(place, words),
            "size": size,
            "ordered": record.info.is_ordered(place),
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


def _place_json(place: str, words: Mapping[str, Any]) -> Json:
    """Return the seat of a place, if any, and the name of the place (for a pile, without the seat)."""
    seat, _, pile = place.partition("/")
    if pile:
        return {"seat": seat, "name": label(str(words.get("pile", "{pile}")).format(pile=pile))}
    return {"seat": None, "name": label(words["talon"])} if place == "talon" else {"seat": seat, "name": seat}


def hand_answer(*, game: Annotated[str, GAMES], text: str, language: Language = "en") -> Json:
    """Return the cards of a hand as a person wrote it, and the words that add no card to it.

    :raises NotationError: if the text is too long.
    """
    called = PlayerNames(game, {}, language)
    hand = read_hand(game, text, language)
    wrong = [
        {"text": one.text, "message": called.sentence(sentences.finding, one.finding)} for one in hand.wrong
    ]
    return {"cards": list(hand.cards), "wrong": wrong}


# --- the deal -----------------------------------------------------------------------------------------------


def board_answer(
    *,
    record: dict[str, Any],
    typed: str | None = None,
    later: tuple[Any, ...] = (),
    known: Count = 0,
    language: Language = "en",
) -> Json:
    """Return the position of a deal after the events of its record, and the legal next events.

    `record`: JSON form of the record, with the whole deal and the events so far; `typed`: another event as
    text, legal or not (`T20`, `pass`, `B bid solo`); `later`: further events, which appear only in the list
    of moves; `known`: number of events in the groups of moves that the page already shows. The page draws the
    table from `frame`, `words` and `table` of the answer. `groups` has the moves from event `first` on, the
    first event that the page does not show yet, or 0 to show all moves again. If the record has an illegal
    event, `finding` has the error, and the table shows that event. `warnings` reports the same name at two
    seats, or an impossible date.

    :raises NotationError: if `record` is not a valid record, or has no cards.
    """
    deal = read_value(record)
    if not deal.is_played:
        raise NotationError(Finding("key-missing", {"key": "deal"}, pointer="/record"))
    if typed is not None:
        events = [*deal.events, _typed_event(deal, typed, language)]
        deal = read_value(record | {"events": [list(event) for event in events]})
    # A typed event is always the last one, so it is never combined with `later`.
    listed = read_value(record | {"events": [*record["events"], *later]}) if later else deal
    first = known if known <= len(listed.events) else 0
    found = board(deal, first=len(deal.events) if later else first)
    # While a deal is being entered, show the letter of a seat without a name.
    called = PlayerNames(deal.game, {s: name or s for s, name in deal.players.items()}, language)
    steps = replay.run(listed, first)[1] if later else found.steps
    if steps and steps[0].event < first:
        first, steps = 0, replay.run(listed)[1]
    checked, over = found.checked, found.at.over and found.fault is None
    # An unfinished deal is not an error on this page, so remove the finding.
    visible = found.at if found.fault else replace(found.at, error=None)
    for after, _ in replay.unjudged(deal) if found.fault else ():
        visible = after
    view = table_view(visible, called)
    return {
        "record": write_json(deal),
        "table": table_json(view),
        "frame": frame_json(view),
        "words": words_json(view),
        "first": first,
        "groups": groups_json(move_groups(steps, called)),
        "turn": found.at.turn,
        "choices": _choices_json(found.moves, called),
        "many": _discard_json(found, called),
        "more": _announcements_json(found.announcements, called),
        "finding": _fault_json(found, called),
        "warnings": [FindingView(one, called).as_json() for one in warnings(deal)],
        "over": over,
        "verdict": checked.verdict,
        "score": checked.score,
        "sheet": [line_view(line, called).as_json() for line in checked.lines],
        "text": text_of(deal),
    }


def exchange_answer(
    *,
    record: dict[str, Any],
    former: tuple[Any, ...],
    typed: str | None = None,
    language: Language = "en",
) -> Json:
    """Return the events of a deal after one of them was exchanged, up to the first that is no longer legal.

    `record`: JSON form of the record up to the new event; `former`: the event that was in its place, and
    those after it; `typed`: the new event as text, if `record` ends before it. `finding` has the error of
    the first event that is no longer legal; null if all are legal.

    :raises NotationError: if the record or an event is not valid.
    :raises BadQuestion: if there is no new or no former event.
    """
    deal = read_value(record)
    events = [*deal.events] if typed is None else [*deal.events, _typed_event(deal, typed, language)]
    if not events or not former:
        raise BadQuestion(f"/{'former' if events else 'record/events'}: found nothing, expected an event")
    whole = read_value(record | {"events": [*(list(event) for event in events), *former]})
    changed, finding = exchange(whole, len(events) - 1)
    end = max(finding.event or 0, len(events)) if finding else None  # the new event stays, even if illegal
    called = PlayerNames(deal.game, {s: name or s for s, name in deal.players.items()}, language)
    view = FindingView(finding, called, changed) if finding else None
    return {
        "events": [list(event) for event in changed.events[:end]],
        "finding": {"place": label(view.place), **view.as_json()} if view else None,
    }


def _typed_event(record: Record, text: str, language: str) -> Event:
    """Return the event that a text describes. A card without a verb is played, and an event without a seat
    belongs to the seat on turn. Any other text is left to the parser of records."""
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
    """Return the legal next events: first the cards, sorted like a hand, then all other events."""
    rows = []
    for event in moves:
        verb, *arguments = event[1:]
        card = arguments[0].partition("(")[0] if verb == "play" else None
        short = sentences.event_sentence(verb, arguments, called, "short")
        long = called.choice(arguments[0]) if card else called.event(" ".join(event[1:]))
        rows.append({"event": list(event), "card": card, "label": label(short), "name": label(long)})
    return sorted(rows, key=lambda row: HAND_ORDER.get(row["card"] or "", len(HAND_ORDER)))


def _discard_json(found: Board, called: PlayerNames) -> Json | None:
    discard = found.discard
    if discard is None:
        return None
    free = {code for option in discard.ways for code in (*option.all_of, *option.rest_of)}
    ways = [
        {"all_of": in_hand_order(option.all_of), "rest_of": in_hand_order(option.rest_of)}
        for option in discard.ways
    ]
    return {
        "verb": "discard",
        "seat": found.at.turn,
        "label": label(called.event("discard")),
        "number": discard.number,
        "cards": in_hand_order(free),
        "ways": ways,
        "unknown": found.at.turn in found.unknown,
    }


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
    """Return the error in an illegal event: its location, its sentence, and the legal choices."""
    fault = found.fault
    if fault is None or fault.event is None:
        return None
    view = FindingView(fault, called, found.record)
    return {
        "event": fault.event,
        "place": label(view.place),
        "text": view.text,
        "legal": view.choices,
        **clause_json(fault.clause, called),
    }
