"""The board: whole deals of each game laid out and played by taps, by keys, and with faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tarock.notation import read_one, write_text
from tarock.record import Event, Record
from tests.conformance.test_conformance import ROWS

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
        seat, verb, *words = event
        by_word = self.key(f"say {' '.join(event)}")
        if verb == "play":
            card = words[0].partition("(")[0]
            self.tap(f"play {card}")
            manner = self.key(f"say play {words[0]}")
            if manner.or_(self.page.locator(".hand-now + .none")).count():
                self.tap(f"say play {words[0]}")
        elif verb == "discard":
            for card in words:
                self.tap(f"pick {card}")
            self.tap("done")
        elif verb == "announce" and not by_word.count():
            for item in words:
                self.tap(f"item {item}")
            self.tap("done")
        else:
            self.tap(f"say {' '.join(event)}")

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


@pytest.fixture
def desk(watched: Page, address: Address, transactional_db: None) -> Desk:
    watched.set_viewport_size({"width": 390, "height": 844})
    return Desk(watched, address)
