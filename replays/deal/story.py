"""A deal as its replay needs it, what no step changes reckoned once.

Whoever steps through a deal asks for it again and again. Its record as it was read, and what the engine says
of the whole of it, its outline and its running account, are remembered in the memory of the process. They are
remembered by all that the record is made of, so there is nothing that could grow stale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from inspect import unwrap
from typing import Any

import tarock.audit
import tarock.commentary
import tarock.public
import tarock.replay
from archive.access import EVERYBODY as ALL
from archive.access import Viewer
from archive.models import Deal
from replays.deal.address import EVERYBODY, OPENED, Address, read
from tarock.audit import Running
from tarock.position import Position, Step
from tarock.record import Record
from tarock.replay import Count
from tarock.scoring import Note
from tarock.verify import Check

REMEMBERED = 200
"""How many deals (ways to look at a deal) are remembered: some 30 kB each."""

LONGEST = 20_000
"""Characters of a record that is remembered; one of a hundred events without comments has some 2,000."""


@dataclass(frozen=True, slots=True)
class _Source:
    """What the record of a deal is made of: the same for two deals with the same record."""

    parts: tuple[object, ...]
    length: int
    deal: Deal = field(compare=False)


@dataclass(frozen=True, slots=True)
class Story:
    """A deal, and what the engine says of it."""

    deal: Deal
    source: _Source
    viewer: Viewer = ALL
    """Who it is told."""

    @property
    def record(self) -> Record:
        """The record as the engine takes it."""
        return _remembered(_record, self.source)

    @property
    def has_text(self) -> bool:
        """Whether the record can be written as text."""
        return _remembered(_has_text, self.source)

    @property
    def checked(self) -> Check:
        """What the engine says of the deal now; not to be altered. Remembered, it and the notes save 1 ms of
        an audit."""
        return _remembered(_checked, self.source)

    @property
    def notes(self) -> list[Note]:
        """What nearly scored, and what failed; not to be altered."""
        return _remembered(_notes, self.source)

    def outline(self, eyes: str) -> tuple[Step, ...]:
        """The engine's outline as far as these eyes see; not to be altered."""
        return _remembered(_outline, self.source, eyes)

    def count(self, eyes: str) -> Count:
        """How the engine counts the events that these eyes see."""
        if eyes == OPENED:
            # Every event that can be shown is one row of the outline: no need to go through the deal again.
            shown = len(self.outline(OPENED))
            return Count(range(shown), shown)
        return _remembered(_count, self.source, eyes)

    def account(self, public: bool, until: int | None) -> Running:
        """The engine's running account, `public` or not, of the tricks that are complete by a step (all,
        without one)."""
        account = _remembered(_account, self.source, public)
        if until is None:
            return account
        return account._replace(rows=tuple(row for row in account.rows if row.step <= until))

    def asked(self, query: Mapping[str, str]) -> Address:
        """What a query asks for of this deal. The step is counted as the eyes count that it names, or with
        ``from=C`` as other eyes do, and is then the same moment.

        :raises Http404: if nobody sits at the seat that is named.
        """
        record = self.record
        address = read(query, record.seats)
        came, here = query.get("from"), address.eyes
        if came in (*record.seats, OPENED, EVERYBODY) and came != here:
            return replace(address, step=self.count(here).step(self.count(came).moment(address.step)))
        return address

    def next_guess(self, address: Address) -> int:
        """The next step at which the view's seat can choose which card it plays, this one included; the end,
        if there is none."""
        counted, events = self.count(address.eyes), self.record.events
        reasons = tarock.commentary.reasons(self.record, address.view)
        for step in range(address.step, counted.steps):
            number = counted.moment(step)
            reason = reasons[number]
            if reason and events[number][0] == address.view and reason["choices"] > 1:
                return step
        return counted.steps

    def state(self, address: Address) -> Position:
        """The engine's position at a step; it is asked for nothing that is not to be seen."""
        counted = self.count(address.eyes)
        if address.closed:
            return tarock.public.position(self.record, address.step, counted)
        return tarock.replay.position(self.record, address.step, address.view, counted)


def story(deal: Deal, viewer: Viewer = ALL) -> Story:
    """The story of a deal, as the viewer is told it."""
    said = deal.representative
    session = said.session.name if said.session else ""
    own = said.date, said.event, said.site, session, said.number, said.claim, said.tags, said.comments
    parts = (deal.text, *own, *deal.players.items())
    return Story(deal, _Source(parts, sum(len(str(part)) for part in parts), deal), viewer)


def _remembered(reckon: Callable[..., Any], source: _Source, *rest: Any) -> Any:
    """What is reckoned of a record, from memory if it can be; long ones are not kept there."""
    if source.length > LONGEST:
        return unwrap(reckon)(source, *rest)
    return reckon(source, *rest)


@lru_cache(maxsize=REMEMBERED)
def _record(source: _Source) -> Record:
    return source.deal.record


@lru_cache(maxsize=REMEMBERED)
def _has_text(source: _Source) -> bool:
    return source.deal.canonical is not None


@lru_cache(maxsize=REMEMBERED)
def _checked(source: _Source) -> Check:
    return source.deal.checked


@lru_cache(maxsize=REMEMBERED)
def _notes(source: _Source) -> list[Note]:
    return tarock.audit.notes(_remembered(_record, source))


@lru_cache(maxsize=REMEMBERED)
def _count(source: _Source, eyes: str) -> Count:
    record: Record = _remembered(_record, source)
    return tarock.public.count(record) if eyes == EVERYBODY else tarock.replay.count(record, eyes)


@lru_cache(maxsize=REMEMBERED)
def _outline(source: _Source, eyes: str) -> tuple[Step, ...]:
    if eyes == OPENED:
        told: tuple[tuple[Step, ...], Running] = _remembered(_told, source)
        return told[0]
    record: Record = _remembered(_record, source)
    if eyes == EVERYBODY:
        return tuple(tarock.public.outline(record))
    return tuple(tarock.replay.outline(record, eyes, _remembered(_count, source, eyes)))


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
