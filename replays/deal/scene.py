"""Everything that a replay page shows at one step, as values."""

from __future__ import annotations

from dataclasses import dataclass

from replays.deal.audit import Sheet
from replays.deal.chart import Chart
from replays.deal.frame import Frame
from replays.deal.sharing import Shared
from replays.deal.story import Story
from replays.presenters import Address, Face, MoveGroup, Steps


@dataclass(frozen=True, slots=True)
class Modes:
    """The addresses of the same step seen in other ways."""

    all_hands: str
    seats: list[tuple[str, str, str]]
    """For each seat its letter, who sits there, and the address from its eyes."""
    flip: str
    """The table turned to the next seat."""
    hide: str
    """All hands face down; where they are, shown again."""
    spoilers: str
    guess: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that may be played, and the address that picks it."""

    token: str
    name: str
    face: Face
    href: str


@dataclass(frozen=True, slots=True)
class Guess:
    """A play to be guessed: the choices; once one is picked, what was really played."""

    player: str
    choices: list[Choice]
    picked: str = ""
    played: str = ""
    right: bool = False
    waits: str = ""
    """Where it is not this seat's turn: the address that leads to its next one."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of a deal, looked at in one way."""

    story: Story
    frame: Frame
    groups: list[MoveGroup]
    steps: Steps
    address: Address
    """What leads to other steps of the same."""
    seat: str | None
    """The seat that sits nearest."""
    modes: Modes
    chart: Chart | None
    guess: Guess | None
    result: Sheet | None
    """The score sheet, where it is shown."""
    shared: Shared

    @property
    def is_whole(self) -> bool:
        """Whether what tells of the whole deal may be shown: it tells how it ends."""
        return self.address.spoilers or self.frame.position.over or self.steps.next is None
