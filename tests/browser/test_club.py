"""A club secretary's evening, told as it went: from signing up to the printed protocol, with a stranger, a
misspelt name, a wrong claim and an illegal deal in it."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one, write_text
from tests.support import samples

from .accounts import sign_up
from .conftest import Address
from .measures import sheets

pytestmark = pytest.mark.browser

SESSION = "Friday, table 2"
PLAYERS = {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"}


def numbered(record: Record, number: int, **other: object) -> Record:
    """A deal of the evening, with the score that the rules give."""
    tags = {"Session": SESSION, "Deal": str(number), "Date": "2026-11-20", "Site": "Hlučín"}
    return replace(record, **{"players": PLAYERS, "tags": tags, "score": check(record).score} | other)  # type: ignore[arg-type]


def the_evening() -> tuple[list[Record], list[str]]:
    """Three deals as they were played, and as they were written down: the first with a wrong claim, the
    second with a misspelt name, the third with a card that was not the one played."""
    first, second = samples.simulated("taroky", 4, 2, seed=11)
    right = [numbered(first, 1), numbered(second, 2), numbered(read_one(samples.ANNOTATED), 3)]
    wrong_claim = {"A": 7, "B": -7, "C": 0, "D": 0}
    assert wrong_claim != right[0].score
    misspelt = PLAYERS | {"B": "Borek"}
    written = [
        write_text(replace(right[0], score=wrong_claim)),
        write_text(replace(right[1], players=misspelt)),
        write_text(right[2]).replace("4. A DQ D1", "4. A DQ SK"),
    ]
    assert "4. A DQ SK" in written[2]
    return right, written


def upload(page: Page, address: Address, text: str, club: str = "") -> None:
    page.goto(address("/upload/"))
    if club:
        choice = page.get_by_label("Owner of these deals")
        choice.select_option(choice.locator("option", has_text=club).get_attribute("value"))
    page.get_by_label("Type or paste deals").fill(text)
    page.get_by_role("button", name="Upload").click()


def totals(page: Page) -> dict[str, int]:
    """The standings on the page, once it has come."""
    found = {}
    rows = page.locator(".places tbody tr")
    expect(rows).not_to_have_count(0)
    for row in rows.all():
        name, points = row.get_by_role("rowheader").inner_text(), row.locator(".points").inner_text()
        found[name.strip()] = int(points.replace("−", "-").replace("+", ""))
    return found


def correct_all_three(page: Page, deal: str, result: str, right: Record) -> None:
    """A wrong claim, a misspelt name, and an illegal deal, from the page of the upload's result."""
    # The wrong claim is corrected.
    page.goto(deal)
    page.get_by_role("link", name=re.compile("Correct names")).click()
    assert right.score is not None
    for seat, points in right.score.items():
        page.get_by_label(f"Points written down for seat {seat}").fill(str(points))
    page.get_by_role("button", name="Save the corrections").click()
    expect(page.locator("#verdict")).to_contain_text("Verified")
    expect(page.locator("#changes ~ ol")).to_contain_text("A=7")
    # The misspelt name is corrected.
    page.goto(result)
    page.locator(".item").nth(1).get_by_role("link", name=re.compile("deal")).click()
    page.get_by_role("link", name=re.compile("Correct names")).click()
    page.get_by_label("Player at seat B").fill("Bořek")
    page.get_by_role("button", name="Save the corrections").click()
    expect(page.locator("#verdict")).to_contain_text("Bořek")
    # The illegal deal is replaced by its corrected record.
    page.goto(result)
    page.locator(".item").nth(2).get_by_role("link", name=re.compile("Edit and send again")).click()
    field = page.get_by_label("The record")
    field.fill(field.input_value().replace("4. A DQ SK", "4. A DQ D1"))
    expect(page.locator("[data-result]")).to_contain_text("Verified")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator("#verdict")).to_contain_text("Verified")
    page.get_by_role("link", name=re.compile("The earlier one")).click()
    expect(page.locator("main")).to_contain_text("This record was replaced by a corrected one.")


def test_an_evening_of_the_club(address, watched, browser, tmp_path) -> None:
    right, written = the_evening()
    page = watched
    # The secretary signs up and starts his club.
    sign_up(page, address, "secretary")
    page.get_by_role("link", name="Clubs").first.click()
    page.get_by_role("link", name="Start a club").click()
    page.get_by_label("Club name").fill("Tarok Hlučín")
    page.get_by_role("button", name="Start the club").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tarok Hlučín")
    # He uploads the evening for it.
    upload(page, address, "\n".join(written), club="Tarok Hlučín")
    expect(page.locator("#results")).to_contain_text("3 deals stored")
    expect(page.locator("#results")).to_contain_text("Disputed")
    expect(page.locator("#results")).to_contain_text("must follow suit")
    result = page.url
    # A stranger sends a deal with the same session and names: it is no deal of the club.
    other = browser.new_context()
    stranger = other.new_page()
    sign_up(stranger, address, "stranger")
    upload(stranger, address, write_text(numbered(samples.simulated("taroky", 4, seed=12)[0], 4)))
    expect(stranger.locator("#results")).to_contain_text("1 deal stored")
    # He cannot change what the club says.
    deal = page.locator(".item").first.get_by_role("link", name=re.compile("deal")).get_attribute("href")
    assert deal is not None
    assert stranger.goto(address(deal + "correct/")).status == 404
    other.close()
    correct_all_three(page, address(deal), result, right[0])
    # The session: three deals, the sums of the rules, nothing of the stranger's.
    expected = dict.fromkeys(PLAYERS.values(), 0)
    for record in right:
        for seat, points in (record.score or {}).items():
            expected[PLAYERS[seat]] += points
    page.goto(address("/clubs/"))
    page.get_by_role("link", name="Tarok Hlučín").click()
    assert totals(page) == expected
    page.get_by_role("link", name=SESSION).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(SESSION)
    assert totals(page) == expected
    expect(page.locator("table.running tbody tr")).to_have_count(3)
    expect(page.locator("main")).not_to_contain_text("Borek")
    # The protocol is one sheet.
    page.get_by_role("link", name="Print the session report").click()
    expect(page.locator("main")).to_contain_text("Tarok Hlučín")
    assert sheets(page, page.url) == 1
