"""The replay page at one step, as values for the template."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from archive.hands import Hand, unpack
from replays.deal.address import Address
from replays.deal.chart import Chart
from replays.deal.frame import Frame
from replays.deal.guess import Guess, guess
from replays.deal.sharing import Shared, shared
from replays.deal.step_links import StepLinks, ends, step_links
from replays.deal.steps import Steps
from tarock.games import GAMES
from tarock.view.moves import MoveGroup, move_groups
from tarock.view.score import ScoreView
from tarock.view.table import Role, roles


@dataclass(frozen=True)
class Page:
    """One step of a deal in one view. Each part is computed when the template uses it."""

    all_steps: Steps
    picked: str = ""
    """The card that the reader guessed."""
    root: str = ""
    """Scheme and host of the site."""

    @property
    def address(self) -> Address:
        """The address of this step, from which links to other steps are built."""
        return self.guess.address if self.guess else self.all_steps.address

    @property
    def back(self) -> str:
        """The URL to which closing the result leads: the last step before the result."""
        return f"{self.address.prefix}{self.all_steps.end}"

    @property
    def is_whole(self) -> bool:
        """Whether the page may link to the whole deal, which reveals how it ends."""
        return self.address.spoilers or self.frame.position.over or self.steps.next is None

    @property
    def _is_result(self) -> bool:
        return self.all_steps.has_result and self.address.step > self.all_steps.end

    @cached_property
    def frame(self) -> Frame:
        return self.all_steps.frame(self.all_steps.state, is_result=self._is_result)

    @property
    def groups(self) -> list[MoveGroup]:
        """The moves of the deal, or only those so far if later ones are secret or would show hidden cards."""
        outline = self.all_steps.outline
        known = outline[: self.all_steps.state.step] if self.address.limited else outline
        return move_groups(known, self.all_steps.names)

    @cached_property
    def steps(self) -> StepLinks:
        """The steps to which the buttons lead."""
        links = step_links(self.frame.step, self.all_steps.last, ends(self.all_steps.outline))
        if self.address.spoilers or links.next is None:
            return links
        # Link only to the last step that the reader can foresee: the number of steps reveals how a deal ends,
        # and the length of a phase reveals its calls.
        foreseen = self.frame.foreseen or links.next
        return replace(links, next_trick=foreseen, last=foreseen)

    @property
    def roles(self) -> list[Role]:
        """The roles whose signs can appear next to a player's name, for the legend."""
        seats = self.all_steps.analysis.record.seats
        return roles(self.all_steps.deal.game, len(seats), self.all_steps.names.language)

    @cached_property
    def chart(self) -> Chart | None:
        step = self.all_steps.state.step
        until = self.all_steps.counted.moment(step) if self.address.limited else None
        return self.all_steps.chart(step, until)

    @cached_property
    def result(self) -> ScoreView | None:
        """The score, if this is the step after the last card."""
        return self.all_steps.score if self._is_result else None

    @cached_property
    def shared(self) -> Shared:
        """The URLs for sharing this moment."""
        moment = replace(self.address, step=self.all_steps.state.step, right=0, wrong=0)
        steps, position = self.all_steps, self.frame.position
        tricks = any(row.trick for row in steps.outline)
        return shared(self.root, steps.deal, moment, position, steps.caption(position), tricks=tricks)

    @property
    def modes(self) -> dict[str, Any]:
        """The URLs of the same step in other views. `seats`: letter, player and URL of each seat's view;
        `flip`: with the next seat at the bottom; `hide`: with all hands face down, or open again."""
        address, state = replace(self.address, step=self.frame.step), self.all_steps.state
        seats, seat = state.active, address.seat
        plain = Address(address.step, spoilers=address.spoilers, collection=address.collection)
        nearest = seat or seats[0]
        following = seats[(seats.index(nearest) + 1) % len(seats)] if nearest in seats else seats[0]
        hands = "seat" if seat else "all"
        guesser = seat if seat in seats else state.turn or seats[0]

        def at(target: Address) -> str:
            # Let the server convert the step when the link is opened, because a converted number would reveal
            # to a seat how many events it has not seen.
            other = GAMES[state.game].table.HIDES and target.eyes != address.eyes
            return target.query + (f"&from={address.eyes}" if other else "")

        return {
            "all_hands": at(plain),
            "seats": [
                (s, state.players[s], at(replace(plain, seat=s, hands="seat", guess=address.guess)))
                for s in seats
            ],
            "flip": at(replace(address, seat=following)),
            "hide": at(replace(plain, seat=seat, hands=hands if address.closed else "none")),
            # Guessing hides spoilers, too, so a link that shows spoilers ends guessing.
            "spoilers": at(replace(address, spoilers=not address.spoilers, guess=False)),
            "guess": at(
                replace(
                    plain,
                    seat=address.view if address.guess else guesser,
                    hands="seat",
                    spoilers=False,
                    guess=not address.guess,
                )
            ),
        }

    @property
    def hands(self) -> list[tuple[str, str]]:
        """The players whose dealt hand the reader may know, each with the explorer's query for the hand."""
        deal, address = self.all_steps.deal, self.address
        hands = {} if address.closed else unpack(deal.deal.hands)
        return [
            (deal.players[seat], hand_query(deal.game, hand))
            for seat, hand in hands.items()
            if address.view in (None, "", seat)
        ]

    @cached_property
    def guess(self) -> Guess | None:
        """The play that the reader guesses next."""
        steps = self.all_steps
        return guess(steps.analysis, steps.address, steps.state, self.picked)


def hand_query(game: str, hand: Hand) -> str:
    """Return the query with which the explorer shows a hand."""
    numbers = {name: number for name, number in hand._asdict().items() if name != "position"}
    return f"?{urlencode({'game': game, **numbers})}"
