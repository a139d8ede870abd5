"""The replay: the position of each step, its addresses, and what a seat must not see."""

from __future__ import annotations

import gzip
import html
import json
import re
from typing import Any

import pytest
from django.test import Client

import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.language import words
from replays.language.names import Names
from replays.pictures import picture
from tarock.analysis.position import Position, Step
from tarock.core.cards import CARDS
from tarock.core.record import Record
from tarock.view.table import table_view
from tarock.words import names as naming
from tarock.words import sentences
from tarock.words.clauses import clause
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db

TABLES = [
    ("strohmann", 2),
    ("taroky", 4),
    ("troggu", 3),
    ("troggu", 5),
    ("troggu", 8),
    ("grosstarock", 2),
    ("grosstarock", 3),
    ("grosstarock", 4),
]


def get(client: Client, deal: ShownDeal, query: str = "") -> str:
    answer = client.get(f"/deals/{deal.pk}/replay/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def stage(client: Client, deal: ShownDeal, query: str) -> str:
    """The table, the score sheet and the bar: what changes from step to step."""
    page = get(client, deal, query)
    return page[page.index('id="stage"') : page.index('id="panel"')]


def drawn(page: str) -> list[str]:
    """The cards drawn in a page, backs left out."""
    return [code for code in re.findall(r"cards\.svg#(\w+)", page) if code != "back"]


def test_each_step_is_a_page_of_its_own(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?step={samples.FIRST_CARD + 1}")
    assert "Alena plays tarock XX." in Page(page).text
    assert "Bořek is to play." in Page(page).text
    assert f"{samples.FIRST_CARD + 1} of {samples.LAST_STEP + 1}" in " ".join(
        Page(page).text.replace("/", " ").split()
    )


def test_the_buttons_are_links(client: Client, taroky: ShownDeal) -> None:
    hrefs = set(Page(get(client, taroky, f"?step={samples.FIRST_CARD + 5}")).attributes("href"))
    first = samples.FIRST_CARD
    assert {f"?step={n}" for n in (0, first + 4, first + 6, first + 8, samples.LAST_STEP)} <= hrefs


def test_every_move_is_linked_and_the_current_one_marked(client: Client, taroky: ShownDeal) -> None:
    page = Page(get(client, taroky, "?step=20"))
    linked = {attrs.get("href") for tag, attrs in page.tags if tag == "a"}
    assert {f"?step={n}" for n in range(samples.LAST_STEP + 1)} <= linked
    assert [attrs["href"] for tag, attrs in page.tags if attrs.get("aria-current") == "step"] == ["?step=20"]


@pytest.mark.parametrize("step", ["", "?step=", "?step=-3", "?step=abc", "?step=²", "?step=1.5"])
def test_what_is_no_step_is_the_beginning(client: Client, taroky: ShownDeal, step: str) -> None:
    assert (
        "The cards are dealt. Dana is the dealer, Alena the forehand." in Page(get(client, taroky, step)).text
    )


def test_a_step_beyond_the_end_is_the_end(client: Client, taroky: ShownDeal) -> None:
    assert "The deal is over." in get(client, taroky, "?step=99999")


@pytest.mark.parametrize("path", ["replay/?view=E", "replay/?view=", "replay/?view=AB", "replay/?view=talon"])
def test_a_view_is_a_seat_of_the_deal(client: Client, taroky: ShownDeal, path: str) -> None:
    expected = 200 if path.endswith("=") else 404
    assert client.get(f"/deals/{taroky.pk}/{path}").status_code == expected


def test_comments_stand_beside_their_event(client: Client, taroky: ShownDeal) -> None:
    assert "a brave word" in stage(client, taroky, "?step=14")
    assert "a brave word" not in stage(client, taroky, "?step=15")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Alena and Dana win +105"), ("de", "Alena und Dana gewinnen"), ("cs", "Vyhrávají Alena a Dana")],
)
def test_the_end_says_who_won(client: Client, taroky: ShownDeal, language: str, words: str) -> None:
    """With the points, and the line that brought most."""
    path = f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP + 1}"
    text = Page(client.get(path, headers={"Accept-Language": language}).text).text
    assert words in text
    if language == "en":
        assert f"{words} {clause('taroky.pagat-announced', 'en').title}: " in text


@pytest.mark.parametrize(
    "way", ["", "&view=B", "&view=B&hands=all", "&hands=none", "&spoilers=off", "&view=B&guess=1"]
)
def test_the_comment_on_the_deal_comes_last(client: Client, taroky: ShownDeal, way: str) -> None:
    """It can reveal the end, so it appears there and nowhere before."""
    comment = "the deal of the evening"
    address = f"/deals/{taroky.pk}"
    for step in (0, 1, 20, 40):
        for path in ("replay", "embed"):
            assert comment not in client.get(f"{address}/{path}/?step={step}{way}").content.decode()
    for path in ("replay", "embed"):
        assert comment in client.get(f"{address}/{path}/?step=999{way}").content.decode()
    told = [
        "the deal of the evening" in frame["status"]
        for frame in frames(client, taroky, f"?step=999{way}")["frames"]
    ]
    assert told == [False] * (len(told) - 2) + [True, True], "the last card, and the score sheet"


def test_all_cards_of_the_pack_are_on_the_table_at_first(client: Client, taroky: ShownDeal) -> None:
    codes = drawn(stage(client, taroky, "?step=0"))
    assert len(codes) == len(set(codes)) == 54


def test_the_trick_shows_who_leads_and_who_is_winning(client: Client, taroky: ShownDeal) -> None:
    # Trick 2: A T12 T3 T21 T19; after three cards C is winning.
    page = stage(client, taroky, f"?step={samples.FIRST_CARD + 7}")
    rows = re.findall(r'<li class="at-\d([a-z ]*)"[^>]*>.*?<b>(\w)</b>', page, re.S)
    assert [(seat, "wins" in marks, "leads" in marks) for marks, seat in rows] == [
        ("A", False, True),
        ("B", False, False),
        ("C", True, False),
    ]


def test_an_illegal_deal_goes_on_after_the_fault(client: Client, store: Store) -> None:
    """The wrong card is marked; what follows can be stepped through and is not judged."""
    (deal,) = store(samples.ILLEGAL)
    events = len(deal.record.events)
    page = Page(get(client, deal, "?step=999"))
    assert f"{events} / of {events}" in page.text
    assert "Not judged" in page.text
    wrong = stage(client, deal, f"?step={samples.ILLEGAL_EVENT + 1}")
    card = deal.record.events[samples.ILLEGAL_EVENT][2]
    assert re.search(rf'class="at-\d[^"]* wrong"\s+data-card="{card}"', wrong)
    assert "taroky.follow" in wrong
    assert "Not judged" not in wrong
    before = stage(client, deal, f"?step={samples.ILLEGAL_EVENT}")
    assert " wrong" not in before
    assert "taroky.follow" not in before
    assert "Bořek is to play." in before
    after = stage(client, deal, f"?step={samples.ILLEGAL_EVENT + 2}")
    assert "Not judged" in after
    assert "taroky.follow" not in after
    assert "Not judged" not in get(client, deal, "?view=B&step=999"), "a seat sees what was judged"
    shown = frames(client, deal)["frames"]
    assert [n for n, frame in enumerate(shown) if "note error" in frame["status"]] == [
        samples.ILLEGAL_EVENT + 1
    ]
    for path in ("embed", "position.png"):
        assert client.get(f"/deals/{deal.pk}/{path}{'/' * (path == 'embed')}?step=999").status_code == 200
    assert (
        "taroky.follow"
        not in client.get(f"/deals/{deal.pk}/embed/?step={samples.ILLEGAL_EVENT}").content.decode()
    )


@pytest.mark.parametrize("view", ["view=A", "view=C", "hands=none"])
def test_another_s_fault_is_not_explained_to_a_seat(client: Client, store: Store, view: str) -> None:
    """The rule that B broke would tell what B holds."""
    (deal,) = store(samples.ILLEGAL)
    page = stage(client, deal, f"?{view}&step=999")
    assert "breaks a rule" in page
    assert "/rules/clause/" not in page.partition('class="note error"')[2].partition("</p>")[0]
    assert "The record ends here" not in page
    own = stage(client, deal, "?view=B&step=999")
    assert "taroky.follow" in own


def test_the_last_step_is_the_score_sheet(client: Client, taroky: ShownDeal) -> None:
    page = stage(client, taroky, f"?step={samples.LAST_STEP + 1}")
    assert "Result" in page
    assert re.findall(r'<td [^>]*class="number points \w+">([^<]*)</td>', page.partition("<tfoot")[2]) == [
        "+105",
        "−105",
        "−105",
        "+105",
    ]
    assert 'id="result"></div>' in stage(client, taroky, f"?step={samples.LAST_STEP}")


def frames(client: Client, deal: ShownDeal, query: str = "") -> dict[str, Any]:
    """Return the script's frames."""
    found: dict[str, Any] = client.get(f"/deals/{deal.pk}/frames.json{query}").json()
    return found


def lying(frame: dict[str, Any]) -> set[str]:
    """The cards that lie open in a frame."""
    held = {code for codes in frame["zones"].values() for code in codes.split()}
    return (held | {play[1] for play in frame["trick"]["plays"]}) - {"back"}


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_script_is_given_what_the_pages_show(
    client: Client, store: Store, game: str, players: int
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    for view in ("", "&view=B", "&hands=none"):
        document = frames(client, deal, f"?{view[1:]}")
        last = len(document["frames"]) - 1
        for step in (0, 5, last // 2, last - 1, last):
            frame = document["frames"][step]
            page = stage(client, deal, f"?step={step}{view}")
            assert frame["step"] == step
            assert lying(frame) == set(drawn(page.partition('<div id="result">')[0]))
            assert Page(frame["status"]).text in " ".join(Page(page).text.split()) or step == last
    assert len(gzip.compress(json.dumps(frames(client, deal)).encode())) < 60_000


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_seats_frames_hold_no_card_that_it_does_not_know(
    client: Client, store: Store, game: str, players: int
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    pack = {card for cards in record.deal.values() for card in cards}
    for view in tarock.analysis.replay.position(record, 0).active:
        document = frames(client, deal, f"?view={view}")
        for frame in document["frames"][:-1]:
            known = pack - hidden_cards(record, frame["step"], view)
            assert lying(frame) <= known
            # A card that may be called is not visible.
            text = plain_text(frame["status"] + frame["standing"].partition('<p class="legal">')[0])
            named = [
                c
                for c in pack - known
                if re.search(re.escape(naming.card_name(words.of(game), c)) + r"(?![\w)])", text)
            ]
            assert not named, (frame["step"], view, text)
        for step, frame in enumerate(document["hidden"]["frames"][:-1]):
            said = tarock.analysis.public_knowledge.outline(record)[:step]
            everybody = known_codes(tarock.analysis.public_knowledge.position(record, step), *said)
            assert lying(frame) <= everybody


def plain_text(page: str) -> str:
    """The text of a page, without the declaration that is called after a card."""
    return re.sub(r"\d+ Sküs matadors", "", html.unescape(page))


def known_codes(*shown: Position | Step) -> set[str]:
    """Every card code in positions, or rows of an outline, of the engine."""
    told = json.dumps([one.as_json() for one in shown])
    return set(re.findall(r'"([SHDCT](?:[KQCJ]|\d+))["(]', told))


def hidden_cards(record: Record, step: int, view: str) -> set[str]:
    """Cards that lie somewhere at this step and that the seat knows nothing of."""
    pack = {card for cards in record.deal.values() for card in cards}
    said = tarock.analysis.replay.outline(record, view)[:step]
    return pack - known_codes(tarock.analysis.replay.position(record, step, view)) - known_codes(*said)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_seats_view_holds_no_card_that_it_does_not_know(
    client: Client, store: Store, game: str, players: int
) -> None:
    """Neither as a picture nor by name; nor what comes later."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    last = tarock.analysis.replay.last_step(record)
    for view in tarock.analysis.replay.position(record, 0).active:
        for step in {0, 3, 7, last // 3, last - 2}:
            hidden = hidden_cards(record, step, view)
            assert step > last // 3 or hidden
            page = get(client, deal, f"?view={view}&step={step}")
            assert not hidden & set(drawn(page))
            text = plain_text(page)
            named = [
                c
                for c in hidden
                if re.search(re.escape(naming.card_name(words.of(game), c)) + r"(?![\w)])", text)
            ]
            assert not named


def test_a_seats_view_shows_its_own_hand_and_backs(client: Client, taroky: ShownDeal) -> None:
    page = stage(client, taroky, "?view=B&step=0")
    assert sorted(drawn(page)) == sorted(
        ["SK", "SJ", "S10", "HQ", "HJ", "H4", "D1", "D3", "CQ", "C10", "T5", "T3"]
    )
    assert page.count('data-card="back"') == 12 * 3 + 6


def test_the_secret_partner_is_not_betrayed(client: Client, taroky: ShownDeal) -> None:
    """D holds the called card, unknown to B until trick 2 shows it."""
    before = get(client, taroky, f"?view=B&step={samples.FIRST_CARD + 4}")
    assert "role-partner" not in before
    assert "role-partner" in get(client, taroky, f"?view=B&step={samples.FIRST_CARD + 8}")
    assert "role-partner" in get(client, taroky, f"?view=D&step={samples.FIRST_CARD}")
    assert "role-partner" in get(client, taroky, f"?step={samples.FIRST_CARD}")


def test_a_seats_view_says_nothing_of_the_result(client: Client, taroky: ShownDeal) -> None:
    page = Page(get(client, taroky, "?view=B&step=10")).text
    for word in ("Verified", "105", "Bidder’s side", "a brave word"):
        assert word not in page


def test_the_view_stays_from_step_to_step(client: Client, taroky: ShownDeal) -> None:
    hrefs = Page(get(client, taroky, "?view=B&step=20")).attributes("href")
    assert "?view=B&step=21" in hrefs
    assert "?step=21" not in hrefs


def test_the_table_can_be_turned_with_all_hands_open(client: Client, taroky: ShownDeal) -> None:
    page = stage(client, taroky, "?view=B&hands=all&step=0")
    assert len(set(drawn(page))) == 54
    assert re.search(r'class="seat at-0[^>]*aria-label="Seat B: Bořek"', page)
    assert "?view=B&hands=all&step=1" in Page(page).attributes("href")


def test_the_contract_of_a_strohmann_deal_stands_on_the_page_once_it_is_settled(
    client: Client, store: Store
) -> None:
    contracts = {}
    for deal in store(samples.as_text(samples.simulated("strohmann", 2, number=20))):
        contracts[deal.contract] = deal
    for contract, said in (("take", "Declared"), ("undeclared", "Without a declarer")):
        deal = contracts[contract]
        bids = sum(event[1] != "play" for event in deal.record.events)
        assert said not in Page(get(client, deal, f"?step={bids - 1}")).text
        for query in (f"?step={bids}", f"?step={bids}&view=A", f"?step={bids}&view=B&hands=none"):
            assert f"Contract {said}" in " ".join(Page(get(client, deal, query)).text.split())


def test_a_long_deal_fits_in_60_kilobytes(client: Client, store: Store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("strohmann", 2)))
    assert len(gzip.compress(get(client, deal, "?step=30").encode())) < 60_000


def test_no_such_deal(client: Client) -> None:
    for path in ("", "replay/", "audit/", "deal.tgn", "deal.json", "original"):
        assert client.get(f"/deals/4711/{path}").status_code == 404
        assert client.get(f"/deals/{2**70}/{path}").status_code == 404


HAPPEN = [("strohmann", 2, "strohmann.reveal"), ("grosstarock", 3, "grosstarock.skus")]


@pytest.mark.parametrize(("game", "players", "slug"), HAPPEN)
def test_what_the_rules_do_is_told_beside_the_event(
    client: Client, store: Store, game: str, players: int, slug: str
) -> None:
    """In the list of moves, where it happened, and on the printed sheet; each with its clause."""
    deals = store(samples.as_text(samples.simulated(game, players, 5, seed=5)))
    seen = 0
    for deal in deals:
        record = deal.record
        told = [h for row in tarock.analysis.replay.outline(record) for h in row.happenings]
        said = [Names(game, record.players).sentence(sentences.happening, h) for h in told]
        on_paper = [Names(game, {}).sentence(sentences.happening, h) for h in told]
        listed, printed = get(client, deal), client.get(f"/deals/{deal.pk}/print/").text
        for page, wanted in ((listed, said), (printed, on_paper)):
            assert re.findall(r'<p class="[a-z ]*happening">([^<]*) <a', html.unescape(page)) == wanted
        for happening, text in zip(told, said, strict=True):
            seen += happening.clause.startswith(slug)
            link = f'{text} <a href="/rules/clause/{happening.clause}/"'
            step = happening.event + 1
            ways = ("replay/?", "replay/?view=A&", "replay/?hands=none&", "embed/?")
            for way in ways:
                assert link in html.unescape(client.get(f"/deals/{deal.pk}/{way}step={step}").text)
            before = stage(client, deal, f"?step={step - 1}")
            assert text not in html.unescape(before) or said.count(text) > 1
    assert seen


def test_cards_taken_up_from_a_pile_lie_open_in_the_hand(client: Client, store: Store) -> None:
    """All have seen them: who looks on and the other seat see them among the backs, on pictures too."""
    (deal,) = store(samples.as_text(samples.simulated("strohmann", 2, seed=5)))
    record = deal.record
    step, seat, card = next(
        (h.event + 1, h.values["seat"], h.values["card"])
        for row in tarock.analysis.replay.outline(record)
        for h in row.happenings
    )
    other = "B" if seat == "A" else "A"
    for query in (f"view={other}", "hands=none"):
        assert card not in drawn(stage(client, deal, f"?{query}&step={step - 1}"))
        page = stage(client, deal, f"?{query}&step={step}")
        hand = next(
            part for part in re.findall(r'<div class="hand closed".*?</div>', page, re.S) if drawn(part)
        )
        assert drawn(hand) == [card]
        count = tarock.analysis.replay.position(record, step).hands[seat].count
        assert hand.count("#back") == count - 1
        assert f"{count - 1} cards in hand, face down" in hand
        state = tarock.analysis.public_knowledge.position(record, step)
        if query != "hands=none":
            state = tarock.analysis.replay.position(record, step, other)
        assert f'<use href="#{card}"' in picture.svg(table_view(state, Names(state.game, state.players)))


@pytest.mark.parametrize("query", ["", "?view=A", "?view=B", "?hands=none", "?spoilers=off"])
def test_the_stock_is_in_no_frame_and_on_no_page(client: Client, store: Store, query: str) -> None:
    """Grosstarock for two: the number of its cards is shown, the cards are not."""
    (record,) = samples.simulated("grosstarock", 2, seed=3)
    (deal,) = store(samples.as_text([record]))
    dealt = {card for cards in record.deal.values() for card in cards}
    stock = {code for code in CARDS if code not in dealt}
    assert len(stock) == 25
    for step in (0, 2, 30, 999):
        page = stage(client, deal, f"{query}{'&' if query else '?'}step={step}")
        assert "stock: 25 cards, face down" in page
        assert not set(drawn(page)) & stock
        assert not set(re.findall(r'data-card="(\w+)"', page)) & stock
    frames = client.get(f"/deals/{deal.pk}/frames.json{query}").json()["frames"]
    for frame in frames:
        lying = {code for codes in frame["zones"].values() for code in codes.split()}
        assert not (lying | {play[1] for play in frame["trick"]["plays"]} | set(frame["legal"])) & stock
