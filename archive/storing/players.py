"""Rename and merge the players of a space, and set pseudonyms. Uploads keep the names as written. The callers
check permissions (`archive.access`). A change to an alias applies to the person, except in `unmerge`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.db.models import Q

from archive import database
from archive.models import Contribution, Member, Player, Seat
from archive.storing import feed, following, sheets
from archive.storing.spaces import NameTaken

P = ParamSpec("P")
_Change = Callable[Concatenate[Player, P], None]


class AnotherSpace(ValueError):
    """The players belong to different spaces."""


class AtOneTable(ValueError):
    """The players can't be the same person, because both played in the deal of `contribution`."""

    def __init__(self, contribution: Contribution) -> None:
        super().__init__(f"both sat at the table of deal {contribution.deal_id}")
        self.contribution = contribution


def _with_insert_lock(change: _Change[P]) -> _Change[P]:
    """Decorate a function that changes one or two players. Run it with the insert lock held, because intake
    finds players by name, and fetch the first player again under the lock. If a display name changes, update
    it in the seats that only store it, and add the person's deals to the feed."""

    @database.holding_insert_lock
    def locked(player: Player, /, *args: P.args, **kwargs: P.kwargs) -> None:
        given = [player.pk, *(one.pk for one in args if isinstance(one, Player))]
        persons = Player.objects.filter(pk__in=given).with_aliases()
        before = _display_names(list(persons.values_list("pk", flat=True)))
        change(Player.objects.select_related("same_as").get(pk=player.pk), *args, **kwargs)
        after = _display_names(list(before))
        renamed = [pk for pk, name in after.items() if name != before[pk]]
        feed.note(Contribution.objects.filter(seats__player__in=renamed).distinct(), "corrected")
        # If a person has several seats in a deal, these count for no player but store the display name.
        for one in Player.objects.filter(pk__in=renamed):
            former = {one.name, before[one.pk]} - set(after.values())
            shared = Seat.objects.filter(player=None, name__in=former, contribution__space=one.space_id)
            feed.note(set(shared.values_list("contribution_id", flat=True)), "corrected")
            shared.update(name=after[one.pk])
        # Cover or uncover sheets that now have, or no longer have, the same players as a deal with cards, and
        # results that now have, or no longer have, a player in common with one.
        theirs = Contribution.objects.filter(seats__player__in=list(before)).exclude(deal__kind="played")
        sheets.cover(sheets.places_of(theirs.values("pk")))

    @wraps(change)
    def run(player: Player, /, *args: P.args, **kwargs: P.kwargs) -> None:
        locked(player, *args, **kwargs)
        for one in (player, *args):
            if isinstance(one, Player):
                one.refresh_from_db()

    return run


@_with_insert_lock
def rename(player: Player, name: str) -> None:
    """Rename a player. The former name becomes an alias, so its records still count for the player.

    :raises NameTaken: if another player of the space has this name. If both are the same person, call `merge`
    instead.
    """
    person = player.head
    if name == person.name:
        return
    _check_name_is_free(person, name)
    known = person.aliases.filter(name=name).first()
    if known is not None and known.seats.exists():
        # Make the alias, which has deals of its own, the person's main player.
        others = [person, *person.aliases.exclude(pk=known.pk)]
        known.same_as, known.under, known.pseudonym = None, None, person.pseudonym
        known.can_be_followed = person.can_be_followed
        known.save()
        person.under = known
        _set_head(others, known)
        return
    if known is None:
        known = Player(space_id=person.space_id, same_as=person, under=person)
    else:  # swap the two names through a temporary one, because names are unique in a space
        Player.objects.filter(pk=known.pk).update(name=secrets.token_hex())
    known.name, person.name = person.name, name
    person.save()
    known.save()


@_with_insert_lock
def merge(player: Player, into: Player) -> None:
    """Merge two players of a space into one person with both names. The person's display name is that of
    `into`, or the pseudonym of `player` if only `player` has one. If nobody could follow one of the two,
    nobody can follow the person. `unmerge` undoes a merge.

    :raises AnotherSpace: if the players belong to different spaces.
    :raises AtOneTable: if both played in the same deal.
    """
    person, head = player.head, Player.objects.get(pk=into.pk).head
    if person.space_id != head.space_id:
        raise AnotherSpace
    if person == head:
        return
    both = Contribution.objects.with_player(person).with_player(head)
    if (met := both.order_by("-id").first()) is not None:
        raise AtOneTable(met)
    if person.pseudonym and not head.pseudonym:
        person, head = head, person
    person.under = head
    _set_head([person, *person.aliases.all()], head)
    if not (person.can_be_followed and head.can_be_followed):
        following.allow(head, allowed=False)


@_with_insert_lock
def unmerge(player: Player) -> None:
    """Undo the merge of a player. The player gets back the deals recorded under their name and their former
    aliases."""
    if player.same_as is None:
        return
    player.under = None
    _set_head([player], None)
    players = [player]
    while players := list(Player.objects.filter(under__in=players)):
        _set_head(players, player)


@_with_insert_lock
def set_pseudonym(player: Player, pseudonym: str) -> None:
    """Set the pseudonym that replaces a player's name on pages and in exports; empty for none.

    :raises NameTaken: if another player in the space has this name or pseudonym.
    """
    person = player.head
    if pseudonym:
        _check_name_is_free(person, pseudonym)
    person.pseudonym = pseudonym
    person.save()
    _set_head(list(person.aliases.all()), person)


def _display_names(players: list[int]) -> dict[int, str]:
    return {
        one.pk: one.display_name for one in Player.objects.filter(pk__in=players).select_related("same_as")
    }


def _check_name_is_free(person: Player, name: str) -> None:
    """Raise `NameTaken` if another person in the space has this name or pseudonym."""
    others = Player.objects.filter(space=person.space_id).exclude(Q(pk=person.pk) | Q(same_as=person))
    if others.filter(Q(name=name) | Q(pseudonym=name)).exists():
        raise NameTaken(name)


def _set_head(players: list[Player], head: Player | None) -> None:
    for player in players:
        player.same_as = head
        player.save()


def this_is_me(member: Member, player: Player | None) -> None:
    """Set the player that represents a member in the space; if `player` is None, clear it.

    :raises AnotherSpace: if the player belongs to another space.
    """
    if player is not None and player.space_id != member.space_id:
        raise AnotherSpace
    member.player = player.head if player is not None else None
    member.save(update_fields=["player"])
