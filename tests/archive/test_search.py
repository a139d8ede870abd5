"""What is stored so that deals are found by it; and many deals as one text."""

from __future__ import annotations

import csv
import io

import pytest

from archive.access import EVERYBODY
from archive.fields import searchable
from archive.models import Contribution, Deal, Seat
from archive.publishing import export
from archive.reading import deals, scores
from archive.reading.filters import Filters
from archive.storing import corrections
from tarock.notation import read, read_one
from tests import samples, storing
from tests.storing import deal_of, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def test_what_a_deal_is_found_by() -> None:
    deal = deal_of(samples.TAROKY)
    assert (deal.declarer, deal.partner, deal.card_points, deal.highest, deal.result) == (
        "A",
        "D",
        60,
        105,
        "won",
    )
    assert "taroky.pagat-announced=++--+" in deal.clauses.split()
    assert "taroky.hand-barvicky=--++-" in deal.clauses.split()
    assert [line.clause for line in deal.lines][:2] == ["taroky.game", "taroky.pagat-announced"]


def test_a_deal_without_a_score_is_found_by_none() -> None:
    for text in (samples.ILLEGAL_BID, samples.INCOMPLETE):
        deal = deal_of(text)
        assert (deal.card_points, deal.highest, deal.result) == (None, None, "")
    assert not storing.deals(Filters(points_from=0))
    assert not deals.find_ids(Filters(), EVERYBODY, "score", 10)


def test_what_is_said_is_found_without_case_and_marks_and_a_correction_is_found_too(ada) -> None:
    said = deal_of(samples.TAROKY, user=ada).representative
    assert said.event_search == searchable(said.event) == "hlucin club evening"
    record = read_one(samples.TAROKY.replace("Hlučín club evening", "Ročník VI"))
    corrections.correct(said, record, by=ada)
    assert Contribution.objects.get().event_search == "rocnik vi"
    assert len(storing.deals(Filters(event="ROCNIK"))) == 1
    assert not storing.deals(Filters(text="club evening"))


@pytest.mark.parametrize("text", ["Dvořák", "ÅØ ß", "Plain ASCII 12", "İstanbul", "日本"])
def test_the_short_way_gives_the_same(text: str) -> None:
    assert searchable(text) == searchable(searchable(text))
    assert searchable("Straße") == searchable("STRASSE") == "strasse"


def test_percent_and_underscore_are_letters_like_any_other() -> None:
    deal_of(samples.TAROKY.replace("Hlučín club evening", "100% pagat_x"))
    for part, number in (("0%", 1), ("%p", 0), ("t_x", 1), ("t_", 1), ("_p", 0), ("\\", 0)):
        assert len(storing.deals(Filters(event=part))) == number, part


def test_a_batch_at_a_time(monkeypatch: pytest.MonkeyPatch, django_assert_num_queries) -> None:
    stored(samples.many(7, Session="Table"))
    whole = b"".join(export.records(deals.iter_deals()))
    monkeypatch.setattr(deals, "BATCH", 3)
    with django_assert_num_queries(3 * 6):
        found = list(deals.iter_deals())
    assert [deal.pk for deal in found] == sorted(Deal.objects.values_list("pk", flat=True))
    assert list(deals.iter_deals(newest_first=True)) == found[::-1]
    with django_assert_num_queries(6):
        assert next(export.records(deals.iter_deals())) == whole.splitlines(keepends=True)[0]
    assert b"".join(export.records(found)) == whole
    assert [one.record for one in read(whole)] == [deal.record for deal in found]
    assert b"".join(export.pieces(export.records(found), size=1)) == whole


def test_the_table_has_a_line_a_deal_and_no_formula() -> None:
    deal_of(samples.TAROKY.replace('"Alena"', '"+1"').replace("Hlučín", "-1"))
    (row,) = csv.DictReader(
        io.StringIO(b"".join(export.table(deals.iter_deals())).decode().removeprefix("\ufeff"))
    )
    assert (row["player_A"], row["event"], row["points_B"]) == ("'+1", "'-1 club evening", "-105")
    assert row["claim_A"] == "105"


def test_ranking_counts_a_player_at_two_seats_once() -> None:
    deal_of(samples.TAROKY.replace('"Bořek"', '"Alena"'))
    rows = {row.name: row for row in scores.player_scores()}
    assert (rows["Alena"].deals, rows["Alena"].total) == (1, 0)
    assert Seat.objects.count() == 4
    assert rows["Dana"].place == 1
    assert not scores.player_scores(choice=scores.Choice(least_deals=2))
