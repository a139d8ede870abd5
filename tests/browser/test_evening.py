"""Evenings at the table, entered by taps on a phone, some deals without network."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, BrowserContext, BrowserType, Route, expect

from archive.storing import spaces

from .accounts import be, new_user
from .evening_deals import GROSSTAROCK, STROHMANN, TAROKY, TROGGU, Evening
from .measures import fits, look_closely
from .phone import PHONE, Phone, signed, sizes

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Restart = Callable[..., BrowserContext]


@pytest.fixture
def restart(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], tmp_path: Path
) -> Iterator[Restart]:
    """Close the browser and open it again, with all that it keeps."""
    opened: list[BrowserContext] = []

    def again(**how: Any) -> BrowserContext:
        for context in opened:
            context.close()
        options = {**browser_type_launch_args, **how}
        opened[:] = [browser_type.launch_persistent_context(str(tmp_path), **options)]
        return opened[0]

    yield again
    for context in opened:
        context.close()


@pytest.mark.parametrize(
    ("evening", "numbers", "language", "scheme", "size"),
    [
        pytest.param(TAROKY, (9, 10, 11, 12, 5, 6, 8), "cs", "light", (390, 844), id="taroky"),
        pytest.param(STROHMANN, (9, 8, 5), "de", "dark", (360, 640), id="strohmann"),
        pytest.param(TROGGU, (6, 8, 10, 12), "en", "dark", (390, 844), id="troggu"),
        pytest.param(GROSSTAROCK, (5, 8, 9), "ja", "light", (360, 640), id="grosstarock"),
    ],
)
def test_an_evening_by_taps(evening, numbers, language, scheme, size, open_page, restart, address) -> None:
    """A visitor's evening, one of them with deals without network, the browser closed and opened again
    meanwhile. These state each kind of line once; `tests/pages/test_evening_deals.py` enters all deals."""
    how = {**sizes(*size), "locale": language, "color_scheme": scheme}
    # The deals before which the network goes, the browser is opened again, and the network comes back.
    goes, again, back = (2, 3, 5) if evening is TAROKY else (0, 0, 0)
    evening = evening._replace(deals=tuple(evening.deals[number - 1] for number in numbers))
    phone = Phone(restart(**how).pages[0] if goes else open_page(**how), address)
    phone.open()
    assert phone.page.evaluate("document.documentElement.lang") == language
    phone.start(evening)
    look_closely(phone.page, axe=evening.game == "taroky")
    for number, deal in enumerate(evening.deals, 1):
        if number == goes:
            phone.prepare()
            phone.until_sent()
            phone.context.set_offline(True)
        if number == again:
            where, complaints = phone.page.url, phone.complaints
            phone = Phone(restart(**how, offline=True).pages[0], address)
            phone.complaints += complaints
            phone.page.goto(where)
            phone.until_ready()
        if number == back:
            expect(phone.page.locator(".phone-status")).to_contain_text(str(back - goes))
            phone.context.set_offline(False)
        phone.enter(number, deal)
        so_far = evening._replace(deals=evening.deals[:number])
        assert phone.standings() == {
            name: total
            for name, total in so_far.totals.items()
            if any(name in one.score for one in so_far.deals)
        }
    phone.until_sent()
    # A deal is looked at closely, and a slip is corrected.
    phone.tap(f"deal {len(evening.deals)}")
    expect(phone.key("save")).to_be_visible()
    look_closely(phone.page)
    phone.page.go_back()
    correct_and_back(phone, evening)
    # The archive has the same.
    phone.page.reload()
    expect(phone.key("enter")).to_be_visible()
    assert phone.standings() == evening.totals
    session = phone.page.locator('.existing a[href*="/sessions/"]').last.get_attribute("href")
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


#: A usual deal of Grosstarock: taps, and the points so far of Alena, Bořek and Cyril.
USUAL = (
    ("declare A 0 row", None),
    ("declare A 0 tarocks:10", (20, -10, -10)),
    ("card HK 0 C lost", (25, -5, -20)),
    ("card SK 0 A won", (35, -10, -25)),
    ("card DK 0 B won", (30, 0, -30)),
    ("card T1 0 B lost", (35, -10, -25)),
    ("card CK 0 A won", (45, -15, -30)),
    ("last 0 C", (40, -20, -20)),
    ("points A 0 number 3", None),
    ("points A 0 number 0", None),
    ("points B 0 number 2", None),
    # 30 - 26 = 4, 20 - 26 = -6, 28 - 26 = 2.
    ("points B 0 number 0", (44, -26, -18)),
)


def test_grosstarock_is_entered_as_it_is_played(phone) -> None:
    """Events in the order of play, each with the points so far; 12 taps on 1.5 screens."""

    def points(*expected: int) -> None:
        expect(phone.page.locator(".score-now dd")).to_have_text([signed(number) for number in expected])

    phone.begin(GROSSTAROCK)
    phone.tap("enter")
    phone.taps = 0
    heights = []
    for tap, paid in USUAL:
        phone.tap(tap)
        if paid:
            points(*paid)
        if not tap.startswith("declare"):  # a player's list of declarations is open for a moment only
            heights.append(phone.page.evaluate("document.documentElement.scrollHeight"))
    assert phone.taps == 12
    assert max(heights) <= 1.5 * 844
    expect(phone.key("save")).to_have_text("Save")
    look_closely(phone.page)
    # The card that a declaration includes is played by another player.
    phone.tap("declare A 0 row")
    phone.tap("declare A 0 matadors:3")
    expect(phone.page.locator(".findings")).to_contain_text(
        "Alena declares 3 matadors and so holds the Pagat"
    )
    points(64, -36, -28)
    expect(phone.key("save")).to_have_text("Save anyway")
    phone.tap("card T1 0 A won")
    # Without Bořek's loss, and with 5 from each to Alena.
    points(69, -31, -38)
    # A Pagat in the last trick, and a null that was announced before the 13th lead, and failed.
    phone.tap("last 0 C")
    phone.tap("card T1 2 last")
    phone.tap("open-announce")
    phone.tap("announce B null 0 13")
    # No last trick (+5, +5, -10), 10 more from each to Alena, 5 from Bořek to each.
    points(99, -46, -53)
    phone.tap("save")
    expect(phone.key("deal 1")).to_contain_text("Alena +99")
    phone.until_sent()
    # On the sheet the events are in the order in which they were entered.
    phone.tap("deal 1")
    expect(phone.key("card HK 0 C lost")).to_have_attribute("aria-pressed", "true")
    kings = phone.page.evaluate(
        "() => page.form.deal.lines.filter(([name]) => name === 'card').map(([, card]) => card)"
    )
    assert kings == ["HK", "SK", "DK", "CK", "T1"]


def test_card_points_are_typed_on_a_keyboard_and_counted_as_a_check(phone) -> None:
    """The other side has the rest of 70, until both are stated; then the form repairs nothing, and says if
    they don't add up."""
    phone.begin(TAROKY)
    phone.tap("enter")
    phone.line("partner C")
    value = phone.key("points bidder 0 number value")
    value.focus()
    for key in ("6", "5", "Backspace", "0"):
        phone.page.keyboard.press(key)
    expect(value).to_have_text("60")
    expect(value).to_be_focused()
    expect(phone.page.locator(".keypad")).to_have_count(0)
    for name, points in TAROKY.deals[0].score.items():
        expect(phone.page.locator(".score-now")).to_contain_text(f"{name}{signed(points)}")
    expect(phone.key("save")).to_have_text("Save")
    expect(phone.key("points opponents 0 number value")).to_have_text("10")
    phone.line("points opponents 11")
    expect(value).to_have_text("60")
    expect(phone.page.locator(".findings")).to_contain_text("add up to 71, not to 70")
    expect(phone.key("save")).to_have_text("Save anyway")
    expect(phone.key("save")).not_to_have_class(re.compile("primary"))
    phone.tap("points opponents 0 number less")
    expect(phone.key("save")).to_have_text("Save")


def test_digits_that_are_typed_faster_than_the_answers(phone) -> None:
    """Each belongs to the number that is open when its turn comes: here none has the 7."""

    def click(*keys: str) -> None:
        phone.page.evaluate(
            """(keys) => keys.forEach(
                (key) => document.querySelector(`[data-key="points A 0 number ${key}"]`).click(),
            )""",
            list(keys),
        )

    phone.begin(STROHMANN)
    phone.tap("enter")
    expect(phone.key("points A 0 number 4")).to_be_visible()
    click("4", "0", "7")
    expect(phone.key("points B 0 number value")).to_have_text("30")
    expect(phone.key("points A 0 number value")).to_have_text("40")
    expect(phone.page.locator(".keypad")).to_have_count(0)
    click("more", "more")
    expect(phone.key("points A 0 number value")).to_have_text("42")


def test_names_and_date_are_settled_before_the_evening_goes_on(phone) -> None:
    """A name that is at the table already, one that looks like it, an unknown player twice, and a slip in the
    year: the evening begins when all is corrected. The last typed value is not lost."""
    alert = phone.page.locator(".players [role=alert]")

    def seated() -> list[str]:
        names = phone.page.locator('.players [aria-pressed="true"]').all_inner_texts()
        return [name.removeprefix(str(number)).strip() for number, name in enumerate(names, 1)]

    phone.open()
    phone.tap("new")
    phone.tap_until_on("game taroky")
    phone.type_name(" Jan\u00a0Nova\u0301k ")
    expect(phone.key("player Jan Novák")).to_be_visible()
    phone.type_name("Jan  Novák")
    expect(alert).to_have_text(
        "Two players are called Jan Novák. Tell them apart, for example as Jan Novák sen."
    )
    expect(phone.key("new player")).to_have_value("Jan  Novák")
    phone.type_name("novak jan")
    expect(alert).to_contain_text("Is this Jan Novák?")
    look_closely(phone.page)
    phone.tap("known Jan Novák")
    expect(alert).to_have_count(0)
    assert seated() == ["Jan Novák"]
    phone.type_name("jan novák")
    phone.tap("another")
    phone.type_name("?")
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


def test_a_former_engine_serves_without_network(phone) -> None:
    """The site was renewed, and the phone has seen its page, but is without network before it has the new
    engine: the one that it has goes on."""
    phone.begin(TAROKY)
    phone.until_kept()
    phone.page.evaluate(
        """async () => {
          const about = JSON.parse(document.getElementById("engine").textContent);
          const former = (address) => address.replace(about.version, "yesterday");
          const { worker, files } = about;
          const there = { ...about, version: "yesterday", worker: former(worker), files: files.map(former) };
          const cache = await caches.open("engine-yesterday");
          for (const file of files) {
            // The browser's own cache must not have today's, and the copy must not have its URL.
            const answer = await fetch(file, { cache: "no-store" });
            await cache.put(former(file), new Response(await answer.blob(), { headers: answer.headers }));
          }
          await cache.put("/evenings/engine/about", new Response(JSON.stringify(there)));
        }"""
    )
    phone.context.set_offline(True)
    phone.page.reload()
    phone.until_ready()
    assert phone.page.evaluate("tarockEngine.version") == "yesterday"
    phone.enter(1, TAROKY.deals[0])


def test_a_deal_is_thrown_in_by_another_dealer_who_leaves(phone) -> None:
    """The choice of a dealer outlasts a look at the evening, and play goes on behind that dealer."""
    phone.begin(TAROKY, 1)
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
            phone.type_name(key.removeprefix("player "))
            expect(phone.key(key)).to_have_attribute("aria-pressed", "true")
    phone.tap("save")


def test_the_end_of_an_evening_without_network(phone) -> None:
    """The page fetches the rules by itself. 25 of Bořek and Cyril from Alena and Dana, then 5 of Alena and
    Bořek from Cyril and Dana."""
    phone.page.add_init_script(
        "Object.defineProperty(NetworkInformation.prototype, 'saveData', { get: () => false });"
    )
    phone.begin(TAROKY, 1)
    phone.until_ready()
    phone.tap("table")
    phone.tap(phone.page.locator(".more-part summary"))
    phone.key("stake").fill("0,5")
    phone.key("currency").fill("Kč")
    phone.tap("save")
    phone.enter(2, TAROKY.deals[1])
    phone.until_sent()
    link = phone.key("link").input_value()
    phone.context.set_offline(True)
    phone.tap("end")
    expect(phone.page.locator(".winner")).to_have_text("Winner: Bořek")
    paid = ["Dana → Bořek3015.00 Kč", "Alena → Cyril2010.00 Kč"]
    expect(phone.page.locator(".payments tr")).to_have_text(paid)
    assert phone.page.evaluate("scrollY") == 0
    look_closely(phone.page)
    phone.page.set_viewport_size({"width": 360, "height": 640})
    assert fits(phone.page)
    text = (
        f"{named(phone)}\nBořek +30, Cyril +20, Alena −20, Dana −30\n"
        f"Dana → Bořek: 30 (15.00\N{NO-BREAK SPACE}Kč)\nAlena → Cyril: 20 (10.00\N{NO-BREAK SPACE}Kč)\n{link}"
    )
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.page.evaluate(
        """window.said = [];
        const share = document.querySelector("[data-key=share]");
        new MutationObserver(() => said.push(share.textContent)).observe(share, { childList: true });"""
    )
    phone.tap("share")
    phone.until("said.length === 2")
    assert phone.page.evaluate("said") == ["Copied", "Share"]
    assert phone.page.evaluate("navigator.clipboard.readText()") == text
    phone.page.evaluate("() => { navigator.share = async (what) => { window.shared = what.text; }; }")
    phone.tap("share")
    assert phone.page.evaluate("shared") == text
    # Without both, the text can be copied by hand.
    phone.page.evaluate("() => { navigator.share = async () => { throw new TypeError('not allowed'); }; }")
    phone.tap("share")
    expect(phone.page.locator("#message")).to_be_visible()
    # For members only: no link.
    phone.page.locator("#message").evaluate("area => { area.closest('details').open = false; }")
    phone.page.evaluate(
        """() => {
          const [evening] = evenings.values();
          store({ ...evening, setup: { ...evening.setup, visibility: "members" } });
          show();
        }"""
    )
    expect(phone.page.locator("#message")).to_have_value(text.removesuffix(f"\n{link}"))
    phone.tap("end")
    expect(phone.key("enter")).to_contain_text("Enter deal 3")
    expect(phone.page.locator(".winner")).to_have_count(0)


def named(phone: Phone) -> str:
    """The name of the evening."""
    return phone.page.locator(".evening-head h1").inner_text()


def test_what_is_sent_while_the_archive_answers_stays(phone) -> None:
    """A late answer about the evening, from before a deal was sent, takes nothing away."""
    phone.begin(STROHMANN, 1)
    # The next request for the state gets all of it, and waits for its answer until deal 2 was sent.
    phone.page.evaluate("store({ ...[...evenings.values()][0], etag: '' })")
    late: list[tuple[Route, APIResponse]] = []
    with phone.page.expect_request("**/state.json"):
        phone.context.route("**/state.json", lambda route: late.append((route, route.fetch())))
    phone.enter(2, STROHMANN.deals[1])
    phone.until_sent()
    route, answer = late[0]
    assert len(answer.json()["deals"]) == 1
    route.fulfill(response=answer)
    phone.until("[...evenings.values()][0].etag")
    phone.page.evaluate("show()")
    assert phone.standings() == {"Alena": 4, "Bořek": 3}


def test_two_phones_of_a_club(open_page, address) -> None:
    """A club's evening: both phones see the same, and what both enter is shown to both."""
    one, two = (Phone(open_page(**PHONE), address) for _ in range(2))
    secretary, member = new_user("secretary"), new_user("member")
    club = spaces.found_club("Tarok Hlučín", by=secretary)
    spaces.join(spaces.invite(club, by=secretary), member)
    be(one.context, address, secretary)
    be(two.context, address, member)
    one.open()
    one.start(TAROKY)
    one.enter(1, TAROKY.deals[0])
    one.until_sent()
    two.open()
    two.tap(two.page.locator(".evening-list a").first)
    expect(two.key("deal 1")).to_contain_text("Bořek +25")
    # One phone sees what the other enters.
    one.enter(2, TAROKY.deals[1])
    expect(two.key("deal 2")).to_contain_text("Alena +5")
    # Both enter deal 3, the second without network: nothing is overwritten.
    two.tap("enter")
    for text in ("partner A", "points bidder 40"):
        two.line(text)
    one.enter(3, TAROKY.deals[2])
    one.until_sent()
    two.tap("save")
    box = two.page.locator(".conflict")
    expect(box).to_contain_text("entered on another phone")
    expect(box).to_contain_text("Alena +5, Bořek −5, Cyril −5, Dana +5")
    expect(box).to_contain_text("Alena −1, Bořek +1, Cyril +1, Dana −1")
    # In words, what differs: both have the same bidder and partner.
    expect(box).to_contain_text("Card pointsbidder’s side, 40 ↔ bidder’s side, 35")
    expect(box).not_to_contain_text("Partner")
    two.tap(two.page.get_by_role("button", name="The one on the other phone"))
    expect(two.key("deal 3")).to_contain_text("Bořek +1")
    # Signed out, a phone keeps what is entered, and sends it once its user has signed in again.
    cookies = one.context.cookies()
    one.context.clear_cookies()
    one.enter(4, TAROKY.deals[3])
    expect(one.page.locator(".phone-status")).to_contain_text("You are signed out")
    expect(one.key("deal 4")).to_contain_text("not sent")
    one.context.add_cookies([cookie for cookie in cookies if cookie["name"] != "csrftoken"])
    one.page.reload()
    one.until_sent()
    expect(two.key("deal 4")).to_contain_text("Alena +30")
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


def test_a_friend_joins_a_guests_evening(open_page, address) -> None:
    """Two phones without an account: both enter deals, and both see who entered what. The link is revoked,
    and the host's browser loses its session and gets the evening back."""
    host, friend = (Phone(open_page(**PHONE), address) for _ in range(2))
    host.begin(TAROKY)
    host.tap("friends")
    expect(host.page.locator(".qr svg path").first).to_be_visible()
    look_closely(host.page)
    friend.page.goto(host.key("join").input_value())
    look_closely(friend.page)
    friend.tap(friend.page.get_by_role("button", name="Dana"))
    expect(friend.key("enter")).to_contain_text("Enter deal 1")
    friend.tap("enter")
    expect(friend.key("save")).to_be_visible()
    assert friend.taps <= 3
    friend.tap(friend.page.locator(".evening-head .back"))
    for key in ("table", "end", "friends", "visibility", "link"):
        expect(friend.key(key)).to_have_count(0)
    host.enter(1, TAROKY.deals[0])
    expect(friend.key("deal 1")).to_contain_text("Bořek +25")
    friend.enter(2, TAROKY.deals[1])
    for phone in (host, friend):
        expect(phone.key("deal 2")).to_contain_text("entered by Dana")
        expect(phone.key("deal 1")).not_to_contain_text("entered by")
    host.tap("revoke")
    expect(host.key("join")).to_have_count(0)
    friend.enter(3, TAROKY.deals[2])
    expect(friend.key("deal 3")).to_contain_text("The link with which you joined no longer works.")
    assert friend.page.locator(".deals-now .row-sent").count() == 2
    # Only the private link brings the evening back.
    host.tap("table")
    recovery = host.key("recovery").input_value()
    host.context.clear_cookies()
    host.page.goto(recovery)
    look_closely(host.page)
    host.page.get_by_role("button", name="Get it back").tap()
    host.enter(3, TAROKY.deals[2])
    host.until_sent()
    assert host.complaints + friend.complaints == []
