"""Tables of points of a season that is worked out by hand: places, ties, the best evenings, and who sees
what."""

from __future__ import annotations

from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models import Sum

from archive.access import Viewer
from archive.models import Cell, Contribution, Figure, Player, Seat, Session, Space, Tally, Total
from archive.reading import statistics
from archive.reading.filters import Filters
from archive.reading.scores import ORDERS, Choice, player_scores, standings
from archive.storing import players, spaces, sums, sums_check
from tarock.games import GAMES
from tests.support import settling
from tests.support.seasons import season

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club(stored_once: None) -> Space:
    """A club with a season, stored once for all tests of this module."""
    owner = User.objects.create_user("owner")
    club = spaces.found_club("Tarok", by=owner)
    season(club, owner)
    return club


def rows(*args: Any) -> list[tuple[int, str, int, int, int, int]]:
    return [
        (one.place, one.name, one.total, one.deals, one.evenings, one.left_out)
        for one in player_scores(Filters(), Viewer(), Choice(*args))
    ]


@pytest.mark.storage
def test_points_in_all(club: Space, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(len(GAMES)):
        found = rows()
    assert found == [
        (1, "Cleo", 14, 5, 3, 0),
        (2, "Ben", 5, 5, 3, 0),
        (3, "Ada", -5, 5, 3, 0),
        (4, "Eva", -6, 2, 1, 0),
        (5, "Dov", -8, 3, 2, 0),
    ]


def test_points_a_deal_and_an_evening(club: Space) -> None:
    # Dov has −8 of 3 deals, Eva −6 of 2.
    for by, field, values in (
        ("mean", "mean", [2.8, 1.0, -1.0, -2.6667, -3.0]),
        ("evening_mean", "evening_mean", [4.6667, 1.6667, -1.6667, -4.0, -6.0]),
    ):
        found = player_scores(choice=Choice(by))
        assert [one.name for one in found] == ["Cleo", "Ben", "Ada", "Dov", "Eva"]
        assert [round(getattr(one, field), 4) for one in found] == values


def test_players_with_enough_deals_or_evenings(club: Space) -> None:
    four = ["Cleo", "Ben", "Ada", "Dov"]
    for least, names in (((3,), four), ((4,), four[:3]), ((1, 2), four), ((6,), [])):
        assert [row[1] for row in rows("total", *least)] == names


@pytest.mark.storage
def test_the_best_evenings_alone(club: Space) -> None:
    assert rows("total", 1, 1, 1) == [
        (1, "Ben", 20, 1, 1, 2),
        (2, "Ada", 9, 2, 1, 2),
        (3, "Cleo", 6, 2, 1, 2),
        (4, "Dov", -3, 1, 1, 1),
        (5, "Eva", -6, 2, 1, 0),
    ]
    # Ada 9 + 6, Ben 20 − 6, Cleo 6 + 5; Dov had no more than two.
    assert rows("total", 1, 1, 2) == [
        (1, "Ada", 15, 4, 2, 1),
        (2, "Ben", 14, 3, 2, 1),
        (3, "Cleo", 11, 4, 2, 1),
        (4, "Eva", -6, 2, 1, 0),
        (5, "Dov", -8, 3, 2, 0),
    ]
    # The ranked players follow from all their deals, not from those that count.
    assert [row[1] for row in rows("total", 4, 3, 1)] == ["Ben", "Ada", "Cleo"]


@pytest.mark.storage
def test_equal_values_share_a_place_and_go_by_name(club: Space) -> None:
    Seat.objects.update(points=2)
    Seat.objects.filter(player__name="Eva").update(points=1)
    settling.settle()
    for by in ("total", "mean", "evening_mean"):
        found = player_scores(choice=Choice(by, least_deals=4, best=1), language="cs")
        assert [one.place for one in found] == [1, 1, 1], by
        assert by != "mean" or [one.name for one in found] == ["Ada", "Ben", "Cleo"]
    assert [one.place for one in player_scores(choice=Choice("mean"))] == [1, 1, 1, 1, 5]


def test_names_go_as_a_reader_sorts_them(club: Space) -> None:
    Seat.objects.update(points=0)
    for old, new in (("Ada", "Čeněk"), ("Ben", "Cyril"), ("Cleo", "Chrudoš"), ("Dov", "Dana")):
        players.rename(Player.objects.get(name=old), new)
    settling.settle()
    names = [one.name for one in player_scores(language="cs")]
    assert names == ["Cyril", "Čeněk", "Dana", "Eva", "Chrudoš"]
    assert [one.name for one in player_scores(language="en")] == ["Čeněk", "Chrudoš", "Cyril", "Dana", "Eva"]


def test_deals_without_session_and_day_are_one_evening(club: Space) -> None:
    Contribution.objects.update(session=None, played_on=None)
    settling.settle()
    found = {(one.name, one.evenings) for one in player_scores()}
    assert found == {(name, 1) for name in ("Ada", "Ben", "Cleo", "Dov", "Eva")}


def test_a_season_goes_from_day_to_day(club: Space) -> None:
    found = player_scores(Filters(date_from=date(2026, 1, 1), date_to=date(2026, 2, 28)))
    # Ada 6 − 20, Ben −6 + 20, Cleo 5 + 3, Dov −5 − 3.
    assert [(one.name, one.total) for one in found] == [("Ben", 14), ("Cleo", 8), ("Dov", -8), ("Ada", -14)]
    assert [one.total for one in standings(club, season=2026)] == [14, 5, -5, -6, -8]
    assert standings(club, season=2025) == []
    assert [*standings(Space.objects.create(kind="own")), *player_scores(Filters(club="other"))] == []
    # A day known in part is in a period that has all days it can be.
    nights = Contribution.objects.filter(session__isnull=False)
    for day, parts, last, beyond in (
        (date(2026, 2, 1), "2026-02-??", date(2026, 2, 28), date(2026, 2, 27)),
        (date(2026, 1, 1), "2026-??-??", date(2026, 12, 31), date(2026, 12, 30)),
    ):
        nights.update(played_on=day, date=parts)
        settling.settle()
        for first in (None, day):
            for end, evenings in ((last, 2 + (last.month == 12)), (beyond, int(last.month == 12))):
                for more in ({}, {"seats": 4}):
                    found = player_scores(Filters(date_from=first, date_to=end, **more))
                    assert {one.name: one.evenings for one in found}.get("Ben", 0) == evenings, (end, more)
    assert [one.evenings for one in standings(club, season=2026) if one.name == "Ben"] == [3]
    for first in (date(2026, 1, 2), date(2026, 2, 1)):
        found = player_scores(Filters(date_from=first, date_to=date(2026, 12, 31)))
        assert [one.evenings for one in found if one.name == "Ben"] == [1]


@pytest.mark.storage
def test_rankings_from_totals_cells_and_seats_agree_and_have_what_the_viewer_may_see(
    club: Space,
) -> None:
    Contribution.objects.filter(session__name="Second night").update(visibility="members")
    settling.settle()
    stranger, member = Viewer(roles={0: "member"}), Viewer(roles={club.pk: "member"})
    for viewer, figures in ((Viewer(), (2, -15)), (stranger, (2, -15)), (member, (3, 5))):
        assert {one.name: (one.evenings, one.total) for one in player_scores(viewer=viewer)}["Ben"] == figures
        for by in ORDERS:
            choice, dated = Choice(by), {"date_from": date(1, 1, 2)}
            whole = player_scores(viewer=viewer, choice=choice)
            assert player_scores(Filters(seats=4), viewer, choice) == whole
            all_days = player_scores(Filters(**dated, date_to=date.max), viewer, choice)
            assert all_days == player_scores(Filters(seats=4, **dated), viewer, choice)
            for start in range(len(whole)):
                window = slice(start, start + 2)
                assert player_scores(viewer=viewer, choice=choice, window=window) == whole[window]
    year = {"date_from": date(2026, 1, 1), "date_to": date(2026, 12, 31)}
    assert player_scores(Filters(**year)) == player_scores(Filters(seats=4, **year))


def test_a_search_has_the_points_of_its_latest_deals(club: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, is_partial in ((5, False), (4, True)):
        monkeypatch.setattr("archive.reading.scores.MOST", most)
        found = player_scores(Filters(seats=4))
        assert (found.is_partial, max(one.deals for one in found)) == (is_partial, most)


def test_the_best_evenings_of_all_clubs_are_sought_among_the_latest(club: Space, monkeypatch: Any) -> None:
    best, game = Choice(best=1), Filters(game="taroky")
    whole = player_scores(choice=best)
    assert not whole.is_partial
    first = player_scores(choice=best, window=slice(0, 2))
    assert [one.name for one in first] == [one.name for one in whole[:2]]
    monkeypatch.setattr("archive.reading.scores.MOST_EVENINGS", 4)
    last = max(Cell.objects.values_list("played_on", flat=True))
    found = player_scores(game, choice=best)
    assert (found.is_partial, {one.evenings for one in found}) == (True, {1})
    days = Filters(game="taroky", date_from=last, date_to=last)
    assert sorted(one.total for one in found) == sorted(one.total for one in player_scores(days))
    for exact in (Filters(game="taroky", space=club.pk), Filters(game="taroky", club="tar")):
        assert player_scores(exact, choice=best) == whole


@pytest.mark.storage
def test_what_went_by_without_a_mark_is_found_and_mended(club: Space) -> None:
    call_command("statistics", check=True, stdout=StringIO())
    before = player_scores()
    Cell.objects.filter(points__gt=0).update(points=1)
    Total.objects.update(points=0)
    Session.objects.update(public_deals=77)
    Player.objects.update(whole_deals=0)
    Tally.objects.update(number=99)
    assert {kind for kind, _number in sums_check.check()} == {"evening", "player", "deals"}
    with pytest.raises(CommandError, match="sums"):
        call_command("statistics", check=True, stdout=StringIO(), stderr=StringIO())
    assert sum(sums_check.check_slice(date(2026, 1, day)) for day in range(1, 31)) > 0
    sums.settle()
    call_command("statistics", all=True, check=True, stdout=StringIO())
    assert player_scores() == before


@pytest.mark.storage
def test_all_sums_are_recomputed_block_after_block(club: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals, players and sessions in blocks of two: none is left out, and none is counted twice."""
    sizes = {name: Sum(name) for name in ("deals", "seats", "won", "points")}
    of = ("space", "is_public", "game", "rules", "topic", "key", "role")

    def found() -> list[Any]:
        lines = Figure.objects.order_by(*of).values_list(*of).annotate(**sizes)
        return [statistics.count_archive(), player_scores(), [*lines]]

    before = found()
    for model in (Cell, Total, Tally, Figure):
        model.objects.all().delete()
    monkeypatch.setattr(Tally, "BLOCK", 2)
    sums.mark_all()
    sums.settle()
    assert found() == before
    assert Tally.objects.filter(kind="deals").values("block").distinct().count() > 1


def test_points_of_two_games_have_places_of_their_own(club: Space) -> None:
    first = Session.objects.get(name="First night")
    for contribution in Contribution.objects.filter(session=first):
        type(contribution.deal).objects.filter(pk=contribution.deal_id).update(game="grosstarock")
    settling.settle()
    found = [(one.game, one.place, one.name, one.total) for one in player_scores()]
    grosstarock, taroky = [("Ada", 6), ("Cleo", 5), ("Dov", -5), ("Ben", -6)], [("Ben", 11), ("Cleo", 9)]
    taroky += [("Dov", -3), ("Eva", -6), ("Ada", -11)]
    assert found == [
        (game, place, *row)
        for game, rows in (("grosstarock", grosstarock), ("taroky", taroky))
        for place, row in enumerate(rows, start=1)
    ]
    for window in (slice(2, 7), slice(3, 4), slice(2, 5), slice(4, 8)):
        assert [one.total for one in player_scores(window=window)] == [row[-1] for row in found[window]]
    assert statistics.count_archive() == statistics.Counts(
        deals=5, players=5, sessions=2, by_game={"taroky": 3, "grosstarock": 2}, by_verdict={"verified": 5}
    )
    games = [row["rules"].game for row in statistics.by_game(Player.objects.get(name="Ada"))]
    assert games == sorted(games, key=list(GAMES).index) == ["taroky", "grosstarock"]
    # 8 and 12 results of public deals; those of one year don't count twice.
    assert [statistics.games_played(space)[:2] for space in (None, club)] == [["taroky", "grosstarock"]] * 2
    of_game = Total.objects.filter(game="grosstarock")
    for year, first in ((2026, "taroky"), (0, "grosstarock")):
        of_game.filter(year=year).update(all_deals=99)
        assert statistics.games_played(club)[0] == first
    for number, there in ((1, ["taroky", "grosstarock"]), (0, ["taroky"])):
        of_game.update(all_deals=0, deals=0)
        of_game.filter(pk=of_game.filter(year=0)[0].pk).update(all_deals=number)
        assert statistics.games_played(club) == there
    Tally.objects.exclude(game="grosstarock").delete()
    Tally.objects.update(number=1)
    assert statistics.games_played(None)[0] == "grosstarock"
    assert statistics.games_played(Space.objects.create(kind="own")) == list(GAMES)
