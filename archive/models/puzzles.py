"""Puzzles from deals, and the users' attempts to solve them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Case, Count, F, Q, Value, When
from django.utils import timezone

from archive.fields import GameField, PackedTextField
from archive.models.deals import Deal
from tarock.core.record import Record
from tarock.notation import read_one


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    """Puzzles, with their difficulty."""

    FEWEST = 5
    """Number of users who must have tried a puzzle before it has a difficulty."""

    def rated(self) -> PuzzleQuerySet:
        """Annotate the number of users who tried a puzzle, the number of those whose first attempt failed,
        and the difficulty: `new` if too few users tried it, `easy` if up to a third of them failed, `hard` if
        at least two thirds did, and otherwise `medium`."""
        failed = Count("attempts", filter=Q(attempts__first_right=False))
        difficulty = Case(
            When(tried__lt=self.FEWEST, then=Value("new")),
            When(tried__gte=3 * F("failed"), then=Value("easy")),
            When(tried__lte=1.5 * F("failed"), then=Value("hard")),
            default=Value("medium"),
        )
        return self.annotate(tried=Count("attempts"), failed=failed).annotate(difficulty=difficulty)


class Puzzle(models.Model):
    """A position of a deal in which exactly one card is right (`tarock.analysis.puzzles`). `deal`: null for a
    composed puzzle, whose record is in `text`; `choices`: each legal card with its cost and best line; `key`:
    hash of the position."""

    deal = models.OneToOneField(Deal, null=True, blank=True, on_delete=models.CASCADE, related_name="puzzle")
    text = PackedTextField(blank=True)
    game = GameField()
    step = models.PositiveSmallIntegerField(help_text="Number of events before the position.")
    theme = models.CharField(max_length=64)
    choices = models.JSONField()
    key = models.CharField(max_length=32)
    found_at = models.DateTimeField(default=timezone.now)

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key"], condition=Q(deal=None), name="puzzle_composed_once"),
        ]

    def __str__(self) -> str:
        return f"puzzle {self.pk}"

    @property
    def is_composed(self) -> bool:
        """Whether the puzzle comes from a simulated deal."""
        return self.deal_id is None

    @property
    def record(self) -> Record:
        """The deal, with seat letters in place of the players' names."""
        return read_one(self.text if self.deal is None else self.deal.text)

    def is_right(self, token: str) -> bool:
        """Return whether a legal card is the right one."""
        return not self.choices[token][0]


class Attempt(models.Model):
    """A user's attempts to solve a puzzle. `first_right`: whether the first one was right; `due_at`: when the
    puzzle comes back, null if it doesn't; `stage`: number of times that it came back and was solved."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="attempts")
    first_right = models.BooleanField()
    tried_at = models.DateTimeField(default=timezone.now)
    stage = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["tried_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="attempt_of_puzzle_by_user"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk}"
