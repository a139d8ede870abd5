"""Snapshots of the table for a script that updates the cards and words on the page."""

from __future__ import annotations

from tarock.view.cards import Face
from tarock.view.page_json import Json
from tarock.view.table import SeatView, TableView


def frame_json(table: TableView) -> Json:
    """Return a snapshot of the table: the codes of the cards, in lists named after the zones of the page; the
    trick, the bids and announcements before the play, the words at the seats, and the playable cards."""
    zones = {"talon": table.talon}
    for seat in table.seats:
        if seat.sits_out:
            continue
        for number, row in enumerate(seat.rows):
            zones[f"hand-{seat.letter}-{number}"] = row
        for pile in seat.piles:
            zones[f"pile-{seat.letter}-{pile.number}"] = [*pile.under, pile.top] if pile.top else pile.under
        zones[f"away-{seat.letter}"] = seat.discards
    trick = table.trick
    plays = trick.plays if trick else []
    return {
        "zones": {name: " ".join(face.code for face in faces) for name, faces in zones.items()},
        "trick": {
            "title": table.trick_title,
            "done": bool(trick and trick.done),
            "plays": [[p.seat, p.card.code, p.says, p.leads, p.wins, p.wrong] for p in plays],
        },
        "auction": [[utterance.seat, utterance.words] for utterance in table.auction],
        "seats": {seat.letter: _seat_json(seat) for seat in table.seats},
        "legal": [face.code for seat in table.seats for face in _legal(seat)],
    }


def table_json(table: TableView) -> Json:
    """Return the fixed part of the table: direction of play, seats, and the words for talon and stock."""
    seats = [
        {
            "letter": seat.letter,
            "name": seat.name,
            "slot": seat.slot,
            "sits_out": seat.sits_out,
            "piles": [pile.number for pile in seat.piles],
        }
        for seat in table.seats
    ]
    return {
        "direction": table.direction,
        "seats": seats,
        "talon": table.talon_what,
        "stock": table.stock,
    }


def _legal(seat: SeatView) -> list[Face]:
    faces = [*seat.hand, *(pile.top for pile in seat.piles if pile.top)]
    return [face for face in faces if face.legal]


def _seat_json(seat: SeatView) -> Json:
    return {
        "turn": seat.on_turn,
        "roles": [[role.key, role.sign, role.label] for role in seat.roles],
        "tricks": seat.tricks,
        "points": seat.points,
        "says": seat.says,
        "hand": seat.hand_words,
        "piles": [pile.words for pile in seat.piles],
    }


def words_json(table: TableView) -> Json:
    """Return the texts next to the table: last event, turn, consequences, state of the deal, comments."""
    return {
        "happened": table.happened,
        "turn": table.turn_words,
        "happenings": [remark.as_json() for remark in table.happenings],
        "standing": [list(fact) for fact in table.standing],
        "comments": table.comments,
    }
