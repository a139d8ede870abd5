"""A club's season and the tables of its next evening, on a phone and on paper."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from archive.storing import spaces
from tests import samples, seasons
from tests.storing import stored

from .conftest import Address, Store
from .test_look import violations


@pytest.fixture
def club(store: Store) -> int:
    """A club with the season that is worked out by hand, and an evening whose cards were played."""
    owner = User.objects.create_user("owner")
    club = spaces.found_club("Tarok Hlučín", by=owner)
    seasons.season(club, owner)
    stored(samples.TAROKY, user=owner, space=club)
    return club.pk


pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_season_on_a_phone(address: Address, watched: Page, club: int, language: str, scheme: str) -> None:
    watched.set_extra_http_headers({"Accept-Language": language})
    watched.emulate_media(color_scheme=scheme)
    for path in ("season/?game=taroky&best=1", "season/seating/?game=taroky"):
        for width in (390, 320):
            watched.set_viewport_size({"width": width, "height": 800})
            watched.goto(address(f"/clubs/{club}/{path}"))
            assert watched.evaluate("document.documentElement.scrollWidth") <= width
            assert violations(watched) == []


def test_who_does_not_come_is_unticked_and_the_tables_are_printed(
    address: Address, watched: Page, club: int
) -> None:
    watched.set_viewport_size({"width": 390, "height": 844})
    watched.goto(address(f"/clubs/{club}/season/?game=taroky&least=2&by=total"))
    watched.get_by_role("link", name="Seating for the next evening").click()
    # Cleo 14, Ben 5, Ada −5, Eva −6, Dov −8.
    tables = watched.locator(".names-at-table")
    assert tables.locator("bdi").all_inner_texts() == ["Cleo", "Ben", "Ada", "Eva"]
    label = watched.locator("label", has_text="Ben")
    box = label.bounding_box()
    assert box
    assert box["height"] >= 44
    label.click()
    watched.locator("#id_tables").fill("2")
    watched.get_by_label("Players at a table").fill("2")
    watched.get_by_label("Who sits with whom").select_option("snake")
    watched.get_by_role("button", name="Show").click()
    # Of Cleo, Ada, Eva and Dov the first and the last play together.
    assert [table.locator("bdi").all_inner_texts() for table in tables.all()] == [
        ["Cleo", "Dov"],
        ["Ada", "Eva"],
    ]
    assert "least=2" in watched.url
    watched.emulate_media(media="print")
    assert not watched.locator("form").first.is_visible()
    assert tables.first.is_visible()
