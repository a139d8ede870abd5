"""A deal as its replay needs it: one small query, and what no step changes reckoned once.

Whoever steps through a deal asks for it again and again. What the engine says of the whole of it, its outline
and its running account, is remembered in the memory of the process. It is remembered by the record's own
text, of which it is a function, and the score lines by the time of the verdict that made them: so there is
nothing that could grow stale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models.functions import Coalesce

import tarock.audit
import tarock.public
import tarock.replay
from archive.models import Deal, ScoreLine
from replays.prepared import Prepared
from tarock.audit import Running
from tarock.notation import read_one
from tarock.record import Record
from tarock.replay import Count

REMEMBERED = 200
"""How many deals (ways to look at a deal) are remembered: some 30 kB each."""

LONGEST = 20_000
"""Characters of a record that is remembered; one of a hundred events without comments has some 2,000."""

SOURCE = Coalesce("text", "record")
"""The record of a deal as text, which is read faster, or else as JSON: the one says the same as the other."""

_COLUMNS = ("pk", "game", "event", "site", "date_text", SOURCE, "digest", "verdict", "verified_at")


@dataclass(frozen=True, slots=True)
class Earned:
    """A score line as the running account tells it: its clause, and the events that earned it."""

    clause: str
    events: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """What is stored of a deal, as far as its replay shows it."""

    pk: int
    game: str
    event: str
    site: str
    date_text: str
    source: str
    """The record, written as ``SOURCE`` has it."""
    digest: str
    verdict: str
    verified_at: datetime | None

    @property
    def has_text(self) -> bool:
        """Whether the record can be written as text."""
        return not self.source.startswith("{")

    @property
    def record(self) -> Record:
        """The record as the engine takes it."""
        return record_of(self.source)

    def outline(self, view: str | None, closed: bool) -> tuple[dict[str, Any], ...]:
        """The engine's outline for a view, or as far as everybody at the table knows; not to be altered."""
        return _remembered(_outline, self.source, view, closed)

    def count(self, view: str | None, closed: bool) -> Count:
        """How the engine counts events in a view, or where only what everybody sees is counted."""
        if view is None and not closed:
            # Every event that can be shown is one row of the outline: no need to go through the deal again.
            shown = len(self.outline(None, False))
            return Count(range(shown), shown)
        return _remembered(_count, self.source, view, closed)

    def account(self, public: bool, until: int | None) -> Running:
        """The engine's running account, `public` or not, of the tricks that are complete by a step (all,
        without one)."""
        account = _remembered(_account, self.source, public)
        if until is None:
            return account
        return account._replace(rows=tuple(row for row in account.rows if row.step <= until))

    @property
    def earned(self) -> tuple[Earned, ...]:
        """The score lines; none while no verdict has been found."""
        return _earned(self.pk, self.digest, self.verdict, self.verified_at) if self.verdict else ()


_deal = Prepared(lambda pk: Deal.objects.filter(pk=pk).order_by().values_list(*_COLUMNS))
_lines = Prepared(
    lambda pk: ScoreLine.objects.filter(deal=pk).order_by("position").values_list("clause", "events")
)


def story(pk: int) -> Story | None:
    """The deal with this number; None if there is none. One query."""
    return next((Story(*columns) for columns in _deal(pk)), None)


def record_of(source: str) -> Record:
    """The record of a deal, as the engine takes it, of what ``SOURCE`` gave."""
    record: Record = _remembered(_record, source)
    return record


def _remembered(reckon: Callable[..., Any], source: str, *rest: Any) -> Any:
    """What is reckoned of a record, from memory if it can be; long ones are not kept there."""
    if len(source) > LONGEST:
        return reckon.__wrapped__(source, *rest)  # type: ignore[attr-defined]
    return reckon(source, *rest)


@lru_cache(maxsize=REMEMBERED)
def _record(source: str) -> Record:
    return read_one(source)


@lru_cache(maxsize=REMEMBERED)
def _count(source: str, view: str | None, closed: bool) -> Count:
    record: Record = _remembered(_record, source)
    return tarock.public.count(record) if closed else tarock.replay.count(record, view)


@lru_cache(maxsize=REMEMBERED)
def _outline(source: str, view: str | None, closed: bool) -> tuple[dict[str, Any], ...]:
    record = record_of(source)
    if closed:
        return tuple(tarock.public.outline(record))
    if view is not None:
        return tuple(tarock.replay.outline(record, view, _remembered(_count, source, view, closed)))
    told: tuple[tuple[dict[str, Any], ...], Running] = _remembered(_told, source)
    return told[0]


@lru_cache(maxsize=REMEMBERED)
def _account(source: str, public: bool) -> Running:
    if public:
        return tarock.audit.running(record_of(source), public=True)
    told: tuple[tuple[dict[str, Any], ...], Running] = _remembered(_told, source)
    return told[1]


@lru_cache(maxsize=REMEMBERED)
def _told(source: str) -> tuple[tuple[dict[str, Any], ...], Running]:
    """With all hands open, the outline and the account."""
    rows, account = tarock.audit.outline_and_running(record_of(source))
    return tuple(rows), account


@lru_cache(maxsize=2 * REMEMBERED)
def _earned(pk: int, *verdict: str | datetime | None) -> tuple[Earned, ...]:
    """The score lines of a deal. The digest and the verdict with its time are part of what is asked, so that
    an answer is never given for another verdict."""
    return tuple(Earned(clause, tuple(events)) for clause, events in _lines(pk))
