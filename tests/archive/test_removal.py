"""What goes for good, and what stays because others have it, too."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from archive.models import Change, Contribution, Deal, Member, Part, Player, Seat, Session, Space, Upload
from archive.reading import deals
from archive.reading.filters import Filters
from archive.reading.uploads import original_of, results_of
from archive.storing import corrections, intake, removal, spaces, uploads
from archive.storing.removal import clubs_that_need, delete_account, purge
from archive.storing.spaces import LastOwner
from tarock.notation import read_one
from tests import samples, storing
from tests.storing import deal_of, everything, outcomes, part_of, receive, store, stored, together

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def later(**time: float) -> datetime:
    return timezone.now() + timedelta(**time)


def withdrawn(text: str, **how: Any) -> Contribution:
    upload = stored(text, **how)
    said = Contribution.objects.get(part__upload=upload)
    corrections.set_visibility(said, "withdrawn", by=upload.user)
    return said


# --- withdrawn ----------------------------------------------------------------------------------------------


def test_what_was_withdrawn_goes_when_its_time_is_over(ada) -> None:
    said = withdrawn(samples.TAROKY, user=ada)
    stays = stored(samples.dealt(1), user=ada)
    assert purge(later(hours=-1)) == 0
    assert purge(later(hours=1)) == 1
    assert not Deal.objects.filter(pk=said.deal_id).exists()
    assert Contribution.objects.get().part.upload == stays
    assert (Seat.objects.count(), Change.objects.count()) == (4, 0)
    assert part_of(Upload.objects.exclude(pk=stays.pk).get()).data == b""
    assert part_of(stays).bytes
    assert purge(later(hours=1)) == 0


def test_what_was_put_back_or_was_never_withdrawn_stays(ada) -> None:
    back = withdrawn(samples.TAROKY, user=ada)
    corrections.set_visibility(back, "public", by=ada)
    new = Contribution.objects.get(part__upload=stored(samples.dealt(2), user=ada))
    for visibility in ("unlisted", "members"):
        corrections.set_visibility(new, visibility, by=ada)
    old = Contribution.objects.get(part__upload=stored(samples.ILLEGAL_BID, user=ada))
    stored(samples.dealt(3), user=ada, replaces=old)
    before = everything()
    assert purge(later(days=1000)) == 0
    assert everything() == before


def test_a_deal_that_another_has_stays_with_his_part(ada, ben) -> None:
    withdrawn(samples.TAROKY, user=ada)
    other = stored(samples.DISPUTED, user=ben)
    assert purge(later(hours=1)) == 1
    (deal,) = storing.deals()
    assert deal.representative.sender == ben
    assert deals.get_deal(deal.pk).record == read_one(samples.DISPUTED)
    assert part_of(other).bytes
    assert [result.verdict for result in results_of(other)] == ["disputed"]


def test_a_part_of_which_something_is_kept_keeps_its_bytes(ada) -> None:
    upload = stored(samples.TAROKY, samples.dealt(1), user=ada)
    corrections.set_visibility(Deal.objects.get(verdict="verified").representative, "withdrawn", by=ada)
    assert purge(later(hours=1)) == 1
    assert original_of(Contribution.objects.get()).text.startswith("[TGN")
    first, second = results_of(upload)
    assert (first.outcome, first.digest, first.verdict) == ("stored", None, None)
    assert second.verdict == "incomplete"


def test_what_is_gone_may_be_sent_again(ada) -> None:
    withdrawn(samples.TAROKY, user=ada)
    purge(later(hours=1))
    assert outcomes(stored(samples.TAROKY, user=ada)) == ["stored"]
    assert storing.deal().score == samples.TAROKY_SCORE


def test_what_replaced_something_and_is_gone_leaves_it_hidden(ada) -> None:
    old = Contribution.objects.get(part__upload=stored(samples.ILLEGAL_BID, user=ada))
    new = Contribution.objects.get(part__upload=stored(samples.TAROKY, user=ada, replaces=old))
    corrections.set_visibility(new, "withdrawn", by=ada)
    assert purge(later(hours=1)) == 1
    old.refresh_from_db()
    assert (old.visibility, old.replaced_by) == ("replaced", None)
    with pytest.raises(Deal.DoesNotExist):
        deals.get_deal(old.deal_id)


def test_a_deal_that_is_removed_while_it_is_sent_again_is_stored_anew(ada, ben, monkeypatch) -> None:
    withdrawn(samples.TAROKY, user=ada)
    upload = receive(samples.TAROKY, user=ben)
    real = intake._read

    def read(part: Part) -> Any:
        found = real(part)
        assert purge(later(hours=1)) == 1
        return found

    monkeypatch.setattr(intake, "_read", read)
    store(upload)
    assert outcomes(upload) == ["stored"]
    assert storing.deal().score == samples.TAROKY_SCORE


@pytest.mark.django_db(transaction=True)
def test_removing_beside_storing(ada, ben) -> None:
    stored(samples.many(40), user=ada)
    Contribution.objects.update(visibility="withdrawn")
    found = [receive(samples.many(20, first=20 * n), user=ben) for n in range(2)]
    together(
        lambda: purge(later(hours=1)),
        *[lambda upload=upload: len(outcomes(store(upload))) for upload in found],
    )
    assert Deal.objects.count() == Contribution.objects.filter(space__user=ben).count() == 40
    assert not Contribution.objects.filter(space__user=ada).exists()


def test_many_are_removed_in_turns(ada, monkeypatch) -> None:
    monkeypatch.setattr(removal, "_AT_ONCE", 7)
    stored(samples.many(30), user=ada)
    Contribution.objects.update(visibility="withdrawn")
    assert purge(later(hours=1)) == 30
    assert not Deal.objects.exists()
    assert Part.objects.get().data == b""


# --- accounts -----------------------------------------------------------------------------------------------


@pytest.fixture
def club(ada, ben) -> Space:
    """A club of Ada's with Ben in it, to which both have sent something."""
    club = spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    stored(samples.dealt(1, Session="S"), user=ada, space=club)
    stored(samples.dealt(2, Session="S"), user=ben, space=club)
    return club


def test_the_only_owner_of_a_club_with_others_may_not_go(club, ada, ben) -> None:
    before = everything()
    assert (clubs_that_need(ada), clubs_that_need(ben)) == ([club], [])
    for with_contributions in (False, True):
        with pytest.raises(LastOwner):
            delete_account(ada, with_contributions=with_contributions)
    assert everything() == before
    spaces.set_role(Member.objects.get(user=ben, space=club), "owner")
    assert clubs_that_need(ada) == []
    delete_account(ada, with_contributions=True)
    assert Contribution.objects.filter(space=club).count() == 2, "what he sent to the club is the club's"


@pytest.mark.parametrize("with_contributions", [False, True])
def test_nothing_of_him_is_left_but_what_is_a_clubs(with_contributions: bool, club, ada, ben) -> None:
    stored(samples.TAROKY, samples.dealt(1), user=ben)
    alone = spaces.found_club("Alone", by=ben)
    stored(samples.ILLEGAL_BID, user=ben, space=alone)
    stored(samples.ILLEGAL_BID, user=ada)
    said = Contribution.objects.get(space=club, part__upload__user=ada)
    corrections.set_visibility(said, "members", by=ben)
    number, own = ben.pk, spaces.own(ben).pk
    delete_account(ben, with_contributions=with_contributions)
    assert not type(ben).objects.filter(pk=number).exists()
    assert not Member.objects.filter(user=number).exists()
    assert not Upload.objects.filter(sender=f"user-{number}").exists()
    assert not Upload.objects.filter(user=number).exists()
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
        assert gone.count() == 2
        assert Deal.objects.count() == 4
        assert storing.deal(Filters(verdict="verified")).representative.sender is None


def test_a_number_is_not_somebody_elses_quota(ada) -> None:
    stored(samples.TAROKY, user=ada)
    sender = uploads.sender(ada)
    delete_account(ada, with_contributions=False)
    assert uploads.used_quota(sender) == {"bytes": 0, "deals": 0}


def test_who_never_sent_anything_goes(ben) -> None:
    delete_account(ben, with_contributions=True)
    assert not type(ben).objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_go_at_once_one_stays(django_user_model) -> None:
    owners = [django_user_model.objects.create_user(name) for name in ("eva", "fay", "guy")]
    club = spaces.found_club("Tarok", by=owners[0])
    for user in owners[1:]:
        member = spaces.join(spaces.invite(club, by=owners[0]), user)
    spaces.set_role(Member.objects.get(user=owners[1]), "owner")

    def go(user: Any) -> bool:
        try:
            delete_account(user, with_contributions=True)
        except LastOwner:
            return False
        return True

    assert sorted(together(*[lambda user=user: go(user) for user in owners[:2]])) == [False, True]
    assert set(club.members.values_list("role", flat=True)) == {"member", "owner"}
    assert club.members.filter(pk=member.pk).exists()
    assert deal_of(samples.dealt(1), space=club).representative.space == club
