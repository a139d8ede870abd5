"""The list of moves: bids and announcements by phase, then trick by trick."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tarock.analysis.position import Step
from tarock.view import remark as remarks
from tarock.view.page_json import Json
from tarock.view.remark import Remark
from tarock.words import sentences
from tarock.words.names import PlayerNames


class Move(NamedTuple):
    """One event in the list of moves."""

    step: int
    seat: str
    short: str  # short form for the list: a card, a bid
    suit: str
    wins: bool
    judged: bool = True  # whether the rules were applied: false from an illegal event on
    wrong: bool = False  # whether the event is the illegal one


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """A phase of the deal, or one trick."""

    title: str
    trick: int | None
    moves: list[Move]
    happenings: list[Remark]  # happenings of all moves in the group
    comments: list[str]  # comments on all moves in the group


def move_groups(outline: Iterable[Step], names: PlayerNames) -> list[MoveGroup]:
    """Return the list of moves of an outline, in the language of `names`."""
    outline = list(outline)
    wrong = next((row.event for row in outline if not row.judged), None)
    groups = []
    for (phase, trick), rows in itertools.groupby(outline, key=lambda row: (row.phase, row.trick)):
        listed = list(rows)
        winner = next((row.winner for row in listed if row.winner), None)
        moves = [
            Move(
                row.event + 1,
                row.seat,
                sentences.event_sentence(row.verb, row.args, names, "short"),
                row.args[0][:1] if row.verb == "play" and row.args else "",
                trick is not None and row.seat == winner,
                row.judged,
                row.event == wrong,
            )
            for row in listed
        ]
        titled = sentences.at_table("trick", names, number=trick) if trick else names.name("phase", phase)
        happened = remarks.happenings((found for row in listed for found in row.happenings), names)
        comments = [comment for row in listed for comment in row.comments]
        groups.append(MoveGroup(titled, trick, moves, happened, comments))
    return groups


def groups_json(groups: Iterable[MoveGroup]) -> list[Json]:
    """Return the list of moves for a script. Each move is a list of the values of its fields, in order."""
    return [
        {
            "title": group.title,
            "trick": group.trick,
            "moves": [list(move) for move in group.moves],
            "happenings": [remark.as_json() for remark in group.happenings],
            "comments": group.comments,
        }
        for group in groups
    ]
