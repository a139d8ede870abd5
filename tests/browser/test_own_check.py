"""Records checked by the browser itself: what it finds is what the server finds, and nothing is sent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tarock.analysis.verify import SCORED, check_entry
from tarock.notation import dump_json, read, read_one
from tarock.view.answers.check import MOST
from tests.conformance import deals
from tests.engine.builder import comparable
from tests.engine.test_sheets_of_deals import sheet
from tests.support import samples

from .conftest import Address
from .engine import answer_for
from .measures import complaints_of, cut_off, fits, violations

pytestmark = pytest.mark.browser

PATH = "/check/own/"
ALL = [
    samples.ANNOTATED, samples.WRONG_CLAIM, samples.ILLEGAL, samples.DEALT_TWICE, samples.DISPUTED_SHEET,
    samples.SHEET_THAT_CANNOT_BE, samples.UNFINISHED, samples.SHEET,
]  # fmt: skip
TEXT = "\n".join(ALL)


class OwnCheck:
    """The page with its engine, and all requests that it has made."""

    def __init__(self, page: Page, address: Address) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints = complaints_of(page)
        page.context.on("request", lambda one: self.requests.append(json.dumps([
            one.method, one.url, one.post_data, one.headers
        ])))  # fmt: skip
        opened(page, address)


@pytest.fixture(scope="module")
def kept() -> Iterator[list[OwnCheck]]:
    found: list[OwnCheck] = []
    yield found
    for one in found:
        one.page.context.close()


@pytest.fixture
def own(kept: list[OwnCheck], browser: Browser, address: Address) -> Iterator[OwnCheck]:
    """An English page, on which no script fails. Its engine takes seconds to start, so that all tests of this
    module have the same one."""
    if not kept:
        kept.append(OwnCheck(browser.new_context(locale="en").new_page(), address))
    yield kept[0]
    assert kept[0].complaints == []


def opened(page: Page, address: Address) -> None:
    """Open the page, and wait until it has the engine."""
    page.goto(address(PATH))
    page.locator("#id_text").focus()
    expect(page.locator("[data-ready]")).to_be_visible(timeout=120_000)


def checked(page: Page, text: str) -> None:
    page.get_by_label("Choose files").set_input_files([])
    page.get_by_label("Or paste deals").fill(text)
    page.get_by_role("button", name="Check", exact=True).click()
    finished(page)


def check_files(page: Page, *files: Path) -> None:
    page.get_by_label("Or paste deals").fill("")
    page.get_by_label("Choose files").set_input_files([*files])
    page.get_by_role("button", name="Check", exact=True).click()


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def verdicts(page: Page) -> list[str]:
    return [badge.strip().split()[-1] for badge in page.locator(".own-records .badge").all_inner_texts()]


def record(page: Page, number: int) -> Any:
    """A record of the list, opened."""
    one = page.locator(".own-records > li").nth(number - 1)
    if not one.locator(".record-body").is_visible():
        one.locator("summary").click()
    expect(one.locator(".record-body")).to_be_visible()
    return one


def test_warnings_are_seen_before_a_record_is_opened(own) -> None:
    page = own.page
    odd = samples.ANNOTATED.replace('"Alena"', '"Cyril "', 1).replace('"2026-11-20"', '"2206-11-20"', 1)
    checked(page, f"{samples.SHEET}\n{odd}")
    assert verdicts(page) == ["Computed", "Verified"]
    summary = page.locator(".own-records summary").nth(1)
    expect(summary).to_contain_text("Two players are called Cyril.")
    expect(summary).to_contain_text("Did you mean 2026-11-20?")
    page.get_by_label("Only records with errors").check()
    assert verdicts(page) == ["Verified"]
    page.get_by_label("Only records with errors").uncheck()


def test_the_browser_finds_what_the_server_finds(own) -> None:
    page = own.page
    checked(page, TEXT)
    assert verdicts(page) == [check_entry(entry).verdict.title() for entry in read(TEXT)]
    expect(page.locator("[data-number]")).to_have_text("Records checked: 8")
    # 105 for A and D; 25 for the game, 80 for the pagat, 5 for tarocky, 5 off for B's barvicky.
    sound = record(page, 1)
    expect(sound.locator("summary")).to_contain_text("Alena +105")
    assert sound.locator("tbody td[data-seat=A]").all_inner_texts() == ["+25", "+80", "+5", "−5"]
    expect(sound.locator("tfoot td[data-seat=A]")).to_have_text("+105")
    link = sound.get_by_role("link", name="The game")
    expect(link).to_have_attribute("href", "/rules/clause/taroky.game/")
    # 100 was written down: tarocky was left out, or barvicky counted twice.
    disputed = record(page, 2)
    claim = disputed.locator("table.claim tbody tr").first.locator("td").all_inner_texts()
    assert claim == ["A", "+100", "+105", "−5"]
    expect(disputed.locator(".explanations li")).to_have_count(2)
    expect(disputed.locator(".explanations")).to_contain_text("was left out")
    illegal = record(page, 3)
    expect(illegal.locator(".faults")).to_contain_text("Trick 4, second card:")
    expect(illegal.locator(".faults mark")).to_have_text("SK")
    expect(illegal.locator(".faults .choices li").first).to_be_visible()
    malformed = record(page, 4)
    expect(malformed.locator(".faults mark").first).to_be_visible()
    expect(malformed.locator("table")).to_have_count(0)
    expect(record(page, 5).locator(".explanations li").first).to_be_visible()
    expect(record(page, 6).locator(".faults")).to_contain_text("must be 0 to 70")
    expect(record(page, 7).locator(".choices")).to_have_count(0)
    expect(record(page, 8).locator("tfoot td").first).to_have_text("+110")
    page.get_by_label("Only records with errors").check()
    assert len(verdicts(page)) == 6
    assert not {"Verified", "Computed"} & set(verdicts(page))
    page.get_by_label("Only records with errors").uncheck()


def test_nothing_is_sent_and_it_works_without_network(own) -> None:
    page, loaded = own.page, len(own.requests)
    assert loaded
    page.context.set_offline(True)
    checked(page, TEXT)
    assert len(verdicts(page)) == len(ALL)
    checked(page, samples.NASTY)
    assert verdicts(page) == ["Verified"]
    page.context.set_offline(False)
    # The content of a record is text.
    expect(page.locator(".own-records > li").first).to_contain_text(samples.SCRIPT)
    assert own.requests[loaded:] == []
    assert not [one for one in own.requests if not one.startswith('["GET", ') or "Alena" in one]


def test_files_are_checked_as_they_are(own, tmp_path) -> None:
    """Also what is no text, and in as many parts as it takes."""
    page, many = own.page, tmp_path / "many.jsonl"
    lines = [dump_json(read_one(samples.as_text(samples.simulated("troggu", 5, seed=n)))) for n in range(60)]
    many.write_text("\n".join(lines), encoding="utf-8")
    assert many.stat().st_size > 2 * 32 * 1024
    odd = tmp_path / "odd.tgn"
    odd.write_bytes(
        samples.ANNOTATED.encode() + b"\n" + samples.SHEET.encode().replace(b"Alena", b"Al\xe9na")
    )
    check_files(page, many, odd)
    finished(page)
    assert verdicts(page) == ["Verified"] * 61 + ["Malformed"]
    expect(page.locator(".own-records > li").last).to_contain_text("odd.tgn")
    assert page.locator(".record-number").all_inner_texts() == [str(n) for n in (*range(1, 61), 1, 2)]
    # A text in an old encoding is read as a whole; if two encodings fit, a tap on a line chooses one.
    unclear = tmp_path / "unclear.tgn"
    unclear.write_bytes(samples.ANNOTATED.replace("Bořek", "Søren").encode("cp1252", "replace") * 60)
    assert unclear.stat().st_size > 32 * 1024
    check_files(page, unclear)
    finished(page)
    record(page, 1).get_by_role("button", name="Windows-1252").click()
    expect(page.locator("[data-number]")).to_have_text("Records checked: 60")
    expect(page.locator(".own-records > li").last).to_contain_text("Søren")


def test_a_long_check_can_be_stopped(own, tmp_path) -> None:
    page, long = own.page, tmp_path / "long.tgn"
    long.write_text((samples.SHEET_THAT_CANNOT_BE + "\n") * 10_000, encoding="utf-8")
    check_files(page, long)
    # Only some are in the list; the next are there when they are wanted.
    expect(page.locator(".own-records > li")).to_have_count(100)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-number]")).to_contain_text("Stopped.")
    stopped = page.locator("[data-number]").inner_text()
    page.get_by_role("button", name="Show more").click()
    assert page.locator(".own-records > li").count() > 100
    assert page.locator("[data-number]").inner_text() == stopped
    checked(page, samples.ANNOTATED)
    assert verdicts(page) == ["Verified"]
    expect(page.locator("[data-number]")).to_have_text("Records checked: 1")
    expect(page.locator(".record-body")).to_be_visible()


@pytest.mark.parametrize("script", ["WebAssembly", "Worker"])
def test_a_browser_that_cannot_do_it_is_shown_another_page(address, open_page, script) -> None:
    page = open_page(locale="en")
    page.add_init_script(f"delete window.{script}")
    page.goto(address(PATH))
    page.get_by_role("link", name="The archive can check a record for you").click()
    expect(page.get_by_label("The record")).to_be_visible()


def test_the_engine_that_cannot_be_loaded_is_loaded_again(address, open_page) -> None:
    page = open_page(locale="en")
    answer_for(page)
    asked: list[str] = []
    page.route("**/tarock.zip", lambda route: (asked.append(route.request.url), route.abort()))
    page.goto(address(PATH), wait_until="networkidle")
    failed = page.get_by_text("The rules could not be loaded")
    assert asked == [], "7 MB are for somebody who checks something"
    page.get_by_role("button", name="Load them now").click()
    expect(failed).to_be_visible()
    page.unroute("**/tarock.zip")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-ready]")).to_be_visible()
    expect(failed).to_be_hidden()


@pytest.mark.parametrize(("language", "scheme"), [("cs", "light"), ("de", "dark")])
def test_it_can_be_used_by_everybody(address, open_page, language, scheme) -> None:
    page = open_page(locale=language, color_scheme=scheme, viewport={"width": 320, "height": 844})
    answer_for(page)
    opened(page, address)
    page.locator("#id_text").fill(TEXT)
    page.locator("[data-check]").click()
    expect(page.locator("[data-stop]")).to_be_hidden()
    for number in range(1, len(ALL) + 1):
        record(page, number)
    assert violations(page) == []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert fits(page)
        assert cut_off(page) == []


# --- the conformance deals ----------------------------------------------------------------------------------


def answers(page: Page, texts: list[str]) -> list[dict[str, Any]]:
    """The worker's answers on records, a line each."""
    found = []
    for at in range(0, len(texts), MOST):
        question = {"ask": "check", "text": "\n".join(texts[at : at + MOST])}
        answer = page.evaluate("question => tarockEngine.ask(question, {local: true})", question)
        assert answer["left"] == 0
        found += answer["records"]
    return found


def scored(found: dict[str, Any]) -> tuple[dict[str, int], Any]:
    """Score and lines of an answer."""
    score = {player["seat"]: player["points"] for player in found["players"]}
    return score, comparable([(line["clause"], line["points"]) for line in found["lines"]])


def test_conformance_deals_and_their_sheets(own) -> None:
    """Check every sixth deal; the server has the same engine, and its tests check all of them."""
    page, rows, sheets = own.page, [*deals().values()][::6], []
    for row, found in zip(rows, answers(page, [json.dumps(row["record"]) for row in rows]), strict=True):
        expected = row["expect"]
        assert found["verdict"] == expected["verdict"], row
        if expected["verdict"] in SCORED:
            score, lines = scored(found)
            assert score == expected["score"], row
            assert lines == comparable(expected.get("lines", lines)), row
            sheets.append((sheet(read_one(json.dumps(row["record"]))), expected["score"], lines))
        elif expected["verdict"] == "illegal":
            assert found["findings"][0]["clause"] in expected["slugs"], row
        else:
            assert found["findings"], row
    assert len(sheets) > 60
    texts = [dump_json(made) for made, _, _ in sheets]
    for (made, score, lines), found in zip(sheets, answers(page, texts), strict=True):
        assert found["is_sheet"], made
        assert found["verdict"] in SCORED, made
        assert scored(found) == (score, lines), made
