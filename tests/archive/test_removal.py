"""Permanent deletion, and the data that stays because others have it, too."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from archive.models import (
    Change,
    Contribution,
    Deal,
    Invitation,
    Member,
    Part,
    Player,
    Seat,
    Session,
    Space,
    Upload,
    Webhook,
)
from archive.publishing import webhooks
from archive.reading import deals
from archive.reading.filters import Filters
from archive.reading.uploads import original_of, results_of
from archive.storing import corrections, feed, intake, removal, spaces, uploads
from archive.storing.removal import clubs_that_need, delete_account, hidden_in, purge, spaces_alone
from archive.storing.spaces import LastOwner
from tarock.notation import read_one
from tests.archive.changing import contribution_of, succeeds
from tests.support import samples, storing
from tests.support.storing import (
    deal_of,
    everything,
    outcomes,
    part_of,
    receive,
    shown,
    store,
    stored,
    together,
)

pytestmark = pytest.mark.django_db


def later(**time: float) -> datetime:
    return timezone.now() + timedelta(**time)


def withdrawn(text: str, **how: Any) -> Contribution:
    said = contribution_of(text, **how)
    corrections.set_visibility(said, "withdrawn", by=how["user"])
    return said


@pytest.mark.storage
def test_what_was_withdrawn_goes_when_its_time_is_over(ada) -> None:
    said = withdrawn(samples.TAROKY, user=ada)
    stays = stored(samples.dealt(1), user=ada)
    assert [purge(later(hours=hours)) for hours in (-1, 1)] == [0, 1]
    assert not Deal.objects.filter(pk=said.deal_id).exists()
    assert Contribution.objects.get().part.upload == stays
    assert (Seat.objects.count(), Change.objects.count()) == (4, 0)
    assert part_of(Upload.objects.exclude(pk=stays.pk).get()).data == b""
    assert part_of(stays).bytes
    assert purge(later(hours=1)) == 0
    assert outcomes(stored(samples.TAROKY, user=ada)) == ["stored"], "what is gone may be sent again"


def test_what_was_put_back_or_was_never_withdrawn_stays(ada) -> None:
    corrections.set_visibility(withdrawn(samples.TAROKY, user=ada), "public", by=ada)
    new = contribution_of(samples.dealt(2), user=ada)
    for visibility in ("unlisted", "members"):
        corrections.set_visibility(new, visibility, by=ada)
    old = contribution_of(samples.ILLEGAL_BID, user=ada)
    stored(samples.dealt(3), user=ada, replaces=old)
    before = everything()
    assert (purge(later(days=1000)), everything()) == (0, before)


def test_a_deal_that_another_has_stays_with_his_part(ada, ben) -> None:
    withdrawn(samples.TAROKY, user=ada)
    other = stored(samples.DISPUTED, user=ben)
    assert purge(later(hours=1)) == 1
    (deal,) = storing.deals()
    assert deal.contribution.sender == ben
    assert deals.get_deal(deal.pk).record == read_one(samples.DISPUTED)
    assert part_of(other).bytes
    assert [result.verdict for result in results_of(other)] == ["disputed"]


def test_a_part_of_which_something_is_kept_keeps_its_bytes(ada) -> None:
    upload = stored(samples.TAROKY, samples.dealt(1), user=ada)
    corrections.set_visibility(shown(Deal.objects.get(verdict="verified")).contribution, "withdrawn", by=ada)
    assert purge(later(hours=1)) == 1
    assert original_of(Contribution.objects.get()).text.startswith("[TGN")
    first, second = results_of(upload)
    assert (first.outcome, first.digest, first.verdict) == ("stored", None, None)
    assert second.verdict == "incomplete"


def test_what_replaced_something_and_is_gone_leaves_it_hidden(ada) -> None:
    old = contribution_of(samples.ILLEGAL_BID, user=ada)
    new = contribution_of(samples.TAROKY, user=ada, replaces=old)
    corrections.set_visibility(new, "withdrawn", by=ada)
    assert purge(later(hours=1)) == 1
    old.refresh_from_db()
    assert (old.visibility, old.replaced_by) == ("replaced", None)
    with pytest.raises(Deal.DoesNotExist):
        deals.get_deal(old.deal_id)


@pytest.mark.storage
def test_a_deal_that_is_removed_while_it_is_sent_again_is_stored(ada, ben, monkeypatch) -> None:
    withdrawn(samples.TAROKY, user=ada)
    upload = receive(samples.TAROKY, user=ben)
    real = intake._read

    def read(part: Part) -> Any:
        found = real(part)
        assert purge(later(hours=1)) == 1
        return found

    monkeypatch.setattr(intake, "_read", read)
    assert (outcomes(store(upload)), storing.deal().score) == (["stored"], samples.TAROKY_SCORE)


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_removing_in_turns_beside_storing(ada, ben, monkeypatch) -> None:
    monkeypatch.setattr(removal, "_AT_ONCE", 7)
    stored(samples.many(40), user=ada)
    Contribution.objects.update(visibility="withdrawn")
    found = [receive(samples.many(20, first=20 * n), user=ben) for n in range(2)]
    together(lambda: purge(later(hours=1)), *[lambda upload=upload: store(upload).pk for upload in found])
    assert Deal.objects.count() == Contribution.objects.filter(space__user=ben).count() == 40
    assert not Contribution.objects.filter(space__user=ada).exists()
    assert Part.objects.get(upload__user=ada).data == b""


@pytest.fixture
def club(ada, ben) -> Space:
    """A club of Ada's with Ben in it, to which both have sent something."""
    club = spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    stored(samples.dealt(1, Session="S"), user=ada, space=club)
    stored(samples.dealt(2, Session="S"), user=ben, space=club)
    return club


def goes(user: Any, *, with_contributions: bool) -> None:
    """Delete an account and the clubs that are the user's alone."""
    clubs = [space.pk for space in spaces_alone(user)]
    delete_account(user, with_contributions=with_contributions, clubs=clubs)


def test_the_only_owner_of_a_club_with_others_may_not_go(club, ada, ben) -> None:
    before = everything()
    assert (clubs_that_need(ada), clubs_that_need(ben)) == ([club], [])
    for with_contributions in (False, True):
        with pytest.raises(LastOwner):
            delete_account(ada, with_contributions=with_contributions)
    assert everything() == before
    spaces.set_role(Member.objects.get(user=ben, space=club), "owner")
    assert clubs_that_need(ada) == []
    goes(ada, with_contributions=True)
    assert Contribution.objects.filter(space=club).count() == 2, "what he sent to the club is the club's"


@pytest.mark.storage
@pytest.mark.parametrize("with_contributions", [False, True])
def test_nothing_of_him_is_left_but_what_is_a_clubs(with_contributions: bool, club, ada, ben) -> None:
    stored(samples.TAROKY, samples.dealt(1), user=ben)
    alone = spaces.found_club("Alone", by=ben)
    stored(samples.ILLEGAL_BID, user=ben, space=alone)
    stored(samples.ILLEGAL_BID, user=ada)
    said = Contribution.objects.get(space=club, part__upload__user=ada)
    corrections.set_visibility(said, "members", by=ben)
    number, own = ben.pk, spaces.own(ben).pk
    goes(ben, with_contributions=with_contributions)
    assert not type(ben).objects.filter(pk=number).exists()
    assert not Member.objects.filter(user=number).exists()
    assert not Upload.objects.filter(Q(sender=f"user-{number}") | Q(user=number)).exists()
    assert [one.user for one in corrections.history(said)] == [""]
    assert Contribution.objects.filter(space=club).count() == 2
    gone = Space.objects.filter(pk__in=[own, alone.pk])
    if with_contributions:
        assert not gone.exists()
        assert set(Deal.objects.values_list("verdict", flat=True)) == {"incomplete", "illegal"}
        assert Deal.objects.count() == 3, "those that Ada or the club have, too, stay"
        assert not Player.objects.filter(space__in=[own, alone.pk]).exists()
        assert set(Session.objects.values_list("space", flat=True)) == {club.pk, spaces.own(ada).pk}
        assert Upload.objects.count() == 3
    else:
        assert (gone.count(), Deal.objects.count()) == (2, 4)
        assert storing.deal(Filters(verdict="verified")).contribution.sender is None


@pytest.fixture
def alone(ben) -> Space:
    """Ben's club without another member: two public deals, an unlisted one, one for members that replaced
    another, and a withdrawn one; with an invitation and a webhook."""
    club = spaces.found_club("Alone", by=ben, place="Opava")
    spaces.invite(club, by=ben)
    webhooks.add(club, "https://receiver.example/", by=ben)
    for number, visibility in enumerate(("public", "public", "unlisted", "members", "withdrawn"), 1):
        deal = deal_of(samples.dealt(number, Session=f"S{number}"), user=ben, space=club)
        corrections.set_visibility(deal.contribution, visibility, by=ben)
    hidden = Contribution.objects.get(visibility="members")
    stored(samples.dealt(9, Session="S9"), user=ben, space=club, replaces=hidden)
    return club


@pytest.mark.storage
def test_a_club_goes_with_its_last_member_and_its_public_deals_stay(alone, ben, ada) -> None:
    stored(samples.dealt(20), user=ben, visibility="members")
    assert set(spaces_alone(ben)) == {alone, spaces.own(ben)}
    assert hidden_in([alone]).count() == 3
    before = feed.latest()
    goes(ben, with_contributions=False)
    for gone in (Space.objects.filter(kind="club"), Invitation.objects, Webhook.objects):
        assert not gone.exists()
    left = Space.objects.get(pk=alone.pk)
    assert (left.kind, left.name, left.place, left.user) == ("own", "", "", None)
    found = sorted(Contribution.objects.values_list("visibility", flat=True))
    assert found == ["public", "public", "unlisted"]
    assert Contribution.objects.filter(space=left).count() == Deal.objects.count() == 3
    assert {one.kind for one in feed.changes(before).entries} >= {"corrected"}, "mirrors hear of it"
    assert spaces.found_club("alone", by=ada).pk != alone.pk, "the name is free"
    cards, empty = spaces.found_club("Cards", by=ada), spaces.found_club("Empty", by=ada)
    stored(samples.dealt(30), user=ada, space=cards, visibility="members")
    goes(ada, with_contributions=False)
    assert not Space.objects.filter(pk__in=[cards.pk, empty.pk]).exists(), "nothing of them could be seen"


def test_a_club_that_the_page_has_not_named_stays(club, ada, ben, client) -> None:
    """Ada leaves the club while Ben reads the page on which he deletes his account."""
    spaces.set_role(Member.objects.get(user=ben, space=club), "owner")
    ben.set_password("a long one")
    ben.save()
    client.force_login(ben)
    page, form = "/accounts/delete/", {"password": "a long one", "deals": "delete"}
    assert club.name not in client.get(page).content.decode()
    spaces.leave(Member.objects.get(user=ada, space=club))
    before = everything()
    for other in ({}, {"club": "x"}, {"club": "0"}):
        answer = client.post(page, form | other, follow=True)
        assert answer.redirect_chain == [(page, 302)]
        assert f'name="club" value="{club.pk}"' in answer.content.decode()
    assert everything() == before
    client.post(page, form | {"club": club.pk})
    assert not Space.objects.filter(pk=club.pk).exists()


def test_what_still_comes_to_such_a_club_is_not_stored_unseen(ben) -> None:
    club = spaces.found_club("Alone", by=ben, visibility="members")
    waiting = receive(samples.dealt(1), user=ben, space=club)
    open_one = receive(samples.dealt(2), user=ben, space=club, visibility="public")
    goes(ben, with_contributions=False)
    assert list(Upload.objects.values_list("pk", flat=True)) == [open_one.pk] != [waiting.pk]


def test_a_user_deleted_in_the_admin_leaves_no_club_without_owner(
    club, alone, ada, ben, admin_client
) -> None:
    """Whatever way an account is deleted; also two owners together."""
    users, needed = "/admin/auth/user/", "the only owner of the club “Tarok”"

    def delete(*accounts: Any) -> str:
        address, form = users, {"post": "yes"}
        if len(accounts) == 1:
            address += f"{accounts[0].pk}/delete/"
        else:
            form |= {"action": "delete_selected", "_selected_action": [user.pk for user in accounts]}
        return admin_client.post(address, form).content.decode()

    assert needed in delete(ada)
    spaces.set_role(Member.objects.get(user=ben, space=club), "owner")
    fay = type(ada).objects.create_user("fay")
    spaces.join(spaces.invite(club, by=ada), fay)
    assert needed in delete(ada, ben)
    with pytest.raises(LastOwner), transaction.atomic():
        type(ada).objects.filter(pk__in=[ada.pk, ben.pk]).delete()
    assert type(ada).objects.filter(pk__in=[ada.pk, ben.pk]).count() == 2
    delete(ben)
    assert not type(ada).objects.filter(pk=ben.pk).exists()
    assert Space.objects.get(kind="club") == club
    assert needed in delete(ada, fay)
    delete(fay)
    delete(ada)
    assert not Space.objects.filter(kind="club").exists()


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_nobody_joins_a_club_that_goes(django_user_model) -> None:
    """The club stays with its new member only if it has an owner: who comes in time keeps the last one from
    going."""
    for number in range(4):
        owner, other = (django_user_model.objects.create_user(f"{who}{number}") for who in ("eva", "fay"))
        invitation = spaces.invite(spaces.found_club(f"Club {number}", by=owner), by=owner)

        def join(user: Any = other, by: Invitation = invitation) -> bool:
            return succeeds(spaces.join, by, user)

        together(lambda user=owner: succeeds(goes, user, with_contributions=False), join)
        assert not Space.objects.filter(kind="club").exclude(members__role="owner").exists()


def test_the_operator_makes_an_owner(ada, capsys) -> None:
    club = Space.objects.create(kind="club", name="Tarok")
    call_command("make_owner")
    assert capsys.readouterr().out == f"{club.pk} Tarok\n"
    for wrong in (["0", "ada"], [str(club.pk), "nobody"], [str(club.pk)]):
        with pytest.raises(CommandError):
            call_command("make_owner", *wrong)
    call_command("make_owner", str(club.pk), "ada")
    assert Member.objects.get(space=club).role == "owner"


def test_a_deleted_accounts_number_is_not_somebody_elses_quota(ada, ben) -> None:
    stored(samples.TAROKY, user=ada)
    sender = uploads.sender(ada)
    goes(ada, with_contributions=False)
    assert uploads.used_quota(sender) == {"bytes": 0, "deals": 0}
    goes(ben, with_contributions=True)
    assert not type(ben).objects.exists(), "who never sent anything goes, too"


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_go_at_once_one_stays(django_user_model) -> None:
    owners = [django_user_model.objects.create_user(name) for name in ("eva", "fay", "guy")]
    club = spaces.found_club("Tarok", by=owners[0])
    for user in owners[1:]:
        member = spaces.join(spaces.invite(club, by=owners[0]), user)
    spaces.set_role(Member.objects.get(user=owners[1]), "owner")
    go = [lambda user=user: succeeds(delete_account, user, with_contributions=True) for user in owners[:2]]
    assert sorted(together(*go)) == [False, True]
    assert set(club.members.values_list("role", flat=True)) == {"member", "owner"}
    assert club.members.filter(pk=member.pk).exists()
    assert deal_of(samples.dealt(1), space=club).contribution.space == club
