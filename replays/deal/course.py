"""A deal as part of a collection: the notes in its replay, and the deals before and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext as _

from archive.access import Viewer
from archive.models import Collection
from archive.reading import collections
from archive.reading.collections import Entry
from archive.shown import ShownDeal
from replays.site.paths import path


@dataclass(frozen=True, slots=True)
class Course:
    """A collection that has led the reader to the deal of `entry`."""

    collection: Collection
    entries: list[Entry]
    entry: Entry

    @property
    def comments(self) -> dict[int, list[str]]:
        """The notes as comments of a record."""
        return {step: [_("Note: %(text)s") % {"text": text}] for step, text in self.entry.stored.by_step}

    @property
    def previous(self) -> str:
        """URL of the deal before this one, empty for the first."""
        return self._nearest(reversed(self.entries[: self.entry.number - 1]))

    @property
    def next(self) -> str:
        """URL of the next deal, empty for the last."""
        return self._nearest(self.entries[self.entry.number :])

    def _nearest(self, entries: Iterable[Entry]) -> str:
        return next((address_in(self.collection, one.deal) for one in entries if one.deal), "")


def address_in(collection: Collection, deal: ShownDeal, step: int = 0) -> str:
    """Return the URL of a deal's replay with the notes of a collection, or of the deal's page if its play was
    not recorded."""
    if not deal.is_played:
        return path("deal", deal.key)
    return f"{path('replay', deal.key)}?collection={collection.key}&step={step}"


def course_of(deal: ShownDeal, key: str, viewer: Viewer) -> Course | None:
    """Return the course of a deal in the collection with this key; None if there is none, if the viewer may
    not see it, or if it does not contain the deal."""
    if not key:
        return None
    try:
        collection = collections.by_key(key, viewer)
    except ObjectDoesNotExist:
        return None
    entries = collections.entries(collection, viewer)
    entry = next((one for one in entries if one.stored.deal_id == deal.pk), None)
    return Course(collection, entries, entry) if entry else None
