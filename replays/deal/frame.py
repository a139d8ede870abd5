"""A step of the replay: the table with the words about it. The server draws the first one; the script gets
all of them and moves cards and words accordingly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from replays.deal.guess import Guess
from replays.site.jinja import part
from tarock.view.frame import frame_json
from tarock.view.remark import Remark
from tarock.view.table import TableView


@dataclass(frozen=True, slots=True)
class Frame:
    """The table at a step with the words about it."""

    position: TableView
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
    """A frame as the script takes it: the table (`tarock.view.frame`), and the words about it as HTML."""
    more: dict[str, Any] = {} if frame.foreseen is None else {"foreseen": frame.foreseen}
    if frame.guess is not None:
        more |= {"guess": part("guess", {"guess": frame.guess}), "asks": frame.guess.asks}
    return {
        **more,
        "step": frame.step,
        "title": frame.title,
        **frame_json(frame.position),
        "status": part("status", {"frame": frame}),
        "standing": part("standing", {"position": frame.position}),
        "result": frame.is_result,
    }
