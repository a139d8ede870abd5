"""The moment shown first on a deal's page: the table after the trick that decided the deal."""

from __future__ import annotations

from typing import NamedTuple

from archive.shown import ShownDeal
from replays.deal.analysis import Analysis
from tarock.analysis.audit import Account, Running
from tarock.analysis.commentary import decided_by


class Decisive(NamedTuple):
    """The step to show, and the event that determined the highest score line, or None if no event did."""

    step: int
    event: int | None = None


def decisive(deal: ShownDeal, analysis: Analysis) -> Decisive:
    """Return the step after the trick that decided a deal. If particular events earned the highest score
    line, this is the trick of the last such event. Otherwise it is the trick in which the threshold was
    reached or became unreachable or, if there was none, the last trick.

    For an illegal deal, return the step of the event that breaks the rule. For an incomplete deal or a deal
    without play, return the last step.
    """
    event = deal.finding.event if deal.finding else None
    account = analysis.account(False, None)
    if event is not None:
        return Decisive(event + (deal.verdict == "illegal"))
    if not account.rows:
        return Decisive(len(analysis.record.events))
    largest = max(deal.lines, key=lambda line: max(map(abs, line.points.values()), default=0), default=None)
    if largest and largest.events:
        earned = max(largest.events) + 1
        steps = [row.step for row in account.rows if earned <= row.step]
        step = steps[0] if steps else account.rows[-1].step
        return Decisive(step, decided_by(analysis.record, largest))
    decided = (row.step for row in account.rows if _is_decided(row, account))
    return Decisive(next(decided, account.rows[-1].step))


def _is_decided(row: Account, account: Running) -> bool:
    """Return whether, after a trick, the threshold has been reached or can no longer be reached."""
    threshold = account.threshold
    if threshold is None:
        return False
    if threshold.side is None:
        return max(row.points.values()) >= threshold.points
    others = sum(points for side, points in row.points.items() if side != threshold.side)
    return row.points[threshold.side] >= threshold.points or others > threshold.of - threshold.points
