"""The players of a space: what they are called, and who is whom.

Names as they were written stay in what was sent. Whether somebody may is asked before (`archive.access`).
What is done to another name of a person is done to the person, but for `part`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.db.models import Q

from archive import database
from archive.models import Contribution, Member, Player
from archive.storing import feed
from archive.storing.spaces import NameTaken


class AnotherSpace(ValueError):
    """Two players of different spaces are never one."""


class AtOneTable(ValueError):
    """Two players who sat at one table are never one. ``contribution``: of a deal that both played."""

    def __init__(self, contribution: Contribution) -> None:
        super().__init__(f"both sat at the table of deal {contribution.deal_id}")
        self.contribution = contribution


def rename(player: Player, name: str) -> None:
    """Call a player otherwise. By the former name he is still known: records with it count for him.

    :raises NameTaken: if there is another player of this name in his space, who may be the same (`merge`).
    """

    def change(person: Player) -> None:
        if name == person.name:
            return
        _keep_apart(person, name)
        known = person.aliases.filter(name=name).first()
        if known is not None and known.seats.exists():
            _put_first(known, person)
            return
        if known is None:
            known = Player(space_id=person.space_id, same_as=person, under=person)
        else:  # the two change names, by way of a third
            Player.objects.filter(pk=known.pk).update(name=secrets.token_hex())
        known.name, person.name = person.name, name
        person.save()
        known.save()

    _in_turn(player, change)


def _put_first(known: Player, person: Player) -> None:
    """Have the person be known by this one of his names, of which he has deals, before the others."""
    others = [person, *person.aliases.exclude(pk=known.pk)]
    known.same_as, known.under, known.pseudonym = None, None, person.pseudonym
    known.save()
    person.under = known
    _set_head(others, known)


def merge(player: Player, into: Player) -> None:
    """Have two players of a space be one, known by both names, before all by that of ``into``; but where only
    the other has a pseudonym, by that. `part` undoes it.

    :raises AnotherSpace: if they are not of one space.
    :raises AtOneTable: if they played a deal together.
    """

    def change(person: Player) -> None:
        head = Player.objects.get(pk=into.pk).head
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

    _in_turn(player, change, into)
    into.refresh_from_db()


def part(player: Player) -> None:
    """Have a player be one of his own again, with all deals that were recorded with his name, and with the
    other names that he had when he was put under another."""

    def change(_person: Player) -> None:
        alone = Player.objects.get(pk=player.pk)
        if alone.same_as is None:
            return
        alone.under = None
        _set_head([alone], None)
        found = [alone]
        while found := list(Player.objects.filter(under__in=found)):
            _set_head(found, alone)

    _in_turn(player, change)


def set_pseudonym(player: Player, pseudonym: str) -> None:
    """Show and export a player under this name in place of his own; none if it is empty.

    :raises NameTaken: if another player of his space is known by it.
    """

    def change(person: Player) -> None:
        if pseudonym:
            _keep_apart(person, pseudonym)
        person.pseudonym = pseudonym
        person.save()
        _set_head(list(person.aliases.all()), person)

    _in_turn(player, change)


def _in_turn(player: Player, change: Callable[[Player], None], *others: Player) -> None:
    """Change the person that a player is, and perhaps others, in turn with intake, which looks players up by
    their names. The feed tells of the deals in which somebody is shown by another name now."""

    def run() -> None:
        database.insert_lock()
        persons = Player.objects.filter(pk__in=[player.pk, *(other.pk for other in others)]).with_aliases()
        before = _shown(list(persons.values_list("pk", flat=True)))
        change(Player.objects.select_related("same_as").get(pk=player.pk).head)
        after = _shown(list(before))
        renamed = [pk for pk, name in after.items() if name != before[pk]]
        feed.note(Contribution.objects.filter(seats__player__in=renamed).distinct(), "corrected")

    database.retry_transient(run)
    player.refresh_from_db()


def _shown(players: list[int]) -> dict[int, str]:
    """The names by which these players are shown."""
    return {
        one.pk: one.display_name for one in Player.objects.filter(pk__in=players).select_related("same_as")
    }


def _keep_apart(person: Player, name: str) -> None:
    """Raise if this name or pseudonym means another person of the space."""
    others = Player.objects.filter(space=person.space_id).exclude(Q(pk=person.pk) | Q(same_as=person))
    if others.filter(Q(name=name) | Q(pseudonym=name)).exists():
        raise NameTaken(name)


def _set_head(players: list[Player], head: Player | None) -> None:
    for player in players:
        player.same_as = head
        player.save()


def this_is_me(member: Member, player: Player | None) -> None:
    """Note which of the players of a space a member is himself.

    :raises AnotherSpace: if it is none of that space's.
    """
    if player is not None and player.space_id != member.space_id:
        raise AnotherSpace
    member.player = player.head if player is not None else None
    member.save(update_fields=["player"])
