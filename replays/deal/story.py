"""A deal as its replay needs it, what no step changes reckoned once.

Whoever steps through a deal asks for it again and again. Its record as it was read, and what the engine says
of the whole of it, its outline and its running account, are remembered in the memory of the process. They are
remembered by all that the record is made of, so there is nothing that could grow stale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import tarock.audit
import tarock.public
import tarock.replay
from archive.models import Deal
from tarock.audit import Running
from tarock.position import Step
from tarock.record import Record
from tarock.replay import Count

REMEMBERED = 200
"""How many deals (ways to look at a deal) are remembered: some 30 kB each."""

LONGEST = 20_000
"""Characters of a record that is remembered; one of a hundred events without comments has some 2,000."""


@dataclass(frozen=True, slots=True)
class _Source:
    """What the record of a deal is made of: the same for two deals with the same record."""

    parts: tuple[object, ...]
    deal: Deal = field(compare=False)


@dataclass(frozen=True, slots=True)
class Story:
    """A deal, and what the engine says of it."""

    deal: Deal
    source: _Source

    @property
    def record(self) -> Record:
        """The record as the engine takes it."""
        return _remembered(_record, self.source)

    @property
    def has_text(self) -> bool:
        """Whether the record can be written as text."""
        return _remembered(_has_text, self.source)

    def outline(self, view: str | None, closed: bool) -> tuple[Step, ...]:
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


def story(deal: Deal) -> Story:
    """The story of a deal."""
    lead = deal.lead
    own = lead.date, lead.event, lead.site, lead.session_id, lead.number, lead.claim, lead.tags, lead.comments
    return Story(deal, _Source((deal.text, *own, *deal.players.items()), deal))


def _remembered(reckon: Callable[..., Any], source: _Source, *rest: Any) -> Any:
    """What is reckoned of a record, from memory if it can be; long ones are not kept there."""
    if sum(len(str(part)) for part in source.parts) > LONGEST:
        return reckon.__wrapped__(source, *rest)  # type: ignore[attr-defined]
    return reckon(source, *rest)


@lru_cache(maxsize=REMEMBERED)
def _record(source: _Source) -> Record:
    return source.deal.record


@lru_cache(maxsize=REMEMBERED)
def _has_text(source: _Source) -> bool:
    return source.deal.canonical is not None


@lru_cache(maxsize=REMEMBERED)
def _count(source: _Source, view: str | None, closed: bool) -> Count:
    record: Record = _remembered(_record, source)
    return tarock.public.count(record) if closed else tarock.replay.count(record, view)


@lru_cache(maxsize=REMEMBERED)
def _outline(source: _Source, view: str | None, closed: bool) -> tuple[Step, ...]:
    record: Record = _remembered(_record, source)
    if closed:
        return tuple(tarock.public.outline(record))
    if view is not None:
        return tuple(tarock.replay.outline(record, view, _remembered(_count, source, view, closed)))
    told: tuple[tuple[Step, ...], Running] = _remembered(_told, source)
    return told[0]


@lru_cache(maxsize=REMEMBERED)
def _account(source: _Source, public: bool) -> Running:
    if public:
        return tarock.audit.running(_remembered(_record, source), public=True)
    told: tuple[tuple[Step, ...], Running] = _remembered(_told, source)
    return told[1]


@lru_cache(maxsize=REMEMBERED)
def _told(source: _Source) -> tuple[tuple[Step, ...], Running]:
    """With all hands open, the outline and the account."""
    rows, account = tarock.audit.outline_and_running(_remembered(_record, source))
    return tuple(rows), account
