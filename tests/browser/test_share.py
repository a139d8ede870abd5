"""Sharing in a browser: a frame on another site, the fields to copy, and the printed page of a deal."""

import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tarock.core.record import Record
from tests.support import samples

from .measures import box_of, fits, sheets, violations

pytestmark = pytest.mark.browser

FIRST = samples.FIRST_CARD


Elsewhere = Callable[[Page, str], FrameLocator]


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """Opens a page of another site with some content, and returns its frame."""
    content = ""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>blog</title>{content}".encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    def show(page: Page, shown: str) -> FrameLocator:
        nonlocal content
        content = shown
        page.goto(f"http://127.0.0.1:{server.server_port}/")  # the site is called localhost
        return page.frame_locator("iframe")

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield show
        server.shutdown()


def test_another_site_shows_a_moment_and_steps_through(address, open_page, elsewhere, taroky) -> None:
    """The code to embed is taken from the replay page, as people do."""
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(address(f"/deals/{taroky.pk}/replay/?step={FIRST + 1}"))
    page.locator("#details-share > summary").click()
    frame = elsewhere(page, page.locator("#share-code").input_value())
    expect(frame.locator(".happened")).to_contain_text("Alena plays tarock XX.")
    frame.get_by_role("link", name="Next step").click()
    expect(frame.locator(".happened")).to_contain_text("Bořek plays tarock V.")
    frame.get_by_role("link", name="End").click()
    expect(frame.locator(".happened")).to_contain_text("The deal is over.")
    expect(frame.get_by_role("link", name="Open the whole replay")).to_have_attribute("target", "_blank")


@pytest.mark.parametrize(("sandbox", "language"), [("", "cs"), ("allow-scripts", "en")])
def test_a_sandboxed_frame_shows_cards_steps_and_where_the_replay_is(
    address, open_page, elsewhere, taroky, sandbox, language
) -> None:
    """A blog's system often puts such a frame around a page that it found by oEmbed."""
    complaints: list[str] = []
    page = open_page(locale=language, viewport={"width": 800, "height": 700})
    page.on("console", lambda message: complaints.append(message.text))
    where = address(f"/deals/{taroky.pk}/embed/?step={FIRST}")
    frame = elsewhere(page, f'<iframe sandbox="{sandbox}" width="780" height="680" src="{where}"></iframe>')
    cards = frame.locator(".hand use")
    expect(cards).to_have_count(48)
    assert {card.bounding_box()["width"] > 0 for card in cards.all()} == {True}
    frame.locator("#embed-next").click()
    expect(frame.locator("#embed-previous")).to_have_attribute("href", f"?step={FIRST}")
    expect(frame.locator(".trick use")).to_have_count(1)
    replay = address(f"/deals/{taroky.pk}/replay/?step={FIRST + 1}")
    expect(frame.locator(".embed-address code")).to_have_text(replay)
    # Playwright's own scripts are refused, too, where the frame allows none.
    assert [text for text in complaints if "allow-scripts" not in text] == []


def test_the_links_of_a_frame_open_a_tab(address, page, elsewhere, taroky) -> None:
    """The frame itself shows no other page of the site, which would refuse to be framed."""
    path = f"/deals/{taroky.pk}/%s/?step={samples.LAST_STEP + 1}"
    sandbox = "allow-popups allow-popups-to-escape-sandbox"
    frame = elsewhere(page, f'<iframe sandbox="{sandbox}" src="{address(path % "embed")}"></iframe>')
    with page.expect_popup() as opened:
        frame.get_by_role("link", name="Open the whole replay").click()
    expect(opened.value).to_have_url(address(path % "replay"))
    page.goto(address(f"/deals/{taroky.pk}/embed/?step={FIRST + 1}"))
    kept = page.locator("a[target=_self]").evaluate_all("all => all.map(one => one.id)")
    assert kept == ["embed-first", "embed-previous", "embed-next", "embed-last"]
    assert page.locator("base").get_attribute("target") == "_blank"


def test_the_frame_needs_no_scrolling_sideways(address, watched, store) -> None:
    for table in (("taroky", 4), ("troggu", 8), ("grosstarock", 3)):
        (deal,) = store(samples.as_text(samples.simulated(*table, seed=5)))
        for step in (0, 30):
            watched.goto(address(f"/deals/{deal.pk}/embed/?step={step}"))
            for width in (320, 390, 800):
                watched.set_viewport_size({"width": width, "height": 700})
                assert fits(watched), (table, step, width)
                bar = box_of(watched.locator(".embed-bar"))
                assert bar["y"] + bar["height"] <= 701


def test_a_low_frame_shows_the_whole_table(address, watched, taroky) -> None:
    """The buttons, and in the end the result, are below the table, not in front of it."""
    watched.set_viewport_size({"width": 360, "height": 360})
    watched.goto(address(f"/deals/{taroky.pk}/embed/?step={FIRST}"))
    table, bar = (box_of(watched.locator(part)) for part in (".table-box", ".embed-bar"))
    assert table["y"] + table["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= 361
    watched.set_viewport_size({"width": 800, "height": 700})
    watched.goto(address(f"/deals/{taroky.pk}/embed/?step={samples.LAST_STEP + 1}"))
    table, result = (box_of(watched.locator(part)) for part in (".table-box", ".result"))
    assert result["y"] >= table["y"] + table["height"]
    assert violations(watched) == []


def test_the_fields_follow_the_steps(replay, address, taroky) -> None:
    page = replay(f"view=B&step={FIRST}")
    page.locator("#details-share > summary").click()
    link = page.locator("#share-link")
    expect(link).to_have_value(address(f"/deals/{taroky.pk}/replay/?view=B&step={FIRST}"))
    page.keyboard.press("ArrowRight")
    expect(link).to_be_visible()
    expect(link).to_have_value(address(f"/deals/{taroky.pk}/replay/?view=B&step={FIRST + 1}"))
    expect(page.locator("#share-code")).to_have_value(re.compile(rf"view=B&amp;step={FIRST + 1}\""))
    # In a field the arrows belong to the text, not to the steps.
    link.focus()
    page.keyboard.press("ArrowRight")
    expect(link).to_have_value(re.compile(rf"step={FIRST + 1}$"))


# --- on paper -----------------------------------------------------------------------------------------------


def cut_off(page: Page) -> list[str]:
    """Cells of the sheet whose text is wider than they are; names, which may end in an ellipsis, apart."""
    found: list[str] = page.evaluate(
        """() => {
             const sheet = document.querySelector(".sheet").getBoundingClientRect();
             const bad = [];
             for (const cell of document.querySelectorAll(".sheet td, .sheet p, .sheet .score th")) {
               const edge = Math.min(sheet.right, cell.getBoundingClientRect().right) + 1;
               const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
               while (texts.nextNode()) {
                 if (texts.currentNode.parentElement.closest(".visually-hidden")) continue;
                 const range = document.createRange();
                 range.selectNodeContents(texts.currentNode);
                 for (const box of range.getClientRects())
                   if (box.width && box.right > edge) bad.push(texts.currentNode.textContent);
               }
             }
             return bad;
           }"""
    )
    return found


TABLES = [("strohmann", 2), ("taroky", 4), ("grosstarock", 3), ("grosstarock", 4)]
TABLES += [("troggu", players) for players in range(3, 9)]


def assert_printed(page: Page, address: str, most: int = 1) -> None:
    """Fail unless a page takes so many sheets of A4 at most, and nothing is cut off at its margins."""
    page.set_viewport_size({"width": 718, "height": 1047})  # the room within the margins
    assert 1 <= sheets(page, address) <= most, address
    assert cut_off(page) == [], address


def test_a_deal_is_one_sheet_of_a4(address, page, store) -> None:
    """The longest of ten at each table; also one that ends early."""
    deals = [samples.as_text([longest(*table)]) for table in TABLES]
    for deal in store("\n".join([*deals, samples.ILLEGAL, samples.UNFINISHED, samples.WRONG_CLAIM])):
        assert_printed(page, address(f"/deals/{deal.pk}/print/"))


@cache
def longest(game: str, players: int) -> Record:
    """Return the simulated deal with the most events of ten."""
    return max(samples.simulated(game, players, 10, seed=11), key=lambda record: len(record.events))


def crowded(game: str, players: int) -> str:
    """A deal whose names are as long as people's names get, with everything on it that can be named."""
    record = longest(game, players)
    text = samples.as_text([record])
    for letter, name in record.players.items():
        long = f"{name} Wilhelmina-Katharina von und zu Hohenlohe-Waldenburg-Schillingsfürst"
        text = text.replace(f'[{letter} "{name}"]', f'[{letter} "{long}"]')
    for tag in ("Event", "Site", "Session"):
        text = re.sub(rf'\[{tag} "[^"]*"\]\n', "", text)
        text = text.replace("[Dealer", f'[{tag} "{tag} {"mit einem sehr langen Namen " * 6}"]\n[Dealer', 1)
    return text


def test_even_a_crowded_deal_is_two_sheets_at_most(address, page, store) -> None:
    for table in TABLES:
        (deal,) = store(crowded(*table))
        for language in ("de", "ja") if table in (("taroky", 4), ("troggu", 8)) else ("de",):
            page.set_extra_http_headers({"Accept-Language": language})
            assert_printed(page, address(f"/deals/{deal.pk}/print/"), most=2)
