"""Evenings: what the phones at a table share beside the deals."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.fields import GameField
from archive.models.constants import NAME_LENGTH
from archive.models.players import Session


class Evening(models.Model):
    """A session whose deals are entered at the table, as score sheets.

    ``key``: made by the phone that started it, which may have been without network. ``seats``: how many play
    a deal, 0 for as many as the game takes; ``table``: the names of all who are at the table, in the order of
    seats; ``dealer``: the name of who deals first; ``thrown_in``: the deals that nobody played, each as
    ``{"n": number, "turn": names}`` from the player behind the dealer on, older ones as a number, and
    ``counts_thrown_in`` whether the club counts them as deals; ``stake``: money a point, as written, in
    ``currency``. ``version`` grows with every change.
    """

    key = models.UUIDField(unique=True)
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="evening")
    game = GameField()
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=list)
    date = models.DateField()
    place = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    table = models.JSONField(default=list)
    dealer = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    thrown_in = models.JSONField(default=list)
    counts_thrown_in = models.BooleanField(default=False)
    stake = models.CharField(max_length=12, blank=True, default="")
    currency = models.CharField(max_length=12, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"evening {self.key}"

    @property
    def numbers_thrown_in(self) -> frozenset[int]:
        """The numbers of the deals that nobody played."""
        return frozenset(deal["n"] if isinstance(deal, dict) else deal for deal in self.thrown_in)

    @property
    def has_ended(self) -> bool:
        return self.ended_at is not None
