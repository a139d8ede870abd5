"""The cost of the cards of deals, and the spans of deals that are still to be analysed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from archive import packed_losses
from archive.models.deals import Deal
from archive.models.work import Work
from tarock.analysis import hindsight


class Hindsight(models.Model):
    """The hindsight of a deal, as `archive.packed_losses` packs it. A deal whose cards have no values has no
    row. `dearest`: what the dearest card cost."""

    deal = models.OneToOneField(Deal, on_delete=models.CASCADE, primary_key=True)
    dearest = models.PositiveIntegerField()
    engine_version = models.CharField(max_length=20)
    packed = models.BinaryField()

    class Meta:
        indexes = [models.Index(fields=["dearest"], condition=Q(dearest__gt=0), name="hindsight_dearest")]

    def __str__(self) -> str:
        return f"hindsight of deal {self.deal_id}"

    def read(self, game: str) -> hindsight.Hindsight:
        """Unpack the hindsight. `game`: that of the deal."""
        return packed_losses.unpack(bytes(self.packed), game)


class HindsightSpan(Work):
    """The deals whose ids divided by `DEALS` are the id of this row, which one worker analyses. `last`: the
    highest deal id that the span was made for."""

    DEALS = 10
    """Number of deal ids in a span. An analysis takes about half a second."""

    id = models.BigIntegerField(primary_key=True)
    last = models.BigIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["id"], condition=Q(state__in=["waiting", "working"]), name="hindsight_open")
        ]

    def __str__(self) -> str:
        return f"hindsight of deals {self.pk * self.DEALS} to {self.last}: {self.state}"
