"""A step of the replay: the table and the texts around it, for the template and for the script."""

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
    """The table at a step and the texts around it."""

    position: TableView
    remark: Remark | None
    """The reason why the last card could be played."""
    title: str
    """A title such as “Step 12 of 56”."""
    is_result: bool = False
    """Whether the frame shows the score sheet, at the step after the last card."""
    foreseen: int | None = None
    """Number of the last step that the reader can foresee; None if no step is secret."""
    guess: Guess | None = None
    """The play to guess; None if the reader is not guessing."""

    @property
    def step(self) -> int:
        """The number of the step in this view."""
        return self.position.step + self.is_result


def as_json(frame: Frame) -> dict[str, Any]:
    """Return a frame for the script: the table (`tarock.view.frame`), and the texts around it as HTML."""
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
