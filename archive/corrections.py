"""Changing what is said of a deal: correcting it, putting a corrected record in its place, hiding it.

The deal itself is never changed. Every change is kept with who made it, when, and what was said before.
Whether he may is asked before (`archive.access`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from archive import database, feed
from archive.models import (
    CHOSEN,
    Change,
    Contribution,
    Part,
    Player,
    Seat,
    Session,
    Upload,
)
from archive.sayings import SEARCH, WORDS, Told, differences, ensure, first_day, tell, told_by, verdict_on
from tarock.record import Record

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


class AnotherDeal(ValueError):
    """The record is not of the deal that it was to say something of."""


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
    _show(new, old.visibility, upload.user)
    _show(old, "replaced", upload.user)


def show(said: Contribution, visibility: str, *, by: AbstractBaseUser | None) -> bool:
    """Have a contribution seen by all, by who has its link, by members, or withdraw it. Whether that changed
    anything. What was replaced stays so."""

    def change() -> bool:
        database.in_turn()
        found = Contribution.objects.get(pk=said.pk)
        return found.visibility != "replaced" and _show(found, visibility, by)

    return database.patiently(change)


def _show(said: Contribution, visibility: str, by: AbstractBaseUser | None) -> bool:
    if said.visibility == visibility:
        return False
    before, said.visibility = said.visibility, visibility
    said.was_public |= visibility == "public"
    said.save(update_fields=["visibility", "was_public"])
    feed.note([said.pk], "shown")
    _note(said, by, {"visibility": (before, visibility)})
    return True


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
    for word in (*WORDS, "visibility"):
        if word == "players" and word in what:
            yield word, [[shown.get(name, name) for name in told] for told in what[word]]
        elif word in what:
            yield word, what[word]
