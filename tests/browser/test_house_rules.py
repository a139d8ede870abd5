"""An evening of a club by its own rules, on the phone."""

import re

import pytest
from playwright.sync_api import expect

from archive.storing import house_rules, spaces
from tarock.games import profiles

from .accounts import be, new_user
from .conftest import Address
from .evening_deals import TAROKY
from .measures import fits, sheets
from .phone import Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_club_plays_by_its_rules(phone: Phone, address: Address) -> None:
    """Those of Vysočina, with a ceiling of 400 h in place of 2000 h."""
    user = new_user("alena")
    club = spaces.found_club("Tarok Hlučín", by=user)
    words = ["cap=400" if word.startswith("cap=") else word for word in profiles()["vysocina@1"].words]
    house_rules.adopt(club, "taroky", words, "tarok-hlucin", by=user)
    be(phone.context, address, user)
    assert sheets(phone.page, address(f"/clubs/{club.pk}/rules/taroky/")) == 1
    phone.page.emulate_media(media="screen")
    phone.page.goto(address(f"/clubs/{club.pk}/"))
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


def enter(phone: Phone, number: int, lines: tuple[str, ...], expected: str) -> None:
    phone.tap("enter")
    for line in lines:
        phone.line(line)
    expect(phone.page.locator(".score-now")).to_contain_text(expected.replace(" ", "", 1))
    phone.tap("save")
    expect(phone.key(f"deal {number}")).to_contain_text(expected)
