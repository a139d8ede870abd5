"""The front page: a deal that plays by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from archive.shown import ShownDeal

from .conftest import Address

pytestmark = pytest.mark.browser


def test_the_deal_plays_by_itself_and_can_be_stopped(
    address: Address, watched: Page, taroky: ShownDeal
) -> None:
    """Card by card to its end, where its points are; the address of the page stays what it is."""
    page = watched
    page.clock.install()
    page.goto(address("/"))
    button = page.locator("#opening-play")
    expect(button).to_have_accessible_name("Pause")
    expect(page.locator("#opening-end")).to_be_hidden()
    page.clock.run_for(200)
    expect(page.locator(".trick li")).to_have_count(1)
    button.click()
    expect(button).to_have_accessible_name("Play")
    words = page.locator("#status").inner_text()
    page.clock.run_for(20_000)
    assert page.locator("#status").inner_text() == words
    button.click()
    for _ in range(80):
        page.clock.run_for(8_000)
    expect(page.locator("#status")).to_contain_text("The deal is over.")
    expect(page.locator("#opening-end")).to_contain_text("+105")
    assert page.url == address("/")
    button.click()
    expect(page.locator("#status")).to_contain_text("leads to trick 1")
    expect(page.locator("#opening-end")).to_be_hidden()


def test_nothing_moves_where_motion_is_not_wished(
    address: Address, browser: Browser, taroky: ShownDeal
) -> None:
    """The animation waits until the user starts it."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.clock.install()
    page.goto(address("/"))
    button = page.locator("#opening-play")
    expect(button).to_have_accessible_name("Play")
    page.clock.run_for(20_000)
    expect(page.locator(".trick li")).to_have_count(0)
    button.click()
    page.clock.run_for(5_000)
    expect(page.locator(".trick li").first).to_be_attached()
    context.close()
