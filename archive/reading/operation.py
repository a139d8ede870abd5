"""The operator's overview: waiting work, internal errors, campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from archive import counters, database
from archive.models import (
    VERDICTS,
    Campaign,
    Chunk,
    Deal,
    HindsightSpan,
    Mail,
    Note,
    Part,
    UploadItem,
    Webhook,
)
from archive.storing import feed, queue


def count_faults() -> int:
    """Count the pieces of work that failed because of errors in our own code. Four queries."""
    return (
        UploadItem.objects.filter(outcome="failed").count()
        + Part.objects.filter(state="failed").count()
        + Chunk.objects.filter(Q(state="failed") | Q(faulty__gt=0)).count()
        + HindsightSpan.objects.filter(state="failed").count()
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """The work in a queue. `messages`: number of messages, None if the broker doesn't respond; `parts`:
    number of upload parts that wait; `oldest`: age of the oldest waiting part in seconds."""

    messages: int | None
    parts: int = 0
    oldest: float = 0.0


@dataclass(frozen=True, slots=True)
class Work:
    """Work done by all workers since the counters were last cleared (`archive.counters`)."""

    parts: int
    """Number of parts stored."""
    outcomes: Mapping[str, int]
    """Number of records by outcome."""
    verdicts: Mapping[str, int]
    """Number of new deals by the verdict on the contribution that added the deal."""
    checks: int
    """Number of records checked by the engine."""
    microseconds: int
    """Total time of the engine's checks, in microseconds."""
    mails_sent: int
    """Number of mails that the mail server has accepted."""
    mails_given_up: int
    """Number of mails not sent after two days of attempts."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures about the site, for the operator."""

    queues: Mapping[str, Waiting]
    chunks: int
    """Number of chunks of running campaigns that are not checked yet."""
    faults: int
    deals: int
    """Approximate number of stored deals."""
    size: int
    """Size of the database in bytes."""
    webhooks_behind: int
    """Number of webhooks with waiting changes."""
    webhooks_stopped: int
    """Number of webhooks that stopped after too many failures."""
    changes_behind: int
    """Difference between the latest feed number and the position of the slowest webhook."""
    mails: int
    """Number of mails that wait for the mail server."""
    mail_oldest: float
    """Age of the oldest waiting mail in seconds."""


def get_figures(now: datetime | None = None) -> Figures:
    """Return the site's figures. Thirteen queries; only `count_faults` scans tables that grow forever."""
    now = now or timezone.now()
    parts = Part.objects.open().filter(upload__accepted_at__isnull=False).order_by().values_list("queue")
    open_parts = {
        name: (number, (now - oldest).total_seconds())
        for name, number, oldest in parts.annotate(number=Count("pk"), oldest=Min("upload__accepted_at"))
    }
    webhooks = Webhook.objects.filter(stopped_at=None)
    # Don't count webhooks that stopped for another reason, because they need no action by the operator.
    given_up = Webhook.objects.exclude(stopped_at=None).exclude(stopped__in=("gone", "owner_left"))
    latest = feed.latest()
    behind = webhooks.filter(after__lt=latest).aggregate(number=Count("pk"), first=Min("after"))
    mails = Mail.objects.aggregate(number=Count("pk"), oldest=Min("created_at"))
    return Figures(
        queues={name: Waiting(queue.length(name), *open_parts.get(name, ())) for name in Part.QUEUES},
        chunks=Chunk.objects.open().filter(campaign__state="running").count(),
        faults=count_faults(),
        deals=database.about_how_many(Deal),
        size=database.size(),
        webhooks_behind=behind["number"],
        webhooks_stopped=given_up.count(),
        changes_behind=0 if behind["first"] is None else latest - behind["first"],
        mails=mails["number"],
        mail_oldest=(now - mails["oldest"]).total_seconds() if mails["number"] else 0.0,
    )


def last_saved() -> dict[str, datetime]:
    """Return the times of the last successful `backup` and `rehearsal` (a test restore). One query."""
    notes = Note.objects.filter(name__in=["backup", "rehearsal"])
    return dict(notes.order_by("name").values_list("name", "noted_at"))


def get_work() -> Work:
    """Return the work done by the workers, from the counters in the cache. No query."""
    names = ["parts", "checks", "microseconds", "mails_sent", "mails_given_up"]
    outcomes = [f"outcome:{name}" for name in UploadItem.OUTCOMES]
    verdicts = [f"verdict:{name}" for name in VERDICTS]
    found = counters.read([*names, *outcomes, *verdicts])
    return Work(
        outcomes={name.partition(":")[2]: found[name] for name in outcomes},
        verdicts={name.partition(":")[2]: found[name] for name in verdicts},
        **{name: found[name] for name in names},
    )


def get_campaign(pk: int) -> Campaign:
    """Return a campaign, with the numbers of `checked`, `changed` and `faulty` deals and of `waiting` chunks.

    :raises Campaign.DoesNotExist: if there is no such campaign.
    """
    sums = {name: Coalesce(Sum(f"chunks__{name}"), 0) for name in ("checked", "changed", "faulty")}
    waiting = Count("chunks", filter=~Q(chunks__state__in=["done", "failed"]))
    return Campaign.objects.annotate(**sums, waiting=waiting).get(pk=pk)
