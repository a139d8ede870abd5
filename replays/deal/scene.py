"""Everything that a replay page shows at one step, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from replays.deal.address import Address
from replays.deal.chart import Chart
from replays.deal.frame import Frame
from replays.deal.guess import Guess, guess
from replays.deal.moves import MoveGroup, Steps, ends, moves, steps
from replays.deal.position import Role, roles
from replays.deal.sharing import Shared, shared
from replays.deal.sheet import Sheet, sheet
from replays.deal.walk import Walk
from replays.sentences import Names
from tarock.games import GAMES
from tarock.position import Position


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


@dataclass(frozen=True)
class Scene:
    """One step of a deal, looked at in one way: each thing is made when the page asks for it."""

    walk: Walk
    picked: str = ""
    """The card that is guessed."""
    root: str = ""
    """Scheme and host of the site."""

    @property
    def address(self) -> Address:
        """What leads to other steps of the same."""
        return self.guess.address if self.guess else self.walk.address

    @property
    def back(self) -> str:
        """The address of the last step with cards on the table, to which one comes when the result is
        closed."""
        return f"{self.address.prefix}{self.walk.end}"

    @property
    def has_text(self) -> bool:
        """Whether the record can be written as text."""
        return self.walk.story.has_text

    @property
    def is_whole(self) -> bool:
        """Whether what tells of the whole deal may be shown: it tells how it ends."""
        return self.address.spoilers or self.frame.position.over or self.steps.next is None

    @property
    def _is_result(self) -> bool:
        return self.walk.has_result and self.address.step > self.walk.end

    @cached_property
    def frame(self) -> Frame:
        """What lies on the table, and what is told of it."""
        return self.walk.frame(self.walk.state, is_result=self._is_result)

    @property
    def groups(self) -> list[MoveGroup]:
        """The moves. What comes later is known to no seat: it would show the others' cards."""
        outline, state = self.walk.outline, self.walk.state
        shown = outline[: state.step] if self.address.limited else outline
        return moves(shown, Names(state.game, state.players))

    @cached_property
    def steps(self) -> Steps:
        """Where one can go from here."""
        ways = steps(self.frame.step, self.walk.last, ends(self.walk.outline))
        if self.address.spoilers or ways.next is None:
            return ways
        # How long a deal is tells how it ends; how long a phase is, what will be said in it.
        far = self.frame.foreseen or ways.next
        return replace(ways, next_trick=far, last=far)

    @property
    def roles(self) -> list[Role]:
        """The signs that may stand beside a name."""
        return roles(self.walk.story.deal.game, len(self.walk.story.record.seats))

    @cached_property
    def chart(self) -> Chart | None:
        """How it stands."""
        step = self.walk.state.step
        return self.walk.chart(step, self.walk.counted.moment(step) if self.address.limited else None)

    @cached_property
    def result(self) -> Sheet | None:
        """The score sheet, where it is shown."""
        return sheet(self.walk.story) if self._is_result else None

    @cached_property
    def shared(self) -> Shared:
        """The addresses of this moment."""
        moment = replace(self.address, step=self.walk.state.step, right=0, wrong=0)
        return shared(self.root, self.walk.story.deal, moment, self.frame.position)

    @property
    def modes(self) -> Modes:
        """The same step seen in other ways."""
        return _modes(replace(self.address, step=self.frame.step), self.walk.state)

    @cached_property
    def guess(self) -> Guess | None:
        """The play of the view's seat that comes next, where it is to be guessed."""
        return guess(self.walk.story, self.walk.address, self.walk.state, self.picked)


def _modes(address: Address, state: Position) -> Modes:
    """The addresses of the same step seen in other ways."""
    seats, seat = state.active, address.seat
    plain = Address(address.step, spoilers=address.spoilers)
    nearest = seat or seats[0]
    following = seats[(seats.index(nearest) + 1) % len(seats)] if nearest in seats else seats[0]
    guesser = seat if seat in seats else state.turn or seats[0]

    def at(way: Address) -> str:
        # What step it is there, the server finds out when it is asked: the difference would tell this seat
        # how much it has not seen.
        other = GAMES[state.game].table.HIDES and way.eyes != address.eyes
        return way.query + (f"&from={address.eyes}" if other else "")

    return Modes(
        all_hands=at(plain),
        seats=[
            (s, state.players[s], at(replace(plain, seat=s, hands="seat", guess=address.guess)))
            for s in seats
        ],
        flip=at(replace(address, seat=following)),
        hide=at(replace(plain, seat=seat, hands="none" if not address.closed else "seat" if seat else "all")),
        # A guess is spoiler-free by itself, so that to leave the one is to leave the other.
        spoilers=at(
            replace(address, spoilers=False)
            if address.spoilers
            else replace(address, spoilers=True, guess=False)
        ),
        guess=at(
            Address(
                address.step, address.view if address.guess else guesser, "seat", False, not address.guess
            )
        ),
    )
