"""Compute the hindsight and find the puzzles of stored deals in workers that have nothing else to do.

The deals are split into spans of consecutive ids. The sweeper makes the spans of new deals, so intake has no
part in this. Only one message goes round: each finished span sends the next, the one with the newest deals
first, and the sweeper sends the first one. A deal that someone opens sends the message of its span.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Iterable

from django.core.cache import cache
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

import tarock
from archive import conf, database, packed_losses
from archive.kernel.solver import Solver
from archive.models import Deal, Hindsight, HindsightSpan, Puzzle
from archive.storing import claims, puzzles, queue
from tarock.analysis.hindsight import hindsight
from tarock.notation import read_one

logger = logging.getLogger(__name__)

_SPAN = HindsightSpan.DEALS

_SLICE = 20
"""Seconds after which a worker leaves the rest of a span to a later message."""

_ASKED = 600
"""Seconds after which opening a deal that still has no hindsight sends another message."""


def compute(span_id: int) -> HindsightSpan | None:
    """Claim a span and analyse its deals, unless messages of uploads arrive. Return the span, or None if it
    can't be claimed. Each result is stored at once, so an interrupted span continues where it stopped."""
    span = claims.claim(HindsightSpan, span_id)
    if span is None:
        return None
    try:
        with claims.renewed(span):
            errors, is_done = _analyse(span)
            state = (
                {"state": "failed" if errors else "done"} if is_done else {"state": "waiting", "claims": 0}
            )
            claims.held(span).update(**state, error="\n".join(errors), due_at=timezone.now())
    except Exception as error:
        claims.give_back(span, error)
    send_next()
    return span


def _analyse(span: HindsightSpan) -> tuple[list[str], bool]:
    """Analyse the deals of a span, newest first. Return the tracebacks of our own errors, and whether all
    deals are done."""
    deals = Deal.objects.filter(pk__gte=span.pk * _SPAN, pk__lt=(span.pk + 1) * _SPAN)
    wanted = deals.filter(kind="played", verdict="verified", hindsight=None).order_by("-pk")
    errors, began = list[str](), time.monotonic()
    for number, deal in enumerate(wanted):
        if number and (time.monotonic() - began > _SLICE or queue.length(queue.INTERACTIVE)):
            return errors, False
        try:
            record = read_one(deal.text)
            found = hindsight(record, Solver())
            if found is not None:
                puzzles.find_in(deal, record)
        except Exception:
            logger.exception("the hindsight of deal %s failed", deal.pk)
            errors.append(database.storable(f"deal {deal.pk}:\n{traceback.format_exc()}"))
            continue
        if found is not None:
            row = Hindsight(
                deal=deal,
                dearest=max((loss.points for loss in found.losses), default=0),
                engine_version=tarock.__version__,
                packed=packed_losses.pack(found),
            )
            Hindsight.objects.bulk_create([row], ignore_conflicts=True)
    return errors, True


def send_next() -> None:
    """Send a message for the open span with the newest deals, unless another message or worker is busy."""
    now = timezone.now()
    spans = HindsightSpan.objects
    if queue.length(queue.HINDSIGHT) or spans.filter(state="working", due_at__gt=now).exists():
        return
    if newest := spans.due(now).order_by("-pk").first():
        queue.send(queue.HINDSIGHT_SPAN, [newest.pk], queue.HINDSIGHT)


def cover() -> None:
    """Make spans for the deals that were stored since the last call, and see that a message goes round."""
    newest = Deal.objects.aggregate(last=Max("pk"))["last"]
    if newest is None:
        return
    span = HindsightSpan.objects.order_by("-pk").first()
    if span is None or span.last < newest:
        first = 0 if span is None else span.pk
        rows = [
            HindsightSpan(pk=number, last=min(newest, (number + 1) * _SPAN - 1))
            for number in range(first, newest // _SPAN + 1)
        ]
        with transaction.atomic():
            HindsightSpan.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
            if span is not None:
                _reopen([rows[0].pk], last=rows[0].last)
    send_next()


def ask(deal: int) -> None:
    """Send the message of a deal that someone opened and that has no hindsight yet."""
    if cache.add(f"hindsight-{deal}", 1, _ASKED):
        queue.send(queue.HINDSIGHT_SPAN, [deal // _SPAN], queue.HINDSIGHT)


def forget(deals: Iterable[int]) -> None:
    """Delete the hindsight and puzzles of deals whose score changed, so that they are computed again."""
    pks = list(deals)
    Puzzle.objects.filter(deal__in=pks).delete()
    Hindsight.objects.filter(pk__in=pks).delete()
    _reopen({pk // _SPAN for pk in pks})


def start_again() -> None:
    """Compute the hindsight again that another version of the engine computed, and what failed."""
    Hindsight.objects.exclude(engine_version=tarock.__version__).delete()
    HindsightSpan.objects.exclude(state="working").update(state="waiting", claims=0, due_at=timezone.now())
    send_next()


def _reopen(spans: Iterable[int], **changes: int) -> None:
    rows = HindsightSpan.objects.filter(pk__in=list(spans))
    rows.update(state="waiting", claims=0, due_at=timezone.now() - conf.GRACE, **changes)
