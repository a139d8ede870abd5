"""How strangers find pages: sitemap, previews, score sheets on other sites, the web app for readers."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Session
from archive.shown import ShownDeal
from archive.storing import spaces, sums
from replays.home.views import sitemap
from tests.support import samples
from tests.support.storing import deal_of, stored

from .conftest import missing, text_of
from .sharing import SITE, get, meta, size

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def addresses(client: Client, path: str) -> list[str]:
    found: list[str] = re.findall(r"<loc>([^<]*)</loc>", get(client, path).text)
    return [address.removeprefix(SITE) for address in found]


def test_the_sitemap_lists_what_is_public(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    """In parts of ids; without deals of members and of guests."""
    owner = User.objects.create_user("ann")
    club = spaces.found_club("Šachy", by=owner)
    stored(samples.ANNOTATED, user=owner, space=club)
    stored(samples.TROGGU, user=owner, space=club, visibility="members")
    stored(samples.ILLEGAL, space=spaces.guest())
    public, _hidden, _guest = Contribution.objects.order_by("pk")
    sums.settle()
    monkeypatch.setattr(sitemap, "SIZE", public.deal_id)
    parts = addresses(client, "/sitemap.xml")
    assert parts[:3] == ["/sitemap-pages.xml", "/sitemap-deals.xml", "/sitemap-deals.xml?p=2"]
    assert addresses(client, "/sitemap-deals.xml") == []
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        assert addresses(client, "/sitemap-deals.xml?p=2") == [f"/deals/{public.deal_id}/"]
    sessions = [one for part in parts if "sessions" in part for one in addresses(client, part)]
    assert sessions == [f"/sessions/{Session.objects.get(public_deals=1, space=club).pk}/"]
    pages = addresses(client, "/sitemap-pages.xml")
    assert missing(" ".join(pages), f"/clubs/{club.pk}/", "/rules/troggu/", "/deals/") == []
    assert client.get(sessions[0]).status_code == 200
    assert client.get("/sitemap-nothing.xml").status_code == 404
    assert client.get("/sitemap-deals.xml?p=99").status_code == 404
    assert f"Sitemap: {SITE}/sitemap.xml" in client.get("/robots.txt").text


def test_every_public_page_has_a_preview(client: Client, taroky: ShownDeal) -> None:
    sums.settle()
    alena = Player.objects.get(name="Alena")
    for path in ("/", "/deals/", "/players/", "/rules/taroky/", f"/players/{alena.pk}/"):
        head = meta(client, path, accept_language="cs")
        assert head["og:title"], path
        assert head["og:description"], path
        assert head["og:image"].endswith("?language=cs"), path
    for path in ("/", f"/players/{alena.pk}/"):
        image = meta(client, path)["og:image"].removeprefix(SITE)
        assert size(get(client, image).content) == (1200, 630)
    assert meta(client, f"/players/{alena.pk}/")["og:description"] == "Czech Taroky: +105"
    assert "og:title" not in meta(client, "/accounts/login/")
    Contribution.objects.update(visibility="unlisted")
    sums.settle()
    assert client.get(f"/players/{alena.pk}/player.png").status_code == 404


def test_a_score_sheet_is_printed_pictured_and_embedded(client: Client, taroky: ShownDeal) -> None:
    deal = deal_of(samples.SHEET)
    head = meta(client, f"/deals/{deal.pk}/audit/")
    assert head["og:description"].startswith("Alena +110, Dana +110, Bob −110, Cyril −110; ")
    assert head["og:image"] == f"{SITE}/deals/{deal.pk}/sheet.png?language=en"
    assert size(get(client, head["og:image"].removeprefix(SITE)).content) == (1200, 630)
    embed = get(client, f"/deals/{deal.pk}/embed/")
    assert "frame-ancestors *" in embed["Content-Security-Policy"]
    assert missing(text_of(client, f"/deals/{deal.pk}/embed/"), "Computed", "Alena", "+110") == []
    printed = text_of(client, f"/deals/{deal.pk}/print/")
    assert missing(printed, "Computed:", "Clause and calculation", "Total +110 −110 −110 +110") == []
    assert "Hands as dealt" not in printed
    assert client.get(f"/deals/{taroky.pk}/sheet.png").status_code == 404


def test_readers_can_install_the_site(client: Client) -> None:
    """By a manifest of its own; only the evening app has a service worker."""
    assert '<link rel="manifest" href="/site.webmanifest">' in client.get("/deals/").text
    evenings = client.get("/evenings/").text
    assert (evenings.count('rel="manifest"'), "/evenings/manifest.webmanifest" in evenings) == (1, True)
    manifest = client.get("/site.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert (manifest.json()["start_url"], manifest.json()["scope"]) == ("/", "/")
    assert {icon["sizes"] for icon in manifest.json()["icons"]} == {"192x192", "512x512"}
