"""Own spaces, guests, clubs: made once, joined by invitation, never without an owner, handed over whole."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from archive import access
from archive.models import (
    Contribution,
    Evening,
    Invitation,
    Member,
    Player,
    RemovedMember,
    Session,
    Space,
    Upload,
)
from archive.reading import sessions
from archive.reading.players import deal_counts, find_players
from archive.reading.uploads import results_of, uploads_of
from archive.storing import collections, corrections, evenings, feed, intake, players, spaces, uploads
from archive.storing.spaces import LastOwner, NameTaken
from tests.archive.changing import succeeds
from tests.archive.test_sheets import sheet
from tests.support import samples, settling
from tests.support.storing import outcomes, part_of, receive, small_parts, store, stored, together

pytestmark = pytest.mark.django_db


def test_what_is_sent_goes_to_ones_own_space_or_to_the_house_and_is_seen_as_that_says(ada) -> None:
    own = stored(samples.TAROKY, user=ada).space
    assert (own.kind, own.user, own.visibility) == ("own", ada, "public")
    assert own == spaces.own(ada)
    assert [(member.user, member.role) for member in own.members.all()] == [(ada, "owner")]
    house = stored(samples.TAROKY).space
    assert house == spaces.house() == stored(samples.TAROKY, user=AnonymousUser()).space
    assert spaces.guest() != spaces.guest()
    club = spaces.found_club("Tarok", by=ada, visibility="members")
    stored(samples.dealt(1), user=ada, space=club)
    stored(samples.dealt(2), user=ada, space=club, visibility="unlisted")
    spaces.change_club(club, name="Tarok", place="", visibility="public")
    stored(samples.dealt(3), user=ada, space=club)
    seen = list(Contribution.objects.filter(space=club).values_list("visibility", flat=True))
    assert seen == ["members", "unlisted", "public"]


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_an_own_space_and_the_house_are_made_once_even_at_once(ada) -> None:
    for made in (lambda: spaces.own(ada).pk, lambda: spaces.house().pk):
        assert len(set(together(*[made] * 6))) == 1
    assert (Space.objects.count(), Member.objects.count()) == (2, 1)


@pytest.fixture
def club(ada) -> Space:
    return spaces.found_club("Klub Dvořák", by=ada, place="Hlučín")


@pytest.fixture
def eva(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("eva")


def role_of(user: Any, space: Space) -> str:
    return access.viewer(user).roles.get(space.pk, "")


@pytest.mark.storage
def test_a_name_is_taken_in_whatever_case_and_marks(club, ben) -> None:
    other = spaces.found_club("Another", by=ben)
    for name in ("Klub Dvořák", "KLUB DVOŘÁK", "klub dvorak", "Klub Dvor\u030ca\u0301k"):
        with pytest.raises(NameTaken):
            spaces.found_club(name, by=ben)
        with pytest.raises(NameTaken):
            spaces.change_club(other, name=name, place="x", visibility="members")
        for _stored in range(2):
            assert (other.name, other.place, other.visibility) == ("Another", "", "public")
            other.refresh_from_db()
    assert list(Member.objects.filter(user=ben).values_list("space", flat=True)) == [other.pk]
    # A club may change the marks of its own name.
    spaces.change_club(club, name="KLUB DVORAK", place="Opava", visibility="members")
    club.refresh_from_db()
    assert (str(club), club.place, club.search_name) == ("KLUB DVORAK", "Opava", "klub dvorak")


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_at_once_one_founds_a_club_one_member_joins_it_and_one_owner_stays(ada, ben) -> None:
    found = [lambda user=user: succeeds(spaces.found_club, "Tarok", by=user) for user in (ada, ben)]
    assert sorted(together(*found)) == [False, True]
    club = Space.objects.get()
    owner = club.members.get().user
    invitation = spaces.invite(club, by=owner)
    (other,) = {ada, ben} - {owner}
    together(*[lambda: spaces.join(invitation, other).pk] * 4)
    spaces.set_role(club.members.get(user=other), "owner")
    leave = [lambda one=one: succeeds(spaces.leave, one) for one in club.members.all()]
    assert (sorted(together(*leave)), club.members.get().role) == ([False, True], "owner")


def test_an_invitation_is_used_until_it_ends_or_its_club_ends_it(club, ada, ben, eva) -> None:
    invitation = spaces.invite(club, by=ada)
    assert spaces.invitation(invitation.key) == invitation
    assert spaces.invitation("") is spaces.invitation(invitation.key + "x") is None
    for user in (ben, eva):
        assert spaces.join(invitation, user).role == role_of(user, club) == "member"
    spaces.leave(Member.objects.get(space=club, user=ben))
    joined = [spaces.join(invitation, user).role for user in (ben, ada)]
    assert (joined, club.members.count()) == (["member", "owner"], 3), "who left comes back"
    ends = timezone.now() + timedelta(days=30)
    assert abs(invitation.ends_at - ends) < timedelta(minutes=1)
    Invitation.objects.update(ends_at=timezone.now())
    assert spaces.invitation(invitation.key) is None
    assert role_of(ben, club) == "member", "who joined stays"
    own, other = spaces.invite(club, by=ada), spaces.invite(spaces.found_club("Jindy", by=ben), by=ben)
    assert own.key != invitation.key
    for one in (own, other):
        spaces.end_invitation(club, one.pk)
    assert (spaces.invitation(own.key), spaces.invitation(other.key)) == (None, other)


def refused(invitation: Invitation, user: Any) -> bool:
    return not succeeds(spaces.join, invitation, user)


def test_a_removed_member_comes_back_by_no_link_until_an_owner_allows_it(club, ada, ben, eva) -> None:
    came, other = spaces.invite(club, by=ada), spaces.invite(club, by=ada)
    member = spaces.join(came, ben)
    assert member.invitation == came
    spaces.remove(member)
    assert spaces.invitation(came.key) is None
    assert refused(came, eva), "the link may be in other wrong hands"
    later = spaces.invite(club, by=ada)
    for invitation in (came, other, later):
        assert refused(invitation, ben)
    assert spaces.join(other, eva).invitation == other, "other links go on"
    jindy = spaces.found_club("Jindy", by=ada)
    assert spaces.join(spaces.invite(jindy, by=ada), ben).space == jindy
    spaces.readmit(jindy, RemovedMember.objects.get().pk)
    assert refused(later, ben), "an owner of another club has no say"
    spaces.readmit(club, RemovedMember.objects.get().pk)
    assert spaces.join(later, ben).role == "member"


def test_a_removed_member_takes_no_link_along(club, ada, ben, eva) -> None:
    """A second account could use it: secretaries know all links, and who made one knows it."""
    for role in ("secretary", "owner"):
        came, other = spaces.invite(club, by=ada), spaces.invite(club, by=ada)
        member = spaces.join(came, ben)
        spaces.set_role(member, role)
        spaces.remove(member)
        assert [refused(one, eva) for one in (came, other)] == [True, True]
        spaces.readmit(club, RemovedMember.objects.get().pk)
    member = spaces.join(spaces.invite(club, by=ada), ben)
    spaces.set_role(member, "secretary")
    own = spaces.invite(club, by=ben)
    spaces.set_role(member, "member")
    spaces.remove(member)
    assert refused(own, eva)
    # A member from before links were noted may have any of then.
    spaces.readmit(club, RemovedMember.objects.get().pk)
    before = spaces.invite(club, by=ada)
    member = Member.objects.create(space=club, user=ben)
    after = spaces.invite(club, by=ada)
    spaces.remove(member)
    assert (refused(before, eva), refused(after, eva)) == (True, False)


def test_a_renewed_link_replaces_the_old_one(club, ada, ben, eva) -> None:
    old = spaces.invite(club, by=ada)
    member = spaces.join(old, ben)
    new = spaces.renew_invitation(club, old.pk, by=ada)
    assert new is not None
    assert (refused(old, eva), spaces.join(new, eva).invitation) == (True, new)
    assert Member.objects.get(pk=member.pk).invitation == old
    assert spaces.renew_invitation(club, old.pk, by=ada) is None, "one that has ended"
    assert spaces.renew_invitation(spaces.found_club("Jindy", by=ben), new.pk, by=ben) is None


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_a_member_removed_while_joining_again_stays_out(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    for _again in range(3):
        invitation = spaces.invite(club, by=ada)
        member = spaces.join(invitation, ben)
        together(lambda one=member: spaces.remove(one), lambda one=invitation: refused(one, ben))
        assert refused(invitation, ben)
        assert role_of(ben, club) == ""
        RemovedMember.objects.all().delete()


def test_a_club_keeps_an_owner(club, ada, ben) -> None:
    spaces.found_club("Jindy", by=ben)
    first = Member.objects.get(user=ada, space=club)
    second = spaces.join(spaces.invite(club, by=ada), ben)
    for do in (lambda: spaces.leave(first), lambda: spaces.set_role(first, "secretary")):
        with pytest.raises(LastOwner):
            do()
    assert role_of(ada, club) == "owner"
    spaces.set_role(second, "owner")
    spaces.set_role(first, "secretary")
    assert (role_of(ada, club), role_of(ben, club)) == ("secretary", "owner")
    with pytest.raises(LastOwner):
        spaces.leave(second)
    spaces.leave(first)
    assert (role_of(ada, club), list(club.members.all())) == ("", [second])


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_renaming_beside_storing(ada) -> None:
    """No record is lost to a name that two make at once, and nobody is another name of another name."""
    club = spaces.found_club("Tarok", by=ada)
    stored(samples.dealt(0, players=("Eva", "X", "Y", "Z")), space=club)
    eva = Player.objects.get(name="Eva")

    def there_and_back() -> list[str]:
        for name in ("Fay", "Eva", "Guy", "Fay") * 3:
            with suppress(NameTaken):  # the others were first
                players.rename(eva, name)
        return ["stored"] * 9

    def send(first: int) -> list[str]:
        names = [("Eva", "Fay", "Guy")[n % 3] for n in range(9)]
        sent = [samples.dealt(first + n, players=(name, *"XYZ")) for n, name in enumerate(names)]
        return [outcomes(stored(text, space=club))[0] for text in sent]

    assert together(there_and_back, lambda: send(10), lambda: send(20)) == [["stored"] * 9] * 3
    settling.settle()
    assert sum(deal_counts(one for one in find_players() if one.name not in "XYZ").values()) == 19
    assert not Player.objects.filter(same_as__same_as__isnull=False).exists()


def taken(guest: Space, space: Space, by: Any) -> int:
    number = spaces.adopt(Space.objects.get(pk=guest.pk), space, by=by)
    assert not Space.objects.filter(pk=guest.pk).exists()
    return number


def test_into_an_empty_space_all_goes(ada) -> None:
    guest = spaces.guest()
    upload = stored(samples.TAROKY, samples.dealt(1, Session="S"), space=guest, visibility="unlisted")
    before = {said.pk: said.fingerprint for said in Contribution.objects.all()}
    players, latest = set(Player.objects.values_list("pk", "name")), feed.latest()
    assert taken(guest, spaces.own(ada), ada) == 2
    assert [one.kind for one in feed.changes(latest, viewer=access.viewer(ada)).entries] == ["corrected"] * 2
    upload.refresh_from_db()
    assert (upload.user, upload.space) == (ada, spaces.own(ada))
    assert set(Player.objects.values_list("pk", "name")) == players
    for model in (Player, Session, Contribution):
        assert set(model.objects.values_list("space__user", flat=True)) == {ada.pk}
    found = {(said.pk, said.visibility) for said in Contribution.objects.all()}
    assert found == {(pk, "unlisted") for pk in before}
    assert access.viewer(ada).may_change(Contribution.objects.all()[0])
    assert uploads_of(ada).get() == upload
    assert [result.outcome for result in results_of(upload)] == ["stored"] * 2


@pytest.mark.storage
def test_into_a_space_with_the_same_players_session_and_deal(ada) -> None:
    own, guest = spaces.own(ada), spaces.guest()
    stored(samples.TAROKY, samples.dealt(1, Session="S", Deal="1"), user=ada)
    upload = stored(samples.DISPUTED, samples.dealt(2, Session="S", Deal="2"), space=guest)
    of_guest = Contribution.objects.get(space=guest, deal__verdict="incomplete")
    corrections.set_visibility(of_guest, "members", by=None)
    assert taken(guest, own, ada) == 1
    history = [(one.user, one.after) for one in corrections.history(of_guest)]
    assert history == [("", "members")], "it goes along"
    assert Contribution.objects.filter(space=own).count() == Contribution.objects.count() == 3
    assert Contribution.objects.get(deal__verdict="verified").claimed["A"] == 105, "the existing claim stays"
    names = list(Player.objects.order_by("name").values_list("name", flat=True))
    assert names == ["Ada", "Alena", "Anna", "Ben", "Bořek", "Cleo", "Cyril", "Dana", "Dov"]
    owner = access.viewer(ada)
    table = sessions.session_table(Session.objects.get(name="S"), viewer=owner)
    assert [row.number for row in table.rows] == [1, 2]
    assert [player.name for player in table.players] == ["Ada", "Ben", "Cleo", "Dov"]
    assert [result.verdict for result in results_of(upload)] == ["verified", "incomplete"]


def test_what_replaced_something_still_does(ada) -> None:
    """Also where the space had the corrected deal before, or has replaced that one, too."""
    for known, verdict in enumerate(("verified", "verified", "incomplete")):
        guest, club = spaces.guest(), spaces.found_club(f"Club {known}", by=ada)
        if known:
            there = stored(samples.TAROKY, space=club)
        if known == 2:
            stored(samples.INCOMPLETE, space=club, replaces=Contribution.objects.get(part__upload=there))
        old = Contribution.objects.get(part__upload=stored(samples.ILLEGAL_BID, space=guest))
        stored(samples.TAROKY, space=guest, replaces=old)
        assert taken(guest, club, ada) == (1 if known else 2)
        old.refresh_from_db()
        assert (old.space, old.visibility) == (club, "replaced")
        assert (old.replaced_by.space, old.replaced_by.deal.verdict) == (club, verdict)


def test_what_a_sheet_replaced_is_replaced_by_the_one_that_the_space_had(ada) -> None:
    """The same holds for its places in collections."""
    guest = spaces.guest()
    stored(sheet(), user=ada)
    old = Contribution.objects.get(part__upload=stored(samples.ILLEGAL_BID, space=guest))
    new = Contribution.objects.get(part__upload=stored(sheet(61), space=guest, replaces=old))
    collection = collections.begin(ada, "Sheets")
    collections.add(collection, new.deal)
    assert taken(guest, spaces.own(ada), ada) == 1
    old.refresh_from_db()
    there = Contribution.objects.get(deal__kind="sheet")
    assert (old.visibility, old.replaced_by) == ("replaced", there)
    assert collection.entries.get().deal == there.deal


def test_a_guests_deal_is_seen_by_no_more_than_the_evening_into_which_it_comes(ada) -> None:
    own, guest = spaces.own(ada), spaces.guest()
    stored(sheet(60, 1), user=ada, visibility="unlisted")
    evening = evenings.of_sheet(Contribution.objects.get())
    Evening.objects.update(visibility="unlisted")
    for number, visibility in enumerate(("public", "unlisted", "members"), start=2):
        stored(sheet(60, number), space=guest, visibility=visibility)
    taken(guest, own, ada)
    rows = Contribution.objects.filter(session__evening=evening).order_by("number")
    assert list(rows.values_list("visibility", flat=True)) == ["unlisted"] * 3 + ["members"]


def test_a_pseudonym_that_a_guest_wrote_means_its_player(ada) -> None:
    """As in a record that is sent to the space."""
    own, guest = spaces.own(ada), spaces.guest()
    stored(samples.dealt(1, players=("Eva", "Joe", "Guy", "Hal")), user=ada)
    players.set_pseudonym(Player.objects.get(name="Eva"), "E.")
    stored(samples.dealt(2, players=("E.", "Joe", "Guy", "Hal")), space=guest)
    taken(guest, own, ada)
    assert Player.objects.count() == 4
    assert Contribution.objects.with_player(Player.objects.get(name="Eva")).count() == 2


@pytest.mark.storage
def test_players_of_several_names_stay_so(ada) -> None:
    """Ada is Eva's other name for the guest; Eva is known in the space, where she is Fay."""
    own, guest = spaces.own(ada), spaces.guest()
    for number, name, rest, how in (
        (1, "Eva", "Hal", {"user": ada}), (3, "Fay", "Hal", {"user": ada}),
        (2, "Eva", "Ian", {"space": guest}), (4, "Ada", "Ian", {"space": guest}),
    ):  # fmt: skip
        stored(samples.dealt(number, players=(name, "Joe", "Guy", rest)), **how)

    def player(name: str, space: Space) -> Player:
        return Player.objects.get(name=name, space=space)

    players.merge(player("Ada", guest), player("Eva", guest))
    players.set_pseudonym(player("Fay", own), "Mme F.")
    players.merge(player("Eva", own), player("Fay", own))
    taken(guest, own, ada)
    assert {one.name: one.head.name for one in Player.objects.all()} == {
        "Ada": "Fay", "Eva": "Fay", "Fay": "Fay", "Guy": "Guy", "Hal": "Hal", "Ian": "Ian", "Joe": "Joe",
    }  # fmt: skip
    hidden = Player.objects.filter(search_name="mme f.")
    assert {one.name for one in hidden} == {"Ada", "Eva", "Fay"}
    players.unmerge(player("Eva", own))
    assert {one.name: one.head.name for one in Player.objects.all()}["Ada"] == "Eva"
    # Also if the space knows only the name under which the guest's person is not shown.
    guest = spaces.guest()
    for number, name in enumerate(("Hal", "Kim", "Leo"), start=5):
        stored(samples.dealt(number, players=(name, "Max", "Ned", "Ole")), space=guest)
    players.merge(player("Leo", guest), player("Kim", guest))
    players.merge(player("Hal", guest), player("Kim", guest))
    taken(guest, own, ada)
    assert {player(name, own).head.name for name in ("Hal", "Kim", "Leo")} == {"Hal"}


def test_an_upload_that_still_comes_or_waits_goes_along(ada, monkeypatch) -> None:
    guest, waiting_guest = spaces.guest(), spaces.guest()
    waiting = receive(samples.dealt(1), space=waiting_guest)
    real = intake._read

    def read(part: Any) -> Any:
        found = real(part)
        taken(waiting_guest, spaces.own(ada), ada)
        return found

    monkeypatch.setattr(intake, "_read", read)
    intake.store(part_of(waiting).pk)
    monkeypatch.undo()
    assert outcomes(waiting) == ["stored"]

    def coming() -> Any:
        yield samples.many(90) + b"\n"
        assert Upload.objects.filter(space=guest).exists(), "a part of it has come"
        taken(guest, spaces.own(ada), ada)
        yield samples.many(90, first=90)

    small_parts(monkeypatch, 20_000)
    upload = uploads.receive(coming(), limit=10**9, space=guest, send=False)
    store(upload)
    assert (upload.space, upload.user) == (spaces.own(ada), ada)
    assert upload.size == len(samples.many(180))
    assert Contribution.objects.filter(space=spaces.own(ada)).count() == 180
