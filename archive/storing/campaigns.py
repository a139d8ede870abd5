"""Check stored deals again, after an update of the engine or at the operator's request.

A campaign is split into chunks of consecutive deal ids, each checked by one worker. A campaign never delays
intake for long: only a few of its messages are in the queue at a time, and each finished chunk sends the next
message.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet
from django.utils import timezone

import tarock
from archive import database
from archive.models import Campaign, Chunk, Contribution, Deal, FormerVerdict, Judged, Seat
from archive.storing import claims, copies, feed, hindsight, queue, sheets
from archive.storing.verdicts import contribution_verdict, verdict_columns
from tarock.analysis.verify import check
from tarock.notation import read_one

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

logger = logging.getLogger(__name__)

CHUNK = Chunk.MOST_IDS
"""Number of deal ids in a new chunk."""

_AHEAD = 4
"""Maximum number of a campaign's messages that wait in the queue at a time."""


def start(
    *,
    by: AbstractBaseUser | AnonymousUser | None = None,
    game: str | None = None,
    outdated_only: bool = False,
) -> Campaign:
    """Start a campaign over all deals. `game`: check only deals of this game; `outdated_only`: check only
    deals whose verdict is from another engine version."""
    ends = Deal.objects.aggregate(first=Min("id"), last=Max("id"))
    with transaction.atomic():
        campaign = Campaign.objects.create(
            started_by=by if by is not None and by.is_authenticated else None,
            engine_version=tarock.__version__,
            game=game,
            outdated_only=outdated_only,
        )
        if ends["first"] is None:
            finish(Campaign.objects.filter(pk=campaign.pk))
            return campaign
        Chunk.objects.bulk_create(
            Chunk(campaign=campaign, first=first, last=min(first + CHUNK - 1, ends["last"]))
            for first in range(ends["first"], ends["last"] + 1, CHUNK)
        )
        transaction.on_commit(lambda: _send(campaign.pk, _AHEAD))
    return campaign


def stop(campaign: Campaign) -> bool:
    """Stop a campaign; workers still finish claimed chunks. Return whether the campaign was running."""
    return Campaign.objects.filter(pk=campaign.pk, state="running").update(state="stopped") == 1


def resume(campaign: Campaign) -> bool:
    """Resume a stopped campaign, and retry its failed chunks. Return whether the campaign was stopped."""
    with transaction.atomic():
        if not Campaign.objects.filter(pk=campaign.pk, state="stopped").update(state="running"):
            return False
        now = timezone.now()
        campaign.chunks.filter(state="failed").update(state="waiting", claims=0, due_at=now, error="")
        transaction.on_commit(lambda: _send(campaign.pk, _AHEAD))
    return True


def _send(campaign: int, number: int) -> None:
    """Send messages for the next `number` waiting chunks of a campaign, starting with chunks that have had no
    message yet."""
    now = timezone.now()
    waiting = Chunk.objects.filter(campaign=campaign, state="waiting", due_at__lte=now)
    chunks = list(waiting.order_by("due_at", "first").values_list("pk", flat=True)[:number])
    Chunk.objects.filter(pk__in=chunks, state="waiting").update(due_at=now)
    queue.send(queue.VERIFY_CHUNK, reversed(chunks), queue.BULK)


def verify_chunk(chunk_id: int) -> Chunk | None:
    """Claim and check a chunk, and store the results. Return the chunk, or None if it can't be claimed."""
    if not Chunk.objects.filter(pk=chunk_id, campaign__state="running").exists():
        return None
    chunk = claims.claim(Chunk, chunk_id)
    if chunk is None:
        return None
    try:
        campaign = chunk.campaign
        deals = Deal.objects.filter(pk__gte=chunk.first, pk__lte=chunk.last)
        if campaign.game:
            deals = deals.filter(game=campaign.game)
        if campaign.outdated_only:
            deals = deals.exclude(engine_version=tarock.__version__).exclude(_confirmed(chunk))
        with claims.renewed(chunk):
            done = _checked(deals.order_by("pk"))
            database.retry_transient(lambda: _write_chunk(chunk, done))
    except Exception as error:
        claims.give_back(chunk, error)
    _send(chunk.campaign_id, 1)
    finish(Campaign.objects.filter(pk=chunk.campaign_id))
    return chunk


def _confirmed(chunk: Chunk) -> Q:
    """Return a condition for the deals of a chunk whose answers this engine version has already confirmed."""
    condition = Q(pk__in=[])
    done = Chunk.objects.done_with(chunk.first, chunk.last).filter(engine_version=tarock.__version__)
    for one in done:
        deals = Q(pk__range=(one.first, one.last)) & ~Q(pk__in=one.excepted or [])
        condition |= deals & Q(game=one.campaign.game) if one.campaign.game else deals
    return condition


def finish(campaigns: QuerySet[Campaign]) -> None:
    """Mark campaigns as done if they have no open chunks left."""
    rest = Chunk.objects.open().filter(campaign=OuterRef("pk"))
    running = campaigns.filter(state="running").filter(~Exists(rest))
    running.update(state="done", finished_at=timezone.now())


@dataclass(slots=True)
class _Recheck:
    """A deal whose new answer differs from the stored one, with the new columns and score."""

    deal: Deal
    columns: dict[str, Any]
    score: dict[str, int] | None


@dataclass(slots=True)
class _Results:
    """The results of checking deals again."""

    number: int = 0
    changed: list[_Recheck] = field(default_factory=list)
    faults: dict[int, str] = field(default_factory=dict)
    """Tracebacks of failed checks, by deal id."""
    since: datetime = field(default_factory=timezone.now)
    """Time when the check began, before the deals were read."""


def _checked(deals: Iterable[Deal]) -> _Results:
    """Check deals again. Return the results without storing them. `deals` must be a query that is not yet
    executed, so that no change by another worker falls between the query and `_Results.since`."""
    results = _Results()
    for deal in deals:
        results.number += 1
        try:
            record = read_one(deal.text)
            result = check(record)
            columns = verdict_columns(result, record) | {"digest": bytes(deal.digest)}
            if deal.is_played:
                # The parser may now fill in more unknown cards than before, which changes the digest.
                columns["digest"] = bytes.fromhex(record.digest)
        except Exception:
            logger.exception("checking deal %s again failed", deal.pk)
            results.faults[deal.pk] = f"deal {deal.pk}:\n{traceback.format_exc()}"
            continue
        answer = [(columns[name], getattr(deal, name)) for name in ("verdict", "clauses", "sheet")]
        if any(new != old for new, old in (*answer, (columns["digest"], bytes(deal.digest)))):
            results.changed.append(_Recheck(deal, columns, result.score))
    return results


def _write_chunk(chunk: Chunk, done: _Results) -> None:
    """Write the changed answers and mark the chunk as done, unless another worker has already done so. Deals
    with an unchanged answer are not written; the chunk records that this version of the engine confirmed
    them. Call in a transaction."""
    meanwhile = Deal.objects.filter(pk__range=(chunk.first, chunk.last), verified_at__gte=done.since)
    excepted = {*done.faults, *meanwhile.values_list("pk", flat=True)}
    ended = claims.undone(chunk).update(
        state="done",
        checked=done.number,
        changed=len(done.changed),
        faulty=len(done.faults),
        error=database.storable("\n".join(done.faults.values())),
        engine_version=tarock.__version__,
        done_at=timezone.now(),
        excepted=sorted(excepted) or None,
    )
    if ended:
        _write(done.changed)


def _write(changed: list[_Recheck]) -> None:
    """Replace stored answers, and add the former ones to the history. Take the insert lock, because intake
    derives verdicts from stored answers. Skip deals that another call has changed since they were read."""
    if not changed:
        return
    database.insert_lock()
    now = timezone.now()
    rows = Deal.objects.filter(pk__in=[recheck.deal.pk for recheck in changed])
    stored = dict(rows.values_list("pk", "verified_at"))
    changed = [recheck for recheck in changed if recheck.deal.verified_at == stored.get(recheck.deal.pk)]
    FormerVerdict.objects.bulk_create(
        FormerVerdict(deal=deal, **{field.name: getattr(deal, field.name) for field in Judged._meta.fields})
        for deal in (recheck.deal for recheck in changed)
    )
    new = [recheck for recheck in changed if recheck.columns["digest"] != bytes(recheck.deal.digest)]
    digests = {recheck.deal.pk: recheck.columns["digest"] for recheck in new}
    colliding = copies.colliding(digests)
    for recheck in new:
        # Keep the old digest if a space or the public would otherwise have two deals with the new digest.
        if recheck.deal.pk in colliding:
            recheck.columns["digest"] = bytes(recheck.deal.digest)
    database.update(
        Deal, [{"id": recheck.deal.pk, **recheck.columns, "verified_at": now} for recheck in changed]
    )
    _write_contributions({recheck.deal.pk: recheck for recheck in changed})
    copies.unite(digests)
    hindsight.forget(recheck.deal.pk for recheck in changed)


def _write_contributions(changed: dict[int, _Recheck]) -> None:
    """Update the verdicts and the seats' points of contributions to changed deals, and add the contributions
    to the feed. `changed`: new answers by deal id."""
    verdicts: list[dict[str, Any]] = []
    for contribution in Contribution.objects.filter(deal__in=changed):
        recheck = changed[contribution.deal_id]
        verdict = contribution_verdict(contribution.claimed, recheck.columns["verdict"], recheck.score)
        verdicts.append({"id": contribution.pk, "verdict": verdict})
    database.update(Contribution, verdicts)
    feed.note([row["id"] for row in verdicts], "verdict")
    seats = Seat.objects.filter(contribution__deal__in=changed).select_related("contribution__deal")
    seats = list(seats.defer("contribution__deal__text", "contribution__deal__sheet"))
    for seat in seats:
        deal = seat.contribution.deal
        score = changed[deal.pk].score
        seat.points = score[seat.seat] if score and seat.seat in deal.active else None
    Seat.objects.bulk_update(seats, ["points"], batch_size=500)
    sheets.cover(sheets.places_of(row["id"] for row in verdicts))


def verify_now(deals: Sequence[Deal]) -> int:
    """Check these deals again, in this process instead of a worker. Store the changed answers, and return
    their number."""
    done = _checked(deals)
    database.retry_transient(lambda: _write(done.changed))
    return len(done.changed)
