"""The engine's analysis of a deal: everything that doesn't depend on the step, computed once.

A reader who steps through a deal requests its analysis again and again, so the process caches it. The cache
key consists of all parts of the record, so an entry never becomes stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from archive.shown import ShownDeal
from replays.deal.address import EVERYBODY, OPENED, Address, read
from tarock.analysis import audit, commentary, public_knowledge, replay
from tarock.analysis.audit import Running
from tarock.analysis.position import Position, Step
from tarock.analysis.replay import Count
from tarock.core.scoring import Note

REMEMBERED = 200
"""Number of deals whose analysis is cached."""

LONGEST = 20_000
"""Maximum length of a cached record, in characters. A hundred events without comments take about 2,000."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The cache key of a deal's analysis. Two keys are equal if all parts of the records are equal."""

    parts: tuple[object, ...]
    deal: ShownDeal = field(compare=False)


class Analysis:
    """The engine's analysis of a record. Each part is computed on first use and must not be modified.
    `comments`: further comments by step."""

    def __init__(self, deal: ShownDeal, comments: Mapping[int, list[str]] | None = None) -> None:
        self.deal, self.record = deal, deal.record
        if comments:
            both = {step: [*self.record.comments.get(step, ()), *texts] for step, texts in comments.items()}
            self.record = replace(self.record, comments={**self.record.comments, **both})
        self._counts: dict[str, Count] = {}
        self._outlines: dict[str, tuple[Step, ...]] = {}

    @cached_property
    def notes(self) -> list[Note]:
        """Notes on near misses and failed announcements."""
        return audit.notes(self.record)

    def outline(self, eyes: str) -> tuple[Step, ...]:
        """Return the engine's outline of the events that are visible in a view."""
        if eyes == OPENED:
            return self._opened[0]
        if eyes not in self._outlines:
            rows = (
                public_knowledge.outline(self.record)
                if eyes == EVERYBODY
                else replay.outline(self.record, eyes, self.count(eyes))
            )
            self._outlines[eyes] = tuple(rows)
        return self._outlines[eyes]

    def count(self, eyes: str) -> Count:
        """Return the engine's numbering of the events and steps in a view."""
        if eyes == OPENED:
            # With all hands open, each row of the outline is an event, so don't replay the deal to count.
            events = len(self.outline(OPENED))
            return Count(range(events), events)
        if eyes not in self._counts:
            self._counts[eyes] = (
                public_knowledge.count(self.record) if eyes == EVERYBODY else replay.count(self.record, eyes)
            )
        return self._counts[eyes]

    def account(self, public: bool, until: int | None) -> Running:
        """Return the engine's running account of the tricks completed by step `until`, or of all tricks if
        `until` is None. With `public`, the account contains only what everybody at the table has seen."""
        account = self._public_account if public else self._opened[1]
        if until is None:
            return account
        return account._replace(rows=tuple(row for row in account.rows if row.step <= until))

    @cached_property
    def _opened(self) -> tuple[tuple[Step, ...], Running]:
        """The outline and the account with all hands open."""
        rows, account = audit.outline_and_running(self.record)
        return tuple(rows), account

    @cached_property
    def _public_account(self) -> Running:
        return audit.running(self.record, public=True)

    def address(self, query: Mapping[str, str]) -> Address:
        """Parse an address from query parameters. The step is counted in the requested view. With `from=C`,
        it is counted in C's view, and converted to the step at the same moment in the requested view.

        :raises Http404: if `view` is not a seat of the deal.
        """
        address = read(query, self.record.seats)
        came, here = query.get("from"), address.eyes
        if came in (*self.record.seats, OPENED, EVERYBODY) and came != here:
            return replace(address, step=self.count(here).step(self.count(came).moment(address.step)))
        return address

    def next_guess(self, address: Address) -> int:
        """Return the first step, from `address` on, at which its seat can choose a card, or the last step."""
        counted, events = self.count(address.eyes), self.record.events
        reasons = commentary.reasons(self.record, address.view)
        for step in range(address.step, counted.steps):
            number = counted.moment(step)
            reason = reasons[number]
            if reason and events[number][0] == address.view and reason["choices"] > 1:
                return step
        return counted.steps

    def state(self, address: Address) -> Position:
        """Return the engine's position at the address's step, limited to what the view may show."""
        counted = self.count(address.eyes)
        if address.closed:
            return public_knowledge.position(self.record, address.step, counted)
        return replay.position(self.record, address.step, address.view, counted)


# The cache saves 0.3 to 0.9 ms per step or audit. An entry takes about 50 kB, or 140 kB after all views were
# requested, so the number of entries is limited.
@lru_cache(maxsize=REMEMBERED)
def _remembered(source: _Source) -> Analysis:
    return Analysis(source.deal)


def analysis_of(deal: ShownDeal) -> Analysis:
    """Return the analysis of a deal, cached unless the record is long."""
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
