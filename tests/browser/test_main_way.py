"""The main way: the front page, upload a file, see the verdict come, step through the replay, read the
audit."""

import re

import pytest
from playwright.sync_api import expect

from archive.storing import queue
from tests.support import samples
from tests.support.workers import Workers

pytestmark = pytest.mark.browser


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Workers:
    """Workers that don't work yet."""
    workers = Workers()
    workers.away = True
    monkeypatch.setattr(queue, "send", workers.send)
    return workers


def test_upload_verdict_replay_audit(live_worker, address, watched, deals_file) -> None:
    page = watched
    page.goto(address("/"))
    page.get_by_role("link", name="Upload deals").first.click()
    page.get_by_label("Or choose files", exact=True).set_input_files(deals_file)
    assert page.locator("#id_files").evaluate("input => input.files[0].name") == "evening.tgn"
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your upload")
    expect(page.locator("#results")).to_contain_text("2 deals stored")
    expect(page.locator("#results")).to_contain_text("Line 118, column 8")
    items = page.locator(".item-stored")
    expect(items.nth(0)).to_contain_text("Verified")
    expect(items.nth(1)).to_contain_text("Illegal")
    expect(page.locator("[data-poll]")).to_have_count(0)
    items.nth(0).get_by_role("link", name=re.compile("deal")).click()
    expect(page.locator("#verdict")).to_contain_text("Verified")
    expect(page.locator("#verdict")).to_contain_text("+105")
    page.locator("#verdict").get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/**")  # with its scripts, for the keys
    page.get_by_role("link", name="Next step").click()
    expect(page.locator("#happened")).to_contain_text("Alena bids First Duty.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#happened")).to_contain_text("Bořek passes.")
    page.keyboard.press("End")
    expect(page.locator("#happened")).to_contain_text("The deal is over.")
    expect(page.locator(".result")).to_contain_text("+105")
    expect(page).to_have_url(re.compile(rf"\?step={samples.LAST_STEP + 1}$"))
    page.get_by_role("link", name="Audit").click()
    expect(page.get_by_role("row", name=re.compile("Total"))).to_contain_text("+105")
    page.locator("summary", has_text="The game").click()
    expect(page.locator("details[open] .clause-box")).to_contain_text("more than 35 card points")


def test_an_upload_shows_how_far_it_is(away, address, watched, deals_file) -> None:
    """With the worker away the page waits; when it is back all comes, in the same document."""
    watched.goto(address("/upload/"))
    watched.get_by_label("Or choose files", exact=True).set_input_files(deals_file)
    watched.get_by_role("button", name="Upload").click()
    expect(watched.locator("#results")).to_contain_text("0 % stored")
    watched.evaluate("window.sameDocument = true")
    away.work()
    expect(watched.locator("#results")).to_contain_text("2 deals stored")
    expect(watched.locator("#results progress")).to_have_count(0)
    expect(watched.locator("[data-live]")).to_contain_text("3 records read 2 deals stored")
    assert watched.evaluate("window.sameDocument") is True


def test_an_upload_without_scripts(away, address, open_page, deals_file) -> None:
    """The page loads itself again as long as something waits. `tests/pages/` goes on from there."""
    page = open_page(java_script_enabled=False)
    page.goto(address("/upload/"))
    page.locator('input[type="file"]').set_input_files(deals_file)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#results")).to_contain_text("0 % stored")
    away.work()
    expect(page.locator("#results")).to_contain_text("2 deals stored")
    expect(page.locator(".item-stored").first).to_contain_text("Verified")


def test_dropping_a_file(address, watched) -> None:
    watched.goto(address("/upload/"))
    data = watched.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.tgn"));
            return data;
        }""",
        samples.ANNOTATED,
    )
    for event in ("dragenter", "dragover", "drop"):
        watched.dispatch_event("body", event, {"dataTransfer": data})
    assert watched.locator("#id_files").evaluate("input => input.files[0].name") == "dropped.tgn"
    watched.keyboard.press("Enter")
    expect(watched.locator("#results")).to_contain_text("dropped.tgn")
    expect(watched.locator("#results")).to_contain_text("1 deal stored")


def test_the_deal_plays_by_itself_and_can_be_stopped(address, watched, taroky) -> None:
    """Card by card to its end, where its points are; the address of the page stays what it is."""
    page = watched
    page.clock.install()
    page.goto(address("/"))
    button = page.locator("#opening-play")
    expect(button).to_have_accessible_name("Pause")
    expect(page.locator("#opening-end")).to_be_hidden()
    beginning = page.locator("#status").inner_text()
    page.clock.run_for(200)
    expect(page.locator(".trick li")).to_have_count(1)
    button.click()
    expect(button).to_have_accessible_name("Play")
    words = page.locator("#status").inner_text()
    page.clock.run_for(20_000)
    assert page.locator("#status").inner_text() == words
    button.click()
    for _ in range(80):
        page.clock.run_for(8_000)
        if page.locator("#opening-end").is_visible():
            break
    expect(page.locator("#status")).to_contain_text("The deal is over.")
    expect(page.locator("#opening-end")).to_contain_text("+105")
    assert page.url == address("/")
    button.click()
    expect(page.locator("#status")).to_have_text(beginning, use_inner_text=True)
    expect(page.locator("#opening-end")).to_be_hidden()


def test_nothing_moves_where_motion_is_not_wished(address, open_page, taroky) -> None:
    """The animation waits until the user starts it."""
    page = open_page(reduced_motion="reduce")
    page.clock.install()
    page.goto(address("/"))
    button = page.locator("#opening-play")
    expect(button).to_have_accessible_name("Play")
    words = page.locator("#status").inner_text()
    page.clock.run_for(20_000)
    assert page.locator("#status").inner_text() == words
    button.click()
    page.clock.run_for(5_000)
    expect(page.locator("#status")).not_to_have_text(words, use_inner_text=True)
