"""Tables of points: sums worked by hand, and who may see what."""

from __future__ import annotations

from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from archive import access, packed_sheets
from archive.models import Contribution, Deal, Player, Seat, Session, Space
from archive.reading import scores, sessions, statistics
from archive.reading.deals import get_deal
from archive.reading.filters import Filters
from archive.reading.players import find_players
from archive.rules import Rules
from archive.shown import ShownDeal
from archive.storing import campaigns, players, spaces
from deploy import run
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.scoring import ScoreLine
from tarock.notation import write_text
from tests.support import samples, settling, storing
from tests.support.storing import deal_of, shown, stored

pytestmark = pytest.mark.django_db


@pytest.mark.storage
def test_the_list_of_sessions_and_that_of_an_empty_archive(django_assert_num_queries) -> None:
    assert statistics.count_archive() == statistics.Counts(0, 0, 0, {}, {})
    for nothing in (storing.deals(), find_players(), sessions.find_sessions(), scores.player_scores()):
        assert not nothing
    stored(*(samples.dealt(seed, Session="Club night") for seed in range(4)))
    session = Session.objects.get()
    stored(samples.dealt(77, Session="Later", Date="2026-05-??"))
    settling.settle()
    with django_assert_num_queries(1):
        found = [(row.name, row.deal_count, row.first_day, row.last_day) for row in sessions.find_sessions()]
    assert found == [("Later", 1, date(2026, 5, 1), date(2026, 5, 1)), ("Club night", 4, None, None)]
    assert sessions.get_session(session.pk) == session
    with pytest.raises(Session.DoesNotExist):
        sessions.get_session(0)


@pytest.fixture
def session() -> Session:
    """Four deals, sent in another order than they were played, one without a number and without a score."""
    table = [(3, {"A": 4, "B": -4, "C": 0, "D": 0}), (1, {"A": -2, "B": 1, "C": 1, "D": 0})]
    table += [(2, {"A": 1, "B": 1, "C": -1, "D": -1}), (None, {})]
    for seed, (number, points) in enumerate(table):
        tags = {"Session": "Club night"} | ({"Deal": str(number)} if number else {})
        deal = deal_of(samples.dealt(seed, **tags))
        if points:  # set by hand: this is about adding up
            Deal.objects.filter(pk=deal.pk).update(verdict="verified")
        for seat, value in points.items():
            Seat.objects.filter(contribution__deal=deal.pk, seat=seat).update(points=value)
    return Session.objects.get()


@pytest.mark.storage
def test_a_session_adds_up_deal_by_deal(session, django_assert_num_queries) -> None:
    session = sessions.get_session(session.pk)
    with django_assert_num_queries(4):
        table = sessions.session_table(session)
    ids = {player.name: player.pk for player in table.players}
    assert list(ids) == ["Ada", "Ben", "Cleo", "Dov"]
    assert [row.number for row in table.rows] == [1, 2, 3, None]
    assert [row.points.get(ids["Ada"]) for row in table.rows] == [-2, 1, 4, None]
    assert [row.totals[ids["Ada"]] for row in table.rows] == [-2, -1, 3, 3]
    assert [row.totals[ids["Ben"]] for row in table.rows] == [1, 2, -2, -2]
    assert [row.is_scored for row in table.rows] == [True, True, True, False]
    for row in table.rows:
        deal = get_deal(row.key)
        with django_assert_num_queries(1 if deal.verdict == "verified" else 0):
            totals = sessions.totals_after(deal)
        by_seat = {seat: row.totals[person] for seat, person in row.seats.items()}
        assert totals == (by_seat if deal.verdict == "verified" else {})
    without_session = deal_of(samples.TAROKY.replace('[Session "2026-11-20 table 2"]\n', ""))
    assert sessions.totals_after(without_session) == {}


@pytest.mark.storage
def test_equal_totals_share_the_place(session, ada) -> None:
    def standings() -> list[tuple]:
        table = sessions.session_table(session.pk)
        return [
            (row.place, row.player.name, row.deals, row.total) for row in table.standings[Rules("taroky")]
        ]

    before, found = sessions.session_table(session), standings()
    stored(samples.dealt(0, players=("Eva", "Fay", "Guy", "Hal"), Session="Club night", Deal="9"), user=ada)
    after = sessions.session_table(session)
    assert (after.players, standings()) == (before.players, found), (
        "what others say of it is not in its table"
    )
    assert [row.points for row in after.rows] == [row.points for row in before.rows]
    assert standings() == [(1, "Ada", 3, 3), (2, "Cleo", 3, 0), (3, "Dov", 3, -1), (4, "Ben", 3, -2)]
    Seat.objects.filter(contribution__number=3, seat="D").update(points=1)
    assert standings() == [(1, "Ada", 3, 3), (2, "Cleo", 3, 0), (2, "Dov", 3, 0), (4, "Ben", 3, -2)]


def test_a_deal_that_a_viewer_may_not_see_is_not_in_his_table(session) -> None:
    hidden = Contribution.objects.filter(number=2)
    own = access.Viewer(roles={session.space_id: "member"})
    for visibility, stranger, member in [("members", 3, 4), ("unlisted", 3, 4), ("withdrawn", 3, 3)]:
        hidden.update(visibility=visibility)
        assert len(sessions.session_table(session).rows) == stranger
        assert len(sessions.session_table(session, viewer=own).rows) == member
    hidden.update(visibility="unlisted")
    opened = access.Viewer(links=frozenset({f"session-{session.pk}"}))
    table = sessions.session_table(session, viewer=opened)
    assert [row.number for row in table.rows] == [1, 2, 3, None]
    assert not sessions.has_unlisted(session, access.EVERYBODY)
    assert sessions.has_unlisted(session, own)


def test_card_points_and_partner_are_the_engines(django_assert_max_num_queries) -> None:
    tables = [("strohmann", 2), ("taroky", 4), ("troggu", 5)]
    for game, number in [*tables, *(("grosstarock", number) for number in (2, 3, 4))]:
        stored(samples.as_text(samples.simulated(game, number, 10, seed=2)))
    deals = list(Deal.objects.all())
    with django_assert_max_num_queries(2):
        found = sessions.card_points(deal.pk for deal in deals)
    for deal in deals:
        facts = shown(deal).checked.facts
        assert found.get(deal.pk) == (facts.get("card_points") or None), deal.text
        assert (deal.partner or None) == facts["partner"], deal.text


@pytest.mark.parametrize("again", [False, True])
def test_a_deal_sat_out_is_no_deal_of_his(again) -> None:
    """Four at Grosstarock, one sits out each deal: three scored deals each, and a player who sat out has no
    points, not 0; also if somebody else sent the deals before, and after they were checked again."""
    records = list(simulate("grosstarock", deals=4, seed=77, players=4))
    for number, record in enumerate(records, start=1):
        record.tags.update(Session="Night", Deal=str(number))
    text = "\n".join(write_text(record) for record in records)
    if again:
        stored(text, space=spaces.guest())
        campaigns.verify_now(list(Deal.objects.all()))
        Deal.objects.update(verdict="illegal")  # as if the engine had erred: all deals are checked again
        campaigns.verify_now(list(Deal.objects.all()))
    stored(text)
    session = Session.objects.filter(space=Deal.objects.first().contributions.last().space).get()
    table = sessions.session_table(session)
    assert [standing.deals for standing in table.standings[Rules("grosstarock")]] == [3, 3, 3, 3]
    for row in table.rows:
        (out,) = row.sat_out
        assert out == row.seats["ABCD"[("ABCD".index(row.dealer) + 2) % 4]]
        assert row.points.keys() == set(row.seats.values()) - {out}
        assert sum(row.points.values()) == 0
    settling.settle()
    for player in table.players:
        (made,) = statistics.by_game(player)
        assert made["deals"] == 3
        assert sum(role.deals for role in statistics.roles(player)) == 3
    assert [row.deals for row in scores.player_scores(Filters(space=session.space_id))] == [3] * 4
    assert scores.player_scores(Filters(game="grosstarock"), choice=scores.Choice(least_deals=4)) == []
    assert Contribution.objects.exclude(verdict="verified").count() == 0
    expected = [check(one).score for one in records]
    assert [shown(deal).score for deal in Deal.objects.order_by("pk")] == expected


def test_two_players_are_compared_by_the_deals_that_both_played() -> None:
    """Four at Grosstarock, two deals: a pair with a seat that sat out has one deal together, or none."""
    stored(*(write_text(one) for one in simulate("grosstarock", deals=2, seed=77, players=4)))
    settling.settle()
    deals = list(Deal.objects.all())
    for one, other in combinations(Player.objects.all(), 2):
        scores = [
            (points[one.pk], points[other.pk])
            for deal in deals
            if (points := {seat.player.pk: seat.points for seat in shown(deal).seats})
            and None not in (points[one.pk], points[other.pk])
        ]
        together = statistics.head_to_head(one, other)
        summed = [sum(getattr(row, name) for row in together) for name in ("deals", "points", "others")]
        assert summed == [len(scores), *(sum(pair[side] for pair in scores) for side in (0, 1))]
        companions = statistics.companions(one, statistics.latest(one))
        assert {row.person: row.deals for row in companions}.get(other.pk, 0) == len(scores)


def test_varsava_is_played_by_each_alone() -> None:
    """Forehand bid First Duty and said Varšava; Dana was no partner (−80 is forehand's alone)."""
    deal = deal_of((Path(run.__file__).parent / "samples" / "taroky-04-varsava.tgn").read_text())
    assert (deal.contract, deal.declarer, deal.partner) == ("varsava", "", "")
    settling.settle()
    players = [seat.player for seat in deal.seats]
    assert [[(row.role, row.points) for row in statistics.roles(one)] for one in players] == [
        [("alone", 20)], [("alone", 40)], [("alone", 20)], [("alone", -80)],
    ]  # fmt: skip
    assert [row.relation for row in statistics.head_to_head(players[0], players[3])] == ["alone"]
    assert storing.deals(Filters(contract="varsava")) == [deal]
    assert storing.deals(Filters(contract="first")) == []
    assert storing.deals(Filters(player=players[0], role="opponent")) == []


def played(
    number: int, who: str, declarer: str | None, partner: str | None, *points: int, day: str = ""
) -> ShownDeal:
    """A deal with these four at the table, its roles and points set by hand: this is about adding up."""
    tags = {"Date": day} if day else {}
    deal = deal_of(samples.dealt(number, players=tuple(who.split()), **tags))
    Deal.objects.filter(pk=deal.pk).update(verdict="verified", declarer=declarer, partner=partner)
    Contribution.objects.filter(deal=deal.pk).update(verdict="verified")
    for seat, value in zip("ABCD", points, strict=True):
        Seat.objects.filter(contribution__deal=deal.pk, seat=seat).update(points=value)
    return deal


@pytest.fixture
def four() -> dict[str, Player]:
    """Ada is declarer in two deals, partner in one, opponent in one, and plays one without a declarer."""
    played(1, "Ada Ben Cleo Dov", "A", "C", 10, -10, 10, -10, day="2026-01-05")
    played(2, "Ada Ben Cleo Dov", "A", None, -9, 3, 3, 3, day="2026-01-05")
    played(3, "Ben Ada Cleo Dov", "A", "B", 4, 4, -4, -4, day="2026-02-01")
    played(4, "Ben Ada Cleo Dov", "C", None, 2, 2, -6, 2)
    played(5, "Ada Ben Cleo Dov", None, None, 1, 0, 0, -1, day="2026-02-??")
    settling.settle()
    return {player.name: player for player in Player.objects.all()}


@pytest.mark.storage
def test_a_players_points_are_added_up_by_role_day_deal_and_others(four, django_assert_num_queries) -> None:
    ada, ben = four["Ada"], four["Ben"]
    with django_assert_num_queries(1):
        roles = [(row.role, row.deals, row.won, row.points, row.share) for row in statistics.roles(ada)]
    assert roles == [
        ("declarer", 2, 1, 1, 50), ("partner", 1, 1, 4, 100),
        ("opponent", 1, 1, 2, 100), ("alone", 1, 1, 1, 100),
    ]  # fmt: skip
    roles = [(row.role, row.points) for row in statistics.roles(four["Cleo"])]
    assert roles == [("declarer", -6), ("partner", 10), ("opponent", -1), ("alone", 0)]
    with django_assert_num_queries(1):
        days = [(row.day, row.deals, row.points) for row in statistics.by_day(ada)]
    assert days == [("2026-01-05", 2, 1), ("2026-02-01", 1, 4), ("2026-02-??", 1, 1), ("", 1, 2)]
    months = [(row.day, row.deals, row.points, row.won) for row in statistics.by_day(ada, by_month=True)]
    assert months == [("2026-01-??", 2, 1, 1), ("2026-02-??", 2, 4 + 1, 2), ("", 1, 2, 1)]
    with django_assert_num_queries(3):
        found = statistics.head_to_head(ada, ben)
    assert [(row.relation, row.deals, row.points, row.others) for row in found] == [
        ("partners", 2, 6, 6), ("opponents", 2, 1, -7), ("alone", 1, 1, 0)
    ]  # fmt: skip
    assert statistics.head_to_head(ada, Player(pk=0)) == []
    with django_assert_num_queries(5):
        best, worst = statistics.extremes(statistics.latest(ada), number=2)
        assert [one.deal.players["A"] for one in best] == ["Ada", "Ben"]
    assert ([one.points for one in best], [one.points for one in worst]) == ([10, 4], [-9])
    # In the order of play, the undated last; nothing of more deals than are drawn.
    with django_assert_num_queries(2):
        found = statistics.deal_by_deal(ada, access.EVERYBODY, 5)
    assert [row.points for row in found] == [10, -9, 4, 1, 2]
    ada.refresh_from_db()
    assert statistics.deal_by_deal(ada, access.EVERYBODY, 4) == []
    ada.whole_deals = 0  # not yet recomputed
    assert statistics.deal_by_deal(ada, access.EVERYBODY, 4) == []
    first, second = Contribution.objects.order_by("pk")[:2]
    Contribution.objects.filter(pk=first.pk).update(number=2)
    Contribution.objects.filter(pk=second.pk).update(number=1)
    found = statistics.deal_by_deal(ada, access.EVERYBODY, 5)
    assert [row.points for row in found] == [-9, 10, 4, 1, 2], "the deals of a day by their numbers"
    played(6, "Ada Eve Fay Guy", None, None, 0, 0, 0, 0, day="2026-??-??")
    settling.settle()
    months = [row.day for row in statistics.by_day(ada, by_month=True)]
    assert months == ["2026-01-??", "2026-??-??", "2026-02-??", ""]
    with django_assert_num_queries(5):
        found = companions(ada)
    assert found == [("Ben", 5), ("Cleo", 5), ("Dov", 5), ("Eve", 1), ("Fay", 1), ("Guy", 1)]
    assert [row["deals"] for row in statistics.by_game(Player.objects.get(name="Eve"))] == [1]
    unscored = deal_of(samples.BROKEN_OFF).seats[0].player
    settling.settle()
    assert statistics.by_game(unscored) == statistics.by_day(unscored) == []


def companions(player: Player) -> list[tuple[str, int]]:
    return [(one.name, one.deals) for one in statistics.companions(player, statistics.latest(player))]


def test_a_players_latest_deals_count_and_among_equals_the_later_ones_come_first(
    four, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = four["Ada"]
    monkeypatch.setattr(statistics, "MOST_DEALS", 2)
    monkeypatch.setattr(statistics, "MOST_COMPANIONS", 2)
    latest = statistics.latest(ada)
    assert (list(latest.values()), companions(ada)) == ([("A", 1), ("B", 2)], [("Ben", 2), ("Cleo", 2)])
    ids = list(Contribution.objects.order_by("pk").values_list("pk", flat=True))
    Contribution.objects.filter(pk__in=ids[-2:]).update(visibility="members")
    assert list(statistics.latest(ada).values()) == [("B", 4), ("A", -9)], "hidden deals take no places"
    made = dict(zip(ids, [("A", points) for points in (1, 1, 0, -1, -1)], strict=True))
    viewer = access.Viewer(roles={ada.space_id: "member"})
    found = [[one.deal.contribution.pk for one in some] for some in statistics.extremes(made, 5, viewer)]
    assert found == [[ids[1], ids[0]], [ids[4], ids[3]]]


@pytest.mark.storage
def test_two_names_of_one_player_count_as_one(four) -> None:
    played(6, "Adele Ben Cleo Dov", "A", None, 30, -10, -10, -10, day="2026-03-03")
    players.merge(Player.objects.get(name="Adele"), four["Ada"])
    settling.settle()
    assert statistics.roles(four["Ada"])[0].points == 31
    assert statistics.by_day(four["Ada"])[-2].points == 30
    assert [one.points for one in statistics.extremes(statistics.latest(four["Ada"]), number=1)[0]] == [30]
    assert "Adele" not in dict(companions(four["Ada"]))
    assert sum(row.others for row in statistics.head_to_head(four["Ben"], four["Ada"])) == 38
    assert sum(row.points for row in statistics.head_to_head(four["Ada"], four["Ben"])) == 38


def test_what_a_stranger_may_not_see_counts_nowhere(four) -> None:
    Contribution.objects.exclude(played_on=None).update(visibility="members")
    settling.settle()
    ada, space = four["Ada"], Space.objects.get()
    assert [(row.role, row.points) for row in statistics.roles(ada)] == [("opponent", 2)]
    assert [row.points for row in statistics.by_day(ada)] == [2]
    assert [deals for _name, deals in companions(ada)] == [1, 1, 1]
    assert [one.points for one in statistics.extremes(statistics.latest(ada))[0]] == [2]
    assert [row.deals for row in statistics.head_to_head(ada, four["Ben"])] == [1]
    member = access.Viewer(roles={space.pk: "member"})
    assert sum(row.deals for row in statistics.roles(ada, member)) == 5


def test_bonuses_are_the_lines_that_do_not_settle_the_game(django_assert_num_queries) -> None:
    # 25 + 80 + 5 - 5 = 105: the game, the announced Pagat, tarocky for A, barvicky for B.
    stored(samples.TAROKY)
    settling.settle()
    alena, borek = (Player.objects.get(name=name) for name in ("Alena", "Bořek"))
    with django_assert_num_queries(4):
        found = statistics.bonuses(statistics.latest(alena))
    assert [(row.clause, row.gains, row.gained, row.losses, row.lost) for row in found] == [
        ("taroky.hand-barvicky", 0, 0, 1, -5), ("taroky.hand-tarocky", 1, 5, 0, 0),
        ("taroky.pagat-announced", 1, 80, 0, 0),
    ]  # fmt: skip
    found = [(row.clause, row.gained + row.lost) for row in statistics.bonuses(statistics.latest(borek))]
    gained = {"hand-barvicky": 5, "hand-tarocky": -5, "pagat-announced": -80}
    assert found == [(f"taroky.{name}", points) for name, points in gained.items()]
    Contribution.objects.update(visibility="members")
    assert statistics.bonuses(statistics.latest(alena)) == []


def test_a_deal_with_several_lines_of_a_clause_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = deal_of(samples.TAROKY)
    lines = [ScoreLine("taroky.hand-trul", {"A": points}, {}, ()) for points in (1, 1, 0, -1, -1)]
    monkeypatch.setattr(packed_sheets, "lines", lambda *_packed: lines)
    (found,) = statistics.bonuses({deal.contribution.pk: ("A", 0)})
    assert found == statistics.Bonus("taroky", "taroky.hand-trul", gains=1, gained=2, losses=1, lost=-2)


def test_a_user_is_known_by_their_players(ada: Any) -> None:
    stored(samples.dealt(1))
    member = Space.objects.get().members.create(user=ada)
    assert access.viewer(ada).players == frozenset()
    player = Player.objects.get(name="Ada")
    players.this_is_me(member, player)
    assert access.viewer(ada).players == {player.pk}
