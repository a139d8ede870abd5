"""The list of moves, and the steps that the buttons lead to."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from replays import words
from replays.deal.commentary import Remark, happenings
from replays.names import Names
from tarock import sentences
from tarock.position import Step


class Move(NamedTuple):
    """One event in the list of moves."""

    step: int
    seat: str
    short: str
    """As it is listed: a card, a bid."""
    suit: str
    wins: bool


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """A phase of the deal, or one trick."""

    title: str
    trick: int | None
    moves: list[Move]
    happenings: list[Remark]
    """The happenings of all its moves."""
    comments: list[str]
    """The comments on all of its moves."""


def moves(outline: Iterable[Step], names: Names) -> list[MoveGroup]:
    """The engine's outline as the list of moves: bids and announcements by phase, then trick by trick."""
    groups, numbered = [], _("Trick %(number)d")
    for (phase, trick), rows in itertools.groupby(outline, key=lambda row: (row.phase, row.trick)):
        listed = list(rows)
        winner = next((row.winner for row in listed if row.winner), None)
        listed_moves = [
            Move(
                row.event + 1,
                row.seat or "",
                "·" if row.verb is None else sentences.event_sentence(row.verb, row.args, names, "short"),
                row.args[0][:1] if row.verb == "play" and row.args else "",
                trick is not None and row.seat == winner,
            )
            for row in listed
        ]
        title = numbered % {"number": trick} if trick is not None else words.phase(phase, names.game)
        remarks = happenings([happening for row in listed for happening in row.happenings], names)
        comments = [comment for row in listed for comment in row.comments]
        groups.append(MoveGroup(title, trick, listed_moves, remarks, comments))
    return groups


@dataclass(frozen=True, slots=True)
class StepLinks:
    """The steps that the buttons lead to; None where there is none."""

    current: int
    last: int
    previous: int | None
    next: int | None
    previous_trick: int | None
    next_trick: int | None


def ends(outline: Iterable[Step]) -> list[int]:
    """The steps at which a trick (before the play: a phase) ends, the beginning of the deal in front."""
    grouped = itertools.groupby(outline, key=lambda row: (row.phase, row.trick))
    return [0, *([row.event for row in rows][-1] + 1 for _group, rows in grouped)]


def step_links(current: int, last: int, ends: Sequence[int]) -> StepLinks:
    """The links of a step: to the next and previous event, and to the end of the next and previous trick
    (before the play: phase); see `ends`."""
    return StepLinks(
        current=current,
        last=last,
        previous=current - 1 if current > 0 else None,
        next=current + 1 if current < last else None,
        previous_trick=max((e for e in ends if e < current), default=None),
        next_trick=min((e for e in ends if e > current), default=None),
    )
