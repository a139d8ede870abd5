"""The replay: the position of each step, its addresses, what a seat must not see, and what is cached."""

from __future__ import annotations

import gzip
import html
import itertools
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Deal
from archive.shown import ShownDeal
from replays.deal import analysis
from replays.deal.address import EVERYBODY, OPENED
from replays.deal.decisive import decisive
from replays.language.names import Names
from replays.pictures import picture
from tarock.analysis import audit, public_knowledge, replay
from tarock.analysis.verify import check
from tarock.core.cards import CARDS
from tarock.view import remark as remarks
from tarock.view.moves import move_groups
from tarock.view.table import table_view
from tarock.words.clauses import clause
from tests.support import samples, settling
from tests.support.effort import spread
from tests.support.storing import deals_of

from .conftest import Page, Store, browser_of, missing
from .sharing import meta_of
from .tables import drawn, hidden_cards, leaks, named, pack_of, seen_position

pytestmark = pytest.mark.django_db

FIRST = samples.FIRST_CARD


@pytest.fixture(scope="module")
def taroky(stored_once: None) -> ShownDeal:
    """The hand-worked Taroky deal, stored once for all tests of this module."""
    (deal,) = deals_of(samples.ANNOTATED)
    settling.settle()
    return deal


def stage(client: Client, deal: ShownDeal, query: str) -> str:
    """The table, the score sheet and the bar: what changes from step to step."""
    page = get(client, deal, query)
    return page[page.index('id="stage"') : page.index('id="panel"')]


def frames(client: Client, deal: ShownDeal, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/deals/{deal.pk}/frames.json{query}").json()
    return found


def lying(frame: dict[str, Any]) -> set[str]:
    held = {code for codes in frame["zones"].values() for code in codes.split()}
    return (held | {play[1] for play in frame["trick"]["plays"]}) - {"back"}


def test_each_step_is_a_page_that_leads_to_all_others(client: Client, taroky: ShownDeal) -> None:
    page = Page(get(client, taroky, f"?step={FIRST + 1}"))
    told = ("Alena plays tarock XX.", "It is Bořek's turn to play.")
    assert missing(page.text, *told, f"{FIRST + 1} / of {samples.LAST_STEP + 1}") == []
    linked = {attrs.get("href") for tag, attrs in page.tags if tag == "a"}
    assert {f"?step={n}" for n in range(samples.LAST_STEP + 1)} <= linked
    current = [attrs["href"] for tag, attrs in page.tags if attrs.get("aria-current") == "step"]
    assert current == [f"?step={FIRST + 1}"]
    assert "The deal is over." in get(client, taroky, "?step=99999"), "a step beyond the end is the end"
    # A comment is next to its event.
    for step, there in ((14, True), (15, False)):
        assert ("a brave word" in stage(client, taroky, f"?step={step}")) == there


def test_what_is_no_step_is_the_beginning_and_other_deals_and_seats_are_not_there(
    client: Client, taroky: ShownDeal
) -> None:
    for step in ("", "?step=", "?step=-3", "?step=abc", "?step=²", "?step=1.5", "?view="):
        text = Page(get(client, taroky, step)).text
        assert "The cards are dealt. Dana is the dealer, Alena the forehand." in text, step
    for view in ("E", "AB", "talon"):
        assert client.get(f"/deals/{taroky.pk}/replay/?view={view}").status_code == 404
    for path in ("", "replay/", "audit/", "deal.tgn", "deal.json", "original", "position.png"):
        for number in (999999, 2**70):
            assert client.get(f"/deals/{number}/{path}").status_code == 404


def test_the_comment_on_the_deal_comes_last(client: Client, taroky: ShownDeal) -> None:
    """It can reveal the end, so it appears there and nowhere before."""
    comment, here = "the deal of the evening", f"/deals/{taroky.pk}"
    for way in ("", "&view=B", "&view=B&hands=all", "&hands=none", "&spoilers=off", "&view=B&guess=1"):
        for path, step in itertools.product(("replay", "embed"), (40, 999)):
            page = client.get(f"{here}/{path}/?step={step}{way}").text
            assert (comment in page) == (step == 999), (way, path, step)
        told = [comment in frame["status"] for frame in frames(client, taroky, f"?step=999{way}")["frames"]]
        assert told == [False] * (len(told) - 2) + [True, True], "the last card, and the score sheet"


def test_all_cards_are_on_the_table_at_first(client: Client, taroky: ShownDeal) -> None:
    """A seat's view has its own hand and backs. The table can be turned with all hands open."""
    for query in ("?step=0", "?view=B&hands=all&step=0"):
        page = stage(client, taroky, query)
        assert len(drawn(page)) == len(set(drawn(page))) == 54
    assert re.search(r'class="seat at-0[^>]*aria-label="Seat B: Bořek"', page)
    assert "?view=B&hands=all&step=1" in Page(page).attributes("href")
    page = stage(client, taroky, "?view=B&step=0")
    assert " ".join(sorted(drawn(page))) == "C10 CQ D1 D3 H4 HJ HQ S10 SJ SK T3 T5"
    assert page.count('data-card="back"') == 12 * 3 + 6


def test_the_trick_shows_who_leads_and_who_is_winning(client: Client, taroky: ShownDeal) -> None:
    # Trick 2: A T12 T3 T21 T19; after three cards C is winning.
    page = stage(client, taroky, f"?step={FIRST + 7}")
    letter = r'<b><span class="who"><span aria-hidden="true">(\w)</span>'
    rows = re.findall(r'<li class="at-\d([a-z ]*)"[^>]*>.*?' + letter, page, re.S)
    marks = [(seat, "wins" in marks, "leads" in marks) for marks, seat in rows]
    assert marks == [("A", False, True), ("B", False, False), ("C", True, False)]


def test_an_illegal_deal_goes_on_after_the_fault(client: Client, store: Store) -> None:
    """The wrong card is marked; what follows can be stepped through and is not judged."""
    (deal,) = store(samples.ILLEGAL)
    events, at = len(deal.record.events), samples.ILLEGAL_EVENT
    page = Page(get(client, deal, "?step=999"))
    assert missing(page.text, f"{events} / of {events}", "Not judged") == []
    before, wrong, after = (stage(client, deal, f"?step={at + n}") for n in (0, 1, 2))
    card = deal.record.events[at][2]
    assert re.search(rf'class="at-\d[^"]* wrong"\s+data-card="{card}"', wrong)
    assert " wrong" not in before
    assert ["taroky.follow" in page for page in (before, wrong, after)] == [False, True, False]
    assert ["Not judged" in page for page in (wrong, after)] == [False, True]
    assert "turn to play." in before
    assert "Not judged" not in get(client, deal, "?view=B&step=999"), "a seat sees what was judged"
    shown = frames(client, deal)["frames"]
    assert [n for n, frame in enumerate(shown) if "note error" in frame["status"]] == [at + 1]
    for path in ("embed/", "position.png"):
        assert client.get(f"/deals/{deal.pk}/{path}?step=999").status_code == 200
    assert "taroky.follow" not in client.get(f"/deals/{deal.pk}/embed/?step={at}").text


def test_the_list_of_moves_marks_the_fault_and_the_moment_that_decided(
    client: Client, store: Store, taroky: ShownDeal
) -> None:
    """Only with open hands: the star would tell a seat what is to come."""
    (illegal,) = store(samples.ILLEGAL)
    moves = get(client, illegal).partition('id="moves"')[2]
    marked = re.findall(r'class="(?:wins )?(wrong|unjudged) [^"]*"><a href="[^"]*" data-go="(\d+)"', moves)
    first, last = samples.ILLEGAL_EVENT + 1, len(illegal.record.events)
    later = [("unjudged", str(step)) for step in range(first + 1, last + 1)]
    assert marked == [("wrong", str(first)), *later]
    found = decisive(taroky, analysis.analysis_of(taroky))
    assert found.event is not None
    link = re.search(r'data-go="(\d+)"[^★]*★', get(client, taroky).rpartition('data-go="0"')[2])
    assert link is not None
    star = re.findall(r'data-go="(\d+)"', link[0])[-1]
    assert int(star) == found.event + 1
    for query in ("?view=B&step=999", "?hands=none&step=999", "?spoilers=off&step=999"):
        assert 'class="star"' not in get(client, taroky, query)


def test_another_s_fault_is_not_explained_to_a_seat(client: Client, store: Store) -> None:
    """The rule that B broke would tell what B holds."""
    (deal,) = store(samples.ILLEGAL)
    for view in ("view=A", "view=C", "hands=none"):
        page = stage(client, deal, f"?{view}&step=999")
        assert "breaks a rule" in page
        assert "/rules/clause/" not in page.partition('class="note error"')[2].partition("</p>")[0]
        assert "The record ends here" not in page
    assert "taroky.follow" in stage(client, deal, "?view=B&step=999")


def test_the_last_step_is_the_score_sheet_which_says_who_won(client: Client, taroky: ShownDeal) -> None:
    """And who lost, with the points of each."""
    path = f"?step={samples.LAST_STEP + 1}"
    page = stage(client, taroky, path)
    total = re.findall(r'<b class="points \w+">([^<]*)</b>', page.partition('class="finals"')[2])
    assert total[:4] == ["+105", "+105", "−105", "−105"]
    for language, words in (
        ("en", "Alena and Dana win Bořek and Cyril lose Alena +105 Dana +105 Bořek −105 Cyril −105"),
        ("de", "Alena und Dana gewinnen"),
        ("cs", "Vyhrávají Alena a Dana"),
    ):
        text = Page(page_text(client, f"/deals/{taroky.pk}/replay/{path}", language)).text
        assert words in " ".join(text.split())
    assert 'id="result"></div>' in stage(client, taroky, f"?step={samples.LAST_STEP}")


def test_the_script_is_given_what_the_pages_show(client: Client, table_deal: ShownDeal) -> None:
    for view in ("", "&view=B", "&hands=none"):
        document = frames(client, table_deal, f"?{view[1:]}")
        assert view or len(gzip.compress(json.dumps(document).encode())) < 60_000
        last = len(document["frames"]) - 1
        for step in (0, last // 2, last - 1, last):
            frame = document["frames"][step]
            page = stage(client, table_deal, f"?step={step}{view}")
            assert frame["step"] == step
            assert lying(frame) == set(drawn(page.partition('<div id="result">')[0]))
            assert Page(frame["status"]).text in " ".join(Page(page).text.split()) or step == last


def test_a_seat_gets_no_card_that_it_does_not_know(client: Client, table_deal: ShownDeal) -> None:
    """On the page, in a frame of another site, in previews, on pictures, in the script's frames; nor does
    anybody with the hands hidden."""
    record, game, here = table_deal.record, table_deal.game, f"/deals/{table_deal.pk}"
    views = (*spread(replay.position(record, 0).active, 4), None)
    hidden_from = {view: hidden_cards(record, view) for view in views}
    for view, hidden_at in hidden_from.items():
        document = frames(client, table_deal, f"?view={view}" if view else "?hands=none")
        for frame in document["frames"][:-1]:
            hidden = hidden_at(frame["step"])
            assert lying(frame) <= pack_of(record) - hidden
            # A card that may be called is not visible.
            text = frame["status"] + frame["standing"].partition('<p class="legal">')[0]
            assert not named(text, hidden, game), (frame["step"], view, text)
        for step, frame in enumerate(document["hidden"]["frames"][:-1] if view else ()):
            assert lying(frame) <= pack_of(record) - hidden_from[None](step)
        last = replay.last_step(record) if view else public_knowledge.count(record).steps
        for step in {3, last // 3, last - 2}:
            hidden = hidden_at(step)
            assert step > last // 3 or hidden
            for way in (f"?view={view}",) if view else ("?hands=none", "?hands=none&view=A"):
                page = get(client, table_deal, f"{way}&step={step}")
                assert not hidden & {*drawn(page)}
                # The explanations of the words name cards, whatever the hands are.
                assert not named(page.partition('<div class="term-box"')[0], hidden, game)
        last = replay.last_step(record)
        for step in {0, 4, last // 3, last - 2} if view in (*views[:2], None) else ():
            hidden, way = hidden_at(step), f"?view={view}" if view else "?hands=none"
            embed = client.get(f"{here}/embed/{way}&step={step}").text
            assert not hidden & {*drawn(embed)}
            framed = Page(embed)
            assert not leaks(framed.text + " ".join(framed.attributes("aria-label")), hidden, game)
            preview = meta_of(Page(get(client, table_deal, f"{way}&step={step}")))
            assert "og:description" in preview
            assert not leaks(" ".join(preview.values()), hidden, game)
            state = seen_position(record, step, view)
            svg = picture.svg(table_view(state, Names(state.game, state.players)))
            assert not hidden & set(re.findall(r'(?:id="|#)([SHDCT]\w{1,2})"', svg))


def test_the_partner_is_not_betrayed(client: Client, taroky: ShownDeal) -> None:
    """D holds the called card, unknown to B until trick 2 shows it."""
    told = ["role-partner" in get(client, taroky, f"?{query}&step={FIRST + after}") for query, after in (
        ("view=B", 4), ("hands=none", 4), ("view=B", 8), ("view=D", 0), ("", 0),
    )]  # fmt: skip
    assert told == [False, False, True, True, True]


def test_a_seats_view_says_nothing_of_the_result_and_stays(client: Client, taroky: ShownDeal) -> None:
    page = Page(get(client, taroky, "?view=B&step=10"))
    for word in ("Verified", "+105", "−105", "Bidder’s side", "a brave word"):
        assert word not in page.text
    assert "?view=B&step=11" in page.attributes("href")
    assert "?step=11" not in page.attributes("href")


def test_the_contract_of_a_strohmann_deal_is_shown_once_it_is_settled(client: Client, store: Store) -> None:
    contracts = {check(one).facts["contract"]: one for one in samples.simulated("strohmann", 2, number=20)}
    for contract, said in (("take", "Declared"), ("undeclared", "Without a declarer")):
        (deal,) = store(samples.as_text([contracts[contract]]))
        bids = sum(event[1] != "play" for event in deal.record.events)
        assert said not in Page(get(client, deal, f"?step={bids - 1}")).text
        for query in (f"?step={bids}", f"?step={bids}&view=A", f"?step={bids}&view=B&hands=none"):
            assert f"Contract {said}" in " ".join(Page(get(client, deal, query)).text.split())


@pytest.mark.parametrize(
    ("game", "players", "deals", "slug"),
    [("strohmann", 2, 1, "strohmann.reveal"), ("grosstarock", 3, 5, "grosstarock.skus")],
)
def test_what_the_rules_do_is_told(
    client: Client, store: Store, game: str, players: int, deals: int, slug: str
) -> None:
    """In the list of moves, where it happened, and on the printed sheet; each with its clause. Cards that are
    turned up together have one sentence."""
    seen = 0
    for deal in store(samples.as_text(samples.simulated(game, players, deals, seed=5))):
        record = deal.record
        outline = replay.outline(record)
        told = [h for row in outline for h in row.happenings]
        listed, printed = get(client, deal), client.get(f"/deals/{deal.pk}/print/").text
        for page, names in ((listed, Names(game, record.players)), (printed, Names(game, {}))):
            wanted = [remark.text for group in move_groups(outline, names) for remark in group.happenings]
            assert re.findall(r'<p class="[a-z ]*happening">([^<]*) <a', html.unescape(page)) == wanted
        cards = [h.values["card"] for h in told if "card" in h.values]
        names = Names(game, record.players)
        assert all(names.name("card", card) in "".join(wanted) for card in cards)
        said = [
            remark
            for row in outline
            for remark in remarks.happenings([h for h in told if h.event == row.event], names)
        ]
        for remark in said:
            seen += remark.slug.startswith(slug)
            text, (event,) = remark.text, remark.events
            link = f'{text} <a href="/rules/clause/{remark.slug}/"'
            step = event + 1
            for way in ("replay/?", "replay/?view=A&", "replay/?hands=none&", "embed/?"):
                assert link in html.unescape(client.get(f"/deals/{deal.pk}/{way}step={step}").text)
            before = stage(client, deal, f"?step={step - 1}")
            assert text not in html.unescape(before) or [one.text for one in said].count(text) > 1
    assert seen


def test_cards_taken_up_from_a_pile_lie_open_in_the_hand(client: Client, store: Store) -> None:
    """All have seen them: who looks on and the other seat see them among the backs, on pictures too."""
    (deal,) = store(samples.as_text(samples.simulated("strohmann", 2, seed=5)))
    record = deal.record
    taken = next(h for row in replay.outline(record) for h in row.happenings)
    step, seat, card = taken.event + 1, taken.values["seat"], taken.values["card"]
    other = "B" if seat == "A" else "A"
    count = replay.position(record, step).hands[seat].count
    for query, view in ((f"view={other}", other), ("hands=none", None)):
        assert card not in drawn(stage(client, deal, f"?{query}&step={step - 1}"))
        hands = re.findall(
            r'<div class="hand closed".*?</div>', stage(client, deal, f"?{query}&step={step}"), re.S
        )
        hand = next(part for part in hands if drawn(part))
        assert drawn(hand) == [card]
        assert hand.count("#back") == count - 1
        assert f"{count - 1} cards in hand, face down" in hand
        state = seen_position(record, step, view)
        assert f'<use href="#{card}"' in picture.svg(table_view(state, Names(state.game, state.players)))


def test_the_stock_is_in_no_frame_and_on_no_page(client: Client, store: Store) -> None:
    """Grosstarock for two: the number of its cards is shown, the cards are not."""
    (deal,) = store(samples.as_text(samples.simulated("grosstarock", 2, seed=3)))
    stock = {*CARDS} - pack_of(deal.record)
    assert len(stock) == 25
    for query in ("?", "?view=A", "?view=B", "?hands=none", "?spoilers=off"):
        for step in (2, 999):
            page = stage(client, deal, f"{query}&step={step}")
            assert "stock: 25 cards, face down" in page
            assert not {*drawn(page), *re.findall(r'data-card="(\w+)"', page)} & stock
        for frame in frames(client, deal, query)["frames"]:
            assert not (lying(frame) | set(frame["legal"])) & stock


def page_text(client: Client, path: str, language: str = "") -> str:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    found: str = answer.text
    return found


def get(client: Client, deal: ShownDeal, query: str = "") -> str:
    return page_text(client, f"/deals/{deal.pk}/replay/{query}")


def test_a_new_verdict_brings_its_own_lines(client: Client, taroky: ShownDeal) -> None:
    path = f"/deals/{taroky.pk}/replay/?step={samples.LAST_STEP}"
    before, after = "taroky.pagat-announced", "taroky.pagat-ultimo"
    assert clause(before).title in Page(page_text(client, path)).text
    Deal.objects.filter(pk=taroky.pk).update(clauses=taroky.deal.clauses.replace(before, after))
    text = Page(page_text(client, path)).text
    assert (clause(before).title in text, clause(after).title in text) == (False, True)


def test_no_way_to_look_leaves_anything_to_another(client: Client, taroky: ShownDeal) -> None:
    """The same pages in another order, and again from memory, are the same pages."""
    ways = ["", "&view=B", "&view=D", "&hands=none", "&spoilers=off", "&view=B&hands=all", "&view=A&guess=1"]
    asked = [f"/deals/{taroky.pk}/replay/?step={step}{way}" for way in ways for step in (8, 64)]
    first = {address: page_text(client, address) for address in asked}
    analysis._remembered.cache_clear()
    for code in ("de", "cs", "ja"):
        page = page_text(client, asked[2], code)
        assert f'<html lang="{code}"' in page
        assert page_text(client, asked[2], code) == page
    for address in reversed(asked):
        assert page_text(client, address) == first[address]


def test_a_long_record_is_not_kept_in_memory(
    client: Client, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/deals/{taroky.pk}/replay/?step=30"
    page = page_text(client, path)
    monkeypatch.setattr(analysis, "LONGEST", 10)
    analysis._remembered.cache_clear()
    assert page_text(client, path) == page
    assert analysis._remembered.cache_info().currsize == 0


def test_who_is_signed_in_sees_the_same_page_in_a_frame_of_their_own(
    client: Client, taroky: ShownDeal
) -> None:
    address = f"/deals/{taroky.pk}/audit/"
    own = page_text(browser_of(User.objects.create_user("eva")), address)
    others = page_text(client, address)
    assert ("eva" in own, "eva" in others) == (True, False)
    part = re.compile(r"<main.*</main>", re.S)
    assert part.findall(own) == part.findall(others)
    assert page_text(client, address) == others


def test_a_drawing_has_points_in_every_language(client: Client, taroky: ShownDeal) -> None:
    address = f"/deals/{taroky.pk}/replay/?step=30"
    for language in ("de", "cs"):
        page = page_text(client, address, language)
        drawing = re.search(r'<svg viewBox="0 0 480 168".*?</svg>', page, re.S)
        assert drawing
        places = re.findall(r' (?:x|y|width|height)="([^"]*)"', drawing[0])
        assert len(places) > 20
        assert all(re.fullmatch(r"-?\d+(\.\d+)?", place) for place in places)
        assert address in Page(page).attributes("value"), "the switch leads back to the very step"
        lines = re.findall(r' d="([^"]*)"', drawing[0])
        assert lines
        assert all(re.fullmatch(r"M\d+ \d+(\.\d+)?H\d+", line) for line in lines)


def test_a_play_can_be_guessed_where_something_may_be_said_before_it(client: Client, store: Store) -> None:
    """Before some tricks of Grosstarock bolé or null may be announced: that is no card to choose."""
    (deal,) = store(samples.as_text(samples.simulated("grosstarock", 3, seed=31)))
    states = [replay.position(deal.record, step, "A") for step in range(len(deal.record.events))]
    asked = [state for state in states if (state.phase, state.turn) == ("play", "A")]
    said = [state for state in asked if any(choice.startswith("announce") for choice in state.legal)]
    assert said
    for state in said:
        page = page_text(client, f"/deals/{deal.pk}/replay/?view=A&guess=1&step={state.step}")
        assert "pick=" in page
        assert "pick=announce" not in page


def test_what_is_remembered_is_what_the_engine_says(store: Store) -> None:
    for deal in store("\n".join([samples.ANNOTATED, samples.ILLEGAL, samples.UNFINISHED])):
        remembered, record = analysis.analysis_of(deal), deal.record
        for eyes, view in ((OPENED, None), ("A", "A"), ("D", "D")):
            assert list(remembered.outline(eyes)) == replay.outline(record, view)
            assert remembered.count(eyes) == replay.count(record, view)
        assert list(remembered.outline(EVERYBODY)) == public_knowledge.outline(record)
        assert remembered.count(EVERYBODY) == public_knowledge.count(record)
        for seen in (False, True):
            rows = audit.running(record, public=seen).rows
            for step in (0, samples.FIRST_CARD, samples.FIRST_CARD + 13, samples.LAST_STEP):
                assert remembered.account(seen, step).rows == tuple(row for row in rows if row.step <= step)
