"""Verifying stored deals anew, after an update of the engine or because the operator says so.

A campaign is cut into chunks of numbers; a worker takes one after the other. It is never in the way of intake
for long: only so many of its messages wait at a time, and each chunk that is done sends the next.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, Max, Min, OuterRef, QuerySet
from django.utils import timezone

import tarock
from archive import database
from archive.models import Campaign, Chunk, Contribution, Deal, FormerVerdict, Seat
from archive.storing import claims, feed, queue
from archive.storing.verdicts import contribution_verdict, verdict_columns
from tarock.notation import read_one
from tarock.verify import check

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

logger = logging.getLogger(__name__)

CHUNK = 1000
"""Numbers of deals in a chunk: half a second of work."""

_AHEAD = 4
"""Chunks of a campaign that are told of at a time."""


def start(
    *,
    by: AbstractBaseUser | AnonymousUser | None = None,
    game: str | None = None,
    outdated_only: bool = False,
) -> Campaign:
    """Begin to verify anew all deals, or those of a game, or those whose verdict is of another version of the
    engine."""
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
    """Stop a campaign; chunks that a worker has are ended. Whether it was running."""
    return Campaign.objects.filter(pk=campaign.pk, state="running").update(state="stopped") == 1


def take_up(campaign: Campaign) -> bool:
    """Go on with a campaign that was stopped, chunks that failed included. Whether it was stopped."""
    with transaction.atomic():
        if not Campaign.objects.filter(pk=campaign.pk, state="stopped").update(state="running"):
            return False
        now = timezone.now()
        campaign.chunks.filter(state="failed").update(state="waiting", claims=0, due_at=now, error="")
        transaction.on_commit(lambda: _send(campaign.pk, _AHEAD))
    return True


def _send(campaign: int, number: int) -> None:
    """Tell the workers of the next chunks of a campaign: those first that nobody was told of."""
    now = timezone.now()
    waiting = Chunk.objects.filter(campaign=campaign, state="waiting", due_at__lte=now)
    chunks = list(waiting.order_by("due_at", "first").values_list("pk", flat=True)[:number])
    Chunk.objects.filter(pk__in=chunks, state="waiting").update(due_at=now)
    queue.send(queue.VERIFY_CHUNK, reversed(chunks), queue.BULK)


def verify_chunk(chunk_id: int) -> Chunk | None:
    """Take a chunk that waits, and verify its deals. Returns it, or None when there was nothing to take."""
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
            deals = deals.exclude(engine_version=tarock.__version__)
        with claims.renewed(chunk):
            done = _checked(list(deals.order_by("pk")))
            database.retry_transient(lambda: _write_chunk(chunk, done))
    except Exception as error:
        claims.give_back(chunk, error)
    _send(chunk.campaign_id, 1)
    finish(Campaign.objects.filter(pk=chunk.campaign_id))
    return chunk


def finish(found: QuerySet[Campaign]) -> None:
    """Note which of these campaigns have no chunk left to be verified."""
    rest = Chunk.objects.open().filter(campaign=OuterRef("pk"))
    running = found.filter(state="running").filter(~Exists(rest))
    running.update(state="done", finished_at=timezone.now())


@dataclass(slots=True)
class _Anew:
    """A deal whose answer is another than the stored one, if only by the version of the engine."""

    deal: Deal
    columns: dict[str, Any]
    score: dict[str, int] | None

    @property
    def is_other(self) -> bool:
        """Whether more than the version is another."""
        return any(self.columns[name] != getattr(self.deal, name) for name in ("verdict", "clauses", "sheet"))


@dataclass(slots=True)
class _Checked:
    """What checking some deals anew gave."""

    number: int = 0
    changed: list[_Anew] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def _checked(deals: Sequence[Deal]) -> _Checked:
    """Check deals anew."""
    found = _Checked()
    for deal in deals:
        found.number += 1
        try:
            result = check(read_one(deal.text))
            anew = _Anew(deal, verdict_columns(result), result.score)
        except Exception:
            logger.exception("deal %s could not be verified anew", deal.pk)
            found.faults.append(f"deal {deal.pk}:\n{traceback.format_exc()}")
            continue
        if anew.is_other or anew.columns["engine_version"] != deal.engine_version:
            found.changed.append(anew)
    return found


def _write_chunk(chunk: Chunk, done: _Checked) -> None:
    """Write what changed, and that the chunk is done, in a transaction; nothing if another did so
    meanwhile."""
    ended = claims.undone(chunk).update(
        state="done",
        checked=done.number,
        changed=len(done.changed),
        faulty=len(done.faults),
        error=database.storable("\n".join(done.faults)),
    )
    if ended:
        _write(done.changed)


def _write(changed: list[_Anew]) -> None:
    """Put new answers in place of the former ones, which are kept.

    In turn with intake, which judges contributions by what is stored; not where another did so meanwhile.
    """
    if not changed:
        return
    database.insert_lock()
    now = timezone.now()
    found = Deal.objects.filter(pk__in=[anew.deal.pk for anew in changed])
    stored = dict(found.values_list("pk", "verified_at"))
    changed = [anew for anew in changed if anew.deal.verified_at == stored.get(anew.deal.pk)]
    FormerVerdict.objects.bulk_create(
        FormerVerdict(
            deal=anew.deal,
            verdict=anew.deal.verdict,
            engine_version=anew.deal.engine_version,
            verified_at=anew.deal.verified_at,
            clauses=anew.deal.clauses,
            sheet=anew.deal.sheet,
        )
        for anew in changed
    )
    database.update(Deal, [{"id": anew.deal.pk, **anew.columns, "verified_at": now} for anew in changed])
    _write_contributions({anew.deal.pk: anew for anew in changed if anew.is_other})


def _write_contributions(changed: dict[int, _Anew]) -> None:
    """Set the verdicts on the contributions to deals, and the points of their seats. `changed`: by deal."""
    verdicts: list[dict[str, Any]] = []
    for contribution in Contribution.objects.filter(deal__in=changed):
        anew = changed[contribution.deal_id]
        verdict = contribution_verdict(contribution.claimed, anew.columns["verdict"], anew.score)
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


def verify_now(deals: Sequence[Deal]) -> int:
    """Verify some deals anew here and now; how many answers changed. For the operator, who picked them."""
    done = _checked(deals)
    database.retry_transient(lambda: _write(done.changed))
    return len(done.changed)
