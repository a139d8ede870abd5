"""Figures of players, pairs, clubs and curves lead to the deals behind them. Own gain and loss; years."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Session
from archive.storing import sums
from tests.support import samples
from tests.support.storing import stored

from .conftest import page_at, text_of
from .test_players import ada, play  # noqa: F401
from .test_search import listed

pytestmark = pytest.mark.django_db

Play = Callable[..., object]


@pytest.fixture
def others(ada: Player, play: Play) -> Player:  # noqa: F811
    """The deals of `ada`, two that count for none of the figures, and another Ada with a deal of her own."""
    play("Ada Ben Cleo Dov", "A-", 7, -7, 0, 0, day="2026-04-01")
    Contribution.objects.filter(date="2026-04-01").update(verdict="illegal")
    stored(samples.ANNOTATED.replace("Alena", "Ada"), user=User.objects.create_user("eva"))
    sums.settle()
    return ada


def figures(client: Client, address: str) -> dict[str, int]:
    """The figures of a page that are links, by the query of their links."""
    html = client.get(address).text
    links = re.findall(r'<a[^>]*href="/deals/(\?[^"]*)"[^>]*>\s*(\d+)(?: ×| deals?|&nbsp;%)?\s*</a>', html)
    return {query.replace("&amp;", "&"): int(number) for query, number in links}


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
    pair = f"?player_id={others.pk}&with_player_id={ben.pk}&scored=computed"
    numbers = {
        name: len(listed(client, f"{pair}&relation={name}")) for name in ("partners", "opponents", "alone")
    }
    assert numbers == {"partners": 2, "opponents": 3, "alone": 0}
    assert "Together with: Ben" in text_of(client, f"/deals/{pair}&relation=partners")


def test_an_id_means_one_player_and_a_typed_name_replaces_it(client: Client, others: Player) -> None:
    assert (len(listed(client, "?player=Ada")), len(listed(client, f"?player_id={others.pk}"))) == (7, 6)
    assert "Player: Ada" in text_of(client, f"/deals/?player_id={others.pk}")
    assert len(listed(client, f"?player_id={others.pk}&player=Bořek")) == 1
    for wrong in (
        "player_id=x",
        "player_id=0",
        "with_player_id=99999999999999999999",
        "scored=good",
        "relation=partners",
    ):
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
