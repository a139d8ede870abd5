"""A composed deal of each game that plays by itself, with captions for newcomers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from replays.deal import sharing
from replays.deal.frame import Frame, as_json
from replays.language.cards import pack
from replays.language.names import Names
from replays.learn.captions import captions
from tarock.analysis import commentary, replay
from tarock.analysis.position import Position
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one
from tarock.view import remark
from tarock.view.table import table_view

LEARNER = {"strohmann": "A", "taroky": "A", "troggu": "C", "grosstarock": "A"}
"""The seat whose hand is at the bottom of the table, by game."""


def record_of(game: str) -> Record:
    """Return the composed deal of a game, without captions."""
    file = resources.files("replays.learn") / "deals" / f"{game}.tgn"
    return read_one(file.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Caption:
    """A hint for newcomers at a step."""

    step: int
    text: str


class Demonstration:
    """The composed deal of a game with its captions, in the reader's language."""

    def __init__(self, game: str) -> None:
        record = record_of(game)
        self.game = game
        self.captions = [Caption(step, text) for step, text in captions(game).items()]
        # The table shows captions where it shows comments.
        self.record = replace(record, comments={one.step: [one.text] for one in self.captions})
        self.names = Names(game, record.players)
        self.last = len(record.events)

    @property
    def points(self) -> list[tuple[str, int]]:
        """The players' names with the points of the deal, in seat order."""
        return [
            (self.names.players[seat], points) for seat, points in (check(self.record).score or {}).items()
        ]

    @property
    def frames(self) -> list[Frame]:
        """The frames of all steps, with all hands open."""
        reasons = [None, *commentary.reasons(self.record)]
        positions = replay.positions(self.record)
        return [self._frame(state, reason) for state, reason in zip(positions, reasons, strict=True)]

    def frame(self, step: int) -> Frame:
        """Return the frame of a step."""
        return self._frame(replay.position(self.record, step), commentary.reason(self.record, step - 1))

    def _frame(self, state: Position, reason: Mapping[str, Any] | None) -> Frame:
        view = table_view(state, self.names, bottom=LEARNER[self.game], steps=self.last)
        why = reason and state.last and remark.play(reason, state.last.seat, state.last.args[0], self.names)
        return Frame(view, why or None, sharing.fraction(view))

    def document(self) -> dict[str, Any]:
        """Return all frames for the script that plays the deal."""
        names = {code: face.name for code, face in pack(self.game).items()}
        return {"frames": [as_json(frame) for frame in self.frames], "names": names}
