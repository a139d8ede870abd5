"""The page of a player, and figures of all pages that lead to the deals behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.reading.statistics import Extreme, OnDay, ScoredDeal
from archive.rules import SEED
from archive.shown import ShownDeal
from archive.storing import spaces, sums
from replays.clubs.career import results
from tests.support import samples
from tests.support.storing import deal_of, stored

from .conftest import Page, missing, page_at, present, text_of
from .test_search import listed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

results_of = partial(results, 1, SEED)


def play(who: str, roles: str, *points: int, day: str = "2026-01-05") -> ShownDeal:
    """Store a deal of four players in the club, its roles and points set by hand: this is about adding up."""
    club = Space.objects.get(name="Club")
    names = dict(zip("ABCD", who.split(), strict=True))
    (record,) = samples.simulated("taroky", 4, seed=100 + club.contributions.count())
    record = replace(record, players=names, tags={"Date": day} if day else {}, score=None)
    deal = deal_of(samples.as_text([record]), user=User.objects.get(username="owner"), space=club)
    declarer, partner = (seat if seat != "-" else None for seat in roles)
    Deal.objects.filter(pk=deal.pk).update(declarer=declarer, partner=partner)
    for seat, value in zip("ABCD", points, strict=True):
        Seat.objects.filter(contribution__deal=deal.pk, seat=seat).update(points=value)
    return deal


@pytest.fixture(scope="module")
def archive(stored_once: None) -> None:
    """For all tests of this module. Five deals of Ada with the same three, two that count for none of the
    figures, and another Ada with a deal of her own. An evening of two deals; in the second, Jan plays for
    Ida."""
    owner = User.objects.create_user("owner")
    spaces.found_club("Club", by=owner)
    play("Ada Ben Cleo Dov", "AC", 10, -10, 10, -10)
    play("Ada Ben Cleo Dov", "A-", -9, 3, 3, 3)
    play("Ben Ada Cleo Dov", "AB", 4, 4, -4, -4, day="2026-02-01")
    play("Ben Ada Cleo Dov", "C-", 2, 2, -6, 2, day="2026-03-07")
    play("Ada Ben Cleo Dov", "A-", 3, -1, -1, -1, day="")
    play("Ada Ben Cleo Dov", "A-", 7, -7, 0, 0, day="2026-04-01")
    Contribution.objects.filter(date="2026-04-01").update(verdict="illegal")
    stored(samples.ANNOTATED.replace("Alena", "Ada"), user=User.objects.create_user("eva"))
    records = samples.simulated("taroky", 4, 2, seed=10)
    tags = {"Date": "2026-05-04", "Session": "Monday"}
    for record, names in zip(records, ("Fay Gil Hal Ida", "Fay Gil Hal Jan"), strict=True):
        players = dict(zip("ABCD", names.split(), strict=True))
        stored(samples.as_text([replace(record, players=players, tags=tags, score=None)]), user=owner)
    sums.settle()


@pytest.fixture
def ada(archive: None) -> Player:
    return Player.objects.get(name="Ada", space__name="Club")


@pytest.fixture
def ben(archive: None) -> Player:
    return Player.objects.get(name="Ben")


def profile(client: Client, player: Player, more: str = "") -> Page:
    found = page_at(client, f"/players/{player.pk}/{more}")
    assert not found.unsafe
    return found


def test_what_a_player_made(client: Client, ada: Player) -> None:
    page = profile(client, ada)
    told = (
        # Declarer three times, twice with profit: +10 −9 +3; partner once, opponent once.
        "Czech Taroky 5 deals +10", "Bidder (vydražitel) 3 67 % +4", "1 100 % +4", "Opponent 1 100 % +2",
        "January 2026 2 deals +1 in all +1", "February 2026 1 deal +4 in all +5",
        "March 2026 1 deal +2 in all +7", "without a date 1 deal +3 in all +10",
        "Total points from deal to deal, one line per game Best deal", "Best +10 Czech Taroky",
        "Worst −9 Czech Taroky",
    )  # fmt: skip
    assert missing(page.text, *told) == []
    assert f"/deals/{Deal.objects.earliest('pk').pk}/" in page.attributes("href")


def test_periods_are_days_months_or_years_as_there_are_few_or_many() -> None:
    few = [OnDay("taroky", f"2026-01-0{day}", 1, 1) for day in (1, 2, 3)]
    assert [name for name, _made in results_of(few).periods] == [f"{day} January 2026" for day in (1, 2, 3)]
    many = [OnDay("taroky", f"{2000 + n // 12}-{n % 12 + 1:02}-01", 1, 1) for n in range(72)]
    assert len(results_of(many[:60]).periods) == 60
    years = [(name, made[0].total) for name, made in results_of(many).periods if made[0]]
    assert years == [(str(2000 + n), 12 * n + 12) for n in range(6)]
    assert results_of([]).periods == []
    # An unknown month is no January, and an unknown day no first.
    days = [OnDay("taroky", day, 1, 1) for day in ("2026-??-??", "2026-01-??", "2026-01-09", "2026-02-01")]
    assert [(name, made[0].deals) for name, made in results_of(days).periods if made[0]] == [
        ("2026", 1), ("January 2026", 2), ("February 2026", 1),
    ]  # fmt: skip
    undated = results_of([OnDay("taroky", "", 2, 5)])
    assert undated.chart is None
    assert [name for name, _made in undated.periods] == [""]


def _deal(contribution: int, day: str) -> ShownDeal:
    described = Contribution(pk=contribution, date=day)
    described.is_readable = True
    return ShownDeal(Deal(pk=1, game="taroky"), described)


def test_a_curve_goes_by_deals_days_or_months_as_there_are_few_or_many() -> None:
    """A deal a day for 4 points. Four deals have a step each, so has each of a hundred days, and of 303 days
    the ten months have one."""
    best = Extreme(_deal(2, "2026-01-02"), 4)
    dates = [(date(2026, 1, 1) + timedelta(days=n)).isoformat() for n in range(303)]
    days = [OnDay("taroky", day, 1, 4 if n % 2 else -1) for n, day in enumerate(dates)]
    deals = [ScoredDeal(n, n, day.game, day.points) for n, day in enumerate(days[:4], 1)]
    drawn = results_of(days[:4], deals, [best])
    assert drawn.by_deals
    assert drawn.chart is not None
    assert [tick.text for tick in drawn.chart.across] == ["1", "2", "3", "4"]
    # -1, 3, 2, 6: the best deal is the second one.
    (curve,) = drawn.chart.curves
    points = [pair.split(",") for pair in curve.path.split()]
    assert [len(points), curve.last] == [5, 6]
    assert drawn.chart.mark is not None
    assert [str(drawn.chart.mark.x), str(drawn.chart.mark.y)] == points[2]
    for some, number, first in ((days[:100], 101, "2026-01-01"), (days, 11, "2026-01")):
        chart = results_of(some, (), [best]).wide
        assert chart is not None
        assert (len(chart.curves[0].path.split()), chart.across[0].text) == (number, first)
        assert chart.mark is not None
        assert chart.mark.points == 4
    undated = results_of(days, (), [Extreme(_deal(3, ""), 4)]).chart
    assert undated is not None
    assert undated.mark is None


def test_two_players_side_by_side(
    client: Client, ada: Player, ben: Player, django_assert_max_num_queries: Any
) -> None:
    """With the same number of queries however many deals."""
    text = profile(client, ada, f"?with={ben.pk}").text
    # Ben was her declarer once (4 and 4) and on her side against Cleo once (2 and 2).
    assert "On one side 2 +6 +6" in text
    # Against him: 10 − 9 + 3, and his − 10 + 3 − 1.
    assert "Against each other 3 +4 −8" in text
    stranger = Player.objects.create(name="Zoe", space=ada.space)
    for nobody in ("x", "999999", str(stranger.pk), "9" * 30, "²"):
        assert "Against each other" not in profile(client, ada, f"?with={nobody}").text
    for _ in range(6):
        play("Ada Ben Cleo Dov", "A-", 3, -1, -1, -1)
    with django_assert_max_num_queries(32):
        profile(client, ada, f"?with={ben.pk}")


def test_bonuses_are_told_by_their_clauses(client: Client, archive: None) -> None:
    for name, bonus in (("Dana", "1 × +80 ·"), ("Cyril", "· 1 × −80")):
        text = profile(client, Player.objects.get(name=name)).text
        assert f"The Pagat announced {bonus}" in text


def test_a_stranger_sees_nothing_of_what_is_not_public(client: Client, ada: Player, ben: Player) -> None:
    Contribution.objects.exclude(date="2026-02-01").update(visibility="members")
    text = profile(client, ada, f"?with={ben.pk}").text
    assert missing(text, "Czech Taroky 1 deal +4", "February 2026") == []
    assert present(text, "January", "March", "without a date", "Worst", "Against each other", "+10") == []
    fay = Player.objects.get(name="Fay").pk
    text = text_of(client, f"/deals/?player_id={fay}")
    assert (str(fay) in text, "Fay" in text) == (True, False), "the name of a hidden player is not told"
    monday = Session.objects.get(name="Monday").pk
    assert "Monday" not in text_of(client, f"/deals/?session_id={monday}"), "nor that of a hidden session"
    client.force_login(User.objects.get(username="owner"))
    assert "Czech Taroky 5 deals +10" in profile(client, ada).text


# --- figures that are links ---------------------------------------------------------------------------------


def figures(client: Client, address: str) -> dict[str, int]:
    """The figures of a page that are links, by the query of their links."""
    html = unescape(client.get(address).text.replace("&nbsp;", " "))
    links = re.findall(r'<a[^>]*href="/deals/(\?[^"]*)"[^>]*>\s*(\d+)(?: ×| deals?| %)?\s*</a>', html)
    return {query: int(number) for query, number in links}


def deals_behind(client: Client, queries: Iterable[str]) -> dict[str, int]:
    """The number that a link with each query should show: of deals or, of won deals, their percentage."""
    count = cache(lambda query: len(listed(client, query)))
    every = {query: query.replace("&outcome=won", "") for query in queries}
    return {
        query: count(query) if all_of == query else round(100 * count(query) / count(all_of))
        for query, all_of in every.items()
    }


def test_each_figure_leads_to_as_many_deals(client: Client, ada: Player, ben: Player) -> None:
    for address in (
        f"/players/{ada.pk}/?with={ben.pk}",
        f"/players/{ben.pk}/",
        f"/clubs/{ada.space_id}/?season=2026",
        f"/clubs/{ada.space_id}/season/?game=taroky",
        "/leaderboard/?game=taroky&least=1",
        f"/sessions/{Session.objects.get(name='Monday').pk}/",
    ):
        found = figures(client, address)
        assert len(found) >= 4, address
        assert deals_behind(client, found) == found


def test_the_pairs_of_two_players(client: Client, ada: Player, ben: Player) -> None:
    """Ada and Ben: opponents with Ada declaring thrice, partners once, both against Cleo once."""
    pair = f"?player_id={ada.pk}&with_player_id={ben.pk}&scored=computed&relation="
    numbers = [len(listed(client, f"{pair}{name}")) for name in ("partners", "opponents", "alone")]
    assert numbers == [2, 3, 0]
    assert "Together with: Ben" in text_of(client, f"/deals/{pair}partners")


def test_an_id_means_one_player_and_a_typed_name_replaces_it(client: Client, ada: Player) -> None:
    assert (len(listed(client, "?player=Ada")), len(listed(client, f"?player_id={ada.pk}"))) == (7, 6)
    assert "Player: Ada" in text_of(client, f"/deals/?player_id={ada.pk}")
    assert len(listed(client, f"?player_id={ada.pk}&player=Bořek")) == 1
    number = "with_player_id=99999999999999999999"
    for wrong in ("player_id=x", "player_id=0", number, "scored=good", "relation=partners"):
        assert 'role="alert"' in client.get(f"/deals/?{wrong}").text


def test_deals_by_the_own_gain_or_loss(client: Client, ada: Player) -> None:
    def points(order: str) -> list[int]:
        ids = listed(client, f"?player_id={ada.pk}&order={order}&scored=computed")
        of_ada = Contribution.objects.filter(seats__player=ada)
        seats = dict(of_ada.values_list("deal", "seats__points"))
        return [seats[pk] for pk in ids]

    assert points("gain") == [10, 4, 3, 2, -9]
    assert points("loss") == [-9, 2, 3, 4, 10]
    assert 'class="error' in client.get("/deals/?order=loss").text


def test_points_of_a_curve_are_links(client: Client, ada: Player) -> None:
    page = page_at(client, f"/players/{ada.pk}/")
    deals = Contribution.objects.filter(seats__player=ada, verdict="verified").order_by("played_on", "pk")
    wanted = [f"/deals/{one.key}/" for one in deals]
    assert [href for href in page.attributes("href") if href in wanted][: len(wanted)] == wanted
    assert "Skip the chart" not in page.text  # past five points it would be worth it


def test_years_and_months_to_jump_to(client: Client, ada: Player) -> None:
    stored(samples.ANNOTATED.replace("2026-11-20", "2024-05-06"), user=User.objects.create_user("joe"))
    sums.settle()
    page = page_at(client, "/deals/?game=taroky&page=1")
    assert "?game=taroky&date_from=2024-01-01&date_to=2024-12-31" in page.attributes("href")
    of_year = page_at(client, "/deals/?date_from=2026-01-01&date_to=2026-12-31")
    assert "?date_from=2026-02-01&date_to=2026-02-28" in of_year.attributes("href")
    early, late = (Session.objects.get(date=day).pk for day in ("2024-05-06", "2026-11-20"))
    hrefs = page_at(client, "/sessions/?year=2024").attributes("href")
    assert (f"/sessions/{early}/" in hrefs, f"/sessions/{late}/" in hrefs) == (True, False)
