"""Statistics from the stored sums, and what became of a hand, against a direct count of the records."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from django.contrib.auth.models import User
from django.db import connection

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.figures import SEAT_ROLES, step_of
from archive.hands import Hand, unpack
from archive.models import Contribution, Figure, Player, Space
from archive.reading import deals, figures, statistics
from archive.reading.filters import Filters
from archive.storing import corrections, spaces, sums, sums_check
from replays.clubs.figures import Table, player_figures, tables
from replays.deal.forms import DealFilter
from tarock.analysis.verify import check
from tarock.notation import read_one
from tests.support import samples
from tests.support.storing import deal_of, stored

pytestmark = pytest.mark.django_db

NUMBER = int(os.environ.get("TAROCK_HANDS", "120"))
"""Number of simulated deals: 20,000 once, fewer in each run."""


DATES = ("2025-12-31", "2026-01-01", "2026-01-??", "2026-??-??")
"""Dates of the simulated deals; every fifth deal has none."""


@pytest.fixture(scope="module")
def club(stored_once: None) -> Space:
    """A club with simulated deals of Taroky, every third one for members only. Stored once for all tests."""
    ada = User.objects.create_user("ada")
    space = spaces.found_club("Tarok", by=ada)
    records = samples.simulated("taroky", 4, NUMBER)
    dated = [replace(one, tags={"Date": DATES[n % 4]} if n % 5 else {}) for n, one in enumerate(records)]
    stored(samples.as_text(dated), user=ada, space=space)
    for one in Contribution.objects.order_by("pk")[::3]:
        corrections.set_visibility(one, "members", by=ada)
    sums.settle(seconds=float("inf"))
    with connection.cursor() as cursor:
        # A database with statistics of another test once joined all seats with all deals, for a minute.
        cursor.execute("ANALYZE")
    return space


@pytest.fixture
def member(club: Space) -> Viewer:
    return access.viewer(User.objects.get())


def direct(hand: Hand | None, contributions: Any) -> tuple[Counter[tuple[str, str]], dict[Any, list[int]]]:
    """Count deals and list the points by contract and role, from the records alone."""
    numbers: Counter[tuple[str, str]] = Counter()
    points: dict[Any, list[int]] = {}
    for one in contributions.select_related("deal").prefetched().filter(verdict="verified"):
        record, deal, seen = read_one(one.deal.text), one.deal, set()
        forehand = "ABCD".index(record.dealer) + 1
        for seat in one.seated:
            cards = record.deal[seat.seat]
            position = ("ABCD".index(seat.seat) - forehand) % 4 + 1
            own = (
                sum(card[0] == "T" for card in cards),
                len({"T0", "T1", "T21"} & set(cards)),
                sum(card[1:] == "K" for card in cards),
                position,
            )
            if hand and any(mine not in (None, its) for mine, its in zip(hand, own, strict=True)):
                continue
            role = {deal.declarer: "declarer", deal.partner: "partner"}.get(seat.seat, "opponent")
            key = deal.contract, role
            numbers[key] += key not in seen
            seen.add(key)
            points.setdefault(key, []).append(seat.points)
    return numbers, points


def assert_same(lines: figures.Lines, hand: Hand | None, contributions: Any) -> None:
    numbers, points = direct(hand, contributions)
    found = {key[1:]: line for key, line in lines.by_key.items() if key[0] == "contract"}
    assert found.keys() == {key for key, number in numbers.items() if number >= figures.FEWEST}
    for key, line in found.items():
        assert (line.deals, line.seats, line.points) == (numbers[key], len(points[key]), sum(points[key]))
        assert line.won == sum(number > 0 for number in points[key])


def assert_leads_to_its_deals(game: str, lines: figures.Lines, base: Any, viewer: Viewer) -> int:
    """Follow every link of the tables; return their number."""
    return sum(assert_lead(table, viewer) for table in tables(game, lines, base))


def assert_lead(table: Table, viewer: Viewer) -> int:
    """Follow every link of a table; return the number of rows."""
    for row in table.rows:
        assert found_at(row.href, viewer) == row.deals, (table.topic, row)
        if row.won_href:
            assert round(100 * found_at(row.won_href, viewer) / row.deals) == row.share, (table.topic, row)
    return len(table.rows)


def found_at(href: str, viewer: Viewer) -> int:
    """Return the number of deals in the list at a URL."""
    form = DealFilter({name: values[0] for name, values in parse_qs(urlparse(href).query).items()})
    assert form.is_valid(), form.errors
    return len(deals.find_ids(form.filters, viewer, "stored", 100_000))


def direct_doubles(contributions: Any, latest: statistics.Latest | None = None) -> dict[str, list[int]]:
    """Count the doubled stakes and those that paid, from the events and the score. `latest`: only those by a
    player's side."""
    clauses = {"game": ("game", "game-tie"), "pagat": ("pagat-announced",), "valat": ("valat-announced",)}
    found: dict[str, list[int]] = {}
    for one in contributions.select_related("deal"):
        record = read_one(one.deal.text)
        said = {word: event[0] for event in record.events for word in event[2:] if word.startswith("flek:")}
        own = {one.deal.declarer, one.deal.partner}
        for word, who in said.items():
            stake = word.partition(":")[2]
            slugs = [f"taroky.{clause}" for clause in clauses[stake]]
            points = sum(line.points[who] for line in check(record).lines if line.clause in slugs)
            if latest is None or (latest[one.pk][0] in own) == (who in own):
                number = found.setdefault(stake, [0, 0])
                found[stake] = [number[0] + 1, number[1] + (points > 0)]
    return found


def doubles(lines: figures.Lines) -> dict[str, list[int]]:
    return {
        key: [line.deals, line.won] for (topic, key, _role), line in lines.by_key.items() if topic == "double"
    }


def test_the_steps_of_a_distribution_have_no_gaps() -> None:
    for points in range(-300, 301):
        first, last = step_of(points)
        assert first <= points <= last
        assert step_of(last + 1)[0] == last + 1


def test_statistics_are_those_of_the_records_and_lead_to_the_deals(club: Space, member: Viewer) -> None:
    public, whole = Contribution.objects.filter(visibility="public"), Contribution.objects.all()
    assert figures.of_space(0, "taroky", EVERYBODY) == figures.of_space(0, "taroky", member)
    for space, viewer, counted, base in (
        (0, member, public, {"public": 1}),
        (club.pk, EVERYBODY, public, {"space": club.pk}),
        (club.pk, member, whole, {"space": club.pk}),
    ):
        lines = figures.of_space(space, "taroky", viewer)
        assert_same(lines, None, counted)
        base = {"game": "taroky", "rules": "seed", "scored": "computed", **base}
        assert assert_leads_to_its_deals("taroky", lines, base, viewer) > 8
    assert not figures.of_space(0, "taroky", rules="vysocina@1").by_key
    assert list(sums_check.check()) == []


@pytest.mark.storage
def test_a_hand_is_that_of_the_records(member: Viewer) -> None:
    public, whole = Contribution.objects.filter(visibility="public"), Contribution.objects.all()
    searches = [Hand(5), Hand(5, position=2), Hand(None, 1), Hand(4, 0, None)]
    for hand in [*searches, *([Hand(5, 1, 1), Hand(6, 1, 1, 1)] if NUMBER > 10_000 else [])]:
        filters = Filters(game="taroky", rules="seed", **hand._asdict())
        (of_all,) = figures.explore(filters, EVERYBODY)
        of_club, again = figures.explore(filters, member)
        assert again == of_all
        for one, viewer, counted in ((of_all, EVERYBODY, public), (of_club, member, whole)):
            assert one.deals == len(deals.find_ids(one.filters, viewer, "stored", 100_000)) or not one.deals
            if not one.is_partial:
                assert_same(one.lines, hand, counted)
    assert (of_club.name, of_all.name) == ("Tarok", "")


def test_own_deals_come_first(club: Space, member: Viewer) -> None:
    player = Player.objects.filter(seats__seat="A").first()
    viewer = Viewer(member.user, roles={club.pk: "owner"}, players=frozenset([player.pk]))
    own, _of_club, of_all = figures.explore(Filters(game="taroky", rules="seed", tarocks=5), viewer)
    assert own.whose == player
    names = figures.explore(Filters(game="taroky", rules="seed", tarocks=22), viewer)
    assert [(one.deals, one.lines.by_key) for one in names] == [(0, {})] * 3
    assert of_all.whose is None


@pytest.mark.storage
def test_only_the_latest_deals_with_a_hand_count(club: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_HELD", 25)
    (found,) = figures.explore(Filters(game="taroky", rules="seed", tarocks=5), EVERYBODY)
    assert found.is_partial
    ids = deals.find_ids(
        Filters(game="taroky", tarocks=5, public=True, scored="computed"), EVERYBODY, "stored", 999
    )
    assert deals.find_ids(found.filters, EVERYBODY, "stored", 999) == ids[: found.deals]


def test_a_role_without_a_player_is_that_of_the_hand() -> None:
    deal = deal_of(samples.TAROKY)
    declarer = unpack(deal.deal.hands)["A"]._asdict()
    for searched, number in (
        *((declarer | {"role": role}, int(role == "declarer")) for role in SEAT_ROLES),
        ({"role": "partner"}, 1),
    ):
        filters = Filters(scored="computed", after=deal.pk - 1, **searched)
        assert len(deals.find_ids(filters, EVERYBODY, "stored", 9)) == number, searched


@pytest.mark.parametrize(("game", "players"), [("strohmann", 2), ("troggu", 5), ("grosstarock", 4)])
def test_the_statistics_of_each_game_lead_to_its_deals(game: str, players: int) -> None:
    stored(samples.as_text(samples.simulated(game, players, 60)))
    sums.settle(seconds=float("inf"))
    lines = figures.of_space(0, game)
    base = {"game": game, "rules": "seed", "scored": "computed", "public": 1}
    assert {topic for topic, _key, _role in lines.by_key} >= {"contract", "tarocks", "points"}
    assert assert_leads_to_its_deals(game, lines, base, EVERYBODY) > 5


def test_doubles_are_those_of_the_records(
    club: Space, member: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FEWEST", 1)
    public = Contribution.objects.filter(visibility="public")
    assert doubles(figures.of_space(0, "taroky")) == direct_doubles(public)
    of_club = figures.of_space(club.pk, "taroky", member)
    assert doubles(of_club) == direct_doubles(Contribution.objects.all())
    assert {"game", "pagat"} <= doubles(of_club).keys()
    base = {"game": "taroky", "rules": "seed", "scored": "computed", "space": club.pk}
    assert assert_leads_to_its_deals("taroky", of_club, base, member) > 30
    (compared,) = [one for one in tables("taroky", of_club, base, of_club) if one.topic == "double"]
    assert [row.others for row in compared.rows] == [row.share for row in compared.rows]


@pytest.mark.storage
def test_months_are_those_of_the_records(
    club: Space, member: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FEWEST", 1)
    lines = figures.of_space(club.pk, "taroky", member).by_key
    found = {key[1:]: line for key, line in lines.items() if key[0] == "month"}
    expected: dict[tuple[str, str], list[int]] = {}
    for one in Contribution.objects.filter(date__regex="^....-[0-9]").select_related("deal").prefetched():
        points = {seat.seat: seat.points for seat in one.seated}
        role = "declarer" if one.deal.declarer else "alone"
        number = points[one.deal.declarer] if one.deal.declarer else max(points.values())
        expected.setdefault((one.date[:7], role), []).append(number)
    assert {month for month, _role in found} == {"2025-12", "2026-01"}
    assert {key: [line.deals, line.seats, line.won, line.points] for key, line in found.items()} == {
        key: [len(some), len(some), sum(n > 0 for n in some), sum(some)] for key, some in expected.items()
    }


def test_a_deal_with_two_dates_counts_in_both_months(django_user_model: Any) -> None:
    (record,), ben = samples.simulated("troggu", 3), django_user_model.objects.create_user("ben")
    for day in ("2025-12-31", "2026-01-02", "2026-01-03"):
        dated = samples.as_text([replace(record, tags={"Date": day})])
        stored(dated, space=spaces.found_club(day, by=ben), user=ben)
    sums.settle()
    lines = Figure.objects.filter(space=0, game="troggu")
    months = lines.filter(topic="month").order_by("key").values_list("key", "deals")
    assert list(months) == [("2025-12", 1), ("2026-01", 1)]
    assert set(lines.filter(topic="contract").values_list("deals", flat=True)) == {1}


@pytest.mark.storage
def test_statistics_of_a_player_lead_to_their_deals(member: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FEWEST", 1)
    players = Player.objects.filter(seats__isnull=False).distinct().order_by("pk")[:2]
    for player, viewer in zip(players, (member, EVERYBODY), strict=True):
        latest = statistics.latest(player, viewer)
        days = statistics.by_day(player, viewer)
        ((_game, found),) = player_figures(player, latest, days, "seed", None)
        topics = {table.topic for table in found if assert_lead(table, viewer)}
        assert topics == {"contract", "tarocks", "points", "double", "month"}
        contributions = Contribution.objects.filter(pk__in=list(latest))
        assert doubles(figures.of_player(latest)["taroky"]) == direct_doubles(contributions, latest)
        months = figures.by_month(days)["taroky"].by_key.values()
        dated = [latest[one.pk][1] for one in contributions if one.date[5:6].isdigit()]
        assert sum(line.deals for line in months) == len(dated)
        assert sum(line.points for line in months) == sum(dated)
        assert sum(line.won for line in months) == sum(points > 0 for points in dated)


def test_a_search_becomes_parameters_of_pages_and_api() -> None:
    filters = Filters(game="taroky", player=7, space=3, public=True, kings=0, after=12)
    same = {"game": "taroky", "player_id": "7", "public": "true", "kings": "0", "after": "12"}
    assert filters.parameters() == {**same, "space": "3"}
    assert filters.parameters(of_api=True) == {**same, "club": "3"}
    form = DealFilter(filters.parameters())
    assert form.is_valid()
    assert form.filters.given == filters.given
