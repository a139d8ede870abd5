"""Changing what is said of a deal: correcting it, putting a corrected record in its place, hiding it.

The deal itself is never changed. Every change is kept with who made it, when, and what was said before.
Whether he may is asked before (`archive.access`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from archive import database, feed
from archive.addresses import Key
from archive.models import (
    BATCH,
    CHOSEN,
    Change,
    Contribution,
    ContributionQuerySet,
    Part,
    Player,
    Seat,
    Session,
    Space,
    Upload,
)
from archive.sayings import SEARCH, WORDS, Told, differences, ensure, first_day, tell, told_by, verdict_on
from tarock.record import Record

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


class AnotherDeal(ValueError):
    """The record is not of the deal that it was to say something of."""


class AlreadyThere(ValueError):
    """The club has the deal already, and its contribution ``key`` gives other ``details`` (words of `WORDS`;
    none if that is withdrawn or replaced). Nothing was moved."""

    def __init__(self, key: Key, details: list[str]) -> None:
        super().__init__(key, details)
        self.key, self.details = key, details


class NothingKept(ValueError):
    """The bytes of the record are not kept any more."""


def correct(said: Contribution, record: Record, *, by: AbstractBaseUser | None) -> list[str]:
    """Say of the deal what this record of it says; the words of what that changed.

    :raises AnotherDeal: if the cards, or what was done with them, are not those of the deal.
    :raises NotKept: if the record holds what the archive cannot (`archive.sayings`).
    """
    if bytes.fromhex(record.digest) != bytes(said.deal.digest):
        raise AnotherDeal
    told = tell(record)
    return database.patiently(lambda: _correct(said.pk, record, told, by))


def _correct(pk: int, record: Record, told: Told, by: AbstractBaseUser | None) -> list[str]:
    database.in_turn()  # with intake and with campaigns, which judge contributions too
    said = Contribution.objects.whole().select_related("deal").get(pk=pk)
    before = told_by(said)
    changed = differences(before, told, said.space_id)
    if not changed:
        return []
    seats = list(said.seats.all())
    score = {seat.seat: seat.points or 0 for seat in seats} if said.deal.verdict == "verified" else None
    for word in WORDS:
        if word not in ("players", "session"):
            setattr(said, word, getattr(told, word))
    for column, text in zip(SEARCH, told.search, strict=True):
        setattr(said, column, text)
    said.played_on, said.said = first_day(told.date), told.said
    said.verdict = verdict_on(record.score, said.deal.verdict, score)
    said.session_id = ensure(Session, said.space_id, {told.session} - {""}).get(told.session)
    said.save()
    if "players" in changed:
        players = ensure(Player, said.space_id, set(told.players))
        now = Player.objects.select_related("same_as").in_bulk(players.values())
        for seat, name in zip(seats, told.players, strict=True):
            if seat.player.head != now[players[name]].head:
                seat.player_id = players[name]
        Seat.objects.bulk_update(seats, ["player"])
    feed.note([pk], "corrected")
    _note(said, by, {word: (asdict(before)[word], asdict(told)[word]) for word in changed})
    return changed


def _note(said: Contribution, by: AbstractBaseUser | None, what: dict[str, tuple[Any, Any]]) -> None:
    Change.objects.create(contribution=said, user=by, what=what)


def take_over(said: Contribution, part: Part, n: int, *, by: AbstractBaseUser | None) -> list[str]:
    """Say of the deal what a record of an upload says: the ``n``-th of a part; see `correct`.

    :raises NothingKept: if the bytes of the part are not kept any more.
    """
    entry = part.entry(n)
    if entry is None or entry.record is None:
        raise NothingKept
    return correct(said, entry.record, by=by)


def put_in_place(upload: Upload, deal: int) -> None:
    """Have the contribution to this deal stand in the place of that which the upload replaces, in the
    transaction that stores it: seen by whoever saw that. Not where that has been replaced or withdrawn
    meanwhile, or is the same."""
    own = Contribution.objects.filter(space=upload.space_id)
    new, old = own.filter(deal=deal).first(), own.filter(pk=upload.replaces_id).first()
    if new is None or old is None or new == old or old.visibility not in CHOSEN:
        return
    own.filter(replaced_by=old).exclude(pk=new.pk).update(replaced_by=new)
    own.filter(pk=new.pk).update(replaced_by=None)
    own.filter(pk=old.pk).update(replaced_by=new)
    _show(own.filter(pk=new.pk), old.visibility, upload.user)
    _show(own.filter(pk=old.pk), "replaced", upload.user)


def show(said: Contribution, visibility: str, *, by: AbstractBaseUser | None) -> bool:
    """Set a contribution's visibility: public, unlisted, members or withdrawn. Returns whether it changed;
    a replaced one stays replaced."""

    def change() -> bool:
        database.in_turn()
        found = Contribution.objects.filter(pk=said.pk).exclude(visibility="replaced")
        return _show(found, visibility, by) > 0

    return database.patiently(change)


def set_visibility(
    contributions: ContributionQuerySet, visibility: str, *, by: AbstractBaseUser | None
) -> int:
    """Set the visibility of many contributions; returns how many changed. Withdrawn and replaced ones stay as
    they are.

    `BATCH` of them change in one transaction, so others can store deals in between. If the call breaks off,
    the batches before stay changed, and the same call does the rest.
    """
    pks = list(contributions.order_by("pk").values_list("pk", flat=True))
    changed = 0
    for at in range(0, len(pks), BATCH):
        changed += database.patiently(partial(_show_batch, pks[at : at + BATCH], visibility, by))
    return changed


def _show_batch(pks: list[int], visibility: str, by: AbstractBaseUser | None) -> int:
    database.in_turn()
    return _show(Contribution.objects.filter(pk__in=pks, visibility__in=CHOSEN), visibility, by)


def _show(contributions: ContributionQuerySet, visibility: str, by: AbstractBaseUser | None) -> int:
    """Set a visibility, with the feed and the history. Call with the insert lock held."""
    other = contributions.exclude(visibility=visibility).order_by("pk")
    before = dict(other.values_list("pk", "visibility"))
    if not before:
        return 0
    changed = Contribution.objects.filter(pk__in=before)
    changed.update(visibility=visibility, **({"was_public": True} if visibility == "public" else {}))
    feed.note(before, "shown")
    Change.objects.bulk_create(
        Change(contribution_id=pk, user=by, what={"visibility": (was, visibility)})
        for pk, was in before.items()
    )
    return len(before)


# --- from one space to another ------------------------------------------------------------------------------


def move(contribution: Contribution, club: Space, *, by: AbstractBaseUser | None) -> Key:
    """Move a contribution from a user's own space to a club; returns the key of the club's contribution.

    Its history goes with it, and so do the records that it replaced. It is visible as the club has set it.
    Players and session are those of the club with the same names. Where the club has the deal already with
    the same details, that contribution stays, and takes the history over.

    :raises AlreadyThere: if the club has the deal with other details, or withdrew or replaced it.
    """
    return database.patiently(lambda: _move(contribution.pk, club, by))


def _move(pk: int, club: Space, by: AbstractBaseUser | None) -> Key:
    database.in_turn()
    moved = Contribution.objects.whole().get(pk=pk)
    former_space, there = moved.space_id, moved
    known = Contribution.objects.whole().filter(space=club, deal=moved.deal_id).first()
    if known is None:
        _seat_in(moved, club)
        feed.note([pk], "corrected")
        _note(moved, by, {"club": ("", club.name)})
        _show(Contribution.objects.filter(pk=pk), club.visibility, by)
    elif known.pk != pk:
        details = differences(told_by(known), told_by(moved), club.pk)
        if details or known.visibility not in CHOSEN:
            raise AlreadyThere(known.key, details)
        Change.objects.filter(contribution=moved).update(contribution=known)
        there = known
    club_deals = set(Contribution.objects.filter(space=club).values_list("deal_id", flat=True))
    for former in Contribution.objects.whole().filter(space=former_space, replaced_by=pk):
        goes = former.deal_id not in club_deals
        Contribution.objects.filter(pk=former.pk).update(replaced_by=there if goes else None)
        if goes:
            _seat_in(former, club)
            feed.note([former.pk], "corrected")
    if there is not moved:
        feed.remove(Contribution.objects.filter(pk=pk))
    return there.key


def _seat_in(contribution: Contribution, space: Space) -> None:
    """Put a contribution into another space, with the players and the session of the same names there. Who is
    new there keeps his pseudonym."""
    seats = list(contribution.seats.select_related("player__same_as"))
    before = set(Player.objects.filter(space=space).values_list("pk", flat=True))
    players = ensure(Player, space.pk, {seat.player.name for seat in seats})
    for seat in seats:
        known = players[seat.player.name]
        if known not in before and seat.player.head.pseudonym:
            Player.objects.filter(pk=known).update(pseudonym=seat.player.head.pseudonym)
        seat.player_id = known
    Seat.objects.bulk_update(seats, ["player"])
    name = contribution.session.name if contribution.session else ""
    session = ensure(Session, space.pk, {name} - {""}).get(name)
    Contribution.objects.filter(pk=contribution.pk).update(space=space, session=session)


# --- history ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """One thing that was changed: the word for it, and what was said before and after."""

    at: datetime
    user: str
    word: str
    before: Any
    after: Any


def history(said: Contribution) -> list[Changed]:
    """What was changed of a contribution, the latest first; players by the names that are shown. One query,
    and one for their names."""
    changes = list(said.changes.select_related("user"))
    names = {name for change in changes for told in change.what.get("players", ()) for name in told}
    players = Player.objects.filter(space=said.space_id, name__in=names).select_related("same_as")
    shown = {player.name: player.shown for player in players}
    return [
        Changed(change.at, change.user.get_username() if change.user else "", word, *values)
        for change in changes
        for word, values in _in_order(change.what, shown)
    ]


def _in_order(what: dict[str, list[Any]], shown: dict[str, str]) -> Iterator[tuple[str, list[Any]]]:
    for word in (*WORDS, "visibility", "club"):
        if word == "players" and word in what:
            yield word, [[shown.get(name, name) for name in told] for told in what[word]]
        elif word in what:
            yield word, what[word]
