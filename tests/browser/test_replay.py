"""The replay in a browser: keys, buttons, slider, history, playing by itself, swipes, views."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from archive.models import Deal
from tests.pages import samples

from .conftest import Site, Store

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD
B_FIRST = samples.FIRST_SEEN["B"]


def step_is(page: Page, step: int) -> None:
    expect(page.locator("#fragment")).to_have_attribute("data-step", str(step))
    assert re.search(rf"[?&]step={step}$", page.url), page.url


def test_keys(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/"))
    for key, step in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 4),
        ("PageDown", 5),
        ("PageUp", 4),
        ("End", samples.LAST_STEP),
        ("ArrowRight", samples.LAST_STEP),
        ("PageUp", samples.LAST_STEP - 4),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        step_is(page, step)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).not_to_be_visible()
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("view=B&hands=all"))


def test_every_step_has_its_address_and_the_history_goes_back(
    site: Site, watched: Page, taroky: Deal
) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.get_by_role("link", name="Next step").click()
    step_is(page, FIRST + 1)
    page.get_by_role("link", name="Next trick").click()
    step_is(page, FIRST + 4)
    page.go_back()
    step_is(page, FIRST + 1)
    page.go_forward()
    step_is(page, FIRST + 4)
    page.reload()
    expect(page.locator("#happened")).to_contain_text("Dana plays tarock XV.")


def test_the_focus_stays_on_the_button_and_the_step_is_told(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP - 2}"))
    page.locator("#go-next").focus()
    page.keyboard.press("Enter")
    step_is(page, samples.LAST_STEP - 1)
    expect(page.locator("#go-next")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(f"Step {samples.LAST_STEP - 1} of {samples.LAST_STEP}")
    page.keyboard.press("Enter")
    step_is(page, samples.LAST_STEP)
    # There is no next step any more: the focus goes to a button that leads somewhere.
    expect(page.locator(".controls a:focus")).to_have_count(1)


def test_the_move_list_follows(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/"))
    page.locator("#moves").get_by_role("link", name=re.compile(r"^A XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")
    expect(page.locator('#moves [aria-current="step"]')).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator('#moves [aria-current="step"]')).to_be_in_viewport()


def test_slider(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/"))
    page.get_by_label("Step", exact=True).fill("30")
    step_is(page, 30)


def test_playing_by_itself(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP - 4}"))
    page.get_by_label("Speed").select_option("500")
    page.locator("body").click(position={"x": 2, "y": 300})
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#happened")).to_contain_text("The deal is over.", timeout=10_000)
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_opened_parts_stay_open(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={FIRST + 20}"))
    page.locator("#details-taken-A summary").click()
    page.keyboard.press("ArrowRight")
    step_is(page, FIRST + 21)
    expect(page.locator("#details-taken-A")).to_have_attribute("open", "")


def test_legal_cards_are_marked_on_request(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={samples.ILLEGAL_EVENT}"))
    page.get_by_label("Mark legal cards").check()
    marked = page.locator(".is-legal")
    expect(marked).to_have_count(2)
    assert [marked.nth(n).get_attribute("aria-label") for n in range(2)] == ["1 of diamonds", "3 of diamonds"]
    assert marked.first.evaluate("card => getComputedStyle(card).outlineStyle") == "solid"


def test_a_seats_view_grows_with_its_steps(site: Site, watched: Page, taroky: Deal) -> None:
    page = watched
    page.goto(site(f"/deals/{taroky.pk}/replay/?step={B_FIRST}&view=B"))
    expect(page.locator("#moves .trick-group")).to_have_count(0)
    for step in range(B_FIRST + 1, B_FIRST + 6):
        page.keyboard.press("ArrowRight")
        step_is(page, step)
    expect(page.locator("#moves .trick-group")).to_have_count(2)
    assert "T18" not in page.content()


def test_swipe(site: Site, browser: Browser, taroky: Deal) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(site(f"/deals/{taroky.pk}/replay/?step=3"))
    page.wait_for_function("document.documentElement.classList.contains('js')")
    swipe = """([from, to]) => {
        const table = document.querySelector(".table");
        const touch = x => new Touch({identifier: 1, target: table, clientX: x, clientY: 300});
        table.dispatchEvent(new TouchEvent("touchstart", {bubbles: true, touches: [touch(from)]}));
        table.dispatchEvent(new TouchEvent("touchend", {bubbles: true, changedTouches: [touch(to)]}));
    }"""
    page.evaluate(swipe, [300, 100])
    step_is(page, 4)
    page.evaluate(swipe, [100, 300])
    step_is(page, 3)
    page.evaluate(swipe, [100, 120])
    step_is(page, 3)
    context.close()


def test_the_sprite_is_drawn_under_the_policy(site: Site, watched: Page, taroky: Deal) -> None:
    """A card that could not be loaded would have no size."""
    watched.goto(site(f"/deals/{taroky.pk}/replay/"))
    watched.wait_for_load_state("networkidle")
    sizes = watched.evaluate(
        "Array.from(document.querySelectorAll('.hand .card use'), use => use.getBBox().width)"
    )
    assert len(sizes) == 48
    assert min(sizes) > 90


def test_few_requests_for_the_first_view(site: Site, watched: Page, taroky: Deal) -> None:
    """Beyond the page: the style sheet, the script, the cards; the icon, and the next step fetched ahead."""
    asked: list[str] = []
    watched.on("request", lambda request: asked.append(request.url))
    watched.goto(site(f"/deals/{taroky.pk}/replay/"))
    watched.wait_for_load_state("networkidle")
    first_view = [url for url in asked[1:] if "fragment=1" not in url and "favicon" not in url]
    assert len(first_view) <= 3, first_view


@pytest.mark.parametrize(("game", "players"), [("strohmann", 2), ("troggu", 8), ("grosstarock", 4)])
def test_the_buttons_do_not_jump(site: Site, watched: Page, store: Store, game: str, players: int) -> None:
    """One can click through the play without moving the pointer."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=4)))
    watched.set_viewport_size({"width": 1280, "height": 1400})
    watched.goto(site(f"/deals/{deal.pk}/replay/?step=14"))
    button = watched.locator("#go-next")
    before = button.bounding_box()
    for step in range(15, 25):
        button.click()
        step_is(watched, step)
    assert button.bounding_box() == before
