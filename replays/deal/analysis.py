"""The engine's analysis of a deal: everything that no step changes, computed once.

A reader who steps through a deal requests it again and again. Its analysis is remembered in the memory of the
process by everything that the record is made of, so nothing can grow stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import tarock.analysis.audit
import tarock.analysis.commentary
import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.deal.address import EVERYBODY, OPENED, Address, read
from tarock.analysis.audit import Running
from tarock.analysis.position import Position, Step
from tarock.analysis.replay import Count
from tarock.analysis.verify import Check
from tarock.core.record import Record
from tarock.core.scoring import Note

REMEMBERED = 200
"""Deals whose analysis is remembered."""

LONGEST = 20_000
"""Characters of a record that is remembered; one of a hundred events without comments has some 2,000."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Everything that the record of a deal is made of: equal for two deals with the same record."""

    parts: tuple[object, ...]
    deal: ShownDeal = field(compare=False)


class Analysis:
    """The engine's answers about a record. Each part is computed when it is first used; don't change any."""

    def __init__(self, deal: ShownDeal) -> None:
        self._deal = deal
        self._counts: dict[str, Count] = {}
        self._outlines: dict[str, tuple[Step, ...]] = {}

    @property
    def record(self) -> Record:
        """The record as the engine takes it."""
        return self._deal.record

    @property
    def has_text(self) -> bool:
        """Whether the record can be written as text."""
        return self._deal.canonical is not None

    @property
    def check(self) -> Check:
        """The engine's answer as of now."""
        return self._deal.checked

    @cached_property
    def notes(self) -> list[Note]:
        """Near misses, and announcements that failed."""
        return tarock.analysis.audit.notes(self.record)

    def outline(self, eyes: str) -> tuple[Step, ...]:
        """The engine's outline as far as these eyes see."""
        if eyes == OPENED:
            return self._opened[0]
        if eyes not in self._outlines:
            rows = (
                tarock.analysis.public_knowledge.outline(self.record)
                if eyes == EVERYBODY
                else tarock.analysis.replay.outline(self.record, eyes, self.count(eyes))
            )
            self._outlines[eyes] = tuple(rows)
        return self._outlines[eyes]

    def count(self, eyes: str) -> Count:
        """How the engine counts the events that these eyes see."""
        if eyes == OPENED:
            # Every event that can be seen is one row of the outline: no need to go through the deal again.
            events = len(self.outline(OPENED))
            return Count(range(events), events)
        if eyes not in self._counts:
            self._counts[eyes] = (
                tarock.analysis.public_knowledge.count(self.record)
                if eyes == EVERYBODY
                else tarock.analysis.replay.count(self.record, eyes)
            )
        return self._counts[eyes]

    def account(self, public: bool, until: int | None) -> Running:
        """The engine's running account, `public` or not, of the tricks that are complete by a step (all,
        without one)."""
        account = self._public_account if public else self._opened[1]
        if until is None:
            return account
        return account._replace(rows=tuple(row for row in account.rows if row.step <= until))

    @cached_property
    def _opened(self) -> tuple[tuple[Step, ...], Running]:
        """With all hands open, the outline and the account."""
        rows, account = tarock.analysis.audit.outline_and_running(self.record)
        return tuple(rows), account

    @cached_property
    def _public_account(self) -> Running:
        return tarock.analysis.audit.running(self.record, public=True)

    def address(self, query: Mapping[str, str]) -> Address:
        """The address that a query names. The step is counted as the eyes count that it names, or with
        `from=C` as other eyes do, and is then the same moment.

        :raises Http404: if nobody sits at the seat that is named.
        """
        address = read(query, self.record.seats)
        came, here = query.get("from"), address.eyes
        if came in (*self.record.seats, OPENED, EVERYBODY) and came != here:
            return replace(address, step=self.count(here).step(self.count(came).moment(address.step)))
        return address

    def next_guess(self, address: Address) -> int:
        """The next step at which the view's seat can choose which card it plays, this one included; the end,
        if there is none."""
        counted, events = self.count(address.eyes), self.record.events
        reasons = tarock.analysis.commentary.reasons(self.record, address.view)
        for step in range(address.step, counted.steps):
            number = counted.moment(step)
            reason = reasons[number]
            if reason and events[number][0] == address.view and reason["choices"] > 1:
                return step
        return counted.steps

    def state(self, address: Address) -> Position:
        """The engine's position at a step, without anything that may not be seen."""
        counted = self.count(address.eyes)
        if address.closed:
            return tarock.analysis.public_knowledge.position(self.record, address.step, counted)
        return tarock.analysis.replay.position(self.record, address.step, address.view, counted)


# Saves 0.3 to 0.9 ms of every step and audit. Each takes some 50 kB, 140 kB once seen through all eyes; the
# least used are dropped.
@lru_cache(maxsize=REMEMBERED)
def _remembered(source: _Source) -> Analysis:
    return Analysis(source.deal)


def analysis_of(deal: ShownDeal) -> Analysis:
    """The analysis of a deal, remembered unless its record is long."""
    contribution = deal.contribution
    session = contribution.session.name if contribution.session else ""
    parts = (
        deal.deal.text,
        contribution.date,
        contribution.event,
        contribution.site,
        session,
        contribution.number,
        contribution.claim,
        contribution.tags,
        contribution.comments,
        *deal.players.items(),
    )
    if sum(len(str(part)) for part in parts) > LONGEST:
        return Analysis(deal)
    return _remembered(_Source(parts, deal))
