"""A year in a browser: the picture to share, and the sheet of a club on paper."""

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from archive.models import Member, Player
from archive.storing import players, spaces
from tests.support import samples, settling
from tests.support.storing import deals_of

from .accounts import be, new_user
from .measures import sheets

pytestmark = pytest.mark.browser

SHARING = """() => {
  navigator.canShare = () => true;
  navigator.share = async ({ files: [file] }) => {
    document.title = `${file.name} ${file.type} ${file.size > 5000}`;
  };
}"""


@pytest.fixture
def club(page: Page, address: Any) -> int:
    """The club of a signed-in user who played there this year."""
    user = new_user("ada")
    club = spaces.found_club("Villach", by=user)
    names, tags = dict(zip("ABCD", ("Ada", "Ben", "Cleo", "Dov"), strict=True)), {"Date": "2026-05-04"}
    records = [replace(one, players=names, tags=tags) for one in samples.simulated("taroky", 4, 8)]
    deals_of(samples.as_text(records), user=user, space=club)
    settling.settle()
    players.this_is_me(Member.objects.get(space=club), Player.objects.get(space=club, name="Ada"))
    be(page.context, address, user)
    return club.pk


def test_the_button_sends_the_picture_or_saves_it(page: Page, address: Any, club: int) -> None:
    page.goto(address("/me/year/2026/"))
    with page.expect_download() as saved:
        page.locator("[data-share-file]").click()
    assert saved.value.suggested_filename == "2026.png"
    page.evaluate(SHARING)
    page.locator("[data-share-file]").click()
    expect(page).to_have_title("2026.png image/png true")


def test_the_year_of_a_club_is_one_sheet(page: Page, address: Any, club: int) -> None:
    page.goto(address(f"/clubs/{club}/year/2026/"))
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Champion")
    assert sheets(page, address(f"/clubs/{club}/year/2026/")) == 1
