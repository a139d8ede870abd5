"""The feed of changes: contributions in the order in which their latest changes became visible.

Each contribution appears once, at its latest change, so reading the feed from the beginning gives the current
state of the archive. Feed numbers are reserved under the insert lock (`archive.database.insert_lock`), so a
smaller number never appears after a larger one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Max, Q

from archive import access, database
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.models import FEED_KINDS, Contribution, ContributionQuerySet, Removed

KINDS = (*FEED_KINDS, "withdrawn")
"""Kinds of entries: the `FEED_KINDS`, and `withdrawn` if the viewer can no longer see a contribution."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry in the feed. `number`: its feed number; `kind`: one of `KINDS`; `contribution`: the
    contribution with its deal, None if the viewer can no longer see it."""

    number: int
    kind: str
    key: Key
    contribution: Contribution | None = None

    @property
    def as_json(self) -> dict[str, Any]:
        """The entry as JSON, for the API and for webhooks."""
        contribution = self.contribution
        return {
            "change": self.number,
            "kind": self.kind,
            "deal": str(self.key),
            "digest": contribution.deal.hex_digest if contribution else None,
            "game": contribution.deal.game if contribution else None,
            "verdict": contribution.verdict if contribution else None,
        }


@dataclass(frozen=True, slots=True)
class Changes:
    """A page of the feed. `last`: number after which the next page begins (the last entry's number, not
    `end`, which could reveal hidden changes); `more`: whether there is a next page now; `end`: number up to
    which the feed was read."""

    entries: list[Entry]
    last: int
    more: bool
    end: int


def latest() -> int:
    """Return the number of the latest change, or 0 if there is none. Two queries."""
    changed = Contribution.objects.aggregate(last=Max("feed_number"))["last"]
    removed = Removed.objects.aggregate(last=Max("id"))["last"]
    return max(changed or 0, removed or 0)


def scope(viewer: Viewer, space: int | None = None) -> str:
    """Return a hash that identifies the part of the feed that a viewer can see, optionally in one space. The
    hash depends on the viewer's memberships but not on the roles, because all members of a space see the same
    changes."""
    spaces = sorted(pk for pk in viewer.roles if space in (None, pk))
    return sha256(repr(spaces).encode()).hexdigest()[:16]


def changes(
    after: int = 0, limit: int = 100, viewer: Viewer = EVERYBODY, space: int | None = None
) -> Changes:
    """Return at most `limit` changes after number `after`: changes to contributions that the viewer can see
    or could see before. With `space`, return only changes in that space. At most eight queries."""
    end = latest()
    saw = Q(was_public=True) | Q(space__in=list(viewer.roles))
    # Contributions may change between the next two queries. Neither query reads beyond `end`, so later
    # changes appear on the next page.
    rows = Contribution.objects.filter(
        access.is_listed(viewer) | saw, feed_number__gt=after, feed_number__lte=end
    )
    removed = Removed.objects.filter(saw, id__gt=after, id__lte=end)
    if space is not None:
        rows, removed = rows.filter(space=space), removed.filter(space=space)
    contributions = access.with_readable(rows, viewer).order_by("feed_number")
    contributions = contributions.select_related("deal__hindsight")
    entries = [_entry(one) for one in contributions[: limit + 1].fetch_all()]
    entries += [
        Entry(one.pk, "withdrawn", Key(one.deal_id, one.contribution_id))
        for one in removed.order_by("id")[: limit + 1]
    ]
    entries.sort(key=lambda entry: entry.number)
    if len(entries) > limit:
        entries = entries[:limit]
        return Changes(entries, entries[-1].number, True, end)
    return Changes(entries, entries[-1].number if entries else after, False, end)


def _entry(contribution: Any) -> Entry:
    if not contribution.is_readable:
        return Entry(contribution.feed_number, "withdrawn", contribution.key)
    return Entry(contribution.feed_number, contribution.feed_kind, contribution.key, contribution)


# --- writing the feed ---------------------------------------------------------------------------------------


def reserve_numbers(count: int) -> range:
    """Reserve feed numbers for `count` changes. Call with the insert lock held."""
    return database.reserve_ids(Removed, count) if count else range(0)


def note(contributions: ContributionQuerySet | Iterable[int], kind: str) -> None:
    """Record a change to these contributions. `kind`: one of `FEED_KINDS`. Call with the insert lock held."""
    if isinstance(contributions, ContributionQuerySet):
        contributions = contributions.order_by("pk").values_list("pk", flat=True)
    pks = list(contributions)
    if not pks:
        return
    changes = zip(pks, reserve_numbers(len(pks)), strict=True)
    database.update(
        Contribution, [{"id": pk, "feed_number": number, "feed_kind": kind} for pk, number in changes]
    )


def remove(contributions: ContributionQuerySet) -> None:
    """Delete contributions, and add a `Removed` row for each of them. Call with the insert lock held."""
    gone = list(contributions.order_by("pk").values_list("pk", "deal_id", "space_id", "was_public"))
    contributions.delete()
    note_removed(gone)


def note_removed(gone: Sequence[tuple[int, int, int, bool]]) -> None:
    """Add a `Removed` row for each of these contributions, given by id, deal, space and `was_public`."""
    Removed.objects.bulk_create(
        Removed(id=number, deal_id=deal, contribution_id=pk, space=space, was_public=was_public)
        for number, (pk, deal, space, was_public) in zip(reserve_numbers(len(gone)), gone, strict=True)
    )
