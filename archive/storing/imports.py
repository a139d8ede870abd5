"""Bring in tables of old results: keep a table while its sender answers questions about it, then store its
rows as one upload of results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID
from zlib import compress

from django.utils import timezone

from archive import conf, database
from archive.models import ImportedTable, Upload
from archive.rules import Rules
from archive.storing import uploads
from tarock.core.game import UNKNOWN_GAME
from tarock.games import profiles
from tarock.tables import Recognised
from tarock.tables.records import json_forms
from tarock.tables.workbook import LARGEST

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

RETENTION = timedelta(days=1)
"""Retention time of a table that its sender has not confirmed."""

_MOST_DRAFTS = 5
"""Maximum number of unconfirmed tables of one sender. A further one replaces the oldest."""


def max_bytes(anonymous: bool = False) -> int:
    """Return the maximum size of a table, in bytes."""
    return min(LARGEST, conf.max_upload_bytes(anonymous))


def new_table(
    data: bytes, filename: str, user: AbstractBaseUser | AnonymousUser | None, address: str = ""
) -> ImportedTable:
    """Return a table that is not stored yet."""
    return ImportedTable(
        user=user if user is not None and user.is_authenticated else None,
        sender=uploads.sender(user, address),
        filename=database.storable(filename)[:255],
        data=compress(data),
    )


def keep(table: ImportedTable) -> None:
    """Store a table as a draft, and delete the sender's oldest drafts if there are too many."""
    table.save()
    drafts = ImportedTable.objects.filter(sender=table.sender, upload=None).order_by("-pk")
    too_many = list(drafts.values_list("pk", flat=True)[_MOST_DRAFTS:])
    ImportedTable.objects.filter(pk__in=too_many, upload=None).delete()


def get_table(key: UUID, user: AbstractBaseUser | AnonymousUser) -> ImportedTable:
    """Return the table with this key that this user sent, or that a guest sent.

    :raises ImportedTable.DoesNotExist: if there is none, or its retention time is over.
    """
    since = timezone.now() - RETENTION
    table = ImportedTable.objects.get(key=key, sent_at__gt=since)
    if table.user_id not in (None, user.pk):
        raise ImportedTable.DoesNotExist
    return table


def expire(now: datetime) -> None:
    """Delete the unconfirmed tables past their retention time."""
    ImportedTable.objects.filter(upload=None, sent_at__lt=now - RETENTION).delete()


def is_complete(recognised: Recognised, game: str) -> bool:
    """Return whether the rows of a table can be stored: there are some, no question is open, and the game of
    deals is known. `game`: the game of all rows, or `?` if it is unknown."""
    return recognised.kind == "evening" or (recognised.kind == "deal" and game != UNKNOWN_GAME)


class Counted(NamedTuple):
    """How the points of a table were counted: the game of all rows (`?` if it is unknown), the name of
    published rules (empty for the source rules), and the unit (empty for that of the rules)."""

    game: str = UNKNOWN_GAME
    rules: str = ""
    unit: str = ""

    @property
    def is_possible(self) -> bool:
        """Whether the rules are rules of the game, and have this unit."""
        profile = profiles().get(self.rules)
        if profile is None:
            return not self.rules
        return profile.game == self.game and self.unit in ("", Rules(self.game, profile.words).unit)

    @property
    def options(self) -> tuple[str, ...]:
        """The options of all rows."""
        if self.rules:
            return profiles()[self.rules].words
        return (f"unit={self.unit}",) if self.unit else ()


def receive(table: ImportedTable, recognised: Recognised, counted: Counted, **how: Any) -> Upload:
    """Store the rows of a table, which must be complete, as one upload, and the table as its original. `how`:
    further arguments of `uploads.receive`, which raises the same errors."""
    if table.pk is None:
        keep(table)
    table.keep_report(recognised)
    return uploads.receive(
        _lines(recognised, counted),
        limit=conf.max_upload_bytes(),
        filename=table.filename,
        table=table,
        **{"media_type": "application/x-ndjson"} | how,
    )


def _lines(recognised: Recognised, counted: Counted) -> Iterator[bytes]:
    for form in json_forms(recognised, counted.game, counted.rules, counted.options):
        yield json.dumps(form, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
