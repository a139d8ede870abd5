"""For everybody: nothing that axe complains of, light and dark; no sideways scroll on a phone."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from archive.shown import ShownDeal
from tests import samples

from .conftest import PAGES, Address, Store
from .panel import open_tab

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD
MORE_PAGES = [
    "/deals/{deal}/replay/?step=999",
    "/deals/{deal}/audit/",
    "/deals/{sent_twice}/",
    "/rules/taroky/#taroky.follow",
    "/notation/",
    "/players/{player}/",
    "/sessions/",
    "/clubs/",
    "/leaderboard/?game=taroky&least_deals=1",
    "/dumps/",
    "/rules/grosstarock/",
    "/accounts/signup/",
    "/api/v1/docs",
]


_AXE = Axe()


def violations(page: Page) -> list[str]:
    """Return axe's findings, one per line. Passed checks are not reported, which saves most of its work."""
    found = _AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in found]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(
    address: Address, browser: Browser, places: dict[str, int], width: int, scheme: str
) -> None:
    """On a large screen, and on a phone in the dark."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 844}, is_mobile=width == 390
    )
    page = context.new_page()
    found = {}
    for path in [*PAGES, *MORE_PAGES, "/deals/{troggu}/replay/?step=20", "/deals/{troggu}/audit/"]:
        page.goto(address(path.format(**places)))
        if complaints := violations(page):
            found[path] = complaints
    assert found == {}
    context.close()


@pytest.mark.parametrize("width", [320, 360, 1920])
def test_no_sideways_scroll(address: Address, page: Page, places: dict[str, int], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    wide = []
    for path in [
        *PAGES,
        *MORE_PAGES,
        "/deals/{troggu}/replay/?step=3",
        "/deals/{troggu}/replay/?step=40",
        "/deals/{troggu}/audit/",
    ]:
        page.goto(address(path.format(**places)))
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(path)
    assert wide == []


@pytest.mark.parametrize("width", [320, 390])
def test_no_word_of_a_table_is_broken(
    address: Address, page: Page, places: dict[str, int], width: int
) -> None:
    """Content that doesn't fit is scrolled sideways in its own box."""
    page.set_viewport_size({"width": width, "height": 844})
    for path in ("/sessions/{session}/", "/players/{player}/", "/deals/{disputed}/", "/notation/"):
        page.goto(address(path.format(**places)))
        broken = page.evaluate(
            """Array.from(document.querySelectorAll("main table :is(th, td) *, main table :is(th, td)"))
                .flatMap(part => Array.from(part.childNodes))
                .filter(node => node.nodeType === 3 && /^\\s*\\S+\\s*$/.test(node.data))
                .filter(node => {
                    const range = document.createRange();
                    range.selectNodeContents(node);
                    return range.getClientRects().length > 1;
                }).map(node => node.data)"""
        )
        assert broken == [], path


def test_thumb_sized_controls(address: Address, page: Page, taroky: ShownDeal) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    for name in ("first", "previous-trick", "previous", "next", "next-trick", "last"):
        box = page.locator(f"#go-{name}").bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 36
    expect(page.locator(".controls")).to_be_in_viewport()


def test_every_control_of_a_crowded_table_is_thumb_sized(address: Address, page: Page, store: Store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("troggu", 8, seed=6)))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address(f"/deals/{deal.pk}/replay/?step=20"))
    open_tab(page, "View")
    small = page.evaluate(
        """Array.from(document.querySelectorAll(
            ".controls :is(a, button), .settings select, #panel :is(.views a, .modes a, button, summary)"
        )).filter(part => {
            const box = part.getBoundingClientRect();
            return part.checkVisibility() && (box.height < 44 || box.width < 36);
        }).map(part => part.outerHTML.slice(0, 100))"""
    )
    assert small == []


@pytest.mark.parametrize("width", [1280, 390])
def test_what_happened_and_what_is_asked_stay_in_sight(
    address: Address, page: Page, taroky: ShownDeal, width: int
) -> None:
    """Without scrolling: the words, the cards to choose from, the buttons; none of them covers another."""
    page.set_viewport_size({"width": width, "height": 844})
    for way, parts in {
        "": ["#happened", ".controls"],
        "&view=A&spoilers=off&guess=1": ["#happened", ".picks a", ".controls"],
    }.items():
        step = samples.FIRST_SEEN["A"] + 4 if way else FIRST + 3
        page.goto(address(f"/deals/{taroky.pk}/replay/?step={step}{way}"))
        boxes = [page.locator(part).first.bounding_box() for part in (*parts, ".seat.at-0 .hand")]
        for one, other in combinations(boxes, 2):
            assert one is not None
            assert other is not None
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or above
        for part in parts:
            expect(page.locator(part).first).to_be_in_viewport(ratio=1)


def test_everything_can_be_reached_by_keyboard(address: Address, page: Page, taroky: ShownDeal) -> None:
    """The first key press offers to skip the menu; from there the views, then the steps."""
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    assert "go-next" in reached


def test_the_move_is_marked_in_forced_colours(address: Address, browser: Browser, taroky: ShownDeal) -> None:
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    colours = "a => getComputedStyle(a).backgroundColor"
    marked = page.locator("#moves a[aria-current]").evaluate(colours)
    assert marked != page.locator("#moves a:not([aria-current])").last.evaluate(colours)
    context.close()


def test_what_is_touched(address: Address, browser: Browser, places: dict[str, int]) -> None:
    """A deal's number is large enough for a finger; nothing tells of keys that are not there."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(address("/sessions/{session}/".format(**places)))
    box = page.locator(".running tbody th a").first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24
    page.goto(address("/deals/{deal}/replay/".format(**places)))
    open_tab(page, "View")
    expect(page.locator("#full-screen")).to_be_visible()
    expect(page.locator("#help")).not_to_be_visible()
    context.close()


def test_the_audit_on_paper(address: Address, page: Page, taroky: ShownDeal) -> None:
    """Nothing to be pressed; the clauses can be read."""
    page.goto(address(f"/deals/{taroky.pk}/audit/"))
    expect(page.locator(".clause-box").first).not_to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".clause-box").first).to_be_visible()
    expect(page.locator(".actions a, button").filter(visible=True)).to_have_count(0)


def test_a_name_is_cut_where_there_is_no_room(address: Address, page: Page, store: Store) -> None:
    """The full name appears when the pointer is on it."""
    name = "Žaneta Nováková-Ly"
    for text, cut in (
        (samples.ANNOTATED, False),
        (samples.as_text(samples.simulated("troggu", 8, seed=6)), True),
    ):
        (deal,) = store(re.sub(r'\[A "[^"]*"\]', f'[A "{name}"]', text))
        page.goto(address(f"/deals/{deal.pk}/audit/"))
        head = page.locator(".seat-player").first
        assert head.get_attribute("title") == name
        assert head.evaluate("name => name.scrollWidth > name.clientWidth") is cut


def test_reduced_motion_is_respected(address: Address, browser: Browser, taroky: ShownDeal) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    moving = page.evaluate(
        """Array.from(document.querySelectorAll("*")).filter(part => {
            const style = getComputedStyle(part);
            return style.transitionDuration.split(",").some(t => parseFloat(t))
                || style.animationName !== "none";
        }).length"""
    )
    assert moving == 0
    context.close()
