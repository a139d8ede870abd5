"""Players and rankings: the page of a player, the leaderboard, a season, and the seating by its places;
figures that lead to the deals behind them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.reading.statistics import Extreme, OnDay, ScoredDeal
from archive.rules import SEED
from archive.shown import ShownDeal
from archive.storing import players, spaces, sums
from replays.clubs.career import results
from tarock.analysis.verify import check
from tests.support import samples
from tests.support.seasons import season
from tests.support.storing import shown, stored

from .conftest import Page, missing, page_at, page_of, text_of
from .test_search import listed

pytestmark = pytest.mark.django_db

Play = Callable[..., ShownDeal]


results_of = partial(results, 1, SEED)


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


def test_two_players_side_by_side(client: Client, ada: Player) -> None:
    ben = Player.objects.get(name="Ben")
    text = profile(client, ada, f"?with={ben.pk}").text
    # Ben was her declarer once (4 and 4) and on her side against Cleo once (2 and 2).
    assert "On one side 2 +6 +6" in text
    # Against him: 10 − 9 + 3, and his − 10 + 3 − 1.
    assert "Against each other 3 +4 −8" in text
    stranger = Player.objects.create(name="Zoe", space=ada.space)
    for nobody in ("x", "999999", str(stranger.pk), "9" * 30, "²"):
        assert "Against each other" not in profile(client, ada, f"?with={nobody}").text


def test_bonuses_are_told_by_their_clauses(client: Client, owner: User) -> None:
    stored(samples.ANNOTATED, user=owner)
    text = profile(client, Player.objects.get(name="Alena")).text
    assert "The Pagat announced 1 × +80 ·" in text
    text = profile(client, Player.objects.get(name="Cyril")).text
    assert "The Pagat announced · 1 × −80" in text


def test_a_stranger_sees_nothing_of_what_is_not_public(client: Client, ada: Player, owner: User) -> None:
    Contribution.objects.exclude(date="2026-02-01").update(visibility="members")
    ben = Player.objects.get(name="Ben")
    text = profile(client, ada, f"?with={ben.pk}").text
    assert missing(text, "Czech Taroky 1 deal +4", "February 2026") == []
    for hidden in ("January", "March", "without a date", "Worst", "Against each other", "+10"):
        assert hidden not in text
    Contribution.objects.update(visibility="unlisted")
    assert client.get(f"/players/{ada.pk}/").status_code == 404
    client.force_login(owner)
    assert "Czech Taroky 5 deals +10" in profile(client, ada).text


def test_the_page_of_a_player_costs_the_same_however_many_deals(
    client: Client, ada: Player, play: Play, django_assert_max_num_queries: Any
) -> None:
    for _ in range(6):
        play("Ada Ben Cleo Dov", "A-", 3, -1, -1, -1)
    with django_assert_max_num_queries(32):
        profile(client, ada, f"?with={Player.objects.get(name='Ben').pk}")


# Strohmanntarock, two players; six deals of a year, four of the next.
RECORDS = samples.simulated("strohmann", 2, 10, seed=3)


@pytest.fixture
def club() -> Space:
    """A club of Ann and Bob, who played ten deals."""
    owner = User.objects.create_user("ann")
    found = spaces.found_club("Stroh Wien", by=owner)
    text = []
    for number, record in enumerate(RECORDS):
        record.players.update(A="Ann", B="Bob")
        record.tags["Date"] = "2025-06-01" if number < 6 else "2026-02-01"
        text.append(samples.as_text([record]))
    stored(*text, user=owner, space=found)
    return found


BOARD = "/leaderboard/?game=strohmann"


def rows(client: Client, address: str = BOARD) -> list[tuple[int, str, int]]:
    answer = client.get(address)
    assert not page_of(answer).unsafe
    return [(row.place, row.name, row.total) for row in answer.context["rows"]]


def total(records: list, seat: str) -> int:
    return sum((check(record).score or {})[seat] for record in records)


def test_points_and_deals_of_all(client: Client, club: Space) -> None:
    points = {"Ann": total(RECORDS, "A"), "Bob": total(RECORDS, "B")}
    first, second = sorted(points, key=lambda name: -points[name])
    assert rows(client) == [(1, first, points[first]), (2, second, points[second])]
    assert missing(text_of(client, BOARD), "Stroh Wien", f"{points[first] / 10:.2f}") == []
    # Points of different games are not added up: without a game, the page ranks that with the most deals.
    assert rows(client, "/leaderboard/") == rows(client)
    # Nobody has 30 deals, but two have 10.
    assert "Players with at least 10 scored deals." in text_of(client, BOARD)


def test_by_period_club_and_least_number(client: Client, club: Space) -> None:
    for query, deals in {
        "period=2025&least=1": 6, "period=2026-02&least=1": 4, "period=2026-03&least=1": 0,
        "period=2025": 6,  # nobody has ten deals
        "period=2025&least=10": 0, "club=STROH": 10, "club=other": 0,
    }.items():  # fmt: skip
        found = client.get(f"{BOARD}&{query}").context["rows"]
        assert [row.deals for row in found] == [deals] * 2 * bool(deals), query
        if query.startswith("period=2026-02"):
            assert {row.total for row in found} == {total(RECORDS[6:], seat) for seat in "AB"}


def test_what_makes_no_sense_is_said(client: Client, club: Space) -> None:
    for query in ("period=soon", "period=2026-13", "least=0", "by=luck", "game=bridge"):
        address = f"/leaderboard/?{query}" if "game" in query else f"{BOARD}&{query}"
        assert 'class="error"' in client.get(address).text, query
        assert rows(client, address) == []


def test_by_mean_or_by_total(client: Client, club: Space) -> None:
    good = max(samples.simulated("strohmann", 2, 40, seed=9), key=lambda record: total([record], "A"))
    good.players.update(A="Cleo", B="Bob")
    stored(samples.as_text([good]), user=User.objects.get(username="ann"), space=club)
    means = [float(row.mean) for row in client.get(f"{BOARD}&least=1").context["rows"]]
    totals = [row[2] for row in rows(client, f"{BOARD}&least=1&by=total")]
    assert (means, totals) == (sorted(means, reverse=True), sorted(totals, reverse=True))
    assert len(totals) == 3


def test_names_places_and_the_own_row(
    client: Client, club: Space, django_assert_max_num_queries: Any
) -> None:
    players.rename(Player.objects.get(name="Ann"), "Anna")
    assert {name for _, name, _ in rows(client)} == {"Anna", "Bob"}, "a player of two names is one"
    Seat.objects.update(points=0)
    assert {row[:2] for row in rows(client)} == {(1, "Anna"), (1, "Bob")}, "equal totals share a place"
    assert "No player has played that many" in text_of(client, f"{BOARD}&least=11")
    user = User.objects.get(username="ann")
    assert 'class="own"' not in client.get(BOARD).text
    players.this_is_me(club.members.get(user=user), Player.objects.get(name="Bob"))
    with django_assert_max_num_queries(3):
        client.get(BOARD)
    client.force_login(user)
    assert client.get(BOARD).text.count('class="own"') == 1


def test_the_table_of_a_season(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/?game=taroky"
    table = [(1, "Cleo", 14), (2, "Ben", 5), (3, "Ada", -5), (4, "Eva", -6), (5, "Dov", -8)]
    assert rows(client, address) == rows(client, address + "&period=2026") == table
    # In all, evenings, deals, a deal, an evening.
    lines = ("1 Cleo +14 3 5 +2.80 +4.67", "5 Dov −8 2 3 −2.67 −4.00")
    assert missing(text_of(client, address), *lines) == []
    winter = rows(client, address + "&date_from=2026-01-01&date_to=2026-02-28")
    assert [row[2] for row in winter] == [14, 8, -8, -14]
    assert rows(client, address + "&date_to=2025-12-31") == []
    for missing_club in ("/clubs/999999/season/", "/clubs/999999/season/season.csv"):
        assert client.get(missing_club).status_code == 404
    page = page_at(client, f"/clubs/{of_club.pk}/")
    assert "1 Cleo +14 3 5 2 Ben +5 3 5 3 Ada −5 3 5 4 Eva −6 1 2 5 Dov −8 2 3" in page.text
    assert f"{address}&period=2026" in page.attributes("href")


def test_best_evenings_say_how_many_are_left_out(client: Client, of_club: Space) -> None:
    text = text_of(client, f"/clubs/{of_club.pk}/season/?game=taroky&best=1&evenings=2")
    assert missing(text, "1 Ben +20 1 of 3 1 +20.00 +20.00", "4 Dov −3 1 of 2 1 −3.00 −3.00") == []
    assert "Eva" not in text
    assert "Only players with at least 2 evenings. Only each player’s best 1 evening counts" in text


def test_the_order_of_a_season_is_chosen(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/?game=taroky&by="
    assert [row[1] for row in rows(client, address + "mean")][-2:] == ["Dov", "Eva"]
    assert [row[1] for row in rows(client, address + "total")][-2:] == ["Eva", "Dov"]
    assert [row[1] for row in rows(client, address + "evening_mean&least=3")] == ["Cleo", "Ben", "Ada", "Dov"]


def test_what_makes_no_sense_of_a_season_is_said(client: Client, of_club: Space) -> None:
    for query in (
        "period=2025", "period=soon", "by=luck", "best=0", "evenings=x", "date_from=31.12.",
        "period=2026&date_from=2026-01-01", "date_from=2026-02-01&date_to=2026-01-01",
    ):  # fmt: skip
        address = f"/clubs/{of_club.pk}/season/?game=taroky&{query}"
        assert 'class="error"' in client.get(address).text, query
        assert rows(client, address) == []
        assert client.get(address.replace("?", "season.csv?")).status_code == 404


def test_the_file_of_a_season(client: Client, of_club: Space) -> None:
    players.rename(Player.objects.get(name="Ben"), "=Ben")
    answer = client.get(f"/clubs/{of_club.pk}/season/season.csv?game=taroky&best=1&least=3")
    assert answer["Content-Disposition"] == f'attachment; filename="season-{of_club.pk}.csv"'
    assert list(csv.reader(io.StringIO(answer.text))) == [
        ["game", "rules", "unit", "place", "player", "club", "evenings", "evenings_left_out", "deals",
         "total", "points_per_deal", "points_per_evening", "stated_deals", "stated_points"],
        ["taroky", "seed", "point", "1", "'=Ben", "Tarok", "1", "2", "1", "20", "20.0", "20.0", "0", "0"],
        ["taroky", "seed", "point", "2", "Ada", "Tarok", "1", "2", "2", "9", "4.5", "9.0", "0", "0"],
        ["taroky", "seed", "point", "3", "Cleo", "Tarok", "1", "2", "2", "6", "3.0", "6.0", "0", "0"],
        ["taroky", "seed", "point", "4", "Dov", "Tarok", "1", "1", "1", "-3", "-3.0", "-3.0", "0", "0"],
    ]  # fmt: skip
    whole = client.get("/leaderboard/leaderboard.csv?least=1").text
    assert whole.count("\r\n") == 6


def test_strangers_see_the_public_season(client: Client, of_club: Space, owner: User) -> None:
    second = Session.objects.get(name="Second night")
    Contribution.objects.filter(session=second).update(visibility="members")
    address = f"/clubs/{of_club.pk}/season/?game=taroky"
    # Without the second evening Ben has −6 − 9.
    for who, total in ((None, -15), (User.objects.create_user("stranger"), -15), (owner, 5)):
        if who:
            client.force_login(who)
        assert ("Ben", total) in [row[1:] for row in rows(client, address)]


def test_ones_own_season_and_the_seating_after_it(client: Client, owner: User) -> None:
    season(spaces.own(owner), owner)
    address, seating = (f"/accounts/season/{page}?game=taroky" for page in ("", "seating/"))
    assert [client.get(page).status_code for page in (address, seating)] == [302, 302]
    client.force_login(owner)
    assert rows(client, address)[0] == (1, "Cleo", 14)
    assert tables(client, seating) == [["Cleo", "Ben", "Ada", "Eva"]]
    assert "/accounts/season/" in page_at(client, "/sessions/").attributes("href")
    client.force_login(User.objects.create_user("other"))
    assert rows(client, address) == []
    assert "Cleo" not in client.get("/accounts/season/season.csv?game=taroky").text


def tables(client: Client, address: str) -> list[list[str]]:
    answer = client.get(address)
    assert not page_of(answer).unsafe
    return [[player.name for player in table] for table, _remark in answer.context["tables"]]


def coming(*absent: str) -> str:
    """The ticked boxes of all players of the first night but these."""
    names = {"Ada", "Ben", "Cleo", "Dov"} - set(absent)
    return "".join(f"&player={player.pk}" for player in Player.objects.filter(name__in=names))


def test_a_seating_by_the_places_of_a_session(client: Client, of_club: Space) -> None:
    address = f"/sessions/{Session.objects.get(name='First night').pk}/seating/"
    # Ada 6, Cleo 5, Dov −5, Ben −6.
    assert tables(client, address) == [["Ada", "Cleo", "Dov", "Ben"]]
    two = f"{address}?tables=2&seats=2{coming()}&order="
    assert tables(client, f"{two}places") == [["Ada", "Cleo"], ["Dov", "Ben"]]
    assert tables(client, f"{two}snake") == [["Ada", "Ben"], ["Cleo", "Dov"]]
    one = f"{address}?tables=1&seats=4&order=places"
    assert tables(client, one + coming("Cleo")) == [["Ada", "Dov", "Ben"]]
    assert "Too few players: this game needs at least 4." in text_of(client, one + coming("Cleo"))
    assert tables(client, one) == []
    assert "Nobody is coming." in text_of(client, one)


def test_a_seating_by_the_places_of_a_season(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/seating/?game=taroky"
    # Cleo 14, Ben 5, Ada −5, Eva −6, Dov −8: one more than there are seats.
    assert tables(client, address) == [["Cleo", "Ben", "Ada", "Eva"]]
    assert "Without a seat: Dov" in text_of(client, address)
    # By the best evening: Ben 20, Ada 9, Cleo 6, Dov −3, Eva −6.
    assert tables(client, f"{address}&best=1") == [["Ben", "Ada", "Cleo", "Dov"]]
    page = page_at(client, f"{address}&best=1")
    # The form keeps the choice of the ranking, and leads back to it.
    assert ("input", {"type": "hidden", "name": "best", "value": "1"}) in page.tags
    assert f"/clubs/{of_club.pk}/season/?game=taroky&best=1" in page.attributes("href")
    links = page_at(client, f"/clubs/{of_club.pk}/season/?game=taroky&best=1")
    assert f"/clubs/{of_club.pk}/season/seating/?game=taroky&best=1" in links.attributes("href")
    answer = client.get(f"/clubs/{of_club.pk}/season/seating/?period=2026&tables=2")
    assert answer["Location"] == f"/clubs/{of_club.pk}/season/?period=2026", "without a game"


def test_what_makes_no_sense_of_a_seating_is_said(client: Client, of_club: Space) -> None:
    for query in (
        "tables=0&seats=4&order=places", "tables=51&seats=4&order=places", "tables=1&seats=9&order=snake",
        "tables=x&seats=4&order=places", "tables=1&seats=4&order=luck", "tables=1",
        "tables=1&seats=4&order=places&player=999999", "tables=1&seats=4&order=places&player=x",
    ):  # fmt: skip
        address = f"/sessions/{Session.objects.get(name='First night').pk}/seating/?{query}"
        assert 'class="error"' in client.get(address).text, query
        assert tables(client, address) == [["Ada", "Cleo", "Dov", "Ben"]]


def test_strangers_find_no_seating_of_hidden_deals(client: Client, of_club: Space, owner: User) -> None:
    Contribution.objects.update(visibility="members")
    first = Session.objects.get(name="First night")
    for who in (None, User.objects.create_user("stranger")):
        if who:
            client.force_login(who)
        assert client.get(f"/sessions/{first.pk}/seating/").status_code == 404
        assert tables(client, f"/clubs/{of_club.pk}/season/seating/?game=taroky") == []
    client.force_login(owner)
    assert len(tables(client, f"/sessions/{first.pk}/seating/")) == 1


# --- figures that are links ---------------------------------------------------------------------------------


@pytest.fixture
def others(ada: Player, play: Play) -> Player:
    """The deals of `ada`, two that count for none of the figures, and another Ada with a deal of her own."""
    play("Ada Ben Cleo Dov", "A-", 7, -7, 0, 0, day="2026-04-01")
    Contribution.objects.filter(date="2026-04-01").update(verdict="illegal")
    stored(samples.ANNOTATED.replace("Alena", "Ada"), user=User.objects.create_user("eva"))
    sums.settle()
    return ada


def figures(client: Client, address: str) -> dict[str, int]:
    """The figures of a page that are links, by the query of their links."""
    html = unescape(client.get(address).text.replace("&nbsp;", " "))
    links = re.findall(r'<a[^>]*href="/deals/(\?[^"]*)"[^>]*>\s*(\d+)(?: ×| deals?| %)?\s*</a>', html)
    return {query: int(number) for query, number in links}


@pytest.fixture
def evening(owner: User) -> Session:
    """Two deals; in the second, Jan plays for Ida."""
    records = samples.simulated("taroky", 4, 2, seed=10)
    tags = {"Date": "2026-05-04", "Session": "Monday"}
    for record, names in zip(records, ("Fay Gil Hal Ida", "Fay Gil Hal Jan"), strict=True):
        players = dict(zip("ABCD", names.split(), strict=True))
        stored(samples.as_text([replace(record, players=players, tags=tags, score=None)]), user=owner)
    sums.settle()
    return Session.objects.get(name="Monday")


def deals_behind(client: Client, query: str) -> int:
    """The number that a link with this query should show: of deals or, of won deals, their percentage."""
    deals = len(listed(client, query))
    every = query.replace("&outcome=won", "")
    return deals if every == query else round(100 * deals / len(listed(client, every)))


def test_each_figure_leads_to_as_many_deals(client: Client, others: Player, evening: Session) -> None:
    ben = Player.objects.get(name="Ben")
    for address in (
        f"/players/{others.pk}/?with={ben.pk}",
        f"/players/{ben.pk}/",
        f"/clubs/{others.space_id}/?season=2026",
        f"/clubs/{others.space_id}/season/?game=taroky",
        "/leaderboard/?game=taroky&least=1",
        f"/sessions/{evening.pk}/",
    ):
        found = figures(client, address)
        assert len(found) >= 4, address
        assert {query: deals_behind(client, query) for query in found} == found


def test_the_pairs_of_two_players(client: Client, others: Player) -> None:
    """Ada and Ben: opponents with Ada declaring thrice, partners once, both against Cleo once."""
    ben = Player.objects.get(name="Ben")
    pair = f"?player_id={others.pk}&with_player_id={ben.pk}&scored=computed&relation="
    numbers = [len(listed(client, f"{pair}{name}")) for name in ("partners", "opponents", "alone")]
    assert numbers == [2, 3, 0]
    assert "Together with: Ben" in text_of(client, f"/deals/{pair}partners")


def test_an_id_means_one_player_and_a_typed_name_replaces_it(client: Client, others: Player) -> None:
    assert (len(listed(client, "?player=Ada")), len(listed(client, f"?player_id={others.pk}"))) == (7, 6)
    assert "Player: Ada" in text_of(client, f"/deals/?player_id={others.pk}")
    assert len(listed(client, f"?player_id={others.pk}&player=Bořek")) == 1
    number = "with_player_id=99999999999999999999"
    for wrong in ("player_id=x", "player_id=0", number, "scored=good", "relation=partners"):
        assert 'role="alert"' in client.get(f"/deals/?{wrong}").text


def test_the_name_of_a_hidden_player_is_not_told(client: Client, others: Player) -> None:
    Contribution.objects.filter(space=others.space).update(visibility="members")
    text = text_of(client, f"/deals/?player_id={others.pk}")
    assert (str(others.pk) in text, "Ada" in text) == (True, False)


def test_deals_by_the_own_gain_or_loss(client: Client, others: Player) -> None:
    def points(order: str) -> list[int]:
        ids = listed(client, f"?player_id={others.pk}&order={order}&scored=computed")
        of_ada = Contribution.objects.filter(seats__player=others)
        seats = dict(of_ada.values_list("deal", "seats__points"))
        return [seats[pk] for pk in ids]

    assert points("gain") == [10, 4, 3, 2, -9]
    assert points("loss") == [-9, 2, 3, 4, 10]
    assert 'class="error' in client.get("/deals/?order=loss").text


def test_points_of_a_curve_are_links(client: Client, others: Player) -> None:
    page = page_at(client, f"/players/{others.pk}/")
    deals = Contribution.objects.filter(seats__player=others, verdict="verified").order_by("played_on", "pk")
    wanted = [f"/deals/{one.key}/" for one in deals]
    assert [href for href in page.attributes("href") if href in wanted][: len(wanted)] == wanted
    assert "Skip the chart" not in page.text  # past five points it would be worth it


def test_years_and_months_to_jump_to(client: Client, others: Player) -> None:
    stored(samples.ANNOTATED.replace("2026-11-20", "2024-05-06"), user=User.objects.create_user("joe"))
    sums.settle()
    page = page_at(client, "/deals/?game=taroky&page=1")
    assert "?game=taroky&date_from=2024-01-01&date_to=2024-12-31" in page.attributes("href")
    of_year = page_at(client, "/deals/?date_from=2026-01-01&date_to=2026-12-31")
    assert "?date_from=2026-02-01&date_to=2026-02-28" in of_year.attributes("href")
    early, late = (Session.objects.get(date=day).pk for day in ("2024-05-06", "2026-11-20"))
    hrefs = page_at(client, "/sessions/?year=2024").attributes("href")
    assert (f"/sessions/{early}/" in hrefs, f"/sessions/{late}/" in hrefs) == (True, False)
