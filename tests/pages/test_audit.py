"""The audit: stored lines with their clauses, the counting of the cards, claims, faults."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.test import Client

from archive import packed_sheets
from archive.models import Deal
from archive.shown import ShownDeal
from replays.deal.countings import countings
from replays.language.names import Names
from tarock.words.clauses import clause
from tests import samples
from tests.engine.worked import WORKED

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def get(client: Client, deal: ShownDeal) -> str:
    answer = client.get(f"/deals/{deal.pk}/audit/")
    assert answer.status_code == 200
    return answer.content.decode()


def rows(html: str) -> list[tuple[str, list[str]]]:
    """The lines of the score sheet: slug, and what each seat gets."""
    found = []
    for row in re.findall(r'<tr role="row">(.*?)</tr>', html, re.S):
        slug = re.search(r'<a href="/rules/clause/([\w.-]+)/">', row)
        cells = [
            re.sub(r"<[^>]+>", "", c).strip()
            for c in re.findall(r'<td role="cell"[^>]*>(.*?)</td>', row, re.S)
        ]
        found.append((slug[1] if slug else "", cells))
    return found


def rewrite(deal: ShownDeal, **changes: object) -> None:
    """Change what is stored of the line of the game."""
    lines = tuple(line._replace(**changes) if line.clause == "taroky.game" else line for line in deal.lines)
    clauses, sheet = packed_sheets.pack(replace(deal.checked, lines=lines))
    Deal.objects.filter(pk=deal.pk).update(clauses=clauses, sheet=sheet)


def test_the_calculation_of_the_specification(client: Client, taroky: ShownDeal) -> None:
    """As on paper: game 25; pagat 20 × 4 = 80; tarocky 5; B's barvicky 5 to the others; 105 each."""
    sheet = dict(rows(get(client, taroky)))
    assert sheet["taroky.game"] == ["+25", "−25", "−25", "+25"]
    assert sheet["taroky.pagat-announced"] == ["+80", "−80", "−80", "+80"]
    assert sheet["taroky.hand-tarocky"] == ["+5", "−5", "−5", "+5"]
    assert sheet["taroky.hand-barvicky"] == ["−5", "+5", "+5", "−5"]
    assert sheet[""] == ["+105", "−105", "−105", "+105"]
    assert "Bidder’s side: 60 − 35 = 25" in get(client, taroky)


def test_what_was_played_heads_the_sheet(client: Client, taroky: ShownDeal) -> None:
    text = Page(get(client, taroky)).text
    assert "First Duty; bidder Alena; called XIX; partner Dana; flek (×2) on the pagat by Bořek;" in text


def test_every_line_shows_the_text_of_its_clause(client: Client, taroky: ShownDeal) -> None:
    text = Page(get(client, taroky)).text
    for line in taroky.lines:
        found = clause(line.clause)
        assert found.title in text
        plain = re.sub(r"(?m)^- ", "", found.text).replace("`", "")
        assert re.sub(r"\s+", "", plain) in re.sub(r"\s+", "", text)


def test_the_cards_are_counted_as_on_paper(client: Client, taroky: ShownDeal) -> None:
    """B and C hold 16 in nine cards: 16 − 6 = 10; so A and D have 60."""
    text = Page(get(client, taroky)).text
    assert "9 cards worth 16, 3 sets of three: 16 − 2 × 3 = 10" in text
    assert "Discards of Bořek: 1 card" in text
    counting = countings(taroky.checked.countings, Names(taroky.game, {}))
    assert [(c.counting.points, c.groups[-1].running) for c in counting] == [(60, 60), (10, 10)]


def test_cards_that_count_singly_are_laid_out_with_their_values(client: Client, store: Store) -> None:
    (deal,) = store(samples.as_text(samples.simulated("troggu", 5, seed=3)))
    html = get(client, deal)
    values = [int(v) for v in re.findall(r'<span class="card-value">(\d+)</span>', html)]
    assert len(values) == 62
    assert sum(values) == 114
    assert "Each card is counted separately" in html


def test_the_card_for_a_kept_fool_is_told_with_the_counting(client: Client, store: Store) -> None:
    """The exchanged card is before the countings, with its clause; the cards are in parts of their own."""
    (deal,) = store(WORKED["TROGGU_DEAD_BETTLER"].text)
    html = get(client, deal)
    text = Page(html).text
    assert "Vreni keeps the dead Bättler; Mägi gives Walti II for it. troggu.bettler-last" in text
    assert (
        text.index("How the cards were counted") < text.index("Vreni keeps") < text.index("Tricks of Walti")
    )
    for title in (
        "Bättler kept by Vreni: 1 card",
        "Handed over to Walti: 1 card",
        "Tricks of Walti: 35 cards",
    ):
        assert text.count(title) == 2, "among the parts, and over its cards"
    german = client.get(f"/deals/{deal.pk}/audit/", headers={"accept-language": "de"}).content.decode()
    for words in ("Bättler, von Vreni behalten: 1 Karte", "An Walti abgegeben: 1 Karte"):
        assert words in Page(german).text


def test_it_prints_what_is_stored_and_computes_nothing(client: Client, taroky: ShownDeal) -> None:
    rewrite(
        taroky,
        quantity={"side": "bidder", "points": 66, "half": 59, "base": 7},
        points={"A": 7, "B": -7, "C": -7, "D": 7},
    )
    html = get(client, taroky)
    assert "Bidder’s side: 66 − 59 = 7" in html
    assert dict(rows(html))["taroky.game"] == ["+7", "−7", "−7", "+7"]
    assert dict(rows(html))[""] == ["+105", "−105", "−105", "+105"]


def test_a_line_that_an_engine_of_before_put_otherwise_still_stands(
    client: Client, taroky: ShownDeal
) -> None:
    rewrite(taroky, sentences=("said no more",))
    assert dict(rows(get(client, taroky)))["taroky.game"] == ["+25", "−25", "−25", "+25"]


def test_a_line_leads_to_the_steps_that_earned_it(client: Client, taroky: ShownDeal) -> None:
    lines = {line.clause: line for line in taroky.lines}
    events = lines["taroky.hand-tarocky"].events
    assert events
    assert f"/deals/{taroky.pk}/replay/?step={events[0] + 1}" in Page(get(client, taroky)).attributes("href")


def test_disputed_claim_and_result_stand_side_by_side(client: Client, store: Store) -> None:
    (deal,) = store(samples.WRONG_CLAIM)
    text = Page(get(client, deal)).text
    assert "A Alena +100 +105 −5" in text
    assert "B Bořek −100 −105 +5" in text


def test_illegal_position_clause_and_what_would_have_been_legal(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    html = get(client, deal)
    text = Page(html).text
    assert "Trick 4, second card" in text
    assert "Trick 4:" not in text, "the heading says it"
    assert "Bořek plays the King of spades" in text
    assert clause("taroky.follow").title in text
    legal = html[html.index("What would have been legal") : html.index("The clause")]
    assert re.findall(r"#(\w+)\"", legal) == ["D1", "D3"]
    # The position before the event: diamonds are led, and the spade is still in B's hand.
    position = html[html.index("The position") :]
    assert "#DQ" in position
    assert "#SK" in position
    assert f"/deals/{deal.pk}/replay/?step={samples.ILLEGAL_EVENT + 1}" in Page(html).attributes("href")
    assert "Total" not in text


def test_words_that_were_illegal_and_those_that_were_not(client: Client, store: Store) -> None:
    """Forehand may not pass."""
    (deal,) = store(samples.ANNOTATED.replace("A bid first", "A pass"))
    text = Page(get(client, deal)).text
    assert "Turn 1 before the play" in text
    assert "Alena passes" in text
    assert "bids First Duty" in text
    assert "bids Second Duty" not in text


def test_incomplete_says_where_it_ends_and_who_is_next(client: Client, store: Store) -> None:
    (deal,) = store(samples.UNFINISHED)
    text = Page(get(client, deal)).text
    assert "The record ends here: trick 11, fourth card" in text
    assert "it is Alena's turn" in text


@pytest.mark.parametrize(
    ("game", "players"),
    [("strohmann", 2), ("taroky", 4), ("troggu", 7), ("grosstarock", 2), ("grosstarock", 4)],
)
def test_audits_of_all_games_add_up(client: Client, store: Store, game: str, players: int) -> None:
    for deal in store(samples.as_text(samples.simulated(game, players, 8, seed=2))):
        *_, (_, total) = rows(get(client, deal))
        assert deal.score is not None
        assert [int(cell.replace("−", "-")) for cell in total] == list(deal.score.values())
        for counting in countings(deal.checked.countings, Names(deal.game, {})):
            if counting.groups:
                assert counting.groups[-1].running == counting.counting.points
