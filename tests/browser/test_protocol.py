"""Evenings and a season of a club in Chromium: the protocol of an evening on one sheet of A4, whatever the
evening, and legible; pages on a phone; the tables of the next evening."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from archive.models import Session
from archive.storing import spaces
from tests.support import samples, seasons
from tests.support.storing import stored

from .conftest import Address, Store
from .measures import box_of, fits, sheets

pytestmark = pytest.mark.browser

WIDE = "cells => cells.filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.innerText)"
"""Figures that are cut off."""
ON_A_PHONE = ("strohmann", 2, 20), ("taroky", 4, 40), ("troggu", 8, 40)
"""Evenings that are read on a phone, too."""
MONEY = "?stake=0.10&currency=K%C4%8D"


def evening(store: Store, game: str, players: int, deals: int) -> Session:
    """An evening at one table; players with long names, numbers as they come."""
    records = samples.simulated(game, players, deals, seed=6)
    names = {
        seat: f"{name} {'Nováková-Wiśniewska'[: 4 * n]}"
        for n, (seat, name) in enumerate(records[0].players.items())
    }
    tags = {
        "Session": "Long evening of the club, second table",
        "Date": "2026-11-20",
        "Site": "Restaurace U Zlatého lva",
    }
    tagged = [
        replace(one, players=names, score=None, tags={**tags, "Deal": str(number)})
        for number, one in enumerate(records, start=1)
    ]
    store(samples.as_text(tagged))
    return Session.objects.get()


def of_paper(page: Page) -> None:
    """Make the window as wide as the paper leaves it, and as high."""
    page.set_viewport_size({"width": 718, "height": 1047})


@pytest.mark.parametrize(
    ("table", "languages"),
    [
        (("taroky", 4, 4), ("en",)),
        (("strohmann", 2, 20), ("en",)),
        (("grosstarock", 4, 40), ("en",)),
        (("taroky", 4, 40), ("cs",)),
        (("troggu", 8, 12), ("cs",)),
        (("troggu", 8, 40), ("en", "de", "ja", "cs")),
    ],
    ids=str,
)
def test_an_evening_fits_one_sheet_and_a_phone(address, watched, store, table, languages) -> None:
    """Without its money in all of these languages but Czech, in which it has its money. On a phone, three of
    the evenings are read."""
    session, players = evening(store, *table), table[1]
    for language in languages:
        money = MONEY if language == "cs" else ""
        watched.set_extra_http_headers({"Accept-Language": language})
        assert sheets(watched, address(f"/sessions/{session.pk}/print/{money}")) == 1, language
        # No figure is cut off.
        of_paper(watched)
        figures = watched.locator("td.number")
        assert figures.count() >= players * table[2]
        assert figures.evaluate_all(WIDE) == [], language
        if money:
            amounts = watched.locator(".money td").all_inner_texts()
            assert len(amounts) == players
            assert all("," in text for text in amounts if text != "0,00")
            continue
        # A browser shrinks what is wider than the paper; at this width the type is still legible.
        assert box_of(watched.locator("table"))["width"] <= 1.5 * 718
        assert watched.locator(".signatures li").count() == players + 1
        assert box_of(watched.locator(".sheet"))["height"] < 1047
    if table in ON_A_PHONE:
        watched.emulate_media(media="screen")
        watched.set_extra_http_headers({"Accept-Language": "en"})
        it_is_read_on_a_phone(watched, address, session, players)
        if players == 8:
            its_end_is_in_sight(watched, session.pk)


def it_is_read_on_a_phone(page: Page, address: Address, session: Session, players: int) -> None:
    """Look at the protocol, and then at the pages of the evening and of a player."""
    the_protocol_can_be_read(page, address(f"/sessions/{session.pk}/print/{MONEY}"), players)
    contribution = session.contributions.first()
    assert contribution
    player = contribution.seats.all()[0].player_id
    for path in (f"/players/{player}/", f"/sessions/{session.pk}/{MONEY}"):
        page.goto(address(path))
        assert unseen_heads(page) == []
        for width in (390, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert fits(page)


def test_a_long_evening_has_its_heads_on_every_sheet_and_its_sums_on_the_last(
    address, watched, store
) -> None:
    """Ninety deals are too many for one sheet in type that can be read."""
    session = evening(store, "taroky", 4, 90)
    assert sheets(watched, address(f"/sessions/{session.pk}/print/{MONEY}")) >= 2
    watched.emulate_media(media="print")
    style = "element => getComputedStyle(element).display"
    assert watched.locator("thead").evaluate(style) == "table-header-group"
    assert watched.locator("tfoot").evaluate(style) == "table-row-group"


def the_protocol_can_be_read(page: Page, where: str, players: int) -> None:
    """Each deal has its players' points below it, in columns under their names."""
    page.goto(where)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page)
        assert page.locator("td.number:visible").evaluate_all(WIDE) == []
        heads = page.locator("thead th:visible").evaluate_all(BOXES)
        assert len(heads) == players
        for row in page.locator("tbody tr").all():
            cells = row.locator("td.number").evaluate_all(BOXES)[-players:]
            assert [round(left) for left, *_ in cells] == [round(left) for left, *_ in heads]
            assert min(right - left for left, _top, right in cells) >= 30
            assert len({round(top) for _left, top, _right in cells}) == 1


BOXES = """all => all.map(one => {
    const { left, top, right } = one.getBoundingClientRect();
    return [left, top, right];
})"""
"""The left, top and right edges of elements."""


def unseen_heads(page: Page) -> list[str]:
    """Return the column headers of a table that have no height."""
    heads = page.locator(".running thead th")
    assert heads.count()
    found: list[str] = heads.evaluate_all(
        "heads => heads.filter(h => getComputedStyle(h).fontSize === '0px').map(h => h.textContent)"
    )
    return found


def its_end_is_in_sight(page: Page, session: int) -> None:
    """Nobody has to scroll to who won, and the text to share is that of the page."""
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert box_of(page.locator(".winner"))["y"] < 800 - 100
        for amount in page.locator(".payments .number").all():
            assert box_of(amount)["x"] + box_of(amount)["width"] <= width
    # Eight players need at most seven payments.
    assert 1 <= page.locator(".payments tr").count() <= 7
    page.evaluate("() => { navigator.share = async (what) => { window.shared = what.text; }; }")
    page.get_by_role("button", name="Share").click()
    shared = page.evaluate("shared")
    assert shared == page.locator("#message").input_value()
    assert shared.endswith(f"/sessions/{session}/")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Picture").click()
    assert saved.value.suggested_filename.endswith(".png")


@pytest.fixture
def club(store: Store) -> int:
    """A club with the season that is worked out by hand, and an evening whose cards were played."""
    owner = User.objects.create_user("owner")
    club = spaces.found_club("Tarok Hlučín", by=owner)
    seasons.season(club, owner)
    stored(samples.TAROKY, user=owner, space=club)
    return club.pk


def test_a_season_on_a_phone(address, watched, club) -> None:
    for language in ("de", "cs", "ja"):
        watched.set_extra_http_headers({"Accept-Language": language})
        for path in ("season/?game=taroky&best=1", "season/seating/?game=taroky"):
            watched.goto(address(f"/clubs/{club}/{path}"))
            for width in (320, 390):
                watched.set_viewport_size({"width": width, "height": 800})
                assert fits(watched), (language, path, width)


def test_who_does_not_come_is_unticked_and_the_tables_are_printed(address, watched, club) -> None:
    watched.set_viewport_size({"width": 390, "height": 844})
    watched.goto(address(f"/clubs/{club}/season/?game=taroky&least=2&by=total"))
    watched.get_by_role("link", name="Seating for the next evening").click()
    # Cleo 14, Ben 5, Ada −5, Eva −6, Dov −8.
    tables = watched.locator(".names-at-table")
    expect(tables.locator("bdi")).to_have_text(["Cleo", "Ben", "Ada", "Eva"])
    label = watched.locator("label", has_text="Ben")
    box = box_of(label)
    assert box["height"] >= 44
    label.click()
    watched.locator("#id_tables").fill("2")
    watched.get_by_label("Players per table").fill("2")
    watched.get_by_label("Who sits with whom").select_option("snake")
    watched.get_by_role("button", name="Show").click()
    # Of Cleo, Ada, Eva and Dov the first and the last play together.
    expect(tables).to_have_count(2)
    expect(tables.first.locator("bdi")).to_have_text(["Cleo", "Dov"])
    expect(tables.last.locator("bdi")).to_have_text(["Ada", "Eva"])
    assert "least=2" in watched.url
    watched.emulate_media(media="print")
    assert not watched.locator("form").first.is_visible()
    assert tables.first.is_visible()
