"""The replay in a browser: keys, buttons, slider, swipes, playing by itself; what it asks for."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support import samples

from .measures import box_of
from .panel import open_tab
from .phone import sizes

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD
RESULT = samples.LAST_STEP + 1
B_FIRST = samples.FIRST_SEEN["B"]


def step_is(page: Page, step: int) -> None:
    expect(page.locator("#stage")).to_have_attribute("data-step", str(step))
    expect(page).to_have_url(re.compile(rf"[?&]step={step}$"))


KEYS = [
    ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 4), ("PageDown", 5), ("PageUp", 4),
    ("j", 5), ("k", 4), ("ArrowDown", 5), ("ArrowUp", 4), ("End", RESULT), ("ArrowRight", RESULT),
    ("PageUp", samples.LAST_STEP), ("PageUp", samples.LAST_STEP - 4), ("Home", 0), ("ArrowLeft", 0),
]  # fmt: skip
"""Keys pressed one after the other, and the step after each."""


def test_keys(replay) -> None:
    page = replay()
    for key, step in KEYS:
        page.keyboard.press(key)
        step_is(page, step)
    # It stops to play by itself under the list of keys.
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).not_to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("view=B&hands=all"))


def test_a_key_pressed_before_the_steps_are_there_is_not_lost(replay, watched) -> None:
    page = watched
    held: list[Route] = []
    page.route("**/frames.json*", lambda route: held.append(route))
    replay(f"step={FIRST}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Next step").click()
    step_is(page, FIRST)
    held[0].continue_()
    step_is(page, FIRST + 3)


def test_without_the_steps_each_is_a_page(address, page, taroky) -> None:
    page.route("**/frames.json*", lambda route: route.abort())
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST}"))
    page.keyboard.press("ArrowRight")
    step_is(page, FIRST + 1)
    page.get_by_role("link", name="Next trick").click()
    step_is(page, FIRST + 4)
    page.locator("#moves").get_by_role("link", name=re.compile(r"^Alena XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")


def test_the_address_follows_in_one_entry_of_the_history(replay, address, watched, taroky) -> None:
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/"))
    replay(f"step={FIRST}")
    page.get_by_role("link", name="Next step").click()
    step_is(page, FIRST + 1)
    page.get_by_role("link", name="Next trick").click()
    step_is(page, FIRST + 4)
    page.reload()
    expect(page.locator("#happened")).to_contain_text("Dana plays tarock XV.")
    page.go_back()
    expect(page).to_have_url(address(f"/deals/{taroky.pk}/"))


def test_the_focus_stays_on_the_button_and_the_step_is_told(replay) -> None:
    page = replay(f"step={samples.LAST_STEP - 1}")
    page.locator("#go-next").focus()
    page.keyboard.press("Enter")
    step_is(page, samples.LAST_STEP)
    expect(page.locator("#go-next")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(f"Step {samples.LAST_STEP} of {RESULT}")
    table = box_of(page.locator(".trick"))
    page.keyboard.press("Enter")
    step_is(page, RESULT)
    # The result has the focus, the announcement has its points, and the table has its place.
    expect(page.locator(".result")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(
        "Result. Alena and Dana win. Bořek and Cyril lose. Alena +105, Dana +105, Bořek −105, Cyril −105."
    )
    assert box_of(page.locator(".trick")) == table
    page.keyboard.press("Escape")
    step_is(page, samples.LAST_STEP)
    expect(page.locator("#go-next")).to_be_focused()


def test_all_points_of_a_full_table_are_in_sight(address, open_page, store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("troggu", 8, seed=6)))
    phone = open_page(**sizes(390, 844))
    phone.goto(address(f"/deals/{deal.pk}/replay/?step=999"))
    for width, height in ((390, 844), (740, 360)):
        phone.set_viewport_size({"width": width, "height": height})
        rows = phone.locator(".finals li")
        expect(rows).to_have_count(8)
        inside = box_of(phone.locator(".result"))
        for row in rows.all():
            expect(row).to_be_in_viewport(ratio=1)
            box = box_of(row)
            assert box["y"] + box["height"] <= inside["y"] + inside["height"]


def test_the_move_list_follows(replay) -> None:
    """It is one stop for the Tab key."""
    page = replay()
    page.wait_for_load_state("networkidle")
    # A comment on a trick waits until the trick is over.
    expect(page.locator("#moves .comment").first).to_be_hidden()
    page.locator("#moves").get_by_role("link", name=re.compile(r"^Alena XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")
    page.keyboard.press("End")
    expect(page.locator("#moves .comment").first).to_be_visible()
    page.locator("#moves").get_by_role("link", name=re.compile(r"^Alena XVII\b")).click()
    expect(page.locator('#moves [aria-current="step"]')).to_have_count(1)
    for key, step in (("Home", 0), ("ArrowRight", 1), ("End", RESULT), ("ArrowLeft", RESULT - 1)):
        page.keyboard.press(key)
        step_is(page, step)
        stops = page.locator("#moves a").evaluate_all(
            "links => links.filter(link => link.tabIndex === 0).map(link => link.dataset.go)"
        )
        assert stops == [str(step) if step < RESULT else "0"]
    expect(page.locator('#moves [aria-current="step"]')).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_playing_by_itself_ends_on_the_score_sheet(replay, address, watched, taroky) -> None:
    """With the sums of the audit, the highest first; the speed is the same the next time."""
    page = watched
    page.goto(address(f"/deals/{taroky.pk}/audit/"))
    sums = page.locator("tfoot tr").first.locator("td.points").all_inner_texts()
    sums = sorted(sums, key=lambda text: int(text.replace("−", "-")), reverse=True)
    replay(f"step={samples.LAST_STEP - 4}")
    open_tab(page, "View")
    page.get_by_label("Speed").select_option("500")
    page.locator("#happened").click()
    expect(page.locator(".result")).to_have_count(0)
    page.keyboard.press(" ")
    expect(page.locator(".finals .points")).to_have_text(sums)
    step_is(page, RESULT)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator(".finals .points")).to_have_text(sums)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".result")).to_have_count(0)
    open_tab(page, "View")
    expect(page.get_by_label("Speed")).to_have_value("500")


def test_what_is_said_stands_at_the_seat(replay) -> None:
    """For one step; the middle keeps it until the play begins."""
    page = replay()
    bubble = '.seat[data-seat="{}"] .bubble'
    page.keyboard.press("ArrowRight")
    expect(page.locator(bubble.format("A"))).to_be_visible()
    expect(page.locator(bubble.format("A"))).to_contain_text("bids First Duty")
    page.keyboard.press("ArrowRight")
    expect(page.locator(bubble.format("A"))).to_be_hidden()
    expect(page.locator(bubble.format("B"))).to_have_text("passes")
    said = [re.compile("Alena First Duty"), re.compile("Bořek passes")]
    expect(page.locator(".auction li")).to_have_text(said)
    page.locator(f'#moves a[data-go="{FIRST + 1}"]').click()
    expect(page.locator(".auction li")).to_have_count(0)
    expect(page.locator(".trick .tag .visually-hidden").first).to_have_text("Alena")


def test_an_illegal_deal_goes_on(address, watched, store) -> None:
    """The wrong card is marked and the rule is named; what follows is shown and not judged."""
    (deal,) = store(samples.ILLEGAL)
    page = watched
    page.goto(address(f"/deals/{deal.pk}/replay/?step={samples.ILLEGAL_EVENT}"))
    expect(page.locator(".trick .wrong")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".trick .wrong")).to_have_attribute("data-card", "SK")
    expect(page.locator("#status")).to_contain_text("Following suit")
    # The bar has room for all of it.
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        room, words = page.locator("#status").evaluate("box => [box.clientHeight, box.scrollHeight]")
        assert words <= room + 1, width
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("Not judged")
    page.keyboard.press("End")
    step_is(page, samples.LAST_STEP)
    assert page.locator(".trick li").count() == 4
    page.reload()
    expect(page.locator("#status")).to_contain_text("Not judged")


def test_legal_cards_are_marked_once_that_was_chosen(replay) -> None:
    """The choice is remembered."""
    page = replay("step=20")
    open_tab(page, "View")
    page.get_by_label("Mark legal cards").check()
    replay(f"step={samples.ILLEGAL_EVENT}")
    open_tab(page, "View")
    expect(page.get_by_label("Mark legal cards")).to_be_checked()
    marked = page.locator(".is-legal")
    expect(marked).to_have_count(2)
    assert [marked.nth(n).get_attribute("aria-label") for n in range(2)] == ["1 of diamonds", "3 of diamonds"]
    assert marked.first.evaluate("card => getComputedStyle(card).outlineStyle") == "solid"


def test_a_seats_view_grows_with_its_steps(replay) -> None:
    page = replay(f"step={B_FIRST}&view=B")
    expect(page.locator("#moves .trick-group:visible")).to_have_count(0)
    for step in range(B_FIRST + 1, B_FIRST + 6):
        page.keyboard.press("ArrowRight")
        step_is(page, step)
    expect(page.locator("#moves .trick-group:visible")).to_have_count(2)
    assert "T18" not in page.content()


def test_few_requests(replay, watched) -> None:
    """The page, its style, its script with two modules, the share button's script, the cards, all steps once;
    then nothing more. The policy lets the cards be drawn: one that could not be loaded would have no size."""
    page = watched
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    replay()
    page.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "favicon" not in url]) <= 8, fetched
    widths = page.locator(".hand .card use").evaluate_all("all => all.map(use => use.getBBox().width)")
    assert len(widths) == 48
    assert min(widths) > 90
    for key in (*["ArrowRight"] * 2, "PageDown", "End", "Home", "f", "h", "ArrowRight", "f", "h", "PageDown"):
        page.keyboard.press(key)
    page.locator("#go-next").click()
    page.locator("#moves a").nth(30).click()
    page.get_by_label("Step", exact=True).fill("20")
    step_is(page, 20)
    page.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "frames.json" in url]) == 1
    assert len([url for url in fetched if "/static/" not in url]) == 2, fetched


FLYING = "[...document.querySelectorAll('.trick .card')].filter(card => card.getAnimations().length).length"


def test_cards_fly(replay) -> None:
    """From the hand to the trick, and a full trick to who took it; not from further away than a step."""
    page = replay(f"step={FIRST}")
    page.wait_for_load_state("networkidle")

    def flying(key: str) -> tuple[int, int]:
        page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
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


@pytest.mark.parametrize(
    ("game", "players", "steps", "measure", "limit"),
    [("taroky", 4, (18, 28), sum, 0.1), ("troggu", 3, (0, 14), max, 0.05)],
    ids=["all in all", "at any step"],
)
def test_nothing_shifts_while_a_deal_plays_by_itself(
    address, watched, store, game, players, steps, measure, limit
) -> None:
    """Also from the bidding into the play with large hands: the talon and who sits there keep their
    places."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=6)))
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
    page.goto(address(f"/deals/{deal.pk}/replay/?step={steps[0]}"))
    page.locator("#autoplay").focus()
    page.evaluate(
        """last => new Promise(done => {
            const { dataset } = document.getElementById("stage");
            new MutationObserver(() => Number(dataset.step) >= last && done())
                .observe(document.getElementById("stage"), { attributeFilter: ["data-step"] });
            document.getElementById("autoplay").click();  // a shift after a click of ours is none
        })""",
        steps[1],
    )
    assert measure([0, *page.evaluate("Object.values(window.shifts)")]) < limit


SWIPE = """([from, to]) => {
    const table = document.querySelector(".table");
    const touch = x => new Touch({identifier: 1, target: table, clientX: x, clientY: 300});
    table.dispatchEvent(new TouchEvent("touchstart", {bubbles: true, touches: [touch(from)]}));
    table.dispatchEvent(new TouchEvent("touchend", {bubbles: true, changedTouches: [touch(to)]}));
}"""


def test_with_a_finger_on_a_phone(address, open_page, taroky) -> None:
    """A swipe is a step; the panel is a sheet, which says what the marks mean, and nothing of keys."""
    phone = open_page(**sizes(390, 844))
    phone.goto(address(f"/deals/{taroky.pk}/replay/?step=30"))
    link, panel = phone.locator("#panel-link"), phone.locator("#panel")
    phone.wait_for_load_state("networkidle")
    for swipe, step in (((300, 100), 31), ((100, 300), 30), ((100, 120), 30)):
        phone.evaluate(SWIPE, [*swipe])
        step_is(phone, step)
    expect(panel).to_be_hidden()
    bar = box_of(phone.locator(".bar-foot"))
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
    open_tab(phone, "View")
    expect(phone.locator("#full-screen")).to_be_visible()
    expect(phone.locator("#help")).not_to_be_visible()
    phone.get_by_text("What the marks mean").tap()
    told = dict(row.split("\n", 1) for row in phone.locator(".legend dl div").all_inner_texts())
    assert set(told) == {"D", "1", "★", "☆", "●", "2 17", "▸", "✓"}
    assert told["☆"] == "partner"
    assert told["2 17"] == "Tricks taken, Card points taken"
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


def test_the_panel_has_tabs(replay) -> None:
    """Arrow keys go from one to the next and are no steps; the chosen one stays, also in another view."""
    page = replay(f"step={FIRST}")
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
    part.locator('a[data-seat="B"]').click()
    expect(page).to_have_url(re.compile("view=B"))
    expect(part.locator('a[data-seat="B"]')).to_be_visible()
    # The list of moves, not seen until now, opens at its step.
    replay(f"step={samples.LAST_STEP}")
    open_tab(page, "Moves")
    expect(page.locator('#moves [aria-current="step"]')).to_be_in_viewport()


def test_without_a_script_the_panel_has_no_tabs(address, open_page, taroky) -> None:
    """Its parts lie below each other, and a link closes the result."""
    page = open_page(java_script_enabled=False)
    page.goto(address(f"/deals/{taroky.pk}/replay/?step=20"))
    expect(page.get_by_role("tab")).to_have_count(0)
    for name in ("Moves", "Score", "View"):
        expect(page.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={RESULT}"))
    page.locator(".result").get_by_role("link", name="Close").click()
    expect(page.locator("#stage")).to_have_attribute("data-step", str(samples.LAST_STEP))


def test_the_buttons_do_not_jump(address, watched, store) -> None:
    """One can click through the play without moving the pointer."""
    watched.set_viewport_size({"width": 1280, "height": 1400})
    for table in (("troggu", 8), ("grosstarock", 4)):
        (deal,) = store(samples.as_text(samples.simulated(*table, seed=4)))
        watched.goto(address(f"/deals/{deal.pk}/replay/?step=14"))
        button = watched.locator("#go-next")
        before = button.bounding_box()
        for step in range(15, 22):
            button.click()
            step_is(watched, step)
        assert button.bounding_box() == before, table
