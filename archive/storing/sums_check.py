"""Compare the stored sums with sums recomputed from all rows."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Any

from django.db import models
from django.db.models import Max

from archive.models import Cell, Deal, Figure, Mark, Player, Session, Tally, Total
from archive.storing import sums

logger = logging.getLogger(__name__)

_AT_ONCE = 500
"""Number of consecutive player ids that are checked together."""

_SLICES = 30
"""Number of slices into which a full check is divided. One slice is checked per day."""

Difference = tuple[str, int]
"""Kind and number, as in a `Mark`, of stored sums that differ from the recomputed ones."""


def check(part: int | None = None) -> Iterator[Difference]:
    """Yield the stored sums that differ from the sums of their rows. With `part`, check only this slice (see
    `_SLICES`). Skip marked sums, because their rows have changed since the sums were computed."""
    seen: set[int] = set()
    for block in _part(range(_last(Deal) // Tally.BLOCK + 1), part):
        evenings = sums.evenings_of_block(block)
        yield from _unmarked("evening", _other_evenings(evenings - seen))
        seen |= evenings
        if _other_tally("deals", block) or _other_figures(block):
            yield from _unmarked("deals", [block])
    if part is None:
        left = Cell.objects.order_by().values_list("evening", flat=True).distinct()
        yield from _unmarked("evening", [evening for evening in left if evening not in seen])
        for block in range(_last(Session) // Tally.BLOCK + 1):
            if _other_tally("sessions", block):
                yield from _unmarked("evening", [max(1, block * Tally.BLOCK)])
    for first in _part(range(0, _last(Player) + 1, _AT_ONCE), part):
        yield from _unmarked("player", _other_persons(range(first, first + _AT_ONCE)))
    for block in _part(range(_last(Player) // Tally.BLOCK + 1), part):
        if _other_tally("players", block):
            yield from _unmarked("player", [block * Tally.BLOCK])


def check_slice(today: date) -> int:
    """Check one slice of the sums, a different one each day. Log wrong sums, schedule them for recomputation,
    and return their number. There should be none, because each change leaves a mark."""
    found = list(check(today.toordinal() % _SLICES))
    for kind, number in found:
        logger.error("the stored sums of %s %s were not those of its rows", kind, number)
    Mark.objects.bulk_create(Mark(kind=kind, number=number) for kind, number in found)
    return len(found)


def _last(model: type[models.Model]) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


def _part(numbers: range, part: int | None) -> range:
    return numbers if part is None else numbers[part::_SLICES]


def _unmarked(kind: str, numbers: Iterable[int]) -> Iterator[Difference]:
    others = list(numbers)
    kinds = [kind, *(["figures"] if kind == "deals" else [])]
    marks = Mark.objects.filter(kind__in=kinds, number__in=others) if others else Mark.objects.none()
    marked = set(marks.values_list("number", flat=True))
    yield from ((kind, number) for number in others if number not in marked)


def _grouped(rows: Iterable[dict[str, Any]], key: str) -> dict[int, list[list[tuple[str, Any]]]]:
    """Group rows by the value of a column. Each group is a sorted list, so that groups can be compared."""
    groups: dict[int, list[list[tuple[str, Any]]]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(sorted(row.items()))
    return {number: sorted(group, key=repr) for number, group in groups.items()}


def _stored(rows: models.QuerySet[Any]) -> Iterator[dict[str, Any]]:
    """Yield each row as a dict of its columns, without the id."""
    names = [field.name for field in rows.model._meta.concrete_fields if not field.primary_key]
    yield from rows.order_by().values(*names)


def _other_evenings(evenings: Collection[int]) -> list[int]:
    """Return the evenings whose stored cells or session figures differ from the recomputed ones."""
    stored = _grouped(_stored(Cell.objects.filter(evening__in=evenings)), "evening")
    computed = _grouped(sums.cells_of_evenings(evenings), "evening")
    figures = sums.session_figures([evening for evening in evenings if evening > 0])
    sessions = Session.objects.filter(pk__in=figures).order_by().values("pk", *Session.FIGURES)
    others = {row["pk"] for row in sessions if row != figures[row["pk"]] | {"pk": row["pk"]}}
    others |= {evening for evening in evenings if stored.get(evening) != computed.get(evening)}
    return sorted(others)


def _other_persons(ids: range) -> list[int]:
    """Return the players in this range of ids whose stored totals or numbers of deals differ from the sums of
    their cells."""
    players = Player.objects.filter(pk__range=(ids.start, ids.stop - 1)).order_by()
    heads = set(players.filter(same_as=None).values_list("pk", flat=True))
    stored = _grouped(_stored(Total.objects.filter(person__gte=ids.start, person__lt=ids.stop)), "person")
    computed = _grouped(sums.total_rows(heads), "person")
    others = {person for person in {*stored, *computed} if stored.get(person) != computed.get(person)}
    figures = {head: [0, 0] for head in heads}
    for person, column, deals in sums.seated_deals(heads):
        figures[person][Player.FIGURES.index(column)] = deals
    for pk, *deals in players.values_list("pk", *Player.FIGURES):
        if deals != figures.get(pk, [0, 0]):
            others.add(pk)
    return sorted(others)


def _other_tally(kind: str, block: int) -> bool:
    stored = _grouped(_stored(Tally.objects.filter(kind=kind, block=block)), "block")
    return stored != _grouped(sums.tally_rows(kind, block), "block")


def _other_figures(block: int) -> bool:
    stored = _grouped(_stored(Figure.objects.filter(block=block)), "block")
    return stored != _grouped(sums.figure_rows(block), "block")
