"""One picture of the table at a step. The server draws the first one; the script gets all of them and moves
cards and words accordingly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from replays.cards import Face
from replays.deal.commentary import Remark
from replays.deal.guess import Guess
from replays.deal.position import Position, SeatView
from replays.jinja import part


@dataclass(frozen=True, slots=True)
class Frame:
    """The table at a step with the words about it."""

    position: Position
    remark: Remark | None
    """Why the card that was played last could be played."""
    title: str
    """“Step 12 of 56”."""
    is_result: bool = False
    """Whether the score sheet is shown: the step after the last card."""
    foreseen: int | None = None
    """The last step that may be known beforehand, where later ones are secret."""
    guess: Guess | None = None
    """The play to be guessed."""

    @property
    def step(self) -> int:
        """Its number, as the view counts."""
        return self.position.step + self.is_result


def as_json(frame: Frame) -> dict[str, Any]:
    """A frame as the script takes it: cards by their codes, in lists named as in `table.html`; the words
    about it as HTML."""
    position = frame.position
    zones = {"talon": _codes(position.talon)}
    for seat in position.seats:
        if seat.sits_out:
            continue
        for number, row in enumerate(seat.rows):
            zones[f"hand-{seat.letter}-{number}"] = _codes(row)
        for pile in seat.piles:
            lying = [*pile.under, pile.top] if pile.top else pile.under
            zones[f"pile-{seat.letter}-{pile.number}"] = _codes(lying)
        zones[f"away-{seat.letter}"] = _codes(seat.discards)
    trick = position.trick
    plays = trick.plays if trick else []
    more: dict[str, Any] = {} if frame.foreseen is None else {"foreseen": frame.foreseen}
    if frame.guess is not None:
        more |= {"guess": part("guess", {"guess": frame.guess}), "asks": frame.guess.asks}
    return more | {
        "step": frame.step,
        "title": frame.title,
        "zones": {name: " ".join(codes) for name, codes in zones.items()},
        "trick": {
            "title": position.trick_title,
            "done": bool(trick and trick.done),
            "plays": [[p.seat, p.card.code, p.says, p.leads, p.wins, p.wrong] for p in plays],
        },
        "auction": [[utterance.seat, utterance.words] for utterance in position.auction],
        "seats": {seat.letter: _seat(seat) for seat in position.seats},
        "legal": [face.code for seat in position.seats for face in _legal(seat)],
        "status": part("status", {"frame": frame}),
        "standing": part("standing", {"position": position}),
        "result": frame.is_result,
    }


def _codes(faces: Iterable[Face]) -> list[str]:
    return [face.code for face in faces]


def _legal(seat: SeatView) -> list[Face]:
    faces = [*seat.hand, *(pile.top for pile in seat.piles if pile.top)]
    return [face for face in faces if face.legal]


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "turn": seat.on_turn,
        "roles": [[role.key, role.sign, role.label] for role in seat.roles],
        "tricks": seat.tricks,
        "points": seat.points,
        "says": seat.says,
        "hand": seat.hand_words,
        "piles": [pile.words for pile in seat.piles],
    }
