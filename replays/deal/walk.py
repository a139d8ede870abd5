"""The steps of a deal as one looks at it: what lies on the table, what is told of it, how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

import tarock.commentary
import tarock.public
import tarock.replay
from replays.deal import commentary, sharing
from replays.deal.address import OPENED, Address
from replays.deal.chart import Chart, bonuses, chart
from replays.deal.frame import Frame
from replays.deal.guess import guess
from replays.deal.position import table
from replays.deal.story import Story
from replays.sentences import Names
from tarock.position import Position, Step
from tarock.replay import Count

NOBODY = "-"
"""A view that is no seat: it knows of every play what the card itself shows."""


@dataclass(frozen=True)
class Walk:
    """The steps that the engine judges, with all hands open what follows an illegal event, and after the last
    card the score sheet."""

    story: Story
    address: Address

    @cached_property
    def counted(self) -> Count:
        """How its steps are counted."""
        return self.story.count(self.address.eyes)

    @cached_property
    def rest(self) -> list[tuple[Position, Step]]:
        """What follows an illegal event: not judged."""
        wrong = self.address.eyes == OPENED and self.story.deal.verdict == "illegal"
        return list(tarock.replay.unjudged(self.story.record)) if wrong else []

    @cached_property
    def has_result(self) -> bool:
        """Whether it ends with the score sheet."""
        return self.story.deal.score is not None

    @property
    def end(self) -> int:
        """The last step with cards on the table."""
        return self.counted.steps + len(self.rest)

    @cached_property
    def last(self) -> int:
        """The last step."""
        return self.end + self.has_result

    @cached_property
    def outline(self) -> tuple[Step, ...]:
        """A row for each event."""
        return (*self.story.outline(self.address.eyes), *(row for _state, row in self.rest))

    @cached_property
    def state(self) -> Position:
        """What lies on the table at the step asked for; at the score sheet, what lay there last."""
        step = min(self.address.step, self.end)
        past = step - self.counted.steps
        if past > 0:
            return self.rest[past - 1][0]
        if self.rest:
            return tarock.replay.position(self.story.record, step, None, self._whole)
        return self.story.state(self.address)

    @property
    def _whole(self) -> Count:
        """All events counted, also those from the illegal one on: what is wrong, and the comment on the deal,
        then come at their own steps."""
        return Count(range(self.end), self.end)

    def _foreseen(self, state: Position, is_result: bool) -> int:
        if is_result or state.step >= self.end:
            return self.last
        return tarock.replay.foreseen(state)

    def frame(self, state: Position, *, is_result: bool = False) -> Frame:
        """What is shown of it."""
        last, reason = state.last, None
        if last and last.verb == "play" and state.judged:
            event = self.counted.events[last.event]
            reason = tarock.commentary.reason(self.story.record, event, self._eyes)
        return self._frame(state, reason, is_result)

    def frames(self, first: int = 0, until: int | None = None) -> list[Frame]:
        """The same of all steps, or of those from ``first`` to ``until``."""
        record, address = self.story.record, self.address
        judged: Iterable[Position]
        if address.closed:
            judged = tarock.public.positions(record)
        elif self.rest:
            judged = islice(tarock.replay.positions(record, None, self._whole), self.counted.steps + 1)
        else:
            judged = tarock.replay.positions(record, address.view, self.counted)
        stop = self.last if until is None else min(until, self.last)
        states = [*islice(judged, stop + 1), *(state for state, _row in self.rest)]
        reasons = tarock.commentary.reasons(record, self._eyes)
        found = [None, *(reasons[number] for number in self.counted.events), *(None for _row in self.rest)]
        shown = zip(states[first : stop + 1], found[first:], strict=False)
        frames = [self._frame(state, reason) for state, reason in shown]
        if self.has_result and stop == self.last:
            frames.append(self._frame(states[-1], found[-1], is_result=True))
        return frames

    def sent_until(self, step: int) -> int:
        """To which step frames are sent to who stands at one: to the end, but where nothing may be told of
        what comes later, to what is foreseen, and no further than to the next guess."""
        if self.address.spoilers:
            return self.last
        here = replace(self, address=replace(self.address, step=step))
        far = min(self._foreseen(here.state, step > self.end), self.last)
        choice = self.story.next_guess(here.address) if self.address.guess else self.end
        return min(far, choice) if choice < self.end else far

    @property
    def _eyes(self) -> str | None:
        return NOBODY if self.address.closed else self.address.view

    def _frame(self, state: Position, reason: dict[str, Any] | None, is_result: bool = False) -> Frame:
        position = table(state, bottom=self.address.seat, steps=self.last)
        last, remark = state.last, None
        if reason is not None and last is not None:
            remark = commentary.play(reason, last.seat, last.args[0], Names(state.game, state.players))
        title = _("Result") if is_result else sharing.fraction(position, self.address.spoilers)
        foreseen = None if self.address.spoilers else self._foreseen(state, is_result)
        return Frame(position, remark, title, is_result, foreseen, guess(self.story, self.address, state))

    def chart(self, step: int, until: int | None = None) -> Chart | None:
        """The running account with a step marked, its steps as the view counts them; of what is done by a
        moment ``until`` alone, if one is given."""
        story, counted, public = self.story, self.counted, self.address.eyes != OPENED
        account, seen = story.account(public, until), None
        if public:
            # A seat is told of what it has seen happen on the table, and of nothing else.
            heard = story.outline(self.address.eyes)
            seen = {counted.events[r.event] for r in heard if r.words and r.verb != "discard"}
        ends = [(row.trick, row.step) for row in account.rows]
        earned = bonuses(story.deal.lines, ends, until, seen)
        if public:
            earned = [replace(bonus, step=counted.step(bonus.step)) for bonus in earned]
            account = account._replace(
                rows=tuple([row._replace(step=counted.step(row.step)) for row in account.rows])
            )
        record = story.record
        return chart(
            account,
            game=record.game,
            players=record.players,
            total=record.seating.tricks,
            current=step,
            earned=earned,
        )
