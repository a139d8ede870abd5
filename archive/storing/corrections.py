"""Change contributions: correct, replace, hide and move them.

The cards and events of a deal never change, but the statements of a score sheet can. The history stores every
change with the user, the time and the former values. The callers check permissions (`archive.access`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from dataclasses import replace as replace_fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F
from django.utils import timezone

from archive import database
from archive.addresses import Key
from archive.errors import ArchiveError
from archive.models import (
    BATCH,
    CHOSEN,
    Change,
    Contribution,
    ContributionQuerySet,
    Deal,
    Evening,
    Part,
    Player,
    RuleSet,
    Seat,
    Session,
    Space,
    Upload,
    evening_visibilities,
)
from archive.rules import rules_of_record
from archive.storing import copies, feed, names, sheets
from archive.storing.contribution_data import (
    WORDS,
    ContributionData,
    differences,
    from_contribution,
    from_record,
)
from archive.storing.verdicts import contribution_verdict, deal_columns, kind_of
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


class AnotherDeal(ValueError):
    """The corrected record describes a different deal."""


class PlaceTaken(ArchiveError):
    """The space has another sheet or result from the same table with this session, game and number, or
    another total of the session with these players."""

    code = "already_there"

    def __init__(self, session: str, number: int | None) -> None:
        of = "total of" if number is None else f"record of deal {number} of"
        super().__init__(f"There is another {of} “{session}”.")


class AlreadyThere(ArchiveError):
    """The club already has the deal, but its contribution (`key`) differs in `details` (names from `WORDS`),
    or (if `details` is empty) was withdrawn or replaced. Nothing was moved."""

    code = "already_there"

    def __init__(self, club: Space, key: Key, details: list[str]) -> None:
        why = f"with other details: {', '.join(details)}" if details else "but withdrew or corrected it"
        super().__init__(f"“{club.name}” has this deal already, {why}. Nothing was moved.")
        self.key, self.details = key, details


class OfEvening(ArchiveError):
    """The deal belongs to an evening, and all deals of an evening share its visibility."""

    code = "permission_denied"
    message = (
        "The deal belongs to an evening, and all its deals have one visibility. Change it on "
        "the page of the session, or withdraw the deal."
    )


class OriginalGone(ValueError):
    """The bytes of the record were deleted."""


def correct(
    contribution: Contribution, record: Record, *, by: AbstractBaseUser | None, key: str = ""
) -> list[str]:
    """Update a contribution from a corrected record. Return the names of the changed details. `key`: the
    idempotency key of the request, for the history.

    :raises AnotherDeal: if the cards or events are not those of the deal.
    :raises PlaceTaken: if another sheet or result describes the same deal (`archive.storing.sheets`).
    :raises NotStorable: if the archive can't store the details (`archive.storing.contribution_data`).
    """
    if not is_same_deal(contribution.deal, record):
        raise AnotherDeal
    data = from_record(record, any_date=record.tags.get("Date", "") == contribution.date)
    return _correct(contribution.pk, record, data, by, key)


def is_same_deal(deal: Deal, record: Record) -> bool:
    """Return whether a record has the same cards and events as this deal. If the deal is a sheet or a result,
    accept any other one, because a correction can change all of its statements."""
    if kind_of(record) != deal.kind:
        return False
    return not deal.is_played or bytes.fromhex(record.digest) == bytes(deal.digest)


@database.holding_insert_lock  # because intake and campaigns set verdicts, too
def _correct(
    pk: int,
    record: Record,
    data: ContributionData,
    by: AbstractBaseUser | None,
    key: str = "",
    *,
    alone: bool = True,
) -> list[str]:
    """Update a contribution. `alone`: whether the other deals of its session stay where they are."""
    contribution = Contribution.objects.prefetched().select_related("deal").get(pk=pk)
    before = from_contribution(contribution)
    changed = differences(before, data, contribution.space_id)
    if not changed:
        return []
    places = sheets.places_of([pk])
    seats = _seats(contribution, record)
    session = names.make_sessions(contribution.space_id, {data.session_key}).get(data.session_key)
    if not contribution.deal.is_played:
        _rewrite_sheet(contribution, record, data, session, seats)
    score = {seat.seat: seat.points or 0 for seat in seats} if contribution.deal.has_score else None
    for column, value in data.columns.items():
        setattr(contribution, column, value)
    contribution.verdict = contribution_verdict(record.score, contribution.deal.verdict, score)
    moves = contribution.session_id != session
    contribution.session_id = session
    contribution.save()
    if "players" in changed:
        _seat(contribution.space_id, seats, data)
    feed.note([pk], "corrected")
    what = {word: (asdict(before)[word], asdict(data)[word]) for word in changed}
    Change.objects.create(contribution=contribution, user=by, what=what, key=key)
    if moves and contribution.visibility in CHOSEN:
        _set_visibility(Contribution.objects.filter(pk=pk), _in_evening(session, contribution.visibility), by)
    if alone:
        sheets.cover(places | sheets.places_of([pk]))
    return changed


def _seats(contribution: Contribution, record: Record) -> list[Seat]:
    """Return the seats of a contribution. Replace them with new ones if a corrected sheet or result has
    another number of players."""
    seats = list(contribution.seats.all())
    if len(seats) == len(record.players):
        return seats
    Seat.objects.filter(contribution=contribution).delete()
    seats = [Seat(contribution=contribution, seat=seat) for seat in record.players]
    return Seat.objects.bulk_create(seats)


def _seat(space: int, seats: list[Seat], data: ContributionData) -> None:
    """Assign players to the seats by the names in `data`. A seat keeps its player if the new name is another
    name of the same person."""
    table = dict(zip([seat.seat for seat in seats], data.players, strict=True))
    (seated,) = names.seat(space, [table])
    known = {whom.player for whom in seated.values()} - {None}
    heads = Player.objects.select_related("same_as").in_bulk(known)
    for seat in seats:
        whom = seated[seat.seat]
        if whom.player is None or seat.player is None or seat.player.head != heads[whom.player].head:
            seat.player_id, seat.name = whom
    Seat.objects.bulk_update(seats, ["player", "name"])


def _rewrite_sheet(
    contribution: Contribution, record: Record, data: ContributionData, session: int | None, seats: list[Seat]
) -> None:
    """Overwrite a stored sheet or result: the deal with its verdict, and the seats' points. Can raise
    `PlaceTaken`."""
    deal, checked = contribution.deal, check(record)
    place = sheets.place(session, record.game, data.number)
    assert place is not None
    same = sheets.same_at(contribution.space_id, place, deal.kind, data.players, but=contribution.pk)
    if same is not None:
        raise PlaceTaken(data.session, data.number)
    deal.place = place.key
    RuleSet.keep([rules_of_record(record)])
    for column, value in deal_columns(record, checked).items():
        setattr(deal, column, value)
    deal.verified_at = timezone.now()
    deal.save()
    for seat in seats:
        seat.points = checked.score[seat.seat] if checked.score and seat.seat in record.active else None
    Seat.objects.bulk_update(seats, ["points"])


def of_evening(evening: Evening, record: Record) -> Record:
    """Return a copy of a sheet with the evening's current name, date and place, which may have changed since
    a phone sent the sheet. Call with the insert lock held."""
    evening = Evening.objects.select_related("session").get(pk=evening.pk)
    # The date of the session may be known only in part (`evenings.of_sheet`).
    current = {"Session": evening.session.name, "Date": evening.session.date, "Site": evening.place}
    tags = {name: value for name, value in (record.tags | current).items() if value}
    return replace_fields(record, tags=tags)


def adopt(contribution: Contribution, part: Part, n: int, *, by: AbstractBaseUser | None) -> list[str]:
    """Update a contribution from record `n` (from 0) of a part; see `correct`.

    :raises OriginalGone: if the bytes of the part are deleted.
    """
    entry = part.entry(n)
    if entry is None or entry.record is None:
        raise OriginalGone
    return correct(contribution, entry.record, by=by)


def replace(upload: Upload, deal: int) -> int:
    """Mark the contribution that an upload corrects as replaced by the space's new contribution to `deal`,
    which gets the old one's visibility. Call in the transaction that stores the new contribution. Do nothing
    if the old contribution has since been replaced or withdrawn, or if old and new are the same. Return the
    id of the deal, which may have changed (`archive.storing.copies`)."""
    own = Contribution.objects.filter(space=upload.space_id)
    new, old = own.filter(deal=deal).first(), own.filter(pk=upload.replaces_id).first()
    if new is None or old is None or new == old or old.visibility not in CHOSEN:
        return deal
    own.filter(replaced_by=old).exclude(pk=new.pk).update(replaced_by=new)
    own.filter(pk=new.pk).update(replaced_by=None)
    own.filter(pk=old.pk).update(replaced_by=new, covered_visibility=old.visibility)
    _set_visibility(own.filter(pk=new.pk), _in_evening(new.session_id, old.visibility), upload.user)
    _set_visibility(own.filter(pk=old.pk), "replaced", upload.user)
    return own.values_list("deal_id", flat=True).get(pk=new.pk)


@database.holding_insert_lock
def set_visibility(
    contribution: Contribution,
    visibility: str,
    *,
    by: AbstractBaseUser | None,
    key: str = "",
    friend: str = "",
) -> bool:
    """Set a contribution's visibility: public, unlisted, members or withdrawn. Return whether it changed; a
    replaced or covered contribution doesn't change. `key`: see `correct`; `friend`: see `Change`.

    :raises OfEvening: if the deal's evening has another visibility. Withdrawing is always allowed.
    """
    if visibility in CHOSEN:
        evening = Evening.objects.filter(session=contribution.session_id, visibility__isnull=False)
        if evening.exclude(visibility=visibility).exists():
            raise OfEvening
    contributions = Contribution.objects.filter(pk=contribution.pk)
    contributions = contributions.exclude(visibility__in=("replaced", "covered"))
    return _set_visibility(contributions, visibility, by, key, friend) > 0


@database.holding_insert_lock
def count_deals(total: Contribution, deals: bool) -> None:
    """Let the deals of an evening count instead of its total, or the total instead of the deals until they
    add up to it. `total`: contribution to the total of an evening."""
    Contribution.objects.filter(pk=total.pk).update(deals_count=deals)
    sheets.cover(sheets.places_of([total.pk]))


def set_visibilities(
    contributions: ContributionQuerySet, visibility: str, *, by: AbstractBaseUser | None
) -> int:
    """Set the visibility of many contributions. Return the number of changed contributions. Withdrawn,
    replaced and covered contributions don't change. If the contributions include all deals of an evening, the
    evening gets the visibility, too. If they include only some of its deals, these don't change, unless the
    evening has no visibility of its own.

    Each transaction changes at most `BATCH` contributions, so that other requests can store deals in between.
    After an interruption, repeating the call changes the remaining contributions.
    """
    if visibility in CHOSEN:
        contributions = contributions.exclude(session__in=_show_evenings(contributions, visibility))
    pks = list(contributions.order_by("pk").values_list("pk", flat=True))
    change = database.holding_insert_lock(_set_visibility)
    batches = (pks[at : at + BATCH] for at in range(0, len(pks), BATCH))
    chosen = Contribution.objects.filter(visibility__in=CHOSEN)
    return sum(change(chosen.filter(pk__in=batch), visibility, by) for batch in batches)


def _show_evenings(contributions: ContributionQuerySet, visibility: str) -> list[int]:
    """Set the visibility of the evenings whose deals are all among these contributions. Return the session
    ids of the other evenings that have a visibility of their own."""
    chosen = contributions.filter(visibility__in=CHOSEN, session__evening__isnull=False).order_by()
    number = Count("pk", distinct=True)
    selected = dict(chosen.values("session").annotate(number=number).values_list("session", "number"))
    deals = Contribution.objects.filter(visibility__in=CHOSEN, session__in=list(selected)).order_by()
    counts = deals.values("session").annotate(number=number)
    partly = [one for one, every in counts.values_list("session", "number") if every != selected[one]]
    whole = selected.keys() - set(partly)
    evenings = Evening.objects.filter(session__in=whole).exclude(visibility=visibility)
    evenings.update(visibility=visibility, version=F("version") + 1)
    kept = Evening.objects.filter(session__in=partly, visibility__isnull=False)
    return list(kept.values_list("session_id", flat=True))


@database.holding_insert_lock
def show_session(session: Session, visibility: str, *, by: AbstractBaseUser | None) -> None:
    """Set the visibility of all deals in a session, except withdrawn and replaced ones."""
    contributions = Contribution.objects.filter(session=session)
    contributions.filter(visibility="covered").update(covered_visibility=visibility)
    _set_visibility(contributions.filter(visibility__in=CHOSEN), visibility, by)


def follow_evening(session: int, *, by: AbstractBaseUser | None) -> None:
    """Show no deal of a session to more people than its evening, if it has one. Call with the insert lock
    held."""
    for visibility in CHOSEN:
        deals = Contribution.objects.filter(session=session, visibility=visibility)
        _set_visibility(deals, _in_evening(session, visibility), by)


def _in_evening(session: int | None, visibility: str) -> str:
    """Return the visibility of a contribution that is added to a session: `visibility`, or the evening's
    visibility if that is more restrictive."""
    own = evening_visibilities([session] if session else ()).get(session, visibility)
    return max(own, visibility, key=CHOSEN.index)


def _set_visibility(
    contributions: ContributionQuerySet,
    visibility: str,
    by: AbstractBaseUser | None,
    key: str = "",
    friend: str = "",
) -> int:
    """Set the visibility of contributions, and record the change in the feed and the history. Return the
    number of changed contributions. Call with the insert lock held."""
    other = contributions.exclude(visibility=visibility).order_by("pk")
    before = dict(other.values_list("pk", "visibility"))
    if not before:
        return 0
    changed = Contribution.objects.filter(pk__in=before)
    columns = changed.filter(was_public=False).values_list("pk", "deal_id", "deal__digest")
    new = list(columns) if visibility == "public" else []
    changed.update(visibility=visibility, **({"was_public": True} if visibility == "public" else {}))
    feed.note(before, "shown")
    Change.objects.bulk_create(
        Change(contribution_id=pk, user=by, what={"visibility": (was, visibility)}, key=key, friend=friend)
        for pk, was in before.items()
    )
    copies.publish({pk: deal for pk, deal, _ in new}, {deal: bytes(digest) for _, deal, digest in new})
    sheets.cover(sheets.places_of(before))
    return len(before)


@database.holding_insert_lock
def change_session(
    session: Session, *, name: str, by: AbstractBaseUser | None, **tags: tuple[str, str]
) -> None:
    """Rename a session, and change tags of its deals, including their date. The session keeps its id. The
    history of every deal records the change. `name`: a name that no other session of the space has on the
    same date; `tags`: the former and the new value of each tag, “” if the tag is missing."""
    date = tags.get("Date", ("", session.date))[1]
    numbers = list(Contribution.objects.filter(session=session).order_by("pk").values_list("pk", flat=True))
    for pk in numbers:
        contribution = Contribution.objects.prefetched().select_related("deal").get(pk=pk)
        record = contribution.record(read_one(contribution.deal.text), as_written=True)
        changed = {tag: now for tag, (before, now) in tags.items() if record.tags.get(tag, "") == before}
        record = replace_fields(record, tags=record.tags | changed | {"Session": name})
        _correct(pk, record, from_record(record, any_date=True), by, alone=False)
    if (session.name, session.date) != (name, date):
        # The corrections have moved the deals to a new session. Move them back, delete the new session, and
        # give its name and date to the old session, which must keep its id.
        made = Session.objects.filter(space=session.space_id, name=name, date=date)
        Contribution.objects.filter(session__in=made).update(session=session)
        made.delete()
        session.name, session.date = name, date
        session.save()
        sheets.set_places(numbers)


# --- moving to a club ---------------------------------------------------------------------------------------


@database.holding_insert_lock
def move(contribution: Contribution, club: Space, *, by: AbstractBaseUser | None) -> Key:
    """Move a contribution from a user's own space to a club. Return the key of the club's contribution.

    The history of the contribution and the records that it replaced move, too. The contribution gets the
    club's visibility, and the club's players and session with the same names. If the club already has the
    deal with the same details, the club's contribution stays and receives the history.

    :raises AlreadyThere: if the club already has the deal with other details, or has withdrawn or replaced
        it.
    """
    pk = contribution.pk
    moved = Contribution.objects.prefetched().get(pk=pk)
    former_space, there, places = moved.space_id, moved, sheets.places_of([pk])
    known = _same_in(club, moved)
    if known is None:
        moved_to = _seat_in(moved, club)
        feed.note([pk], "corrected")
        Change.objects.create(contribution=moved, user=by, what={"club": ("", club.name)})
        visibility = _in_evening(moved_to, club.visibility)
        _set_visibility(Contribution.objects.filter(pk=pk), visibility, by)
    elif known.pk != pk:
        details = differences(from_contribution(known), from_contribution(moved), club.pk)
        if details or known.visibility not in CHOSEN:
            raise AlreadyThere(club, known.key, details)
        Change.objects.filter(contribution=moved).update(contribution=known)
        there = known
    formers = Contribution.objects.prefetched().filter(space=former_space, replaced_by=pk)
    # The total of an evening covers all its deals, so it stays.
    formers = formers.exclude(ContributionQuerySet.is_evening_total(), visibility="covered")
    for former in formers.select_related("deal"):
        goes = _same_in(club, former) is None
        Contribution.objects.filter(pk=former.pk).update(replaced_by=there if goes else None)
        if goes:
            if former.visibility == "replaced" and former.covered_visibility != "public":
                # The club's members could not see the record before the move. Clear its former visibility, so
                # that it stays hidden from them.
                Contribution.objects.filter(pk=former.pk).update(covered_visibility=None)
            _seat_in(former, club)
            feed.note([former.pk], "corrected")
    if there is not moved:
        feed.remove(Contribution.objects.filter(pk=pk))
        copies.remove_empty({moved.deal_id: there.deal_id})
    sheets.cover(places | sheets.places_of([there.pk]))
    return there.key


def _same_in(club: Space, moved: Contribution) -> Contribution | None:
    """Return the club's own contribution to the deal of `moved`; for a score sheet or a result, the club's
    one of the same deal from the same table. Return None if there is none."""
    there = Contribution.objects.prefetched().filter(space=club)
    if moved.deal.is_played:
        return there.filter(deal__digest=moved.deal.digest).first()
    same = sheets.same_in(club.pk, moved)
    return None if same is None else there.get(pk=same)


def _seat_in(contribution: Contribution, space: Space) -> int | None:
    """Move a contribution to another space, and use that space's players and session with the same names.
    Players that the space doesn't have yet keep their pseudonyms. Return the id of the session."""
    seats = list(contribution.seats.select_related("player__same_as"))
    before = set(Player.objects.filter(space=space).values_list("pk", flat=True))
    (seated,) = names.seat(space.pk, [{seat.seat: seat.written for seat in contribution.seated}])
    for seat in seats:
        pseudonym, (known, name) = seat.player.head.pseudonym if seat.player else "", seated[seat.seat]
        if known is not None and known not in before and pseudonym:
            Player.objects.filter(pk=known).update(pseudonym=pseudonym)
        seat.player_id, seat.name = known, name
    Seat.objects.bulk_update(seats, ["player", "name"])
    key = from_contribution(contribution).session_key
    session = names.make_sessions(space.pk, {key}).get(key)
    Contribution.objects.filter(pk=contribution.pk).update(space=space, session=session)
    sheets.set_places([contribution.pk])
    return session


# --- history ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """A change to one detail. `word`: name of the detail; `before` and `after`: its values."""

    at: datetime
    user: str
    word: str
    before: Any
    after: Any


def history(contribution: Contribution) -> list[Changed]:
    """Return the changes to a contribution, latest first, with the players' display names. Two queries, one
    of them for the names."""
    changes = list(contribution.changes.select_related("user"))
    written = {
        name
        for change in changes
        for names_written in change.what.get("players", ())
        for name in names_written
    }
    players = Player.objects.filter(space=contribution.space_id, name__in=written).select_related("same_as")
    display_names = {player.name: player.display_name for player in players}
    rows = []
    for change in changes:
        user, what = change.user.get_username() if change.user else "", dict(change.what)
        if "players" in what:
            what["players"] = [[display_names.get(name, name) for name in side] for side in what["players"]]
        in_order = [word for word in (*WORDS, "visibility", "club") if word in what]
        rows += [Changed(change.at, user, word, *what[word]) for word in in_order]
    return rows
