"""Entries that the page calls saved survive a crash, and it says so if the device can't store them."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserType, Page, expect

from .accounts import sign_in, sign_out, sign_up
from .conftest import Address, OpenPage
from .device import store, stored
from .evening_deals import TAROKY
from .phone import PHONE, Phone, signed

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BLOCKED = (
    "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError'); } });"
)
FULL = """
const transaction = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (mode === "readwrite" && window.full) throw new DOMException("", "QuotaExceededError");
    return transaction.call(this, names, mode, options);
};
"""


def send_nothing(phone: Phone) -> None:
    """Cut the way to the archive, but not to the engine."""
    for path in ("setup", "deals/*"):
        phone.context.route(f"**/evenings/*/{path}", lambda route: route.abort())


@pytest.fixture
def crash(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path
) -> Iterator[Callable[..., Page]]:
    """Kill the browser's processes with SIGKILL, if it is open, and open it again with all that it keeps."""
    folder = str(tmp_path / "profile")
    opened: list[Any] = []

    def kill() -> None:
        listed = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,command="], capture_output=True, text=True, check=True
        )
        for line in listed.stdout.splitlines():
            if f"--user-data-dir={folder}" in line:
                os.kill(int(line.split()[0]), signal.SIGKILL)

    def again() -> Page:
        kill()
        options = {**browser_type_launch_args, **PHONE}
        opened.append(browser_type.launch_persistent_context(folder, **options))
        return opened[-1].new_page()

    yield again
    opened[-1].close()


def test_a_saved_deal_survives_a_crash_of_the_browser(crash: Callable[..., Page], address: Address) -> None:
    phone = Phone(crash(), address)
    send_nothing(phone)
    phone.open()
    phone.start(TAROKY)
    phone.enter(1, TAROKY.deals[0])
    expect(phone.page.locator("#live")).to_contain_text("saved")
    phone = Phone(crash(), address)
    send_nothing(phone)
    phone.open()
    phone.tap(phone.page.locator(".evening-list a").first)
    expect(phone.key("deal 1")).to_contain_text("not sent")


def test_a_full_device_keeps_the_form_open_until_the_archive_has_the_deal(phone: Phone) -> None:
    page = phone.page
    page.add_init_script(FULL)
    phone.begin(TAROKY)
    page.evaluate("window.full = true")
    send_nothing(phone)
    phone.tap("enter")
    for line in TAROKY.deals[0].lines:
        phone.line(line)
    phone.tap("save")
    expect(page.locator("#live")).to_contain_text("has not been saved")
    expect(phone.key("save")).to_be_visible()
    assert "saved." not in page.locator("#live").inner_text()
    for path in ("setup", "deals/*"):
        phone.context.unroute(f"**/evenings/*/{path}")
    phone.tap("save")
    expect(phone.key("deal 1")).to_be_visible()
    expect(phone.key("deal 1")).not_to_contain_text("not sent")
    assert stored(page, page.evaluate("PREFIX + here.key"))["deals"]["1"]["state"] == "sent"


def test_a_browser_without_storage_says_so_and_sends(phone: Phone) -> None:
    phone.page.add_init_script(BLOCKED)
    phone.open()
    expect(phone.page.locator(".phone-status")).to_contain_text("stores nothing for this page")
    phone.start(TAROKY)
    phone.enter(1, TAROKY.deals[0])
    expect(phone.page.locator("#live")).to_contain_text("Deal 1 has been saved")
    expect(phone.page.locator(".phone-status")).not_to_contain_text("Not sent")


def test_evenings_of_an_earlier_version_move_over_once(phone: Phone) -> None:
    page = phone.page
    send_nothing(phone)
    phone.open()
    phone.start(TAROKY)
    phone.enter(1, TAROKY.deals[0])
    name = page.evaluate("PREFIX + here.key")
    entry = page.evaluate(f"JSON.stringify({{ ...evenings.get('{name.removeprefix('evening:')}') }})")
    store(page, name, None)
    page.evaluate("([name, entry]) => localStorage.setItem(name, entry)", [name, entry])
    page.reload()
    expect(phone.key("deal 1")).to_contain_text("not sent")
    assert page.evaluate("Object.keys(localStorage)") == []
    assert stored(page, name)["deals"]["1"]["deal"]["players"]


def test_a_guests_unsent_evening_goes_only_to_an_account_made_here(phone: Phone, address: Address) -> None:
    page = phone.page
    sign_up(page, address, "member")
    sign_out(page, address)
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    send_nothing(phone)
    phone.open()
    phone.start(TAROKY)
    sign_in(page, address, "member")
    phone.open()
    expect(phone.key("new")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.locator(".evening-list").count() == 0
    sign_out(page, address)
    expect(page.locator(".site-header")).to_contain_text("Sign in")
    sign_up(page, address, "fresh")
    phone.open()
    expect(page.locator(".evening-list")).to_contain_text("Not sent")


def test_without_rules_and_network_points_are_noted_and_the_deal_entered_later(phone: Phone) -> None:
    page = phone.page
    phone.begin(TAROKY, 1)
    expect(phone.key("deal 1")).to_be_visible()
    before = phone.standings()
    for path in ("ask", "*/setup", "*/deals/*", "*/state.json", "start.json"):
        phone.context.route(f"**/evenings/{path}", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The archive can’t be reached")
    expect(page.locator("main")).not_to_contain_text("too few players")
    assert phone.standings() == before
    expect(phone.key("deal 1")).to_be_visible()
    first, second = TAROKY.players[:2]
    page.get_by_text("Note the points of deal 2").click()
    phone.key(f"note {first}").fill("5")
    phone.key(f"note {second}").fill("-5")
    phone.key("note").fill("solo")
    phone.tap("save note")
    expect(page.locator("#live")).to_contain_text("saved on this phone")
    page.reload()
    expect(page.locator(".deals-now")).to_contain_text(f"Noted at the table: {first} +5, {second} −5 · solo")
    after = phone.standings()
    assert (after[first], after[second]) == (before[first] + 5, before[second] - 5)
    phone.context.unroute_all()
    page.reload()
    phone.enter(2, TAROKY.deals[1])
    expect(page.locator(".deals-now")).not_to_contain_text("Noted")


def test_a_deletion_is_undone_before_and_after_the_archive_knows_of_it(phone: Phone) -> None:
    page = phone.page
    phone.begin(TAROKY, 1)
    for wait in (True, False):
        phone.tap("deal 1")
        phone.tap(page.get_by_role("button", name="Delete this deal"))
        expect(phone.key("deal 1")).to_have_count(0)
        if wait:
            phone.until_sent()
            phone.tap("undo")
        else:
            phone.tap(page.locator("#live button"))
        for name, points in TAROKY.deals[0].score.items():
            expect(phone.key("deal 1")).to_contain_text(f"{name} {signed(points)}")
        phone.until_sent()
        assert page.locator(".conflict").count() == 0


def test_a_newcomer_gets_the_empty_chair_and_a_name_can_be_brought_back(phone: Phone) -> None:
    phone.begin(TAROKY)
    phone.tap("table")
    second, third = TAROKY.players[1:3]
    phone.tap(f"player {second}")
    phone.type_name("Eva")
    expect(phone.key("player Eva")).to_have_text("2Eva")
    phone.tap("player Eva")
    phone.tap(f"player {second}")
    expect(phone.key(f"player {second}")).to_have_text(f"2{second}")
    expect(phone.key(f"player {third}")).to_have_text(f"3{third}")


def test_an_evening_over_plain_http(open_page: OpenPage, address: Address, settings: Any) -> None:
    """At an address of the local network, the browser gives no cache, service worker or persistence."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "tarock.lan"]
    here = urlsplit(address("/"))
    phone = Phone(open_page(**PHONE), lambda path: f"http://tarock.lan:{here.port}{path}")
    phone.begin(TAROKY)
    assert not phone.page.evaluate("isSecureContext")
    phone.prepare()
    expect(phone.page.get_by_text("Without HTTPS, the browser can’t keep the page itself.")).to_be_visible()
    phone.enter(1, TAROKY.deals[0])
    phone.until_sent()
    phone.page.reload()
    expect(phone.key("deal 1")).to_contain_text("Bořek +25")
    assert phone.standings() == TAROKY.deals[0].score
