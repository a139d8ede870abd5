"""Permissions: each viewer and each visibility; links, and manipulated links."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core import signing

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.models import CHOSEN, Contribution, Deal, Evening, Member, Player, Session, Space, Upload
from archive.reading import deals, players, sessions, statistics
from archive.shown import ShownDeal
from archive.shown import shown as shown_by
from archive.storing import feed, spaces
from tests.support import samples, settling
from tests.support.storing import deal_of, stored

pytestmark = pytest.mark.django_db

COLUMNS = ("public", "unlisted", "members", "withdrawn")
COLUMNS += tuple(f"replaced {before}" for before in ("public", "unlisted", "members", "unknown"))
COLUMNS += ("replaced public by what is withdrawn", "replaced unlisted by what is for members")
COLUMNS += ("covered public", "replaced unlisted by what is unlisted")

TABLE = {
    # L: listed, R: readable at its address, C: may change it
    "anonymous":       ("LR", "", "", "", "R", "", "", "", "", "", "R", ""),
    "browser":         ("LR", "", "", "", "R", "", "", "", "", "", "R", ""),
    "stranger":        ("LR", "", "", "", "R", "", "", "", "", "", "R", ""),
    "with the link":   ("LR", "R", "", "", "R", "R", "", "", "", "", "R", "R"),
    "with the table":  ("LR", "R", "", "", "R", "R", "", "", "", "", "R", "R"),
    "operator":        ("LRC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC"),
    "member":          ("LR", "LR", "LR", "", "R", "R", "R", "", "", "R", "R", "R"),
    "sender":          ("LRC", "LRC", "LRC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC"),
    "secretary":       ("LRC", "LRC", "LRC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC"),
    "owner":           ("LRC", "LRC", "LRC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC", "RC"),
    "sender who left": ("LR", "", "", "", "R", "", "", "", "", "", "R", ""),
}  # fmt: skip


@pytest.fixture
def people(django_user_model: Any) -> dict[str, Any]:
    names = ("owner", "secretary", "sender", "member", "stranger", "sender who left")
    return {name: django_user_model.objects.create_user(name.replace(" ", "-")) for name in names}


def viewer_of(who: str, people: dict[str, Any], found: dict[str, Contribution]) -> Viewer:
    """The viewer of a line of the table. The member who left is the sender, who leaves now."""
    if who == "sender who left":
        spaces.leave(Member.objects.get(user=people[who]))
        spaces.own(people[who])
    special = {
        "anonymous": lambda: access.viewer(AnonymousUser()),
        "browser": lambda: access.viewer(AnonymousUser(), guest=spaces.guest().pk),
        "operator": lambda: Viewer(people["stranger"].pk, operator=True),
        "with the link": lambda: Viewer(links=opened(*found.values())),
        "with the table": lambda: Viewer(links=opened(Session.objects.get())),
    }
    return special.get(who, lambda: access.viewer(people[who]))()


@pytest.fixture
def club(people) -> Space:
    club = spaces.found_club("Tarok Hlučín", by=people["owner"])
    for name in ("secretary", "sender", "member", "sender who left"):
        spaces.join(spaces.invite(club, by=people["owner"]), people[name])
    spaces.set_role(Member.objects.get(space=club, user=people["secretary"]), "secretary")
    return club


def sent_to(club: Space, user: Any) -> dict[str, Contribution]:
    """A contribution of each column of the table, sent by this user."""
    replaced = [column for column in COLUMNS if column.startswith(("replaced", "covered"))]
    texts = [samples.dealt(n, Session="Table") for n in range(len(COLUMNS))]
    upload = stored(*texts, *(samples.dealt(n + 50) for n in range(len(replaced))), user=user, space=club)
    said = list(Contribution.objects.filter(part__upload=upload).order_by("n"))
    found = dict(zip(COLUMNS, said, strict=False))
    for column, later in zip(replaced, said[len(COLUMNS) :], strict=True):
        before = column.split()[1]
        later.visibility = column.split()[-1] if " by " in column else "public"
        later.save()
        found[column].replaced_by = later
        found[column].covered_visibility = None if before == "unknown" else before
    found["withdrawn"].replaced_by, found["withdrawn"].covered_visibility = found["public"], "public"
    for column, one in found.items():
        one.visibility = column.partition(" ")[0]
        one.save()
    return found


def as_seen(viewer: Viewer, *said: Contribution) -> tuple[str, ...]:
    listed = set(access.listed(viewer).values_list("pk", flat=True))
    readable = set(access.readable(viewer).values_list("pk", flat=True))
    return tuple(
        "L" * (one.pk in listed) + "R" * (one.pk in readable) + "C" * viewer.may_change(one) for one in said
    )


LEFT = "sender who left"
SENDERS = {"sender": [who for who in TABLE if who != LEFT], LEFT: [LEFT]}
"""Each sender of the contributions, with the lines of the table that these are checked against."""


@pytest.mark.parametrize("sender", SENDERS)
def test_who_sees_and_changes_what(sender: str, people, club) -> None:
    found = sent_to(club, people[sender])
    for who in SENDERS[sender]:
        viewer = viewer_of(who, people, found)
        assert as_seen(viewer, *found.values()) == TABLE[who], who
        rights_to = zip(found.values(), TABLE[who], strict=True)
        in_bulk = {said for said, rights in rights_to if rights == "LRC" and not viewer.operator}
        assert in_bulk == {*access.changeable(viewer)} & {*found.values()}, who
        for said, rights in zip(found.values(), TABLE[who], strict=True):
            if "R" in rights:
                assert deals.get_deal(said.deal_id, viewer).contribution == said
            else:
                with pytest.raises(Deal.DoesNotExist):
                    deals.get_deal(said.deal_id, viewer)


# The first three columns, and the records in the place of those that are replaced or covered: five public
# ones, one for members, one unlisted.
@pytest.mark.parametrize(("visibility", "number"), [("public", 4), ("unlisted", 8), ("members", 8)])
def test_a_club_changes_all_its_deals(visibility: str, number: int, people, club) -> None:
    found = sent_to(club, people["sender"])
    latest = feed.latest()
    changed = spaces.set_visibility(club, visibility, by=people["owner"], all_deals=True)
    settling.settle()
    feed_of_owner = feed.changes(latest, viewer=access.viewer(people["owner"])).entries
    assert changed == len(feed_of_owner) == number
    for column, said in found.items():
        before = column.partition(" ")[0]
        said.refresh_from_db()
        assert said.visibility == (visibility if before in CHOSEN else before), column
    lists = access.listed().filter(space=club), sessions.find_sessions(), players.find_players()
    for found_there in (*map(bool, lists), bool(statistics.count_archive().deals)):
        assert found_there == (visibility == "public")


def opened(*things: Contribution | Session) -> frozenset[str]:
    return frozenset(access.opened_by(access.link_to(thing)) for thing in things)


def test_what_a_browser_sent_is_its_own_and_nobody_is_no_sender(people, club) -> None:
    guest, other = spaces.guest(), spaces.guest()
    said = deal_of(samples.dealt(1), space=guest, visibility="members").contribution
    assert as_seen(access.viewer(AnonymousUser(), guest=guest.pk), said) == ("LRC",)
    stranger = people["stranger"]
    signed_in = access.viewer(stranger, guest=guest.pk)  # they have their own
    for viewer in (EVERYBODY, Viewer(roles={other.pk: "owner"}), access.viewer(stranger), signed_in):
        assert as_seen(viewer, said) == ("",)
    # A member who is not known by a number is not the sender whose account is gone.
    said = deal_of(samples.dealt(2), user=people["sender"], space=club).contribution
    people["sender"].delete()
    said = Contribution.objects.get(pk=said.pk)
    assert said.sender is None
    said.visibility = "withdrawn"
    said.save()
    assert as_seen(Viewer(user=None, roles={club.pk: "member"}), said) == ("",)


def test_roles_may_do_what_those_before_them_may() -> None:
    every = ("member", "secretary", "owner")
    for number, role in enumerate(every, start=1):
        viewer = Viewer(1, roles={7: role})
        assert [one for one in every if viewer.is_at_least(one, Space(pk=7))] == list(every[:number])
        assert [one for one in every if viewer.spaces(one) == [7]] == list(every[:number])
        assert not viewer.is_at_least("member", 8)


def test_who_sees_an_upload_and_a_record_as_they_were_sent() -> None:
    upload, said = Upload(user_id=7, space_id=1), Contribution(space_id=1)
    for viewer, rights in (
        (Viewer(7), "U"),
        (Viewer(8), ""),
        (EVERYBODY, ""),
        (Viewer(8, operator=True), "UO"),
        (Viewer(8, roles={1: "secretary"}), "UO"),
        (Viewer(8, roles={1: "member"}), "O"),
        (Viewer(8, roles={2: "owner"}), ""),
    ):
        found = "U" * viewer.may_see_upload(upload) + "O" * viewer.may_see_original(said)
        assert found == rights, viewer
    assert not EVERYBODY.may_see_upload(Upload(space_id=1)), "whose account is gone"


def test_a_club_gets_what_its_owner_has_alone_and_what_is_neither_withdrawn_nor_replaced() -> None:
    for kind, visibility, role, may in (
        ("own", "members", "owner", True),
        ("own", "members", "secretary", False),
        ("own", "withdrawn", "owner", False),
        ("club", "members", "owner", False),
        ("guest", "members", "owner", False),
    ):
        said = Contribution(space=Space(pk=1, kind=kind), visibility=visibility)
        assert Viewer(7, roles={1: role}).may_move(said) == may


def test_a_friend_is_at_the_table_of_the_evening_that_they_joined() -> None:
    evening, before = (Evening(join_key=key, session=Session(space_id=1)) for key in ("key", ""))
    friend, member = (
        Viewer(joined={"key": "Ota", "": "Ota"}),
        Viewer(roles={1: "member"}, joined={"key": "Ota"}),
    )
    assert [one.friend_at(evening) for one in (friend, member, EVERYBODY)] == ["Ota", "", ""]
    assert friend.friend_at(before) == ""
    assert [one.at_table(evening).roles for one in (friend, EVERYBODY)] == [{1: "member"}, {}]


def test_a_viewer_costs_one_query(people, club, django_assert_num_queries) -> None:
    user, own = people["secretary"], Player.objects.create(space=club, name="Eva")
    Member.objects.filter(user=user).update(player=own)
    with django_assert_num_queries(1):
        viewer = access.viewer(user, links=["deal-7"], joined={"key": "Ota"})
    roles, links = {club.pk: "secretary"}, frozenset(["deal-7"])
    assert viewer == Viewer(user.pk, False, roles, links, frozenset([own.pk]), {"key": "Ota"})
    assert not access.viewer(User(is_superuser=True)).operator
    assert access.viewer(User(is_staff=True)).operator
    with django_assert_num_queries(0):
        guest = access.viewer(AnonymousUser(), guest=7, links=["deal-7"])
        assert guest == Viewer(roles={7: "owner"}, links=links)
        assert access.viewer(AnonymousUser(), joined={"key": "Ota"}).joined == {"key": "Ota"}


def test_a_bent_link_opens_nothing(people, club) -> None:
    said = sent_to(club, people["sender"])["unlisted"]
    word, number = access.link_to(said), str(said.pk)
    assert access.opened_by(word) == f"deal-{number}"
    bent = [
        word.replace(number, str(said.pk + 1), 1), word.replace("deal-", "session-", 1), word + "a",
        word[:-1] + ("a" if word[-1] != "a" else "b"), f"deal-{number}", f"deal-{number}:", "", "\0",
        access.link_to(Session.objects.get()).replace("session", "deal"),
        # Signed for something else:
        signing.Signer().sign("deal-1"), signing.Signer(salt="other").sign("deal-1"),
    ]  # fmt: skip
    assert [access.opened_by(one) for one in bent] == [None] * len(bent)


def test_the_link_to_a_table_opens_what_is_unlisted_in_it_and_no_more(people, club) -> None:
    sent_to(club, people["sender"])
    elsewhere = deal_of(samples.dealt(30, Session="Other"), space=club, visibility="unlisted").contribution
    session = Session.objects.get(name="Table")
    viewer = Viewer(links=opened(session))
    member_with_link = access.viewer(people["member"], links=opened(session))
    assert as_seen(viewer, elsewhere) == ("",)
    keys = [row.key.deal for row in sessions.session_table(session, viewer=viewer).rows]
    said = Contribution.objects.filter(deal__in=keys, session=session).order_by("deal_id")
    assert [one.visibility for one in said] == ["public", "unlisted"]
    assert len(sessions.session_table(session).rows) == 1
    # Whoever may read records that were withdrawn or replaced does not see them in the table either.
    for other in (Viewer(operator=True), access.viewer(people["owner"]), member_with_link):
        seen = access.in_session(session.pk, other).order_by("pk")
        assert [one.visibility for one in seen] == ["public", "unlisted", "members"]
    settling.settle()
    counts = [one.deal_count for one in sessions.find_sessions(viewer)]
    assert counts == [1], "in lists nothing unlisted counts"
    # A session of unlisted deals alone is there for those with its own link.
    own = Viewer(links=opened(elsewhere.session))
    assert sessions.get_session(elsewhere.session_id, own) == elsewhere.session
    for other in (EVERYBODY, viewer):
        with pytest.raises(Session.DoesNotExist):
            sessions.get_session(elsewhere.session_id, other)


def test_only_what_access_selected_shows_a_deal(people, club) -> None:
    hidden = deal_of(samples.dealt(1), space=club, visibility="members").contribution
    of_others = Contribution.objects.select_related("deal").get()
    for show in (lambda: shown_by(of_others), lambda: ShownDeal(of_others.deal, of_others)):
        with pytest.raises(TypeError, match="access"):
            show()
    assert not access.listed().exists()
    (seen,) = access.with_readable(Contribution.objects.select_related("deal"), EVERYBODY)
    with pytest.raises(TypeError, match="access"):
        shown_by(seen)
    member = access.viewer(people["member"])
    for query in (access.listed(member), access.readable(member), access.sent_to(club.pk)):
        assert shown_by(query.get()).contribution == hidden
    assert not {"players", "record", "key", "score"}.intersection(dir(Deal)), "a deal itself has no names"


def test_a_viewers_own_spaces_come_first_then_what_is_listed(people, club) -> None:
    first = deal_of(samples.dealt(1)).contribution
    second = stored(samples.dealt(1, Event="theirs"), space=club, user=people["sender"])
    own = Contribution.objects.get(part__upload=second)
    assert deals.get_deal(first.deal_id).contribution == first
    assert deals.get_deal(first.deal_id, access.viewer(people["member"])).contribution == own
    own.visibility = "withdrawn"
    own.save()
    assert deals.get_deal(first.deal_id, access.viewer(people["owner"])).contribution == first
    assert deals.get_deal(Key(first.deal_id, own.pk), access.viewer(people["owner"])).contribution == own
    with pytest.raises(Deal.DoesNotExist):
        deals.get_deal(Key(first.deal_id, own.pk))
    # Guests' contributions come last, also if they were stored first.
    of_guest = deal_of(samples.dealt(2), space=spaces.guest())
    stored(samples.dealt(2), user=people["stranger"])
    assert deals.get_deal(of_guest.pk).contribution.sender == people["stranger"]
