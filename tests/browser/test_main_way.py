"""The main way: the front page, upload a file, see the verdict come, step through the replay, read the
audit."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import samples

pytestmark = pytest.mark.browser


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


def test_an_upload_shows_how_far_it_is(live_worker, address, watched, deals_file) -> None:
    """With the worker away the page waits; when it is back all comes, in the same document."""
    live_worker.stop()
    watched.goto(address("/upload/"))
    watched.get_by_label("Or choose files", exact=True).set_input_files(deals_file)
    watched.get_by_role("button", name="Upload").click()
    expect(watched.locator("#results")).to_contain_text("0 % stored")
    watched.evaluate("window.sameDocument = true")
    live_worker.start()
    expect(watched.locator("#results")).to_contain_text("2 deals stored")
    expect(watched.locator("#results progress")).to_have_count(0)
    expect(watched.locator("[data-live]")).to_contain_text("3 records read 2 deals stored")
    assert watched.evaluate("window.sameDocument") is True


def test_without_scripts(live_worker, address, open_page, deals_file) -> None:
    """The same way with scripts switched off: forms and links."""
    page = open_page(java_script_enabled=False)
    live_worker.stop()
    page.goto(address("/upload/"))
    page.locator('input[type="file"]').set_input_files(deals_file)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#results")).to_contain_text("0 % stored")
    live_worker.start()
    # The page loads itself again as long as something waits.
    expect(page.locator("#results")).to_contain_text("2 deals stored")
    expect(page.locator(".item-stored").first).to_contain_text("Verified")
    page.locator(".item-stored").first.get_by_role("link", name=re.compile("deal")).click()
    page.locator("#verdict").get_by_role("link", name="Replay").click()
    page.get_by_role("link", name="Next step").click()
    expect(page.locator("#happened")).to_contain_text("Alena bids First Duty.")
    page.get_by_role("link", name="Next trick").click()
    expect(page).to_have_url(re.compile(r"\?step=4$"))
    page.get_by_role("link", name="End", exact=True).click()
    expect(page.locator("#happened")).to_contain_text("The deal is over.")
    page.locator("#moves").get_by_role("link", name=re.compile(r"^Alena XVII\b")).click()
    expect(page.locator("#happened")).to_contain_text("Alena plays tarock XVII.")
    page.get_by_label("Who sees what").get_by_role("link", name="Bořek").click()
    expect(page).to_have_url(re.compile(r"view=B"))
    expect(page.locator(".hand.closed")).to_have_count(3)
    page.get_by_role("button", name="Go").click()
    expect(page).to_have_url(re.compile(r"view=B&step=\d+$"))
    page.get_by_role("link", name="Audit").click()
    expect(page.locator("tfoot")).to_contain_text("+105")


def test_dropping_a_file(address, watched, transactional_db) -> None:
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


def test_an_account_and_its_token(address, watched, transactional_db) -> None:
    watched.goto(address("/accounts/signup/"))
    watched.get_by_label("Username").fill("eva")
    watched.get_by_label("Password", exact=True).fill("tarock and tea")
    watched.get_by_label("Password (again)").fill("tarock and tea")
    watched.get_by_role("button", name="Sign Up").click()
    watched.get_by_text("eva", exact=True).click()
    watched.get_by_role("link", name="API tokens").click()
    watched.get_by_label("Name").fill("my script")
    watched.get_by_label("Send deals").check()
    watched.get_by_role("button", name="Create a token").click()
    token = watched.locator("#token").inner_text()
    assert re.fullmatch(r"tarock_[0-9a-f]{48}", token)
    watched.reload()  # asks again with a GET: the token is not shown a second time
    watched.goto(address("/accounts/token/"))
    expect(watched.locator("main")).not_to_contain_text(token)


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
