"""Puzzles that a viewer may see, the puzzle of the day, and a user's own record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q
from django.utils import timezone

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.models import Attempt, Puzzle, PuzzleQuerySet, Space

_SEED = "puzzle of the day"


def public() -> PuzzleQuerySet:
    """Return the composed puzzles, and those from public deals."""
    return listed(EVERYBODY)


def listed(viewer: Viewer) -> PuzzleQuerySet:
    """Return the composed puzzles, and those from verified deals that are listed for a viewer. A puzzle
    disappears with its deal."""
    return _among(Q(deal=None) | _shows(access.listed(viewer)))


def of_club(club: Space, viewer: Viewer) -> PuzzleQuerySet:
    """Return the puzzles from the evenings of a club; none for a viewer who is not a member."""
    if not viewer.is_at_least("member", club):
        return Puzzle.objects.none()
    return _among(_shows(access.listed(viewer).filter(space=club, session__isnull=False)))


def _shows(contributions: object) -> Q:
    return Q(Exists(contributions.filter(deal=OuterRef("deal"))), deal__verdict="verified")  # type: ignore[attr-defined]


def _among(condition: Q) -> PuzzleQuerySet:
    return Puzzle.objects.filter(condition).select_related("deal")


def get_puzzle(pk: int, viewer: Viewer) -> Puzzle:
    """Return a puzzle with its difficulty.

    :raises Puzzle.DoesNotExist: if there is no such puzzle, or if the viewer may not see its deal.
    """
    return listed(viewer).rated().get(pk=pk)


def themes(game: str) -> list[str]:
    """Return the themes of the public puzzles of a game, or of all games."""
    found = public().filter(game=game) if game else public()
    return sorted(found.order_by().values_list("theme", flat=True).distinct())


def of_day(puzzles: PuzzleQuerySet, day: date) -> Puzzle | None:
    """Return the puzzle of a day among these, the same all day: a puzzle that was found today has to wait."""
    begin = timezone.make_aware(datetime.combine(day, datetime.min.time()))
    key = sha256(f"{_SEED} {day}".encode()).hexdigest()[:32]
    is_before = ExpressionWrapper(Q(key__lt=key), BooleanField())
    among = puzzles.filter(Q(deal=None) | Q(found_at__lt=begin)).annotate(is_before=is_before)
    return among.order_by("is_before", "key", "id").first()


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """A user's own record: puzzles tried and solved at the first attempt, and how many of these in a row."""

    tried: int
    solved: int
    streak: int
    longest: int
    due: int


def due(viewer: Viewer) -> PuzzleQuerySet:
    """Return the puzzles that a user failed and that have come back."""
    due = Attempt.objects.filter(user=viewer.user, due_at__lte=timezone.now())
    return listed(viewer).filter(pk__in=due.values("puzzle"))


def own_record(viewer: Viewer) -> OwnRecord | None:
    """Return the record of a signed-in user, or None for a guest."""
    if viewer.user is None:
        return None
    results = list(Attempt.objects.filter(user=viewer.user).values_list("first_right", flat=True))
    streak = longest = 0
    for right in results:
        streak = streak + 1 if right else 0
        longest = max(longest, streak)
    return OwnRecord(len(results), sum(results), streak, longest, due(viewer).count())
