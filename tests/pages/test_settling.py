"""A deal under house rules on its audit, and settled by other rules. The arithmetic is that of the deal of
the notation: 25 + 80 + 5 - 5 = 105 by the source; 130 + 800 + 20 - 20 = 930 h by a price list."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from archive.shown import ShownDeal
from tarock.games import GAMES
from tarock.words.clauses import clause
from tests.support import samples

from .conftest import Store, page_of

pytestmark = pytest.mark.django_db

PRICES = "hand-small=20 pagat-announced=200 price-first=5 round=10 unit=h"
UNDER_PRICES = re.sub(
    r"(?s)\[Options .*?\](.*?)\[Score .*?\]\n",
    rf'[Rules "hlucin-club@3"]\n[Options "{PRICES}"]\1',
    samples.TAROKY,
)


def table(html: str) -> list[list[str]]:
    """The cells of the table that compares, as text."""
    body = html[html.index('<table class="audit by-seat settle"') :]
    cells = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    ]
    return [[re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", cell)).strip() for cell in row] for row in cells]


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def get(client: Client, deal: ShownDeal, query: str, language: str = "en") -> str:
    answer = client.get(f"/deals/{deal.pk}/settle/?{query}", headers={"accept-language": language})
    assert answer.status_code == 200
    assert page_of(answer).unsafe == []
    html: str = answer.text
    return html


def test_a_deal_by_typed_options(client: Client, taroky: ShownDeal) -> None:
    html = get(client, taroky, "options=" + PRICES.replace(" ", "+"))
    head, *rows = table(html)
    assert head[1:] == ["own options", "these options haléře", "Because of"]
    titles = "The game", "The Pagat announced", "Tarocky: eight or nine", "Barvičky: one or two"
    assert all(row[0].startswith(title) for row, title in zip(rows, titles, strict=False))
    assert [tuple(row[1:]) for row in rows[:4]] == [
        ("+25 A, D −25 B, C", "+130 A, D −130 B, C", "price-first=5 round=10"),
        ("+80 A, D −80 B, C", "+800 A, D −800 B, C", "pagat-announced=200"),
        ("+5 A, D −5 B, C", "+20 A, D −20 B, C", "hand-small=20"),
        ("+5 B, C −5 A, D", "+20 B, C −20 A, D", "hand-small=20"),
    ]
    assert "60 − 35) × 5 h = 125 h; up to a multiple of 10: 130 h" in plain(html)
    assert [row[1:3] for row in rows[4:]] == [
        ["+105", "+930 h (+9.30 Kč)"], ["−105", "−930 h (−9.30 Kč)"],
        ["−105", "−930 h (−9.30 Kč)"], ["+105", "+930 h (+9.30 Kč)"],
    ]  # fmt: skip


def test_amounts_in_one_unit_are_subtracted(client: Client, taroky: ShownDeal) -> None:
    """6 for a small hand and not 5: 1 more for A and D, and 1 more for B and C."""
    head, *rows = table(get(client, taroky, "options=hand-small=6+cap=100"))
    assert head[1:] == ["own options", "these options", "Difference", "Because of"]
    # 25 + 80 + 6 - 6 = 105, and 5 come off.
    assert rows[2][3] == "+1 A, D −1 B, C"
    assert rows[4][1:] == ["·", "+5 B, C −5 A, D", "+5 B, C −5 A, D", "cap=100"]
    assert rows[5][1:4] == ["+105", "+100", "−5"]


def test_two_published_rule_sets(client: Client, taroky: ShownDeal) -> None:
    html = get(client, taroky, "than=taroky-net@1&rules=vysocina@1")
    assert plain(html).count("By these rules the deal could not have been played so:") == 2


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_a_deal_that_could_not_have_been_played_so(client: Client, taroky: ShownDeal, language: str) -> None:
    """C refuses the talon card, and by the Vysočina rules everybody must exchange."""
    html = get(client, taroky, "rules=vysocina%401", language)
    title = clause("taroky.refuse", language).title
    assert f'<a href="/rules/clause/taroky.refuse/">{title}</a>' in html
    assert "<code>refuse=no</code>" in html
    assert f'href="/deals/{taroky.pk}/replay/?step=7"' in html
    assert [row[1] for row in table(html)[-4:]] == ["+105", "−105", "−105", "+105"]
    assert {row[2] for row in table(html)[-4:]} == {"–"}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("options=cap=x", "cap=x"),
        ("options=flek", "flek"),
        ("rules=nobody@1", "nobody@1"),
        ("rules=mayr-sedlaczek@1", "mayr-sedlaczek@1"),
        ("options=" + "x" * 2001, "2000"),
        ("", ""),
    ],
)
def test_wrong_rules_are_said_and_nothing_is_settled(
    client: Client, taroky: ShownDeal, query: str, said: str
) -> None:
    html = get(client, taroky, query)
    assert '<table class="audit by-seat settle"' not in html
    assert said in html
    assert ('class="error"' in html) == bool(query)
    assert client.get(f"/deals/{taroky.pk}/settle.png?{query}").status_code == 404


def test_the_page_of_a_deal_leads_to_the_other_rules(client: Client, taroky: ShownDeal, store: Store) -> None:
    (troggu,) = store(samples.TROGGU)
    for page in ("", "audit/"):
        html = client.get(f"/deals/{taroky.pk}/{page}").text
        links = re.findall(rf'href="(/deals/{taroky.pk}[^"]*/settle/[^"]*)"', html)
        assert [link.partition("?")[2] for link in links] == [
            "rules=taroky-seed%401", "rules=taroky-net%401", "rules=vysocina%401", "rules=dlazka%401", "",
        ]  # fmt: skip
        assert client.get(links[0]).status_code == 200
        # Troggu has one price only.
        assert "/settle/" not in client.get(f"/deals/{troggu.pk}/{page}").text


def test_a_deal_under_house_rules(client: Client, store: Store) -> None:
    """The head names the rules, each changed line the options, and a clause has their values."""
    (deal,) = store(UNDER_PRICES)
    html = client.get(f"/deals/{deal.pk}/audit/").text
    text = plain(html)
    assert "Rules: hlucin-club@3 · amounts in haléř" in text
    assert "(60 − 35) × 5 h = 125 h; up to a multiple of 10: 130 h" in text
    assert "because of price-first=5, round=10" in text
    assert "<code>price-first=5</code>: price of a card point in First Duty." in html
    assert html.count("price-troika-3=3") == 1
    links = re.findall(r'settle/\?rules=([^"]*)"', html)
    assert "taroky-seed%401" in links
    head, *rows = table(get(client, deal, "rules=taroky-seed@1"))
    assert head[1:3] == ["hlucin-club@3 haléře", "Rules of the source"]
    assert rows[0][3] == "price-first=1 round=1"
    assert [row[2] for row in rows[4:]] == ["+105", "−105", "−105", "+105"]
    about = client.get(f"/deals/{deal.pk}/").text
    assert "<code>pagat-announced=200</code>" in about


def test_the_picture_of_a_comparison(client: Client, taroky: ShownDeal) -> None:
    query = "options=" + PRICES.replace(" ", "+")
    html = get(client, taroky, query)
    picture = re.search(r'<meta property="og:image" content="http://testserver(/[^"]*settle.png[^"]*)"', html)
    assert picture
    answer = client.get(picture[1].replace("&amp;", "&"))
    assert (answer["Content-Type"], answer.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert client.get(
        f"/deals/{taroky.pk}/settle.png?{query}", headers={"if-none-match": answer["ETag"]}
    ).status_code in (200, 304)


def test_others_can_t_settle_what_they_can_t_see(client: Client, store: Store) -> None:
    (deal,) = store(samples.TAROKY, visibility="members")
    for page in ("settle/?rules=vysocina@1", "settle.png?rules=vysocina@1"):
        assert client.get(f"/deals/{deal.pk}/{page}").status_code == 404


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_options_of_a_game(client: Client, game: str, language: str) -> None:
    answer = client.get(f"/rules/{game}/options/", headers={"accept-language": language})
    assert page_of(answer).unsafe == []
    html = answer.text
    for slug in GAMES[game].info.rules.table():
        assert f'id="{slug}"' in html
    assert ("vysocina@1" in html, "http://taroky.net/en_quickrules.html" in html) == ((game == "taroky"),) * 2
    assert f'href="/rules/{game}/options/"' in client.get(f"/rules/{game}/").text
    assert (
        client.get("/rules/common/options/").status_code
        == client.get("/rules/bridge/options/").status_code
        == 404
    )
