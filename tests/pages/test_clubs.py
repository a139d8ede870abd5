"""Clubs and corrections on the pages: joining, who is what; what is taken over, corrected, hidden."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive import access
from archive.models import Contribution, Deal, Invitation, Member, Player, Session, Space, Upload
from archive.reading.players import deal_counts, find_players
from archive.storing import players, spaces
from tests import samples
from tests.pages.conftest import Page, Store

pytestmark = pytest.mark.django_db


def text_of(client: Client, address: str) -> str:
    """The text of a page that is there."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return Page(answer.content.decode()).text


@pytest.fixture
def alena() -> User:
    return User.objects.create_user("alena", password="-secret-7")


@pytest.fixture
def borek() -> User:
    return User.objects.create_user("borek", password="-secret-7")


@pytest.fixture
def signed_in(client: Client, alena: User) -> Client:
    """Alena's browser."""
    client.force_login(alena)
    return client


@pytest.fixture
def other(borek: User) -> Client:
    """Bořek's browser."""
    client = Client()
    client.force_login(borek)
    return client


@pytest.fixture
def club(signed_in: Client) -> Space:
    """A club that Alena has started on the site."""
    answer = signed_in.post("/clubs/new/", {"name": "Tarok", "place": "Hlučín", "visibility": "public"})
    made = Space.objects.get(kind="club")
    assert answer["Location"] == f"/clubs/{made.pk}/"
    return made


# --- clubs --------------------------------------------------------------------------------------------------


def test_who_starts_a_club_is_its_owner(signed_in: Client, club: Space, alena: User) -> None:
    assert Member.objects.get(space=club).role == "owner"
    assert "Hlučín" in text_of(signed_in, f"/clubs/{club.pk}/")
    assert "My clubs Tarok Hlučín" in text_of(signed_in, "/clubs/")
    assert "All clubs Tarok Hlučín" in text_of(Client(), "/clubs/")
    assert "Members" not in text_of(Client(), f"/clubs/{club.pk}/"), "who is a member is told to members"


def test_a_name_is_given_once(signed_in: Client, club: Space, other: Client) -> None:
    for name in ("Tarok", "TAROK", "Tárok"):
        answer = other.post("/clubs/new/", {"name": name, "visibility": "public"})
        assert answer.status_code == 400
        assert "There is a club of this name." in answer.content.decode()
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
    """Wherever a name stands by itself, in an element that isolates it; in no title but such an element's
    own, where it is alone."""
    (deal,) = store(samples.ANNOTATED.replace('"Dana"', '"דנה"'))
    pages = ["", "audit/", "print/", "replay/", "replay/?step=63"]
    pages = [f"/deals/{deal.pk}/{page}" for page in pages] + ["/deals/", "/players/"]
    pages += [f"/sessions/{Session.objects.get().pk}/", f"/players/{Player.objects.get(name='דנה').pk}/"]
    wrong = []
    for page in pages:
        text = Client().get(page).content.decode().partition("<main")[2]
        assert re.search("<bdi[^>]*>דנה</bdi>", text), page
        assert not re.search('title="[^"]*דנה', re.sub('(<bdi[^>]*) title="דנה"', r"\1", text)), page
        # Alone in an element, it would take what stands beside it along.
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
    assert not Invitation.objects.exists()


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
    assert "Everybody 1 Whoever has the link 0 Members only 0" in text_of(signed_in, settings)
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
    assert "1 deal was changed. Who may see it now: Members only." in said
    assert "Everybody 0 Whoever has the link 0 Members only 1" in said
    answer = signed_in.post(settings, choice | {"deals": "all"}, follow=True)
    assert "none had to be changed" in answer.content.decode()


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
    assert "Everybody 1 Whoever has the link 0 Members only 0" in text_of(signed_in, where)
    answer = signed_in.post(where, {"visibility": "members"}, follow=True)
    assert "1 deal was changed. Who may see it now: Members only." in answer.content.decode()
    assert [one.visibility for one in Contribution.objects.order_by("pk")] == ["members", "public", "public"]
    assert "None of these deals is yours" in text_of(signed_in, "/deals/visibility/?game=strohmann")
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
    assert "The deal is now one of Tarok. Who may see it: Members only." in told
    assert "Club Tarok" in told
    assert "Move it to a club" not in told
    assert other.get(page).status_code == 404
    signed_in.post("/upload/", {"text": samples.ANNOTATED.replace("Dana", "Dora")})
    own = Contribution.objects.exclude(space=club).get()
    answer = signed_in.post(f"/deals/{own.key}/move/", {"club": club.pk}, follow=True)
    assert "Tarok has this deal already, with other details: players." in Page(answer.content.decode()).text


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
    assert "As set there" not in text_of(other, "/upload/"), "who has no club chooses for himself"


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
    assert "A club that has deals can’t be deleted." in answer.content.decode()
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
    assert "Alena 1 +105" in page, "the latest season by itself"
    assert (
        "Alena"
        not in text_of(signed_in, f"/clubs/{club.pk}/?season=2025")
        .partition("Sessions")[0]
        .partition("Standings")[2]
    )
    assert "Alena" in text_of(signed_in, f"/clubs/{club.pk}/?season=all")


def test_what_was_sent_before_signing_in_is_taken_over(client: Client, alena: User, borek: User) -> None:
    client.post("/upload/", {"text": samples.ANNOTATED})
    guest = Space.objects.get(kind="guest")
    assert "1 deal stored" in text_of(client, f"/uploads/{guest.uploads.get().pk}/")
    client.force_login(alena)
    assert "before you signed in" in text_of(client, "/")
    assert "1 deal was sent from this browser" in text_of(client, "/uploads/")
    assert client.post("/uploads/take-over/")["Location"] == "/uploads/"
    assert Contribution.objects.get().space == Space.objects.get(user=alena)
    assert not Space.objects.filter(kind="guest").exists()
    assert "before you signed in" not in text_of(client, "/")
    assert client.get(f"/deals/{Deal.objects.get().pk}/correct/").status_code == 200


# --- corrections --------------------------------------------------------------------------------------------


def fields_of(client: Client, address: str) -> dict[str, str]:
    """The values in the form of a page."""
    page = Page(client.get(address).content.decode())
    return {
        attrs["name"] or "": attrs.get("value") or ""
        for tag, attrs in page.tags
        if tag == "input" and attrs.get("name") not in (None, "csrfmiddlewaretoken", "next")
    }


def test_a_correction_and_its_history(signed_in: Client, store: Store, alena: User, other: Client) -> None:
    (deal,) = store(samples.WRONG_CLAIM.replace('"Alena"', '"Anna"'), user=alena)
    address = f"/deals/{deal.pk}/correct/"
    fields = fields_of(signed_in, address)
    assert (fields["name_A"], fields["claim_A"], fields["Deal"]) == ("Anna", "100", "7")
    changed = fields | {"name_A": "Alena", "Session": "Friday"}
    changed |= {"claim_A": "105", "claim_B": "-105", "claim_C": "-105", "claim_D": "105"}
    assert signed_in.post(address, changed)["Location"] == f"/deals/{deal.pk}/"
    own, foreign = text_of(signed_in, f"/deals/{deal.pk}/"), text_of(other, f"/deals/{deal.pk}/")
    assert "Verified" in own
    assert "Players Anna, Bořek, Cyril, Dana Alena, Bořek, Cyril, Dana alena" in own
    assert "Anna" not in foreign, "names as they were written are the members' to know"
    assert "alena, " not in foreign
    assert "Score written down A=100" in foreign


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"claim_A": ""}, "Write down the points of all players, or of none."),
        ({"name_A": ""}, "This field is required."),
        ({"Date": "yesterday"}, "2026"),
        ({"name_A": "x" * 201}, "200"),
    ],
)
def test_what_cannot_be_kept_is_said_and_nothing_is_lost(
    signed_in: Client, store: Store, alena: User, changed: dict[str, str], message: str
) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    address = f"/deals/{deal.pk}/correct/"
    fields = fields_of(signed_in, address) | {"Event": "Autumn cup"} | changed
    answer = signed_in.post(address, fields)
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert 'value="Autumn cup"' in answer.content.decode()
    assert Contribution.objects.get().event == "Hlučín club evening"


def test_what_was_sent_again_is_taken_over(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    signed_in.post("/upload/", {"text": samples.ANNOTATED.replace('"Dana"', '"Dora"')})
    upload = Space.objects.get(user=alena).uploads.order_by("-pk")[0]
    assert "You sent this deal before with other details: players." in text_of(
        signed_in, f"/uploads/{upload.pk}/"
    )
    signed_in.post(f"/uploads/{upload.pk}/records/1/take-over/")
    assert "Dora" in text_of(Client(), f"/deals/{Deal.objects.get().pk}/")
    for number in (0, 2, 99):
        assert signed_in.post(f"/uploads/{upload.pk}/records/{number}/take-over/").status_code == 404


# --- who sees it --------------------------------------------------------------------------------------------


def test_an_unlisted_deal_is_seen_by_its_link(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    signed_in.post(f"/deals/{deal.pk}/visibility/", {"visibility": "unlisted"})
    page = signed_in.get(f"/deals/{deal.pk}/").content.decode()
    link = re.search(r"http://testserver(/shared/[^\"]+)", page)
    assert link is not None
    guest = Client()
    assert guest.get(f"/deals/{deal.pk}/").status_code == 404
    assert guest.get(link[1] + "x").status_code == 404
    assert guest.get(link[1].replace("deal-", "session-")).status_code == 404
    assert guest.get(link[1])["Location"] == f"/deals/{deal.pk}-{deal.representative.pk}/"
    for path in ("", "replay/", "audit/", "deal.tgn", "frames.json"):
        assert guest.get(f"/deals/{deal.pk}/{path}").status_code == 200
    assert "There are no deals yet." in text_of(guest, "/deals/")
    # Robots and previews get nothing of it.
    assert guest.get(f"/deals/{deal.pk}/position.png").status_code == 404
    assert "og:title" not in guest.get(f"/deals/{deal.pk}/").content.decode()


def test_the_link_to_a_session(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    Contribution.objects.update(visibility="unlisted")
    session = Session.objects.get()
    guest = Client()
    assert guest.get(f"/sessions/{session.pk}/").status_code == 404
    assert guest.get(f"/shared/{access.link_to(session)}/")["Location"] == f"/sessions/{session.pk}/"
    assert "+105" in text_of(guest, f"/sessions/{session.pk}/")


def test_withdrawn_is_gone_for_others_and_can_be_put_back(
    signed_in: Client, store: Store, alena: User
) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    player, session = Player.objects.get(name="Alena"), Session.objects.get()
    address = f"/deals/{deal.pk}/visibility/"
    signed_in.post(address, {"visibility": "withdrawn"})
    for client in (Client(), signed_in):
        assert "There are no deals yet." in text_of(client, "/deals/")
        assert "There are no players yet." in text_of(client, "/players/")
        assert "There are no sessions yet." in text_of(client, "/sessions/")
        assert "The archive is empty." in text_of(client, "/")
        assert client.get("/deals/deals.csv").getvalue().count(b"\n") == 1
    for path in (f"/deals/{deal.pk}/", f"/players/{player.pk}/", f"/sessions/{session.pk}/"):
        assert Client().get(path).status_code == 404
    assert "This deal is withdrawn" in text_of(signed_in, f"/deals/{deal.pk}/")
    signed_in.post(address, {"visibility": "public"})
    assert "Alena" in text_of(Client(), f"/deals/{deal.pk}/")
    assert signed_in.post(address, {"visibility": "replaced"}).status_code == 404


# --- players ------------------------------------------------------------------------------------------------


def test_a_player_renamed_merged_and_parted(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    store(samples.as_text(samples.simulated("troggu", 3)), user=alena)
    player, ada = (
        Player.objects.get(name="Alena"),
        Player.objects.exclude(name__in=["Alena", "Bořek", "Cyril", "Dana"])[0],
    )
    address = f"/players/{player.pk}/manage/"
    signed_in.post(address, {"action": "rename", "text": "Alena N."})
    assert "Alena N." in text_of(Client(), f"/players/{player.pk}/")
    answer = signed_in.post(address, {"action": "rename", "text": "Dana"}, follow=True)
    assert "There is another player Dana." in answer.content.decode()
    answer = signed_in.post(f"/players/{ada.pk}/manage/", {"action": "merge", "into": player.pk})
    assert answer["Location"] == f"/players/{player.pk}/"
    assert list(deal_counts(find_players("Alena N.")).values()) == [2]
    assert "is another person" in text_of(signed_in, f"/players/{player.pk}/")
    signed_in.post(f"/players/{ada.pk}/manage/", {"action": "part"})
    assert list(deal_counts(find_players("Alena N.")).values()) == [1]


def test_a_pseudonym_stands_everywhere(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    player, session = Player.objects.get(name="Cyril"), Session.objects.get()
    signed_in.post(f"/players/{player.pk}/manage/", {"action": "pseudonym", "text": "Mr X"})
    guest = Client()
    own = [
        f"/deals/{deal.pk}/{path}" for path in ("", "replay/", "audit/", "print/", "deal.tgn", "deal.json")
    ]
    own += [f"/sessions/{session.pk}/{path}" for path in ("", "print/", "session.csv", "session.tgn")]
    own += [f"/players/{player.pk}/", f"/api/v1/deals/{deal.pk}", "/api/v1/deals", "/api/v1/scores"]
    lists = [
        "/players/",
        "/deals/",
        "/deals/deals.tgn",
        "/deals/deals.csv",
        "/leaderboard/?game=taroky&least=1",
    ]
    for path in own + lists:
        answer = guest.get(path)
        told = (answer.getvalue() if answer.streaming else answer.content).decode()
        assert "Cyril" not in told, path
        assert "Mr X" in told, path
    assert "No player’s name contains that." in text_of(guest, "/players/?q=cyril")


def test_this_is_me(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    player = Player.objects.get(name="Alena")
    signed_in.post(f"/players/{player.pk}/manage/", {"action": "me"})
    assert "(you)" in text_of(signed_in, "/players/")
    assert "(you)" not in text_of(Client(), "/players/")
    signed_in.post(f"/players/{player.pk}/manage/", {"action": "me"})
    assert "(you)" not in text_of(signed_in, "/players/")


# --- accounts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deals", "left"), [("keep", 1), ("delete", 0)])
def test_an_account_is_deleted(client: Client, alena: User, store: Store, deals: str, left: int) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    client.force_login(alena)
    players.this_is_me(Member.objects.get(user=alena), Player.objects.get(name="Alena"))
    wrong = client.post("/accounts/delete/", {"deals": deals, "password": "wrong"})
    assert wrong.status_code == 400
    assert "That is not your password." in wrong.content.decode()
    client.post("/accounts/delete/", {"deals": deals, "password": "-secret-7"})
    assert not User.objects.exists()
    assert Deal.objects.count() == left
    assert client.get(f"/deals/{deal.pk}/").status_code == (200 if left else 404)
    assert client.get("/accounts/delete/")["Location"].startswith("/accounts/login/")


def test_the_only_owner_of_a_club_makes_another_first(
    signed_in: Client, club: Space, alena: User, borek: User
) -> None:
    spaces.join(spaces.invite(club, by=alena), borek)
    assert "You are the only owner of these clubs." in text_of(signed_in, "/accounts/delete/")
    signed_in.post("/accounts/delete/", {"deals": "delete", "password": "-secret-7"})
    assert User.objects.filter(pk=alena.pk).exists()


def test_a_part_of_a_pseudonym_finds_him_and_tells_no_name(
    signed_in: Client, store: Store, alena: User
) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    player = Player.objects.get(name="Cyril")
    signed_in.post(f"/players/{player.pk}/manage/", {"action": "pseudonym", "text": "Mr X"})
    guest = Client()
    found = guest.get("/deals/?player=mr").content.decode()
    assert f'href="/deals/{deal.pk}/"' in found, "it fits him alone"
    store(samples.as_text(samples.simulated("troggu", 3)).replace('[A "', '[A "Mr '), user=alena)
    several = guest.get("/deals/?player=mr").content.decode()
    assert "Did you mean" in several
    assert "Mr X" in several
    assert "Cyril" not in found + several
