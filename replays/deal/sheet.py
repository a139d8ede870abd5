"""The score sheet of a deal, as it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from archive.access import Viewer
from archive.addresses import Key
from archive.reading import sessions
from archive.shown import ShownDeal
from replays.language.names import Names
from tarock.core.scoring import ScoreLine
from tarock.words import sentences
from tarock.words.clauses import Clause


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet."""

    slug: str
    clause: Clause | None
    reckoning: str
    points: Mapping[str, int]
    """The points of each seat that gets or pays by it."""
    steps: list[int]
    """The steps after the events that earned it."""
    accounts: Mapping[str, int]
    """The account of each seat before a line that leaves only the difference; else empty."""


def lines(rows: Iterable[ScoreLine], names: Names) -> list[Line]:
    """The score lines of a deal in words."""
    return [
        Line(
            line.clause,
            names.clause(line.clause),
            names.sentence(sentences.line, line),
            line.points,
            [event + 1 for event in line.events],
            line.quantity.get("accounts", {}),
        )
        for line in rows
    ]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet as it is stored."""

    deal: Key
    players: Mapping[str, str]
    """Their names by seat; the points of a line, the total and the sums are by seat, too."""
    played: list[str]
    """The head: contract, declarer, called card …"""
    lines: list[Line]
    total: Mapping[str, int]
    session: int | None
    so_far: Mapping[str, int]
    """The sums of the session up to this deal; empty where there are none."""
    engine_version: str

    @property
    def best(self) -> int:
        """The most points that a seat has."""
        return max(self.total.values(), default=0)

    @property
    def winners(self) -> list[str]:
        """The players with the most points; none where nobody gained any."""
        return [self.players[seat] for seat, points in self.total.items() if points == self.best > 0]

    @property
    def decisive(self) -> Line | None:
        """The line that brought the winners most."""
        seat = next((seat for seat, points in self.total.items() if points == self.best > 0), None)
        gains = [line for line in self.lines if seat and line.points.get(seat, 0) > 0]
        return max(gains, key=lambda line: line.points[seat or ""], default=None)


def sheet(deal: ShownDeal, facts: Mapping[str, Any], names: Names, viewer: Viewer) -> Sheet:
    """The score sheet of a deal that has a score. `facts`: those of its check."""
    return Sheet(
        deal=deal.key,
        players=names.players,
        played=sentences.heading(facts, names),
        lines=lines(deal.lines, names),
        total=deal.score or {},
        session=deal.contribution.session_id,
        so_far=sessions.totals_after(deal, viewer),
        engine_version=deal.engine_version,
    )
