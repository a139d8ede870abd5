"""Evenings, and the score sheets that are entered on the phones at the table.

Several phones write at the same time, and some send their entries hours later. Each change names the version
of the evening or of the sheet that it is based on, and never overwrites a newer version.
"""

from __future__ import annotations

import json
import logging
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.utils import timezone

from archive import database
from archive.access import Viewer
from archive.errors import ArchiveError
from archive.models import CHOSEN, Change, Contribution, Evening, Session, Space, Upload, UploadItem
from archive.models.constants import NAME_LENGTH
from archive.storing import corrections, spaces, uploads
from archive.storing.contribution_data import NotStorable, differences, from_contribution, from_record
from tarock.analysis.verify import check
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation import read, read_one, write_text
from tarock.notation.keys import RULES_TAG
from tarock.view.answers.evening import record_form

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

logger = logging.getLogger(__name__)

MOST_DEALS = 400
"""Highest deal number in an evening."""

MOST_AT_TABLE = 60
"""Maximum number of names at a table."""

KEY_LENGTH = 100
"""Maximum length of an idempotency key, in characters."""

_REPORT_EVERY = 60
"""Minimum time in seconds between log messages about scores that a phone computed differently."""

_LIMIT = 200_000
"""Maximum size of a sheet as text, in bytes. A safety net: the notation's own limits are lower."""


class Conflict(ArchiveError):
    """The evening or its deal is newer than the version named in the request. Nothing was changed."""

    code = "already_there"
    message = "It was changed meanwhile."


class NotAllowed(ArchiveError):
    """The viewer may not change an evening that has ended, or may not change the evening's visibility.
    Friends who joined may change only the deals, including those thrown in, and nothing after the end."""

    code = "permission_denied"
    message = "You may not change this evening."


class NotStored(ArchiveError):
    """A sheet was received but could not be stored because of an error in the archive."""

    code = "server_error"
    message = "It could not be stored. The operator knows of it."


class GameFixed(ArchiveError):
    """The game of an evening that already has deals can't change."""

    code = "refused"
    message = "The evening has deals of its game already. Start another evening for another game."
    field = "game"


class BadDeal(Exception):
    """The deal is not a valid score sheet. `finding`: the error; `field`: its JSON pointer in the deal."""

    def __init__(self, finding: Finding, field: str) -> None:
        super().__init__(finding.reason)
        self.finding, self.field = finding, field


@dataclass(frozen=True, slots=True)
class Setup:
    """The validated settings of an evening, named as in `Evening`. `name`: the name of the session;
    `visibility`: empty if an older client sent the request; a new evening then gets its space's default, and
    an existing one keeps its visibility."""

    name: str
    game: str
    seats: int
    options: list[str]
    date: date
    place: str
    table: list[str]
    dealer: str
    thrown_in: list[Any]
    counts_thrown_in: bool
    stake: str
    currency: str
    ended: bool
    visibility: str = ""
    rules: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """The settings that are stored unchanged in columns of `Evening`."""
        return {name: value for name, value in asdict(self).items() if name not in ("name", "ended")}


def setup_of(evening: Evening) -> Setup:
    """Return the current settings of an evening."""
    columns = {name: getattr(evening, name) for name in Setup.__slots__ if name not in ("name", "ended")}
    return Setup(name=evening.session.name, ended=evening.has_ended, **columns)


@database.holding_insert_lock
def start(key: uuid.UUID, space: Space, setup: Setup, *, by: AbstractBaseUser | None) -> Evening | None:
    """Start an evening with a new session. Return None if an evening with this key already exists."""
    if Evening.objects.filter(key=key).exists():
        return None
    name = spaces.free_session_name(setup.name, setup.date.isoformat(), space)
    session = Session.objects.create(space=space, name=name, date=setup.date.isoformat())
    ended = timezone.now() if setup.ended else None
    setup = replace(setup, visibility=setup.visibility or space.evening_visibility)
    return Evening.objects.create(key=key, session=session, made_by=by, ended_at=ended, **setup.columns)


@database.holding_insert_lock
def of_sheet(sheet: Contribution) -> Evening | None:
    """Return the evening in whose form a stored sheet can be changed. If its session was not entered at a
    table, give the session an evening that has ended. Return None if the form can't show the sheet: it has no
    session or number, or the session has another deal of this number, or the evening another game."""
    session = sheet.session
    if session is None or not sheet.number or sheet.number > MOST_DEALS:
        return None
    there = Contribution.objects.filter(session=session, number=sheet.number, visibility__in=CHOSEN)
    if there.exclude(pk=sheet.pk).exists():
        return None
    evening = Evening.objects.filter(session=session).first() or Evening.objects.create(
        key=uuid.uuid4(),
        session=session,
        game=sheet.deal.game,
        seats=len(sheet.seated),
        options=list(read_one(sheet.deal.text).options),
        rules=json.loads(sheet.tags or "{}").get(RULES_TAG, ""),
        date=sheet.played_on or sheet.part.upload.received_at.date(),
        place=sheet.site[:NAME_LENGTH],
        table=[seat.player.head.name if seat.player else seat.name for seat in sheet.seated],
        ended_at=timezone.now(),
    )
    return evening if evening.game == sheet.deal.game else None


@database.holding_insert_lock
def change(
    evening: Evening, setup: Setup, version: int, *, viewer: Viewer, by: AbstractBaseUser | None
) -> Evening:
    """Change the settings of an evening, and return the changed evening. A new name, date, place or
    visibility is also written to the evening's deals; identical settings change nothing. `version`: the
    version that the request is based on. The phone that started the evening sends 0 for the first version.

    :raises Conflict: if the evening's current version is not `version`.
    :raises NotAllowed: if the evening has ended, or its visibility would change, and the viewer may not run
        the evening (`may_run`); or if a friend changes more than the deals that were thrown in.
    :raises GameFixed: if the game would change although the evening has deals.
    """
    # Read the evening again under the lock, so that no other phone can change it in between.
    evening = Evening.objects.select_related("session__space").get(pk=evening.pk)
    session, before = evening.session, setup_of(evening)
    # The date of a session that was not entered at a table may be known only in part.
    day = session.date if setup.date == before.date else setup.date.isoformat()
    name = spaces.free_session_name(setup.name, day, session.space, but=session)
    setup = replace(setup, name=name, visibility=setup.visibility or before.visibility)
    if setup == before:
        return evening
    if evening.version != (version or 1):
        raise Conflict
    shown = setup.visibility != before.visibility
    if (evening.has_ended or shown) and not may_run(evening, viewer):
        raise NotAllowed
    if viewer.friend_at(evening) and replace(setup, thrown_in=before.thrown_in) != before:
        raise NotAllowed
    deals = Contribution.objects.filter(session=session, visibility__in=CHOSEN)
    if setup.game != before.game and deals.exists():
        raise GameFixed
    if (setup.name, setup.date, setup.place) != (before.name, before.date, before.place):
        tags = {"Date": (session.date, day), "Site": (before.place, setup.place)}
        corrections.change_session(session, name=setup.name, by=by, **tags)
    if shown:
        corrections.show_session(session, setup.visibility, by=by)
    for column, value in setup.columns.items():
        setattr(evening, column, value)
    if setup.ended != before.ended:
        evening.ended_at = timezone.now() if setup.ended else None
    evening.version += 1
    evening.changed_at = timezone.now()
    evening.save()
    return evening


def may_run(evening: Evening, viewer: Viewer) -> bool:
    """Return whether the viewer may change the visibility of an evening, change an evening that has ended,
    and let friends join. Only the member who started it, the secretaries and owners of its space, and the
    operator may, unless they joined only as a friend."""
    if viewer.friend_at(evening):
        return False
    started = evening.made_by_id is not None and evening.made_by_id == viewer.user
    return viewer.operator or viewer.is_at_least(
        "member" if started else "secretary", evening.session.space_id
    )


@database.holding_insert_lock  # because `change` writes the whole row
def let_friends_join(evening: Evening, viewer: Viewer) -> str:
    """Return the key of the link with which friends join an evening. Create it if there is none.

    :raises NotAllowed: if the viewer may not run the evening.
    """
    if not may_run(evening, viewer):
        raise NotAllowed
    evening.refresh_from_db(fields=["join_key"])
    if evening.join_key is None:
        evening.join_key = secrets.token_urlsafe(18)
        evening.save(update_fields=["join_key"])
    return evening.join_key


@database.holding_insert_lock
def revoke_join_link(evening: Evening, viewer: Viewer) -> None:
    """Revoke the link with which friends joined an evening, so that they can no longer see or enter anything.

    :raises NotAllowed: if the viewer may not run the evening.
    """
    if not may_run(evening, viewer):
        raise NotAllowed
    Evening.objects.filter(pk=evening.pk).update(join_key=None)


# --- the sheet of a deal ------------------------------------------------------------------------------------

_POINTERS = {"/sheet": "/lines", "/comments/0/0": "/comment", "/tags/Deal": "/n"}
"""JSON pointers in a record, mapped to the pointers in the deal's JSON form where the two differ."""


def read_deal(evening: Evening, number: int, deal: Mapping[str, Any]) -> Record:
    """Convert a deal from the JSON form of the pages (`players`, `dealer`, `options`, `lines`, `comment`) to
    the record of a sheet. A sheet that is already stored keeps its game.

    :raises BadDeal: if the deal is not a valid sheet.
    """
    there = _sheet_at(evening, number)
    game = there.deal.game if there is not None and there.visibility in CHOSEN else evening.game
    of_evening = (evening.session.name, evening.date.isoformat(), evening.place)
    form = record_form({**deal, "n": number}, game, *of_evening, evening.options, evening.rules)
    entry = read(json.dumps(form))[0]
    if entry.record is None:
        raise BadDeal(entry.errors[0], _field(entry.errors[0].pointer or ""))
    try:
        from_record(entry.record, any_date=True)
    except NotStorable as reason:
        raise BadDeal(Finding(*reason.args), "/players") from None
    return entry.record


def _field(pointer: str) -> str:
    """Convert a JSON pointer in the record to the pointer in the deal's JSON form."""
    for there, here in _POINTERS.items():
        if pointer == there or pointer.startswith(f"{there}/"):
            return here + pointer.removeprefix(there)
    return pointer


def version(contribution: Contribution) -> str:
    """Return the version of a deal as 16 hex digits. A change must name the version that it is based on."""
    return f"{contribution.fingerprint % 2**64:016x}"


def compare(evening: Evening, record: Record, score: Mapping[str, int] | None) -> None:
    """Compare a phone's score with the server's, and log a difference, at most once a minute."""
    if not set(score or ()) <= set(record.players):
        return
    here = check(record).score
    if _nonzero(score) != _nonzero(here) or (score is None) != (here is None):
        where = record.tags["Deal"], evening.key
        # Anybody can send a wrong score, and each log message can cause a mail, so limit the messages.
        if not cache.add("evening-score-reported", True, _REPORT_EVERY):
            return
        logger.error("deal %s of evening %s: scored on the phone as %s, here as %s", *where, score, here)


def _nonzero(score: Mapping[str, int] | None) -> dict[str, int]:
    return {seat: points for seat, points in (score or {}).items() if points}


def enter(
    evening: Evening,
    number: int,
    record: Record,
    *,
    base: str,
    viewer: Viewer,
    by: AbstractBaseUser | None,
    key: str = "",
    address: str = "",
) -> Upload | None:
    """Enter the sheet of a deal, or change the stored sheet. Return the upload for a new sheet, which a
    worker stores (see `check_stored`). Return None if the stored sheet was corrected or is already identical.
    Repeating a request with the same key changes nothing.

    `base`: the version to change; “” for a new sheet, even if its number belonged to a sheet that was
    withdrawn. `address`: the sender's IP address, for the quota of users who are not signed in. A friend's
    account, if they have one, does not become the sender, because it has no rights in the space.

    :raises Conflict: if the stored sheet has another version, or the deal was recorded with its cards.
    :raises NotAllowed: if the evening has ended, and the viewer may not change the deal or is a friend.
    """
    by = _author(evening, viewer, by)
    body, about = write_text(record).encode(), f"deal {number} of evening {evening.key} "
    key = f"{evening.key} {key}" if key else ""
    try:
        earlier = uploads.find_earlier(by, key, [body], limit=_LIMIT, about=about) if key else None
    except uploads.KeyReused:
        # The record differs from that of the earlier request with this key: treat it as a new request.
        earlier, key = None, ""
    if earlier is not None:
        return earlier
    if _change_there(evening, number, record, base, viewer, by, key):
        return None
    return uploads.receive(
        [body],
        limit=_LIMIT,
        user=by,
        space=evening.session.space,
        visibility=evening.visibility,
        address=address,
        media_type="text/plain",
        key=key or f"{evening.key} {uuid.uuid4()}",  # which also names the evening (`Upload.evening_key`)
        about=about,
        source="evening",
        friend=viewer.friend_at(evening),
    )


def _author(evening: Evening, viewer: Viewer, by: AbstractBaseUser | None) -> AbstractBaseUser | None:
    """Return the user who enters or withdraws a deal: `by`, or None for a friend. Raise `NotAllowed` for a
    friend if the evening has ended."""
    if not viewer.friend_at(evening):
        return by
    if evening.has_ended:
        raise NotAllowed
    return None


@database.holding_insert_lock
def _change_there(
    evening: Evening,
    number: int,
    record: Record,
    base: str,
    viewer: Viewer,
    by: AbstractBaseUser | None,
    key: str,
) -> bool:
    """Correct the stored sheet with this number, or restore it if it was withdrawn. Return whether there is
    such a sheet. Raise the same errors as `enter`."""
    there = _open_sheet_at(evening, number, base)
    if there is None:
        return False
    if _is_repeated(there, key, by):
        return True
    new = there.visibility == "withdrawn"
    record = corrections.of_evening(evening, record) if new else _with_what_stays(there, record)
    if base != ("" if new else version(there)):
        if new or differences(from_contribution(there), from_record(record), there.space_id):
            raise Conflict
        return True
    if evening.has_ended and not viewer.may_change(there):
        raise NotAllowed
    corrections.correct(there, record, by=by, key=key)
    if new:
        evening.refresh_from_db(fields=["visibility"])
        friend = viewer.friend_at(evening)
        corrections.set_visibility(there, evening.visibility_of_new, by=by, key=key, friend=friend)
    return True


def _with_what_stays(there: Contribution, record: Record) -> Record:
    """Return a copy of the record that keeps those details of the stored sheet that the entry form doesn't
    have: its tags, the claimed score, and the division of the comment into several. A sheet that is settled
    by other rules gets their name."""
    old = there.record(read_one(there.deal.text), as_written=True)
    same_seats = old.players.keys() == record.players.keys()
    same_comment = comment_of(old) == comment_of(record)
    tags = {name: value for name, value in old.tags.items() if name != RULES_TAG}
    rules = record.tags.get(RULES_TAG) or (old.tags.get(RULES_TAG) if old.options == record.options else "")
    return replace(
        record,
        tags=tags | ({RULES_TAG: rules} if rules else {}),
        score=old.score if same_seats else None,
        comments=old.comments if same_comment else record.comments,
    )


def comment_of(record: Record) -> str:
    """Return the comments on the whole deal, joined into one text."""
    return " ".join(record.comments.get(0, ()))


def check_stored(upload: Upload) -> None:
    """Check that a worker has stored the sheet of an upload.

    :raises Conflict: if another phone's sheet was stored first.
    :raises NotStored: if the sheet could not be stored because of an error in the archive.
    """
    item = UploadItem.objects.filter(part__upload=upload).first()
    if item is None or item.deal_id is None:
        raise NotStored
    if item.differs:
        raise Conflict


@database.holding_insert_lock
def withdraw(
    evening: Evening, number: int, *, base: str, viewer: Viewer, by: AbstractBaseUser | None, key: str = ""
) -> None:
    """Withdraw the sheet of a deal, so that its number is free again. Do nothing if there is no sheet.

    :raises Conflict: if the stored sheet has another version, or the deal was recorded with its cards.
    :raises NotAllowed: if the evening has ended, and the viewer may not change the deal or is a friend.
    """
    by = _author(evening, viewer, by)
    key = f"{evening.key} {key}" if key else ""
    there = _open_sheet_at(evening, number, "")
    if there is None or there.visibility == "withdrawn" or _is_repeated(there, key, by):
        return
    if base != version(there):
        raise Conflict
    if evening.has_ended and not viewer.may_change(there):
        raise NotAllowed
    corrections.set_visibility(there, "withdrawn", by=by, key=key)


def _is_repeated(contribution: Contribution, key: str, by: AbstractBaseUser | None) -> bool:
    """Return whether this user has already changed the contribution with this idempotency key."""
    return bool(key) and Change.objects.filter(contribution=contribution, key=key, user=by).exists()


def _sheet_at(evening: Evening, number: int) -> Contribution | None:
    """Return the sheet with this number; None if there is none. Prefer a sheet that counts."""
    rows = Contribution.objects.filter(session=evening.session, number=number, deal__kind="sheet")
    sheets = list(rows.with_sender().prefetched().select_related("deal"))
    return min(sheets, key=lambda sheet: sheet.visibility not in CHOSEN, default=None)


def _open_sheet_at(evening: Evening, number: int, base: str) -> Contribution | None:
    """Return the sheet with this number if it can be changed or is withdrawn; None if there is no sheet and
    `base` is empty.

    :raises Conflict: if the sheet is covered, replaced or (with `base`) missing, or if the deal has cards.
    """
    there = _sheet_at(evening, number)
    if there is not None and there.visibility in CHOSEN:
        return there
    played = Contribution.objects.filter(session=evening.session, number=number, visibility__in=CHOSEN)
    covered = there is not None and there.visibility in ("covered", "replaced")
    if covered or (there is None and base) or played.filter(deal__kind="played").exists():
        raise Conflict
    return there
