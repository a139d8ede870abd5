"""The ways to look at a replay: hands hidden, spoiler-free, guessing, the running account, the commentary."""

from __future__ import annotations

import difflib
import itertools
import re
from typing import Any

import pytest
from django.test import Client

import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.language import words
from tarock.core.record import Record
from tarock.notation import dump_json
from tarock.words import names as naming
from tests import samples
from tests.engine.test_views import raising

from .conftest import Page, Store
from .test_replay import TABLES, drawn, get, known_codes, plain_text

pytestmark = pytest.mark.django_db

FIRST = samples.FIRST_CARD
SEEN = samples.FIRST_SEEN


def unknown(record: Record, step: int) -> set[str]:
    """Cards that somebody at the table does not know of at this step."""
    pack = {card for cards in record.deal.values() for card in cards}
    said = tarock.analysis.public_knowledge.outline(record)[:step]
    return pack - known_codes(tarock.analysis.public_knowledge.position(record, step)) - known_codes(*said)


def named(page: str, cards: set[str], game: str) -> list[str]:
    """Return the cards whose names are on a page."""
    text = plain_text(page)
    return [
        c for c in cards if re.search(re.escape(naming.card_name(words.of(game), c)) + r"(?![\w)])", text)
    ]


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("seat", ["", "&view=A"])
def test_with_hands_hidden_no_card_is_there_that_not_everybody_knows(
    client: Client, store: Store, game: str, players: int, seat: str
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    last = tarock.analysis.public_knowledge.count(record).steps
    for step in {0, 3, 7, last // 3, last - 2}:
        hidden = unknown(record, step)
        assert hidden
        page = get(client, deal, f"?hands=none{seat}&step={step}")
        assert not hidden & set(drawn(page))
        assert not named(page, hidden, game)


def test_hidden_hands_stay_hidden_from_step_to_step(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, "?view=B&hands=none&step=20")
    hrefs = Page(page).attributes("href")
    assert "?view=B&hands=none&step=21" in hrefs
    assert "role-partner" not in get(client, taroky, f"?hands=none&step={FIRST + 4}")
    # The same switch shows them again.
    assert "?view=B&step=20&from=none" in hrefs


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_in_a_seats_view_the_chart_and_the_commentary_tell_nothing(
    client: Client, store: Store, game: str, players: int
) -> None:
    """The chart and the remark contain only what the engine lets this seat know."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=6)))
    record = deal.record
    for view in tarock.analysis.replay.position(record, 0).active:
        last = tarock.analysis.replay.last_step(record, view)
        for step in {last // 2, last - 1}:
            page = get(client, deal, f"?view={view}&step={step}")
            state = tarock.analysis.replay.position(record, step, view)
            rows = re.findall(r'<tr(?: class="current")?><th scope="row"><a .*?</tr>', page, re.S)
            assert len(rows) == len(state.tricks)
            if rows:
                readings = [int(n) for n in re.findall(r'<td class="number">(\d+)</td>', rows[-1])]
                at = state.tricks[-1].event + len(state.tricks[-1].plays)
                then = tarock.analysis.replay.position(record, at, view).points
                assert readings == [then[s] for s in state.active]
            event = state.last
            if event.seat != view and event.verb == "play":
                remark = re.search(r'id="remark">(.*?)</p>', page, re.S)
                assert remark
                assert "can choose from" not in remark[1]
                assert "limits" not in remark[1]


def test_spoiler_free_tells_nothing_of_what_comes_later(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?spoilers=off&step={FIRST + 5}")
    text = Page(page).text
    for word in ("Verified", "105", "Audit", "of 64"):
        assert word not in text, word
    assert str(samples.LAST_STEP) not in Page(page).attributes("data-steps")
    assert f"/deals/{taroky.pk}/" not in Page(page).attributes("href")
    assert f"/deals/{taroky.pk}/audit/" not in Page(page).attributes("href")
    # One step on, or one trick.
    assert max(linked(page)) == FIRST + 8
    assert page.count('class="group trick-group"') == 2
    assert "Pagat announced" not in text


def linked(page: str) -> set[int]:
    """The steps that links and the slider of a page lead to."""
    hrefs = {int(n) for h in Page(page).attributes("href") if (n := h.partition("step=")[2]).isdigit()}
    return hrefs | {int(n) for name in ("max", "data-last") for n in Page(page).attributes(name)}


@pytest.mark.parametrize("way", ["&spoilers=off", "&view=A&guess=1", "&hands=none&spoilers=off"])
def test_nothing_leads_beyond_what_is_said_next(client: Client, store: Store, way: str) -> None:
    """The end of the bidding, or of a trick that words may interrupt, reveals the next words."""
    for game, players in TABLES:
        (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
        first = next(n for n, event in enumerate(deal.record.events) if event[1] == "play")
        for step in range(max(first - 3, 1)):
            assert max(linked(get(client, deal, f"?step={step}{way}"))) == step + 1, (game, step)
            document = client.get(f"/deals/{deal.pk}/frames.json?step={step}{way}").json()
            assert len(document["frames"]) == step + 2, (game, step)


@pytest.mark.parametrize("way", ["&spoilers=off", "&view=A&guess=1", "&view=B&hands=none&spoilers=off"])
def test_the_script_is_given_nothing_of_what_comes_later(client: Client, taroky: ShownDeal, way: str) -> None:
    """Trick by trick, and the result at the end alone."""
    first = SEEN["A"] if "guess" in way else SEEN["none"] if "none" in way else FIRST
    address = f"/deals/{taroky.pk}/frames.json?"

    def ask(step: int, after: int | None = None) -> dict[str, Any]:
        more = "" if after is None else f"&after={after}"
        found: dict[str, Any] = client.get(f"{address}step={step}{way}{more}").json()
        return found

    document = ask(first + 5)
    assert [frame["step"] for frame in document["frames"]] == list(range(first + 9))
    assert document["more"]
    assert (document["result"], document["chart"]) == ("", "")
    assert "hidden" not in document
    assert max(document["ends"]) == first + 8
    assert f'data-go="{first + 8}"' in document["moves"]
    assert f'data-go="{first + 9}"' not in document["moves"]
    assert "105" not in str(document)
    # The steps fetched one after the other are all of the deal.
    got = document["frames"]
    while document["more"]:
        last = len(got) - 1
        document = ask(last + 1, last)
        assert document["frames"][0]["step"] == last + 1
        got += document["frames"]
    assert [frame["step"] for frame in got] == list(range(first + 50))
    assert "+105" in document["result"]
    assert document["chart"]


def test_the_script_is_not_given_the_play_that_is_to_be_guessed(client: Client, taroky: ShownDeal) -> None:
    """The frames end at a choice; each contains the card to guess and the former picks."""
    at = SEEN["A"] + 4
    document = client.get(f"/deals/{taroky.pk}/frames.json?view=A&guess=1&right=3&wrong=2&step={at}").json()
    assert len(document["frames"]) == at + 1
    assert document["frames"][at]["asks"]
    assert "Which card would you play as Alena?" in document["frames"][at]["guess"]
    assert "Right so far: 3 of 5" in document["frames"][at]["guess"]


def test_spoiler_free_ends_with_everything(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?spoilers=off&step={samples.LAST_STEP}")
    assert f"/deals/{taroky.pk}/audit/" in Page(page).attributes("href")
    assert "The deal is over." in page
    assert page.count('class="group trick-group"') == 12


def test_spoiler_free_offers_the_whole_deal_at_its_end_alone(client: Client, taroky: ShownDeal) -> None:
    address = f"/deals/{taroky.pk}/replay/?spoilers=off&step="
    telling = [f"/deals/{taroky.pk}/{part}" for part in ("deal.tgn", "deal.json", "print/", "audit/")]
    for step in (0, samples.FIRST_CARD, samples.LAST_STEP - 2):
        page = client.get(f"{address}{step}").content.decode()
        assert [link for link in telling if link in page] == []
        assert "You can download and print the whole deal at its end." in page
    page = client.get(f"{address}{samples.LAST_STEP}").content.decode()
    assert [link for link in telling if link not in page] == []


def test_spoiler_free_stays_from_step_to_step(client: Client, taroky: ShownDeal) -> None:
    hrefs = Page(get(client, taroky, "?spoilers=off&step=20")).attributes("href")
    assert "?spoilers=off&step=21" in hrefs
    assert "?view=B&spoilers=off&step=20&from=all" in hrefs


def test_a_play_is_guessed_and_then_shown(client: Client, taroky: ShownDeal) -> None:
    """Trick 2 begins with A T12."""
    query = f"?view=A&guess=1&step={SEEN['A'] + 4}"
    page = get(client, taroky, query)
    picks = [h for h in Page(page).attributes("href") if "pick=" in h]
    record = taroky.record
    legal = tarock.analysis.replay.position(record, SEEN["A"] + 4, "A").legal
    assert sorted(h.partition("pick=")[2] for h in picks) == sorted(legal)
    assert "plays tarock XII" not in page
    wrong = Page(get(client, taroky, query + "&pick=T17")).text
    assert "You chose tarock XVII; Alena played tarock XII." in wrong
    right = Page(get(client, taroky, query + "&pick=T12"))
    assert "Alena played the same: tarock XII." in right.text
    assert f"?view=A&spoilers=off&guess=1&right=1&step={SEEN['A'] + 5}" in right.attributes("href")
    # A card that is not legal is no guess.
    assert "You chose" not in get(client, taroky, query + "&pick=S7")


def test_the_guesses_are_counted(client: Client, taroky: ShownDeal) -> None:
    query = f"?view=A&guess=1&right=3&wrong=1&step={SEEN['A'] + 4}"
    assert "Right so far: 3 of 4" in Page(get(client, taroky, query)).text
    assert "Right so far" not in get(client, taroky, f"?view=A&guess=1&step={SEEN['A'] + 4}")
    for pick, told, onward in (("T12", "4 of 5", "right=4&wrong=1"), ("T17", "3 of 5", "right=3&wrong=2")):
        page = Page(get(client, taroky, f"{query}&pick={pick}"))
        assert f"Right so far: {told}" in page.text
        hrefs = page.attributes("href")
        assert f"?view=A&spoilers=off&guess=1&{onward}&step={SEEN['A'] + 5}" in hrefs
        assert f"?view=A&spoilers=off&guess=1&{onward}&step=" in page.attributes("data-prefix")
    # A shared URL has no count in it.
    assert "right=" not in Page(get(client, taroky, query)).attributes("value")[0]


def test_a_card_without_a_choice_is_not_asked_for(client: Client, taroky: ShownDeal) -> None:
    """In the last trick everybody has but one card."""
    last = SEEN["A"] + 44
    page = Page(get(client, taroky, f"?view=A&guess=1&step={last}"))
    assert "Which card would you play" not in page.text
    assert "Alena has no choice: only one card may be played." in page.text
    answer = client.get(f"/deals/{taroky.pk}/replay/?view=A&guess=1&step={last - 3}&go=turn")
    assert answer["Location"].endswith("guess=1&step=62")


def test_guessing_goes_on_at_the_seats_next_turn(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?view=A&guess=1&step={SEEN['A'] + 5}")
    assert "It is not Alena’s turn." in Page(page).text
    # Its place would reveal who takes the trick; it is not in the page, but behind its link.
    answer = client.get(f"/deals/{taroky.pk}/replay/?view=A&guess=1&step={SEEN['A'] + 5}&go=turn")
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"?view=A&spoilers=off&guess=1&step={SEEN['A'] + 12}"), (
        "at the one before there is no choice"
    )


def test_a_guess_needs_a_seat_and_tells_nothing_beforehand(client: Client, taroky: ShownDeal) -> None:
    assert "Which card would you play" not in get(client, taroky, f"?guess=1&step={FIRST}")
    page = get(client, taroky, f"?view=A&guess=1&step={SEEN['A']}")
    assert "105" not in Page(page).text
    assert "T18" not in page


def test_why_a_card_was_played_is_said_with_its_clause(client: Client, taroky: ShownDeal) -> None:
    """Trick 4: A DQ D1 DC DJ; trick 6: A T14 SK T8 T10."""
    page = Page(get(client, taroky, f"?step={FIRST + 14}"))
    assert "Bořek must follow suit (diamonds) and can choose from 2 cards. taroky.follow" in page.text
    assert "/rules/clause/taroky.follow/" in page.attributes("href")
    seen = Page(get(client, taroky, f"?step={SEEN['A'] + 14}&view=A")).text
    assert "Bořek must follow suit: diamonds. taroky.follow" in seen
    assert "Bořek may play any card: no tarock left." in Page(get(client, taroky, f"?step={FIRST + 22}")).text
    assert "Cyril leads and may lead any card." in Page(get(client, taroky, f"?step={FIRST + 9}")).text
    held = Page(get(client, taroky, f"?step={FIRST + 1}")).text
    assert "Alena announced the pagat and must keep the Pagat as long as" in held
    # That she is bound is her own affair only as far as it was not announced; the others see a lead.
    assert "Alena leads" in Page(get(client, taroky, f"?step={SEEN['B'] + 1}&view=B")).text


def test_the_account_is_drawn_with_what_is_needed(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?step={samples.LAST_STEP}")
    text = Page(page).text
    assert "Bidder’s side needs 36 of 70 taroky.game" in text
    assert page.count("<polyline") == 2
    (counted,) = [c for c in taroky.checked.countings if c.side == "bidder"]
    rows = re.findall(r'<tr(?: class="current")?><th scope="row"><a .*?</tr>', page, re.S)
    assert len(rows) == 12
    assert "<title>Trick 12: Bidder’s side 60, Opponents 10; The Pagat announced</title>" in page
    assert f'<td class="number">{counted.points}</td>' in rows[-1]
    # Each trick leads to its step.
    assert {f"?step={FIRST + 4 * n}" for n in range(1, 13)} <= set(Page(page).attributes("href"))
    # The pagat came home in the last trick.
    assert "◆ The pagat announced trick 12" in text or "trick 12" in text


@pytest.mark.parametrize(
    ("game", "players", "words"),
    [
        ("strohmann", 2, "36 of 70 are needed"),
        ("troggu", 5, "Tappist’s side needs 58 of 114"),
        ("grosstarock", 3, "26 of 78 are needed"),
    ],
)
def test_what_is_needed_in_each_game(
    client: Client, store: Store, game: str, players: int, words: str
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=4)))
    assert words in Page(get(client, deal, "?step=999")).text


def test_the_account_grows_with_the_steps_where_nothing_is_told(client: Client, taroky: ShownDeal) -> None:
    for query, first in (("?view=B", SEEN["B"]), ("?hands=none", SEEN["none"]), ("?spoilers=off", FIRST)):
        page = get(client, taroky, f"{query}&step={first + 9}")
        assert page.count('class="account-table"') == 0
        assert len(re.findall(r'<th scope="row"><a href="[^"]*step=', page)) == 2
        assert "<polyline" not in get(client, taroky, f"{query}&step={first + 3}")


@pytest.mark.parametrize(
    "query", ["", "&view=B", "&view=B&hands=all", "&hands=none", "&spoilers=off", "&view=B&guess=1"]
)
def test_no_way_to_look_needs_inline_script_or_style(client: Client, taroky: ShownDeal, query: str) -> None:
    assert Page(get(client, taroky, f"?step=30{query}")).unsafe == []


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_step_can_be_shown(client: Client, store: Store, game: str, players: int) -> None:
    """In one way after the other."""
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=9)))
    ways = itertools.cycle(["", "&hands=none", "&spoilers=off", "&view=A&guess=1"])
    for step, way in zip(range(tarock.analysis.replay.last_step(deal.record) + 1), ways, strict=False):
        get(client, deal, f"?step={step}{way}")


# --- steps as a seat counts them ---


@pytest.mark.parametrize(
    ("query", "leads_to"),
    [
        ("?view=A&step=20&from=all", "?view=A&step=18"),
        ("?view=B&step=20&from=all", "?view=B&step=19"),
        ("?view=B&step=14&from=all", "?view=B&step=14"),
        ("?view=A&step=15&from=all", "?view=A&step=14"),
        ("?step=18&from=A", "?step=20"),
        ("?step=14&from=A", "?step=16"),
        ("?step=13&from=A", "?step=13"),
        ("?view=C&step=15&from=B", "?view=C&step=15"),
        ("?view=C&step=14&from=B", "?view=C&step=14"),
        ("?view=B&hands=none&step=19&from=B", "?view=B&hands=none&step=18"),
        ("?view=B&step=18&from=none", "?view=B&step=19"),
        ("?view=B&hands=all&spoilers=off&step=19&from=B", "?view=B&hands=all&spoilers=off&step=20"),
        ("?view=A&guess=1&step=20&from=all", "?view=A&spoilers=off&guess=1&step=18"),
        ("?view=A&step=999&from=all", "?view=A&step=62"),
        ("?view=A&step=20&from=A", "?view=A&step=20"),
        ("?view=A&step=20&from=nobody", "?view=A&step=20"),
    ],
)
def test_the_same_moment_from_elsewhere(client: Client, taroky: ShownDeal, query: str, leads_to: str) -> None:
    answer = client.get(f"/deals/{taroky.pk}/replay/{query}")
    assert answer.status_code == 302
    assert answer["Location"] == f"/deals/{taroky.pk}/replay/{leads_to}"
    for path in ("embed/", "position.png"):
        assert client.get(f"/deals/{taroky.pk}/{path}{query}").status_code == 200


def test_links_to_other_views_do_not_tell_the_difference(client: Client, taroky: ShownDeal) -> None:
    hrefs = Page(get(client, taroky, f"?view=A&step={SEEN['A'] + 1}")).attributes("href")
    at = SEEN["A"] + 1
    assert {
        f"?step={at}&from=A",
        f"?view=B&step={at}&from=A",
        f"?view=A&hands=none&step={at}&from=A",
        f"?view=A&spoilers=off&step={at}",
    } <= set(hrefs)
    # In the other games all count alike.
    assert not [h for h in hrefs if "from=" in h and not h.endswith("from=A")]


def test_where_nothing_is_hidden_all_count_alike(client: Client, store: Store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("troggu", 5)))
    hrefs = Page(get(client, deal, "?view=A&step=20")).attributes("href")
    assert {"?step=20", "?view=B&step=20"} <= set(hrefs)
    assert not [h for h in hrefs if "from=" in h]


@pytest.mark.parametrize(
    "way", ["view=A", "view=C", "view=A&hands=none", "view=A&spoilers=off", "view=A&guess=1"]
)
def test_no_page_of_a_seats_view_tells_whether_somebody_passed_a_raise_up(
    client: Client, store: Store, way: str
) -> None:
    """Two deals that are alike to A and C, but for a turn of B that they must not know of: so are all pages,
    but for the number of the deal."""
    pages = []
    for partner in "BD":
        (deal,) = store(dump_json(raising(partner).also("A: T20").record()))
        found = []
        for step in range(16):
            for path in ("replay/", "embed/", "frames.json"):
                page = client.get(f"/deals/{deal.pk}/{path}?{way}&step={step}").content.decode()
                found.append(re.sub(rf"((?:deals?(?:/|%2F|-| )|№ )){deal.pk}\b", r"\1N", page))
        pages.append(found)
    for first, second in zip(*pages, strict=True):
        differences = difflib.unified_diff(first.split("\n"), second.split("\n"), lineterm="", n=0)
        assert not list(differences)


def test_to_turn_the_table_opens_and_closes_no_hand(client: Client, taroky: ShownDeal) -> None:
    for query, turned in [
        ("step=20", "?view=B&hands=all&step=20"),
        ("view=B&hands=all&step=20", "?view=C&hands=all&step=20"),
        ("hands=none&step=16", "?view=B&hands=none&step=16"),
        ("view=B&step=16", "?view=C&step=16&from=B"),
    ]:
        html = client.get(f"/deals/{taroky.pk}/replay/?{query}").content.decode().replace("&amp;", "&")
        assert f'id="flip" rel="nofollow" href="{turned}"' in html
    turned = client.get(f"/deals/{taroky.pk}/frames.json").json()["turned"]
    assert turned["C"] == "?view=C&hands=all&step="
