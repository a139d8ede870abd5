"""The stored columns for searching; and many deals as one text."""

from __future__ import annotations

import csv
import io
import itertools
import random

import pytest
from django.contrib.auth.models import User
from django.db import connection

from archive import lookups
from archive.access import EVERYBODY
from archive.fields import searchable
from archive.hands import Hand, unpack
from archive.models import Contribution, Deal, Player, Seat, Session
from archive.publishing import export
from archive.reading import deals, filters, players
from archive.reading.filters import Filters
from archive.storing import corrections, spaces
from tarock.analysis.simulate import simulate
from tarock.core.persons import folded
from tarock.notation import read, read_one, write_text
from tests.support import samples, settling, storing
from tests.support.storing import deal_of, stored

pytestmark = pytest.mark.django_db


def test_what_a_deal_is_found_by() -> None:
    for text in (samples.ILLEGAL_BID, samples.INCOMPLETE):  # without a score, by none
        deal = deal_of(text)
        assert (deal.deal.card_points, deal.deal.highest, deal.deal.result) == (None, None, "")
    assert not storing.deals(Filters(points_from=0))
    assert not deals.find_ids(Filters(), EVERYBODY, "score", 10)
    deal = deal_of(samples.TAROKY)
    row = deal.deal
    found = deal.declarer, deal.partner, row.card_points, row.highest, row.result
    assert found == ("A", "D", 60, 105, "won")
    assert {"taroky.pagat-announced=++--+", "taroky.hand-barvicky=--++-"} <= set(row.clauses.split())
    assert [line.clause for line in deal.lines][:2] == ["taroky.game", "taroky.pagat-announced"]


@pytest.mark.storage
def test_what_is_said_is_found_without_case_and_marks_and_a_correction_is_found_too(ada) -> None:
    said = deal_of(samples.TAROKY, user=ada).contribution
    assert said.event_search == searchable(said.event) == "hlucin club evening"
    record = read_one(samples.TAROKY.replace("Hlučín club evening", "Ročník VI"))
    corrections.correct(said, record, by=ada)
    assert Contribution.objects.get().event_search == "rocnik vi"
    assert len(storing.deals(Filters(event="ROCNIK"))) == 1
    assert not storing.deals(Filters(text="club evening"))
    for text in ("Dvořák", "ÅØ ß", "Plain ASCII 12", "İstanbul", "日本"):
        assert searchable(text) == searchable(searchable(text))
    assert searchable("Straße") == searchable("STRASSE") == "strasse"


def number_of(filters: Filters) -> int:
    found = deals.find_ids(filters, EVERYBODY, "stored", 99)
    assert sorted(deals.find_ids(filters, EVERYBODY, "played", 99), reverse=True) == found
    return len(found)


SPELLINGS = [
    ("Müller", "Mueller", "muller", "MÜLLER", "Mu\u0308ller"),
    ("Jäger", "Jaeger", "jager"),
    ("Jörg", "Joerg", "jorg", "Jørg", "Jœrg"),
    ("Århus", "Aarhus", "arhus"),
    ("Kjær", "Kjaer", "kjar", "Kjär"),
    ("Øl", "Oel", "ol"),
    ("O'Brien", "O’Brien", "o`brien", "Oʼbrien", "O´Brien", "O＇Brien", "obrien"),
]


def test_each_spelling_finds_the_others() -> None:
    eva, seeds = User.objects.create_user("eva"), itertools.count()
    for spellings in SPELLINGS:
        club = spaces.found_club(f"Club {spellings[0]}", by=eva)
        texts = []
        for seed, name in zip(seeds, spellings, strict=False):
            tags = {"Event": f"Cup {name}", "Site": f"at {name}", "Session": f"Night {name}"}
            who = (f"Xaver {name}", f"B{seed}", f"C{seed}", f"D{seed}")
            texts.append(samples.dealt(seed, players=who, Annotator=name, **tags))
        stored(*texts, space=club)
        for name in spellings:
            for column in ("event", "site", "session", "text"):
                assert number_of(Filters(**{column: name})) == len(spellings), (column, name)
            assert number_of(Filters(club=f"{name} club")) == len(spellings), name
        settling.settle()
        for name in spellings:
            # A name in another Unicode form is no other player.
            assert players.find_players(f"{name} xav").count() == len(set(map(folded, spellings))), name


@pytest.mark.storage
def test_every_part_of_a_word_is_found_and_words_in_any_order() -> None:
    text = "Samuel Müllers Maß, aaae 100% queue Ærø d'été"
    deal_of(samples.dealt(1, Event=text, Session="Poet’s night", Site="Aabenraa"))
    words = text.split()
    for word in words:
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                assert number_of(Filters(event=word[start:end])) == 1, word[start:end]
    assert number_of(Filters(event=" ".join(reversed(words)))) == 1
    assert number_of(Filters(session="night poets")) == 1
    assert number_of(Filters(text="night aero abenra mueller")) == 1
    assert not number_of(Filters(text="night mueller elsewhere"))
    assert not number_of(Filters(event="night mueller"))
    for part in ("ms", "sx", "eler", "axller"):
        assert not number_of(Filters(event=part)), part


@pytest.mark.storage
def test_a_number_among_other_words_is_a_whole_one() -> None:
    deal_of(samples.dealt(1, Session="2026-11-12 table 3"))
    for text, number in (
        ("table 3", 1), ("3 table", 1), ("table 2", 0), ("table 12", 1), ("2", 1), ("202", 1)
    ):  # fmt: skip
        assert number_of(Filters(session=text)) == number, text


@pytest.mark.storage
def test_a_filter_by_name_takes_spellings_of_it_and_no_other_name() -> None:
    house = spaces.house()
    names = ["Michal", "Michael", "Müller", "Mueller", "Muller", "Jörg Åse", "Joerg Aase", "Jorg Aase"]
    names += ["d’Arc", "Zdeněk Adámek", "Jørgen Kjær", "Michael Ende", "Michal Ende"]
    Player.objects.bulk_create(Player(space=house, name=name) for name in names)
    Player.objects.create(space=house, name="Secret", pseudonym="Kjær")
    for name, found in (
        ("michal", {"Michal"}), ("MICHAEL", {"Michael"}), ("Müller", {"Müller", "Mueller", "Muller"}),
        ("mueller", {"Müller", "Mueller"}), ("muller", {"Müller", "Muller"}), ("D'ARC", {"d’Arc"}),
        ("joerg ase", {"Jörg Åse"}), ("joerg aase", {"Jörg Åse", "Joerg Aase"}), ("Mülle", set()),
        ("jorg aase", {"Jörg Åse", "Jorg Aase"}), ("kjaer", {"Secret"}), ("Secret", set()),
        # First and last name come in any order, and neither is enough.
        ("adamek zdenek", {"Zdeněk Adámek"}), ("Kjaer Jørgen", {"Jørgen Kjær"}), ("Zdeněk", set()),
        ("ENDE MICHAL", {"Michal Ende"}), ("Ende Michael", {"Michael Ende"}),
    ):  # fmt: skip
        assert {player.name for player in Player.objects.named(name)} == found, name


@pytest.mark.storage
def test_the_database_folds_as_the_program_does() -> None:
    draw = random.Random(5)
    letters = "aaaeeouuxäöüåæø '" + lookups.APOSTROPHES
    texts = ["".join(draw.choices(letters, k=draw.randint(1, 30))) for _ in range(300)]
    house = spaces.house()
    Session.objects.bulk_create(Session(space=house, name=f"{n} {text}") for n, text in enumerate(texts))
    rows = Session.objects.values_list("name", "search_name__folded", "search_name__bare")
    assert len(rows) == len(texts)
    for name, collapsed, bare in rows:
        assert (collapsed, bare) == (lookups.folded(name), lookups.bare(name))


@pytest.mark.storage
def test_words_are_looked_up_by_their_index() -> None:
    house = spaces.house()
    Session.objects.bulk_create(Session(space=house, name=f"Night {n}") for n in range(2000))
    aarhus = Session.objects.create(space=house, name="Århus")
    for word in ("aarhus", "erhus"):
        holding = lookups.holding(Session, ["search_name"], lookups.words(word))
        found = Session.objects.filter(holding).order_by()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL enable_seqscan = off")
                cursor.execute("ANALYZE archive_session")
            assert "session_folded" in found.explain()
        else:
            assert f"IN ({aarhus.pk})" in str(found.query)


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
    text = b"".join(export.table(deals.iter_deals())).decode().removeprefix("\ufeff")
    (row,) = csv.DictReader(io.StringIO(text))
    assert [row[name] for name in ("player_A", "event", "points_B", "claim_A")] == [
        "'+1", "'-1 club evening", "-105", "105"
    ]  # fmt: skip


@pytest.mark.storage
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
    assert lookups.newest_citing("taroky.pagat", 9) == [], "no part of a clause is one"
    Deal.objects.filter(pk=citing[0]).update(clauses="taroky.follow")
    assert lookups.newest_citing("taroky.pagat-announced", 9) == citing[1:]
    assert lookups.newest_citing("taroky.follow", 9) == citing[:1]
    Deal.objects.filter(pk=citing[1]).delete()
    assert lookups.newest_citing("taroky.pagat-announced", 9) == citing[2:]


@pytest.mark.storage
def test_of_a_clause_that_many_deals_cite_those_stored_last_are_listed(monkeypatch) -> None:
    stored("\n".join(write_text(record) for record in simulate("taroky", deals=12, seed=3)))
    slug = "taroky.game"
    citing = [deal for deal in Deal.objects.order_by("-pk") if slug in deal.slugs]
    assert len(citing) > 3
    won = {deal.pk for deal in citing if f"{slug}=+" in deal.clauses}

    def found(**more: str) -> deals.Ids:
        return deals.find_ids(Filters(clause=slug, **more), EVERYBODY, "played", 50)

    assert (set(found()), found().is_partial) == ({deal.pk for deal in citing}, False)
    assert set(found(effect="gained")) == won
    # By the time of storing, too, whether their ids or the clause are looked up.
    for most in (2, len(citing) - 1, len(citing), len(citing) + 1):
        monkeypatch.setattr(filters, "MOST_CITING", most)
        assert deals.find_ids(Filters(clause=slug), EVERYBODY, "stored", 50) == [one.pk for one in citing]
        assert set(deals.find_ids(Filters(clause=slug, effect="gained"), EVERYBODY, "stored", 50)) == won
    monkeypatch.setattr(deals, "MOST_CITING", 2)
    assert (set(found()), found().is_partial) == ({deal.pk for deal in citing[:2]}, True)
    # A criterion on who played or when goes through all of them.
    assert set(found(text="zzz")) == set()
    assert not found(text="zzz").is_partial


@pytest.mark.storage
def test_a_hand_is_found_whether_it_is_looked_up_or_not(monkeypatch) -> None:
    stored("\n".join(write_text(record) for record in simulate("taroky", deals=12, seed=3)))
    hands = {deal.pk: unpack(deal.hands).values() for deal in Deal.objects.order_by("-pk")}
    fitting = [pk for pk, dealt in hands.items() if 5 in [hand.tarocks for hand in dealt]]
    limits = [("MOST_HELD", len(fitting) + more) for more in (1, 0, -1, -2)]
    for name, limit in (*limits, ("_MOST_WORDS", 0)):
        monkeypatch.setattr(filters, name, limit)
        assert deals.find_ids(Filters(tarocks=5), EVERYBODY, "stored", 50) == fitting, (name, limit)
        assert deals.find_ids(Filters(tarocks=5, after=fitting[2]), EVERYBODY, "stored", 50) == fitting[:2]
    monkeypatch.undo()
    first = Deal.objects.get(pk=fitting[0])
    first.pk, first.digest = 1, b"1"
    first.save()
    assert 1 in (filters.newest_holding(Hand(5), Filters(game="taroky"), 99) or [])


@pytest.mark.storage
def test_a_part_of_a_text_is_found_as_long_as_the_text_is_there() -> None:
    """The signs of patterns are letters like any other."""
    deal = deal_of(samples.TAROKY.replace("Hlučín club evening", "Hlučín club 100% pagat_x"))
    parts = [("lučín", 1), ("club pag", 1), ("cl", 1), ("zzz", 0), ("pag*", 0), ("[a-z]ub", 0), ("\\", 0)]
    parts += [("0%", 1), ("%p", 0), ("t_x", 1), ("t_", 1), ("_p", 0)]
    for part, number in parts:
        assert number_of(Filters(event=part)) == number_of(Filters(text=part)) == number, part
    Contribution.objects.update(event_search="something else")
    assert not [part for part, _ in parts if number_of(Filters(event=part))]
    deal.deal.delete()
    assert not number_of(Filters(text="something"))


def test_a_deal_is_won_above_0_points_and_lost_below() -> None:
    deal = deal_of(samples.TAROKY).contribution
    for points, won, lost in ((1, 1, 0), (0, 0, 0), (-1, 0, 1)):
        Seat.objects.filter(contribution=deal).update(points=points)
        found = [
            deals.count(Filters(player="Alena", outcome=outcome), EVERYBODY, 9) for outcome in ("won", "lost")
        ]
        assert found == [won, lost], points
