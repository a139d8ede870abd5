"""A score prepared for display: lines as text, sums, and the score written down by the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.view import remark
from tarock.view.page_json import Json
from tarock.view.remark import Remark
from tarock.words import sentences
from tarock.words.clauses import Clause
from tarock.words.names import PlayerNames


class LineView(NamedTuple):
    """A score line in a language."""

    slug: str
    clause: Clause | None  # None if the clause no longer exists
    calculation: str  # calculation of the points, as text
    points: Mapping[str, int]
    accounts: Mapping[str, int]  # by seat, for the line that subtracts the lowest account; empty for others
    steps: list[int]  # steps of the replay after the events that earned the line

    @property
    def title(self) -> str:
        """Title of the clause, or its slug if the clause no longer exists."""
        return self.clause.title if self.clause else self.slug

    def as_json(self) -> Json:
        """Return the calculation, the points by seat, and the clause."""
        title = self.clause.title if self.clause else ""
        return {"text": self.calculation, "points": self.points, "clause": self.slug, "title": title}


def line_view(line: ScoreLine, names: PlayerNames) -> LineView:
    """Return a score line in the language of `names`."""
    return LineView(
        slug=line.clause,
        clause=names.clause(line.clause),
        calculation=names.sentence(sentences.line, line),
        points=line.points,
        accounts=line.quantity.get("accounts", {}),
        steps=[event + 1 for event in line.events],
    )


class LineGroup(NamedTuple):
    """The score lines of one clause, such as those of the Kings that were played."""

    lines: dict[int, LineView]  # by the number of the line in the score, from 0

    @property
    def first(self) -> LineView:
        return next(iter(self.lines.values()))

    @property
    def title(self) -> str:
        """Title of the clause, with the number of lines if there are several: “4 × A King played”."""
        number = len(self.lines)
        return f"{number} × {self.first.title}" if number > 1 else self.first.title

    @property
    def points(self) -> dict[str, int]:
        """Sums of the lines by seat."""
        sums: dict[str, int] = {}
        for line in self.lines.values():
            for seat, points in line.points.items():
                sums[seat] = sums.get(seat, 0) + points
        return sums


class PlayerScore(NamedTuple):
    """A player's calculated score, and the score that the players wrote down."""

    seat: str
    name: str
    points: int | None
    claim: int | None

    @property
    def difference(self) -> int | None:
        """Claim minus score; None if either is missing."""
        return None if self.claim is None or self.points is None else self.claim - self.points


@dataclass(frozen=True)
class ScoreView:
    """The score of a deal. Each part is computed only when a page uses it."""

    names: PlayerNames
    score_lines: Sequence[ScoreLine]
    total: Mapping[str, int]  # sums of the lines by seat; empty without a score
    claim: Mapping[str, int]  # score that the players wrote down, by seat; may be empty
    facts: Mapping[str, Any]  # facts of the check
    sheet: Record | None = None  # score sheet that was scored, if the cards are unknown

    @property
    def players(self) -> list[PlayerScore]:
        """The players in the order of their seats."""
        return [
            PlayerScore(seat, name, self.total.get(seat), self.claim.get(seat))
            for seat, name in self.names.players.items()
        ]

    @property
    def played(self) -> list[str]:
        """Parts of the heading: contract, declarer, called card …"""
        return sentences.heading(self.facts, self.names)

    @cached_property
    def lines(self) -> list[LineView]:
        return [line_view(line, self.names) for line in self.score_lines]

    @property
    def groups(self) -> list[LineGroup]:
        """The lines by clause, in the order of the first line of each."""
        found: dict[str, LineGroup] = {}
        for number, line in enumerate(self.lines):
            found.setdefault(line.slug, LineGroup({})).lines[number] = line
        return list(found.values())

    @cached_property
    def slips(self) -> list[Remark]:
        """Slips that could explain the score that the players wrote down."""
        return remark.explanations(self.score_lines, self.total, self.claim, self.names, self.sheet)

    @property
    def ranking(self) -> list[PlayerScore]:
        """The players with a score, the highest first."""
        scored = [player for player in self.players if player.points is not None]
        return sorted(scored, key=lambda player: player.points or 0, reverse=True)

    @property
    def winners(self) -> list[str]:
        """Names of the players with the most points; empty if nobody gained any."""
        best = max(self.total.values(), default=0)
        return [player.name for player in self.players if player.points == best > 0]

    @property
    def losers(self) -> list[str]:
        """Names of the players with the fewest points; empty if nobody lost any."""
        worst = min(self.total.values(), default=0)
        return [player.name for player in self.players if player.points == worst < 0]
