"""A deal as its audit needs it: what is stored of it, asked for column by column.

An audit shows few of a deal's columns, and of its score lines and runs some words and numbers; to make models
of them all takes longer than to write the page. Who played is in the record, and the score by seat with the
deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any, NamedTuple

from django.db.models import F

from archive.models import Deal, ScoreLine, Seat, VerificationRun
from replays.prepared import Prepared
from replays.story import SOURCE, record_of
from tarock import scoring

_COLUMNS = (
    "pk",
    "game",
    "event",
    "site",
    "date_text",
    SOURCE,
    "claim",
    "verdict",
    "score",
    "countings",
    "facts",
    "finding",
    "engine_version",
    "session_id",
    "digest",
    "verified_at",
)


class Run(NamedTuple):
    """An answer that the engine gave, and its answer before that; None on the first."""

    verdict: str
    engine_version: str
    finished_at: datetime | None
    previous_verdict: str | None


@dataclass(frozen=True, slots=True)
class Audited:
    """What is stored of a deal, as far as its audit shows it."""

    pk: int
    game: str
    event: str
    site: str
    date_text: str
    source: str
    """The record, written as `SOURCE` has it."""
    claim: Mapping[str, int] | None
    verdict: str
    score: Mapping[str, int] | None
    countings: list[Mapping[str, Any]]
    facts: Mapping[str, Any]
    finding: Mapping[str, Any] | None
    engine_version: str
    session_id: int | None
    digest: str
    verified_at: datetime | None

    @property
    def stamp(self) -> str | None:
        """What changes when the deal's verdict does; None while there is none."""
        return (
            repr((self.digest, self.verdict, self.engine_version, self.verified_at)) if self.verdict else None
        )

    @property
    def players(self) -> dict[str, str]:
        """The players' names by seat, as the record has them."""
        return dict(record_of(self.source).players)

    def lines(self) -> list[scoring.ScoreLine]:
        """The score sheet. One query."""
        return [
            scoring.ScoreLine(clause, points, quantity, tuple(said), tuple(events))
            for clause, points, quantity, said, events in _lines(self.pk)
        ]

    def history(self) -> list[Run]:
        """Every answer that the engine gave, the latest first, as `archive.selectors.history`. One query."""
        rows = _runs(self.pk)
        before = [verdict for verdict, *_rest in rows[1:]]
        return [Run(*row, previous) for row, previous in zip_longest(rows, before)]

    def totals(self) -> dict[str, int | None]:
        """What the player of each seat has in all after this deal in the session it belongs to, in the order
        of `archive.selectors.session_table`; empty without a session or a score. One query."""
        if self.session_id is None or not self.score:
            return {}
        found: dict[int, int] = {}
        seated: dict[str, int] = {}
        for deal, seat, player, points in _session(self.session_id):
            if deal == self.pk:
                seated[seat] = player
            elif seated:
                break
            if points is not None:
                found[player] = found.get(player, 0) + points
        return {seat: found.get(player) for seat, player in seated.items()}


_deal = Prepared(lambda pk: Deal.objects.filter(pk=pk).order_by().values_list(*_COLUMNS))
_lines = Prepared(
    lambda pk: (
        ScoreLine.objects.filter(deal=pk)
        .order_by("position")
        .values_list("clause", "points", "quantity", "sentences", "events")
    )
)
_runs = Prepared(
    lambda pk: (
        VerificationRun.objects.filter(deal=pk, state=VerificationRun.State.DONE)
        .order_by("-id")
        .values_list("verdict", "engine_version", "finished_at")
    )
)
_session = Prepared(
    lambda pk: (
        Seat.objects.filter(deal__session=pk)
        .order_by(F("deal__deal_number").asc(nulls_last=True), "deal__created_at", "deal_id")
        .values_list("deal_id", "seat", "player_id", "points")
    )
)


def audited(pk: int) -> Audited | None:
    """The deal with this number; None if there is none. One query."""
    for row in _deal(pk):
        return Audited(*row)
    return None
