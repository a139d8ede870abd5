"""Correcting, hiding, renaming and deleting on the pages; sessions and players of one name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Member, Player, Session, Space, Upload
from archive.reading.players import deal_counts, find_players
from archive.storing import spaces
from tests.pages.conftest import Page, Store, missing, page_at, text_of
from tests.support import samples
from tests.support.samples import SHEET
from tests.support.storing import shown, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def fields_of(client: Client, address: str) -> dict[str, str]:
    page = page_at(client, address)
    return {
        attrs["name"] or "": attrs.get("value") or ""
        for tag, attrs in page.tags
        if tag == "input" and attrs.get("name") not in (None, "csrfmiddlewaretoken", "next")
    }


RANKING = "/leaderboard/?game=taroky&least=1"


def on(date: str, text: str = SHEET) -> str:
    return text.replace("2026-06-05", date)


def upload(client: Client, *texts: str, club: Space | None = None) -> Page:
    form = {"text": "\n".join(texts)} | ({"space": club.pk} if club else {})
    return page_at(client, client.post("/upload/", form)["Location"])


def test_a_correction_and_its_history(signed_in: Client, store: Store, alena: User, other: Client) -> None:
    (deal,) = store(samples.WRONG_CLAIM.replace('"Alena"', '"Anna"'), user=alena)
    address = f"/deals/{deal.pk}/correct/"
    fields = fields_of(signed_in, address)
    assert (fields["name_A"], fields["claim_A"], fields["Deal"]) == ("Anna", "100", "7")
    changed = fields | {"name_A": "Alena", "Session": "Friday"}
    changed |= {"claim_A": "105", "claim_B": "-105", "claim_C": "-105", "claim_D": "105"}
    assert signed_in.post(address, changed)["Location"] == f"/deals/{deal.pk}/"
    own, foreign = text_of(signed_in, f"/deals/{deal.pk}/"), text_of(other, f"/deals/{deal.pk}/")
    assert missing(own, "Verified", "Players Anna, Bořek, Cyril, Dana Alena, Bořek, Cyril, Dana alena") == []
    assert "Anna" not in foreign, "names as they were written are the members' to know"
    assert "alena, " not in foreign
    assert "Score written down A=100" in foreign


def test_what_cannot_be_kept_is_said_and_nothing_is_lost(
    signed_in: Client, store: Store, alena: User
) -> None:
    address = f"/deals/{store(samples.ANNOTATED, user=alena)[0].pk}/correct/"
    form = fields_of(signed_in, address) | {"Event": "Autumn cup"}
    for changed, message in (
        ({"claim_A": ""}, "Enter the points for all players, or for none."),
        ({"name_A": ""}, "This field is required."),
        ({"Date": "yesterday"}, "2026"),
        ({"name_A": "x" * 201}, "200"),
        ({"name_A": "Cyril\u00a0"}, "Two players are called Cyril."),
        ({"Date": "2206-11-20"}, "Did you mean 2026-11-20?"),
        ({"Date": "1026-??-??"}, "The date 1026-??-?? is before 1700."),
    ):
        answer = signed_in.post(address, form | changed)
        assert answer.status_code == 400, changed
        assert missing(answer.text, message, 'value="Autumn cup"') == []
    assert Contribution.objects.get().event == "Hlučín club evening"


def test_what_was_sent_again_is_adopted(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    page = upload(signed_in, samples.ANNOTATED.replace('"Dana"', '"Dora"'))
    assert "You sent this deal before with different details: players." in page.text
    records = f"/uploads/{Space.objects.get(user=alena).uploads.latest('pk').pk}/records"
    signed_in.post(f"{records}/1/adopt/")
    assert "Dora" in text_of(Client(), f"/deals/{Deal.objects.get().pk}/")
    for number in (0, 2, 99):
        assert signed_in.post(f"{records}/{number}/adopt/").status_code == 404


def test_who_left_the_club_changes_nothing_there(
    signed_in: Client, other: Client, club: Space, alena: User, borek: User
) -> None:
    """They still see what they sent."""
    member = spaces.join(spaces.invite(club, by=alena), borek)
    for text in (samples.ANNOTATED, samples.ANNOTATED.replace('"Dana"', '"Dora"')):
        upload(other, text, club=club)
    spaces.leave(member)
    here, before = f"/uploads/{Upload.objects.latest('pk').pk}/", Contribution.objects.values().get()
    assert other.get(here).status_code == 200
    for page in ("withdraw/", "records/1/adopt/", "records/1/encoding/"):
        assert other.post(f"{here}{page}", {"encoding": "cp1250"}).status_code == 404, page
    assert Contribution.objects.values().get() == before


def test_an_unlisted_deal_is_seen_by_its_link(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    here = f"/deals/{deal.pk}/"
    signed_in.post(f"{here}visibility/", {"visibility": "unlisted"})
    link = re.search(r"http://testserver(/shared/[^\"]+)", signed_in.get(here).text)
    assert link is not None
    guest = Client()
    for address in (here, link[1] + "x", link[1].replace("deal-", "session-")):
        assert guest.get(address).status_code == 404
    assert guest.get(link[1])["Location"] == f"/deals/{deal.pk}-{deal.contribution.pk}/"
    for path in ("", "replay/", "audit/", "deal.tgn", "frames.json"):
        assert guest.get(f"{here}{path}").status_code == 200
    assert "There are no deals yet." in text_of(guest, "/deals/")
    # Robots and previews get nothing of it.
    assert guest.get(f"{here}position.png").status_code == 404
    assert "og:title" not in guest.get(here).text


def test_a_withdrawn_deal_is_gone_and_can_come_back(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    player, session = Player.objects.get(name="Alena"), Session.objects.get()
    here = f"/deals/{deal.pk}/"
    signed_in.post(f"{here}visibility/", {"visibility": "withdrawn"})
    for kind in ("deals", "players", "sessions"):
        assert f"There are no {kind} yet." in text_of(signed_in, f"/{kind}/")
    assert signed_in.get("/deals/deals.csv").getvalue().count(b"\n") == 1
    assert "The archive is empty." in text_of(Client(), "/")
    assert "You have no deals yet." in text_of(signed_in, "/")
    for path in (here, f"/players/{player.pk}/", f"/sessions/{session.pk}/"):
        assert Client().get(path).status_code == 404
    assert "This deal has been withdrawn" in text_of(signed_in, here)
    signed_in.post(f"{here}visibility/", {"visibility": "public"})
    assert "Alena" in text_of(Client(), here)
    assert signed_in.post(f"{here}visibility/", {"visibility": "replaced"}).status_code == 404


def test_a_player_renamed_merged_and_parted(signed_in: Client, store: Store, alena: User) -> None:
    store(samples.ANNOTATED, user=alena)
    store(samples.dealt(1, players=("Ada", "Ben", "Cleo", "Dov")), user=alena)
    player, ada = (Player.objects.get(name=name) for name in ("Alena", "Ada"))

    def manage(who: Player, action: str, **more: object) -> Any:
        return signed_in.post(f"/players/{who.pk}/manage/", {"action": action, **more}, follow=True)

    def deals() -> list[int]:
        return list(deal_counts(find_players("Alena N.")).values())

    manage(player, "rename", text="Alena N.")
    assert "Alena N." in text_of(Client(), f"/players/{player.pk}/")
    assert "There is another player called Dana." in manage(player, "rename", text="Dana").text
    answer = manage(ada, "merge", into=player.pk)
    assert answer.redirect_chain[-1][0] == f"/players/{player.pk}/"
    assert deals() == [2]
    stranger = Player.objects.create(name="Emil", space=spaces.found_club("Other", by=alena))
    assert manage(ada, "merge", into=stranger.pk).status_code == 404
    # The names under which somebody was written are the members' to know.
    for client, sees in ((signed_in, True), (Client(), False)):
        assert ("is another person" in text_of(client, f"/players/{player.pk}/")) == sees
    manage(ada, "part")
    assert deals() == [1]


def test_a_pseudonym_stands_everywhere(signed_in: Client, store: Store, alena: User) -> None:
    (deal,) = store(samples.ANNOTATED, user=alena)
    player, session = Player.objects.get(name="Cyril"), Session.objects.get()
    signed_in.post(f"/players/{player.pk}/manage/", {"action": "pseudonym", "text": "Mr X"})
    guest = Client()
    pages = ("", "replay/", "audit/", "print/", "deal.tgn", "deal.json")
    paths = [f"/deals/{deal.pk}/{page}" for page in pages]
    paths += [f"/sessions/{session.pk}/{page}" for page in ("", "print/", "session.csv", "session.tgn")]
    paths += [f"/players/{player.pk}/", f"/api/v1/deals/{deal.pk}", "/api/v1/deals", "/api/v1/scores"]
    paths += ["/players/", "/deals/", "/deals/deals.tgn", "/deals/deals.csv", RANKING]
    for path in paths:
        told = guest.get(path).getvalue().decode()
        assert ("Cyril" in told, "Mr X" in told) == (False, True), path
    assert "No player’s name contains this text." in text_of(guest, "/players/?q=cyril")
    # A part of it finds the player and tells no name.
    found = guest.get("/deals/?player=mr").text
    assert f'href="/deals/{deal.pk}/"' in found, "it fits this player alone"
    store(samples.dealt(1, players=("Mr Ada", "Ben", "Cleo", "Dov")), user=alena)
    several = guest.get("/deals/?player=mr").text
    assert missing(several, "Did you mean", "Mr X") == []
    assert "Cyril" not in found + several


def test_sessions_of_one_name_show_their_dates_and_link_to_one_another(client: Client) -> None:
    stored(on("2026-06-05"), on("2026-06-12"), on("2026-06-??"), SHEET.replace("June", "Alone"))
    june = Session.objects.filter(name="June").order_by("date")
    first, second, month = (f"/sessions/{session.pk}/" for session in june)
    page = page_at(client, first)
    assert page.text.startswith("June, 5 June 2026")
    assert "Sessions with this name on other dates: 12 June 2026, June 2026" in page.text
    assert {second, month} <= set(page.attributes("href"))
    alone = text_of(client, f"/sessions/{Session.objects.get(name='Alone').pk}/")
    assert alone.startswith("Alone, 5 June 2026 ·")
    assert "Other dates" not in alone
    # Other dates are those that the reader may see.
    Contribution.objects.exclude(date="2026-06-05").update(visibility="withdrawn")
    assert "Other dates" not in text_of(client, first)


def test_an_unknown_player_has_no_page_and_no_link(client: Client) -> None:
    stored(samples.TAROKY.replace('"Alena"', '"?"').replace('"Bořek"', '""'))
    deal, session = shown(Deal.objects.get()), f"/sessions/{Session.objects.get().pk}/"
    here = f"/deals/{deal.pk}/"
    for address in (here, "/deals/", f"{here}audit/", f"{here}print/", session, f"{session}print/"):
        text = text_of(client, address)
        assert ("unknown player" in text.lower(), "do not add up" in text) == (True, False), address
    linked = {href for href in page_at(client, here).attributes("href") if "/players/" in href}
    assert linked - {"/players/"} == {f"/players/{player.pk}/" for player in Player.objects.all()}
    assert Player.objects.count() == 2
    assert "neznámý hráč" in text_of(client, here, headers={"accept-language": "cs"})
    row = client.get(f"/api/v1/deals/{deal.pk}").json()["players"][0]
    assert (row["player"], row["player_id"]) == ("?", None)


def test_one_name_at_two_seats_is_said_and_can_be_corrected(signed_in: Client) -> None:
    page = upload(signed_in, samples.TAROKY.replace('"Dana"', '"Alena"'))
    sentence = "Two players are called Alena. Tell them apart, for example as Alena sen."
    assert missing(page.text, "✓ Verified", sentence) == []
    assert any(href.endswith("/correct/") for href in page.attributes("href"))
    assert sentence in text_of(signed_in, f"/deals/{Deal.objects.get().pk}/")


def test_names_that_look_alike_are_proposed_to_those_who_may_merge(
    signed_in: Client, club: Space, other: Client, borek: User
) -> None:
    upload(signed_in, samples.TAROKY, club=club)
    page = upload(signed_in, samples.dealt(1, players=("ALENA", "Eva", "Max", "Uwe")), club=club)
    assert "These may be the same person: Alena, ALENA" in page.text
    alena = Player.objects.get(name="Alena")
    assert f"/players/{alena.pk}/" in page.attributes("href")
    assert "ALENA looks like the same person." in text_of(signed_in, f"/players/{alena.pk}/")
    assert "looks like" not in text_of(Client(), f"/players/{alena.pk}/")
    Member.objects.create(space=club, user=borek)
    for role, proposed in (("member", False), ("secretary", True)):
        club.members.filter(user=borek).update(role=role)
        assert ("same person" in upload(other, samples.TAROKY, club=club).text) == proposed


def test_a_conflict_is_never_a_plain_success(signed_in: Client) -> None:
    upload(signed_in, on("2026-11-20").replace('"June"', '"2026-11-20 table 2"').replace("Bob", "Bořek"))
    page = upload(signed_in, samples.TAROKY)
    assert "Two records of this deal give different points. The cards count" in page.text
    upload(signed_in, on("2026-11-20").replace('"June"', '"Other"'))
    page = upload(signed_in, samples.TAROKY.replace("2026-11-20 table 2", "Other").replace("A=105", "A=105"))
    assert "with different details" in page.text
    assert Contribution.objects.filter(visibility="covered").count() == 1
