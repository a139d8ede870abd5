"""A season's table: places by points in all, a deal, an evening; least numbers; the best evenings alone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from archive.access import Viewer
from archive.models import Contribution, Player, Seat, Session, Space
from archive.reading.filters import Filters
from archive.reading.scores import Choice, player_scores, standings
from archive.storing import players, spaces
from tarock.games import GAMES
from tests.seasons import season

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def club(ada: Any) -> Space:
    club = spaces.found_club("Tarok", by=ada)
    season(club, ada)
    return club


def rows(*args: Any) -> list[tuple[int, str, int, int, int, int]]:
    return [
        (one.place, one.name, one.total, one.deals, one.evenings, one.left_out)
        for one in player_scores(Filters(), Viewer(), Choice(*args))
    ]


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
    by_deal = player_scores(choice=Choice("mean"))
    # Dov has −8 of 3 deals, Eva −6 of 2.
    assert [one.name for one in by_deal] == ["Cleo", "Ben", "Ada", "Dov", "Eva"]
    assert [one.mean for one in by_deal] == [2.8, 1.0, -1.0, pytest.approx(-2.6667, abs=1e-4), -3.0]
    by_evening = player_scores(choice=Choice("evening_mean"))
    assert [one.name for one in by_evening] == ["Cleo", "Ben", "Ada", "Dov", "Eva"]
    assert [round(one.evening_mean, 4) for one in by_evening] == [4.6667, 1.6667, -1.6667, -4.0, -6.0]


def test_players_with_enough_deals_or_evenings(club: Space) -> None:
    assert [row[1] for row in rows("total", 3)] == ["Cleo", "Ben", "Ada", "Dov"]
    assert [row[1] for row in rows("total", 4)] == ["Cleo", "Ben", "Ada"]
    assert [row[1] for row in rows("total", 1, 2)] == ["Cleo", "Ben", "Ada", "Dov"]
    assert rows("total", 6) == []


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


@pytest.mark.parametrize("by", ["total", "mean", "evening_mean"])
def test_equal_values_share_a_place_and_go_by_name(club: Space, by: str) -> None:
    Seat.objects.update(points=2)
    Seat.objects.filter(player__name="Eva").update(points=1)
    found = player_scores(choice=Choice(by, least_deals=4, best=1), language="cs")
    if by == "mean":
        assert [(one.place, one.name) for one in found] == [(1, "Ada"), (1, "Ben"), (1, "Cleo")]
    assert [one.place for one in found] == [1, 1, 1]
    assert [one.place for one in player_scores(choice=Choice("mean"))] == [1, 1, 1, 1, 5]


def test_names_go_as_a_reader_sorts_them(club: Space) -> None:
    Seat.objects.update(points=0)
    for old, new in (("Ada", "Čeněk"), ("Ben", "Cyril"), ("Cleo", "Chrudoš"), ("Dov", "Dana")):
        players.rename(Player.objects.get(name=old), new)
    names = [one.name for one in player_scores(language="cs")]
    assert names == ["Cyril", "Čeněk", "Dana", "Eva", "Chrudoš"]
    assert [one.name for one in player_scores(language="en")] == ["Čeněk", "Chrudoš", "Cyril", "Dana", "Eva"]


def test_deals_without_session_and_day_are_one_evening(club: Space) -> None:
    Contribution.objects.update(session=None, played_on=None)
    assert {(one.name, one.evenings) for one in player_scores()} == {
        (name, 1) for name in ("Ada", "Ben", "Cleo", "Dov", "Eva")
    }


def test_a_season_goes_from_day_to_day(club: Space, ada: Any) -> None:
    found = player_scores(Filters(date_from=date(2026, 1, 1), date_to=date(2026, 2, 28)))
    # Ada 6 − 20, Ben −6 + 20, Cleo 5 + 3, Dov −5 − 3.
    assert [(one.name, one.total) for one in found] == [("Ben", 14), ("Cleo", 8), ("Dov", -8), ("Ada", -14)]
    assert [one.total for one in standings(club, season=2026)] == [14, 5, -5, -6, -8]
    assert standings(club, season=2025) == []


def test_what_members_alone_see_counts_for_them_alone(club: Space, ada: Any) -> None:
    second = Session.objects.get(name="Second night")
    Contribution.objects.filter(session=second).update(visibility="members")
    ben = {one.name: (one.evenings, one.total) for one in player_scores()}["Ben"]
    assert ben == (2, -15)
    member = Viewer(ada.pk, roles={club.pk: "owner"})
    assert {one.name: one.evenings for one in player_scores(viewer=member)}["Ben"] == 3


def test_points_of_two_games_have_places_of_their_own(club: Space) -> None:
    first = Session.objects.get(name="First night")
    for contribution in Contribution.objects.filter(session=first):
        type(contribution.deal).objects.filter(pk=contribution.deal_id).update(game="grosstarock")
    found = [(one.game, one.place, one.name, one.total) for one in player_scores()]
    assert found == [
        ("grosstarock", 1, "Ada", 6),
        ("grosstarock", 2, "Cleo", 5),
        ("grosstarock", 3, "Dov", -5),
        ("grosstarock", 4, "Ben", -6),
        ("taroky", 1, "Ben", 11),
        ("taroky", 2, "Cleo", 9),
        ("taroky", 3, "Dov", -3),
        ("taroky", 4, "Eva", -6),
        ("taroky", 5, "Ada", -11),
    ]
