"""Correct entries on the phone: dealer, seats, numbers, and the game of the evening."""

import pytest
from playwright.sync_api import expect

from .evening_deals import STROHMANN, TAROKY
from .phone import Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def at_seats(phone: Phone) -> None:
    """Open the part of the form with dealer, seats and number."""
    phone.tap(phone.page.locator(".seats-part summary"))


def test_dealer_and_seats_are_corrected_and_the_taps_stay(phone) -> None:
    """Bořek, forehand after Alena, bids a First Duty, with Cyril: (60 - 35) = 25 for each of them."""
    phone.begin(TAROKY, 1)
    phone.tap("deal 1")
    at_seats(phone)
    # Dana dealt: Alena is forehand and the bidder, and still plays with Cyril.
    phone.tap_until_on("dealer Dana")
    expect(phone.page.locator("h1")).to_contain_text("Dana deals")
    expect(phone.key("bidder 0 A")).to_have_attribute("aria-pressed", "true")
    expect(phone.page.locator(".score-now")).to_contain_text("Alena+25")
    expect(phone.page.locator(".score-now")).to_contain_text("Cyril+25")
    # Cyril and Dana sat in each other's chairs: the partner stays Cyril, now at the fourth seat.
    phone.key("seat C").select_option("Dana")
    expect(phone.key("partner 0 D")).to_have_attribute("aria-pressed", "true")
    expect(phone.page.locator(".score-now")).to_contain_text("Cyril+25")
    # "↶" takes both back, one after the other.
    phone.tap("undo")
    expect(phone.key("partner 0 C")).to_have_attribute("aria-pressed", "true")
    phone.tap("undo")
    expect(phone.page.locator("h1")).to_contain_text("Alena deals")
    expect(phone.key("bidder 0 B")).to_have_attribute("aria-pressed", "true")
    phone.tap_until_on("dealer Dana")
    phone.tap("save")
    expect(phone.key("deal 1")).to_contain_text("Cyril +25")
    phone.until_sent()
    phone.page.reload()
    expect(phone.key("deal 1")).to_contain_text("Cyril +25")
    assert phone.standings() == {"Alena": 25, "Cyril": 25, "Bořek": -25, "Dana": -25}


def test_a_deal_is_moved_and_one_is_inserted(phone) -> None:
    """Three deals of Strohmann; the last becomes the first, then one is entered before the second."""
    phone.begin(STROHMANN, 3)
    rows = phone.page.locator(".deals-now > li > a")
    newest = rows.first.inner_text().split("\n")[1]
    phone.tap("deal 3")
    at_seats(phone)
    phone.key("number").select_option("1")
    expect(rows.nth(2)).to_contain_text(newest)
    phone.until_sent()
    phone.tap("deal 2")
    at_seats(phone)
    phone.tap("insert")
    expect(phone.page.locator("h1")).to_contain_text("Deal 2")
    expect(phone.page.locator(".score-now")).to_have_count(0)  # the form is empty
    for line in STROHMANN.deals[3].lines:
        phone.line(line)
    phone.tap("save")
    expect(rows).to_have_count(4)
    phone.until_sent()
    phone.page.reload()
    expect(rows).to_have_count(4)
    # 4, 0; 0, 3; 0, 4, and the inserted 0, 5.
    assert phone.standings() == {"Bořek": 12, "Alena": 4}
    assert not phone.page.locator(".conflict").count()


def test_undo_reaches_across_deals(phone) -> None:
    phone.begin(STROHMANN)
    phone.enter(1, STROHMANN.deals[0])
    phone.enter(2, STROHMANN.deals[1])
    phone.until_sent()
    # In the empty form of deal 3, "↶" opens deal 2 with its taps, which it takes back one by one.
    phone.tap("enter")
    expect(phone.page.locator("h1")).to_contain_text("Deal 3")
    phone.tap("undo")
    expect(phone.page.locator("h1")).to_contain_text("Deal 2")
    expect(phone.key("declarer 0 B")).to_have_attribute("aria-pressed", "true")
    phone.tap("undo")
    expect(phone.key("points B 0 number value")).to_have_text("4")  # of the digits 4 and 0
    phone.number("points B 0 number", "30")  # lost by the declarer: 4 for the other
    phone.tap("save")
    expect(phone.key("deal 2")).to_contain_text("Alena +4")
    phone.until_sent()
    assert not phone.page.locator(".conflict").count()
    assert phone.standings() == {"Alena": 8, "Bořek": 0}
    # On the evening's page, it takes back one entry after the other: deal 2, and then deal 1.
    phone.tap("undo")
    expect(phone.page.locator("h1")).to_contain_text("Deal 2")


def test_the_game_changes_while_the_evening_is_empty(phone) -> None:
    phone.begin(TAROKY)
    phone.tap("table")
    phone.tap_until_on("game troggu")
    phone.tap("save")
    phone.tap("enter")
    expect(phone.key("tappist 0 A").or_(phone.key("contract 0 take")).first).to_be_visible()
    phone.tap(phone.page.locator(".evening-head .back"))
    phone.until_sent()
    phone.page.reload()
    phone.tap("table")
    expect(phone.key("game troggu")).to_have_attribute("aria-pressed", "true")
    # The table is drawn in the direction of play: the second player sits to the right of the first.
    first, second = (phone.page.locator(".around li").nth(n).bounding_box() for n in range(2))
    assert first
    assert second
    assert second["x"] > first["x"]
    assert second["y"] < first["y"]
    expect(phone.page.locator(".around")).to_contain_text("anticlockwise")
    expect(phone.page.locator(".around li").nth(1)).to_contain_text("forehand")
