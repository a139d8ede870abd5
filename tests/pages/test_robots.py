"""`robots.txt` and the addresses that the pages name for previews agree."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client
from protego import Protego

from archive.models import Session
from archive.shown import ShownDeal
from tests import samples

from .conftest import Page, Store
from .sharing import FIRST

pytestmark = pytest.mark.django_db

SITE = "http://testserver"
CRAWLERS = ["Twitterbot", "facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "anything"]


@pytest.fixture
def robots(client: Client) -> Protego:
    return Protego.parse(client.get("/robots.txt").content.decode())


def previews(html: str) -> list[str]:
    """The addresses that a page names for other sites."""
    named = []
    for tag, attrs in Page(html).tags:
        name = attrs.get("property") or attrs.get("name") or ""
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            named.append(attrs["content"] or "")
        if tag == "link" and attrs.get("rel") in ("alternate", "canonical"):
            named.append(attrs["href"] or "")
    return [
        address.replace(SITE, "") for address in named if urlsplit(address).scheme or address.startswith("/")
    ]


def pages(deal: ShownDeal, session: Session) -> list[str]:
    """Pages of every kind."""
    number, club, players = deal.pk, session.space_id, [seat.player.pk for seat in deal.seats]
    step = f"?step={FIRST + 1}"
    return [
        "/",
        f"/deals/{number}/",
        f"/deals/{deal.key}/",
        f"/deals/{number}/audit/",
        *(f"/deals/{number}/{page}/{query}" for page in ("replay", "embed") for query in ("", step)),
        f"/deals/{number}/replay/?view=B&step={FIRST + 1}&spoilers=off",
        f"/deals/{number}/print/",
        f"/sessions/{session.pk}/",
        f"/sessions/{session.pk}/print/",
        f"/clubs/{club}/",
        f"/players/{players[0]}/",
        *(f"/{name}/" for name in ("deals", "players", "sessions", "rules", "notation", "clubs", "dumps")),
        "/rules/taroky/",
    ]


def test_what_the_pages_name_may_be_fetched(client: Client, robots: Protego, store: Store) -> None:
    (deal,) = store(samples.ANNOTATED)
    session = deal.contribution.session
    assert session is not None
    session.space.kind = "club"
    session.space.save()
    kinds = set()
    for page in pages(deal, session):
        answer = client.get(page)
        assert answer.status_code == 200, page
        for address in previews(answer.content.decode()):
            kinds.add(address.partition("?")[0].rstrip("/").rpartition("/")[2])
            for crawler in CRAWLERS:
                assert robots.can_fetch(SITE + address, crawler), (page, address)
    assert kinds >= {"oembed", "position.png", "session.png", "club.png", "replay"}


def test_what_an_oembed_response_names_may_be_fetched(
    client: Client, robots: Protego, taroky: ShownDeal
) -> None:
    for query in ("", f"?view=B&step={FIRST}"):
        page = client.get(f"/deals/{taroky.pk}/replay/{query}").content.decode()
        (address,) = [one for one in previews(page) if one.startswith("/oembed?")]
        answer = client.get(address).json()
        (frame,) = Page(answer["html"]).attributes("src")
        for named in (frame, answer["thumbnail_url"], answer["provider_url"]):
            assert robots.can_fetch(named, "anything"), named


def test_other_queries_are_not_fetched(robots: Protego) -> None:
    for path in (
        "/deals/?game=taroky",
        "/players/1/?from=2026-01-01",
        "/deals/1/frames.json?view=B",
        "/uploads/",
    ):
        assert not robots.can_fetch(SITE + path, "anything"), path
    for path in ("/", "/deals/", "/deals/1/", "/rules/taroky/"):
        assert robots.can_fetch(SITE + path, "anything"), path
