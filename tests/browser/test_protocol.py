"""An evening in Chromium: its protocol on one sheet of A4, whatever the evening, and legible; its page on a
phone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page

from archive.models import Session
from tests import samples

from .conftest import Address, Store
from .test_look import violations
from .test_share import sheets

pytestmark = pytest.mark.browser

EVENINGS = [("taroky", 4, 4), ("strohmann", 2, 20), ("troggu", 8, 40), ("grosstarock", 4, 40)]


def evening(store: Store, game: str, players: int, deals: int) -> Session:
    """An evening at one table; players with long names, numbers as they come."""
    records = samples.simulated(game, players, deals, seed=6)
    names = {
        seat: f"{name} {'Nováková-Wiśniewska'[: 4 * n]}"
        for n, (seat, name) in enumerate(records[0].players.items())
    }
    tagged = [
        replace(
            one,
            players=names,
            score=None,
            tags={
                "Session": "Long evening of the club, second table",
                "Deal": str(number),
                "Date": "2026-11-20",
                "Site": "Restaurace U Zlatého lva",
            },
        )
        for number, one in enumerate(records, start=1)
    ]
    store(samples.as_text(tagged))
    return Session.objects.get()


@pytest.mark.parametrize(
    ("table", "language"),
    [*((table, "en") for table in EVENINGS), (EVENINGS[2], "de"), (EVENINGS[2], "ja")],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value)),
)
def test_an_evening_fits_one_sheet(
    address: Address, watched: Page, store: Store, table: tuple[str, int, int], language: str
) -> None:
    session = evening(store, *table)
    watched.set_extra_http_headers({"Accept-Language": language})
    assert sheets(watched, address(f"/sessions/{session.pk}/print/")) == 1
    # As wide as the paper leaves it: no figure is cut off.
    watched.set_viewport_size({"width": 718, "height": 1047})
    figures = watched.locator("td.number")
    assert figures.count() >= table[1] * table[2]
    wide = figures.evaluate_all(
        "cells => cells.filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.innerText)"
    )
    assert wide == []
    # A browser shrinks what is wider than the paper; at this width the type is still legible.
    table_box = watched.locator("table").bounding_box()
    assert table_box
    assert table_box["width"] <= 1.5 * 718
    assert watched.locator(".signatures li").count() == table[1] + 1
    height = watched.locator(".sheet").bounding_box()
    assert height
    assert height["height"] < 1047


def unseen_heads(page: Page) -> list[str]:
    """Return the column headers of a table that have no height."""
    heads = page.locator(".running thead th")
    assert heads.count()
    found: list[str] = heads.evaluate_all(
        "heads => heads.filter(h => getComputedStyle(h).fontSize === '0px').map(h => h.textContent)"
    )
    return found


def test_an_evening_on_a_phone(address: Address, watched: Page, store: Store) -> None:
    session = evening(store, "taroky", 4, 24)
    watched.set_viewport_size({"width": 390, "height": 800})
    watched.goto(address(f"/sessions/{session.pk}/"))
    assert unseen_heads(watched) == []
    assert watched.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(watched) == []
    player = address(f"/players/{session.contributions.first().seats.first().player_id}/")
    watched.goto(player)
    assert unseen_heads(watched) == []
    assert watched.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(watched) == []


MONEY = "?stake=0.10&currency=K%C4%8D"


@pytest.mark.parametrize(
    "table", [("taroky", 4, 12), ("troggu", 8, 12), ("taroky", 4, 40), ("troggu", 8, 40)]
)
def test_an_evening_with_its_money_fits_one_sheet(
    address: Address, watched: Page, store: Store, table: tuple[str, int, int]
) -> None:
    session = evening(store, *table)
    watched.set_extra_http_headers({"Accept-Language": "cs"})
    assert sheets(watched, address(f"/sessions/{session.pk}/print/{MONEY}")) == 1
    watched.set_viewport_size({"width": 718, "height": 1047})
    money = watched.locator(".money td")
    assert money.count() == table[1]
    assert all("," in text for text in money.all_inner_texts() if text != "0,00")
    wide = watched.locator("td.number").evaluate_all(
        "cells => cells.filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.innerText)"
    )
    assert wide == []


def test_a_long_evening_has_its_heads_on_every_sheet_and_its_sums_on_the_last(
    address: Address, watched: Page, store: Store
) -> None:
    """Ninety deals are too many for one sheet in type that can be read."""
    session = evening(store, "taroky", 4, 90)
    assert sheets(watched, address(f"/sessions/{session.pk}/print/{MONEY}")) >= 2
    watched.emulate_media(media="print")
    style = "element => getComputedStyle(element).display"
    assert watched.locator("thead").evaluate(style) == "table-header-group"
    assert watched.locator("tfoot").evaluate(style) == "table-row-group"
