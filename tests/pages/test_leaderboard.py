"""The leaderboard, and the notation page."""

from __future__ import annotations

from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from archive.models import Player, Seat, Space
from archive.storing import players, spaces
from replays.language import words
from tarock.analysis.verify import check
from tarock.notation import read
from tests import samples
from tests.storing import stored

from .conftest import Page, text_of

pytestmark = pytest.mark.django_db

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


def rows(client: Client, query: str = "?game=strohmann") -> list[tuple[str, int, int]]:
    """Place and name, deals and total of each row."""
    answer = client.get(f"/leaderboard/{query}")
    assert answer.status_code == 200
    return [(f"{row.place} {row.name}", row.deals, row.total) for row in answer.context["rows"]]


def total(records: list, seat: str) -> int:
    return sum((check(record).score or {})[seat] for record in records)


def test_points_and_deals_of_all(client: Client, club: Space) -> None:
    points = {"Ann": total(RECORDS, "A"), "Bob": total(RECORDS, "B")}
    first, second = sorted(points, key=lambda name: -points[name])
    assert rows(client) == [(f"1 {first}", 10, points[first]), (f"2 {second}", 10, points[second])]
    page = Page(client.get("/leaderboard/?game=strohmann").content.decode())
    assert "Stroh Wien" in page.text
    assert f"{points[first] / 10:.2f}" in page.text


def test_points_of_different_games_are_not_added_up(client: Client, club: Space) -> None:
    """Without a game nobody is ranked; the page offers the games, and keeps the other filters."""
    assert rows(client, "?period=2025&least=1") == []
    links = Page(client.get("/leaderboard/?period=2025&least=1").content.decode()).attributes("href")
    assert "?game=strohmann&period=2025&least=1" in links


def test_by_period_club_game_and_least_number(client: Client, club: Space) -> None:
    assert {row[1] for row in rows(client, "?period=2025&least=1&game=strohmann")} == {6}
    assert {row[1:] for row in rows(client, "?period=2026-02&least=1&game=strohmann")} == {
        (4, total(RECORDS[6:], "A")),
        (4, total(RECORDS[6:], "B")),
    }
    assert rows(client, "?period=2026-03&least=1&game=strohmann") == []
    assert rows(client, "?period=2025&game=strohmann") == [], "ten deals at least by default"
    assert len(rows(client, "?club=STROH&game=strohmann")) == 2
    assert rows(client, "?club=other&game=strohmann") == []
    assert len(rows(client, "?game=strohmann")) == 2
    assert rows(client, "?game=troggu") == []
    assert "No player has played that many" in text_of(client, "/leaderboard/?least=11&game=strohmann")


@pytest.mark.parametrize("query", ["period=soon", "period=2026-13", "least=0", "by=luck", "game=bridge"])
def test_what_makes_no_sense_is_said(client: Client, club: Space, query: str) -> None:
    query = f"?{query}" if "game" in query else f"?game=strohmann&{query}"
    assert 'class="error"' in client.get(f"/leaderboard/{query}").content.decode()
    assert rows(client, query) == []


def test_by_mean_or_by_total(client: Client, club: Space) -> None:
    record = samples.simulated("strohmann", 2, 40, seed=9)
    (good,) = [r for r in record if total([r], "A") == max(total([r], "A") for r in record)][:1]
    good.players.update(A="Cleo", B="Bob")
    owner = User.objects.get(username="ann")
    stored(samples.as_text([good]), user=owner, space=club)
    means = [float(row.mean) for row in client.get("/leaderboard/?least=1&game=strohmann").context["rows"]]
    totals = [row[2] for row in rows(client, "?least=1&by=total&game=strohmann")]
    assert means == sorted(means, reverse=True)
    assert totals == sorted(totals, reverse=True)
    assert len(totals) == 3


def test_points_a_deal_have_their_sign() -> None:
    assert [words.mean(points) for points in (27.818, -50, -0.001)] == ["+27.82", "−50.00", "0.00"]
    with translation.override("cs"):
        assert words.mean(-87.272) == "−87,27"


def test_a_player_of_two_names_is_one(client: Client, club: Space) -> None:
    players.rename(Player.objects.get(name="Ann"), "Anna")
    assert {row[0][2:] for row in rows(client)} == {"Anna", "Bob"}


def test_equal_totals_share_a_place(client: Client, club: Space) -> None:
    Seat.objects.update(points=0)
    assert {row[0] for row in rows(client)} == {"1 Ann", "1 Bob"}


def test_ones_own_row_is_marked(client: Client, club: Space) -> None:
    user = User.objects.get(username="ann")
    assert 'class="own"' not in client.get("/leaderboard/?game=strohmann").content.decode()
    players.this_is_me(club.members.get(user=user), Player.objects.get(name="Bob"))
    client.force_login(user)
    html = client.get("/leaderboard/?game=strohmann").content.decode()
    assert html.count('class="own"') == 1


def test_it_costs_few_queries(client: Client, club: Space, django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(3):
        client.get("/leaderboard/?game=strohmann")


# --- notation -------------------------------------------------------------------------------------------


def test_the_notation_and_an_example_of_each_game(client: Client) -> None:
    html = client.get("/notation/").content.decode()
    page = Page(html)
    assert not page.unsafe
    assert {"example-strohmann", "example-taroky", "example-troggu", "example-grosstarock"} <= set(
        page.attributes("id")
    )
    texts = html.split("<textarea")[1:]
    assert len(texts) == 4
    for text in texts:
        (entry,) = read(unescape(text.partition(">")[2].partition("</textarea>")[0]))
        assert entry.record is not None
    assert "The text form" in page.text
    targets = set(page.attributes("id"))
    inner = {link[1:] for link in page.attributes("href") if link.startswith("#")}
    assert inner <= targets


def test_the_notation_is_led_to_where_one_needs_it(client: Client) -> None:
    def links(html: str) -> list[str]:
        return Page(html.partition("<footer")[0]).attributes("href")

    assert "/notation/" in links(client.get("/upload/").content.decode())
    answer = client.post("/upload/", {"text": samples.DEALT_TWICE}, follow=True)
    assert "/notation/" in links(answer.content.decode())
