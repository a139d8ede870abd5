"""Another card tried in the browser: variations with their sheets, saved, seen by a stranger, embedded."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from archive.kernel import solver
from archive.models import GuestVariations, Variations
from tarock.analysis.endings import ending
from tarock.notation import read_one
from tests.engine.test_variations import REVOKE, SKYZ, TEN
from tests.support import samples

from .accounts import be, new_user
from .conftest import Address
from .measures import complaints_of, fits, violations
from .panel import open_panel

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def key(page: Page, name: str) -> Locator:
    return page.locator(f'[data-key="{name}"]')


SETTLED = """step => document.getElementById("stage").dataset.moves > step
    && document.querySelectorAll("#table .tap[data-first]").length !== 1"""
"""Whether the deal is past a step, and there is not only one legal card, which the page plays."""


def play(page: Page, events: list[list[str]]) -> int:
    """Tap cards one after the other, except those that are played because nothing else is legal. Return the
    step at the end."""

    def step() -> int:
        return int(page.locator("#stage").get_attribute("data-moves") or 0)

    for number, event in enumerate(events, step()):
        if step() == number:
            key(page, f"play {event[2]}").click()
            page.wait_for_function(SETTLED, arg=number)
    return step()


def open_replay(page: Page, address: Address, deal: int, step: int) -> None:
    """From the replay at a step to the board."""
    page.goto(address(f"/deals/{deal}/replay/?step={step}"))
    link = page.get_by_role("link", name="Try another card")
    open_panel(page)
    link.click()
    expect(page.locator(f'#stage[data-moves="{step}"]')).to_be_attached()


def test_what_each_card_is_worth_without_network(address, store, open_page) -> None:
    """Only when asked for; the browser's values are the server's."""
    (deal,) = store(samples.TAROKY)
    record = read_one(samples.TAROKY)
    page = open_page(viewport={"width": 390, "height": 844}, locale="en")

    def assert_values(step: int) -> None:
        values = ending(record, step, solver=solver.solve).values
        expect(page.locator(f'#stage[data-moves="{step}"]')).to_be_attached()
        for card, value in (values or {}).items():
            worth = f"+{value}" if value > 0 else f"{value}".replace("-", "−")
            expect(key(page, f"play {card}")).to_have_attribute(
                "aria-label", re.compile(f", worth \\{worth}$")
            )
        expect(page.locator(".worth")).to_have_count(len(values or {}))

    page.goto(address(f"/deals/{deal.pk}/try/?step=47"))
    expect(page.locator('#stage[data-moves="47"]')).to_be_attached()
    expect(page.locator(".worth")).to_have_count(0)
    page.keyboard.press("v")
    expect(key(page, "values")).to_contain_text("Best for", timeout=200_000)
    assert_values(47)
    assert violations(page) == []
    assert fits(page)
    page.context.set_offline(True)
    page.keyboard.press("k")
    assert_values(46)
    page.keyboard.press("Home")
    expect(key(page, "values")).to_contain_text("once the first trick has begun")
    key(page, "move 19").dispatch_event("click")
    expect(key(page, "values")).to_contain_text("the last 8 tricks")
    page.keyboard.press("v")
    expect(key(page, "values")).to_have_count(0)


def test_three_variations_saved_linked_and_embedded(address, store, open_page) -> None:
    """The Škýz in trick 8 brings A and D a point more (61 − 35 = 26); the 10 of spades makes no difference;
    the third is a revoke, typed."""
    (deal,) = store(samples.TAROKY)
    viewport: Any = {"width": 390, "height": 844}
    page = open_page(color_scheme="dark", viewport=viewport, locale="en")
    complaints = complaints_of(page)
    be(page.context, address, new_user("alena"))
    open_replay(page, address, deal.pk, 47)
    expect(key(page, "play T13")).to_have_attribute("aria-label", re.compile("As it was played"))
    near = page.locator(".seat.at-0").get_attribute("data-seat")
    play(page, SKYZ["events"][:-4])
    # The last card of each player is played without a tap, and the table has not turned.
    expect(page.locator(f'#stage[data-moves="{samples.LAST_STEP}"]')).to_be_attached()
    assert page.locator(".seat.at-0").get_attribute("data-seat") == near
    line = key(page, "line 1")
    expect(line).to_contain_text("Alena +106")
    expect(page.locator(".compared tfoot")).to_have_text(re.compile(r"Together\s*\+1\s*−1\s*−1\s*\+1"))
    expect(page.locator(".compared tbody tr")).to_have_count(1)
    assert violations(page) == []
    open_panel(page)
    key(page, "edit 1").click()
    key(page, "name 1").fill("Škýz")
    key(page, "name 1").blur()
    expect(line).to_contain_text("Škýz")
    key(page, f"move {TEN['step'] - 1}").click()
    expect(page.locator(f'#stage[data-moves="{TEN["step"]}"]')).to_be_attached()
    page.keyboard.press("Escape")
    play(page, TEN["events"])
    expect(page.locator(".compared")).to_contain_text("+106")
    expect(key(page, "line 2")).to_contain_text("Alena +106")
    open_panel(page)
    key(page, "line 0").click()
    expect(key(page, "line 0")).to_have_attribute("aria-pressed", "true")
    key(page, f"move {REVOKE['step'] - 1}").click()
    expect(page.locator(f'#stage[data-moves="{REVOKE["step"]}"]')).to_be_attached()
    key(page, "event").fill("S10")
    key(page, "enter").click()
    expect(key(page, "finding")).to_contain_text("must follow suit")
    expect(key(page, "line 3")).to_contain_text("Illegal")
    expect(page.locator(".variations li")).to_have_count(4)
    key(page, "visibility").select_option("link")
    key(page, "save-lines").click()
    expect(key(page, "link")).to_be_visible()
    link, embed = key(page, "link").input_value(), key(page, "embed").input_value()
    saved = Variations.objects.get()
    assert [one["from"] for one in saved.lines] == [0, 1, 0]
    assert (saved.lines[0]["name"], saved.lines[0]["events"]) == ("Škýz", SKYZ["events"])
    assert complaints == []
    # A stranger has the link: he sees them, goes on as he likes, and changes nothing.
    other = open_page(viewport=viewport, locale="en")
    other.goto(link)
    expect(other.locator('#stage[data-moves="47"]')).to_be_visible()
    expect(key(other, "about")).to_be_in_viewport()
    expect(key(other, "about")).to_have_text(re.compile(r"Škýz by alena.*Alena \+1.*Dana \+1"))
    expect(key(other, "line 1")).to_contain_text("Alena +106")
    expect(other.locator(".variations")).to_contain_text("by alena")
    open_panel(other)
    key(other, "line 2").click()
    other.keyboard.press("Escape")
    key(other, "undo").click()
    open_panel(other)
    expect(key(other, "copy")).to_be_visible()
    source = re.search(r'src="([^"]+)"', embed)
    assert source is not None
    other.goto(source[1])
    expect(other.locator("main")).to_contain_text("As it was played")
    expect(other.locator("#line-1")).to_contain_text("Škýz")


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_a_guest_shares_what_was_typed_last(address, store, open_page, touch) -> None:
    """Name and comment are typed one after the other, and the comment has the focus when the guest shares
    them."""
    (deal,) = store(samples.TAROKY)
    viewport: Any = {"width": 360, "height": 640}
    page = open_page(viewport=viewport, has_touch=touch, locale="en")
    open_replay(page, address, deal.pk, 47)
    expect(page.locator("#status")).to_contain_text("To begin a variation")
    play(page, SKYZ["events"])
    open_panel(page)
    key(page, "edit 1").click()
    key(page, "name 1").press_sequentially("With the Škýz")
    key(page, "comment 1").click()
    page.keyboard.type("Bořek was")
    key(page, "name 1").press("Tab")
    page.keyboard.press("End")
    page.keyboard.type(" out of hearts.")
    share = key(page, "save-lines")
    share.tap() if touch else share.click()
    expect(key(page, "link")).to_be_visible()
    (line,) = GuestVariations.objects.get().lines
    assert (line["name"], line["comment"]) == ("With the Škýz", "Bořek was out of hearts.")
    link = key(page, "link").input_value()
    friend = open_page(viewport=viewport, has_touch=touch, locale="en")
    friend.goto(link)
    for text in ("With the Škýz", "by a guest", "Bořek was out of hearts.", "Alena +1"):
        expect(key(friend, "about").get_by_text(text)).to_be_in_viewport()
    key(page, "unsave").click()
    expect(key(page, "link")).to_have_count(0)
    friend.reload()
    expect(friend.locator("main")).to_contain_text("Page not found")


def test_an_illegal_try_is_taken_back(address, store, page) -> None:
    """It leaves no variation; one that began with other cards loses only the illegal one."""
    (deal,) = store(samples.TAROKY)
    for events in ([], SKYZ["events"][:3]):
        open_replay(page, address, deal.pk, 47)
        end = play(page, events)
        seat = page.locator(".seat.on-turn")
        seat.locator(".tap[aria-label*='against the rules']").last.click()
        expect(key(page, "finding")).to_be_visible()
        key(page, "undo-finding").click()
        expect(page.locator(".variations li")).to_have_count(2 if events else 1)
        expect(page.locator("#stage")).to_have_attribute("data-moves", str(end))
        expect(page.locator(".variations")).not_to_contain_text("Illegal")


def test_what_is_tried_stays_on_the_device(address, store, page) -> None:
    """Nothing is sent; who deletes a variation can take that back; what goes out from it goes with it."""
    (deal,) = store(samples.TAROKY)
    open_replay(page, address, deal.pk, 47)
    play(page, SKYZ["events"][:3])
    open_panel(page)
    key(page, "move 48").click()
    expect(page.locator('#stage[data-moves="49"]')).to_be_attached()
    play(page, [["A", "play", "T9"]])
    expect(page.locator(".variations li")).to_have_count(3)
    page.reload()
    expect(page.locator(".variations li")).to_have_count(3)
    open_panel(page)
    key(page, "edit 1").click()
    key(page, "remove 1").click()
    expect(page.locator(".variations li")).to_have_count(1)
    page.locator("#live").get_by_role("button", name="Undo").click()
    expect(page.locator(".variations li")).to_have_count(3)
    assert not Variations.objects.exists()


def test_who_looked_through_one_seat_opens_the_hands_first(address, store, page) -> None:
    (deal,) = store(samples.TAROKY)
    page.goto(address(f"/deals/{deal.pk}/replay/?view=B&step=20"))
    page.get_by_role("link", name="Try another card").click()
    expect(page.locator("#stage")).to_be_hidden()
    key(page, "open").click()
    expect(page.locator("#stage")).to_be_visible()
