"""The ways to look at a replay in a browser: keys, switches, guessing, the chart."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import samples

from .measures import fits, violations
from .panel import open_tab
from .test_replay import step_is

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD
A_FIRST = samples.FIRST_SEEN["A"]
VIEWS = {
    "open": "?step=40", "seat": "?view=B&step=40", "hidden": "?hands=none&step=40",
    "spoiler-free": "?spoilers=off&step=40", "guess": f"?view=A&guess=1&step={A_FIRST + 4}",
    "guessed": f"?view=A&guess=1&step={A_FIRST + 4}&pick=T17", "result": f"?step={samples.LAST_STEP + 1}",
    "end": f"?spoilers=off&step={samples.LAST_STEP + 1}",
}  # fmt: skip
PANELS = "open", "guessed", "end", "illegal", "troggu-8-end"
"""Screens on which the content of the panel differs."""


def test_h_hides_the_hands_and_f_goes_from_seat_to_seat(replay) -> None:
    page = replay("step=20")
    page.keyboard.press("h")
    # `wait_for_url` also waits for the scripts, without which a key or a tap on a plate does nothing.
    # Two steps fewer are seen by all: nobody hears who passes up a raise.
    page.wait_for_url(re.compile(r"[?&]hands=none.*&step=18$"))
    expect(page.locator(".hand:not(.closed)")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]hands=none.*&step=19$"))
    page.keyboard.press("h")
    page.wait_for_url(re.compile(r"[?&]step=21$"))
    expect(page.locator(".hand.closed")).to_have_count(0)
    replay("view=B&step=20")
    page.keyboard.press("f")
    page.wait_for_url(re.compile(r"\?view=C&step=20$"))
    # A plate leads to the view of its seat at the same step, and from there back to all hands.
    replay("step=30")
    page.locator('.seat[data-seat="C"] .plate').click()
    page.wait_for_url(re.compile(r"view=C"))
    expect(page.locator(".seat.at-0")).to_have_attribute("data-seat", "C")
    page.locator('.seat[data-seat="C"] .plate').click()
    step_is(page, 30)
    expect(page.locator(".is-view")).to_have_count(0)


def test_f_passes_over_who_sits_out(address, watched, store) -> None:
    """Without a chosen seat, it isn't the nearest one that sits out, either."""
    deals = store(samples.as_text(samples.simulated("grosstarock", 4, number=2)))
    for deal in deals:
        watched.goto(address(f"/deals/{deal.pk}/replay/"))
        for _turn in range(4):
            expect(watched.locator(".seat.at-0 .hand")).to_be_visible()
            watched.keyboard.press("f")
            watched.wait_for_url(re.compile("view="))


def test_spoiler_free_to_the_end(replay) -> None:
    """The slider ends where one is; nothing leads to the result before the last card."""
    page = replay(f"step={samples.LAST_STEP - 2}")
    open_tab(page, "View")
    page.get_by_role("link", name="Spoiler-free").click()
    step_is(page, samples.LAST_STEP - 2)
    for step in (samples.LAST_STEP - 1, samples.LAST_STEP, samples.LAST_STEP + 1):
        expect(page.get_by_role("link", name="The score, line by line")).to_have_count(0)
        page.keyboard.press("ArrowRight")
        step_is(page, step)
    expect(page.get_by_role("link", name="The score, line by line")).to_be_visible()
    open_tab(page, "Score")
    expect(page.locator("#chart")).to_be_visible()


def test_guessing(replay) -> None:
    page = replay(f"view=A&guess=1&step={A_FIRST + 4}")
    page.locator(".picks a").first.click()
    expect(page.locator(".guess-result")).to_contain_text("Alena played")
    expect(page.locator("#stage")).to_have_attribute("data-step", str(A_FIRST + 4))
    page.evaluate("localStorage.setItem('speed', '500')")
    page.get_by_role("link", name="Continue").click()
    # In trick 3 A has only one legal card. The script goes past it by itself, and stops at the choice.
    expect(page.locator("#stage")).to_have_attribute("data-step", str(A_FIRST + 12))
    expect(page.locator(".picks a").first).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    expect(page.locator(".tally")).to_have_text("Right so far: 0 of 1")


def test_the_next_play_to_guess_comes_with_the_steps(replay) -> None:
    """The question changes from step to step, and no frame of later events is there."""
    page = replay(f"view=A&guess=1&step={A_FIRST + 4}")
    page.wait_for_load_state("networkidle")
    expect(page.locator(".picks a").first).to_be_visible()
    words = {
        A_FIRST + 5: "It is not Alena’s turn.",
        A_FIRST + 10: "Alena has no choice: only one card may be played.",
        A_FIRST + 12: "Which card would you play as Alena?",
    }
    for step in range(A_FIRST + 5, A_FIRST + 13):
        page.keyboard.press("ArrowRight")
        step_is(page, step)
        if step in words:
            expect(page.locator("#guess")).to_contain_text(words[step])
    # The card to guess has not been sent.
    page.wait_for_load_state("networkidle")
    expect(page.locator("#moves a").last).to_have_attribute("data-go", str(A_FIRST + 12))


def test_spoiler_free_steps_are_fetched_by_and_by(replay, watched) -> None:
    """They are fetched trick by trick, before the reader needs them; keys pressed in the meantime are not
    lost."""
    page = watched
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "frames.json" in request.url else None)
    replay(f"spoilers=off&step={FIRST - 3}")
    for _key in range(14):
        page.keyboard.press("ArrowRight")
    step_is(page, FIRST + 11)
    page.keyboard.press("PageDown")
    step_is(page, FIRST + 12)
    page.wait_for_load_state("networkidle")
    assert 6 <= len(fetched) <= 10
    assert page.locator("#seek").get_attribute("max") == str(FIRST + 16)
    assert page.locator(f'#moves a[data-go="{FIRST + 17}"]').count() == 0
    assert page.locator("#chart").is_hidden()


def test_the_chart_leads_to_its_tricks(replay) -> None:
    page = replay(f"step={FIRST}")
    open_tab(page, "Score")
    page.locator(".chart svg a").nth(4).click()
    step_is(page, FIRST + 20)
    expect(page.locator(".chart svg a.current")).to_have_count(1)
    page.locator("#details-account summary").click()
    page.locator(".account-table").get_by_role("link", name="7", exact=True).click()
    step_is(page, FIRST + 28)


def test_the_commentary_is_told(replay, taroky) -> None:
    page = replay(f"step={FIRST + 13}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#announcer")).to_contain_text("must follow suit (diamonds)")
    # The link to its clause is for the eye.
    expect(page.locator("#status")).to_contain_text("Following suit")
    expect(page.locator("#announcer")).not_to_contain_text("Following suit")
    expect(page.locator("#remark a")).to_have_attribute("href", re.compile("taroky.follow"))


def test_every_address_opens_where_it_points(replay) -> None:
    for query in VIEWS.values():
        page = replay(query.removeprefix("?"))
        step = int(query.partition("step=")[2].partition("&")[0])
        expect(page.locator("#stage")).to_have_attribute("data-step", str(step))
        if step <= samples.LAST_STEP:
            page.locator("#go-next").click()
            expect(page.locator("#stage")).to_have_attribute("data-step", str(step + 1))
            for part in ("view=B", "hands=none", "spoilers=off", "guess=1"):
                assert part not in query or part in page.url


def test_every_way_to_look_is_for_everybody(address, open_page, taroky, store) -> None:
    """Nothing that axe complains of, nothing that sticks out, on a phone and on a large screen in the dark,
    also with all details open. `test_look.py` has the other pages."""
    (misere,) = store(samples.as_text(samples.simulated("troggu", 8, seed=6)))
    (illegal,) = store(samples.ILLEGAL)
    (gross,) = store(samples.as_text(samples.simulated("grosstarock", 3, seed=6)))
    paths = {name: f"/deals/{taroky.pk}/replay/{query}" for name, query in VIEWS.items()}
    paths |= {
        "illegal": f"/deals/{illegal.pk}/replay/?step={samples.ILLEGAL_EVENT + 1}",
        "troggu-8-end": f"/deals/{misere.pk}/replay/?step=999",
        "grosstarock-end": f"/deals/{gross.pk}/replay/?step=999",
        "audit-gross": f"/deals/{gross.pk}/audit/",
    }
    page = open_page(reduced_motion="reduce")  # new colours, and the panel, are there at once
    found = {}
    for name, path in paths.items():
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(address(path))
        page.wait_for_load_state("networkidle")
        for part in page.locator("details:not(.menu)").all():
            part.evaluate("part => { part.open = true; }")
        found[name] = violations(page)
        for tab in ("Moves", "Score", "View") if name in PANELS else ():
            open_tab(page, tab)
            found[f"{name}, {tab}"] = violations(page, within="#panel")
        found[f"{name}, width"] = [] if fits(page) else ["sticks out"]
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 1280, "height": 844})
        found[f"{name}, large"] = violations(page, only_colours=True) + ([] if fits(page) else ["sticks out"])
    assert not any(found.values()), {name: wrong for name, wrong in found.items() if wrong}
