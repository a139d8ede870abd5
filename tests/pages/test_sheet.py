"""The sheet of a deal to print."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

import tarock.analysis.public_knowledge
import tarock.analysis.replay
from archive.shown import ShownDeal
from replays.language import words
from tarock.analysis.replay import position
from tarock.words import names as naming
from tests import samples
from tests.pages.sharing import SITE, get

from .conftest import Page, Store
from .test_replay import TABLES

pytestmark = pytest.mark.django_db


def rows(page: str, name: str) -> list[list[str]]:
    """The rows of a table of the sheet as texts."""
    table = re.search(rf'<table class="{name}">(.*?)</table>', page, re.DOTALL)
    assert table, name
    return [
        [
            " ".join(html.unescape(re.sub(r"<[^>]*>", " ", cell)).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table[1], re.DOTALL)
    ]


def test_the_sheet_holds_the_whole_deal(client: Client, taroky: ShownDeal) -> None:
    text = get(client, f"/deals/{taroky.pk}/print/").content.decode()
    page = Page(text)
    assert not page.unsafe
    for told in ("Czech Taroky", "Hlučín club evening", "2026-11-20", "Alena", "deal 7", "Verified."):
        assert told in page.text
    assert f"{SITE}/deals/{taroky.pk}/" in page.text
    hands = {row[0]: row[1] for row in rows(text, "hands")}
    assert hands["A Alena"] == "XX XVII XVI XIV XII IX VI IV I ♣ 9 ♦ Q 4"
    assert hands["Talon"].split() == ["♠", "8", "7", "♥", "K", "1", "♣", "K", "♦", "J"]
    assert "A discards ♠8 ♥1 ♦4 ♣9" in page.text
    assert "First Duty" in page.text
    tricks = rows(text, "tricks")
    assert len(tricks) == 1 + 12 + 2
    # The first trick: Alena leads XX and takes it, against V, VII and XV.
    assert tricks[1] == ["1", "▸ leads XX takes the trick", "V", "VII", "XV", tricks[1][5]]
    assert tricks[2][1:5] == ["▸ leads XII", "III", "XXI takes the trick", "XIX"]
    taken = [int(n) for n in tricks[-2][1:5]]
    points = [[int(n) for n in cell.split(" + ")] for cell in tricks[-1][1:5]]
    assert sum(taken) == 12
    end = position(taroky.record, samples.LAST_STEP)
    assert [sum(told) for told in points] == [end.points[seat] for seat in "ABCD"]
    # The column adds up to the points in the tricks; the discards are next to them.
    assert sum(int(row[5]) for row in tricks[1:13]) == sum(told[0] for told in points)
    assert len(points[0]) == 2
    score = rows(text, "score")
    assert score[-2] == ["Total", "+105", "−105", "−105", "+105"]
    assert score[-1] == ["Written down", "+105", "−105", "−105", "+105"]
    lines = taroky.lines
    assert len(score) == 1 + len(lines) + 2
    for column, seat in enumerate("ABCD", 1):
        cells = [int(row[column].replace("−", "-") or 0) for row in score[1:-2]]
        assert sum(cells) == int(score[-2][column].replace("−", "-")), seat


def test_the_sheet_of_a_deal_without_a_score(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    assert "Illegal." in Page(text).text
    assert "[taroky.follow]" in text
    assert 'class="score"' not in text
    assert len(rows(text, "tricks")) == 1 + 4 + 2


def test_what_broke_a_rule_is_marked_on_the_sheet(client: Client, store: Store) -> None:
    """A card in its trick, a word among the others; there the sheet ends."""
    (deal,) = store(samples.ILLEGAL)
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    assert rows(text, "tricks")[4][:3] == ["4", "▸ leads ♦Q", "✗ breaks a rule: ♠K"]
    assert len(rows(text, "tricks")) == 1 + 4 + 2, "a head, the tricks, two rows of sums"
    assert "✗ breaks a rule" in text
    (spoken,) = store(samples.ANNOTATED.replace("A bid first", "A bid valat"))
    text = get(client, f"/deals/{spoken.pk}/print/").content.decode()
    assert text.count('class="wrong"') == 1
    assert "taroky" not in rows(text, "hands")


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_card_dealt_and_every_trick_is_on_the_sheet(
    client: Client, store: Store, game: str, players: int
) -> None:
    (deal,) = store(samples.as_text(samples.simulated(game, players, seed=5)))
    record = deal.record
    text = get(client, f"/deals/{deal.pk}/print/").content.decode()
    ranks = " ".join(row[1] for row in rows(text, "hands")[: len(record.deal)])
    dealt = [
        naming.card_short(words.of(game), c).lstrip("♠♥♦♣") for cards in record.deal.values() for c in cards
    ]
    for rank in set(dealt):
        wanted = dealt.count(rank)
        assert len(re.findall(rf"(?<![\w:]){rank}(?![\w:])", ranks)) >= wanted, rank
    end = position(record, tarock.analysis.replay.last_step(record))
    shown = [row for row in rows(text, "tricks")[1:-2] if row[0]] if end.tricks else []
    assert len(shown) == len(end.tricks)
    for row, trick in zip(shown, end.tricks, strict=True):
        for seat, cell in zip(end.active, row[1:-1], strict=True):
            card = next(p.card for p in trick.plays if p.seat == seat)
            assert naming.card_short(words.of(game), card) in cell.split()
            assert ("leads" in cell) == (seat == trick.leader)
            assert ("takes the trick" in cell) == (seat == trick.winner)
