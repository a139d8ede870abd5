"""Find puzzles in stored deals, load the composed ones, and store users' attempts."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone

from archive.kernel.solver import solve
from archive.models import Attempt, Deal, Puzzle
from tarock.analysis.puzzles import find
from tarock.core.record import Record
from tarock.notation import dump_json, read_value

FOLDER = Path(__file__).resolve().parent.parent / "puzzles"
"""Folder of the composed puzzles (`tools/puzzles.py`)."""

BACK = (timedelta(days=3), timedelta(days=7), timedelta(days=21))
"""Times after which a failed puzzle comes back. It comes back a last time after it was solved twice."""

_NODES = 15_000
"""Most cards that the engine's own search plays for a position."""


def load_composed() -> None:
    """Store the composed puzzles that are not stored yet."""
    stored = set(Puzzle.objects.filter(deal=None).values_list("key", flat=True))
    texts = [file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.jsonl"))]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    new = [row for row in rows if row["key"] not in stored]
    Puzzle.objects.bulk_create((_composed(row) for row in new), ignore_conflicts=True)


def _composed(row: dict[str, object]) -> Puzzle:
    record = read_value(row.pop("record"))
    return Puzzle(game=record.game, text=dump_json(record), **row)


def find_in(deal: Deal, record: Record) -> None:
    """Store the puzzle of a deal if it has one. Safe to run twice: a deal has at most one puzzle."""
    if found := find(record, partial(solve, engine_nodes=_NODES)):
        puzzle = Puzzle(deal=deal, game=deal.game, **found.as_json())
        Puzzle.objects.bulk_create([puzzle], ignore_conflicts=True)


def answer(puzzle: Puzzle, user: AbstractBaseUser, token: str) -> bool:
    """Store a user's attempt with a legal card, and return whether it is right. Only the first attempt counts
    for the difficulty. A puzzle that was failed comes back after some days, up to three times."""
    right, now = puzzle.is_right(token), timezone.now()
    attempt, is_first = Attempt.objects.get_or_create(
        puzzle=puzzle,
        user=user,
        defaults={"first_right": right, "tried_at": now, "due_at": None if right else now + BACK[0]},
    )
    if not is_first and attempt.due_at is not None and attempt.due_at <= now:
        attempt.stage = attempt.stage + 1 if right else 0
        attempt.due_at = now + BACK[attempt.stage] if attempt.stage < len(BACK) else None
        attempt.save(update_fields=["stage", "due_at"])
    return right
