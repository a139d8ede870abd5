"""Identity of sessions, sheets and players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.reading import scores
from archive.reading.filters import Filters
from archive.reading.players import alike_in, find_players, persons_at
from archive.reading.sessions import find_sessions, same_named, session_table
from archive.reading.uploads import results_of
from archive.shown import ShownDeal
from archive.storing import corrections, feed, players, spaces
from archive.storing.contribution_data import NotStorable
from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import simulate
from tarock.notation import read_one, write_text
from tests.support import samples, settling
from tests.support.storing import deal_of, deals, outcomes, shown, stored

pytestmark = pytest.mark.django_db

RESI_AND_POLDI = ("Resi", "Poldi")
FOUR = ("Alfa", "Beta", "Gama", "Delta")


TAGS = {"Session": "Stammtisch", "Date": "2026-09-01", "Deal": "1"}


def sheet(
    game: str = "strohmann", names: Sequence[str] = RESI_AND_POLDI, points: int = 40, **tags: str
) -> str:
    """A sheet: in Strohmanntarock an undeclared game, in Taroky a First Duty of A with D."""
    said = dict(zip("ABCD", names, strict=False)) | {"Dealer": "A"} | TAGS | tags
    lines = {
        "strohmann": f"sheet contract undeclared\nsheet points A {points}\n",
        "taroky": f"sheet contract first\nsheet bidder A\nsheet partner D\nsheet points bidder {points}\n",
    }
    written = "".join(f'[{name} "{value}"]\n' for name, value in said.items() if value or name in "ABCD")
    return f'[TGN "1"]\n[Game "{game}"]\n{written}\n{lines[game]}'


def played(game: str = "strohmann", names: Sequence[str] = RESI_AND_POLDI, seed: int = 1, **tags: str) -> str:
    (record,) = simulate(game, deals=1, seed=seed, players=len(names))
    tags = {name: value for name, value in (TAGS | tags).items() if value}
    return write_text(replace(record, players=dict(zip(record.players, names, strict=True)), tags=tags))


def visible() -> list[tuple[str, str]]:
    """Kind and game of the deals in lists."""
    return sorted((deal.kind, deal.game) for deal in deals())


def test_a_session_is_its_space_name_and_date() -> None:
    dates = ("2026-09-01", "2026-09-08", "2026-09-??", "2026-??-??", "")
    for date in dates:
        stored(sheet(Date=date), sheet(Date=date, Deal="2"))
    assert sorted(Session.objects.values_list("name", "date")) == sorted(("Stammtisch", d) for d in dates)
    assert all(len(session_table(one).rows) == 2 for one in Session.objects.all())
    club = Space.objects.create(kind="club", name="Kotva")
    stored(sheet(), space=club)
    assert Session.objects.count() == len(dates) + 1


def test_unicode_form_and_blanks_make_no_other_session() -> None:
    names = ["U\u0301terni\u0301 klub", "Úterní\u00a0klub", " Úterní  klub", "Úterní\u2003klub"]
    sheets = [sheet(Session=name, Deal=str(n)) for n, name in enumerate(["Úterní klub", *names], 1)]
    assert outcomes(stored(*sheets)) == ["stored"] * 5
    assert Session.objects.get().name == "Úterní klub"


def test_a_filter_by_name_finds_all_dates_and_a_session_its_own() -> None:
    stored(sheet(), sheet(Date="2026-09-08"), sheet(Date="", Deal="2"), sheet(Session="Other"))
    assert len(deals(Filters(session="stammtisch"))) == 3
    settling.settle()
    first = Session.objects.get(date="2026-09-08")
    assert len(deals(Filters(session=first))) == 1
    assert [one.date for one in same_named(first)] == ["2026-09-01", ""]
    found = [(one.date, one.deal_count) for one in find_sessions() if one.name == "Stammtisch"]
    assert found == [("2026-09-08", 1), ("2026-09-01", 1), ("", 1)], "sessions of one name are apart"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(played(Date="2026-09-08"), id="week"),
        pytest.param(played(Date="2026-09-??"), id="day unknown"),
        pytest.param(played(Date=""), id="no date"),
        pytest.param(played(Deal="2"), id="number"),
        pytest.param(played(Session="Dienstagsrunde"), id="session"),
        pytest.param(played("taroky", FOUR), id="game"),
        pytest.param(played(names=("Alfa", "Beta")), id="players"),
    ],
)
@pytest.mark.parametrize("cards_first", [False, True])
def test_cards_of_another_deal_never_cover_a_sheet(other: str, cards_first: bool) -> None:
    for text in (other, sheet()) if cards_first else (sheet(), other):
        (result,) = results_of(stored(text))
        assert (result.outcome, result.differs) == ("stored", ())
    assert len(visible()) == 2
    # Both deals count for Resi, where she played both.
    settling.settle()
    resi = [row for row in scores.player_scores() if row.name == "Resi"]
    assert [row.deals for row in resi] == [2 if "Resi" in other else 1]


def test_cards_cover_the_sheet_of_the_same_session_game_number_and_players() -> None:
    stored(sheet(names=("Poldi", "Resi")), played())
    assert visible() == [("played", "strohmann")]
    cards = read_one(played(Deal="2", seed=2))
    of_cards = sheet_of(cards)
    assert of_cards is not None
    stored(write_text(cards))
    (result,) = results_of(stored(write_text(of_cards)))
    assert (result.outcome, result.differs) == ("stored", ()), "a sheet that agrees differs in nothing"
    assert visible() == [("played", "strohmann")] * 2


@pytest.mark.parametrize("texts", [(sheet(), played()), (played(), sheet())])
def test_where_sheet_and_cards_differ_in_the_score_the_answer_says_so(texts: tuple[str, str]) -> None:
    stored(texts[0])
    (result,) = results_of(stored(texts[1]))
    assert (result.outcome, result.differs, result.conflict) == ("stored", ("sheet",), "score")


def test_where_only_some_players_are_the_same_both_count_until_they_are_corrected_or_merged() -> None:
    stored(sheet("taroky", FOUR))
    (result,) = results_of(stored(played("taroky", ("Alfa", "Beta", "Gama", "Dleta"))))
    assert (result.outcome, result.differs, result.conflict) == ("stored", ("players",), "players")
    assert visible() == [("played", "taroky"), ("sheet", "taroky")]
    # The name is corrected: now they are one deal.
    cards = Contribution.objects.get(deal__kind="played")
    corrections.correct(cards, read_one(played("taroky", FOUR)), by=None)
    assert visible() == [("played", "taroky")]
    misspelt = ("Alfa", "Beta", "Gama", "D.")
    stored(sheet("taroky", FOUR, Deal="2"), played("taroky", misspelt, Deal="2", seed=2))
    assert len(visible()) == 3
    players.merge(player("D."), player("Delta"))
    assert len(visible()) == 2
    players.unmerge(player("D."))
    assert len(visible()) == 3


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def test_sheets_without_a_player_in_common_are_from_different_tables() -> None:
    tables = [sheet(names=pair) for pair in (RESI_AND_POLDI, ("Anna", "Otto"), ("Ida", "Max"))]
    assert (outcomes(stored(*tables)), outcomes(stored(*tables))) == (["stored"] * 3, ["known"] * 3)
    assert outcomes(stored(*reversed(tables))) == ["known"] * 3
    # Games have their own numbers.
    taroky = sheet("taroky", FOUR), sheet("taroky", (*RESI_AND_POLDI, "C", "D"))
    assert (outcomes(stored(*taroky)), Deal.objects.count()) == (["stored"] * 2, 5)
    # One player in common: the sheet of that table, with other players.
    (result,) = results_of(stored(sheet(names=("Otto", "Emil"))))
    assert (result.outcome, result.differs, result.conflict) == ("known", ("players",), "details")


@pytest.mark.parametrize("names", [("?", "?"), ("", ""), ("N.N.", "NN"), ("Jan", "Jan"), ("Jan", "?")])
def test_a_sheet_with_unknown_players_is_known_again(names: tuple[str, str]) -> None:
    assert outcomes(stored(sheet(names=names))) == ["stored"]
    assert outcomes(stored(sheet(names=names))) == ["known"]


def test_a_corrected_sheet_keeps_its_digest_and_finds_its_place() -> None:
    deal, moved = deal_of(sheet()), sheet(Date="2026-09-08", Deal="9", points=50)
    digest = bytes(deal.deal.digest)
    corrections.correct(deal.contribution, read_one(moved), by=None)
    assert bytes(Deal.objects.get().digest) == digest
    assert outcomes(stored(moved, sheet())) == ["known", "stored"]
    with pytest.raises(corrections.PlaceTaken):
        corrections.correct(shown(Deal.objects.get(pk=deal.pk)).contribution, read_one(sheet()), by=None)


def test_every_order_of_sending_gives_the_same_deals() -> None:
    texts = [sheet(), sheet(Date="2026-09-08"), sheet(names=("Anna", "Otto"))]
    texts += [played(), played("taroky", FOUR)]
    found = set()
    for order in list(permutations(texts))[::7]:
        Contribution.objects.all().delete()
        Deal.objects.all().delete()
        stored(*order)
        found.add(tuple(visible()))
    sheets = [("sheet", "strohmann")] * 2
    assert found == {(("played", "strohmann"), ("played", "taroky"), *sheets)}


def test_a_sheet_moves_to_a_club_and_from_a_guest_by_the_same_rule(ada) -> None:
    own, guest = spaces.own(ada), spaces.guest()
    stored(sheet(points=50), space=own)
    of_guest = sheet(names=("Anna", "Otto")), sheet(Date="2026-09-08")
    stored(sheet(), *of_guest, space=guest)
    spaces.adopt(guest, own, by=ada)
    assert (Deal.objects.count(), Session.objects.filter(space=own).count()) == (3, 2)
    assert outcomes(stored(*of_guest, space=own)) == ["known"] * 2


def test_unicode_form_and_blanks_make_no_other_player() -> None:
    names = [
        "Hana I\u0301lova\u0301",
        "Hana\u00a0Ílová",
        "Hana  Ílová",
        "Hana\u2003Ílová",
        " Hana Ílová\u200b",
    ]
    rest = ("Ben", "Cyd", "Dov")
    stored(*(samples.dealt(n, players=(name, *rest)) for n, name in enumerate(["Hana Ílová", *names])))
    settling.settle()
    assert [player.name for player in find_players()] == ["Ben", "Cyd", "Dov", "Hana Ílová"]
    again = stored(*(samples.dealt(0, players=(name, *rest)) for name in names))
    assert {(result.outcome, result.differs) for result in results_of(again)} == {("known", ())}


def test_names_that_look_alike_are_proposed_and_never_joined() -> None:
    names = ("Jan Novák", "jan novák", "Novák Jan", "Jan Novak.")
    space = stored(samples.dealt(1, players=names)).space
    assert Player.objects.count() == 4
    (group,) = alike_in(space, persons_at([Deal.objects.get().pk], space.pk))
    assert {player.name for player in group} == set(names)
    assert alike_in(space, []) == []


@pytest.mark.parametrize("name", ["", "?", "-", "N.N.", "nn", "Unknown", "Unbekannt", "Neznámý", "不明"])
def test_a_name_of_nobody_is_no_player(name: str) -> None:
    deal = deal_of(samples.TAROKY.replace('"Alena"', f'"{name}"'))
    settling.settle()
    assert sorted(player.name for player in find_players()) == ["Bořek", "Cyril", "Dana"]
    assert Player.objects.count() == 3
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril", "Dana"}
    assert (deals(Filters(player=name or "?")), deal.record.players["A"]) == ([], name)
    table = session_table(Session.objects.get())
    assert (len(table.players), table.rows[0].names) == (3, {"A": name})


def test_of_one_name_at_two_seats_neither_counts_until_it_is_corrected() -> None:
    twice = samples.TAROKY.replace('"Alena"', '"Jan Novák"').replace('"Dana"', '"Jan\u00a0Novák"')
    (result,) = results_of(stored(twice))
    assert (result.outcome, result.verdict) == ("stored", "verified")
    assert [(one.reason, one.values["name"]) for one in result.findings] == [("same-name", "Jan Novák")]
    settling.settle()
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril"}
    assert not deals(Filters(player="Jan Novák"))
    contribution = Contribution.objects.get()
    assert contribution.record(read_one(Deal.objects.get().text)).players["D"] == "Jan Novák"
    corrected = read_one(twice.replace('"Jan\u00a0Novák"', '"Jan Novák sen."'))
    corrections.correct(contribution, corrected, by=None)
    settling.settle()
    points = {"Bořek": -105, "Cyril": -105, "Jan Novák": 105, "Jan Novák sen.": 105}
    assert {row.name: row.total for row in scores.player_scores()} == points
    corrections.correct(Contribution.objects.get(), read_one(twice), by=None)
    settling.settle()
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril"}


def four_with(number: int, *names: str, **how: Any) -> ShownDeal:
    return deal_of(samples.dealt(number, players=(*names, "Ben", "Cyd", "Dov")[:4]), **how)


def test_two_names_of_one_person_at_a_table_count_for_nobody(ada) -> None:
    """Also where a guest sent the deal, and signs in."""
    own, guest = spaces.own(ada), spaces.guest()
    for number, name in enumerate(("Ada", "Adele")):
        four_with(number, name, space=own)
    players.merge(player("Adele"), player("Ada"))
    deal = four_with(3, "Ada", "Adele", space=own)
    assert [seat.person is None for seat in deal.seats] == [True, True, False, False]
    deal, alone = four_with(4, "Ada", "Adele", space=guest), four_with(5, "Ada", space=guest)
    spaces.adopt(guest, own, by=ada)
    assert Seat.objects.get(contribution__deal=alone.pk, seat="A").player == player("Ada")
    seats = Seat.objects.filter(contribution__deal=deal.pk).order_by("seat")
    found = [(seat.player and seat.player.name, seat.name) for seat in seats]
    assert found == [(None, "Ada"), (None, "Ada"), ("Ben", ""), ("Cyd", "")]


def test_a_pseudonym_hides_a_name_that_two_seats_have() -> None:
    four_with(1, "Ada")
    four_with(2, "Ada", "Ada")
    players.set_pseudonym(player("Ada"), "Queen")
    for number in (3, 4):
        assert set(Seat.objects.filter(player=None).values_list("name", flat=True)) == {"Queen"}
        four_with(number, "Ada", "Ada")
    # Other names of the person are hidden, too, and another pseudonym is that of no other space.
    four_with(5, "Adele")
    seats = Seat.objects.filter(contribution__deal=four_with(6, "Adele", "Adele").pk, player=None)
    others = Seat.objects.filter(contribution__deal=four_with(7, "Queen", "Queen", space=spaces.guest()).pk)
    players.merge(player("Adele"), player("Ada"))
    seats |= Seat.objects.filter(contribution__deal=four_with(8, "Ada", "Adele").pk, player=None)
    assert set(seats.values_list("name", flat=True)) >= {"Queen"}
    latest = feed.latest()
    players.set_pseudonym(player("Ada"), "King")
    assert set(seats.values_list("name", flat=True)) == {"King"}
    assert set(others.filter(player=None).values_list("name", flat=True)) == {"Queen"}
    assert len(feed.changes(latest).entries) == 7


def test_a_date_that_cant_be_true_is_refused_with_the_likely_one() -> None:
    dates = ["9999-12-31", "2206-11-01", "2999-??-??", "1699-12-31", "0026-11-01"]
    for source in ("page", "api", "evening"):
        upload = stored(*(sheet(Date=date) for date in dates), source=source)
        for date, result in zip(dates, results_of(upload), strict=True):
            (finding,) = result.findings
            assert (result.outcome, finding.values["suggestion"][4:]) == ("refused", date[4:]), date
            assert finding.reason == ("date-too-late" if date[0] in "29" else "date-too-early"), date
    assert not Deal.objects.exists()


def test_what_the_operator_loads_is_stored_with_any_date_and_sorted_as_undated() -> None:
    stored(sheet(Date="2206-11-01"), source="cli")
    contribution = Contribution.objects.get()
    assert (contribution.date, contribution.played_on) == ("2206-11-01", None)
    stored(sheet(Date="2026-09-01", Session="Now"))
    settling.settle()
    assert [one.name for one in find_sessions()] == ["Now", "Stammtisch"]
    # A correction of something else keeps the date; none sets such a date.
    corrections.correct(contribution, read_one(sheet(Date="2206-11-01", points=50)), by=None)
    corrections.change_session(contribution.session, name="Then", by=None)
    assert {one.session.name for one in Contribution.objects.all()} == {"Now", "Then"}
    with pytest.raises(NotStorable):
        corrections.correct(Contribution.objects.all()[0], read_one(sheet(Date="2207-11-01")), by=None)
