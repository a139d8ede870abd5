"""Find puzzles in stored deals, load the composed ones, and store users' attempts."""

from __future__ import annotations

import json
import logging
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone

from archive.kernel.solver import solve
from archive.models import Attempt, Deal, Note, Puzzle
from archive.storing import queue
from tarock.analysis.puzzles import find
from tarock.notation import dump_json, read_one, read_value

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).resolve().parent.parent / "puzzles"
"""Folder of the composed puzzles (`tools/puzzles.py`)."""

BACK = (timedelta(days=3), timedelta(days=7), timedelta(days=21))
"""Times after which a failed puzzle comes back. It comes back a last time after it was solved twice."""

_NOTE, _SENT = "puzzles", "puzzles-sent"
"""Notes with the last deal that was searched, and with the last deal before those that a message names."""

_AGAIN = timedelta(minutes=1)
"""Time after which a message counts as lost: longer than a task."""

_DEALS, _SECONDS, _NODES = 200, 20.0, 15_000
"""Most deals and seconds of one task, and most cards that the engine's own search plays for a position."""


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


def _searched() -> int:
    """Return the id of the last deal in which puzzles were searched."""
    return int(Note.objects.filter(name=_NOTE).values_list("text", flat=True).first() or 0)


def send() -> bool:
    """Send a message if there are deals to search, nothing else waits in the queue, and no message is on its
    way. Return whether a message was sent."""
    after = _searched()
    if not Deal.objects.filter(pk__gt=after).exists() or queue.length(queue.HINDSIGHT) != 0:
        return False
    since = timezone.now() - _AGAIN
    if Note.objects.filter(name=_SENT, text=str(after), noted_at__gt=since).exists():
        return False
    Note.write(**{_SENT: str(after)})
    queue.send(queue.FIND_PUZZLES, [after], queue.HINDSIGHT)
    return True


def find_next(after: int) -> int:
    """Search the deals after this id, as far as the limits of a task allow. Return the number of new puzzles.
    Safe to run twice: a deal has at most one puzzle."""
    if _searched() != after:
        return 0
    started, found, last = time.monotonic(), [], after
    for deal in Deal.objects.filter(pk__gt=after).order_by("pk")[:_DEALS].iterator(chunk_size=20):
        if deal.is_played and deal.verdict == "verified" and (puzzle := _of_deal(deal)):
            found.append(puzzle)
        last = deal.pk
        if time.monotonic() - started > _SECONDS:
            break
    Puzzle.objects.bulk_create(found, ignore_conflicts=True)
    Note.write(**{_NOTE: str(last)})
    return len(found)


def _of_deal(deal: Deal) -> Puzzle | None:
    try:
        found = find(read_one(deal.text), partial(solve, engine_nodes=_NODES))
    except Exception:
        logger.exception("the search for puzzles in deal %s failed", deal.pk)
        return None
    return None if found is None else Puzzle(deal=deal, game=deal.game, **found.as_json())


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
