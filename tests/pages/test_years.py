"""A year of a user, for them alone, and a year of a club on one sheet, for its members."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.access import viewer
from archive.models import Contribution, Deal, HindsightSpan, Member, Player, Seat, Space
from archive.reading import years
from archive.storing import hindsight, players, queue, spaces
from tarock.analysis import hindsight as engine
from tests.support import samples, settling
from tests.support.storing import deals_of

from .conftest import browser_of, missing, page_at, page_of, present, text_of
from .test_players import deals_behind, figures
from .test_search import listed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

NAMES = {"taroky": ("Ada", "Ben", "Cleo", "Dov"), "grosstarock": ("Ben", "Eva", "Ada")}
PAGATS = {"taroky.pagat-ultimo", "taroky.pagat-announced", "grosstarock.pagat-ultimo"}


def send(space: Space, user: User, game: str, number: int, seed: int, **tags: str) -> list[Any]:
    records = samples.simulated(game, len(NAMES[game]), number, seed)
    seats = ("ABCD"[: len(NAMES[game])], NAMES[game])
    texts = [
        replace(one, players=dict(zip(*seats, strict=True)), tags={**tags, "Deal": str(n)}, score=None)
        for n, one in enumerate(records, 1)
    ]
    return deals_of(samples.as_text(texts), user=user, space=space)


@pytest.fixture(scope="module")
def villach(stored_once: None) -> Space:
    """A club whose owner is Ada, with two evenings in 2026 and one in 2025, stored once for this module."""
    owner = User.objects.create_user("owner")
    club = spaces.found_club("Villach", by=owner, visibility="members")
    send(club, owner, "taroky", 16, 3, Session="May", Date="2026-05-04")
    send(club, owner, "grosstarock", 6, 4, Session="June", Date="2026-06-??")
    send(club, owner, "taroky", 3, 5, Session="Old", Date="2025-12-31")
    settling.settle()
    players.this_is_me(Member.objects.get(space=club), Player.objects.get(space=club, name="Ada"))
    return club


@pytest.fixture
def owner(villach: Space) -> User:
    return villach.members.get().user


@pytest.fixture
def ada(owner: User) -> Client:
    return browser_of(owner)


def scored_in(year: str) -> list[tuple[Contribution, str, int]]:
    """The scored deals of Ada in a year, with her seat and points, counted one by one."""
    found = Contribution.objects.filter(date__startswith=year, seats__player__name="Ada").order_by("pk")
    seats = [(one, one.seats.get(player__name="Ada")) for one in found.select_related("deal")]
    return [(one, seat.seat, seat.points) for one, seat in seats if seat.points is not None]


def test_my_year_says_what_a_count_deal_by_deal_says(ada: Client, villach: Space) -> None:
    page = page_at(ada, "/me/year/2026/")
    assert page.unsafe == []
    rows = scored_in("2026")
    assert f"Scored deals {len(rows)} Evenings 2" in page.text
    made: Counter[tuple[str, str]] = Counter()
    with_her: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for one, seat, _points in rows:
        for line in one.deal.lines:
            if line.clause in PAGATS and line.points.get(seat):
                made[line.clause, "gained" if line.points[seat] > 0 else "lost"] += 1
        sides = {seat: seat in (one.deal.declarer, one.deal.partner) for seat in one.deal.active}
        for other in one.seats.exclude(player__name="Ada").select_related("player"):
            together = one.deal.declarer and sides[other.seat] == sides[seat]
            (with_her if together else against)[other.player.name] += 1
    found = figures(ada, "/me/year/2026/")
    of_query = {query: parse_qs(query.lstrip("?")) for query in found}
    shown = {
        (of["clause"][0], of["effect"][0]): found[query] for query, of in of_query.items() if "clause" in of
    }
    assert made
    assert shown == made
    for relation, companions in (("partners", with_her), ("against", against)):
        query = next(query for query in found if f"relation={relation}" in query)
        assert found[query] == max(companions.values())
    for game in ("taroky", "grosstarock"):
        best = max((points, one.deal_id) for one, _seat, points in rows if one.deal.game == game)
        assert f"Best deal: +{best[0]}" in page.text


def test_a_year_of_one_deal_and_then_of_two(
    villach: Space, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gain of 1 is a best deal, and of two equal ones the later; as many deals as are read are all."""
    for number in (1, 2):
        tags = {"Session": "Once", "Date": f"2023-05-0{number}"}
        text = samples.dealt(number, players=("Dov", "Cleo", "Ben", "Ada"), **tags)
        (deal,) = deals_of(text, user=owner, space=villach)
        by_hand = {"verdict": "verified", "declarer": "D", "partner": None, "highest": number - 1}
        Deal.objects.filter(pk=deal.pk).update(**by_hand)
        Contribution.objects.filter(deal=deal.pk).update(verdict="verified")
        if number == 1:
            Seat.objects.filter(contribution__deal=deal.pk).update(points=0)
            settling.settle()
            empty = years.own_year(viewer(owner), 2023)
            assert empty is not None
            assert [row.best for row in empty.results] == [None]
        Seat.objects.filter(contribution__deal=deal.pk).update(points=1)
        settling.settle()
        for most in (1, 2):
            monkeypatch.setattr(years, "MOST_DEALS", most)
            found = years.own_year(viewer(owner), 2023)
            assert found is not None
            assert 2023 in found.years
            (result,) = found.results
            assert result.best is not None
            assert (result.best.deal.pk, result.best.points) == (deal.pk, 1)
            assert found.newest == (deal.contribution.pk if number > most else None)
            # Of three with as many deals, the one with the lowest id.
            assert found.opponent is not None
            assert (found.opponent.name, found.opponent.deals) == ("Ben", min(number, most))
        assert len(years.club_year(villach, viewer(owner), 2023, "en").best) == number - 1


def test_each_number_leads_to_exactly_its_deals(ada: Client, villach: Space) -> None:
    found = figures(ada, "/me/year/2026/")
    assert len(found) >= 8
    assert deals_behind(ada, found) == found
    in_2025 = {one.deal_id for one, *_rest in scored_in("2025")}
    assert in_2025.isdisjoint(number for query in found for number in listed(ada, query))


def send_unscored(space: Space, user: User, day: str) -> None:
    (deal,) = send(space, user, "taroky", 1, 8, Session=day, Date=day)
    Seat.objects.filter(contribution__deal=deal.pk).update(points=None)
    Deal.objects.filter(pk=deal.pk).update(verdict="incomplete")
    Contribution.objects.filter(deal=deal.pk).update(verdict="incomplete")
    settling.settle()


def test_years_without_deals_and_users_without_a_player(ada: Client, villach: Space, owner: User) -> None:
    send_unscored(villach, owner, "2024-05-01")
    assert "/me/year/2024/" not in page_at(ada, "/me/year/2026/").attributes("href")
    for year in ("2024", "2031", "0", "9" * 20):
        page = page_at(ada, f"/me/year/{year}/")
        assert f"There are no scored deals of yours in {year}." in page.text
        assert {"/me/year/2026/", "/me/year/2025/"} <= set(page.attributes("href"))
        assert ada.get(f"/me/year/{year}/year.png").status_code == 200
    assert "My year 2026" in text_of(ada, "/me/year/")
    Member.objects.update(player=None)
    assert "choose “This is me”" in text_of(ada, "/me/year/2026/")
    assert ada.get("/me/year/2026/year.png").status_code == 404


def test_a_year_is_only_for_its_player(
    ada: Client, villach: Space, owner: User, other: Client, borek: User
) -> None:
    spaces.join(spaces.invite(villach, by=owner), borek)
    number = Player.objects.get(space=villach, name="Ada").pk
    for address in ("/me/year/2026/", "/me/year/2026/year.png"):
        assert Client().get(address)["Location"].startswith("/accounts/login/")
    assert "choose “This is me”" in text_of(other, f"/me/year/2026/?player={number}")
    assert other.get(f"/me/year/2026/year.png?player={number}").status_code == 404
    picture = ada.get("/me/year/2026/year.png?language=de")
    assert (picture["Content-Type"], picture["Cache-Control"]) == ("image/png", "private, no-cache")


def test_one_of_several_players_of_a_user(ada: Client, villach: Space, owner: User) -> None:
    second = spaces.found_club("Graz", by=owner)
    send(second, owner, "taroky", 7, 8, Session="Graz", Date="2026-07-01")
    settling.settle()
    ben = Player.objects.get(space=second, name="Ben")
    players.this_is_me(Member.objects.get(space=second), ben)
    assert "Ada · Villach" in text_of(ada, "/me/year/2026/")
    for query, club in ((f"?player={ben.pk}", "Ben · Graz"), ("?player=x", "Ada · Villach")):
        page = page_at(ada, f"/me/year/2026/{query}")
        assert page.text.index(club) == min(page.text.index("Ada · Villach"), page.text.index("Ben · Graz"))
    assert "/me/year/" in page_at(ada, "/").attributes("href")
    assert f"/me/year/?player={ben.pk}" in page_at(ada, f"/players/{ben.pk}/").attributes("href")


def test_a_year_goes_from_its_first_day_to_its_last_under_all_names(
    ada: Client, villach: Space, owner: User
) -> None:
    send_unscored(villach, owner, "2025-07-01")
    head = Player.objects.create(space=villach, name="Adele")
    players.merge(Player.objects.get(space=villach, name="Ada"), head)
    (deal,) = send(villach, owner, "taroky", 1, 9, Session="First", Date="2025-01-01")
    Seat.objects.filter(contribution__deal=deal.pk, player__name="Ada").update(points=999)
    settling.settle()
    # The other evening of 2025 is that of 31 December.
    assert missing(text_of(ada, "/me/year/2025/"), "Evenings 2", "Best deal: +999") == []
    assert missing(text_of(ada, f"/clubs/{villach.pk}/year/2025/"), "2 evenings", "4 deals") == []


def test_a_year_costs_the_same_however_many_deals(
    ada: Client, villach: Space, owner: User, django_assert_max_num_queries: Any
) -> None:
    send(villach, owner, "taroky", 20, 9, Session="July", Date="2026-07-04")
    settling.settle()
    with django_assert_max_num_queries(18):
        page_at(ada, "/me/year/2026/")
    with django_assert_max_num_queries(30):
        page_at(ada, f"/clubs/{villach.pk}/year/2026/")


def test_the_sheet_of_a_club(ada: Client, villach: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"/clubs/{villach.pk}/year/2026/"
    assert address in page_at(ada, f"/clubs/{villach.pk}/").attributes("href")
    page = page_at(ada, address)
    assert page.unsafe == []
    rows = Contribution.objects.filter(date__startswith="2026", deal__highest__isnull=False)
    for game, name in (("taroky", "Czech Taroky"), ("grosstarock", "Grosstarock")):
        totals: Counter[str] = Counter()
        for one in rows.filter(deal__game=game):
            for seat in one.seats.select_related("player"):
                totals[seat.player.name] += seat.points
        champion, points = totals.most_common(1)[0]
        assert f"Champion {name} {champion} {points:+}" in page.text.replace("−", "-")
    assert missing(page.text, "2 evenings", "22 deals", "5 players", "Most deals", "Best deal") == []
    assert "Dearest card" not in page.text
    monkeypatch.setattr(queue, "send", lambda *_: None)
    monkeypatch.setattr(engine, "TRICKS", 4)
    hindsight.cover()
    for number in {one.deal_id // HindsightSpan.DEALS for one in rows}:
        hindsight.compute(number)
    assert "Dearest card in hindsight Czech Taroky" in text_of(ada, address)
    Space.objects.filter(pk=villach.pk).update(hides_hindsight=True)
    assert "Dearest card" not in text_of(ada, address)


def test_the_sheet_of_other_years_and_for_others(
    ada: Client, villach: Space, other: Client, borek: User
) -> None:
    for year in ("2024", "2031", "0", "9" * 20):
        text = text_of(ada, f"/clubs/{villach.pk}/year/{year}/")
        assert f"The club has no scored deals in {year}." in text
    page_of(other.get(f"/clubs/{villach.pk}/year/2026/"), 404)
    assert present(other.get(f"/clubs/{villach.pk}/").text, "/year/") == []
    Member.objects.create(space=villach, user=borek)
    assert "Most deals" in text_of(other, f"/clubs/{villach.pk}/year/2026/")


def test_a_year_with_too_many_deals_counts_the_latest(
    ada: Client, villach: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(years, "MOST_DEALS", 12)
    assert "from the last 12 deals of the year" in text_of(ada, "/me/year/2026/")
    found = figures(ada, "/me/year/2026/")
    assert any("newest=" in query for query in found)
    assert deals_behind(ada, found) == found
