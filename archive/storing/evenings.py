"""Evenings at the table: starting and changing them, and their deals, each a score sheet.

A new deal goes in like any upload, and a worker checks and stores it; a deal that is there is corrected. The
callers check the rights.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from archive import database
from archive.errors import ArchiveError
from archive.models import CHOSEN, Contribution, Evening, Session, Space, Upload
from archive.storing import corrections, removal, sheets, uploads
from archive.storing.contribution_data import from_record
from tarock import __version__
from tarock.evening_page import record_form
from tarock.notation import read_one, write_text
from tarock.record import Record

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

logger = logging.getLogger(__name__)

MOST_DEALS = 400
"""The highest number of a deal."""

_CHANGED = ("game", "seats", "options", "date", "place", "table", "dealer", "thrown_in", "counts_thrown_in")
FIELDS = (*_CHANGED, "stake", "currency")
"""What a phone sets of an evening, beside its name and whether it is ended."""


class Changed(ArchiveError):
    """Another phone has changed what this one wants to change. Nothing was changed."""

    code = "already_there"
    message = "This was changed meanwhile."


class Ended(ArchiveError):
    """The evening is over: no deal is added."""

    code = "permission_denied"
    message = "The evening is over."


class OtherTable(ArchiveError):
    """The deal that is there has another game or number of players: it must be deleted first."""

    code = "refused"
    message = "This deal has another number of players. Delete it, and enter it again."


# --- evenings -----------------------------------------------------------------------------------------------


@database.holding_insert_lock
def start(
    key: UUID, space: Space, name: str, setup: Mapping[str, Any], *, by: AbstractBaseUser | None
) -> Evening:
    """Start an evening in a space; the one that was started with this key, if there is one. ``name``: that of
    its session; where the space has a session of this name, a number behind it makes another one."""
    known = Evening.objects.select_related("session__space").filter(key=key).first()
    if known is not None:
        return known
    taken = set(Session.objects.filter(space=space, name__startswith=name).values_list("name", flat=True))
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    session = Session.objects.create(space=space, name=free)
    return Evening.objects.create(key=key, session=session, made_by=by, **setup)


def change(evening: Evening, setup: Mapping[str, Any], *, version: int, ended: bool) -> None:
    """Change an evening.

    :raises Changed: if it has another version than that which is changed.
    """
    now = timezone.now()
    rows = Evening.objects.filter(pk=evening.pk, version=version)
    ended_at = (evening.ended_at or now) if ended else None
    if not rows.update(**setup, ended_at=ended_at, version=F("version") + 1, changed_at=now):
        raise Changed
    evening.refresh_from_db(fields=[*setup, "ended_at", "version", "changed_at"])


# --- deals --------------------------------------------------------------------------------------------------


def record_of(evening: Evening, deal: Mapping[str, Any]) -> Record:
    """The record of a deal of an evening, from JSON: ``n``, ``players``, ``dealer``, ``options``, ``lines``,
    ``comment``.

    :raises NotationError: if there can be no such sheet.
    """
    session = evening.session.name
    setup = {"game": evening.game, "name": session, "date": evening.date, "place": evening.place}
    return read_one(json.dumps(record_form(deal, setup)))


def entered(evening: Evening, number: int) -> Contribution | None:
    """The contribution that stands at a number: the deal with its cards, if they were recorded, else the
    sheet, also a withdrawn one; None if there is none."""
    rows = Contribution.objects.prefetched().select_related("deal")
    rows = rows.filter(space=evening.session.space_id)
    played = rows.filter(session=evening.session_id, number=number, deal__kind="played")
    place = (evening.session.space_id, evening.session.name, number)
    return (
        played.filter(visibility__in=CHOSEN).first() or rows.filter(deal__digest=sheets.digest(place)).first()
    )


def version_of(contribution: Contribution) -> str:
    """The version of a deal: another one after every correction."""
    return str(contribution.fingerprint)


def is_other(record: Record, contribution: Contribution) -> bool:
    """Whether a contribution has other details than a record."""
    return from_record(record).fingerprint != contribution.fingerprint


def enter(
    evening: Evening,
    record: Record,
    version: str,
    *,
    by: AbstractBaseUser | None,
    address: str,
    key: str,
    limit: int,
) -> Upload | None:
    """Enter the sheet of a deal. A new one is received as an upload, which is returned: a worker checks and
    stores it. One that is there is corrected if it has the ``version`` that the phone has seen; a withdrawn
    one counts again. ``key``: the idempotency key of a new one; ``limit``: its most bytes.

    :raises Changed: if another one is there, or the cards of the deal.
    :raises OtherTable: if the one that is there has another number of players.
    :raises Ended: if the evening is over, and the deal a new one.
    """
    there = entered(evening, int(record.tags["Deal"]))
    withdrawn = there is not None and there.visibility == "withdrawn"
    if withdrawn and there is not None and not corrections.is_same_deal(there.deal, record):
        removal.remove(there)
        there = None
    if there is None:
        if evening.is_ended:
            raise Ended
        return _receive(evening, record, by=by, address=address, key=key, limit=limit)
    _correct(evening, record, version, by)
    return None


def _receive(
    evening: Evening, record: Record, *, by: AbstractBaseUser | None, address: str, key: str, limit: int
) -> Upload:
    chunks, about = [write_text(record).encode()], f"evening {evening.pk} "
    earlier = uploads.find_earlier(by, key, chunks, limit=limit, about=about) if by and key else None
    return earlier or uploads.receive(
        chunks,
        limit=limit,
        user=by,
        space=evening.session.space,
        address=address,
        media_type="text/plain",
        key=key if by else "",
        about=about,
    )


@database.holding_insert_lock
def _correct(evening: Evening, record: Record, version: str, by: AbstractBaseUser | None) -> None:
    there = entered(evening, int(record.tags["Deal"]))
    if there is None or not there.deal.is_sheet:
        raise Changed
    withdrawn = there.visibility == "withdrawn"
    if is_other(record, there):
        if not withdrawn and version != version_of(there):
            raise Changed
        if not corrections.is_same_deal(there.deal, record):
            raise OtherTable
        corrections.correct(there, record, by=by)
    if withdrawn:
        corrections.set_visibility(there, evening.session.space.visibility, by=by)


@database.holding_insert_lock
def withdraw(evening: Evening, number: int, version: str, *, by: AbstractBaseUser | None) -> None:
    """Withdraw the sheet at a number, which is free then.

    :raises Changed: if it has another version, or its cards were recorded.
    """
    there = entered(evening, number)
    if there is None or there.visibility == "withdrawn":
        return
    if not there.deal.is_sheet or version != version_of(there):
        raise Changed
    corrections.set_visibility(there, "withdrawn", by=by)


def compare(evening: Evening, contribution: Contribution, score: object, engine: object) -> None:
    """Note a fault of ours: the score that the same engine reckoned on a phone is not that of the archive."""
    own = {seat.seat: seat.points for seat in contribution.seated if seat.points is not None}
    if engine == __version__ and isinstance(score, dict) and score != own:
        logger.error("%s: a phone reckoned %s for %s, the archive %s", evening, score, contribution, own)
