"""The board: whole deals of each game laid out and played by taps, by keys, and with faults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tarock import sentences
from tarock.naming import PlayerNames
from tarock.notation import read_one, write_text
from tarock.record import Event, Record
from tarock.verify import check
from tests.conformance.test_conformance import ROWS
from tools.site import Site

from .conftest import Address
from .test_evening import look_closely, sizes

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = [
    pytest.param("strohmann", 2, "de", "dark", (360, 640), id="strohmann"),
    pytest.param("taroky", 4, "cs", "light", (390, 844), id="taroky"),
    pytest.param("troggu", 8, "en", "dark", (390, 844), id="troggu"),
    pytest.param("troggu", 4, "de", "light", (360, 640), id="troggu-4"),
    pytest.param("grosstarock", 3, "ja", "light", (360, 640), id="grosstarock"),
    pytest.param("grosstarock", 2, "en", "light", (390, 844), id="grosstarock-2"),
]


def conformance(game: str, seats: int, verdict: str = "verified") -> Record:
    """The conformance deal of this game with the most kinds of events, without what was noted beside it."""
    rows = [row.values[0] for row in ROWS]
    rows = [row for row in rows if row["expect"]["verdict"] == verdict and row["record"]["game"] == game]
    rows = [row for row in rows if len(row["record"]["players"]) == seats]
    assert rows
    row = max(rows, key=_kinds)
    return replace(read_one(json.dumps(row["record"])), tags={}, comments={}, score=None)


def _kinds(row: dict[str, Any]) -> int:
    """How many kinds of events a deal has; cards with a word, and several items at once, are such, too."""
    return len({(event[1], len(event) > 3, "(" in event[-1]) for event in row["record"]["events"]})


class Desk:
    """The board in a browser: what is tapped."""

    def __init__(self, page: Page, address: Address) -> None:
        self.page, self.address = page, address
        self.taps = 0

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-key="{name}"]')

    def tap(self, name: str) -> None:
        self.taps += 1
        self.key(name).click()

    def set_table(self, record: Record) -> None:
        """Set up the table of a deal, without date and place."""
        self.page.goto(self.address("/board/"))
        self.tap("new")
        self.tap(f"game {record.game}")
        expect(self.key(f"game {record.game}")).to_have_attribute("aria-pressed", "true")
        if self.key(f"seats {len(record.seats)}").count():
            self.tap(f"seats {len(record.seats)}")
        for seat, name in record.players.items():
            self.key(f"name {seat}").fill(name)
            self.key(f"name {seat}").blur()
        self.tap(f"dealer {record.dealer}")
        for option in record.options:
            self.tap(f"option {option}")
        self.page.locator(".more-part summary").click()
        self.key("date").fill("")
        self.key("date").blur()

    def deal(self, record: Record) -> None:
        """Deal all cards by taps; what is left for the last place lies there by itself."""
        self.tap("hands")
        for place, cards in record.deal.items():
            if place == "stock":
                continue
            self.tap(f"place {place}")
            for card in cards:
                if self.key(f"card {card}").get_attribute("aria-pressed") == "false":
                    self.tap(f"card {card}")
        self.tap("play")
        self.until(0)

    def until(self, moves: int) -> None:
        expect(self.page.locator(f'.board[data-moves="{moves}"]')).to_be_attached()

    def play(self, record: Record) -> None:
        for number, event in enumerate(record.events, 1):
            self.enter(event)
            self.until(number)

    def enter(self, event: Event) -> None:
        """Enter an event that is offered."""
        seat, verb, *words = event
        if verb == "play":
            card = words[0].partition("(")[0]
            several = self.page.evaluate("card => choicesOf(card).length > 1", card)
            self.tap(f"play {card}")
            if several:
                self.tap(f"say play {words[0]}")
        elif verb == "discard":
            for card in words:
                self.tap(f"pick {card}")
            self.tap("done")
        elif verb == "announce" and all(self.key(f"item {item}").count() for item in words):
            for item in words:
                self.tap(f"item {item}")
            self.tap("done")
        elif self.key(f"say {' '.join((seat, verb, *words))}").count():
            self.tap(f"say {' '.join((seat, verb, *words))}")
        else:
            # What depends on cards that nobody knows is not offered, but taken.
            self.type(" ".join(event))

    def type(self, text: str) -> None:
        """Enter an event as text."""
        if not self.key("event").is_visible():
            self.page.locator("details:has([data-key=event]) summary").click()
        self.key("event").fill(text)
        self.key("event").press("Enter")

    def text(self) -> str:
        """The record as it is downloaded."""
        self.tap("send")
        with self.page.expect_download() as download:
            self.page.locator("#download").click()
        assert download.value.suggested_filename == "deal.tgn"
        return Path(download.value.path()).read_text(encoding="utf-8")


@contextmanager
def at(browser: Browser, address: Address, **how: Any) -> Iterator[Desk]:
    """A board in a browser of its own, in which no script may fail and no policy be broken."""
    context = browser.new_context(**how)
    complaints: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield Desk(page, address)
    context.close()
    assert complaints == []


@pytest.fixture
def desk(browser: Browser, address: Address, transactional_db: None) -> Iterator[Desk]:
    with at(browser, address, **sizes(390, 844), locale="en-GB") as found:
        yield found


@pytest.mark.parametrize(("game", "seats", "language", "scheme", "size"), PHONES)
def test_a_deal_by_taps(
    game: str,
    seats: int,
    language: str,
    scheme: Any,
    size: tuple[int, int],
    browser: Browser,
    address: Address,
    transactional_db: None,
) -> None:
    """A whole deal by taps on a phone gives the very record; halfway the page is opened again."""
    record = conformance(game, seats)
    with at(browser, address, **sizes(*size), locale=language, color_scheme=scheme) as desk:
        desk.set_table(record)
        look_closely(desk.page)
        desk.deal(record)
        desk.page.go_back()
        look_closely(desk.page)
        desk.page.go_forward()
        desk.until(0)
        looked = set()
        for number, event in enumerate(record.events, 1):
            if event[1] not in looked:
                looked.add(event[1])
                look_closely(desk.page)
            desk.enter(event)
            desk.until(number)
            if number == len(record.events) // 2:
                desk.page.reload()
                desk.until(number)
                for tool, moves in (("undo", 1), ("undo", 2), ("redo", 1), ("redo", 0)):
                    desk.tap(tool)
                    desk.until(number - moves)
        look_closely(desk.page)
        print(f"{game} {seats}: {desk.taps} taps")
        assert desk.text() == write_text(record)
        score = [int(text.replace("−", "-")) for text in desk.page.locator(".score-now dd").all_inner_texts()]
        assert score == list((check(record).score or {}).values())


@pytest.mark.parametrize(
    ("game", "seats"), [("strohmann", 2), ("taroky", 4), ("troggu", 8), ("grosstarock", 3)]
)
def test_a_deal_as_it_was_played(game: str, seats: int, desk: Desk) -> None:
    """Nobody knows the hands: each card is tapped as it falls. At the end they are known, and the record is
    the same as if they had been dealt first."""
    record = conformance(game, seats)
    desk.set_table(record)
    desk.tap("hands")
    for place, cards in record.deal.items():
        if place == "talon" or "/" in place:
            desk.tap(f"place {place}")
            for card in cards:
                desk.tap(f"card {card}")
    desk.tap("play")
    desk.until(0)
    look_closely(desk.page)
    for number, event in enumerate(record.events, 1):
        desk.enter(event)
        desk.until(number)
    print(f"{game} {seats}: {desk.taps} taps")
    assert desk.text() == write_text(record)
    score = [int(text.replace("−", "-")) for text in desk.page.locator(".score-now dd").all_inner_texts()]
    assert score == list((check(record).score or {}).values())


def test_a_discard_that_nobody_knows(desk: Desk) -> None:
    """The table saw four cards laid away, and one of them."""
    record = conformance("taroky", 4)
    desk.set_table(record)
    desk.tap("as-played")
    desk.until(0)
    for number, event in enumerate(record.events, 1):
        if event[1] == "discard":
            desk.tap(f"pick {event[2]}")
            desk.tap("done-unknown")
            desk.until(number)
            break
        desk.enter(event)
        desk.until(number)
    assert f"{event[0]} discard {event[2]} ? ?" in desk.text()


@pytest.mark.parametrize("game", ["strohmann", "taroky", "troggu", "grosstarock"])
def test_an_illegal_event_has_its_finding(game: str, desk: Desk) -> None:
    """What is not offered is typed; the board says what is wrong with it, as the page of the deal does."""
    seats = {"strohmann": 2, "taroky": 4, "troggu": 5, "grosstarock": 3}[game]
    record = conformance(game, seats, "illegal")
    fault = check(record).error
    assert fault is not None
    assert fault.event is not None
    desk.set_table(record)
    desk.deal(record)
    for number, event in enumerate(record.events[: fault.event], 1):
        desk.enter(event)
        desk.until(number)
    wrong = record.events[fault.event]
    desk.type(" ".join((wrong[0], *wrong[2:]) if wrong[1] == "play" else wrong))
    box = desk.key("finding")
    called = PlayerNames(game, record.players, "en")
    expect(box).to_contain_text(called.sentence(sentences.finding, replace(fault, trick=None)))
    expect(box.locator("a")).to_have_attribute("href", f"/rules/clause/{fault.clause}/")
    look_closely(desk.page)
    assert desk.text() == write_text(replace(record, events=record.events[: fault.event + 1]))
    desk.tap("undo-finding")
    desk.until(fault.event)
    expect(box).to_have_count(0)
    desk.tap("redo")
    expect(box).to_be_visible()


def test_hands_as_text(desk: Desk) -> None:
    """A hand is typed as people write it; a word that is no card is named, and nothing is dealt then."""
    record = conformance("taroky", 4)
    desk.set_table(record)
    desk.tap("hands")
    desk.page.locator("details:has([data-key=hand]) summary").click()
    desk.key("hand").fill("T20 SK nonsense")
    desk.key("hand").press("Enter")
    expect(desk.page.locator(".findings")).to_contain_text("nonsense")
    expect(desk.key("place A")).to_contain_text("0/12")
    for place in "ABCD":
        expect(desk.key(f"place {place}")).to_have_attribute("aria-pressed", "true")
        desk.key("hand").fill(" ".join(record.deal[place]))
        desk.key("hand").press("Enter")
        expect(desk.key(f"place {place}")).to_contain_text("12/12")
    # The order of the talon counts, so that its cards are tapped.
    expect(desk.key("place talon")).to_contain_text("0/6")
    for card in record.deal["talon"]:
        desk.tap(f"card {card}")
    desk.tap("play")
    desk.until(0)
    desk.type(record.events[0][0] + " " + " ".join(record.events[0][1:]))
    desk.until(1)
    desk.type("no-such-word")
    expect(desk.page.locator(".type-move .error")).to_be_visible()
    expect(desk.key("event")).to_have_value("no-such-word")


def test_a_card_goes_where_it_is_tapped(desk: Desk) -> None:
    """A card is taken back, goes from seat to seat, and a full place takes no more; the last hand fills."""
    record = conformance("troggu", 3)
    desk.set_table(record)
    desk.tap("hands")
    desk.tap("card T20")
    expect(desk.key("place A")).to_contain_text("1/18")
    desk.tap("card T20")
    expect(desk.key("place A")).to_contain_text("0/18")
    desk.tap("card T20")
    desk.tap("place B")
    desk.tap("card T20")
    expect(desk.key("place A")).to_contain_text("0/18")
    expect(desk.key("place B")).to_contain_text("1/18")
    expect(desk.key("play")).to_have_text("As it was played")
    desk.tap("shuffle")
    expect(desk.key("place talon")).to_contain_text("8/8")
    expect(desk.key("play")).to_have_text("Play")
    desk.tap("clear")
    expect(desk.key("place B")).to_contain_text("0/18")
    desk.tap("place A")
    free = desk.page.locator(".pack-card:not(.gone):not(.here)")
    expect(free).to_have_count(18)
    free.first.click()
    expect(desk.page.locator("#live")).to_contain_text("no room for more cards")
    desk.tap("place B")
    for _ in range(18):
        free.first.click()
    expect(desk.page.locator(".lacking")).to_have_text("All cards are dealt.")


def test_by_keys_alone(desk: Desk) -> None:
    """A shuffled deal is played without a pointer; what happens is announced."""
    page = desk.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(desk.address("/board/"))
    desk.key("new").press("Enter")
    desk.key("game troggu").press("Enter")
    expect(desk.key("game troggu")).to_be_focused()
    desk.key("hands").press("Enter")
    desk.key("card T21").press("ArrowRight")
    expect(desk.key("card T20")).to_be_focused()
    desk.key("shuffle").press("Enter")
    desk.key("play").press("Enter")
    desk.until(0)
    expect(page.locator("#announcer")).to_have_text(re.compile("is on turn"))
    page.locator("[data-first]").first.focus()
    for moves in range(1, 6):
        page.keyboard.press("Enter")
        desk.until(moves)
        # The focus is again on what may come next.
        assert page.evaluate("document.activeElement.dataset.first") is not None
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^[A-D] .+\. [A-D] is on turn\.$"))
    page.keyboard.press("Control+z")
    desk.until(4)
    page.keyboard.press("Control+y")
    desk.until(5)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_each_tab_has_its_own_deal(desk: Desk) -> None:
    """Two tabs enter two deals; both are on the list, and one is deleted there."""
    page, address = desk.page, desk.address
    other = Desk(page.context.new_page(), address)
    for one, game in ((desk, "taroky"), (other, "troggu")):
        one.page.goto(address("/board/"))
        one.tap("new")
        one.tap(f"game {game}")
        one.tap("hands")
        one.tap("shuffle")
    desk.tap("card T1")
    for one, game in ((desk, "taroky"), (other, "troggu")):
        one.page.reload()
        expect(one.page.locator(".places")).to_be_visible()
        assert one.page.evaluate("board.game") == game
    page.goto(address("/board/"))
    expect(page.locator(".boards li")).to_have_count(2)
    page.locator(".boards button").first.click()
    expect(page.locator(".boards li")).to_have_count(1)


def test_it_is_sent_to_the_archive(live_worker: Site, desk: Desk) -> None:
    """What was entered is uploaded as text, and verified there."""
    record = conformance("strohmann", 2)
    desk.set_table(record)
    desk.deal(record)
    desk.play(record)
    desk.tap("send")
    desk.page.get_by_role("button", name="Send to the archive").click()
    desk.page.wait_for_url(re.compile(r"/uploads/\d+/"))
    expect(desk.page.locator(".badge-verified").first).to_be_visible()
