"""All steps of a deal in one view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from archive.shown import ShownDeal
from replays.deal import sharing
from replays.deal.address import OPENED, Address
from replays.deal.analysis import Analysis
from replays.deal.chart import Chart, bonuses, chart
from replays.deal.decisive import decisive
from replays.deal.frame import Frame
from replays.deal.guess import guess
from replays.deal.hindsight import HindsightView, hindsight_view
from replays.deal.score import score_view
from replays.language.names import Names
from replays.pictures.picture import Caption
from tarock.analysis import commentary, public_knowledge, replay
from tarock.analysis.position import Position, Step
from tarock.analysis.replay import Count
from tarock.view import remark
from tarock.view.score import ScoreView
from tarock.view.table import TableView, table_view

NOBODY = "-"
"""A view that belongs to no seat. In it, the reason for a play contains only what the card reveals."""


@dataclass(frozen=True)
class Steps:
    """The steps of a deal in one view: the legal events, then the score sheet. With all hands open, the steps
    of an illegal deal also include the illegal event and all later events."""

    deal: ShownDeal
    analysis: Analysis
    address: Address

    @cached_property
    def names(self) -> Names:
        return Names(self.deal.game, self.deal.players)

    @cached_property
    def counted(self) -> Count:
        return self.analysis.count(self.address.eyes)

    @cached_property
    def rest(self) -> list[tuple[Position, Step]]:
        """The illegal event and later ones, each with the position after it; empty if hands are hidden."""
        illegal = self.address.eyes == OPENED and self.deal.verdict == "illegal"
        return list(replay.unjudged(self.analysis.record)) if illegal else []

    @cached_property
    def has_result(self) -> bool:
        """Whether the last step is the score sheet."""
        return self.deal.score is not None

    @property
    def end(self) -> int:
        """The last step with cards on the table."""
        return self.counted.steps + len(self.rest)

    @cached_property
    def last(self) -> int:
        return self.end + self.has_result

    @cached_property
    def outline(self) -> tuple[Step, ...]:
        """The outline of all events in this view, one row each."""
        return (*self.analysis.outline(self.address.eyes), *(row for _state, row in self.rest))

    @cached_property
    def state(self) -> Position:
        """The position at the address's step; at the score sheet, the position after the last card."""
        step = min(self.address.step, self.end)
        past = step - self.counted.steps
        if past > 0:
            return self.rest[past - 1][0]
        if self.rest:
            return replay.position(self.analysis.record, step, None, self._every_event)
        return self.analysis.state(self.address)

    @property
    def _every_event(self) -> Count:
        """A numbering of all events, including the illegal event and later ones, so that the steps before the
        illegal event show neither the finding nor the comments on the deal."""
        return Count(range(self.end), self.end)

    @property
    def moving(self) -> dict[str, str]:
        """The players' names by the letters of their seats, without those who sit out."""
        return {seat: self.deal.players[seat] for seat in self.analysis.record.active}

    @cached_property
    def star(self) -> int | None:
        """The step of the move that decided the deal, or None if the view may not reveal it."""
        if not self.has_result or self.address.limited:
            return None
        found = decisive(self.deal, self.analysis)
        return found.step if found.event is None else found.event + 1

    @cached_property
    def hindsight(self) -> HindsightView | None:
        """The hindsight of the deal; None if this view may not show it."""
        return None if self.address.limited else hindsight_view(self.deal, self.names)

    @property
    def costs(self) -> Mapping[int, int]:
        """The cost of cards in hindsight, by step."""
        return self.hindsight.by_step if self.hindsight else {}

    def _foreseen(self, state: Position, is_result: bool) -> int:
        if is_result or state.step >= self.end:
            return self.last
        return replay.foreseen(state)

    def frame(self, state: Position, *, is_result: bool = False) -> Frame:
        last, reason = state.last, None
        if last and last.verb == "play" and state.judged:
            event = self.counted.events[last.event]
            reason = commentary.reason(self.analysis.record, event, self._view)
        return self._frame(state, reason, is_result)

    def frames(self, first: int = 0, until: int | None = None) -> list[Frame]:
        """Return the frames of all steps, or of those from `first` to `until` inclusive."""
        record, address = self.analysis.record, self.address
        judged: Iterable[Position]
        if address.closed:
            judged = public_knowledge.positions(record)
        elif self.rest:
            judged = islice(replay.positions(record, None, self._every_event), self.counted.steps + 1)
        else:
            judged = replay.positions(record, address.view, self.counted)
        stop = self.last if until is None else min(until, self.last)
        states = [*islice(judged, stop + 1), *(state for state, _row in self.rest)]
        of_events = commentary.reasons(record, self._view)
        reasons = [
            None,
            *(of_events[number] for number in self.counted.events),
            *(None for _row in self.rest),
        ]
        wanted = zip(states[first : stop + 1], reasons[first:], strict=False)
        frames = [self._frame(state, reason) for state, reason in wanted]
        if self.has_result and stop == self.last:
            frames.append(self._frame(states[-1], reasons[-1], is_result=True))
        return frames

    def sent_until(self, step: int) -> int:
        """Return the last step whose frame is sent to a reader at `step`: the last step of all if no step is
        secret; otherwise the last foreseeable step, or the next guess if that comes first."""
        if self.address.spoilers:
            return self.last
        here = replace(self, address=replace(self.address, step=step))
        foreseen = min(self._foreseen(here.state, step > self.end), self.last)
        choice = self.analysis.next_guess(here.address) if self.address.guess else self.end
        return min(foreseen, choice) if choice < self.end else foreseen

    @property
    def _view(self) -> str | None:
        return NOBODY if self.address.closed else self.address.view

    def _frame(self, state: Position, reason: dict[str, Any] | None, is_result: bool = False) -> Frame:
        position = table_view(state, self.names, bottom=self.address.seat, steps=self.last)
        last, why = state.last, None
        if reason is not None and last is not None:
            why = remark.play(reason, last.seat, last.args[0], self.names)
        title = _("Result") if is_result else sharing.fraction(position, self.address.spoilers)
        foreseen = None if self.address.spoilers else self._foreseen(state, is_result)
        return Frame(position, why, title, is_result, foreseen, guess(self.analysis, self.address, state))

    def chart(self, step: int, until: int | None = None) -> Chart | None:
        """Return the chart of the running account, with `step` marked. Steps are counted in this view.
        `until`: leave out everything after this moment."""
        counted, public = self.counted, self.address.eyes != OPENED
        account, seen = self.analysis.account(public, until), None
        if public:
            # Show a seat only what it has seen happen on the table.
            rows = self.analysis.outline(self.address.eyes)
            seen = {counted.events[r.event] for r in rows if r.words and r.verb != "discard"}
        ends = [(row.trick, row.step) for row in account.rows]
        earned = bonuses(self.deal.lines, ends, until, seen, self.names)
        if public:
            earned = [replace(bonus, step=counted.step(bonus.step)) for bonus in earned]
            account = account._replace(
                rows=tuple([row._replace(step=counted.step(row.step)) for row in account.rows])
            )
        tricks = self.analysis.record.seating.tricks
        return chart(account, self.names, total=tricks, current=step, earned=earned)

    def deed(self, event: int) -> Caption | None:
        """Return a caption with the points that an event won or lost, and why. Return None if it neither won
        nor lost points."""
        found = commentary.deed(self.analysis.record, self.deal.lines, event)
        return Caption(remark.deed(found, self.names), found.points) if found else None

    def caption(self, position: TableView) -> Caption:
        """Return the caption of a position's picture: the last event and, if all cards are open and later
        steps are not secret, the points that it won or lost."""
        step, deed = position.step, None
        if self.has_result and not self.address.limited and 0 < step <= self.counted.steps:
            deed = self.deed(step - 1)
        return deed or Caption(position.happened)

    def tricks(self, number: int) -> list[Frame]:
        """Return the frames, one per card, of the last `number` tricks up to this step; before the first
        card, of the first trick. The list is empty if no card was played or none may be shown."""
        tricks = [row.trick for row in self.outline if row.trick]
        if not tricks:
            return []
        last = next((row.trick for row in self.outline[: self.state.step][::-1] if row.trick), tricks[0])
        rows = [row for row in self.outline if row.trick and last - number < row.trick <= last]
        first, until = rows[0].event + 1, min(rows[-1].event + 1, self.sent_until(self.state.step))
        return self.frames(first, until) if first <= until else []

    @property
    def score(self) -> ScoreView:
        """The score after the last card."""
        return score_view(self.deal, self.names)
