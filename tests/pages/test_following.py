"""Following players, sessions and clubs, and their feeds."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.access import EVERYBODY
from archive.models import Contribution, Follow, Player, Session, Space
from archive.reading import following as reading
from archive.shown import ShownDeal
from archive.storing import following, players, spaces, sums
from tests.archive.test_results import result
from tests.archive.test_sheets import played, sheet
from tests.support import samples
from tests.support.storing import stored

from .conftest import Store, missing, page_at

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


@pytest.fixture
def deal(store: Store, club: Space, alena: User) -> ShownDeal:
    """A deal of a club."""
    return store(samples.ANNOTATED, user=alena, space=club)[0]


def things(deal: ShownDeal, club: Space) -> dict[str, int]:
    return {
        "player": Player.objects.get(name="Cyril").pk,
        "session": Session.objects.get().pk,
        "club": club.pk,
    }


def press(client: Client, kind: str, pk: int, action: str = "follow") -> str:
    answer = client.post("/following/", {"kind": kind, "number": str(pk), "action": action})
    return str(answer.headers.get("Location", answer.status_code))


def test_new_deals_of_what_is_followed_are_listed_for_those_who_may_see_them(
    other: Client, alena: User, borek: User, deal: ShownDeal, club: Space
) -> None:
    here = f"/deals/{deal.pk}/"
    for kind, pk in things(deal, club).items():
        page = f"/{kind}s/{pk}/"
        assert "Stop following" not in page_at(other, page).text
        for _again in range(2):
            assert press(other, kind, pk) == page
        assert "Stop following" in page_at(other, page).text
        assert {here, page} <= set(page_at(other, "/following/").attributes("href"))
        assert "New from those you follow" in page_at(other, "/").text
        assert press(other, kind, pk, "unfollow") == page
        assert "You follow nobody yet." in page_at(other, "/following/").text
    numbers = things(deal, club)
    for kind, pk in numbers.items():
        press(other, kind, pk)
    press(other, "session", numbers["session"], "unfollow")
    assert {one.kind for one in Follow.objects.all()} == {"player", "club"}
    press(other, "session", numbers["session"])
    Contribution.objects.update(visibility="members")
    sums.settle()
    player, session, of_club = (f"/{kind}s/{pk}/" for kind, pk in numbers.items())
    hrefs = set(page_at(other, "/following/").attributes("href"))
    assert of_club in hrefs
    assert not {here, player, session} & hrefs
    assert [press(other, kind, numbers[kind]) for kind in ("player", "session")] == ["404", "404"]
    spaces.join(spaces.invite(club, by=alena), borek)
    assert {here, player, session, of_club} <= set(page_at(other, "/following/").attributes("href"))


def test_a_deal_of_another_name_of_the_player_is_listed(other: Client, deal: ShownDeal, club: Space) -> None:
    alias, head = Player.objects.get(name="Cyril"), Player(space=club, name="Cyril Novák")
    head.save()
    press(other, "player", alias.pk)
    players.merge(alias, head)
    sums.settle()
    assert f"/deals/{deal.pk}/" in page_at(other, "/following/").attributes("href")
    assert "Stop following" in page_at(other, f"/players/{head.pk}/").text
    press(other, "player", head.pk, "unfollow")
    assert not Follow.objects.exists()
    press(other, "player", head.pk)
    following.allow(alias, allowed=False)
    head.refresh_from_db()
    assert (head.can_be_followed, Follow.objects.exists()) == (False, False)


@pytest.mark.parametrize("who", ["Cyril", "Cyril Novák"])
def test_a_person_whom_nobody_could_follow_under_one_name_cannot_be_followed(
    who: str, other: Client, deal: ShownDeal, club: Space
) -> None:
    alias, head = Player.objects.get(name="Cyril"), Player.objects.create(space=club, name="Cyril Novák")
    following.follow(User.objects.get(username="borek"), "player", alias.pk)
    following.allow(Player.objects.get(name=who), allowed=False)
    players.merge(alias, head)
    assert press(other, "player", alias.pk) == "404"
    assert not Follow.objects.exists()
    # The former name, which has deals of its own, becomes the main one again.
    players.rename(head, "Cyril")
    assert (Player.objects.get(name="Cyril").same_as, press(other, "player", alias.pk)) == (None, "404")


def test_each_followed_deal_is_listed_once_as_its_club_describes_it(borek: User, club: Space) -> None:
    stored(played(3).replace("Alena", "Zora"))  # by a guest, with another name
    stored(sheet(60, 1), played(2, seed=2), played(3), space=club)
    for one in club.players.all():
        following.follow(borek, "player", one.pk)
    follows = Follow.objects.filter(user=borek)
    assert len(follows) == 4
    names = [[seat.display_name for seat in deal.seats] for deal in reading.latest(follows, EVERYBODY, 3)]
    assert names == [["Alena", "Bob", "Cyril", "Dana"]] * 3
    many = "".join(f'result {n - 4} "Player {n}"\n' for n in range(1, 8))
    stored(*(result(many, number) for number in (11, 12, 13)), space=club)
    for one in club.players.filter(name__startswith="Player"):
        following.follow(borek, "player", one.pk)
    assert [len(deal.seats) for deal in reading.latest(follows.all(), EVERYBODY, 4)] == [7, 7, 7, 4]


def test_only_players_sessions_and_clubs_up_to_the_limit_can_be_followed(
    signed_in: Client, other: Client, deal: ShownDeal, club: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, number in (("deal", "1"), ("player", "999999"), ("club", "x")):
        answer = other.post("/following/", {"kind": kind, "number": number, "action": "follow"})
        assert answer.status_code == 404, kind
    monkeypatch.setattr(following, "MOST", 1)
    numbers = things(deal, club)
    press(other, "club", numbers["club"])
    press(other, "player", numbers["player"])
    press(signed_in, "club", numbers["club"])
    assert [one.kind for one in Follow.objects.all()] == ["club", "club"]
    press(signed_in, "club", numbers["club"], "unfollow")
    assert [one.kind for one in Follow.objects.all()] == ["club"]
    assert "That’s the limit." in page_at(other, "/following/").text


def test_a_person_can_forbid_that_others_follow(
    signed_in: Client, other: Client, alena: User, borek: User, deal: ShownDeal, club: Space
) -> None:
    pk = Player.objects.get(name="Cyril").pk
    press(other, "player", pk)
    assert other.post(f"/players/{pk}/manage/", {"action": "not-followed"}).status_code == 404
    spaces.join(spaces.invite(club, by=alena), borek)
    assert other.post(f"/players/{pk}/manage/", {"action": "not-followed"}).status_code == 404
    # Bořek is Cyril, so he decides.
    other.post(f"/players/{pk}/manage/", {"action": "me"})
    # His name in the records is the secretaries' matter, and that for the public his own.
    rename = other.post(f"/players/{pk}/manage/", {"action": "rename", "text": "Bořek"})
    other.post(f"/players/{pk}/manage/", {"action": "pseudonym", "text": "Mr X"})
    cyril = Player.objects.get(pk=pk)
    assert (rename.status_code, cyril.name, cyril.pseudonym) == (404, "Cyril", "Mr X")
    other.post(f"/players/{pk}/manage/", {"action": "not-followed"})
    assert not Follow.objects.exists()
    assert press(signed_in, "player", pk) == "404"
    assert signed_in.get(f"/players/{pk}/feed.xml").status_code == 404
    assert "/feed.xml" not in signed_in.get(f"/players/{pk}/").text
    other.post(f"/players/{pk}/manage/", {"action": "followed"})
    assert press(signed_in, "player", pk) == f"/players/{pk}/"


def test_a_feed_has_the_public_deals(client: Client, deal: ShownDeal, club: Space) -> None:
    numbers = things(deal, club)
    Player.objects.filter(pk=numbers["player"]).update(pseudonym="C. & Co")
    for kind, title in (("player", "C. &amp; Co"), ("session", "2026-11-20 table 2"), ("club", club.name)):
        address = f"/{kind}s/{numbers[kind]}/feed.xml"
        answer = client.get(address)
        assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
        told = f"<title>{title}</title>", "Czech Taroky", f"http://testserver/deals/{deal.pk}/", "Alena +105"
        assert missing(answer.text, *told) == [], kind
        assert "Cyril" not in answer.text
    Contribution.objects.update(visibility="unlisted")
    assert f"/deals/{deal.pk}/" not in client.get(f"/clubs/{club.pk}/feed.xml").text


def test_a_feed_lists_the_deals_stored_last_first(client: Client, club: Space, alena: User) -> None:
    for first in (0, 20):
        stored(samples.many(20, first=first), user=alena, space=club)
    found = client.get(f"/clubs/{club.pk}/feed.xml").text
    numbers = [int(part.partition("/")[0]) for part in found.split("testserver/deals/")[1:]]
    unique = list(dict.fromkeys(numbers))
    assert len(unique) == 30
    assert unique == sorted(unique, reverse=True)
