"""Change users' collections of deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from archive import database
from archive.database import storable
from archive.errors import ArchiveError
from archive.models import Collected, Collection, Deal, Opened

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

MOST, MOST_DEALS, MOST_NOTES = 100, 100, 50
"""Maximum numbers of collections of a user, of deals in a collection, and of notes on a deal."""

LONGEST_NOTE, LONGEST_ABOUT = 1000, 2000
"""Maximum lengths in characters."""


class TooMany(ArchiveError):
    """The user has the maximum number of collections, or the collection has the maximum number of deals or
    of notes on a deal. Nothing was stored."""

    code = "refused"
    message = f"{MOST} collections, {MOST_DEALS} deals in each and {MOST_NOTES} notes on a deal are the most."


def begin(user: AbstractBaseUser, title: str, about: str = "", visibility: str = "private") -> Collection:
    """Store a new collection.

    :raises TooMany: if the user has `MOST` collections already.
    """
    if Collection.objects.filter(user=user).count() >= MOST:
        raise TooMany
    return Collection.objects.create(
        user=user, title=storable(title), about=storable(about), visibility=visibility
    )


@database.holding_insert_lock
def add(collection: Collection, deal: Deal, step: int = 0, note: str = "") -> Collected:
    """Add a deal at the end of a collection, unless it is there already. A note is added to the notes at the
    step.

    :raises TooMany: if the collection has `MOST_DEALS` deals, or the deal `MOST_NOTES` notes.
    :raises Gone: if the collection or the deal was deleted meanwhile.
    """
    entry = collection.entries.filter(deal=deal).first()
    if entry is None:
        places = list(collection.entries.values_list("place", flat=True))
        if len(places) >= MOST_DEALS:
            raise TooMany
        entry = Collected(collection=collection, deal=deal, place=max(places, default=0) + 1)
    if note:
        before = entry.notes.get(str(step), "")
        entry.notes[str(step)] = f"{before}\n{storable(note)}".strip()[:LONGEST_NOTE]
        if len(entry.notes) > MOST_NOTES:
            raise TooMany
    entry.save()
    _changed(collection)
    return entry


@transaction.atomic
def change(
    collection: Collection,
    title: str,
    about: str,
    visibility: str,
    notes: Mapping[int, Mapping[str, str]],
) -> None:
    """Change a collection and all its notes. `notes`: texts by entry id and step; empty ones are removed."""
    for entry in collection.entries.all():
        if entry.pk in notes:
            entry.notes = {step: storable(text) for step, text in notes[entry.pk].items() if text}
            entry.save()
    _changed(collection, title=storable(title), about=storable(about), visibility=visibility)


@transaction.atomic
def move_up(collection: Collection, pk: int) -> None:
    """Move a deal one place forward."""
    rows = list(collection.entries.all())
    at = next((number for number, row in enumerate(rows) if row.pk == pk), 0)
    rows.insert(max(at - 1, 0), rows.pop(at))
    for place, row in enumerate(rows, 1):
        row.place = place
    Collected.objects.bulk_update(rows, ["place"])
    _changed(collection)


def remove(collection: Collection, pk: int) -> None:
    """Remove a deal from a collection, with its notes."""
    collection.entries.filter(pk=pk).delete()
    _changed(collection)


def note_opened(entry: Collected, user: AbstractBaseUser) -> None:
    """Store that a user has opened a deal of a collection."""
    Opened.objects.bulk_create([Opened(entry=entry, user=user)], ignore_conflicts=True)


def _changed(collection: Collection, **columns: str) -> None:
    # Write no other columns: another request may have changed them since the collection was read.
    Collection.objects.filter(pk=collection.pk).update(changed_at=timezone.now(), **columns)
