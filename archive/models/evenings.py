"""Evenings: the data that the phones at a table share, in addition to the deals."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.utils import timezone

from archive.fields import GameField, WordField, user_or_null
from archive.models.constants import CHOSEN, NAME_LENGTH, RULES_LENGTH
from archive.models.players import Session
from tarock.games import GAMES


class Evening(models.Model):
    """A session whose deals are entered at the table, as score sheets.

    `key`: UUID chosen by the phone that started the evening, which may have been offline. `seats`: number
    of players per deal, 0 for the game's usual number; `options`, `rules`: the rules of the evening and
    the name of this rule set, such as `vysocina@1`, empty for the rules of the source; `table`: names of
    all people at the table, in seat order; `dealer`: name of the first dealer; `thrown_in`: the deals
    that nobody played, each as `{"n": number, "turn": names}`, where the names start with the player
    after the dealer (in older evenings only the number); `counts_thrown_in`: whether the club counts
    these as deals; `stake`: money per point, as written, in `currency`. `visibility`: the visibility of
    all deals of the evening; null in older evenings, whose deals get the visibility of the space.
    `version` increases with every change. `join_key`: the secret in the link with which friends join,
    null if there is no link (`archive.access`).
    """

    key = models.UUIDField(unique=True)
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="evening")
    game = GameField()
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=list)
    rules = models.CharField(max_length=RULES_LENGTH, blank=True, default="", db_default="")
    date = models.DateField()
    place = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    table = models.JSONField(default=list)
    dealer = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    thrown_in = models.JSONField(default=list)
    counts_thrown_in = models.BooleanField(default=False)
    stake = models.CharField(max_length=12, blank=True, default="")
    currency = models.CharField(max_length=12, blank=True, default="")
    visibility = WordField(words=CHOSEN, null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    join_key = models.CharField(max_length=40, null=True, blank=True, unique=True, editable=False)
    made_by = user_or_null()
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"evening {self.key}"

    @property
    def numbers_thrown_in(self) -> frozenset[int]:
        """Numbers of the deals that nobody played."""
        return frozenset(deal["n"] if isinstance(deal, dict) else deal for deal in self.thrown_in)

    @property
    def visibility_of_new(self) -> str:
        """Visibility that new deals of the evening get. May query the session and the space."""
        return self.visibility or self.session.space.visibility

    @property
    def has_ended(self) -> bool:
        return self.ended_at is not None

    @property
    def unit(self) -> str:
        """What 1 of the score is by the evening's rules."""
        return str(GAMES[self.game].info.rules.of(self.options).unit)


def evening_visibilities(sessions: Iterable[int]) -> dict[int | None, str]:
    """Return the visibility of each session's evening, if it has one, by session id. One query."""
    evenings = Evening.objects.filter(session__in=sessions, visibility__isnull=False)
    return dict(evenings.values_list("session_id", "visibility"))
