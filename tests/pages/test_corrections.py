"""Corrections on the pages: what is corrected, hidden, renamed and deleted."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive import access
from archive.models import Contribution, Deal, Member, Player, Session, Space
from archive.reading.players import deal_counts, find_players
from archive.storing import players, spaces
from tests import samples
from tests.pages.conftest import Page, Store, text_of

pytestmark = pytest.mark.django_db


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
        ({"claim_A": ""}, "Enter the points of all players, or of none."),
        ({"name_A": ""}, "This field is required."),
        ({"Date": "yesterday"}, "2026"),
        ({"name_A": "x" * 201}, "200"),
        ({"name_A": "Cyril\u00a0"}, "Two players are called Cyril."),
        ({"Date": "2206-11-20"}, "Did you mean 2026-11-20?"),
        ({"Date": "1026-??-??"}, "The date 1026-??-?? is before 1700."),
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


def test_what_was_sent_again_is_adopted(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    signed_in.post("/upload/", {"text": samples.ANNOTATED.replace('"Dana"', '"Dora"')})
    upload = Space.objects.get(user=alena).uploads.order_by("-pk")[0]
    assert "You sent this deal before with other details: players." in text_of(
        signed_in, f"/uploads/{upload.pk}/"
    )
    signed_in.post(f"/uploads/{upload.pk}/records/1/adopt/")
    assert "Dora" in text_of(Client(), f"/deals/{Deal.objects.get().pk}/")
    for number in (0, 2, 99):
        assert signed_in.post(f"/uploads/{upload.pk}/records/{number}/adopt/").status_code == 404


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
    assert guest.get(link[1])["Location"] == f"/deals/{deal.pk}-{deal.contribution.pk}/"
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
    assert "There is another player called Dana." in answer.content.decode()
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
