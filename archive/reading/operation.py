"""What the operator looks at: faults of the archive's own, and campaigns."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from archive.models import Campaign, Chunk, Part, UploadItem


def count_faults() -> int:
    """How many records, parts and chunks failed through a fault of ours. Three queries."""
    return (
        UploadItem.objects.filter(outcome="failed").count()
        + Part.objects.filter(state="failed").count()
        + Chunk.objects.filter(Q(state="failed") | Q(faulty__gt=0)).count()
    )


@dataclass(frozen=True, slots=True)
class CampaignState:
    """A campaign, and how far it is."""

    campaign: Campaign
    state: str
    checked: int
    changed: int
    faulty: int
    waiting: int


def get_campaign(pk: int) -> CampaignState:
    """How far a campaign is.

    :raises Campaign.DoesNotExist: if there is no such campaign.
    """
    campaign = Campaign.objects.get(pk=pk)
    sums = {name: Coalesce(Sum(name), 0) for name in ("checked", "changed", "faulty")}
    waiting = Count("pk", filter=~Q(state__in=["done", "failed"]))
    return CampaignState(
        campaign, campaign.state, **campaign.chunks.order_by().aggregate(**sums, waiting=waiting)
    )
