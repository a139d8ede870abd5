"""Evenings at the table, whose score sheets are entered deal by deal."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.constants import NAME_LENGTH
from archive.models.players import Session


class Evening(models.Model):
    """A session whose deals are entered at the table, and how the table is set.

    ``key`` is made by the phone that starts it, which may have no network then. ``seats``: how many play a
    deal, 0 for as many as the game takes; ``table``: the names of those who are there, in the order of their
    seats; ``dealer``: who dealt first; ``thrown_in``: the numbers of deals that nobody played;
    ``counts_thrown_in``: whether such a deal counts, so that the next one deals; ``stake``: what a point is
    worth, a decimal number or empty. ``version`` counts its changes.
    """

    key = models.UUIDField(unique=True)
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="evening")
    game = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField(default=0, blank=True)
    options = models.JSONField(default=list, blank=True)
    date = models.CharField(max_length=10, blank=True, default="", help_text="As written: 2026-11-??")
    place = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    table = models.JSONField(default=list)
    dealer = models.CharField(max_length=NAME_LENGTH)
    thrown_in = models.JSONField(default=list, blank=True)
    counts_thrown_in = models.BooleanField(default=False)
    stake = models.CharField(max_length=12, blank=True, default="")
    currency = models.CharField(max_length=8, blank=True, default="")
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
        return f"evening {self.session}"

    @property
    def is_ended(self) -> bool:
        """Whether it was ended, so that no deal is added any more."""
        return self.ended_at is not None
