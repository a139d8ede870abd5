"""The table in the window: whatever the window's size and the number of seats, all of it is in sight."""

from collections import defaultdict

import pytest
from playwright.sync_api import Page, expect

from archive.shown import ShownDeal
from tests.support import samples

from .conftest import Address
from .measures import box_of
from .panel import open_tab

pytestmark = pytest.mark.browser

SIZES = [(360, 640), (390, 844), (740, 340), (640, 400), (1366, 625), (1280, 800), (2560, 1440)]
"""A phone upright and on its side, a laptop, magnified to twice the size too, a large screen."""
TABLES = [("strohmann", 2), ("grosstarock", 2), ("grosstarock", 3), ("taroky", 4)] + [
    ("troggu", players) for players in (5, 6, 7, 8)
]
MEASURE = """() => {
    const wrong = [];
    const words = part => part.closest("[data-card]")?.dataset.card ?? part.textContent.trim().slice(0, 30);
    const box = part => part.getBoundingClientRect();
    const all = where => Array.from(document.querySelectorAll(where)).filter(part => part.checkVisibility());
    const beyond = (part, edge, by) => {
        const { left, top, right, bottom, width } = box(part);
        return width && (left < edge.left - by || top < edge.top - by || right > edge.right + by
            || bottom > edge.bottom + by);
    };
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const name = part => `${part.getAttribute("class")} ${words(part)}`;
    for (const part of all(".trick :is(.card, .tag), .at-0 .card, .plate, .bar-foot, .controls > *"))
        if (beyond(part, window_, 0.5)) wrong.push(`not in the window: ${name(part)}`);
    if (scrollY || document.documentElement.scrollWidth > innerWidth) wrong.push("scrolled, or too wide");

    const table = box(document.querySelector(".table-box"));
    for (const part of all(".table :is(.card, .plate, .tag, .says, .bubble, .label, .trick-title)"))
        if (beyond(part, table, 1)) wrong.push(`sticks out: ${name(part)}`);

    const plays = all(".trick li");
    for (const play of plays)
        for (const other of plays) {
            if (play === other) continue;
            const tag = box(other.querySelector(".tag"));
            if (meet(box(play.querySelector(".card")), tag) || meet(box(play.querySelector(".tag")), tag))
                wrong.push(`${words(play)} covers the tag of ${words(other)}`);
        }
    for (const play of plays)
        for (const plate of all(".plate"))
            if (meet(box(play.querySelector(".card")), box(plate)))
                wrong.push(`${words(play)} lies on ${words(plate)}`);

    for (const card of all(".talon .card, .talon .label"))
        for (const part of all(".trick .card, .trick .tag, .auction li"))
            if (meet(box(card), box(part))) wrong.push(`the talon, ${words(card)}, lies on ${words(part)}`);

    for (const card of all(".at-0 .hand li, .at-0 .pile li"))
        if (box(card).width < 6) wrong.push(`cannot be seen: ${words(card)}`);
    for (const card of all(".pile li"))
        if (box(card).width < 0.28 * box(card.querySelector(".card")).width)
            wrong.push(`its index is covered: ${words(card)}`);
    for (const card of all(".trick .card"))
        if (box(card).width < 36) wrong.push(`is too small: ${words(card)}`);
    return { wrong, foot: document.querySelector(".bar-foot").offsetHeight };
}"""


def middle_of(page: Page, deal: ShownDeal, address: Address) -> int:
    """The first step in the middle of a trick, of those that the script steps through."""
    frames = page.request.get(address(f"/deals/{deal.pk}/frames.json")).json()["frames"]
    return next(n for n, frame in enumerate(frames) if len(frame["trick"]["plays"]) > 1)


def go_to(page: Page, step: int) -> None:
    page.get_by_label("Step", exact=True).fill(str(step))
    expect(page.locator("#stage")).to_have_attribute("data-step", str(step))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_all_of_it_is_in_sight(address, watched, store, game, players) -> None:
    """In the middle of a trick; at its end and in the next one on some of the screens, and there the bar is
    as high as before."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=8)))
    middle = middle_of(watched, deal, address)
    watched.emulate_media(reduced_motion="reduce")  # cards in flight lie nowhere
    watched.goto(address(f"/deals/{deal.pk}/replay/?step={middle}"))
    watched.wait_for_load_state("networkidle")
    wrong, feet = {}, defaultdict(set)
    for step in sorted({middle, middle + players - 2, middle + players - 1}):
        go_to(watched, step)
        for size in SIZES if step == middle else SIZES[::3]:
            watched.set_viewport_size({"width": size[0], "height": size[1]})
            found = watched.evaluate(MEASURE)
            if found["wrong"]:
                wrong[size, step] = found["wrong"]
            feet[size].add(found["foot"])
    assert wrong == {}
    assert {size for size, heights in feet.items() if len(heights) > 1} == set()


@pytest.mark.parametrize(
    ("game", "players"), [("strohmann", 2), ("taroky", 4), ("grosstarock", 4), ("troggu", 8)]
)
def test_to_magnify_a_page_makes_no_card_smaller(address, watched, store, game, players) -> None:
    """A window of 1280 × 800 at twice and four times the size, which leaves half and a quarter of it: cards
    are about as large on the screen, the bar is in the window, and nobody has to scroll to it."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=8)))
    watched.goto(address(f"/deals/{deal.pk}/replay/?step={middle_of(watched, deal, address)}"))
    size: dict[int, tuple[float, float]] = {}
    for times in (1, 2, 4):
        watched.set_viewport_size({"width": 1280 // times, "height": 800 // times})
        hand, trick, foot = watched.evaluate(
            """[".at-0 .hand .card", ".trick .card", ".bar-foot"].map(
                where => document.querySelector(where).getBoundingClientRect()
            ).map((box, number) => number < 2 ? box.width : box.bottom)"""
        )
        size[times] = (hand * times, trick * times)
        assert foot <= 800 / times
        for button in ("previous", "next"):
            expect(watched.locator(f"#go-{button}")).to_be_in_viewport(ratio=1)
    for part in (0, 1):
        assert size[2][part] >= 0.9 * size[1][part], size
        assert size[4][part] >= 0.55 * size[1][part], size


def test_on_a_phone_on_its_side_the_table_has_the_whole_height(replay) -> None:
    """The bar is at its side, and the panel comes from there."""
    page = replay(f"step={samples.FIRST_CARD + 3}", (740, 340))
    table, bar = (box_of(page.locator(part)) for part in (".table-box", ".bar-foot"))
    assert (table["y"], table["height"]) == (0, 340)
    assert bar["x"] >= table["width"] >= 740 * 0.7
    open_tab(page, "Score")
    panel = box_of(page.locator("#panel"))
    assert (panel["y"], panel["height"]) == (0, 340)
    page.locator("#close-panel").click()
    expect(page.locator("#panel")).to_be_hidden()


def test_on_a_large_screen_words_are_larger_too(replay) -> None:
    """On the table, in the bar and in the panel, by a third at least."""
    page, found = replay("step=2"), []
    for width, height in ((1440, 900), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        found.append(page.evaluate(
            """[".plate", ".auction", ".bubble", ".trick-title", "#happened", "#moves", ".tabs button"]
                .map(part => parseFloat(getComputedStyle(document.querySelector(part)).fontSize))"""
        ))  # fmt: skip
    for small, large in zip(*found, strict=True):
        assert large >= 1.33 * small, found


def test_the_result_hides_no_trick_and_can_be_closed(replay) -> None:
    """It is next to the last trick, with all points visible; a button or the key closes it."""
    last = samples.LAST_STEP + 1
    for size in ((1280, 800), (390, 844), (740, 340)):
        page = replay(f"step={last}", size)
        page.wait_for_load_state("networkidle")
        result = box_of(page.locator(".result"))
        for card in page.locator(".trick .card").all():
            box = box_of(card)
            beside = box["x"] + box["width"] <= result["x"] or result["x"] + result["width"] <= box["x"]
            assert beside or box["y"] + box["height"] <= result["y"], size
        for row in page.locator(".finals li").all():
            expect(row).to_be_in_viewport(ratio=1)
        for close in ("key", "button"):
            if close == "key":
                page.keyboard.press("Escape")
            else:
                page.keyboard.press("End")
                page.locator(".result").get_by_role("link", name="Close").click()
            expect(page.locator(".result")).to_have_count(0)
            expect(page.locator("#stage")).to_have_attribute("data-step", str(last - 1))


CUT_NAMES = """Array.from(document.querySelectorAll(".seat-name"))
    .filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"""
CUT_SPEECH = """Array.from(document.querySelectorAll(".bubble:not([hidden]) > span"))
    .filter(said => said.scrollHeight > said.clientHeight + 1).map(said => said.textContent)"""


def test_every_name_is_whole_on_a_laptop(address, watched, store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("troggu", 8, seed=6)))
    watched.set_viewport_size({"width": 1366, "height": 625})
    watched.goto(address(f"/deals/{deal.pk}/replay/?step=1"))
    watched.wait_for_load_state("networkidle")
    for step in (0, 5, 30, 60):
        go_to(watched, step)
        assert watched.evaluate(CUT_NAMES) == [], step


@pytest.mark.parametrize("table", [(), ("taroky", 4), ("troggu", 6), ("troggu", 8)], ids=str)
def test_names_and_speech_are_read_to_their_end_on_a_phone(address, watched, store, table) -> None:
    """Next to who deals, leads, declares and is to act; speech bubbles cut no word, and stay on the table."""
    (deal,) = store(samples.as_text(samples.simulated(*table, seed=6)) if table else samples.ANNOTATED)
    watched.set_viewport_size({"width": 360, "height": 640})
    watched.goto(address(f"/deals/{deal.pk}/replay/"))
    for step in range(1, 15):
        watched.keyboard.press("ArrowRight")
        expect(watched.locator("#stage")).to_have_attribute("data-step", str(step))
        assert step > 12 or not table or watched.evaluate(CUT_NAMES) == [], step
        if table != ("troggu", 6):
            assert watched.evaluate(CUT_SPEECH) == [], step
            assert not [found for found in watched.evaluate(MEASURE)["wrong"] if "bubble" in found]


def test_what_is_wrong_is_read_to_its_end(address, watched, store) -> None:
    """At the step of the fault the bar has room for it."""
    (deal,) = store(samples.ILLEGAL)
    watched.goto(address(f"/deals/{deal.pk}/replay/?step={samples.ILLEGAL_EVENT + 1}"))
    for width, height in ((1280, 800), (390, 844)):
        watched.set_viewport_size({"width": width, "height": height})
        room, words = watched.locator("#status").evaluate("box => [box.clientHeight, box.scrollHeight]")
        assert words <= room + 1, width
