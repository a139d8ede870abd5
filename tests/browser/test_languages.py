"""Every language in a real browser: nothing too wide, the switch by hand."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import PAGES
from .measures import cut_off, fits, sticking_out

pytestmark = pytest.mark.browser

MORE_PAGES = [
    "/deals/{troggu}/replay/?step=30", "/deals/{grosstarock}/replay/?step=999", "/deals/{grosstarock}/print/",
    "/deals/{deal}/replay/?step=30&view=B&guess=1", "/deals/{deal}/embed/?step=30",
    "/deals/{grosstarock}/audit/",
]  # fmt: skip


def test_nothing_is_wider_than_the_screen(address, open_page, places) -> None:
    """German has the longest words, so it has all pages here; `test_look.py` has the English ones."""
    wrong = {}
    for language, every in (("en", 0), ("de", 1), ("cs", 2), ("ja", 2)):
        page = open_page(locale=language, viewport={"width": 390, "height": 844})
        for path in [*PAGES, *MORE_PAGES][::every] if every else ():
            page.goto(address(path.format(**places)))
            assert page.locator("html").get_attribute("lang") == language
            found = [*([] if fits(page) else ["the page"]), *cut_off(page), *sticking_out(page)]
            if found:
                wrong[language, path] = found
        # The header has two lines: the site's name with upload and account next to it, and the menu.
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(address("/"))
        tops = page.evaluate(
            """Array.from(document.querySelectorAll(".site-header :is(.brand, .main-nav, .account-nav)"))
                .map(part => part.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2)"""
        )
        assert len({round(top / 10) for top in tops}) == 2, (language, tops)
    assert wrong == {}


def test_the_language_is_switched_and_stays(address, open_page, taroky) -> None:
    page = open_page(locale="de")
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20&view=B"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
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
    expect(page.locator("h1")).to_have_text("すべてのディールを再現。 すべての得点を説明。")
