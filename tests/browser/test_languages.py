"""Every language in a real browser: nothing too wide, the switch by hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from archive.shown import ShownDeal

from .conftest import PAGES, Address

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "de", "cs", "ja")
MORE_PAGES = [
    "/deals/{troggu}/replay/?step=30",
    "/deals/{grosstarock}/replay/?step=999",
    "/deals/{deal}/replay/?step=30&view=B&guess=1",
    "/deals/{deal}/embed/?step=30",
    "/deals/{grosstarock}/print/",
    "/deals/{grosstarock}/audit/",
]


def cut_off(page: Page) -> list[str]:
    """Buttons, links of the menu, labels and headings whose text is wider than the place they have."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(
                "button, .button, .main-nav a, th, dt, h1, h2, h3, label, .badge"
            )].filter((e) => e.offsetWidth > 1 && e.scrollWidth > e.offsetWidth + 1
                && getComputedStyle(e).textOverflow !== "ellipsis" && !e.closest(".visually-hidden"))
            .map((e) => e.outerHTML.slice(0, 120))"""
    )
    return found


def sticking_out(page: Page) -> list[str]:
    """Return tables that are wider than their panel and can't be scrolled."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".panel table")].filter((table) =>
                !table.closest(".table-scroll, details:not([open])") && table.getBoundingClientRect().right
                    > table.closest(".panel").getBoundingClientRect().right - 1
            ).map((table) => table.outerHTML.slice(0, 120))"""
    )
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_screen(
    address: Address, browser: Browser, places: dict[str, int], language: str
) -> None:
    width = 390
    context = browser.new_context(locale=language, viewport={"width": width, "height": 844})
    page = context.new_page()
    wrong = {}
    for path in [*PAGES, *MORE_PAGES]:
        page.goto(address(path.format(**places)))
        assert page.locator("html").get_attribute("lang") == language
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong[path] = ["the page"]
        wrong[path] = [*wrong.get(path, []), *cut_off(page), *sticking_out(page)]
    assert {path: found for path, found in wrong.items() if found} == {}
    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_the_language_is_switched_and_stays(
    address: Address, browser: Browser, taroky: ShownDeal, scripts: bool
) -> None:
    context = browser.new_context(locale="de", java_script_enabled=scripts)
    page = context.new_page()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20&view=B"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Deutsch")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Čeština").click()
    # The same moment of the same deal, in another language.
    expect(page).to_have_url(re.compile(rf"/deals/{taroky.pk}/replay/\?step=20&view=B$"))
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    expect(page.locator("h1")).to_contain_text("Taroky")
    assert page.locator("use").first.get_attribute("href") is not None
    page.locator("#go-next").click()
    expect(page.locator("#happened")).to_contain_text(" hraje ")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.goto(address("/"))
    expect(page.locator("h1")).to_have_text("すべてのディールを再現。すべての得点を説明。")
    context.close()


def test_the_courts_have_the_language_s_letters(
    address: Address, browser: Browser, taroky: ShownDeal
) -> None:
    for language, name in (
        ("en", "cards.svg"),
        ("de", "cards-de.svg"),
        ("cs", "cards-cs.svg"),
        ("ja", "cards.svg"),
    ):
        context = browser.new_context(locale=language)
        page = context.new_page()
        with page.expect_response(re.compile(r"/cards[^/]*\.svg$")) as drawn:
            page.goto(address(f"/deals/{taroky.pk}/replay/"))
        assert drawn.value.url.endswith("/" + name)
        assert drawn.value.ok
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_is_two_lines_on_a_phone(
    address: Address, browser: Browser, transactional_db: None, language: str
) -> None:
    """The name of the site with upload and account next to it, and the menu."""
    context = browser.new_context(locale=language, viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(address("/"))
    tops = page.evaluate(
        """Array.from(document.querySelectorAll(".site-header :is(.brand, .main-nav, .account-nav)"))
            .map(part => part.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2)"""
    )
    assert len({round(top / 10) for top in tops}) == 2, tops
    context.close()
