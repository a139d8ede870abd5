"""A club adopts published rules, changes the ceiling, and plays an evening by them."""

import re

import pytest
from playwright.sync_api import Page, expect

from .accounts import sign_up
from .conftest import Address, OpenPage
from .evening_deals import TAROKY
from .measures import fits, sheets
from .phone import Phone, sizes

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("live_worker")]


def adopt(page: Page, address: Address) -> str:
    """Found a club, start from the rules of Vysočina, and lower the ceiling from 2000 h to 400 h. Return the
    address of the club."""
    page.goto(address("/clubs/new/"))
    page.get_by_label("Club name").fill("Tarok Hlučín")
    page.get_by_role("button", name="Start the club").click()
    page.get_by_role("link", name="Rules of this club").click()
    club = page.url.removesuffix("rules/")
    page.get_by_role("link", name="Change Czech Taroky").click()
    page.get_by_label("Start from published rules").select_option("vysocina@1")
    page.get_by_role("button", name="Fill in").click()
    ceiling = page.get_by_label("The most that one player pays another in a deal")
    expect(ceiling).to_have_value("2000")
    ceiling.fill("-400")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#id_cap_error")).to_contain_text("0–100000")
    expect(ceiling).to_have_value("-400")
    ceiling.fill("400")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Rules tarok-hlucin@1.")
    assert fits(page)
    page.get_by_role("link", name="Price list Czech Taroky").click()
    expect(page.locator("main")).to_contain_text("400 h (4 Kč)")
    assert sheets(page, page.url) == 1
    page.emulate_media(media="screen")
    return club


def test_a_club_adopts_rules_and_plays_by_them(open_page: OpenPage, address: Address) -> None:
    phone = Phone(open_page(**sizes(390, 844), locale="en-GB"), address)
    sign_up(phone.page, address, "alena")
    phone.page.goto(adopt(phone.page, address))
    phone.page.get_by_role("link", name="New evening").click()
    phone.tap_until_on("game taroky")
    expect(phone.key("rules")).to_have_value("tarok-hlucin@1")
    for name in TAROKY.players:
        phone.type_name(name)
        expect(phone.key(f"player {name}")).to_have_attribute("aria-pressed", "true")
    phone.tap("start")
    enter(phone, 1, TAROKY.deals[0].lines, "Bořek +130 h")  # (60 − 35) × 5 = 125, up to 130
    # Nobody doubles more than three times, and the talon can't be refused.
    # Alone: (45 − 35) × 5 = 50 from each of three.
    enter(phone, 2, TAROKY.deals[3].lines, "Cyril +150 h")
    # Troika of level 2: (40 − 35) × 10 = 50 from each of three.
    enter(phone, 3, ("contract troika", "level 2", "bidder B", "points bidder 40"), "Bořek +150 h")
    # Solo: (66 − 35) × 40 = 1240, and no more than the ceiling of 400 from each of three.
    enter(phone, 4, ("contract solo", "bidder C", "points bidder 66"), "Cyril +1200 h")
    # 70 − 30 = 40 for the opponents: (40 − 35) × 5 = 25, up to 30.
    enter(phone, 5, ("partner D", "points bidder 30"), "Cyril +30 h")
    phone.until_sent()
    standing = phone.page.locator(".standings-now")
    expect(standing).to_contain_text("Cyril+1460 h (+14.60 Kč)")
    # Other rules settle the deals again, and the difference is shown before: without a ceiling, in points.
    phone.tap("table")
    phone.key("rules").select_option("")
    difference = phone.page.locator(".difference")
    expect(difference.locator("tbody tr").nth(3)).to_contain_text("Cyril +1200 h")
    expect(difference.locator("tbody tr").nth(3)).to_contain_text(
        "Cyril +558"
    )  # (66 − 35) × 6 = 186 from three
    assert fits(phone.page)
    phone.tap("save")
    expect(standing).to_contain_text("Cyril+")
    expect(standing).not_to_contain_text("h")
    phone.until_sent()
    phone.tap("table")
    phone.key("rules").select_option("tarok-hlucin@1")
    expect(difference.locator("tbody tr").nth(3)).to_contain_text("Cyril +1200 h")
    phone.tap("save")
    expect(standing).to_contain_text("Cyril+1460 h (+14.60 Kč)")
    phone.until_sent()
    phone.tap("end")
    expect(phone.page.locator(".winner")).to_have_text("Winner: Cyril")
    expect(phone.page.locator("#message")).to_have_value(re.compile("Rules: tarok-hlucin@1\n"))
    expect(phone.page.locator(".payments")).to_contain_text("h (")
    phone.until_sent()
    session = phone.page.locator('a[href*="/sessions/"]').last.get_attribute("href")
    phone.page.goto(address(f"{session}print/"))
    expect(phone.page.locator("main")).to_contain_text(
        "Rules: tarok-hlucin@1 · Amounts in haléře: 100 h = 1 Kč"
    )
    expect(phone.page.locator(".total-row")).to_contain_text("+1460 h")
    expect(phone.page.locator(".money")).to_contain_text("14.60 Kč")
    compare(phone.page, address)
    assert phone.complaints == []


def compare(page: Page, address: Address) -> None:
    """Settle the Solo by the rules of the source: 186 from each of three, and no ceiling."""
    page.goto(address("/deals/?rules=tarok-hlucin%401"))
    page.locator(".deal-link", has_text="Solo").click()
    page.get_by_role("link", name="Rules of the source").click()
    row = page.locator("tfoot tr", has_text="Cyril")
    expect(row).to_contain_text("+1200 h (+12 Kč)")
    expect(row).to_contain_text("+558")
    expect(page.locator("tbody")).to_contain_text("cap=0")
    assert fits(page)
    picture = page.get_by_role("link", name="Picture to share").get_attribute("href")
    answer = page.request.get(address(picture or ""))
    assert answer.ok
    assert answer.headers["content-type"].startswith("image/")


def enter(phone: Phone, number: int, lines: tuple[str, ...], expected: str) -> None:
    phone.tap("enter")
    for line in lines:
        phone.line(line)
    expect(phone.page.locator(".score-now")).to_contain_text(expected.replace(" ", "", 1))
    phone.tap("save")
    expect(phone.key(f"deal {number}")).to_contain_text(expected)
