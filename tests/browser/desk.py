"""The board in a browser: a deal entered by taps, and what is looked at meanwhile."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tarock.core.record import Event, Record
from tarock.notation import read_one
from tests.conformance import deals

from .conftest import Address
from .device import store
from .measures import complaints_of, fits, violations
from .panel import open_tab

TAP = """async (steps) => {
    // Each step is a list of buttons, by their keys, and the number of moves after it.
    const until = async (found, what) => {
        for (let turn = 0; turn < 6000; turn++) {
            const value = found();
            if (value) return value;
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
        throw new Error(`never: ${what}`);
    };
    const key = (name) => document.querySelector(`[data-key="${CSS.escape(name)}"]`);
    for (const { event: [seat, verb, ...words], number } of steps) {
        const tap = async (name) => {
            (await until(() => key(name), name)).click();
        };
        if (verb === "play") {
            const card = words[0].split("(")[0];
            const several = choicesOf(card).length > 1;
            await tap(`play ${card}`);
            if (several) await tap(`say play ${words[0]}`);
        } else if (verb === "discard") {
            for (const card of words) await tap(`pick ${card}`);
            await tap("done");
        } else if (verb === "announce" && words.every((item) => key(`item ${item}`))) {
            for (const item of words) await tap(`item ${item}`);
            await tap("done");
        } else if (key(`say ${[seat, verb, ...words].join(" ")}`)) {
            await tap(`say ${[seat, verb, ...words].join(" ")}`);
        } else {
            // What depends on cards that nobody knows is not offered, but taken.
            key("event").value = [seat, verb, ...words].join(" ");
            await tap("enter");
        }
        const stage = document.querySelector("#stage");
        await until(() => stage.dataset.moves === String(number), `move ${number}`);
        await until(() => !busy, "an answer");
    }
}"""
"""Enter events by clicks within the page, as fast as it answers."""


def conformance(game: str, seats: int, verdict: str = "verified") -> Record:
    """Return the conformance deal of this game with the most kinds of events, without its annotations."""
    rows = [row for row in deals().values() if row["record"]["game"] == game]
    rows = [row for row in rows if row["expect"]["verdict"] == verdict]
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
        self.complaints = complaints_of(page)

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-key="{name}"]')

    def tap(self, name: str) -> None:
        self.key(name).click()

    def fill(self, name: str, text: str) -> None:
        self.key(name).fill(text)
        self.key(name).blur()

    def set_table(self, record: Record) -> None:
        """Set up the table of a deal, without date and place."""
        self.page.goto(self.address("/board/"))
        self.tap("new")
        self.tap(f"game {record.game}")
        expect(self.key(f"game {record.game}")).to_have_attribute("aria-pressed", "true")
        if self.key(f"seats {len(record.seats)}").count():
            self.tap(f"seats {len(record.seats)}")
        for seat, name in record.players.items():
            self.fill(f"name {seat}", name)
        self.tap(f"dealer {record.dealer}")
        self.page.locator(".more-part summary").click()
        for option in record.options:
            self.tap(f"option {option}")
        self.fill("date", "")

    def open(self, record: Record, events: int, *, known: bool = True) -> None:
        """Open a deal stored on this device, after a number of its events."""
        deal = {place: list(cards) for place, cards in record.deal.items() if place != "stock"}
        board = {
            "key": "open",
            "game": record.game,
            "seats": len(record.seats),
            "names": record.players,
            "dealer": record.dealer,
            "options": list(record.options),
            "deal": deal if known else {},
            "events": [list(event) for event in record.events[:events]],
            "undone": [],
            "at": 1,
        }
        self.page.goto(self.address("/board/"))
        store(self.page, "board:open", board)
        self.page.goto(self.address("/board/#open/play"))
        self.until(events)

    def deal(self, record: Record, places: str = "") -> None:
        """Deal all cards by taps, or those of some places; what is left for the last place lies there."""
        self.tap("hands")
        for place, cards in record.deal.items():
            if place == "stock" or (places and not re.search(places, place)):
                continue
            self.tap(f"place {place}")
            self.page.evaluate(
                """(cards) => cards.forEach((card) => {
                    const button = document.querySelector(`[data-key="card ${card}"]`);
                    if (button.ariaPressed !== "true") button.click();
                })""",
                list(cards),
            )
        self.tap("play")
        self.until(0)

    def until(self, moves: int) -> None:
        expect(self.page.locator(f'#stage[data-moves="{moves}"]')).to_be_visible()

    def play(self, events: list[Event], first: int = 0) -> None:
        """Enter offered events after a number of earlier ones."""
        steps = [{"event": list(event), "number": n} for n, event in enumerate(events, first + 1)]
        self.page.evaluate(TAP, steps)

    def enter(self, event: Event) -> None:
        """Enter an event that is offered by a thumb: what it hits is what was meant."""
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
            if not self.key(f"item {words[0]}").is_visible():
                self.tap("items")
            for item in words:
                self.tap(f"item {item}")
            self.tap("done")
        else:
            self.tap(f"say {' '.join((seat, verb, *words))}")

    def type(self, text: str) -> None:
        """Enter an event as text."""
        open_tab(self.page, "Moves")
        self.key("event").fill(text)
        self.key("event").press("Enter")

    def send(self) -> None:
        if self.key("send-over").count():
            self.tap("send-over")
        else:
            open_tab(self.page, "Moves")
            self.tap("send")

    def text(self) -> str:
        """The record as it is downloaded."""
        self.send()
        with self.page.expect_download() as download:
            self.page.locator("#download").click()
        assert download.value.suggested_filename == "deal.tgn"
        self.page.locator("#close-sending").click()
        return Path(download.value.path()).read_text(encoding="utf-8")

    def score(self) -> list[int]:
        shown = self.page.locator("#status .score-now dd").all_inner_texts()
        return [int(text.replace("−", "-")) for text in shown]


THUMB = """() => {
    const wrong = [];
    for (const one of document.querySelectorAll("#stage button")) {
        if (!one.checkVisibility()) continue;
        const { left, top, width, height } = one.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + Math.min(height, 24) / 2);
        const large = one.matches(".tap, .pack-card")
            ? Math.max(width, height) >= 43.5 && width >= 20
            : height >= 43.5 && width >= 32;
        // What scrolls in the bar may be out of sight.
        const free = one.contains(hit) || one.closest(".offers, .tray, .status");
        if (!large || !free) wrong.push(`${one.dataset.key} ${width}x${height} ${hit?.className}`);
    }
    return wrong;
}"""
"""Elements on the stage that are too small for a thumb, or covered."""


def is_for_thumbs(page: Page) -> None:
    """All that is tapped is large enough, and nobody has to scroll sideways."""
    assert page.evaluate(THUMB) == []
    assert fits(page)


def look_at_stage(page: Page) -> None:
    """No barrier on the stage, and all that is tapped is large enough."""
    assert violations(page) == []
    is_for_thumbs(page)
