"""Clubs on the pages: joining, who is what, and what is taken over."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive.models import (
    Contribution,
    Deal,
    Invitation,
    Member,
    Player,
    RemovedMember,
    Session,
    Space,
    Upload,
)
from archive.storing import spaces
from tests import samples
from tests.pages.conftest import Page, Store, text_of

pytestmark = pytest.mark.django_db


def test_who_starts_a_club_is_its_owner(signed_in: Client, club: Space, alena: User) -> None:
    assert Member.objects.get(space=club).role == "owner"
    assert "Hlučín" in text_of(signed_in, f"/clubs/{club.pk}/")
    assert "My clubs Tarok Hlučín" in text_of(signed_in, "/clubs/")
    assert "All clubs Tarok Hlučín" in text_of(Client(), "/clubs/")
    assert "Members" not in text_of(Client(), f"/clubs/{club.pk}/"), "only members see the members"


def test_a_name_is_given_once(signed_in: Client, club: Space, other: Client) -> None:
    for name in ("Tarok", "TAROK", "Tárok"):
        answer = other.post("/clubs/new/", {"name": name, "visibility": "public"})
        assert answer.status_code == 400
        assert "There is already a club with this name." in answer.content.decode()
    assert Space.objects.filter(kind="club").count() == 1


NO_NAMES = ["\u200b\u2060", "\u3164", "Ta\u202erok", "\u2066Tarok", "Ta\trok"]
"""Of which nothing is to be seen, or which turn the text behind them."""


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_of_a_club(name: str, signed_in: Client) -> None:
    answer = signed_in.post("/clubs/new/", {"name": name, "visibility": "public"})
    assert answer.status_code == 400
    assert "This can’t be a name." in answer.content.decode()
    assert not Space.objects.filter(kind="club").exists()


@pytest.mark.parametrize("action", ["rename", "pseudonym"])
@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_of_a_player(
    name: str, action: str, signed_in: Client, store: Store, alena: User
) -> None:
    store(samples.ANNOTATED, user=alena)
    where = f"/players/{Player.objects.get(name='Dana').pk}/manage/"
    answer = signed_in.post(where, {"action": action, "text": name}, follow=True)
    assert "This can’t be a name." in answer.content.decode()
    assert Player.objects.get(name="Dana").display_name == "Dana"


def test_blanks_round_a_name_are_no_part_of_it(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED.replace('"Dana"', '"\u00a0Dana\u3000"'), user=alena)
    dana = Player.objects.get(name="Dana")
    for query in ("Dana", "\u00a0Dana ", "dana"):
        found = Client().get("/api/v1/deals", {"player": query}).json()["results"]
        assert [one["id"] for one in found] == [deal.pk], query
    signed_in.post(f"/players/{dana.pk}/manage/", {"action": "rename", "text": "\u2003Dana N.\u00a0"})
    assert Player.objects.get(pk=dana.pk).name == "Dana N."


def test_a_name_keeps_its_direction_to_itself(store: Store) -> None:
    """A name alone is in an element that isolates it; a title has it only if the element is such a one."""
    (deal,) = store(samples.ANNOTATED.replace('"Dana"', '"דנה"'))
    pages = ["", "audit/", "print/", "replay/", "replay/?step=63"]
    pages = [f"/deals/{deal.pk}/{page}" for page in pages] + ["/deals/", "/players/"]
    pages += [f"/sessions/{Session.objects.get().pk}/", f"/players/{Player.objects.get(name='דנה').pk}/"]
    wrong = []
    for page in pages:
        text = Client().get(page).content.decode().partition("<main")[2]
        assert re.search("<bdi[^>]*>דנה</bdi>", text), page
        assert not re.search('title="[^"]*דנה', re.sub('(<bdi[^>]*) title="דנה"', r"\1", text)), page
        # Alone in an element, it would reverse the text next to it.
        alone = re.findall(r"<(?!bdi|option|text)[a-z]+[^>]*>\s*דנה\s*<", text)
        wrong += [(page, one) for one in alone]
    assert not wrong


def test_by_an_invitation_one_becomes_a_member(
    signed_in: Client, club: Space, other: Client, borek: User
) -> None:
    signed_in.post(f"/clubs/{club.pk}/invitations/")
    link = re.search(r"http://testserver(/join/[^\"]+)", signed_in.get(f"/clubs/{club.pk}/").content.decode())
    assert link is not None
    assert Client().get(link[1])["Location"] == f"/accounts/login/?next={link[1]}"
    assert "Join Tarok" in text_of(other, link[1])
    assert not Member.objects.filter(user=borek).exists(), "looking at it joins nobody"
    assert other.post(link[1])["Location"] == f"/clubs/{club.pk}/"
    assert Member.objects.get(user=borek).role == "member"
    Invitation.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert other.get(link[1]).status_code == 404
    assert (
        signed_in.post(f"/clubs/{club.pk}/invitations/", {"end": Invitation.objects.get().pk}).status_code
        == 302
    )
    assert "until" not in text_of(signed_in, f"/clubs/{club.pk}/")


def link_of(browser: Client, club: Space) -> str:
    """The latest open link of a club, as its page shows it."""
    found = re.search(r"http://testserver(/join/[^\"]+)", browser.get(f"/clubs/{club.pk}/").content.decode())
    assert found is not None
    return found[1]


def test_a_removed_member_is_refused_until_an_owner_lets_them_in(
    signed_in: Client, club: Space, other: Client, borek: User
) -> None:
    signed_in.post(f"/clubs/{club.pk}/invitations/")
    came = link_of(signed_in, club)
    other.post(came)
    assert "link of alena" in text_of(signed_in, f"/clubs/{club.pk}/")
    assert "link of" not in text_of(other, f"/clubs/{club.pk}/"), "owners alone see it"
    member = Member.objects.get(user=borek)
    answer = signed_in.post(f"/clubs/{club.pk}/members/{member.pk}/", {"leave": "1"}, follow=True)
    assert "borek is removed" in Page(answer.content.decode()).text
    assert (other.get(came).status_code, other.post(came).status_code) == (404, 404)
    signed_in.post(f"/clubs/{club.pk}/invitations/")
    new = link_of(signed_in, club)
    for answer in (other.get(new), other.post(new)):
        assert answer.status_code == 403
        assert "An owner removed you from this club." in Page(answer.content.decode()).text
    assert not Member.objects.filter(user=borek).exists()
    removed = RemovedMember.objects.get()
    assert other.post(f"/clubs/{club.pk}/removed/{removed.pk}/").status_code == 404
    assert "Let them join again borek" in text_of(signed_in, f"/clubs/{club.pk}/")
    signed_in.post(f"/clubs/{club.pk}/removed/{removed.pk}/")
    assert other.post(new)["Location"] == f"/clubs/{club.pk}/"


def test_a_renewed_link_has_another_key(signed_in: Client, club: Space, other: Client) -> None:
    signed_in.post(f"/clubs/{club.pk}/invitations/")
    old = link_of(signed_in, club)
    number = Invitation.objects.get().pk
    other.post(f"/clubs/{club.pk}/invitations/", {"renew": number})
    assert link_of(signed_in, club) == old, "of no concern to others"
    signed_in.post(f"/clubs/{club.pk}/invitations/", {"renew": number})
    new = link_of(signed_in, club)
    assert (other.get(old).status_code, other.get(new).status_code, old == new) == (404, 200, False)


def test_a_club_keeps_an_owner(signed_in: Client, club: Space, alena: User, borek: User) -> None:
    own = Member.objects.get(user=alena, space=club)
    answer = signed_in.post(f"/clubs/{club.pk}/members/{own.pk}/", {"leave": "1"}, follow=True)
    assert "A club needs an owner" in answer.content.decode()
    member = spaces.join(spaces.invite(club, by=alena), borek)
    signed_in.post(f"/clubs/{club.pk}/members/{member.pk}/", {"role": "owner"})
    answer = signed_in.post(f"/clubs/{club.pk}/members/{own.pk}/", {"leave": "1"})
    assert answer["Location"] == "/clubs/"
    assert list(Member.objects.filter(space=club).values_list("user__username", "role")) == [
        ("borek", "owner")
    ]


def test_what_is_sent_for_a_club_is_seen_as_the_club_has_it(signed_in: Client, club: Space) -> None:
    choice = {"action": "visibility", "visibility": "members", "deals": "future"}
    signed_in.post(f"/clubs/{club.pk}/settings/", choice)
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    said = Contribution.objects.get()
    assert (said.space, said.visibility) == (club, "members")
    assert "There are no deals yet." in text_of(Client(), "/deals/")
    assert "Czech Taroky" in text_of(signed_in, "/deals/")
    assert "+105" in text_of(signed_in, f"/clubs/{club.pk}/")
    assert "There are no scored deals yet." in text_of(Client(), f"/clubs/{club.pk}/")


def test_a_club_changes_who_may_see_what_is_there(signed_in: Client, club: Space) -> None:
    """The form says how many deals it is about, and a message what was changed."""
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    settings = f"/clubs/{club.pk}/settings/"
    assert "Everybody 1 Anyone with the link 0 Members only 0" in text_of(signed_in, settings)
    choice = {"action": "visibility", "visibility": "members", "deals": "future"}
    assert "changed" not in signed_in.post(settings, choice, follow=True).content.decode()
    assert Contribution.objects.get().visibility == "public"
    signed_in.post(settings, {"action": "club", "name": "Tarok", "place": "Opava"})
    club.refresh_from_db()
    assert (club.place, club.visibility, Contribution.objects.get().visibility) == (
        "Opava",
        "members",
        "public",
    )
    answer = signed_in.post(settings, choice | {"deals": "all"}, follow=True)
    said = Page(answer.content.decode()).text
    assert "1 deal was changed. Who can see it now: Members only." in said
    assert "Everybody 0 Anyone with the link 0 Members only 1" in said
    answer = signed_in.post(settings, choice | {"deals": "all"}, follow=True)
    assert "No existing deal had to be changed" in answer.content.decode()


def test_what_is_mended_later_is_seen_as_the_club_has_it_now(signed_in: Client, club: Space) -> None:
    signed_in.post("/upload/", {"text": samples.DEALT_TWICE, "space": club.pk})
    choice = {"action": "visibility", "visibility": "members", "deals": "all"}
    signed_in.post(f"/clubs/{club.pk}/settings/", choice)
    upload = Upload.objects.get()
    edit = f"/uploads/{upload.pk}/records/1/edit/"
    assert signed_in.post(edit, {"text": samples.ANNOTATED, "action": "send"}).status_code == 302
    assert Contribution.objects.get().visibility == "members"


def test_who_may_see_the_deals_of_a_search_is_changed_at_once(
    signed_in: Client, club: Space, other: Client
) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    signed_in.post("/upload/", {"text": samples.as_text(samples.simulated("troggu", 3))})
    other.post("/upload/", {"text": samples.ANNOTATED})
    where = "/deals/visibility/?game=taroky"
    assert 'href="/deals/visibility/?game=taroky"' in signed_in.get("/deals/?game=taroky").content.decode()
    assert "/deals/visibility/" not in Client().get("/deals/").content.decode()
    assert "Everybody 1 Anyone with the link 0 Members only 0" in text_of(signed_in, where)
    answer = signed_in.post(where, {"visibility": "members"}, follow=True)
    assert "1 deal was changed. Who can see it now: Members only." in answer.content.decode()
    assert [one.visibility for one in Contribution.objects.order_by("pk")] == ["members", "public", "public"]
    assert "You can’t change any of these deals" in text_of(signed_in, "/deals/visibility/?game=strohmann")
    assert signed_in.post(where, {"visibility": "withdrawn"}).status_code == 400
    assert signed_in.get("/deals/visibility/?date_from=x").status_code == 404


def test_a_deal_of_ones_own_moves_to_the_club(signed_in: Client, club: Space, other: Client) -> None:
    spaces.set_visibility(club, "members", by=club.members.get().user, all_deals=False)
    signed_in.post("/upload/", {"text": samples.ANNOTATED})
    said = Contribution.objects.get()
    page = f"/deals/{said.deal_id}/"
    assert "Move it to a club Tarok (Members only)" in text_of(signed_in, page)
    assert "Move it to a club" not in text_of(other, page)
    assert other.post(f"{page}move/", {"club": club.pk}).status_code == 404
    assert signed_in.post(f"{page}move/", {"club": "999"}).status_code == 404
    answer = signed_in.post(f"{page}move/", {"club": club.pk}, follow=True)
    told = Page(answer.content.decode()).text
    assert "The deal now belongs to Tarok. Who can see it: Members only." in told
    assert "Club Tarok" in told
    assert "Move it to a club" not in told
    assert other.get(page).status_code == 404
    signed_in.post("/upload/", {"text": samples.ANNOTATED.replace("Dana", "Dora")})
    own = Contribution.objects.exclude(space=club).get()
    answer = signed_in.post(f"/deals/{own.key}/move/", {"club": club.pk}, follow=True)
    assert "Tarok already has this deal with other details: players." in Page(answer.content.decode()).text


def test_the_way_to_the_upload_leads_to_the_club_one_came_from(
    signed_in: Client, club: Space, other: Client
) -> None:
    second = spaces.found_club("Second", by=club.members.get().user, visibility="members")
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": second.pk})
    said = Contribution.objects.get()
    player = said.seated[0].player.pk
    way = f"/upload/?club={second.pk}"
    pages = [f"/clubs/{second.pk}/", f"/clubs/{second.pk}/settings/", f"/sessions/{said.session_id}/"]
    for page in [*pages, f"/deals/{said.deal_id}/", f"/players/{player}/"]:
        assert way in Page(signed_in.get(page).content.decode()).attributes("href"), page
    assert "/upload/" in Page(signed_in.get("/deals/").content.decode()).attributes("href")
    assert "/upload/" in Page(other.get(f"/clubs/{second.pk}/").content.decode()).attributes("href")

    def chosen(address: str) -> str:
        form = signed_in.get(address).content.decode()
        return re.sub(r"\s+", " ", re.findall(r"<option[^>]* selected>([^<]+)", form)[0])

    assert chosen("/upload/") == "Second (Members only)", "where she sent last"
    assert chosen(f"/upload/?club={club.pk}") == "Tarok (Everybody)"
    assert "My own" in signed_in.get("/upload/").content.decode()
    assert "Default setting" not in text_of(other, "/upload/"), "without a club there is no default setting"


def test_a_club_owner_sends_to_the_club_unless_he_says_otherwise(signed_in: Client, club: Space) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED})
    page = signed_in.get("/upload/").content.decode()
    assert f'<option value="{club.pk}" selected>' in page


def test_an_empty_club_is_deleted_by_its_owner(
    signed_in: Client, club: Space, other: Client, borek: User
) -> None:
    settings, own = f"/clubs/{club.pk}/settings/", Member.objects.get(space=club)
    spaces.join(spaces.invite(club, by=own.user), borek)
    assert other.post(settings, {"action": "delete"}).status_code == 404
    answer = signed_in.post(f"/clubs/{club.pk}/members/{own.pk}/", {"leave": "1"}, follow=True)
    assert "or delete the club below" in Page(answer.content.decode()).text, "he is led to where he can"
    signed_in.post("/upload/", {"text": samples.DEALT_TWICE, "space": club.pk})
    answer = signed_in.post(settings, {"action": "delete"}, follow=True)
    assert "The club Tarok is deleted." in answer.content.decode()
    assert signed_in.get(f"/clubs/{club.pk}/").status_code == 404
    assert not Space.objects.filter(kind="club").exists()


def test_a_club_with_deals_is_not_deleted(signed_in: Client, club: Space) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    Contribution.objects.update(visibility="withdrawn")
    settings = f"/clubs/{club.pk}/settings/"
    assert 'value="delete"' not in signed_in.get(settings).content.decode()
    answer = signed_in.post(settings, {"action": "delete"}, follow=True)
    assert "A club with deals can’t be deleted." in answer.content.decode()
    assert Space.objects.filter(pk=club.pk).exists()


def test_nobody_sends_for_a_club_of_others(club: Space, other: Client) -> None:
    other.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    assert not Contribution.objects.filter(space=club).exists()


def test_the_standings_of_a_season(signed_in: Client, club: Space) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    other_year = samples.as_text(samples.simulated("troggu", 3)).replace(
        "[Dealer", '[Date "2025-03-01"]\n[Dealer'
    )
    signed_in.post("/upload/", {"text": other_year, "space": club.pk})
    page = text_of(signed_in, f"/clubs/{club.pk}/")
    assert "Alena +105 1 1" in page, "the latest season by itself"
    assert (
        "Alena"
        not in text_of(signed_in, f"/clubs/{club.pk}/?season=2025")
        .partition("Sessions")[0]
        .partition("Standings")[2]
    )
    assert "Alena" in text_of(signed_in, f"/clubs/{club.pk}/?season=all")


def test_a_club_opens_with_its_last_evening(signed_in: Client, other: Client, club: Space) -> None:
    """As far as the viewer may see it."""
    for text in (samples.TAROKY, samples.SHEET):
        signed_in.post("/upload/", {"text": text, "space": club.pk})
    page = text_of(signed_in, f"/clubs/{club.pk}/")
    assert re.search(r"The last evening 2026-11-20 table 2.*1 Alena \+105", page)
    Contribution.objects.filter(date="2026-11-20").update(visibility="members")
    page = text_of(other, f"/clubs/{club.pk}/")
    assert re.search(r"The last evening June.*1 Alena \+110", page)


def test_what_was_sent_before_signing_in_is_adopted(client: Client, alena: User, borek: User) -> None:
    client.post("/upload/", {"text": samples.ANNOTATED})
    guest = Space.objects.get(kind="guest")
    assert "1 deal stored" in text_of(client, f"/uploads/{guest.uploads.get().pk}/")
    client.force_login(alena)
    assert "before you signed in" in text_of(client, "/")
    assert "1 deal was sent from this browser" in text_of(client, "/uploads/")
    assert client.post("/uploads/adopt/")["Location"] == "/uploads/"
    assert Contribution.objects.get().space == Space.objects.get(user=alena)
    assert not Space.objects.filter(kind="guest").exists()
    assert "before you signed in" not in text_of(client, "/")
    assert client.get(f"/deals/{Deal.objects.get().pk}/correct/").status_code == 200
