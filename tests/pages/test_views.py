"""The ways to look at a replay: hands hidden, spoiler-free, guessing, the running account, the commentary."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from django.test import Client

from archive.shown import ShownDeal
from tarock.analysis import replay
from tarock.notation import dump_json
from tests.engine.test_views import raising
from tests.support import samples
from tests.support.effort import spread

from . import test_replay
from .conftest import Page, Store, missing, present
from .test_replay import get

pytestmark = pytest.mark.django_db

taroky = test_replay.taroky

FIRST = samples.FIRST_CARD
SEEN = samples.FIRST_SEEN
ROWS = re.compile(r'<tr(?: class="current")?><th scope="row"><a .*?</tr>', re.S)
"""The rows of the running account."""


def test_a_way_to_look_is_kept(client: Client, taroky: ShownDeal) -> None:
    for query, onward, other in (
        # The same switch shows the hands again.
        ("?view=B&hands=none", "?view=B&hands=none&step=21", "?view=B&step=20&from=none"),
        ("?spoilers=off", "?spoilers=off&step=21", "?view=B&spoilers=off&step=20&from=all"),
    ):
        assert {onward, other} <= {*Page(get(client, taroky, f"{query}&step=20")).attributes("href")}


def test_in_a_seats_view_the_chart_and_the_commentary_tell_nothing(
    client: Client, table_deal: ShownDeal
) -> None:
    """The chart and the remark contain only what the engine lets this seat know."""
    record = table_deal.record
    for view in replay.position(record, 0).active:
        last = replay.last_step(record, view)
        for step in {last // 2, last - 1}:
            page = get(client, table_deal, f"?view={view}&step={step}")
            state = replay.position(record, step, view)
            rows = ROWS.findall(page)
            assert len(rows) == len(state.tricks)
            if rows:
                readings = [int(n) for n in re.findall(r'<td class="number">(\d+)</td>', rows[-1])]
                at = state.tricks[-1].event + len(state.tricks[-1].plays)
                then = replay.position(record, at, view).points
                assert readings == [then[s] for s in state.active]
            if state.last.seat != view and state.last.verb == "play":
                remark = re.search(r'id="remark">(.*?)</p>', page, re.S)
                assert remark
                assert present(remark[1], "can choose from", "limits") == []


def test_spoiler_free_tells_nothing_of_what_comes_later(client: Client, taroky: ShownDeal) -> None:
    """Its end has everything."""
    page = get(client, taroky, f"?spoilers=off&step={FIRST + 5}")
    text = Page(page).text
    for word in ("Verified", "105", "Audit", "of 64", "Pagat announced"):
        assert word not in text, word
    assert str(samples.LAST_STEP) not in Page(page).attributes("data-steps")
    assert f"/deals/{taroky.pk}/" not in Page(page).attributes("href")
    # One step on, or one trick.
    assert max(linked(page)) == FIRST + 8
    telling = [f"/deals/{taroky.pk}/{part}" for part in ("deal.tgn", "deal.json", "print/", "audit/")]
    for step in (0, FIRST, FIRST + 5, samples.LAST_STEP - 2):
        page = get(client, taroky, f"?spoilers=off&step={step}")
        assert [link for link in telling if link in page] == []
        assert "You can download and print the whole deal once the replay reaches its end." in page
    page = get(client, taroky, f"?spoilers=off&step={samples.LAST_STEP}")
    assert [link for link in telling if link not in page] == []
    assert "The deal is over." in page
    tricks = [get(client, taroky, f"?spoilers=off&step={n}") for n in (FIRST + 5, samples.LAST_STEP)]
    assert [page.count('class="group trick-group"') for page in tricks] == [2, 12]


def linked(page: str) -> set[int]:
    hrefs = {int(n) for h in Page(page).attributes("href") if (n := h.partition("step=")[2]).isdigit()}
    return hrefs | {int(n) for name in ("max", "data-last") for n in Page(page).attributes(name)}


def test_nothing_leads_beyond_what_is_said_next(client: Client, table_deal: ShownDeal) -> None:
    """The end of the bidding, or of a trick that words may interrupt, reveals the next words."""
    first = next(n for n, event in enumerate(table_deal.record.events) if event[1] == "play")
    ways = ("&spoilers=off", "&view=A&guess=1", "&hands=none&spoilers=off")
    for way, step in spread(itertools.product(ways, range(max(first - 3, 1))), 7):
        assert max(linked(get(client, table_deal, f"?step={step}{way}"))) == step + 1, (step, way)
        document = client.get(f"/deals/{table_deal.pk}/frames.json?step={step}{way}").json()
        assert len(document["frames"]) == step + 2, (step, way)


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


def test_a_play_is_guessed_and_then_shown(client: Client, taroky: ShownDeal) -> None:
    """Trick 2 begins with A T12."""
    query = f"?view=A&guess=1&step={SEEN['A'] + 4}"
    page = get(client, taroky, query)
    picks = [h.partition("pick=")[2] for h in Page(page).attributes("href") if "pick=" in h]
    assert sorted(picks) == sorted(replay.position(taroky.record, SEEN["A"] + 4, "A").legal)
    assert "plays tarock XII" not in page
    wrong = Page(get(client, taroky, query + "&pick=T17")).text
    assert "You chose tarock XVII; Alena played tarock XII." in wrong
    right = Page(get(client, taroky, query + "&pick=T12"))
    assert "Alena played the same: tarock XII." in right.text
    assert f"?view=A&spoilers=off&guess=1&right=1&step={SEEN['A'] + 5}" in right.attributes("href")
    # A card that is not legal is no guess.
    assert "You chose" not in get(client, taroky, query + "&pick=S7")


def test_the_guesses_are_counted(client: Client, taroky: ShownDeal) -> None:
    at = SEEN["A"] + 4
    query = f"?view=A&guess=1&right=3&wrong=1&step={at}"
    asked = Page(get(client, taroky, query))
    assert "Right so far: 3 of 4" in asked.text
    assert "right=" not in asked.attributes("value")[0], "a shared URL has no count in it"
    assert "Right so far" not in get(client, taroky, f"?view=A&guess=1&step={at}")
    for pick, told, onward in (("T12", "4 of 5", "right=4&wrong=1"), ("T17", "3 of 5", "right=3&wrong=2")):
        page = Page(get(client, taroky, f"{query}&pick={pick}"))
        assert f"Right so far: {told}" in page.text
        assert f"?view=A&spoilers=off&guess=1&{onward}&step={at + 1}" in page.attributes("href")
        assert f"?view=A&spoilers=off&guess=1&{onward}&step=" in page.attributes("data-prefix")
    # The script's frames end at the choice.
    document = client.get(f"/deals/{taroky.pk}/frames.json{query}").json()
    assert len(document["frames"]) == at + 1
    last = document["frames"][at]
    assert last["asks"]
    assert missing(last["guess"], "Which card would you play as Alena?", "Right so far: 3 of 4") == []


def test_a_seat_guesses_at_its_next_choice(client: Client, taroky: ShownDeal) -> None:
    """In the last trick everybody has but one card. The place of the next choice would reveal who takes the
    trick; it is not in the page, but behind its link."""
    question, last, way = "Which card would you play", SEEN["A"] + 44, "?view=A&guess=1&step="
    assert question not in get(client, taroky, f"?guess=1&step={FIRST}"), "a guess needs a seat"
    page = get(client, taroky, f"{way}{SEEN['A']}")
    assert "105" not in Page(page).text
    assert "T18" not in page
    text = Page(get(client, taroky, f"{way}{last}")).text
    assert question not in text
    assert "Alena has no choice: only one card may be played." in text
    assert "It is not Alena’s turn." in Page(get(client, taroky, f"{way}{SEEN['A'] + 5}")).text
    for step, turn in ((SEEN["A"] + 5, SEEN["A"] + 12), (last - 3, 62)):
        answer = client.get(f"/deals/{taroky.pk}/replay/{way}{step}&go=turn")
        assert answer.status_code == 302
        assert answer["Location"].endswith(f"?view=A&spoilers=off&guess=1&step={turn}")


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        (
            f"?step={FIRST + 14}",
            "Bořek must follow suit (diamonds) and can choose from 2 cards. Following suit",
        ),
        (f"?step={SEEN['A'] + 14}&view=A", "Bořek must follow suit: diamonds. Following suit"),
        (f"?step={FIRST + 22}", "Bořek may play any card: no tarock left."),
        (f"?step={FIRST + 9}", "Cyril leads and may lead any card."),
        (f"?step={FIRST + 1}", "Alena announced the pagat and must keep the Pagat as long as"),
        # That she is bound is her own affair only as far as it was not announced; the others see a lead.
        (f"?step={SEEN['B'] + 1}&view=B", "Alena leads"),
    ],
)
def test_why_a_card_was_played_is_said_with_its_clause(
    client: Client, taroky: ShownDeal, query: str, remark: str
) -> None:
    """Trick 4: A DQ D1 DC DJ; trick 6: A T14 SK T8 T10."""
    page = Page(get(client, taroky, query))
    assert remark in page.text
    if "Following suit" in remark:
        assert "/rules/clause/taroky.follow/" in page.attributes("href")


def test_the_account_is_drawn_with_what_is_needed(client: Client, taroky: ShownDeal) -> None:
    page = get(client, taroky, f"?step={samples.LAST_STEP}")
    assert missing(Page(page).text, "Bidder’s side needs 36 of 70 The game", "trick 12") == []
    assert page.count("<polyline") == 2
    (counted,) = [c for c in taroky.checked.countings if c.side == "bidder"]
    rows = ROWS.findall(page)
    assert len(rows) == 12
    assert "<title>Trick 12: Bidder’s side 60, Opponents 10; The Pagat announced</title>" in page
    assert f'<td class="number">{counted.points}</td>' in rows[-1]
    # Each trick leads to its step.
    assert {f"?step={FIRST + 4 * n}" for n in range(1, 13)} <= set(Page(page).attributes("href"))


def test_the_points_needed(client: Client, store: Store) -> None:
    for game, players, words in (
        ("strohmann", 2, "36 of 70 are needed"),
        ("troggu", 5, "Tappist’s side needs 58 of 114"),
        ("grosstarock", 3, "26 of 78 are needed"),
    ):
        (deal,) = store(samples.as_text(samples.simulated(game, players, seed=4)))
        assert words in Page(get(client, deal, "?step=999")).text


def test_the_account_grows_with_the_steps_where_nothing_is_told(client: Client, taroky: ShownDeal) -> None:
    for query, first in (("?view=B", SEEN["B"]), ("?hands=none", SEEN["none"]), ("?spoilers=off", FIRST)):
        page = get(client, taroky, f"{query}&step={first + 9}")
        assert page.count('class="account-table"') == 0
        assert len(re.findall(r'<th scope="row"><a href="[^"]*step=', page)) == 2
        assert "<polyline" not in get(client, taroky, f"{query}&step={first + 3}")


def test_every_step_can_be_shown(client: Client, table_deal: ShownDeal) -> None:
    """In one way after the other (in `make fuzz` every step), and none needs inline script or style."""
    ways = ["", "&hands=none", "&spoilers=off", "&view=A&guess=1", "&view=B", "&view=B&hands=all"]
    steps = spread(range(replay.last_step(table_deal.record) + 1), 6)
    for step, way in zip(steps, itertools.cycle(ways), strict=False):
        assert Page(get(client, table_deal, f"?step={step}{way}")).unsafe == []


def test_the_same_moment_from_elsewhere(client: Client, taroky: ShownDeal) -> None:
    here = f"/deals/{taroky.pk}/"
    for query, leads_to in (
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
    ):
        answer = client.get(f"{here}replay/{query}")
        assert (answer.status_code, answer["Location"]) == (302, f"{here}replay/{leads_to}"), query
    for path, query in itertools.product(("embed/", "position.png"), ("view=A&step=20&from=all", "from=x")):
        assert client.get(f"{here}{path}?{query}").status_code == 200, query


def test_links_to_other_views_tell_nothing(client: Client, store: Store, taroky: ShownDeal) -> None:
    """In Taroky a seat counts its own steps; where nothing is hidden all count alike."""
    at = SEEN["A"] + 1
    hrefs = Page(get(client, taroky, f"?view=A&step={at}")).attributes("href")
    assert {f"?step={at}&from=A", f"?view=B&step={at}&from=A"} <= set(hrefs)
    assert {f"?view=A&hands=none&step={at}&from=A", f"?view=A&spoilers=off&step={at}"} <= set(hrefs)
    assert not [h for h in hrefs if "from=" in h and not h.endswith("from=A")]
    (deal,) = store(samples.as_text(samples.simulated("troggu", 5)))
    hrefs = Page(get(client, deal, "?view=A&step=20")).attributes("href")
    assert {"?step=20", "?view=B&step=20"} <= set(hrefs)
    assert not [h for h in hrefs if "from=" in h]


def test_a_seats_pages_do_not_tell_who_passed_a_raise_up(client: Client, store: Store) -> None:
    """Two deals that are alike to A and C, but for a turn of B that they must not know of: so are all pages,
    but for the number of the deal."""
    one, other = (store(dump_json(raising(partner).also("A: T20").record()))[0] for partner in "BD")

    def seen(deal: ShownDeal, path: str) -> list[str]:
        text = client.get(f"/deals/{deal.pk}/{path}").text
        return re.sub(rf"((?:deals?(?:/|%2F|-| )|№ )){deal.pk}\b", r"\1N", text).split("\n")

    for way in ("view=A", "view=C", "view=A&hands=none", "view=A&guess=1"):
        asked = [f"replay/?{way}&step={step}" for step in range(10, 16)]
        asked += [f"embed/?{way}&step={step}" for step in (12, 15)]
        for path in (*asked, f"frames.json?{way}&step=15"):
            assert seen(one, path) == seen(other, path), path


def test_to_turn_the_table_opens_and_closes_no_hand(client: Client, taroky: ShownDeal) -> None:
    for query, turned in [
        ("step=20", "?view=B&hands=all&step=20"),
        ("view=B&hands=all&step=20", "?view=C&hands=all&step=20"),
        ("hands=none&step=16", "?view=B&hands=none&step=16"),
        ("view=B&step=16", "?view=C&step=16&from=B"),
    ]:
        html = client.get(f"/deals/{taroky.pk}/replay/?{query}").text.replace("&amp;", "&")
        assert f'id="flip" rel="nofollow" href="{turned}"' in html
    turned = client.get(f"/deals/{taroky.pk}/frames.json").json()["turned"]
    assert turned["C"] == "?view=C&hands=all&step="
