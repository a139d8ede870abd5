"""Evenings at the table, entered by taps on a phone: twelve deals of each game, some without network."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    BrowserType,
    Locator,
    Page,
    Route,
    expect,
)

from tools.site import Site

from .conftest import Address
from .evening_deals import GROSSTAROCK, STROHMANN, TAROKY, TROGGU, Deal, Evening
from .test_club import sign_up

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KEYED = {"points": 1, "hand": 1, "declare": 1, "card": 1, "double": 1}
"""Fields with several lines on a sheet, and the number of words that distinguish them."""

OFFLINE = range(5, 10)
"""The deals that are entered without network."""


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


class Phone:
    """The app on a phone: what is tapped, and how often."""

    def __init__(self, context: BrowserContext, address: Address) -> None:
        self.page = context.pages[0] if context.pages else context.new_page()
        self.context, self.address = context, address
        self.taps = 0
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self._heard(message.text))

    def _heard(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.complaints.append(text)

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-key="{name}"]')

    def tap(self, where: Locator | str) -> None:
        self.taps += 1
        (self.key(where) if isinstance(where, str) else where).tap()

    def tap_until_on(self, name: str) -> None:
        self.tap(name)
        expect(self.key(name)).to_have_attribute("aria-pressed", "true")

    def open(self, path: str = "/evenings/") -> None:
        self.page.goto(self.address(path))

    def prepare(self) -> None:
        """Load the engine, so that it works without network."""
        self.tap("prepare")
        self.until_ready()

    def until_ready(self) -> None:
        for _ in range(300):
            if self.page.evaluate("window.tarockEngine?.state") == "ready":
                return
            self.page.wait_for_timeout(200)
        raise AssertionError("the engine did not start")

    def start(self, evening: Evening) -> None:
        """Start an evening; players who are not known yet are typed."""
        self.tap("new")
        self.tap_until_on(f"game {evening.game}")
        for name in evening.players:
            if self.key(f"player {name}").count():
                if self.key(f"player {name}").get_attribute("aria-pressed") == "false":
                    self.tap_until_on(f"player {name}")
            else:
                self.key("new player").fill(name)
                self.key("new player").press("Enter")
                expect(self.key(f"player {name}")).to_have_attribute("aria-pressed", "true")
        self.tap("start")
        expect(self.key("enter")).to_be_visible()

    def enter(self, number: int, deal: Deal) -> None:
        """Enter the next deal, and read its row."""
        self.tap("enter")
        for line in deal.lines:
            self.line(line)
        self.save(number, deal)

    def save(self, number: int, deal: Deal) -> None:
        bar = self.page.locator(".score-now")
        for name, points in deal.score.items():
            expect(bar).to_contain_text(f"{name}{signed(points)}")
        self.tap("save")
        row = self.key(f"deal {number}")
        for name, points in deal.score.items():
            expect(row).to_contain_text(f"{name} {signed(points)}")

    def line(self, line: str) -> None:
        """Tap what a line of the sheet states."""
        field, *words = line.split()
        key = words[: KEYED.get(field, 0)]
        prefix = " ".join((field, *key))
        self._unfold(field, prefix)
        for place, word in enumerate(words[len(key) :] or [""]):
            if field == "points":
                self.number(f"{prefix} {place} number", word)
            elif self.key(f"{prefix} {place} {word}").get_attribute("aria-pressed") == "false":
                self.tap_until_on(f"{prefix} {place} {word}")

    def _unfold(self, field: str, prefix: str) -> None:
        """Open the field, and the row of a player with many choices."""
        row = self.page.locator(f'[data-key^="{prefix} 0"]').first
        opener = self.key(f"open-{field}")
        expect(row.or_(opener).first).to_be_visible()
        if not row.is_visible():
            self.tap(opener)
        closed = self.key(f"{prefix} 0 row")
        expect(row).to_be_visible()
        if closed.count():
            self.tap(closed)

    def number(self, name: str, digits: str) -> None:
        self.tap(f"{name} value")
        for digit in digits:
            self.tap(f"{name} {digit}")
        expect(self.key(f"{name} value")).to_have_text(digits)
        self.tap(f"{name} done")

    def standings(self) -> dict[str, int]:
        """The totals on the page of the evening."""
        found = {}
        for row in self.page.locator(".standings-now li").all():
            _place, name, total = row.locator("> *").all_inner_texts()
            found[name] = int(total.replace("−", "-").replace("+", ""))
        return found

    def until_sent(self) -> None:
        expect(self.page.locator(".waiting")).to_have_count(0, timeout=30_000)


def sizes(width: int, height: int) -> dict[str, Any]:
    """A phone with a touch screen of this size."""
    return {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}


@contextmanager
def restartable(browser_type: BrowserType, folder: Path, args: dict[str, Any], **how: Any) -> Iterator[Any]:
    """A browser that can be closed and opened again with all that it keeps."""
    opened: list[BrowserContext] = []

    def again(**more: Any) -> BrowserContext:
        for context in opened:
            context.close()
        opened[:] = [browser_type.launch_persistent_context(str(folder), **{**args, **how, **more})]
        return opened[0]

    yield again
    for context in opened:
        context.close()


def look_closely(page: Page) -> None:
    """No barrier, nothing wider than a small screen, and nothing to tap that is too small for a thumb."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, a[href], summary, input)")]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
        .filter(([_text, box]) => box.width < 43.5 || box.height < 43.5)
        .map(([text]) => text)"""
    )
    assert small == []
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 320, "height": size["height"]})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.set_viewport_size(size)


PHONES = [
    pytest.param(TAROKY, "cs", "light", (390, 844), id="taroky"),
    pytest.param(STROHMANN, "de", "dark", (360, 640), id="strohmann"),
    pytest.param(TROGGU, "en", "dark", (390, 844), id="troggu"),
    pytest.param(GROSSTAROCK, "ja", "light", (360, 640), id="grosstarock"),
]


@pytest.mark.parametrize(("evening", "language", "scheme", "size"), PHONES)
def test_an_evening_by_taps(
    evening: Evening,
    language: str,
    scheme: Any,
    size: tuple[int, int],
    live_worker: Site,
    address: Address,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    tmp_path: Path,
) -> None:
    """A visitor's evening: deals 5 to 9 without network, the browser closed and opened again meanwhile."""
    how = {**sizes(*size), "locale": language, "color_scheme": scheme}
    with restartable(browser_type, tmp_path, browser_type_launch_args, **how) as browser:
        phone = Phone(browser(), address)
        phone.open()
        assert phone.page.evaluate("document.documentElement.lang") == language
        phone.start(evening)
        look_closely(phone.page)
        phone.prepare()
        begun, phone.taps = time.monotonic(), 0
        for number, deal in enumerate(evening.deals, 1):
            if number == OFFLINE.start:
                phone.until_sent()
                phone.context.set_offline(True)
            if number == OFFLINE.start + 1:
                phone.page.reload()
                phone.until_ready()
            if number == OFFLINE.start + 2:
                where, taps = phone.page.url, phone.taps
                phone = Phone(browser(offline=True), address)
                phone.page.goto(where)
                phone.until_ready()
                phone.taps = taps
            if number == OFFLINE.stop:
                expect(phone.page.locator(".phone-status")).to_contain_text(str(len(OFFLINE)))
                phone.context.set_offline(False)
            phone.enter(number, deal)
            so_far = Evening(evening.game, evening.players, evening.deals[:number])
            assert phone.standings() == {
                name: total
                for name, total in so_far.totals.items()
                if any(name in one.score for one in so_far.deals)
            }
        seconds = time.monotonic() - begun
        phone.until_sent()
        assert phone.standings() == evening.totals
        print(f"{evening.game}: {phone.taps} taps, {seconds:.0f} s for {len(evening.deals)} deals")

        # A deal is looked at closely, and a slip is corrected.
        last = len(evening.deals)
        phone.tap(f"deal {last}")
        look_closely(phone.page)
        phone.page.go_back()
        correct_and_back(phone, evening)
        assert phone.standings() == evening.totals

        # The same on the page of the evening, in its file, and on paper.
        phone.page.reload()
        expect(phone.key("enter")).to_be_visible()
        session = phone.page.locator('.existing a[href*="/sessions/"]').last.get_attribute("href")
        assert session is not None
        table = phone.page.request.get(address(f"{session}session.csv")).text()
        for name, total in evening.totals.items():
            assert re.search(rf"\b{name}\b", table), table
            assert str(total) in table
        assert phone.complaints == []


def correct_and_back(phone: Phone, evening: Evening) -> None:
    """The first deal gets other card points, and then again its own."""
    first = evening.deals[0]
    line = next(line for line in first.lines if line.startswith("points"))
    owner, points = line.split()[1:]
    for value in (str(int(points) + 1), points):
        phone.tap("deal 1")
        phone.number(f"points {owner} 0 number", value)
        expect(phone.key("save")).to_be_enabled()
        phone.tap("save")
        expect(phone.key("deal 1")).to_be_visible()
        phone.until_sent()


def test_names_and_date_are_settled_before_the_evening_goes_on(
    live_worker: Site, address: Address, browser: Browser
) -> None:
    """A name that is at the table already, one that looks like it, an unknown player twice, and a slip in the
    year: the evening begins when all is corrected. The last typed value is not lost."""
    context = browser.new_context(**sizes(390, 844), locale="en-GB")
    phone = Phone(context, address)
    alert = phone.page.locator(".players [role=alert]")

    def type_name(name: str) -> None:
        phone.key("new player").fill(name)
        phone.key("new player").press("Enter")

    def seated() -> list[str]:
        return [
            name.removeprefix(str(number)).strip()
            for number, name in enumerate(
                phone.page.locator('.players [aria-pressed="true"]').all_inner_texts(), 1
            )
        ]

    phone.open()
    phone.tap("new")
    phone.tap_until_on("game taroky")
    type_name(" Jan\u00a0Nova\u0301k ")
    expect(phone.key("player Jan Novák")).to_be_visible()
    type_name("Jan  Novák")
    expect(alert).to_have_text(
        "Two players are called Jan Novák. Tell them apart, for example as Jan Novák sen."
    )
    expect(phone.key("new player")).to_have_value("Jan  Novák")
    type_name("novak jan")
    expect(alert).to_contain_text("Is this Jan Novák?")
    look_closely(phone.page)
    phone.tap("known Jan Novák")
    expect(alert).to_have_count(0)
    assert seated() == ["Jan Novák"]
    type_name("jan novák")
    phone.tap("another")
    type_name("?")
    expect(phone.key("player ?")).to_be_visible()
    phone.key("new player").fill("?")
    phone.page.locator(".more-part summary").tap()
    phone.key("date").fill("2206-11-24")
    phone.key("stake").fill("0.5")
    expect(phone.page.locator(".setup-bar")).to_contain_text("in the future. Did you mean 2026-11-24?")
    expect(phone.key("start")).to_be_disabled()
    assert seated() == ["Jan Novák", "jan novák", "?"]
    phone.key("date").fill("2026-11-24")
    expect(phone.key("start")).to_be_enabled()
    phone.tap("start")
    expect(phone.key("enter")).to_be_visible()

    # Points of the two unknown players are nobody's.
    phone.tap("enter")
    for line in ("contract first", "bidder B", "partner D", "points bidder 45"):
        phone.line(line)
    phone.tap("save")
    expect(phone.key("deal 1")).to_be_visible()
    phone.until_sent()
    assert phone.standings() == {"jan novák": 10, "Jan Novák": -10}

    # The value typed last in the settings is stored, and nobody is added twice.
    phone.tap("table")
    phone.page.locator(".more-part summary").tap()
    expect(phone.key("stake")).to_have_value("0.5")
    phone.key("stake").fill("0.2")
    phone.tap("save")
    phone.tap("table")
    phone.key("new player").fill("Jan Novák")
    phone.tap("save")
    expect(alert).to_contain_text("Two players are called Jan Novák.")
    phone.key("new player").fill("")
    phone.page.locator(".more-part summary").tap()
    expect(phone.key("stake")).to_have_value("0.2")
    phone.tap("save")
    expect(phone.key("deal 1")).to_be_visible()

    # An evening from before names and dates were checked waits until they are settled.
    phone.page.evaluate(
        """() => {
          const [evening] = evenings.values();
          const table = [...evening.setup.table, "Jan  Novák"];
          store({ ...evening, setup: { ...evening.setup, date: "2206-11-24", table } });
          return show();
        }"""
    )
    notes = phone.page.locator(".note.error")
    expect(notes).to_contain_text(["Two players are called Jan Novák.", "Did you mean 2026-11-24?"])
    expect(phone.key("enter")).to_have_count(0)
    expect(phone.key("throw")).to_have_count(0)
    assert phone.complaints == []
    context.close()


def test_a_former_engine_serves_without_network(
    live_worker: Site, address: Address, browser: Browser
) -> None:
    """The site was renewed, and the phone has seen its page, but is without network before it has the new
    engine: the one that it has goes on."""
    context = browser.new_context(**sizes(390, 844), locale="en-GB")
    phone = Phone(context, address)
    phone.open()
    phone.start(TAROKY)
    phone.prepare()
    phone.page.evaluate(
        """async () => {
          const [name] = (await caches.keys()).filter((one) => one.startsWith("engine-"));
          const [from, to] = [await caches.open(name), await caches.open("engine-of-yesterday")];
          for (const request of await from.keys()) await to.put(request, await from.match(request));
          await caches.delete(name);
        }"""
    )
    context.set_offline(True)
    phone.page.reload()
    phone.until_ready()
    phone.enter(1, TAROKY.deals[0])
    assert phone.complaints == []
    context.close()


def test_a_deal_is_thrown_in_by_another_dealer_who_leaves(
    live_worker: Site, address: Address, browser: Browser
) -> None:
    """The choice of a dealer outlasts a look at the evening, and play goes on behind that dealer."""
    context = browser.new_context(**sizes(390, 844), locale="en-GB")
    phone = Phone(context, address)
    phone.open()
    phone.start(TAROKY)
    phone.enter(1, TAROKY.deals[0])
    change_table(phone, "thrown true", "player Emil")
    phone.tap("enter")
    phone.tap(phone.page.locator(".seats-part summary"))
    phone.tap_until_on("dealer Cyril")
    for _ in range(2):
        phone.tap(phone.page.locator(".evening-head .back"))
        expect(phone.key("enter")).to_contain_text("Continue deal 2")
        phone.tap("enter")
        expect(phone.page.locator("h1")).to_contain_text("Cyril deals")
    phone.tap(phone.page.locator(".evening-head .back"))
    phone.tap("throw")
    expect(phone.key("enter")).to_contain_text("Dana deals")
    change_table(phone, "player Cyril")
    expect(phone.key("enter")).to_contain_text("Dana deals")
    phone.until_sent()
    phone.page.reload()
    expect(phone.key("enter")).to_contain_text("Dana deals")
    phone.tap(phone.page.locator(".thrown button"))
    expect(phone.key("enter")).to_contain_text("Enter deal 2")
    assert phone.complaints == []
    context.close()


def change_table(phone: Phone, *keys: str) -> None:
    """Change who is at the table, or a setting."""
    phone.tap("table")
    phone.tap(phone.page.locator(".more-part summary"))
    for key in keys:
        if phone.key(key).count():
            pressed = phone.page.locator(f'[data-key="{key}"][aria-pressed="true"]')
            is_pressed = pressed.count()
            phone.tap(key)
            expect(pressed).to_have_count(1 - is_pressed)
        else:
            phone.key("new player").fill(key.removeprefix("player "))
            phone.key("new player").press("Enter")
            expect(phone.key(key)).to_have_attribute("aria-pressed", "true")
    phone.tap("save")


def test_what_is_sent_while_the_archive_answers_stays(
    live_worker: Site, address: Address, browser: Browser
) -> None:
    """A late answer about the evening, from before a deal was sent, takes nothing away."""
    context = browser.new_context(**sizes(390, 844), locale="en-GB")
    phone = Phone(context, address)
    phone.open()
    phone.start(STROHMANN)
    phone.enter(1, STROHMANN.deals[0])
    phone.until_sent()
    late: list[tuple[Route, APIResponse]] = []
    with phone.page.expect_request("**/state.json"):
        context.route("**/state.json", lambda route: late.append((route, route.fetch())))
    phone.enter(2, STROHMANN.deals[1])
    phone.until_sent()
    route, answer = late[0]
    assert len(answer.json()["deals"]) == 1
    with phone.page.expect_response("**/state.json"):
        route.fulfill(response=answer)
    phone.page.wait_for_timeout(200)
    assert phone.standings() == {"Alena": 4, "Bořek": 3}


def test_two_phones_of_a_club(live_worker: Site, address: Address, browser: Browser, tmp_path: Path) -> None:
    """A club's evening: both phones see the same, and what both enter is shown to both."""
    contexts = [browser.new_context(**sizes(390, 844), locale="en-GB") for _ in range(2)]
    one, two = (Phone(context, address) for context in contexts)
    sign_up(one.page, address, "secretary")
    one.page.goto(address("/clubs/new/"))
    one.page.get_by_label("Name of the club").fill("Tarok Hlučín")
    one.page.get_by_role("button", name="Start the club").click()
    one.page.get_by_role("button", name=re.compile("nvit")).first.click()
    link = one.page.locator('input[value*="/join/"], a[href*="/join/"]').first
    invitation = link.get_attribute("value") or link.get_attribute("href")
    assert invitation is not None
    sign_up(two.page, address, "member")
    two.page.goto(invitation if "//" in invitation else address(invitation))
    two.page.get_by_role("button", name=re.compile("Join|Become")).click()

    one.open()
    one.start(TAROKY)
    one.enter(1, TAROKY.deals[0])
    one.until_sent()
    two.open()
    two.tap(two.page.locator(".evening-list a").first)
    expect(two.key("deal 1")).to_contain_text("Bořek +25")

    # One phone sees what the other enters.
    one.enter(2, TAROKY.deals[1])
    expect(two.key("deal 2")).to_contain_text("Alena +5", timeout=20_000)

    # Both enter deal 3, the second without network: nothing is overwritten.
    contexts[1].set_offline(False)
    two.tap("enter")
    for text in ("partner A", "points bidder 40"):
        two.line(text)
    one.enter(3, TAROKY.deals[2])
    one.until_sent()
    two.tap("save")
    box = two.page.locator(".conflict")
    expect(box).to_contain_text("entered on another phone", timeout=20_000)
    expect(box).to_contain_text("Alena +5, Bořek −5, Cyril −5, Dana +5")
    expect(box).to_contain_text("Alena −1, Bořek +1, Cyril +1, Dana −1")
    two.tap(two.page.get_by_role("button", name="The one on the other phone"))
    expect(two.key("deal 3")).to_contain_text("Bořek +1")

    # Signed out, a phone keeps what is entered, and sends it once its user has signed in again.
    cookies = contexts[0].cookies()
    contexts[0].clear_cookies()
    one.enter(4, TAROKY.deals[3])
    expect(one.page.locator(".phone-status")).to_contain_text("You are signed out", timeout=20_000)
    expect(one.key("deal 4")).to_contain_text("not sent")
    contexts[0].add_cookies([cookie for cookie in cookies if cookie["name"] != "csrftoken"])
    one.page.reload()
    one.until_sent()
    expect(two.key("deal 4")).to_contain_text("Alena +30", timeout=20_000)

    # The cards of a deal are recorded on the board, with its place in the evening.
    one.tap("deal 1")
    one.tap("cards")
    one.tap("shuffle")
    expect(one.page.locator('a[data-key="play"]')).to_be_visible()
    one.tap("play")
    one.tap(one.page.locator("#panel-link"))
    one.tap(one.page.get_by_role("button", name="Send or download"))
    text = one.page.locator("#sending textarea").input_value()
    assert '[Deal "1"]' in text
    assert '[Session "' in text
    assert '[B "Bořek"]' in text

    # An evening is started again in a few taps: everything is as the last time.
    one.open()
    one.taps = 0
    one.tap("new")
    expect(one.key("player Dana")).to_have_attribute("aria-pressed", "true")
    one.tap("start")
    expect(one.key("enter")).to_be_visible()
    assert one.taps == 2
    assert one.complaints + two.complaints == []
    for context in contexts:
        context.close()
