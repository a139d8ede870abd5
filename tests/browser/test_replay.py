"""The replay in a browser: keys, buttons, slider, swipes, playing by itself; what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from archive.shown import ShownDeal
from tests import samples

from .conftest import Address, Store
from .panel import open_tab

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD
RESULT = samples.LAST_STEP + 1
B_FIRST = samples.FIRST_SEEN["B"]


def step_is(page: Page, step: int) -> None:
    expect(page.locator("#stage")).to_have_attribute("data-step", str(step))
    expect(page).to_have_url(re.compile(rf"[?&]step={step}$"))


def test_keys(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/"))
    for key, step in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 4),
        ("PageDown", 5),
        ("PageUp", 4),
        ("j", 5),
        ("k", 4),
        ("ArrowDown", 5),
        ("ArrowUp", 4),
        ("End", RESULT),
        ("ArrowRight", RESULT),
        ("PageUp", samples.LAST_STEP),
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


def test_a_key_pressed_before_the_steps_are_there_is_not_lost(
    address: Address, watched: Page, taroky: ShownDeal
) -> None:
    held: list[Route] = []
    watched.route("**/frames.json*", lambda route: held.append(route))
    watched.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    watched.keyboard.press("ArrowRight")
    watched.keyboard.press("ArrowRight")
    watched.get_by_role("link", name="Next step").click()
    step_is(watched, FIRST)
    held[0].continue_()
    step_is(watched, FIRST + 3)


def test_without_the_steps_each_is_a_page(address: Address, page: Page, taroky: ShownDeal) -> None:
    page.route("**/frames.json*", lambda route: route.abort())
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.keyboard.press("ArrowRight")
    step_is(page, FIRST + 1)
    page.get_by_role("link", name="Next trick").click()
    step_is(page, FIRST + 4)
    page.locator("#moves").get_by_role("link", name=re.compile(r"^A XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")


def test_the_address_follows_in_one_entry_of_the_history(
    address: Address, watched: Page, taroky: ShownDeal
) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/"))
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.get_by_role("link", name="Next step").click()
    step_is(page, FIRST + 1)
    page.get_by_role("link", name="Next trick").click()
    step_is(page, FIRST + 4)
    page.reload()
    expect(page.locator("#happened")).to_contain_text("Dana plays tarock XV.")
    page.go_back()
    expect(page).to_have_url(address(f"/deals/{taroky.pk}/"))


def test_the_focus_stays_on_the_button_and_the_step_is_told(
    address: Address, watched: Page, taroky: ShownDeal
) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP - 1}"))
    page.locator("#go-next").focus()
    page.keyboard.press("Enter")
    step_is(page, samples.LAST_STEP)
    expect(page.locator("#go-next")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(f"Step {samples.LAST_STEP} of {RESULT}")
    page.keyboard.press("Enter")
    step_is(page, RESULT)
    # There is no next step any more, and still the focus is not lost.
    expect(page.locator("#go-next")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#go-next")).to_be_focused()


def test_the_move_list_follows(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/"))
    # A comment on a trick waits until the trick is over.
    expect(page.locator("#moves .comment").first).to_be_hidden()
    page.locator("#moves").get_by_role("link", name=re.compile(r"^A XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")
    page.keyboard.press("End")
    expect(page.locator("#moves .comment").first).to_be_visible()
    page.locator("#moves").get_by_role("link", name=re.compile(r"^A XVII\b")).click()
    expect(page.locator('#moves [aria-current="step"]')).to_have_count(1)
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('#moves [aria-current="step"]')).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_the_move_list_is_one_stop_for_the_tab_key(
    address: Address, watched: Page, taroky: ShownDeal
) -> None:
    watched.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    watched.wait_for_load_state("networkidle")
    for step in (FIRST, FIRST + 1, RESULT):
        step_is(watched, step)
        stops = watched.locator("#moves a").evaluate_all(
            "links => links.filter(link => link.tabIndex === 0).map(link => link.dataset.go)"
        )
        assert stops == [str(step) if step < RESULT else "0"]
        watched.keyboard.press("ArrowRight" if step == FIRST else "End")


def test_slider(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/"))
    page.get_by_label("Step", exact=True).fill("30")
    step_is(page, 30)


def test_playing_by_itself(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """It goes on to the score sheet, and stops there; the speed is the same the next time."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP - 4}"))
    open_tab(page, "View")
    page.get_by_label("Speed").select_option("500")
    page.locator("#happened").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".result")).to_be_visible(timeout=10_000)
    step_is(page, RESULT)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.reload()
    open_tab(page, "View")
    expect(page.get_by_label("Speed")).to_have_value("500")


def test_it_stops_under_the_list_of_keys(address: Address, watched: Page, taroky: ShownDeal) -> None:
    watched.goto(address(f"/deals/{taroky.pk}/replay/"))
    watched.keyboard.press(" ")
    expect(watched.get_by_role("button", name="Pause")).to_be_visible()
    watched.keyboard.press("?")
    expect(watched.get_by_role("dialog", name="Keys")).to_be_visible()
    watched.keyboard.press("Escape")
    expect(watched.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_what_is_chosen_is_remembered(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    open_tab(page, "View")
    page.get_by_label("Mark legal cards").check()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=21"))
    open_tab(page, "View")
    expect(page.get_by_label("Mark legal cards")).to_be_checked()


def test_the_last_step_is_the_score_sheet(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """With the sums of the audit."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/audit/"))
    sums = page.locator("tfoot tr").first.locator("td.points").all_inner_texts()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP}"))
    expect(page.locator(".result")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    step_is(page, RESULT)
    expect(page.locator(".result tfoot td")).to_have_text(sums)
    page.reload()
    expect(page.locator(".result tfoot td")).to_have_text(sums)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".result")).to_have_count(0)


def test_what_is_said_stands_at_the_seat(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """For one step; the middle keeps it until the play begins."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/"))
    bubble = '.seat[data-seat="{}"] .bubble'
    page.keyboard.press("ArrowRight")
    expect(page.locator(bubble.format("A"))).to_be_visible()
    expect(page.locator(bubble.format("A"))).to_contain_text("bids First Duty")
    page.keyboard.press("ArrowRight")
    expect(page.locator(bubble.format("A"))).to_be_hidden()
    expect(page.locator(bubble.format("B"))).to_have_text("passes")
    expect(page.locator(".auction li")).to_have_text([re.compile("A First Duty"), re.compile("B passes")])
    page.locator(f'#moves a[data-go="{FIRST + 1}"]').click()
    expect(page.locator(".auction li")).to_have_count(0)


def test_an_illegal_deal_goes_on(address: Address, watched: Page, store: Store) -> None:
    """The wrong card is marked and the rule is named; what follows is shown and not judged."""
    (deal,) = store(samples.ILLEGAL)
    page = watched
    page.goto(address(f"/deals/{deal.pk}/replay/?step={samples.ILLEGAL_EVENT}"))
    expect(page.locator(".trick .wrong")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".trick .wrong")).to_have_attribute("data-card", "SK")
    expect(page.locator("#status")).to_contain_text("taroky.follow")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("Not judged")
    page.keyboard.press("End")
    step_is(page, samples.LAST_STEP)
    assert page.locator(".trick li").count() == 4
    page.reload()
    expect(page.locator("#status")).to_contain_text("Not judged")


def test_legal_cards_are_marked_on_request(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={samples.ILLEGAL_EVENT}"))
    open_tab(page, "View")
    page.get_by_label("Mark legal cards").check()
    marked = page.locator(".is-legal")
    expect(marked).to_have_count(2)
    assert [marked.nth(n).get_attribute("aria-label") for n in range(2)] == ["1 of diamonds", "3 of diamonds"]
    assert marked.first.evaluate("card => getComputedStyle(card).outlineStyle") == "solid"


def test_a_seats_view_grows_with_its_steps(address: Address, watched: Page, taroky: ShownDeal) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={B_FIRST}&view=B"))
    expect(page.locator("#moves .trick-group:visible")).to_have_count(0)
    for step in range(B_FIRST + 1, B_FIRST + 6):
        page.keyboard.press("ArrowRight")
        step_is(page, step)
    expect(page.locator("#moves .trick-group:visible")).to_have_count(2)
    assert "T18" not in page.content()


def test_swipe(address: Address, browser: Browser, taroky: ShownDeal) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=3"))
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


def test_the_sprite_is_drawn_under_the_policy(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """A card that could not be loaded would have no size."""
    watched.goto(address(f"/deals/{taroky.pk}/replay/"))
    watched.wait_for_load_state("networkidle")
    sizes = watched.evaluate(
        "Array.from(document.querySelectorAll('.hand .card use'), use => use.getBBox().width)"
    )
    assert len(sizes) == 48
    assert min(sizes) > 90


def test_few_requests(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """The page, its style, its script with two modules, the cards, all steps once; then nothing more."""
    fetched: list[str] = []
    watched.on("request", lambda request: fetched.append(request.url))
    watched.goto(address(f"/deals/{taroky.pk}/replay/"))
    watched.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "favicon" not in url]) <= 7, fetched
    for key in (
        "ArrowRight",
        "ArrowRight",
        "PageDown",
        "End",
        "Home",
        "f",
        "h",
        "ArrowRight",
        "f",
        "h",
        "PageDown",
    ):
        watched.keyboard.press(key)
    watched.locator("#go-next").click()
    watched.locator("#moves a").nth(30).click()
    watched.get_by_label("Step", exact=True).fill("20")
    step_is(watched, 20)
    watched.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "frames.json" in url]) == 1
    assert len([url for url in fetched if "/static/" not in url]) == 2, fetched


FLYING = "[...document.querySelectorAll('.trick .card')].filter(card => card.getAnimations().length).length"


def test_cards_fly(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """From the hand to the trick, and a full trick to who took it; not from further away than a step."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.wait_for_load_state("networkidle")

    def flying(key: str) -> tuple[int, int]:
        page.wait_for_timeout(300)
        found: tuple[int, int] = page.evaluate(
            f"""async key => {{
                document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
                await new Promise(requestAnimationFrame);
                return [{FLYING}, document.querySelectorAll(".swept").length];
            }}""",
            key,
        )
        return tuple(found)

    assert flying("ArrowRight") == (1, 0)
    for _ in range(3):
        assert flying("ArrowRight") == (1, 0)
    assert flying("ArrowRight") == (1, 4)
    expect(page.locator(".swept")).to_have_count(0)
    assert flying("PageDown") == (0, 0)
    page.emulate_media(reduced_motion="reduce")
    assert flying("ArrowRight") == (0, 0)


def test_nothing_shifts(address: Address, watched: Page, store: Store) -> None:
    """The position on the page stays while the deal plays by itself."""
    (deal,) = store(samples.as_text(samples.simulated("taroky", 4, seed=6)))
    page = watched
    page.add_init_script(
        """window.shifts = [];
        new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(entry => entry.value)))
            .observe({ type: "layout-shift", buffered: true });
        localStorage.setItem("speed", "500");"""
    )
    page.goto(address(f"/deals/{deal.pk}/replay/?step=18"))
    page.locator("#autoplay").click()
    expect(page.locator("#stage")).to_have_attribute("data-step", "28", timeout=20_000)
    assert page.evaluate("window.shifts.reduce((sum, shift) => sum + shift, 0)") < 0.1


def test_no_step_shifts_much(address: Address, watched: Page, store: Store) -> None:
    """From the bidding into the play with large hands: the talon and who sits there keep their places."""
    (deal,) = store(samples.as_text(samples.simulated("troggu", 3, seed=6)))
    page = watched
    page.set_viewport_size({"width": 1280, "height": 800})
    page.add_init_script(
        """window.shifts = {};
        new PerformanceObserver(list => list.getEntries().forEach(entry => {
            const step = document.getElementById("stage")?.dataset.step;
            window.shifts[step] = (window.shifts[step] ?? 0) + entry.value;
        })).observe({ type: "layout-shift", buffered: true });
        localStorage.setItem("speed", "500");"""
    )
    page.goto(address(f"/deals/{deal.pk}/replay/"))
    page.locator("#autoplay").focus()
    page.evaluate("document.getElementById('autoplay').click()")  # a shift after a click of ours is none
    expect(page.locator("#stage")).to_have_attribute("data-step", "14", timeout=20_000)
    assert max(page.evaluate("Object.values(window.shifts)"), default=0) < 0.05


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_the_panel_is_a_sheet_on_a_phone(address: Address, phone: Page, taroky: ShownDeal) -> None:
    phone.goto(address(f"/deals/{taroky.pk}/replay/?step=30"))
    link, panel = phone.locator("#panel-link"), phone.locator("#panel")
    expect(panel).to_be_hidden()
    bar = phone.locator(".bar-foot").bounding_box()
    assert bar is not None
    assert phone.evaluate(
        """([x, y, width, height]) => [[5, 5], [width / 2, height / 2], [width - 5, height - 5]]
            .every(([right, down]) => document.elementFromPoint(x + right, y + down).closest(".bar-foot"))""",
        [bar["x"], bar["y"], bar["width"], bar["height"]],
    )
    link.click()
    expect(panel).to_be_visible()
    expect(link).to_have_attribute("aria-expanded", "true")
    phone.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(link).to_have_attribute("aria-expanded", "false")
    expect(link).to_be_focused()
    link.click()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


def test_the_panel_has_tabs(address: Address, watched: Page, taroky: ShownDeal) -> None:
    """Arrow keys go from one to the next and are no steps; the chosen one stays, also in another view."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.wait_for_load_state("networkidle")
    tab, part = page.get_by_role("tab", selected=True), page.get_by_role("tabpanel")
    expect(part).to_have_accessible_name("Moves")
    page.keyboard.press("ArrowRight")
    tab.focus()
    for key, name in (
        ("ArrowRight", "Score"),
        ("End", "View"),
        ("ArrowRight", "Moves"),
        ("ArrowLeft", "View"),
    ):
        page.keyboard.press(key)
        expect(tab).to_have_text(name)
        expect(tab).to_be_focused()
        expect(part).to_have_accessible_name(name)
    step_is(page, FIRST + 1)
    part.get_by_role("link", name="Bořek").click()
    expect(page).to_have_url(re.compile("view=B"))
    expect(part.get_by_role("link", name="Bořek")).to_be_visible()
    # The list of moves, not seen until now, opens at its step.
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP}"))
    open_tab(page, "Moves")
    expect(page.locator('#moves [aria-current="step"]')).to_be_in_viewport()


def test_without_a_script_the_panel_has_no_tabs(
    address: Address, browser: Browser, taroky: ShownDeal
) -> None:
    """Its parts lie below each other."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    expect(page.get_by_role("tab")).to_have_count(0)
    for name in ("Moves", "Score", "View"):
        expect(page.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    context.close()


@pytest.mark.parametrize(("game", "players"), [("strohmann", 2), ("troggu", 8), ("grosstarock", 4)])
def test_the_buttons_do_not_jump(
    address: Address, watched: Page, store: Store, game: str, players: int
) -> None:
    """One can click through the play without moving the pointer."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=4)))
    watched.set_viewport_size({"width": 1280, "height": 1400})
    watched.goto(address(f"/deals/{deal.pk}/replay/?step=14"))
    button = watched.locator("#go-next")
    before = button.bounding_box()
    for step in range(15, 25):
        button.click()
        step_is(watched, step)
    assert button.bounding_box() == before
