"""Rankings: the leaderboard, the table of a season, and the seating by its places."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Seat, Session, Space
from archive.storing import players, spaces
from tarock.analysis.verify import check
from tests.support import samples, settling
from tests.support.seasons import season
from tests.support.storing import stored

from .conftest import browser_of, missing, page_at, page_of, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


# Strohmanntarock, two players; six deals of a year, four of the next.
RECORDS = samples.simulated("strohmann", 2, 10, seed=3)


@pytest.fixture(scope="module")
def club(stored_once: None) -> Space:
    """A club of Ann and Bob, who played ten deals."""
    owner = User.objects.create_user("ann")
    found = spaces.found_club("Stroh Wien", by=owner)
    text = []
    for number, record in enumerate(RECORDS):
        record.players.update(A="Ann", B="Bob")
        record.tags["Date"] = "2025-06-01" if number < 6 else "2026-02-01"
        text.append(samples.as_text([record]))
    stored(*text, user=owner, space=found)
    settling.settle()
    return found


@pytest.fixture(scope="module")
def of_club(stored_once: None) -> Space:
    """Another club, with the deals of a season."""
    owner = User.objects.create_user("owner")
    found = spaces.found_club("Tarok", by=owner)
    season(found, owner)
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


def test_what_makes_no_sense_is_said(client: Client, club: Space, of_club: Space) -> None:
    season, seating = f"/clubs/{of_club.pk}/season/?game=taroky&", f"{seating_of_first()}?"
    for address, queries in {
        "/leaderboard/?": ["game=bridge"],
        f"{BOARD}&": ["period=soon", "period=2026-13", "least=0", "by=luck"],
        season: ["period=2025", "period=soon", "by=luck", "best=0", "evenings=x", "date_from=31.12.",
                 "period=2026&date_from=2026-01-01", "date_from=2026-02-01&date_to=2026-01-01"],
        seating: ["tables=0&seats=4&order=places", "tables=51&seats=4&order=places", "tables=1",
                  "tables=1&seats=9&order=snake", "tables=x&seats=4&order=places",
                  "tables=1&seats=4&order=luck", "tables=1&seats=4&order=places&player=999999",
                  "tables=1&seats=4&order=places&player=x"],
    }.items():  # fmt: skip
        for query in queries:
            assert 'class="error"' in client.get(f"{address}{query}").text, query
            if address == seating:
                assert tables(client, f"{address}{query}") == [["Ada", "Cleo", "Dov", "Ben"]]
            else:
                assert rows(client, f"{address}{query}") == []
            if address == season:
                file = f"{address}{query}".replace("?", "season.csv?")
                assert client.get(file).status_code == 404


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
    whole = client.get("/leaderboard/leaderboard.csv?game=taroky&least=1").text
    assert whole.count("\r\n") == 6


def test_strangers_see_the_public_season_and_find_no_seating_of_hidden_deals(
    client: Client, of_club: Space
) -> None:
    second = Session.objects.get(name="Second night")
    Contribution.objects.filter(session=second).update(visibility="members")
    address = f"/clubs/{of_club.pk}/season/?game=taroky"
    stranger, owner = User.objects.create_user("stranger"), User.objects.get(username="owner")
    # Without the second evening Ben has −6 − 9.
    for who, total in ((None, -15), (stranger, -15), (owner, 5)):
        if who:
            client.force_login(who)
        assert ("Ben", total) in [row[1:] for row in rows(client, address)]
    Contribution.objects.update(visibility="members")
    for browser in (Client(), browser_of(stranger)):
        assert browser.get(seating_of_first()).status_code == 404
        assert tables(browser, address.replace("?", "seating/?")) == []
    assert len(tables(client, seating_of_first())) == 1


def test_ones_own_season_and_the_seating_after_it(client: Client) -> None:
    owner = User.objects.create_user("dan")
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


def seating_of_first() -> str:
    return f"/sessions/{Session.objects.get(name='First night').pk}/seating/"


def coming(*absent: str) -> str:
    """The ticked boxes of all players of the first night but these."""
    names = {"Ada", "Ben", "Cleo", "Dov"} - set(absent)
    return "".join(f"&player={player.pk}" for player in Player.objects.filter(name__in=names))


def test_a_seating_by_the_places_of_a_session(client: Client, of_club: Space) -> None:
    address = seating_of_first()
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
