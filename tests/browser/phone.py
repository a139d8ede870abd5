"""The app for an evening on a phone: what is tapped."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from tarock.view.answers.questions import answer_to
from tests.pages import evenings

from .accounts import take_session
from .conftest import Address
from .evening_deals import Deal, Evening

KEYED = {"points": 1, "hand": 1, "declare": 1, "card": 1, "double": 1}
"""Fields with several lines on a sheet, and the number of words that distinguish them."""


def sizes(width: int, height: int) -> dict[str, Any]:
    """A phone with a touch screen of this size."""
    return {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}


PHONE = {**sizes(390, 844), "locale": "en-GB"}


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


class Phone:
    """The app on a phone: what is tapped, and how often."""

    def __init__(self, page: Page, address: Address) -> None:
        self.page, self.context, self.address = page, page.context, address
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
        """Tap what can be hit. Each answer of the engine or the archive draws the page again; a real tap is
        lost if that replaces the button between touch and click, so the click is sent in one step."""
        self.taps += 1
        target = self.key(where) if isinstance(where, str) else where
        target.tap(trial=True)
        self.page.evaluate("document.activeElement.blur()")  # as a touch does: what was typed is taken
        target.dispatch_event("click")

    def tap_until_on(self, name: str) -> None:
        self.tap(name)
        expect(self.key(name)).to_have_attribute("aria-pressed", "true")

    def type_name(self, name: str) -> None:
        self.key("new player").fill(name)
        self.key("new player").press("Enter")

    def open(self, path: str = "/evenings/") -> None:
        self.page.goto(self.address(path))

    def prepare(self) -> None:
        """Load the engine and the page, so that they work without network."""
        self.tap("prepare")
        self.until_ready()
        self.until_kept()

    def until_kept(self) -> None:
        """Wait until the page's files are on the phone."""
        self.page.evaluate("navigator.serviceWorker?.ready.then(() => 1)")

    def until_ready(self) -> None:
        self.until("window.tarockEngine?.state === 'ready'")

    def until(self, condition: str) -> None:
        """Wait for something in the page. (Its policy forbids the `eval` of Playwright's own way to wait.)"""
        self.page.evaluate(
            f"""() => new Promise((resolve, reject) => {{
                const look = (left) => {{
                    if ({condition}) resolve();
                    else if (left) setTimeout(look, 50, left - 1);
                    else reject(new Error("never"));
                }};
                look(2400);
            }})"""
        )

    def settle(self) -> None:
        """Wait until the form has the answers to all taps: what it shows next depends on them."""
        self.page.evaluate("window.page.form?.chain")

    def start(self, evening: Evening) -> None:
        """Start an evening; players who are not known yet are typed."""
        self.tap("new")
        self.tap_until_on(f"game {evening.game}")
        for name in evening.players:
            player = self.key(f"player {name}")
            if not player.count():
                self.type_name(name)
            elif player.get_attribute("aria-pressed") == "false":
                self.tap(player)
            expect(player).to_have_attribute("aria-pressed", "true")
        self.tap("start")
        expect(self.key("enter")).to_be_visible()

    def begin(self, evening: Evening, deals: int = 0, user: User | None = None, **setup: Any) -> None:
        """Open an evening that was started elsewhere in this session, with its first deals."""
        client = Client()
        if user:
            client.force_login(user)
        elsewhere, table = evenings.Phone(client), [*evening.players]
        start = {"game": evening.game, "seats": 0, "table": table, "dealer": table[0], "visibility": ""}
        elsewhere.start(**start | setup)
        for number, deal in enumerate(evening.deals[:deals], 1):
            state = elsewhere.state()
            seats = answer_to({"ask": "evening", "setup": state["setup"], "deals": state["deals"]})["next"]
            form = {"players": seats["players"], "dealer": seats["dealer"], "options": [], "comment": ""}
            question = {"ask": "form", "setup": state["setup"], "deal": {**form, "n": number, "lines": []}}
            lines = [[int(word) if word.isdigit() else word for word in line.split()] for line in deal.lines]
            if "contract" not in [line[0] for line in lines]:
                lines = answer_to(question)["lines"] + lines  # the form before the first tap
            assert elsewhere.enter(number, {**form, "lines": lines}).status_code == 201
        take_session(self.context, self.address, client)
        self.open(f"/evenings/#{elsewhere.key}")
        expect(self.key("enter")).to_be_visible()

    def enter(self, number: int, deal: Deal) -> None:
        """Enter the next deal, and read its row."""
        self.tap("enter")
        for line in deal.lines:
            self.line(line)
        for name, points in deal.score.items():
            expect(self.page.locator(".score-now")).to_contain_text(f"{name}{signed(points)}")
        self.tap("save")
        for name, points in deal.score.items():
            expect(self.key(f"deal {number}")).to_contain_text(f"{name} {signed(points)}")

    def line(self, line: str) -> None:
        """Tap what a line of the sheet states."""
        self.settle()
        field, *words = line.split()
        key = words[: KEYED.get(field, 0)]
        prefix = " ".join((field, *key))
        self._unfold(field, prefix)
        rest = words[len(key) :] or [""]
        if field == "card":
            rest[:2] = [" ".join(rest[:2])]
        for place, word in zip((0, 2) if field == "card" else range(len(rest)), rest, strict=False):
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
        """Type a number. Its keypad is open if nothing else is missing, and closes after the last digit."""
        self.settle()
        value, done = self.key(f"{name} value"), self.key(f"{name} done")
        expect(value).to_be_visible()
        if not done.count():
            self.tap(value)
        for digit in digits:
            self.tap(f"{name} {digit}")
        expect(value).to_have_text(digits)
        if done.count():
            self.tap(done)

    def standings(self) -> dict[str, int]:
        """The totals on the page of the evening."""
        rows = self.page.locator(".standings-now li").evaluate_all(
            "rows => rows.map((row) => [...row.children].map((part) => part.textContent))"
        )
        return {name: int(total.replace("−", "-").replace("+", "")) for _place, name, total in rows}

    def until_sent(self) -> None:
        expect(self.page.locator(".waiting")).to_have_count(0)
