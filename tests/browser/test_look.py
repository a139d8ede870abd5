"""For everybody: nothing that axe complains of, light and dark; no sideways scroll on a phone; nothing that
moves while a page loads."""

import re
from itertools import combinations, product

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from tests.support import samples
from tools.bench.loading import SHIFTS, SLOW_LINE
from tools.page_types import OWN_PAGE_TYPES, PAGE_TYPES, store_examples

from .measures import box_of, cut_off, fits, sticking_out, violations
from .panel import open_tab

pytestmark = pytest.mark.browser

CROWDED = samples.as_text(samples.simulated("troggu", 8, seed=6))


def test_every_type_of_page_is_for_everybody(live_server, open_page) -> None:
    """Nothing that axe complains of, on a phone in the dark and on a large screen; no sideways scroll, and no
    text that is cut off."""
    user = User.objects.create_user("ada", "ada@example.org", "cards on the table")
    places = store_examples(user)
    client = Client()
    client.force_login(user)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    found = {}
    for types, cookies in ((PAGE_TYPES | {"no page": "/no-such-page/"}, []), (OWN_PAGE_TYPES, [session])):
        page = open_page(reduced_motion="reduce")  # new colours are there at once
        page.context.add_cookies(cookies)
        for name, path in types.items():
            page.emulate_media(color_scheme="dark")
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(live_server.url + path.format(**places))
            if "guess=1" in path:  # where there is no choice, the script goes on to the next one
                expect(page.locator(".picks a").first).to_be_visible()
            found[name] = [*violations(page), *cut_off(page), *sticking_out(page)]
            for width in (320, 1920, 1280):
                page.set_viewport_size({"width": width, "height": 844})
                found[name] += [] if fits(page) else [f"wider than {width}"]
            page.emulate_media(color_scheme="light")
            found[name] += violations(page, only_colours=True)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_no_word_of_a_table_is_broken(address, page, places) -> None:
    """Content that doesn't fit is scrolled sideways in its own box."""
    paths = ("/sessions/{session}/", "/players/{player}/", "/deals/{disputed}/", "/notation/")
    for path, width in product(paths, (320, 390)):
        page.set_viewport_size({"width": width, "height": 844})
        if width == 320:
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
        assert broken == [], (path, width)


def test_every_control_of_a_table_is_thumb_sized(address, page, taroky, store) -> None:
    """Also where eight sit at it; and the number of a deal in its session's table."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address(f"/sessions/{taroky.contribution.session_id}/"))
    box = box_of(page.locator(".running tbody th a"))
    assert min(box["width"], box["height"]) >= 24
    for deal in (taroky, *store(CROWDED)):
        page.goto(address(f"/deals/{deal.pk}/replay/?step=20"))
        expect(page.locator(".controls")).to_be_in_viewport()
        open_tab(page, "View")
        seen, small = page.evaluate(
            """() => {
                const parts = Array.from(document.querySelectorAll(
                    ".controls :is(a, button), .settings select, "
                        + "#panel :is(.views a, .modes a, button, summary)"
                )).filter(part => part.checkVisibility());
                return [parts.map(part => part.id), parts.filter(part => {
                    const box = part.getBoundingClientRect();
                    return box.height < 44 || box.width < 36;
                }).map(part => part.outerHTML.slice(0, 100))];
            }"""
        )
        steps = ("first", "previous-trick", "previous", "next", "next-trick", "last")
        assert {f"go-{name}" for name in steps} <= {*seen}
        assert small == []


def test_what_happened_and_what_is_asked_stay_in_sight(replay) -> None:
    """Without scrolling: the words, the cards to choose from, the buttons; none of them covers another."""
    guess = f"step={samples.FIRST_SEEN['A'] + 4}&view=A&spoilers=off&guess=1"
    shown = [(f"step={samples.FIRST_CARD + 3}", ["#happened", ".controls"])]
    shown += [(guess, ["#happened", ".picks a", ".controls"])]
    for query, parts in shown:
        page = replay(query)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            boxes = [box_of(page.locator(part)) for part in (*parts, ".seat.at-0 .hand")]
            for one, other in combinations(boxes, 2):
                covered = [one[at] + one[size] > other[at] + 1 and other[at] + other[size] > one[at] + 1
                           for at, size in (("x", "width"), ("y", "height"))]  # fmt: skip
                assert not all(covered), (width, query)
            for part in parts:
                expect(page.locator(part).first).to_be_in_viewport(ratio=1)


def test_everything_can_be_reached_by_keyboard(address, page, taroky) -> None:
    """The first key press offers to skip the menu; from there the views, then the steps."""
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    assert "go-next" in reached


def test_forced_colours_and_reduced_motion_are_respected(address, open_page, taroky) -> None:
    page = open_page(forced_colors="active")
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    colours = "a => getComputedStyle(a).backgroundColor"
    marked = page.locator("#moves a[aria-current]").evaluate(colours)
    assert marked != page.locator("#moves a:not([aria-current])").last.evaluate(colours)
    page = open_page(reduced_motion="reduce")
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    moving = page.evaluate(
        """Array.from(document.querySelectorAll("*")).filter(part => {
            const style = getComputedStyle(part);
            return style.transitionDuration.split(",").some(t => parseFloat(t))
                || style.animationName !== "none";
        }).length"""
    )
    assert moving == 0


def test_the_audit_on_paper(address, page, taroky) -> None:
    """Nothing to be pressed; the clauses can be read."""
    page.goto(address(f"/deals/{taroky.pk}/audit/"))
    expect(page.locator(".clause-box").first).not_to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".clause-box").first).to_be_visible()
    expect(page.locator(".actions a, button:not(.term)").filter(visible=True)).to_have_count(0)


def test_a_name_is_cut_where_there_is_no_room(address, page, store) -> None:
    """The full name appears when the pointer is on it."""
    name = "Žaneta Nováková-Ly"
    for text, cut in ((samples.ANNOTATED, False), (CROWDED, True)):
        (deal,) = store(re.sub(r'\[A "[^"]*"\]', f'[A "{name}"]', text))
        page.goto(address(f"/deals/{deal.pk}/audit/"))
        head = page.locator(".seat-player").first
        assert head.get_attribute("title") == name
        assert head.evaluate("name => name.scrollWidth > name.clientWidth") is cut


@pytest.mark.parametrize(("width", "height"), [(390, 844), (740, 360), (1280, 800)])
def test_nothing_moves_when_the_script_comes_late(width, height, address, open_page, taroky) -> None:
    page = open_page(viewport={"width": width, "height": height}, locale="en-GB")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", SLOW_LINE)
    for path in (f"/deals/{taroky.pk}/replay/", f"/deals/{taroky.pk}/try/", "/board/"):
        page.goto(address(path))
        page.wait_for_load_state("networkidle")
        assert page.evaluate(SHIFTS) < 0.1, path
