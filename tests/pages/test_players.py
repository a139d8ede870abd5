"""A player's page: what he made in which role, when, by what and with whom; what of it a stranger sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Player, Seat
from archive.reading.statistics import Extreme, OnDay, ScoredDeal
from archive.shown import ShownDeal
from archive.storing import players, spaces
from replays.clubs.career import results
from tests import samples
from tests.pages.conftest import Page
from tests.storing import shown, stored

pytestmark = pytest.mark.django_db

Play = Callable[..., ShownDeal]


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def play(owner: User) -> Play:
    """Stores a deal of four players in a club, its roles and points set by hand: this is about adding up."""
    club = spaces.found_club("Club", by=owner)
    dealt = iter(samples.simulated("taroky", 4, 40, seed=9))

    def played(who: str, roles: str, *points: int, day: str = "2026-01-05") -> ShownDeal:
        players = dict(zip("ABCD", who.split(), strict=True))
        record = replace(next(dealt), players=players, tags={"Date": day} if day else {}, score=None)
        stored(samples.as_text([record]), user=owner, space=club)
        deal = shown(Deal.objects.latest("pk"))
        declarer, partner = (seat if seat != "-" else None for seat in roles)
        Deal.objects.filter(pk=deal.pk).update(declarer=declarer, partner=partner)
        for seat, value in zip("ABCD", points, strict=True):
            Seat.objects.filter(contribution__deal=deal.pk, seat=seat).update(points=value)
        return deal

    return played


@pytest.fixture
def ada(play: Play) -> Player:
    """Ada plays five deals with the same three."""
    play("Ada Ben Cleo Dov", "AC", 10, -10, 10, -10)
    play("Ada Ben Cleo Dov", "A-", -9, 3, 3, 3)
    play("Ben Ada Cleo Dov", "AB", 4, 4, -4, -4, day="2026-02-01")
    play("Ben Ada Cleo Dov", "C-", 2, 2, -6, 2, day="2026-03-07")
    play("Ada Ben Cleo Dov", "A-", 3, -1, -1, -1, day="")
    return Player.objects.get(name="Ada")


def page_of(client: Client, player: Player, more: str = "") -> Page:
    answer = client.get(f"/players/{player.pk}/{more}")
    assert answer.status_code == 200
    page = Page(answer.content.decode())
    assert not page.unsafe
    return page


def test_what_a_player_made_in_each_role(client: Client, ada: Player) -> None:
    text = page_of(client, ada).text
    assert "Czech Taroky 5 deals +10" in text
    # Declarer three times, twice with profit: +10 −9 +3; partner once, opponent once.
    assert "Bidder (vydražitel) 3 67 % +4" in text
    assert "1 100 % +4" in text
    assert "Opponent 1 100 % +2" in text


def test_the_course_of_time_is_told_by_months_with_what_is_not_dated_at_the_end(
    client: Client, ada: Player
) -> None:
    text = page_of(client, ada).text
    for row in (
        "January 2026 2 deals +1 in all +1",
        "February 2026 1 deal +4 in all +5",
        "March 2026 1 deal +2 in all +7",
        "without a date 1 deal +3 in all +10",
    ):
        assert row in text
    assert "Total points from deal to deal, one line per game Best deal" in text


def test_periods_are_days_months_or_years_as_there_are_few_or_many() -> None:
    few = [OnDay("taroky", f"2026-01-0{day}", 1, 1) for day in (1, 2, 3)]
    assert [period.name for period in results(few).periods] == [
        "1 January 2026",
        "2 January 2026",
        "3 January 2026",
    ]
    many = [OnDay("taroky", f"{2000 + n // 12}-{n % 12 + 1:02}-01", 1, 1) for n in range(72)]
    assert len(results(many[:60]).periods) == 60
    made = results(many)
    assert [period.name for period in made.periods] == ["2000", "2001", "2002", "2003", "2004", "2005"]
    assert [period.made[0].total for period in made.periods if period.made[0]] == [12, 24, 36, 48, 60, 72]
    assert results([]).periods == []
    # An unknown month is no January, and an unknown day no first.
    days = [OnDay("taroky", day, 1, 1) for day in ("2026-??-??", "2026-01-??", "2026-01-09", "2026-02-01")]
    assert [(period.name, period.made[0].deals) for period in results(days).periods if period.made[0]] == [
        ("2026", 1), ("January 2026", 2), ("February 2026", 1),
    ]  # fmt: skip
    undated = results([OnDay("taroky", "", 2, 5)])
    assert undated.chart is None
    assert [period.name for period in undated.periods] == [""]


def _deal(contribution: int, day: str) -> ShownDeal:
    described = Contribution(pk=contribution, date=day)
    described.is_readable = True
    return ShownDeal(Deal(pk=1, game="taroky"), described)


def test_a_curve_goes_by_deals_days_or_months_as_there_are_few_or_many() -> None:
    """A deal a day for 4 points. Four deals have a step each, so has each of a hundred days, and of 303 days
    the ten months have one."""
    best = Extreme(_deal(2, "2026-01-02"), 4)
    days = [
        OnDay("taroky", (date(2026, 1, 1) + timedelta(days=n)).isoformat(), 1, 4 if n % 2 else -1)
        for n in range(303)
    ]
    deals = [ScoredDeal(n, day.game, day.points) for n, day in enumerate(days[:4], 1)]
    drawn = results(days[:4], deals, [best])
    assert drawn.by_deals
    assert drawn.chart is not None
    assert [tick.text for tick in drawn.chart.across] == ["1", "2", "3", "4"]
    # -1, 3, 2, 6: the best deal is the second one.
    (curve,) = drawn.chart.curves
    points = [pair.split(",") for pair in curve.path.split()]
    assert [len(points), curve.last] == [5, 6]
    assert drawn.chart.mark is not None
    assert (str(drawn.chart.mark.x), str(drawn.chart.mark.y)) == tuple(points[2])
    by_days, by_months = results(days[:100], (), [best]).wide, results(days, (), [best]).wide
    assert by_days is not None
    assert by_months is not None
    assert [len(chart.curves[0].path.split()) for chart in (by_days, by_months)] == [101, 11]
    assert [chart.across[0].text for chart in (by_days, by_months)] == ["2026-01-01", "2026-01"]
    assert [chart.mark and chart.mark.points for chart in (by_days, by_months)] == [4, 4]
    undated = results(days, (), [Extreme(_deal(3, ""), 4)]).chart
    assert undated is not None
    assert undated.mark is None


def test_two_players_side_by_side(client: Client, ada: Player) -> None:
    ben = Player.objects.get(name="Ben")
    text = page_of(client, ada, f"?with={ben.pk}").text
    # Ben was her declarer once (4 and 4) and on her side against Cleo once (2 and 2).
    assert "On one side 2 +6 +6" in text
    # Against him: 10 − 9 + 3, and his − 10 + 3 − 1.
    assert "Against each other 3 +4 −8" in text
    stranger = Player.objects.create(name="Zoe", space=ada.space)
    for nobody in ("x", "999999", str(stranger.pk), "9" * 30, "²"):
        assert "Against each other" not in page_of(client, ada, f"?with={nobody}").text


def test_the_best_and_the_worst_deals_lead_to_them(client: Client, ada: Player) -> None:
    page = page_of(client, ada)
    best = Deal.objects.earliest("pk")
    assert f"/deals/{best.pk}/" in page.attributes("href")
    assert "Best +10 Czech Taroky" in page.text
    assert "Worst −9 Czech Taroky" in page.text


def test_bonuses_are_told_by_their_clauses(client: Client, owner: User) -> None:
    stored(samples.ANNOTATED, user=owner)
    text = page_of(client, Player.objects.get(name="Alena")).text
    assert "The Pagat announced Czech Taroky 1 × +80 ·" in text
    text = page_of(client, Player.objects.get(name="Cyril")).text
    assert "The Pagat announced Czech Taroky · 1 × −80" in text


def test_two_names_of_one_player_are_one(client: Client, ada: Player, play: Play) -> None:
    play("Adele Ben Cleo Dov", "A-", 30, -10, -10, -10, day="2026-03-08")
    players.merge(Player.objects.get(name="Adele"), ada)
    text = page_of(client, ada, f"?with={Player.objects.get(name='Ben').pk}").text
    assert "March 2026 2 deals +32 in all +37" in text
    assert "Best +30" in text
    assert "Against each other 4 +34 −18" in text


def test_a_stranger_sees_nothing_of_what_is_not_public(client: Client, ada: Player, owner: User) -> None:
    Contribution.objects.exclude(date="2026-02-01").update(visibility="members")
    ben = Player.objects.get(name="Ben")
    text = page_of(client, ada, f"?with={ben.pk}").text
    assert "Czech Taroky 1 deal +4" in text
    assert "February 2026" in text
    for hidden in ("January", "March", "without a date", "Worst", "Against each other", "+10"):
        assert hidden not in text
    Contribution.objects.update(visibility="unlisted")
    assert client.get(f"/players/{ada.pk}/").status_code == 404
    client.force_login(owner)
    assert "Czech Taroky 5 deals +10" in page_of(client, ada).text


def test_the_page_of_a_player_costs_the_same_however_many_deals(
    client: Client, ada: Player, play: Play, django_assert_max_num_queries
) -> None:
    for _ in range(6):
        play("Ada Ben Cleo Dov", "A-", 3, -1, -1, -1)
    with django_assert_max_num_queries(32):
        page_of(client, ada, f"?with={Player.objects.get(name='Ben').pk}")
