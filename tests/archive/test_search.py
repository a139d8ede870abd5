"""What is stored so that deals are found by it; and many deals as one text."""

from __future__ import annotations

import csv
import io

import pytest

from archive import lookups
from archive.access import EVERYBODY
from archive.fields import searchable
from archive.models import Contribution, Deal, Seat
from archive.publishing import export
from archive.reading import deals, scores
from archive.reading.filters import Filters
from archive.storing import corrections
from tarock.notation import read, read_one, write_text
from tarock.simulate import simulate
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


def test_the_ranking_has_no_player_of_two_seats() -> None:
    deal_of(samples.TAROKY.replace('"Bořek"', '"Alena"'))
    rows = {row.name: row for row in scores.player_scores()}
    assert rows.keys() == {"Cyril", "Dana"}
    assert Seat.objects.count() == 4
    assert rows["Dana"].place == 1
    assert not scores.player_scores(choice=scores.Choice(least_deals=2))


def test_deals_that_cite_a_clause_are_read_block_by_block() -> None:
    # On PostgreSQL a block of the index is of 8192 ids: these lie in four blocks.
    first, *_ = (deal_of(text).pk for text in (samples.TAROKY, samples.dealt(1), samples.INCOMPLETE))
    later = [first + lookups.BLOCK * number for number in (3, 2, 1)]
    for number, pk in enumerate(later):
        row = Deal.objects.get(pk=first)
        row.pk, row.digest = pk, bytes([number])
        row.save(force_insert=True)
    citing = [*later, first]
    assert lookups.newest_citing("taroky.pagat-announced", 9) == citing
    assert lookups.newest_citing("taroky.pagat-announced", 2) == citing[:2]
    # No part of a clause is one.
    assert lookups.newest_citing("taroky.pagat", 9) == []
    Deal.objects.filter(pk=citing[0]).update(clauses="taroky.follow")
    assert lookups.newest_citing("taroky.pagat-announced", 9) == citing[1:]
    assert lookups.newest_citing("taroky.follow", 9) == citing[:1]
    Deal.objects.filter(pk=citing[1]).delete()
    assert lookups.newest_citing("taroky.pagat-announced", 9) == citing[2:]


def test_of_a_clause_that_many_deals_cite_those_stored_last_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored("\n".join(write_text(record) for record in simulate("taroky", deals=12, seed=3)))
    slug = "taroky.game"
    citing = [deal for deal in Deal.objects.order_by("-pk") if slug in deal.slugs]
    assert len(citing) > 3
    won = {deal.pk for deal in citing if f"{slug}=+" in deal.clauses}

    def found(**more: str) -> deals.Ids:
        return deals.find_ids(Filters(clause=slug, **more), EVERYBODY, "played", 50)

    assert (set(found()), found().is_partial) == ({deal.pk for deal in citing}, False)
    assert set(found(effect="gained")) == won
    monkeypatch.setattr(deals, "MOST_CITING", 2)
    assert (set(found()), found().is_partial) == ({deal.pk for deal in citing[:2]}, True)
    # A criterion on who played or when goes through all of them.
    assert set(found(text="zzz")) == set()
    assert not found(text="zzz").is_partial


@pytest.mark.parametrize(
    ("part", "number"), [("lučín", 1), ("club ev", 1), ("ev*", 0), ("[a-z]ub", 0), ("cl", 1), ("zzz", 0)]
)
def test_a_part_of_a_text_is_found_however_it_is_looked_for(part: str, number: int) -> None:
    deal = deal_of(samples.TAROKY)
    assert len(storing.deals(Filters(event=part))) == number
    Contribution.objects.update(event_search="something else")
    assert not storing.deals(Filters(event=part))
    deal.delete()
    assert not storing.deals(Filters(text=part))
