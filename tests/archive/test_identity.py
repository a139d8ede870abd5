"""Identity of sessions, sheets and players."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.reading import scores
from archive.reading.filters import Filters
from archive.reading.players import alike_in, find_players, persons_at
from archive.reading.sessions import find_sessions, same_named, session_table
from archive.reading.uploads import results_of
from archive.storing import corrections, players, spaces
from archive.storing.contribution_data import NotStorable
from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import simulate
from tarock.notation import read_one, write_text
from tests import samples
from tests.storing import deal_of, deals, outcomes, shown, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

RESI_AND_POLDI = ("Resi", "Poldi")
FOUR = ("Alfa", "Beta", "Gama", "Delta")


def sheet(
    game: str = "strohmann",
    names: tuple[str, ...] = RESI_AND_POLDI,
    date: str = "2026-09-01",
    session: str = "Stammtisch",
    number: int = 1,
    points: int = 40,
) -> str:
    """A sheet: in Strohmanntarock an undeclared game, in Taroky a First Duty of A with D."""
    tags = "".join(f'[{seat} "{name}"]\n' for seat, name in zip("ABCD", names, strict=False))
    when = f'[Date "{date}"]\n' if date else ""
    lines = {
        "strohmann": f"sheet contract undeclared\nsheet points A {points}\n",
        "taroky": f"sheet contract first\nsheet bidder A\nsheet partner D\nsheet points bidder {points}\n",
    }
    return (
        f'[TGN "1"]\n[Game "{game}"]\n{tags}[Dealer "A"]\n{when}[Session "{session}"]\n[Deal "{number}"]\n\n'
        + lines[game]
    )


def played(
    game: str = "strohmann",
    names: tuple[str, ...] = RESI_AND_POLDI,
    date: str = "2026-09-01",
    session: str = "Stammtisch",
    number: int = 1,
    seed: int = 1,
) -> str:
    (record,) = simulate(game, deals=1, seed=seed, players=len(names))
    tags = {"Session": session, "Date": date, "Deal": str(number)}
    return write_text(
        replace(
            record,
            players=dict(zip(record.players, names, strict=True)),
            tags={name: value for name, value in tags.items() if value},
        )
    )


def visible() -> list[tuple[str, str]]:
    """Kind and game of the deals in lists."""
    return sorted((deal.kind, deal.game) for deal in deals())


# --- sessions -----------------------------------------------------------------------------------------------


def test_a_session_is_its_space_name_and_date() -> None:
    dates = ("2026-09-01", "2026-09-08", "2026-09-??", "2026-??-??", "")
    for date in dates:
        stored(sheet(date=date), sheet(date=date, number=2))
    assert sorted(Session.objects.values_list("name", "date")) == sorted(("Stammtisch", d) for d in dates)
    assert all(len(session_table(one).rows) == 2 for one in Session.objects.all())
    club = Space.objects.create(kind="club", name="Kotva")
    stored(sheet(), space=club)
    assert Session.objects.count() == len(dates) + 1


@pytest.mark.parametrize(
    "name",
    ["Úterní klub", "U\u0301terni\u0301 klub", "Úterní\u00a0klub", " Úterní  klub", "Úterní\u2003klub"],
)
def test_unicode_form_and_blanks_make_no_other_session(name: str) -> None:
    stored(sheet(session="Úterní klub"), sheet(session=name, number=2))
    assert Session.objects.get().name == "Úterní klub"


def test_a_filter_by_name_finds_all_dates_and_a_session_its_own() -> None:
    stored(sheet(), sheet(date="2026-09-08"), sheet(date="", number=2), sheet(session="Other"))
    assert len(deals(Filters(session="stammtisch"))) == 3
    first = Session.objects.get(date="2026-09-08")
    assert len(deals(Filters(session=first))) == 1
    assert [one.date for one in same_named(first)] == ["2026-09-01", ""]


def test_sessions_of_one_name_are_apart_in_lists() -> None:
    stored(sheet(), sheet(date="2026-09-08"))
    assert [(one.date, one.deal_count) for one in find_sessions()] == [("2026-09-08", 1), ("2026-09-01", 1)]


# --- sheets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        played(date="2026-09-08"),
        played(date="2026-09-??"),
        played(date=""),
        played(number=2),
        played(session="Dienstagsrunde"),
        played("taroky", FOUR),
        played(names=("Alfa", "Beta")),
    ],
    ids=["week", "day unknown", "no date", "number", "session", "game", "players"],
)
@pytest.mark.parametrize("cards_first", [False, True])
def test_cards_of_another_deal_never_cover_a_sheet(other: str, cards_first: bool) -> None:
    for text in (other, sheet()) if cards_first else (sheet(), other):
        upload = stored(text)
        (result,) = results_of(upload)
        assert (result.outcome, result.differs) == ("stored", ())
    assert len(visible()) == 2
    # Both deals count for Resi, where she played both.
    resi = [row for row in scores.player_scores() if row.name == "Resi"]
    assert [row.deals for row in resi] == [2 if "Resi" in other else 1]


def test_cards_cover_the_sheet_of_the_same_session_game_number_and_players() -> None:
    stored(sheet(names=("Poldi", "Resi")), played())
    assert visible() == [("played", "strohmann")]


def test_where_sheet_and_cards_differ_in_the_score_the_answer_says_so() -> None:
    stored(sheet(points=40))
    (result,) = results_of(stored(played()))
    assert (result.outcome, result.differs, result.conflict) == ("stored", ("sheet",), "score")
    Contribution.objects.all().delete()
    Deal.objects.all().delete()
    stored(played())
    (result,) = results_of(stored(sheet(points=40)))
    assert (result.outcome, result.differs, result.conflict) == ("stored", ("sheet",), "score")


def test_a_sheet_that_agrees_with_the_cards_differs_in_nothing() -> None:
    cards = read_one(played())
    of_cards = sheet_of(cards)
    assert of_cards is not None
    stored(write_text(cards))
    (result,) = results_of(stored(write_text(of_cards)))
    assert (result.outcome, result.differs) == ("stored", ())
    assert visible() == [("played", "strohmann")]


def test_where_only_some_players_are_the_same_both_count_and_the_answer_says_so() -> None:
    stored(sheet("taroky", FOUR))
    (result,) = results_of(stored(played("taroky", ("Alfa", "Beta", "Gama", "Dleta"))))
    assert (result.outcome, result.differs, result.conflict) == ("stored", ("players",), "players")
    assert visible() == [("played", "taroky"), ("sheet", "taroky")]
    # The name is corrected: now they are one deal.
    cards = Contribution.objects.get(deal__kind="played")
    corrections.correct(cards, read_one(played("taroky", FOUR)), by=None)
    assert visible() == [("played", "taroky")]


def test_a_merge_of_players_makes_sheet_and_cards_one_deal() -> None:
    stored(sheet("taroky", FOUR), played("taroky", ("Alfa", "Beta", "Gama", "D.")))
    assert len(visible()) == 2
    players.merge(Player.objects.get(name="D."), Player.objects.get(name="Delta"))
    assert visible() == [("played", "taroky")]
    players.unmerge(Player.objects.get(name="D."))
    assert len(visible()) == 2


def test_sheets_without_a_player_in_common_are_from_different_tables() -> None:
    tables = [sheet(names=pair) for pair in (RESI_AND_POLDI, ("Anna", "Otto"), ("Ida", "Max"))]
    assert outcomes(stored(*tables)) == ["stored"] * 3
    assert outcomes(stored(*tables)) == ["known"] * 3
    assert outcomes(stored(*reversed(tables))) == ["known"] * 3
    assert Deal.objects.count() == 3
    # One player in common: the sheet of that table, with other players.
    (result,) = results_of(stored(sheet(names=("Otto", "Emil"))))
    assert (result.outcome, result.differs, result.conflict) == ("known", ("players",), "details")


@pytest.mark.parametrize("names", [("?", "?"), ("", ""), ("N.N.", "NN"), ("Jan", "Jan"), ("Jan", "?")])
def test_a_sheet_with_unknown_players_is_known_again(names: tuple[str, str]) -> None:
    assert outcomes(stored(sheet(names=names))) == ["stored"]
    assert outcomes(stored(sheet(names=names))) == ["known"]


def test_games_have_their_own_numbers() -> None:
    assert outcomes(stored(sheet(), sheet("taroky", FOUR), sheet("taroky", (*RESI_AND_POLDI, "C", "D")))) == [
        "stored",
        "stored",
        "stored",
    ]


def test_a_corrected_sheet_keeps_its_digest_and_finds_its_place() -> None:
    deal = deal_of(sheet())
    digest = bytes(deal.deal.digest)
    corrections.correct(deal.contribution, read_one(sheet(date="2026-09-08", points=50)), by=None)
    assert bytes(Deal.objects.get().digest) == digest
    assert outcomes(stored(sheet(date="2026-09-08", points=50))) == ["known"]
    assert outcomes(stored(sheet())) == ["stored"]
    with pytest.raises(corrections.PlaceTaken):
        corrections.correct(shown(Deal.objects.get(pk=deal.pk)).contribution, read_one(sheet()), by=None)


def test_every_order_of_sending_gives_the_same_deals() -> None:
    texts = (
        sheet(),
        sheet(date="2026-09-08"),
        played(),
        played("taroky", FOUR),
        sheet(names=("Anna", "Otto")),
    )
    found = set()
    for order in list(permutations(texts))[::7]:
        Contribution.objects.all().delete()
        Deal.objects.all().delete()
        stored(*order)
        found.add(tuple(visible()))
    assert found == {
        (("played", "strohmann"), ("played", "taroky"), ("sheet", "strohmann"), ("sheet", "strohmann"))
    }


def test_a_sheet_moves_to_a_club_and_from_a_guest_by_the_same_rule(django_user_model: type) -> None:
    user = django_user_model.objects.create_user("hana")  # type: ignore[attr-defined]
    own, guest = spaces.own(user), spaces.guest()
    stored(sheet(), space=own)
    stored(sheet(), sheet(names=("Anna", "Otto")), sheet(date="2026-09-08"), space=guest)
    spaces.adopt(guest, own, by=user)
    assert Deal.objects.count() == 3
    assert Session.objects.filter(space=own).count() == 2
    assert (
        outcomes(stored(sheet(names=("Anna", "Otto")), sheet(date="2026-09-08"), space=own)) == ["known"] * 2
    )


# --- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Hana I\u0301lova\u0301", "Hana\u00a0Ílová", "Hana  Ílová", "Hana\tÍlová", " Hana Ílová\u200b"]
)
def test_unicode_form_and_blanks_make_no_other_player(name: str) -> None:
    stored(samples.dealt(1, players=("Hana Ílová", "Ben", "Cyd", "Dov")))
    name = name.replace("\t", "\u2003")
    stored(samples.dealt(2, players=(name, "Ben", "Cyd", "Dov")))
    assert [player.name for player in find_players()] == ["Ben", "Cyd", "Dov", "Hana Ílová"]
    again = stored(samples.dealt(1, players=(name, "Ben", "Cyd", "Dov")))
    assert again.parts.get().items.get().differs == ""


def test_names_that_look_alike_are_proposed_and_never_joined() -> None:
    names = ("Jan Novák", "jan novák", "Novák Jan", "Jan Novak.")
    upload = stored(samples.dealt(1, players=names))
    space = upload.space
    assert Player.objects.count() == 4
    deal = Deal.objects.get()
    (group,) = alike_in(space, persons_at([deal.pk], space.pk))
    assert {player.name for player in group} == set(names)
    assert alike_in(space, []) == []


@pytest.mark.parametrize("name", ["", "?", "-", "N.N.", "nn", "Unknown", "Unbekannt", "Neznámý", "不明"])
def test_a_name_of_nobody_is_no_player(name: str) -> None:
    deal = deal_of(samples.TAROKY.replace('"Alena"', f'"{name}"'))
    assert sorted(player.name for player in find_players()) == ["Bořek", "Cyril", "Dana"]
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril", "Dana"}
    assert deals(Filters(player=name or "?")) == []
    assert deal.record.players["A"] == name
    table = session_table(Session.objects.get())
    assert len(table.players) == 3
    assert table.rows[0].names == {"A": name}


def test_of_one_name_at_two_seats_neither_counts_until_it_is_corrected() -> None:
    twice = samples.TAROKY.replace('"Alena"', '"Jan Novák"').replace('"Dana"', '"Jan\u00a0Novák"')
    upload = stored(twice)
    (result,) = results_of(upload)
    assert (result.outcome, result.verdict) == ("stored", "verified")
    assert [(one.reason, one.values["name"]) for one in result.findings] == [("same-name", "Jan Novák")]
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril"}
    contribution = Contribution.objects.get()
    assert contribution.record(read_one(Deal.objects.get().text)).players["D"] == "Jan Novák"
    corrected = read_one(twice.replace('"Jan\u00a0Novák"', '"Jan Novák sen."'))
    corrections.correct(contribution, corrected, by=None)
    assert {row.name: row.total for row in scores.player_scores()} == {
        "Bořek": -105,
        "Cyril": -105,
        "Jan Novák": 105,
        "Jan Novák sen.": 105,
    }
    corrections.correct(Contribution.objects.get(), read_one(twice), by=None)
    assert {row.name for row in scores.player_scores()} == {"Bořek", "Cyril"}


def test_two_names_of_one_person_at_a_table_count_for_nobody() -> None:
    stored(samples.dealt(1, players=("Ada", "Ben", "Cyd", "Dov")))
    stored(samples.dealt(2, players=("Adele", "Ben", "Cyd", "Dov")))
    players.merge(Player.objects.get(name="Adele"), Player.objects.get(name="Ada"))
    deal = deal_of(samples.dealt(3, players=("Ada", "Adele", "Cyd", "Dov")))
    assert [seat.person is None for seat in deal.seats] == [True, True, False, False]


def test_a_guests_deal_with_two_names_of_one_person_counts_for_nobody(django_user_model: type) -> None:
    user = django_user_model.objects.create_user("hana")  # type: ignore[attr-defined]
    own, guest = spaces.own(user), spaces.guest()
    stored(samples.dealt(1, players=("Ada", "Ben", "Cyd", "Dov")), space=own)
    stored(samples.dealt(2, players=("Adele", "Ben", "Cyd", "Dov")), space=own)
    players.merge(Player.objects.get(name="Adele"), Player.objects.get(name="Ada"))
    deal = deal_of(samples.dealt(3, players=("Ada", "Adele", "Cyd", "Dov")), space=guest)
    spaces.adopt(guest, own, by=user)
    seats = Seat.objects.filter(contribution__deal=deal.pk).order_by("seat")
    assert [(seat.player and seat.player.name, seat.name) for seat in seats] == [
        *((None, "Ada"), (None, "Ada")),
        *(("Cyd", ""), ("Dov", "")),
    ]


def test_a_pseudonym_hides_a_name_that_two_seats_have() -> None:
    stored(samples.dealt(1, players=("Ada", "Ben", "Cyd", "Dov")))
    stored(samples.dealt(2, players=("Ada", "Ada", "Cyd", "Dov")))
    players.set_pseudonym(Player.objects.get(name="Ada"), "Queen")
    assert set(Seat.objects.filter(player=None).values_list("name", flat=True)) == {"Queen"}
    stored(samples.dealt(3, players=("Ada", "Ada", "Cyd", "Dov")))
    assert set(Seat.objects.filter(player=None).values_list("name", flat=True)) == {"Queen"}


# --- dates --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("date", ["9999-12-31", "2206-11-01", "2999-??-??", "1699-12-31", "0026-11-01"])
@pytest.mark.parametrize("source", ["page", "api", "evening"])
def test_a_date_that_cant_be_true_is_refused_with_the_likely_one(date: str, source: str) -> None:
    (result,) = results_of(stored(sheet(date=date), source=source))
    assert result.outcome == "refused"
    (finding,) = result.findings
    assert finding.reason in ("date-too-late", "date-too-early")
    assert finding.values["suggestion"][4:] == date[4:]
    assert not Deal.objects.exists()


def test_what_the_operator_loads_is_stored_with_any_date_and_sorted_as_undated() -> None:
    stored(sheet(date="2206-11-01"), source="cli")
    contribution = Contribution.objects.get()
    assert (contribution.date, contribution.played_on) == ("2206-11-01", None)
    stored(sheet(date="2026-09-01", session="Now"))
    assert [one.name for one in find_sessions()] == ["Now", "Stammtisch"]
    # A correction of something else keeps the date; none sets such a date.
    corrections.correct(contribution, read_one(sheet(date="2206-11-01", points=50)), by=None)
    with pytest.raises(NotStorable):
        corrections.correct(Contribution.objects.all()[0], read_one(sheet(date="2207-11-01")), by=None)
