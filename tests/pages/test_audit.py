"""The audit: stored lines with their clauses, the counting of the cards, claims, faults, the history."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from archive import packed_sheets
from archive.models import Contribution, Deal
from archive.shown import ShownDeal
from archive.storing import campaigns
from replays.deal.countings import counted_side
from replays.language.names import Names
from tarock.core.scoring import Note
from tarock.view import remark
from tarock.words.clauses import clause
from tests.engine.worked import WORKED
from tests.support import samples

from .conftest import Page, Store, missing, page_of, present, text_of

pytestmark = pytest.mark.django_db


def get(client: Client, deal: ShownDeal, language: str = "en") -> str:
    answer = client.get(f"/deals/{deal.pk}/audit/", headers={"accept-language": language})
    assert page_of(answer).unsafe == []
    html: str = answer.text
    return html


def text(client: Client, deal: ShownDeal, language: str = "en") -> str:
    return Page(get(client, deal, language)).text


def rows(html: str) -> list[tuple[str, list[str]]]:
    """The lines of the score sheet: slug, and what each seat gets."""
    found = []
    for row in re.findall(r'<tr role="row">(.*?)</tr>', html, re.S):
        slugs = re.findall(r'<a href="/rules/clause/([\w.-]+)/">', row)  # after those in the clause's text
        cells = re.findall(r'<td role="cell"[^>]*>(.*?)</td>', row, re.S)
        found.append((slugs[-1] if slugs else "", [re.sub(r"<[^>]+>", "", cell).strip() for cell in cells]))
    return found


def rewrite(deal: ShownDeal, **changes: object) -> None:
    """Change what is stored of the line of the game."""
    lines = tuple(line._replace(**changes) if line.clause == "taroky.game" else line for line in deal.lines)
    clauses, sheet = packed_sheets.pack(replace(deal.checked, lines=lines))
    Deal.objects.filter(pk=deal.pk).update(clauses=clauses, sheet=sheet)


def test_the_lines_of_a_clause_are_gathered(client: Client, store: Store) -> None:
    """Four Kings win, two of them C's: A −5 −5 −5 + 10, B the same, C 10 + 10 − 5 − 5. Each keeps its
    calculation and its step."""
    (deal,) = store(Path("deploy/samples/grosstarock-7-sitting-out.tgn").read_text(encoding="utf-8"))
    html = get(client, deal)
    assert dict(rows(html))["grosstarock.king"] == ["−5", "−5", "+10", "·"]
    (row,) = [row for row in re.findall(r'<tr role="row">(.*?)</tr>', html, re.S) if "A King played" in row]
    assert "4 × A King played" in row
    # The first “trick” is a button that explains it.
    plain = re.sub(r"<[^>]*>", "", row)
    assert len(re.findall(r"in trick \d and wins it: gets 5 from each", plain)) == 4
    assert re.findall(r"\?step=(\d+)", row) == ["5", "8", "13", "17"]


def test_the_calculation_of_the_specification(client: Client, taroky: ShownDeal) -> None:
    """As on paper: game 25; pagat 20 × 4 = 80; tarocky 5; B's barvicky 5 to the others; 105 each."""
    html = get(client, taroky)
    assert dict(rows(html)) == {
        "taroky.game": ["+25", "−25", "−25", "+25"],
        "taroky.pagat-announced": ["+80", "−80", "−80", "+80"],
        "taroky.hand-tarocky": ["+5", "−5", "−5", "+5"],
        "taroky.hand-barvicky": ["−5", "+5", "+5", "−5"],
        "": ["+105", "−105", "−105", "+105"],
    }
    page = Page(html)
    head = "First Duty; bidder Alena; called XIX; partner Dana; flek (×2) on the pagat by Bořek;"
    assert missing(page.text, "Bidder’s side: 60 − 35 = 25", head) == []
    # Each line shows the text of its clause, and leads to the steps that earned it.
    for line in taroky.lines:
        found = clause(line.clause)
        plain = re.sub(r"(?m)^- ", "", found.text).replace("`", "")
        plain = re.sub(r"taroky\.[a-z-]+", lambda slug: clause(slug[0]).title, plain)
        assert found.title in page.text
        assert re.sub(r"\s+", "", plain) in re.sub(r"\s+", "", page.text)
    (hand,) = (line for line in taroky.lines if line.clause == "taroky.hand-tarocky")
    assert f"/deals/{taroky.pk}/replay/?step={hand.events[0] + 1}" in page.attributes("href")


def test_the_cards_are_counted_as_on_paper(client: Client, taroky: ShownDeal, store: Store) -> None:
    """B and C hold 16 in nine cards: 16 − 6 = 10; so A and D have 60."""
    told = ("9 cards worth 16, 3 sets of three: 16 − 2 × 3 = 10", "Discards of Bořek: 1 card")
    assert missing(text(client, taroky), *told) == []
    counted = [counted_side(one, Names(taroky.game, {})) for one in taroky.checked.countings]
    assert [(c.counting.points, c.groups[-1].running) for c in counted] == [(60, 60), (10, 10)]
    # Cards that count singly are laid out with their values.
    (deal,) = store(samples.as_text(samples.simulated("troggu", 5, seed=3)))
    html = get(client, deal)
    values = [int(v) for v in re.findall(r'<span class="card-value">(\d+)</span>', html)]
    assert (len(values), sum(values)) == (62, 114)
    assert "Each card is counted separately" in html


def test_the_card_for_a_kept_fool_is_told_with_the_counting(client: Client, store: Store) -> None:
    """The exchanged card is before the countings, with its clause; the cards are in parts of their own."""
    (deal,) = store(WORKED["TROGGU_DEAD_BETTLER"].text)
    page, title = text(client, deal), clause("troggu.bettler-last").title
    told = f"Vreni keeps the dead Bättler; Mägi gives Walti II for it. {title}"
    assert page.index("How the cards were counted") < page.index(told) < page.index("Tricks of Walti")
    parts = ("Bättler kept by Vreni: 1 card", "Handed over to Walti: 1 card", "Tricks of Walti: 35 cards")
    assert [page.count(part) for part in parts] == [2, 2, 2], "among the parts, and over its cards"
    german = ("Bättler, von Vreni behalten: 1 Karte", "An Walti abgegeben: 1 Karte")
    assert missing(text(client, deal, "de"), *german) == []


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
    rewrite(taroky, sentences=("an engine of before put it otherwise",))
    assert dict(rows(get(client, taroky)))["taroky.game"] == ["+25", "−25", "−25", "+25"]


def test_where_a_rule_is_broken_or_the_record_ends(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    html = get(client, deal)
    page = Page(html)
    place = ("Trick 4, second card", "Bořek plays the King of spades", clause("taroky.follow").title)
    assert missing(page.text, *place, "The hand", "Verification history") == []
    assert present(page.text, "Trick 4:", "Total") == [], "the heading says the trick"
    legal = html[html.index("What would have been legal") : html.index("The clause")]
    assert re.findall(r"#(\w+)\"", legal) == ["D1", "D3"]
    # The position before the event: diamonds are led, and the spade is still in B's hand.
    assert missing(html[html.index("The position") :], "#DQ", "#SK") == []
    assert f"/deals/{deal.pk}/replay/?step={samples.ILLEGAL_EVENT + 1}" in page.attributes("href")
    # Forehand may not pass. A record may end too early.
    told = text(client, store(samples.ANNOTATED.replace("A bid first", "A pass"))[0])
    assert missing(told, "Turn 1 before the play", "Alena passes", "bids First Duty") == []
    assert "bids Second Duty" not in told
    words = ("The record ends here: trick 11, fourth card", "it is Alena's turn")
    assert missing(text(client, store(samples.UNFINISHED)[0]), *words) == []


@pytest.mark.parametrize(
    ("game", "players"),
    [("strohmann", 2), ("taroky", 4), ("troggu", 7), ("grosstarock", 2), ("grosstarock", 4)],
)
def test_audits_of_all_games_add_up(client: Client, store: Store, game: str, players: int) -> None:
    for deal in store(samples.as_text(samples.simulated(game, players, 2, seed=2))):
        *_, (_, total) = rows(get(client, deal))
        assert deal.score is not None
        assert [int(cell.replace("−", "-")) for cell in total] == list(deal.score.values())
        for counting in deal.checked.countings:
            side = counted_side(counting, Names(deal.game, {}))
            if side.groups:
                assert side.groups[-1].running == counting.points


def test_which_line_explains_a_disputed_claim(client: Client, taroky: ShownDeal) -> None:
    """The last line is left out of the claim; the audit names it, and says when none explains the claim."""
    score, line = taroky.score or {}, taroky.lines[-1]
    less = {seat: points - line.points.get(seat, 0) for seat, points in score.items()}
    no_slip = "No single slip explains the difference."
    left_out = ("What would explain the difference", "was left out. " + clause(line.clause).title)
    for claim, words in ((less, left_out), ({"A": 71, "B": -71, "C": 3, "D": -3}, (no_slip,))):
        said = " ".join(f"{seat}={number}" for seat, number in claim.items())
        Contribution.objects.filter(pk=taroky.contribution.pk).update(claim=said, verdict="disputed")
        assert missing(text(client, taroky), *words) == []
    Contribution.objects.filter(pk=taroky.contribution.pk).update(claim="A=100 B=-100 C=-100 D=100")
    assert missing(text(client, taroky), "A Alena +100 +105 −5", "B Bořek −100 −105 +5") == []


def test_the_session_so_far(client: Client, store: Store, taroky: ShownDeal) -> None:
    second = samples.ANNOTATED.replace('[Deal "7"]', '[Deal "8"]')
    second = second.replace("B announce barvicky flek:pagat", "B pass")
    second = second.replace("A announce re:pagat { a brave word }\nB pass\nC pass\n", "")
    second = re.sub(r"\[Score .*\n", "", second)
    (later,) = store(second)
    first = (taroky.score or {})["A"]
    for deal, total in ((taroky, first), (later, first + (later.score or {})["A"])):
        assert f"In the session so far +{total}" in text(client, deal)


def test_a_change_of_verdict_is_shown(client: Client, taroky: ShownDeal) -> None:
    Deal.objects.filter(pk=taroky.pk).update(verdict="illegal", engine_version="9.9.9")
    campaigns.verify_now([Deal.objects.get(pk=taroky.pk)])
    assert 'class="has-changed"' in get(client, taroky)
    for page in ("", "audit/"):
        here = f"/deals/{taroky.pk}/{page}"
        assert missing(text_of(client, here), "engine 9.9.9", "changed from ✕ Illegal") == []


def test_a_note_of_another_engine_still_names_its_clause() -> None:
    (found,) = remark.notes([Note("taroky.game", "unheard-of", {}, (3,))], Names("taroky", {}))
    assert (found.text, found.slug, found.steps) == ("", "taroky.game", [4])
