"""The page of an evening that is over: who won, who pays whom, and what can be shared."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from archive.models import Evening, Space
from tests.pages.conftest import missing, page_at, present, text_of
from tests.pages.evenings import Phone, first_duty

pytestmark = pytest.mark.django_db


def ended(phone: Phone, visibility: str, **more: object) -> str:
    """End an evening of two deals at 0.50 a point: 60 - 35 = 25, and 2 × (50 - 35) = 30, are 55 for Alena and
    Dana; the address of its page."""
    phone.start(visibility=visibility, stake="0.50", currency="Kč", **more)
    phone.enter(1, first_duty())
    flek = [*first_duty(50)["lines"], ["double", "game", "flek"]]
    assert phone.enter(2, first_duty(lines=flek)).status_code == 201
    state = phone.state()
    assert phone.change(state["setup"], ended=True).status_code == 200
    address: str = state["address"]
    return address


def message(client: Client, address: str) -> str:
    """The text to share."""
    found = re.search(r'<textarea id="message"[^>]*>\n(.*?)</textarea>', client.get(address).text, re.S)
    assert found
    return found[1].replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def at_club(signed_in: Client, club: Space) -> tuple[Phone, str]:
    """The phone of a member, and the page of a public evening of the club."""
    phone = Phone(signed_in)
    return phone, ended(phone, "public", space=club.pk)


RESULT = "24 November 2026\nAlena +55, Dana +55, Bob −55, Cyril −55\n"


def test_the_page_says_who_won_who_pays_and_which_deal_was_most_expensive(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    text = page_at(phone.client, address).text
    assert (
        missing(
            text,
            "Winners: Alena, Dana Rank",
            "Who pays whom Bob → Alena 55 27.50 Kč Cyril → Dana 55 27.50 Kč",
            "Most expensive deal: 2 · First Duty Alena +30 Bob −30 Cyril −30 Dana +30",
        )
        == []
    )
    # What a point is worth is for members; what they pay in points follows from the public deals.
    text = text_of(Client(), address)
    assert missing(text, "Winners: Alena, Dana", "Bob → Alena 55 Cyril → Dana 55") == []
    assert "Kč" not in text


def test_nobody_has_won_while_the_evening_goes_on(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    assert phone.change(phone.state()["setup"], ended=False).status_code == 200
    assert present(text_of(phone.client, address), "Winner", "pays", "→") == []
    assert message(phone.client, address) == f"{RESULT}http://testserver{address}"


def test_a_public_evening_is_shared_by_its_address(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    own = "Bob → Alena: 55 (27.50 Kč)\nCyril → Dana: 55 (27.50 Kč)\n"
    assert message(phone.client, address) == f"{RESULT}{own}http://testserver{address}"
    others = "Bob → Alena: 55\nCyril → Dana: 55\n"
    assert message(Client(), address) == f"{RESULT}{others}http://testserver{address}"


def test_an_unlisted_evening_is_shared_by_its_link(client: Client) -> None:
    guest = Phone(client)
    address = ended(guest, "unlisted")
    link = guest.state()["link"]
    assert message(client, address).endswith(f"\n{link}")
    # A friend who has opened the link gets the text. Strangers get nothing.
    friend = Client()
    friend.get(link)
    assert message(friend, address) == f"{RESULT}Bob → Alena: 55\nCyril → Dana: 55"
    assert Client().get(address).status_code == 404


def test_an_evening_for_members_is_shared_without_a_link(signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    address = ended(phone, "members", space=club.pk)
    found = message(signed_in, address)
    assert found.startswith(RESULT)
    assert "http" not in found
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("visibility", ["public", "unlisted", "members"])
def test_who_sees_an_evening_can_save_its_picture(visibility: str, signed_in: Client, club: Space) -> None:
    phone = Phone(signed_in)
    address = ended(phone, visibility, space=club.pk)
    (own,) = (one for one in page_at(signed_in, address).attributes("href") if "session.png" in one)
    answer = signed_in.get(own)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["Cache-Control"] == "private, no-cache"
    friend = Client()
    if visibility == "unlisted":
        friend.get(phone.state()["link"])
        assert friend.get(own).content == answer.content
    assert Client().get(own).status_code == (200 if visibility == "public" else 404)


def test_an_evening_whose_players_are_not_all_known_has_no_payments(at_club: tuple[Phone, str]) -> None:
    phone, address = at_club
    players = {"A": "Alena", "B": "?", "C": "Cyril", "D": "Dana"}
    phone.enter(3, first_duty(players=players))
    assert phone.deals().keys() == {1, 2, 3}
    assert Evening.objects.get().has_ended
    text = text_of(phone.client, address)
    assert "Winners: Alena, Dana" in text
    assert "Who pays whom" not in text
