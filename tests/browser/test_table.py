"""The table in the window: whatever the window's size and the number of seats, all of it is in sight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from archive.models import Deal
from tests.pages import samples

from .conftest import Site, Store

pytestmark = pytest.mark.browser

SIZES = [(360, 640), (390, 844), (1366, 625), (1280, 800), (2560, 1440)]
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


def frames(page: Page, deal: Deal, site: Site) -> list[dict[str, Any]]:
    """What the script steps through."""
    found: list[dict[str, Any]] = page.request.get(site(f"/deals/{deal.pk}/frames.json")).json()["frames"]
    return found


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_all_of_it_is_in_sight(site: Site, watched: Page, store: Store, game: str, players: int) -> None:
    """In the middle of a trick, and at the ten steps that follow; the bar is as high at every one."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=8)))
    tricks = [frame["trick"] for frame in frames(watched, deal, site)]
    middle = next(n for n, trick in enumerate(tricks) if len(trick["plays"]) > 1 or trick["done"])
    watched.emulate_media(reduced_motion="reduce")  # cards in flight lie nowhere
    wrong = {}
    for width, height in SIZES:
        watched.set_viewport_size({"width": width, "height": height})
        watched.goto(site(f"/deals/{deal.pk}/replay/?step={middle}"))
        feet = set()
        for step in range(middle, middle + 11):
            if step > middle:
                watched.keyboard.press("ArrowRight")
            expect(watched.locator("#stage")).to_have_attribute("data-step", str(step))
            found = watched.evaluate(MEASURE)
            if found["wrong"]:
                wrong[width, height, step] = found["wrong"]
            feet.add(found["foot"])
        assert len(feet) == 1, (width, height, feet)
    assert wrong == {}


@pytest.mark.parametrize(("game", "players"), [("taroky", 4), ("troggu", 5), ("troggu", 6), ("troggu", 8)])
def test_every_name_is_whole_on_a_phone(
    site: Site, watched: Page, store: Store, game: str, players: int
) -> None:
    """Beside who deals, leads, declares and is to act."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=6)))
    watched.set_viewport_size({"width": 360, "height": 640})
    watched.goto(site(f"/deals/{deal.pk}/replay/"))
    for step in range(1, 13):
        watched.keyboard.press("ArrowRight")
        expect(watched.locator("#stage")).to_have_attribute("data-step", str(step))
        cut = watched.evaluate(
            """Array.from(document.querySelectorAll(".seat-name"))
                .filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"""
        )
        assert cut == [], step
