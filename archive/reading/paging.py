"""Keyset pagination: pages of a list that continue from a row instead of an offset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """The row from which a page continues. `after`: id of the row before the page; `before`: id of the row
    after the page; the first page has neither."""

    after: int | None = None
    before: int | None = None


FIRST = Step()


@dataclass(frozen=True, slots=True)
class KeyPage(Generic[T]):
    """A page of a list. `previous`: id of its first row if the list has rows before it; `next`: id of its
    last row if the list has rows after it."""

    rows: list[T]
    previous: int | None
    next: int | None

    def __iter__(self) -> Iterator[T]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def key_page(fetch: Callable[[int | None, bool, int], list[T]], step: Step, size: int) -> KeyPage[T]:
    """Return a page of at most `size` rows. `fetch(anchor, backwards, limit)` returns the rows that follow
    the row with id `anchor` in list order or, with `backwards`, the rows that precede it in reverse order."""
    backwards = step.before is not None
    rows: list[Any] = fetch(step.before if backwards else step.after, backwards, size + 1)
    more, rows = len(rows) > size, rows[:size]
    if backwards:
        rows.reverse()
    if not rows:
        return KeyPage([], None, None)
    is_previous = more if backwards else step.after is not None
    is_next = backwards or more
    return KeyPage(rows, rows[0].pk if is_previous else None, rows[-1].pk if is_next else None)
