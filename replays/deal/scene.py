"""Everything that a replay page shows at one step, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from replays import words
from replays.cards import Face, face, in_hand_order
from replays.deal.address import Address
from replays.deal.chart import Chart
from replays.deal.frame import Frame
from replays.deal.moves import MoveGroup, Steps, ends, moves, steps
from replays.deal.sharing import Shared, shared
from replays.deal.sheet import Sheet, sheet
from replays.deal.walk import Walk
from replays.sentences import Names
from tarock.cards import INDEX
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


@dataclass(frozen=True)
class Scene:
    """One step of a deal, looked at in one way: each thing is made when the page asks for it."""

    walk: Walk
    picked: str
    """The card that is guessed."""
    root: str
    """Scheme and host of the site."""

    @property
    def address(self) -> Address:
        """What leads to other steps of the same."""
        return self.walk.address

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
        if self.address.spoilers:
            return ways
        # How long a deal is tells how it ends.
        return replace(ways, last=max(ways.current, ways.next or 0, ways.next_trick or 0))

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
        moment = replace(self.address, step=self.walk.state.step)
        return shared(self.root, self.walk.story.deal, moment, self.frame.position)

    @property
    def modes(self) -> Modes:
        """The same step seen in other ways."""
        return _modes(replace(self.address, step=self.frame.step), self.walk.state)

    @cached_property
    def guess(self) -> Guess | None:
        """The play of the view's seat that comes next, where it is to be guessed."""
        state = self.walk.state
        return _guess(self.walk, self.picked) if self.address.guess and state.step < state.steps else None


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


def _guess(walk: Walk, picked: str) -> Guess:
    address, record, state = walk.address, walk.story.record, walk.state
    game, here, player = state.game, f"{address.prefix}{state.step}", state.players[address.view or ""]
    to_play = state.phase == "play" and state.turn == address.view
    # What may be said before a card is played is nothing to be guessed.
    legal = [t for t in state.legal or [] if t.partition("(")[0] in INDEX] if to_play else []
    if not legal:
        return Guess(player, [], waits=f"{here}&go=turn")
    in_order = in_hand_order(dict.fromkeys(token.partition("(")[0] for token in legal))
    choices = [
        Choice(
            token, words.card_token(token, game), face(token.partition("(")[0], game), f"{here}&pick={token}"
        )
        for token in sorted(legal, key=lambda token: in_order.index(token.partition("(")[0]))
    ]
    if picked not in legal:
        return Guess(player, choices)
    played = record.events[walk.counted.moment(state.step)][2]
    return Guess(
        player, choices, words.card_token(picked, game), words.card_token(played, game), picked == played
    )
