"""The board: whole deals laid out and played by taps, by keys, without network, and with faults."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tarock.analysis.verify import check
from tarock.games import profiles
from tarock.notation import read_one, write_text
from tarock.words import sentences
from tarock.words.names import PlayerNames
from tests.conformance import deals
from tests.support import samples
from tests.support.storing import deal_of

from .accounts import be, new_user
from .conftest import Address, OpenPage
from .desk import Desk, conformance, is_for_thumbs, look_at_stage
from .measures import look_closely, violations
from .panel import open_tab
from .phone import PHONE, sizes
from .test_table import MEASURE, SIZES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = [
    pytest.param("strohmann", 2, "de", "dark", (360, 640), id="strohmann"),
    pytest.param("grosstarock", 3, "ja", "light", (360, 640), id="grosstarock"),
    pytest.param("taroky", 4, "cs", "light", (390, 844), id="taroky"),
    pytest.param("troggu", 8, "en", "dark", (390, 844), id="troggu"),
]


@pytest.fixture
def desk(open_page: OpenPage, address: Address) -> Iterator[Desk]:
    """A board on which no script fails and no policy is broken. Cards don't fly: that is slow."""
    found = Desk(open_page(**PHONE, reduced_motion="reduce"), address)
    yield found
    assert found.complaints == []


@pytest.mark.parametrize(("game", "seats", "language", "scheme", "size"), PHONES)
def test_a_deal_in_both_ways(game, seats, language, scheme, size, open_page, address) -> None:
    """A whole deal on a phone, hands first and as it was played, gives the very record; halfway the page is
    opened again."""
    record = conformance(game, seats)
    middle = len(record.events) // 2
    how = {"locale": language, "color_scheme": scheme, "reduced_motion": "reduce"}
    desk = Desk(open_page(**sizes(*size), **how), address)

    def assert_entered() -> None:
        assert desk.text() == write_text(record)
        assert desk.score() == list((check(record).score or {}).values())

    # axe looks at each part, in light in one game and in dark in another.
    barriers = game in ("taroky", "strohmann")
    look = look_at_stage if barriers else is_for_thumbs
    desk.set_table(record)
    look_closely(desk.page, axe=barriers)
    desk.deal(record)
    desk.page.go_back()
    expect(desk.key("play")).to_be_visible()
    look_closely(desk.page, axe=barriers)
    desk.page.go_forward()
    desk.until(0)
    look(desk.page)
    desk.play(list(record.events[:middle]))
    desk.page.reload()
    desk.until(middle)
    for tool, moves in (("undo", 1), ("undo", 2), ("redo", 1), ("redo", 0)):
        desk.tap(tool)
        desk.until(middle - moves)
    look(desk.page)
    desk.play(list(record.events[middle:]), middle)
    look(desk.page)
    assert_entered()
    if game == "taroky":  # the others are entered like this one; what is offered is the engine's test
        # Nobody knows the hands: each card is tapped as it falls.
        desk.set_table(record)
        desk.deal(record, "talon|/")
        desk.until(0)
        look_at_stage(desk.page)
        desk.play(list(record.events))
        assert_entered()
    assert desk.complaints == []


def test_with_a_thumb(desk) -> None:
    """Taps on the table, in the bar and in the tray hit: real taps from the first bid into the second trick;
    then a seat is chosen, which stays at the bottom."""
    desk.page.emulate_media(reduced_motion="no-preference")
    record = conformance("taroky", 4)
    desk.set_table(record)
    desk.deal(record)
    cards = [n for n, event in enumerate(record.events) if event[1] == "play"]
    for number, event in enumerate(record.events[: cards[5]], 1):
        desk.enter(event)
        desk.until(number)
        bottom = desk.page.locator(".seat.at-0")
        expect(bottom).to_have_class(re.compile("on-turn"))
    desk.page.locator('.seat[data-seat="C"] .plate').click()
    for number in range(cards[5] + 1, cards[5] + 4):
        desk.play([record.events[number - 1]], number - 1)
        expect(bottom).to_have_attribute("data-seat", "C")
    open_tab(desk.page, "View")
    desk.key("near").select_option("")
    desk.page.keyboard.press("Escape")
    expect(bottom).to_have_class(re.compile("on-turn"))
    open_tab(desk.page, "Moves")
    desk.key(f"move {cards[2]}").click()
    desk.until(cards[2] + 1)
    desk.page.keyboard.press("Escape")


@pytest.mark.parametrize(("game", "seats"), [phone.values[:2] for phone in PHONES])
def test_trick_hand_and_bar_are_in_sight(game, seats, desk) -> None:
    """In small windows, with all hands known and with none; before the play what is offered."""
    record = conformance(game, seats)
    cards = [n for n, event in enumerate(record.events) if event[1] == "play"]
    wrong = {}
    for known in (True, False):
        for events in (1, cards[seats + 1] + 1):
            desk.open(record, events, known=known)
            for width, height in SMALL:
                desk.page.set_viewport_size({"width": width, "height": height})
                desk.page.evaluate(TWO_FRAMES)  # the board follows the window
                found = [line for line in desk.page.evaluate(MEASURE)["wrong"] if not skipped(line, known)]
                if found:
                    wrong[known, events, width, height] = found
    assert wrong == {}


SMALL = [(width, height) for width, height in SIZES if min(width, height) < 700]
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def skipped(line: str, known: bool) -> bool:
    """If nobody knows the hands, the cards to tap need the room."""
    return not known and ("too small" in line or "cannot be seen" in line or "its index" in line)


def test_each_of_25_cards_is_24_pixels_wide(desk) -> None:
    """On a small phone, as far as the next card leaves it to tap."""
    record = conformance("grosstarock", 3)
    first = next(n for n, event in enumerate(record.events) if event[1] == "play")
    desk.page.set_viewport_size({"width": 360, "height": 640})
    desk.open(record, first + 1)
    lefts = desk.page.evaluate(
        "[...document.querySelectorAll('.at-0 .hand ul')].map((row) => "
        "[...row.querySelectorAll('.tap')].map((one) => one.getBoundingClientRect().left))"
    )
    gaps = [after - before for row in lefts for before, after in pairwise(row)]
    assert len(gaps) == 23
    assert min(gaps) >= 24


def test_an_earlier_card_is_exchanged(desk) -> None:
    """Later legal events stay, with their comments; the first event that no longer fits is reported; undo
    brings all of it back."""
    record = replace(read_one(samples.TAROKY), tags={}, comments={}, score=None)
    desk.open(record, 64)
    page = desk.page
    page.evaluate("change(() => ({ comments: { 60: 'The last trick.' } }))")
    for step in (39, 47):
        page.evaluate(f"goTo({step})")
        desk.until(step)
        # The card that was played there is only a step forward.
        desk.tap(f"play {record.events[step][2]}")
        desk.until(step + 1)
        expect(page.locator("#last")).to_have_text("64")
        desk.tap("undo")
        desk.until(step)
        desk.tap(f"play {'T2' if step == 39 else 'T0'}")
        note = desk.key("exchanged")
        if step == 39:
            desk.until(64)
            expect(note).to_contain_text("Later moves that stay: 24 of 24")
            assert page.evaluate("board.events[43][2]") == "T10"
            assert "{ The last trick. }" in desk.text()
        else:
            desk.until(48)
            expect(note).to_contain_text("Later moves that stay: 0 of 16")
            expect(note).to_contain_text("Trick 9, first card: Cyril plays ♦K, but the turn belongs to Dana")
            is_for_thumbs(page)
            page.reload()
            expect(note).to_contain_text("0 of 16")
        page.keyboard.press("Control+z") if step == 39 else desk.tap("undo-exchange")
        desk.until(step)
        expect(page.locator("#last")).to_have_text("64")
        assert page.evaluate("[...board.events, ...[...board.undone].reverse()]") == [
            list(e) for e in record.events
        ]
    # A card that breaks a rule is exchanged back, too, and a typed one is like one that was tapped.
    desk.type("DQ")
    page.keyboard.press("Escape")
    expect(desk.key("finding")).to_contain_text("does not hold it")
    desk.tap("undo-finding")
    desk.until(47)
    expect(page.locator("#last")).to_have_text("64")
    desk.tap("play T0")
    expect(note).to_be_visible()
    page.locator(".hand .tap[data-first]").first.click()
    desk.until(49)
    expect(note).to_have_count(0)
    expect(page.locator("#last")).to_have_text("49")


def test_what_stands_beside_the_cards(desk) -> None:
    """Comments, the score that was written down, and one that was agreed on after a revoke."""
    record = conformance("taroky", 4, "illegal")
    fault = check(record).error
    assert fault is not None
    assert fault.event is not None
    desk.open(record, 5)
    open_tab(desk.page, "Moves")
    desk.fill("comment", "Too hasty.")
    expect(desk.page.locator("#status .comment")).to_have_text("Too hasty.")
    open_tab(desk.page, "Score")
    for seat, points in zip("ABCD", (7, -7, -7, 7), strict=True):
        desk.fill(f"agreed {seat}", str(points).replace("-", "−"))
        desk.fill(f"score {seat}", str(-points))
    desk.page.evaluate("running")
    text = desk.text()
    assert '[Agreed "A=7 B=-7 C=-7 D=7"]' in text
    assert '[Score "A=-7 B=7 C=7 D=-7"]' in text
    assert "{ Too hasty. }" in text
    # An earlier step on another line has no such comment.
    desk.page.keyboard.press("Escape")
    desk.tap("undo")
    desk.until(4)
    assert "hasty" not in desk.text()


def test_what_is_tapped_without_network_waits(desk) -> None:
    """Nothing is lost, also when the page is closed; when the archive answers again it is entered."""
    record = conformance("strohmann", 2)
    cards = [n for n, event in enumerate(record.events) if event[1] == "play"]
    first = cards[0]
    desk.open(record, first)
    page = desk.page
    page.route("**/evenings/ask", lambda route: route.abort())
    for event in record.events[first : first + 3]:
        page.locator(f'[data-key="play {event[2].partition("(")[0]}"]').click()
    expect(desk.key("waiting")).to_contain_text("Moves that are waiting: 3")
    # A retry that fails, too, changes nothing and says nothing in the browser's words.
    page.evaluate("flush()")
    expect(desk.key("waiting")).to_contain_text("Moves that are waiting: 3")
    assert page.evaluate("page.held") == ""
    desk.tap("undo")
    expect(desk.key("waiting")).to_contain_text("2")
    page.unroute("**/evenings/ask")
    page.reload()
    desk.until(first + 2)
    expect(desk.key("waiting")).to_have_count(0)
    assert page.evaluate("board.events") == [list(event) for event in record.events[: first + 2]]
    # Text that can't be entered is named, and nothing after it is entered.
    page.evaluate("wait('nonsense'); wait('T1'); flush()")
    expect(desk.key("waiting")).to_contain_text("nonsense")
    expect(desk.key("waiting")).to_contain_text("can’t be entered")
    desk.tap("undo-waiting")
    desk.tap("undo-waiting")
    expect(desk.key("waiting")).to_have_count(0)
    desk.complaints[:] = [line for line in desk.complaints if "ERR_FAILED" not in line]


def test_an_empty_board(desk) -> None:
    """For teaching: two taps to a shuffled deal without names, which is played from there."""
    page = desk.page
    page.goto(desk.address("/board/"))
    desk.tap("empty")
    expect(desk.key("as-played")).to_have_count(0)
    desk.tap("game troggu")
    desk.tap("shuffle")
    desk.until(0)
    page.locator("[data-first]").first.click()
    desk.until(1)


def test_names_and_date_are_settled_before_the_cards(desk) -> None:
    desk.page.goto(desk.address("/board/"))
    desk.tap("new")
    desk.tap("game strohmann")
    faults = desk.page.locator("#table-faults")
    for seat, name in (("A", "Jan Novák"), ("B", "Jan  Novák")):
        desk.fill(f"name {seat}", name)
    expect(faults).to_have_text(
        "Two players are called Jan Novák. Tell them apart, for example as Jan Novák sen."
    )
    for way in ("hands", "as-played"):
        expect(desk.key(way)).not_to_have_attribute("href", re.compile(""))
    look_closely(desk.page)
    # Nor by its address.
    key = desk.page.evaluate("board.key")
    desk.page.evaluate("key => location.hash = `#${key}/play`", key)
    expect(desk.page).to_have_url(re.compile("/setup$"))
    desk.fill("name B", "Jan Novák sen.")
    expect(faults).to_be_empty()
    desk.page.locator(".more-part summary").click()
    desk.fill("date", "2206-11-20")
    expect(faults).to_contain_text("Did you mean 2026-11-20?")
    desk.fill("date", "2026-11-20")
    expect(faults).to_be_empty()
    desk.tap("hands")
    expect(desk.page.locator(".suit").first).to_be_visible()


def test_names_are_asked_before_sending(desk) -> None:
    """A name counts while its field has the focus; namesakes are not sent, also on a board that was filled
    before names were checked."""
    record = conformance("strohmann", 2)
    desk.open(replace(record, players={"A": "Resi", "B": ""}), len(record.events))
    expect(desk.page.locator('.seat[data-seat="B"]')).to_contain_text("B")
    text = desk.text()
    assert '[A "Resi"]' in text
    assert '[B ""]' in text
    desk.send()
    assert violations(desk.page) == []
    desk.key("asked B").fill("Resi")
    desk.page.get_by_role("button", name="Send to the archive").click()
    expect(desk.page.locator("#sending-wrong")).to_contain_text("Two players are called Resi.")
    desk.key("asked B").fill("Gretl")
    with desk.page.expect_download() as download:
        desk.page.locator("#download").click()
    assert '[B "Gretl"]' in Path(download.value.path()).read_text(encoding="utf-8")
    desk.page.locator("#close-sending").click()
    desk.page.evaluate("board.names = { A: 'Resi', B: 'Resi' }; change(() => ({}))")
    desk.send()
    expect(desk.page.locator("#sending-wrong")).to_contain_text("Two players are called Resi.")
    expect(desk.page.get_by_role("button", name="Send to the archive")).to_be_disabled()
    desk.page.reload()
    expect(desk.page).to_have_url(re.compile("/setup$"))


def test_a_discard_that_nobody_knows(desk) -> None:
    """The table saw four cards laid away, and one of them."""
    record = conformance("taroky", 4)
    number = next(n for n, event in enumerate(record.events) if event[1] == "discard")
    event = record.events[number]
    desk.open(record, number, known=False)
    desk.tap(f"pick {event[2]}")
    desk.tap("done-unknown")
    desk.until(number + 1)
    assert f"{event[0]} discard {event[2]} ? ?" in desk.text()


def test_an_illegal_event_has_its_finding(desk) -> None:
    """An illegal card is tapped or typed, in six deals; the board reports the error, as the page of the deal
    does, and the deal can be sent as it was played."""
    rows = [row for row in deals().values() if row["expect"]["verdict"] == "illegal"]
    records = [read_one(json.dumps(row["record"])) for row in rows[:: len(rows) // 6][:6]]
    assert len({record.game for record in records}) == 4
    for record in records:
        record = replace(record, tags={}, comments={}, score=None)
        fault = check(record).error
        assert fault is not None
        assert fault.event is not None
        desk.open(record, fault.event)
        wrong = record.events[fault.event]
        card = desk.key(f"play {wrong[2]}") if wrong[1] == "play" else None
        if card and card.count():
            expect(card).to_have_attribute("aria-label", re.compile("against the rules"))
            card.click()
        else:
            desk.type(" ".join((wrong[0], *wrong[2:]) if wrong[1] == "play" else wrong))
            desk.page.keyboard.press("Escape")
        box = desk.key("finding")
        called = PlayerNames(record.game, record.players, "en")
        expect(box).to_contain_text(called.sentence(sentences.finding, replace(fault, trick=None)))
        expect(box.locator("a")).to_have_attribute("href", f"/rules/clause/{fault.clause}/")
        desk.tap("played-so")
        expect(desk.page.locator("#sending-wrong")).to_contain_text("stored as it was played")
        sent = desk.page.locator("#sending textarea").input_value()
        assert sent == write_text(replace(record, events=record.events[: fault.event + 1]))
        desk.page.keyboard.press("Escape")
        desk.tap("undo-finding")
        desk.until(fault.event)
        expect(box).to_have_count(0)
        desk.tap("redo")
        expect(box).to_be_visible()
    look_at_stage(desk.page)


def test_hands_as_text(desk) -> None:
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
    expect(desk.key("undo")).not_to_have_attribute("aria-disabled", "true")
    desk.type("no-such-word")
    expect(desk.page.locator(".type-move .error")).to_be_visible()
    expect(desk.key("event")).to_have_value("no-such-word")


def test_a_card_goes_where_it_is_tapped(desk) -> None:
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
    expect(desk.page.locator("#live")).to_contain_text("the hand is full")
    desk.tap("place B")
    for _ in range(18):
        free.first.click()
    expect(desk.page.locator(".lacking")).to_have_text("All cards are dealt.")


def test_by_keys_alone(desk) -> None:
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
    expect(page.locator("#announcer")).to_have_text(re.compile("’s turn"))
    page.locator("[data-first]").first.focus()
    for moves in range(1, 6):
        page.keyboard.press("Enter")
        desk.until(moves)
        # The focus is again on what may come next.
        assert page.evaluate("document.activeElement.dataset.first") is not None
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^[A-D] .+\. It is [A-D]’s turn\.$"))
    for key, moves in (("Control+z", 4), ("Control+y", 5), ("k", 4), ("j", 5), ("Home", 0), ("End", 5)):
        page.keyboard.press(key)
        desk.until(moves)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(desk.key("event")).to_be_focused()
    assert violations(page) == []


def test_each_tab_has_its_own_deal(desk) -> None:
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
    # One of them is opened here, too, and then deleted: each tab shows what the other has stored.
    page.goto(other.page.url)
    expect(page.locator(".places")).to_be_visible()
    other.tap("shuffle")
    deal = other.page.evaluate("JSON.stringify(board.deal)")
    page.wait_for_function("(deal) => JSON.stringify(board.deal) === deal", arg=deal)
    for one in (desk, other):
        one.page.goto(address("/board/"))
    page.locator(".boards button").first.click()
    for one in (desk, other):
        expect(one.page.locator(".boards li")).to_have_count(1)


def test_it_is_sent_to_the_archive(desk) -> None:
    """The entered deal is uploaded as text, and verified there."""
    record = conformance("strohmann", 2)
    desk.open(record, len(record.events))
    desk.send()
    desk.page.get_by_role("button", name="Send to the archive").click()
    desk.page.wait_for_url(re.compile(r"/uploads/\d+/"))
    expect(desk.page.locator(".badge-verified").first).to_be_visible()


#: Goes to each step in turn, and asks for the whole list at each, too; how many events were not sent again.
WALK = """async (steps) => {
    const reply = tarockEngine.ask;
    let spared = 0;
    for (const step of steps) {
        tarockEngine.ask = (question, ...more) => ((spared += question.known ?? 0), reply(question, ...more));
        while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
        goTo(step);
        while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
        tarockEngine.ask = reply;
        const later = [...board.undone].reverse();
        const whole = await ask({ ask: "board", record: recordOf(board), later });
        if (JSON.stringify(answer.groups) !== JSON.stringify(whole.groups)) throw new Error(`step ${step}`);
    }
    return spared;
}"""


def test_what_a_page_keeps_and_gets_is_the_whole_list(page, address, store) -> None:
    """On and back, across an illegal event, and with another card in place of one."""
    for text in (samples.TAROKY, samples.NOT_HELD):
        (deal,) = store(text)
        page.goto(address(f"/deals/{deal.pk}/try/?step=20"))
        page.locator("#moves").wait_for()
        steps = [21, 22, 40, 39, 35, 64, 63, 36, 12, 0, 1, 64, 19]
        assert page.evaluate(WALK, steps) > 200
        page.evaluate("enter(answer.choices.findLast(({ event }) => event[1] === 'play').event)")
        assert page.evaluate(WALK, [14, 18, 17]) > 20


def test_a_stored_deal_is_edited_on_the_board(address, watched) -> None:
    """The deal opens as it was entered, with its tags, comments and score; a change of names corrects it."""
    page, user = watched, new_user("alena")
    be(page.context, address, user)
    deal = address(f"/deals/{deal_of(samples.ANNOTATED, user=user).pk}/")
    page.goto(deal)
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.locator("#play-title")).to_have_text("Czech Taroky")
    sent = page.evaluate("import('/static/replays/board/play.js').then(({ answer }) => answer.text)")
    assert read_one(sent) == read_one(samples.ANNOTATED)
    page.goto(f"{address('/board/')}{page.evaluate('location.hash').replace('play', 'setup')}")
    expect(page).to_have_url(re.compile(r"/deals/\d+/board/#deal-\d+/setup"))
    name = page.locator("[data-key='name A']")
    name.fill("Ada")
    name.press("Tab")
    page.locator('[data-key="as-played"]').click()
    expect(page.locator("#stage")).to_have_attribute("data-moves", str(len(read_one(sent).events)))
    Desk(page, address).send()
    page.get_by_role("button", name="Send to the archive").click()
    page.wait_for_url(deal)
    expect(page.locator("main")).to_contain_text("Ada")
    expect(page.locator(".badge-verified").first).to_be_visible()


def test_a_deal_by_published_rules(desk) -> None:
    """Rules are chosen at the table, and legal choices follow them: by the Vysočina rules nobody may refuse a
    card of the talon. The record has the options and the name of the rules."""
    record = replace(read_one(samples.TAROKY), tags={}, comments={}, score=None, options=())
    refused = next(n for n, event in enumerate(record.events) if event[1] == "refuse")
    desk.set_table(record)
    for name in ("rules vysocina@1", "rules taroky-seed@1", "rules vysocina@1"):
        desk.tap(name)
        expect(desk.key(name)).to_have_attribute("aria-pressed", "true")
    desk.deal(record)
    desk.play(list(record.events[:refused]))
    expect(desk.page.locator('[data-key^="pick "]').first).to_be_visible()
    expect(desk.key(f"say {record.events[refused][0]} refuse")).to_have_count(0)
    board = read_one(desk.text())
    assert (board.tags["Rules"], board.options) == ("vysocina@1", profiles()["vysocina@1"].words)
