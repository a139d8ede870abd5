"""Mending a record in the browser: faults shown as one types, and nothing that was written is lost."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support import samples

from .conftest import Address

pytestmark = pytest.mark.browser

FAULTY = samples.DEALT_TWICE.replace("4. A DQ", "4. E DQ")


def to_the_editor(page: Page, address: Address) -> None:
    """Send a faulty record, and come from its result to the editor."""
    page.goto(address("/upload/"))
    page.get_by_label("Type or paste deals").fill(FAULTY)
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("link", name=re.compile("Edit and send again")).click()
    expect(page.locator(".faults > li")).to_have_count(2)


def test_a_record_is_mended_and_sent(address, watched) -> None:
    page = watched
    to_the_editor(page, address)
    field, lines = page.get_by_label("The record"), page.locator(".gutter")
    # No line overflows the field; the numbers are next to the lines although these are wrapped.
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
        assert field.evaluate("f => f.scrollHeight") == lines.evaluate("lines => lines.scrollHeight")
    faulty = page.locator(".gutter .faulty")
    expect(faulty).to_have_count(2)
    expect(faulty.nth(1)).to_contain_text("4. E DQ")
    page.locator(".faults a[data-line]").nth(1).click()
    assert field.evaluate("f => f.value.slice(f.selectionStart, f.selectionEnd)") == "E"
    page.keyboard.type("A")
    expect(page.locator(".faults > li")).to_have_count(1)
    expect(faulty).to_have_count(1)
    page.locator(".faults a[data-line]").first.click()
    page.keyboard.type("SC")
    expect(page.locator("[data-result]")).to_contain_text("Verified")
    expect(page.locator("[data-result]")).to_contain_text("+105")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator("#results")).to_contain_text("1 deal stored")


def test_what_was_written_is_there_again(address, page) -> None:
    """After it was refused, and after the page was left."""
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    to_the_editor(page, address)
    here = page.url
    field = page.get_by_label("The record")
    field.fill(samples.DEALT_TWICE)
    page.get_by_role("button", name="Send again").click()
    expect(page.get_by_role("alert")).to_contain_text("can’t be read yet")
    assert field.input_value() == samples.DEALT_TWICE
    field.fill(samples.ANNOTATED)
    expect(page.locator("[data-result]")).to_contain_text("Verified")
    page.goto(address("/"))
    assert asked == ["beforeunload"]
    page.goto(here)
    assert field.input_value() == samples.ANNOTATED
    expect(page.get_by_text("Your unsent text is still here.")).to_be_visible()
    page.get_by_role("button", name="Discard it").click()
    assert field.input_value() == FAULTY
    expect(page.locator(".faults > li")).to_have_count(2)


def test_what_was_typed_before_the_script_is_checked(address, page) -> None:
    late: list[Route] = []
    page.goto(address("/upload/"))
    page.get_by_label("Type or paste deals").fill(FAULTY)
    page.get_by_role("button", name="Upload").click()
    page.route("**/editor*.js", lambda route: late.append(route))
    page.get_by_role("link", name=re.compile("Edit and send again")).click(no_wait_after=True)
    page.get_by_label("The record").fill(samples.ANNOTATED)
    expect(page.locator(".faults > li")).to_have_count(2)
    for one in late:
        one.continue_()
    expect(page.locator("[data-result]")).to_contain_text("Verified")


def test_deals_are_checked_where_they_are_sent(address, watched) -> None:
    """A sample is loaded, slips are corrected by taps, undone by the browser, and a sent text is no draft."""
    page = watched
    page.goto(address("/upload/"))
    result, field = page.locator("[data-result]"), page.get_by_label("Type or paste deals")
    page.locator("[data-sample]").nth(1).click()
    expect(result).to_contain_text("Verified")
    expect(page.locator("[data-samples]")).to_be_hidden()
    field.fill(samples.ANNOTATED.replace(" HQ", " HD").replace(" pass", " passt", 1))
    expect(result.locator(".faults [data-take]")).to_have_count(3)
    for left in (2, 1, 0):
        result.locator(".faults [data-take]").first.click()
        expect(result.locator(".faults [data-take]")).to_have_count(left)
    assert field.input_value() == samples.ANNOTATED
    expect(result).to_contain_text("Verified")
    field.press("Control+z")
    expect(result.locator(".faults [data-take]")).to_have_count(1)
    field.fill(samples.ANNOTATED.replace(" SK SJ", " SK SK SJ"))
    result.get_by_role("button", name="leave it out").click()
    expect(result).to_contain_text("Verified")
    assert field.input_value() == samples.ANNOTATED
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#results")).to_contain_text("1 deal stored")
    page.goto(address("/upload/"))
    expect(page.locator("[data-samples]")).to_be_visible()
    assert field.input_value() == ""
