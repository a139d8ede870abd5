"""Clubs on the pages: joining, who is what, and what is taken over."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from itertools import product

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
from archive.storing import corrections, spaces
from tarock.notation import read_one
from tests.pages.conftest import Page, Store, missing, page_at, page_of, text_of
from tests.pages.evenings import Phone, first_duty
from tests.support import samples
from tests.support.storing import stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def test_who_starts_a_club_is_its_owner(signed_in: Client, club: Space, alena: User) -> None:
    assert Member.objects.get(space=club).role == "owner"
    assert "Hlučín" in text_of(signed_in, f"/clubs/{club.pk}/")
    assert "My clubs Tarok Hlučín" in text_of(signed_in, "/clubs/")
    assert "All clubs Tarok Hlučín" in text_of(Client(), "/clubs/")
    assert "Members" not in text_of(Client(), f"/clubs/{club.pk}/"), "only members see the members"
    signed_in.post("/upload/", {"text": samples.ANNOTATED})
    assert f'<option value="{club.pk}" selected>' in signed_in.get("/upload/").text, "she sends to the club"


NO_NAMES = ["\u200b\u2060", "\u3164", "Ta\u202erok", "\u2066Tarok", "Ta\trok"]
"""Of which nothing is to be seen, or which turn the text behind them."""


def test_what_is_no_name_of_a_club(club: Space, other: Client) -> None:
    """Nor is the name of another one."""
    taken = dict.fromkeys(("Tarok", "TAROK", "Tárok"), "There is already a club with this name.")
    for name, why in (dict.fromkeys(NO_NAMES, "This can’t be used as a name.") | taken).items():
        answer = other.post("/clubs/new/", {"name": name, "visibility": "public"})
        assert why in page_of(answer, 400).text, repr(name)
    assert Space.objects.filter(kind="club").count() == 1


def test_what_is_no_players_name(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    where = f"/players/{Player.objects.get(name='Dana').pk}/manage/"
    for action, name in product(("rename", "pseudonym"), (*NO_NAMES, "?", "N.N.", "Unknown")):
        signed_in.post(where, {"action": action, "text": name})
        assert Player.objects.filter(name="Dana", pseudonym="").exists(), (action, name)
    answer = signed_in.post(where, {"action": "rename", "text": NO_NAMES[0]}, follow=True)
    assert "This can’t be used as a name." in answer.text
    signed_in.post(where, {"action": "rename", "text": "\u2003Dana N.\u00a0"})
    assert Player.objects.filter(name="Dana N.").exists(), "blanks round a name are no part of it"


def test_a_name_keeps_its_direction_to_itself(store: Store) -> None:
    """A name alone is in an element that isolates it; a title has it only if the element is such a one."""
    (deal,) = store(samples.ANNOTATED.replace('"Dana"', '"דנה"'))
    own = ("", "audit/", "print/", "replay/", "replay/?step=63")
    pages = [*(f"/deals/{deal.pk}/{page}" for page in own), "/deals/", "/players/"]
    pages += [f"/sessions/{Session.objects.get().pk}/", f"/players/{Player.objects.get(name='דנה').pk}/"]
    for page in pages:
        text = Client().get(page).text.partition("<main")[2]
        assert re.search("<bdi[^>]*>דנה</bdi>", text), page
        assert not re.search('title="[^"]*דנה', re.sub('(<bdi[^>]*) title="דנה"', r"\1", text)), page
        # Alone in an element, it would reverse the text next to it.
        assert not re.findall(r"<(?!bdi|option|text)[a-z]+[^>]*>\s*דנה\s*<", text), page


def invited(browser: Client, club: Space) -> str:
    """Have the owner of a club make a link to join it; the latest open one, as its page shows it."""
    browser.post(f"/clubs/{club.pk}/invitations/")
    return link_of(browser, club)


def link_of(browser: Client, club: Space) -> str:
    found = re.search(r"http://testserver(/join/[^\"]+)", browser.get(f"/clubs/{club.pk}/").text)
    assert found is not None
    return found[1]


def test_an_invitation_makes_a_member(signed_in: Client, club: Space, other: Client, borek: User) -> None:
    link, here = invited(signed_in, club), f"/clubs/{club.pk}/invitations/"
    assert Client().get(link)["Location"] == f"/accounts/login/?next={link}"
    assert "Join Tarok" in text_of(other, link)
    assert not Member.objects.filter(user=borek).exists(), "looking at it joins nobody"
    assert other.post(link)["Location"] == f"/clubs/{club.pk}/"
    assert Member.objects.get(user=borek).role == "member"
    number = Invitation.objects.get().pk
    for role, sees in (("member", False), ("secretary", True), ("member", False)):
        Member.objects.filter(user=borek).update(role=role)
        assert (link in other.get(f"/clubs/{club.pk}/").text) == sees, role
    other.post(here, {"renew": number})
    assert link_of(signed_in, club) == link, "of no concern to members"
    signed_in.post(here, {"renew": number})
    new = link_of(signed_in, club)
    assert (other.get(link).status_code, other.get(new).status_code, link == new) == (404, 200, False)
    Invitation.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert other.get(new).status_code == 404
    assert signed_in.post(here, {"end": Invitation.objects.latest("pk").pk}).status_code == 302
    assert "until" not in text_of(signed_in, f"/clubs/{club.pk}/")


def test_a_removed_member_needs_an_owner(signed_in: Client, club: Space, other: Client, borek: User) -> None:
    here, came = f"/clubs/{club.pk}/", invited(signed_in, club)
    other.post(came)
    assert "link created by alena" in text_of(signed_in, here)
    assert "link created" not in text_of(other, here), "owners alone see it"
    member = Member.objects.get(user=borek)
    answer = signed_in.post(f"{here}members/{member.pk}/", {"leave": "1"}, follow=True)
    assert "borek has been removed" in Page(answer.text).text
    assert (other.get(came).status_code, other.post(came).status_code) == (404, 404)
    new = invited(signed_in, club)
    for answer in (other.get(new), other.post(new)):
        assert "An owner removed you from this club." in page_of(answer, 403).text
    assert not Member.objects.filter(space=club, user=borek).exists()
    readmit = f"{here}removed/{RemovedMember.objects.get().pk}/"
    assert other.post(readmit).status_code == 404
    assert "Let them join again borek" in text_of(signed_in, here)
    # The owner of another club changes nothing here.
    theirs = spaces.found_club("Other", by=borek)
    of_alena = club.members.get().pk
    assert other.post(f"/clubs/{theirs.pk}/members/{of_alena}/", {"leave": "1"}).status_code == 404
    other.post(f"/clubs/{theirs.pk}/removed/{RemovedMember.objects.get().pk}/")
    other.post(f"/clubs/{theirs.pk}/invitations/", {"end": Invitation.objects.latest("pk").pk})
    assert other.get(new).status_code == 403
    signed_in.post(readmit)
    assert other.post(new)["Location"] == here
    RemovedMember.objects.create(space=club, user=User.objects.create_user("eva"))
    for role, sees in (("member", False), ("secretary", False), ("owner", True), ("member", False)):
        Member.objects.filter(space=club, user=borek).update(role=role)
        assert ("Let them join again eva" in text_of(other, here)) == sees, role
    leave = f"{here}members/{Member.objects.get(space=club, user=borek).pk}/"
    assert other.post(leave, {"leave": "1"})["Location"] == "/clubs/"
    assert [one.role for one in club.members.all()] == ["owner"]


def test_a_member_is_offered_what_they_may_change_of_a_player(
    club: Space, other: Client, borek: User, alena: User
) -> None:
    stored(samples.ANNOTATED, user=alena, space=club)
    player, member = Player.objects.get(name="Cyril"), Member.objects.create(space=club, user=borek)
    own, full = {"me", "pseudonym"}, {"me", "pseudonym", "rename", "merge"}
    for role, is_me, offered in (
        ("member", False, {"me"}), ("member", True, own), ("secretary", False, full), ("owner", False, full),
    ):  # fmt: skip
        Member.objects.filter(pk=member.pk).update(role=role, player=player if is_me else None)
        buttons = [attrs for tag, attrs in page_at(other, f"/players/{player.pk}/").tags if tag == "button"]
        found = {attrs.get("value") for attrs in buttons if attrs.get("name") == "action"} & full
        assert found == offered, (role, is_me)


def test_what_a_member_without_an_office_is_shown(
    signed_in: Client, club: Space, other: Client, borek: User, alena: User
) -> None:
    """Of an evening its stake and the link to share it; what was written before a correction; the way to
    mend a record that was sent, to send one, and to start an evening."""
    phone = Phone(signed_in)
    phone.start(space=club.pk, stake="0.50", currency="Kč", visibility="unlisted")
    phone.enter(1, first_duty())
    upload = stored(samples.ILLEGAL, user=borek, space=club)
    corrected = Contribution.objects.get(part__upload=upload)
    record = read_one(samples.ILLEGAL)
    corrections.correct(corrected, replace(record, players=record.players | {"A": "Žofie"}), by=alena)
    Member.objects.create(space=club, user=borek)
    page = page_at(other, f"/sessions/{phone.state()['session']}/")
    assert "0.50" in page.attributes("value")
    assert any("/shared/" in value for value in page.attributes("value"))
    assert f"/upload/?club={club.pk}" in page.attributes("href")
    changes = other.get(f"/deals/{corrected.deal_id}/").text
    assert re.search("<del>[^<]*Alena[^<]*</del> <ins>[^<]*Žofie", changes)
    assert any(
        link.endswith("/edit/") for link in page_at(other, f"/uploads/{upload.pk}/").attributes("href")
    )
    assert club.pk in [space["id"] for space in other.get("/evenings/start.json").json()["spaces"]]


def test_a_club_changes_who_may_see_what_is_there(signed_in: Client, club: Space) -> None:
    """The form says how many deals it is about, and a message what was changed."""
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    said, where = Contribution.objects.get(), f"/clubs/{club.pk}/settings/"
    assert said.visibility == "public"
    assert "Everybody 1 Anyone with the link 0 Members only 0" in text_of(signed_in, where)
    choice = {"action": "visibility", "visibility": "members", "deals": "future"}
    assert "changed" not in signed_in.post(where, choice, follow=True).text
    signed_in.post(where, {"action": "club", "name": "Tarok", "place": "Opava"})
    for one in (club, said):
        one.refresh_from_db()
    assert (club.place, club.visibility, said.visibility) == ("Opava", "members", "public")
    text = Page(signed_in.post(where, choice | {"deals": "all"}, follow=True).text).text
    counts = "Everybody 0 Anyone with the link 0 Members only 1"
    assert missing(text, "1 deal was changed. Who can see it now: Members only.", counts) == []
    answer = signed_in.post(where, choice | {"deals": "all"}, follow=True)
    assert "No existing deals had to be changed" in answer.text
    # Only members see deals, also those that are sent from now on.
    signed_in.post("/upload/", {"text": samples.TROGGU, "space": club.pk})
    assert Contribution.objects.latest("pk").visibility == "members"
    assert "There are no deals yet." in text_of(Client(), "/deals/")
    assert "There are no scored deals yet." in text_of(Client(), f"/clubs/{club.pk}/")
    assert "Czech Taroky" in text_of(signed_in, "/deals/")
    assert "+105" in text_of(signed_in, f"/clubs/{club.pk}/")


def test_what_is_mended_later_is_seen_as_the_club_has_it_now(signed_in: Client, club: Space) -> None:
    signed_in.post("/upload/", {"text": samples.DEALT_TWICE, "space": club.pk})
    spaces.set_visibility(club, "members", by=club.members.get().user, all_deals=True)
    edit = f"/uploads/{Upload.objects.get().pk}/records/1/edit/"
    assert signed_in.post(edit, {"text": samples.ANNOTATED, "action": "send"}).status_code == 302
    assert Contribution.objects.get().visibility == "members"


def test_the_deals_of_a_search_are_shown_or_hidden_at_once(
    signed_in: Client, club: Space, other: Client
) -> None:
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    signed_in.post("/upload/", {"text": samples.TROGGU})
    other.post("/upload/", {"text": samples.ANNOTATED})
    where = "/deals/visibility/?game=taroky"
    assert f'href="{where}"' in signed_in.get("/deals/?game=taroky").text
    assert "/deals/visibility/" not in Client().get("/deals/").text
    assert "Everybody 1 Anyone with the link 0 Members only 0" in text_of(signed_in, where)
    answer = signed_in.post(where, {"visibility": "members"}, follow=True)
    assert "1 deal was changed. Who can see it now: Members only." in answer.text
    assert [one.visibility for one in Contribution.objects.order_by("pk")] == ["members", "public", "public"]
    assert "You can’t change any of these deals" in text_of(signed_in, "/deals/visibility/?game=strohmann")
    assert signed_in.post(where, {"visibility": "withdrawn"}).status_code == 400
    assert signed_in.get("/deals/visibility/?date_from=x").status_code == 404


def test_a_deal_of_ones_own_moves_to_the_club(
    signed_in: Client, club: Space, other: Client, alena: User, borek: User
) -> None:
    spaces.set_visibility(club, "members", by=club.members.get().user, all_deals=False)
    signed_in.post("/upload/", {"text": samples.ANNOTATED})
    said = Contribution.objects.get()
    page = f"/deals/{said.deal_id}/"
    assert "Move it to a club Tarok (Members only)" in text_of(signed_in, page)
    assert "Move it to a club" not in text_of(other, page)
    assert other.post(f"{page}move/", {"club": club.pk}).status_code == 404
    theirs, second = (spaces.found_club(user.username, by=user) for user in (borek, alena))
    for number in ("999", theirs.pk):
        assert signed_in.post(f"{page}move/", {"club": number}).status_code == 404
    answer = signed_in.post(f"{page}move/", {"club": club.pk}, follow=True)
    told = Page(answer.text).text
    assert missing(told, "The deal now belongs to Tarok. Who can see it: Members only.", "Club Tarok") == []
    assert "Move it to a club" not in told
    assert other.get(page).status_code == 404
    # It stays there, whatever becomes of the upload that it came from.
    assert signed_in.post(f"{page}move/", {"club": second.pk}).status_code == 404
    signed_in.post(f"/uploads/{Upload.objects.get().pk}/withdraw/")
    assert (Contribution.objects.get().space, Contribution.objects.get().visibility) == (club, "members")
    signed_in.post("/upload/", {"text": samples.ANNOTATED.replace("Dana", "Dora")})
    own = Contribution.objects.exclude(space=club).get()
    answer = signed_in.post(f"/deals/{own.key}/move/", {"club": club.pk}, follow=True)
    assert "Tarok already has this deal with different details: players." in Page(answer.text).text


def test_the_upload_is_for_the_club_that_one_came_from(signed_in: Client, club: Space, other: Client) -> None:
    second = spaces.found_club("Second", by=club.members.get().user, visibility="members")
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": second.pk})
    said = Contribution.objects.get()
    player = said.seated[0].player.pk
    way = f"/upload/?club={second.pk}"
    pages = [f"/clubs/{second.pk}/", f"/clubs/{second.pk}/settings/", f"/sessions/{said.session_id}/"]
    for page in [*pages, f"/deals/{said.deal_id}/", f"/players/{player}/"]:
        assert way in page_at(signed_in, page).attributes("href"), page
    assert "/upload/" in page_at(signed_in, "/deals/").attributes("href")
    assert "/upload/" in page_at(other, f"/clubs/{second.pk}/").attributes("href")

    def chosen(address: str) -> str:
        form = signed_in.get(address).text
        return re.sub(r"\s+", " ", re.findall(r"<option[^>]* selected>([^<]+)", form)[0])

    assert chosen("/upload/") == "Second (Members only)", "where she sent last"
    assert chosen(f"/upload/?club={club.pk}") == "Tarok (Everybody)"
    assert "My own" in signed_in.get("/upload/").text
    assert "Default setting" not in text_of(other, "/upload/"), "without a club there is no default setting"


def test_an_owner_deletes_an_empty_club(signed_in: Client, club: Space, other: Client, borek: User) -> None:
    settings, own = f"/clubs/{club.pk}/settings/", Member.objects.get(space=club)
    spaces.join(spaces.invite(club, by=own.user), borek)
    assert other.post(settings, {"action": "delete"}).status_code == 404
    answer = signed_in.post(f"/clubs/{club.pk}/members/{own.pk}/", {"leave": "1"}, follow=True)
    said = Page(answer.text).text
    assert missing(said, "A club needs an owner", "or delete the club below") == []
    full = spaces.found_club("With deals", by=own.user)
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": full.pk})
    Contribution.objects.update(visibility="withdrawn")
    assert 'value="delete"' not in signed_in.get(f"/clubs/{full.pk}/settings/").text
    answer = signed_in.post(f"/clubs/{full.pk}/settings/", {"action": "delete"}, follow=True)
    assert "A club with deals can’t be deleted." in answer.text
    signed_in.post("/upload/", {"text": samples.DEALT_TWICE, "space": club.pk})
    answer = signed_in.post(settings, {"action": "delete"}, follow=True)
    assert "The club Tarok has been deleted." in answer.text
    assert signed_in.get(f"/clubs/{club.pk}/").status_code == 404
    assert Space.objects.get(kind="club") == full


def test_the_standings_of_a_season(signed_in: Client, club: Space, other: Client) -> None:
    other.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    assert not club.contributions.exists(), "nobody sends for a club of others"
    signed_in.post("/upload/", {"text": samples.ANNOTATED, "space": club.pk})
    signed_in.post("/upload/", {"text": samples.TROGGU.replace("2026-??-??", "2025-03-01"), "space": club.pk})
    here = f"/clubs/{club.pk}/"
    assert "Alena +105 1 1" in text_of(signed_in, here), "the latest season by itself"
    former = text_of(signed_in, f"{here}?season=2025").partition("Sessions")[0]
    assert "+105" not in former.partition("Standings")[2]
    assert "Alena +105 1 1" in text_of(signed_in, f"{here}?season=all")


def test_a_club_opens_with_its_last_evening(signed_in: Client, other: Client, club: Space) -> None:
    for text in (samples.TAROKY, samples.SHEET):
        signed_in.post("/upload/", {"text": text, "space": club.pk})
    page = text_of(signed_in, f"/clubs/{club.pk}/")
    assert re.search(r"The last evening table 2 20 November 2026.*1 Alena \+105", page)
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
    theirs = spaces.found_club("Other", by=borek)
    assert client.post("/uploads/adopt/", {"space": theirs.pk}).status_code == 404
    assert client.post("/uploads/adopt/")["Location"] == "/uploads/"
    assert Contribution.objects.get().space == Space.objects.get(user=alena)
    assert not Space.objects.filter(kind="guest").exists()
    assert "before you signed in" not in text_of(client, "/")
    assert client.get(f"/deals/{Deal.objects.get().pk}/correct/").status_code == 200
    # She may also add deals to a club that she only belongs to.
    client.logout()
    client.post("/upload/", {"text": samples.SHEET})
    client.force_login(alena)
    Member.objects.create(space=theirs, user=alena)
    client.post("/uploads/adopt/", {"space": theirs.pk})
    assert Contribution.objects.latest("pk").space == theirs
