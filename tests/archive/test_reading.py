"""Reading: each filter, who may see what, and a number of queries that does not grow with what is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.hands import unpack
from archive.models import Contribution, Deal, Player, Seat
from archive.reading import deals, operation, scores, statistics
from archive.reading.filters import Filters
from archive.reading.players import deal_counts, find_players, get_player, player_page
from archive.rules import Rules
from archive.shown import ShownDeal
from archive.storing import players, spaces
from tarock.analysis.simulate import simulate
from tarock.games import GAMES
from tarock.notation import read_one, write_text
from tests.support import samples, settling, storing
from tests.support.storing import deal_of, stored

pytestmark = pytest.mark.django_db

DEALT = replace(
    samples.simulated("strohmann", 2)[0],
    players={"A": "Alena", "B": "Zora"},
    tags={"Date": "1925-03-??"},
    events=[],
    score=None,
)
"""A deal that nobody has played."""

TEXTS = {
    "verified": samples.TAROKY,
    "illegal": samples.ILLEGAL_BID.replace("2026-11-20", "2026-11-24", 1),
    "incomplete": samples.INCOMPLETE.replace("2026-11-20", "2026-??-??", 1),
    "strohmann": write_text(DEALT),
    "undated": samples.dealt(1),
    "old": samples.dealt(2, Date="2020-01-01"),
}
ALL = ["old", "undated", "strohmann", "incomplete", "illegal", "verified"]


@pytest.fixture(scope="module")
def ada(stored_once: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture(scope="module")
def ben(stored_once: None) -> User:
    return User.objects.create_user("ben")


@pytest.fixture(scope="module")
def archive(ada: User, ben: User) -> dict[str, ShownDeal]:
    """Six deals, sent by Ada; of the first one Ben says something else. Stored once for all tests of this
    module."""
    found = {name: deal_of(text, user=ada) for name, text in TEXTS.items()}
    stored(samples.DISPUTED.replace("2026-11-20 table 2", "another table"), user=ben)
    settling.settle()
    return found


def names(archive: dict[str, ShownDeal], filters: Filters | None = None) -> list[str]:
    by_pk = {deal.pk: name for name, deal in archive.items()}
    return [by_pk[deal.pk] for deal in storing.deals(filters)]


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ALL),
    ({"game": "", "verdict": "", "player": "", "session": "", "contract": ""}, ALL),
    ({"game": "strohmann"}, ["strohmann"]),
    ({"game": "troggu"}, []),
    ({"verdict": "illegal"}, ["illegal"]),
    ({"verdict": "disputed"}, ["verified"]),
    ({"verdict": "incomplete"}, ["old", "undated", "strohmann", "incomplete"]),
    ({"player": "Alena"}, ["strohmann", "incomplete", "illegal", "verified"]),
    ({"player": "aLENA"}, ["strohmann", "incomplete", "illegal", "verified"]),
    ({"player": "Bořek", "verdict": "verified"}, ["verified"]),
    ({"player": "Anna"}, ["verified"]),
    ({"player": "Nobody"}, []),
    ({"with_players": ("Alena", "Zora")}, ["strohmann"]),
    ({"score_from": 105}, ["verified"]),
    ({"score_from": 106}, []),
    ({"score_to": 105}, ["verified"]),
    ({"score_to": 104}, []),
    ({"player": "Cyril", "score_to": -105}, ["verified"]),
    ({"player": "Alena", "role": "opponent"}, []),
    ({"date_from": date(2026, 11, 20)}, ["illegal", "verified"]),
    ({"date_to": date(2026, 1, 1)}, ["old", "strohmann"]),
    ({"date_from": date(2026, 1, 1), "date_to": date(2026, 11, 20)}, ["verified"]),
    # A date known in part fits if each of its days does.
    ({"date_from": date(2026, 1, 1)}, ["incomplete", "illegal", "verified"]),
    ({"player": "Dana", "date_to": date(2026, 12, 30)}, ["illegal", "verified"]),
    ({"date_to": date(1925, 3, 31)}, ["strohmann"]),
    ({"date_to": date(1925, 3, 30)}, []),
    ({"date_from": date(1925, 3, 2), "date_to": date(2020, 1, 1)}, ["old"]),
    ({"session": "2026-11-20 table 2"}, ["incomplete", "illegal", "verified"]),
    ({"session": "2026-11-20 TABLE 2"}, ["incomplete", "illegal", "verified"]),
    ({"session": "another table"}, ["verified"]),
    ({"contract": "no such contract"}, []),
    ({"game": "taroky", "player": "Dana", "date_to": date(2026, 11, 22)}, ["verified"]),
    ({"player": "Dana", "date_to": date(2026, 12, 31)}, ["incomplete", "illegal", "verified"]),
]


@pytest.mark.storage
def test_filters(archive) -> None:
    for filters, expected in FILTERS:
        assert names(archive, Filters(**filters)) == expected, filters
        played = deals.find_ids(Filters(**filters), EVERYBODY, "played", 9)
        assert sorted(played, reverse=True) == [archive[name].pk for name in expected], filters


def test_filters_by_object_and_by_number(archive) -> None:
    player, session = Player.objects.get(name="Zora"), archive["verified"].contribution.session
    for one in (player, player.pk):
        assert names(archive, Filters(player=one)) == ["strohmann"]
    found = [names(archive, Filters(session=one)) for one in (session, session.pk, session.name)]
    # A session is of one date; by its name those of all dates are found.
    assert found == [["verified"], ["verified"], ["incomplete", "illegal", "verified"]]
    assert "verified" in names(archive, Filters(contract=archive["verified"].contract))
    _first, second = deals.contributions_to(archive["verified"].pk)
    (found,) = storing.deals(Filters(ids=(Key(second.deal_id, second.pk),)))
    assert found.contribution == second


def test_a_list_costs_four_queries_however_long(archive, django_assert_num_queries) -> None:
    """The players of the name, the deals, the contributions, the seats."""
    stored(samples.many(60, first=3, Session="Table"))
    asked = Filters(player="Ada"), EVERYBODY
    with django_assert_num_queries(8):
        found = [
            (
                *(deal.game, deal.verdict, deal.contribution.verdict, deal.contribution.session.name),
                *(deal.score, deal.players, [seat.player.name for seat in deal.seats]),
            )
            for deal in deals.deals_by_id(deals.find_ids(*asked, "stored", 50), *asked)
        ]
    assert len(found) == 50


def test_one_deal_costs_two_queries_and_lists_leave_the_long_texts(
    archive, django_assert_num_queries
) -> None:
    for deal in deals.deals_by_id([deal.pk for deal in archive.values()], Filters(), EVERYBODY):
        assert {"text", "sheet"} <= deal.deal.get_deferred_fields()
    for one in deals.contributions_to(archive["verified"].pk):
        assert "data" in one.part.get_deferred_fields(), "the bytes stay behind"
    with django_assert_num_queries(2):
        deal = deals.get_deal(archive["verified"].pk)
        assert deal.players == {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"}
        assert sum(line.points["A"] for line in deal.lines) == 105
        assert deal.contribution.session.name.endswith("table 2")
        assert deal.contribution.sender.username == "ada"
        assert deal.canonical
        assert deal.checked.countings
    with pytest.raises(Deal.DoesNotExist):
        deals.get_deal(0)
    # Each sender's contribution, in two queries.
    deal = archive["verified"]
    with django_assert_num_queries(2):
        found = [
            (one.sender.username, one.verdict, one.session.name, one.seats.all()[0].player.name)
            for one in deals.contributions_to(deal.pk)
        ]
    assert found == [
        ("ada", "verified", "2026-11-20 table 2", "Alena"), ("ben", "disputed", "another table", "Anna")
    ]  # fmt: skip
    # No history and no errors where nothing happened.
    deal = deals.get_deal(archive["illegal"].pk)
    with django_assert_num_queries(2):
        (answer,) = deals.past_verdicts(deal)
    assert (answer.verdict, answer.before) == ("illegal", None)
    with django_assert_num_queries(4):
        assert operation.count_faults() == 0


def test_a_deal_is_the_record_that_was_sent_as_its_first_contribution_shows_it(archive) -> None:
    for name, text in TEXTS.items():
        deal = deals.get_deal(archive[name].pk)
        assert deal.record == read_one(text)
        assert deal.checked.verdict == deal.verdict
        assert (deal.finding is None) == (deal.verdict == "verified")
        assert deal.contribution == Contribution.objects.filter(deal=deal.pk).order_by("pk")[0]


@pytest.mark.storage
def test_the_deals_verified_that_were_played_last(archive, ben, django_assert_num_queries) -> None:
    """By the day of play, not of sending; nothing of the days to come, of guests, undated or not verified."""
    played: dict[int | None, ShownDeal] = {}
    for record, day in zip(simulate("taroky", deals=4, seed=3), (19, 20, 25, None), strict=True):
        deal = deal_of(write_text(record))
        Contribution.objects.filter(deal=deal.pk).update(played_on=day and date(2026, 11, day))
        played[day] = deal
    with django_assert_num_queries(3):
        found = deals.latest_verified(date(2026, 11, 22), 5)
        assert all(deal.seats and deal.record for deal in found)
    assert found == [played[20], archive["verified"], played[19]]
    assert deals.latest_verified(date(2026, 11, 22), 1) == found[:1]
    assert deals.latest_verified(date(2026, 11, 20), 5) == found
    assert deals.latest_verified(date(2026, 11, 22), 5, house=True) == [found[0], found[2]]
    stored(write_text(replace(played[20].record, tags={"Date": "2026-11-20"})), user=ben)
    (of_guest,) = simulate("taroky", deals=1, seed=99)
    stored(write_text(replace(of_guest, tags={"Date": "2026-11-21"})), space=spaces.guest())
    assert deals.latest_verified(date(2026, 11, 22), 2) == found[:2], "a deal of two senders is listed once"


def test_the_deals_of_a_player_go_by_their_points_whatever_their_name(archive, ada) -> None:
    """Of equal points, the one stored last comes first. A deal without points is not listed."""
    names = ("Eva", "Fay", "Eva", "Eva", "Eva")
    found = [deal_of(samples.dealt(n, players=(name, *"XYZ")), user=ada) for n, name in enumerate(names, 20)]
    for deal, points in zip(found, (7, 7, -2, None, 9), strict=True):
        Seat.objects.filter(contribution__deal=deal.pk, seat="A").update(points=points)
    Contribution.objects.filter(deal=found[-1].pk).update(visibility="members")
    players.merge(Player.objects.get(name="Fay"), Player.objects.get(name="Eva"))
    first, second, third, _none, hidden = (deal.pk for deal in found)
    asked, member = Filters(player=Player.objects.get(name="Eva")), access.viewer(ada)
    assert deals.find_ids(asked, EVERYBODY, "gain", 9) == [second, first, third]
    assert deals.find_ids(asked, EVERYBODY, "loss", 9) == [third, second, first]
    assert deals.find_ids(asked, member, "gain", 2) == [hidden, second]
    # A deal of two spaces has an Eva in each, and takes one place.
    stored(samples.dealt(21, players=("Eva", *"XYZ")), space=spaces.found_club("Other", by=ada))
    Seat.objects.filter(contribution__deal=second, seat="A").update(points=7)
    assert deals.find_ids(Filters(player="Eva"), EVERYBODY, "gain", 3) == [second, first, third]


def test_by_points_too_the_criteria_are_on_the_seat_of_the_player(archive, ada) -> None:
    """Cyril lost 105 points as an opponent of Alena, whose Pagat his side doubled."""
    own = Player.objects.filter(space=spaces.own(ada))
    alena, cyril, dana = (own.get(name=name) for name in ("Alena", "Cyril", "Dana"))
    seats = unpack(archive["verified"].deal.hands)
    pagat = {"clause": "taroky.pagat-announced"}
    for player, filters, number in (
        (cyril, {"role": "opponent"}, 1), (cyril, {"role": "declarer"}, 0),
        (cyril, {"outcome": "lost"}, 1), (cyril, {"outcome": "won"}, 0),
        (cyril, {"score_to": -105}, 1), (cyril, {"score_to": -106}, 0),
        (alena, {"score_from": 105}, 1), (alena, {"score_from": 106}, 0),
        (cyril, {**pagat, "effect": "lost"}, 1), (cyril, {**pagat, "effect": "gained"}, 0),
        (alena, {**pagat, "effect": "lost"}, 0),
        (cyril, {"doubled": "pagat"}, 1), (alena, {"doubled": "pagat"}, 0),
        (cyril, {"tarocks": seats["C"].tarocks}, 1), (cyril, {"tarocks": seats["A"].tarocks}, 0),
        (cyril, {"with_player": alena.pk, "relation": "opponents"}, 1),
        (cyril, {"with_player": alena.pk, "relation": "partners"}, 0),
    ):  # fmt: skip
        found = deals.find_ids(Filters(player=player, **filters), EVERYBODY, "gain", 9)
        assert len(found) == number, (player, filters)
    together = Filters(player=dana, with_player=alena.pk)
    assert len(deals.find_ids(together, EVERYBODY, "stored", 9)) == 1, "in any relation"
    Seat.objects.filter(contribution__deal=archive["verified"].pk, player=cyril).update(points=None)
    scored = Filters(player=cyril, scored="computed")
    assert not deals.find_ids(scored, EVERYBODY, "stored", 9), "he sat out"


def test_a_clause_was_broken_in_a_deal_that_is_illegal_or_incomplete(archive, monkeypatch) -> None:
    illegal = archive["illegal"].deal
    monkeypatch.setattr("archive.reading.filters.MOST_CITING", 0)
    for verdict, number in (("illegal", 1), ("incomplete", 1), ("verified", 0)):
        Deal.objects.filter(pk=illegal.pk).update(verdict=verdict)
        broken = Filters(clause=illegal.clauses, effect="broken")
        found = [len(deals.find_ids(broken, EVERYBODY, order, 9)) for order in ("stored", "played")]
        assert found == [number, number], verdict
        assert deals.find_ids(Filters(clause=illegal.clauses), EVERYBODY, "stored", 9) == [illegal.pk]


def test_a_number_of_deals_is_that_of_those_a_viewer_may_see(archive, ada) -> None:
    """Of seven records, two are of one deal. The stored sums know the numbers of all and of a player."""
    for most, number in ((7, 6), (6, None)):
        assert deals.count(Filters(kind="played"), EVERYBODY, most) == number
    Contribution.objects.filter(deal=archive["old"].pk).update(visibility="members")
    cleo, zora = Player.objects.get(name="Cleo"), Player.objects.get(name="Zora")
    players.merge(zora, cleo)
    settling.settle()
    member = access.viewer(ada)
    for filters, public, whole in (
        ({}, 5, 6), ({"game": "strohmann"}, 1, 1), ({"game": "taroky"}, 4, 5), ({"verdict": "illegal"}, 1, 1),
        ({"player": cleo}, 2, 3), ({"player": zora.pk}, 2, 3), ({"player": cleo, "game": "taroky"}, 1, 2),
        ({"player": 10**9}, 0, 0),
    ):  # fmt: skip
        found = [deals.count(Filters(**filters), viewer, 99) for viewer in (EVERYBODY, member)]
        assert found == [public, whole], filters


def test_losses_are_searched_by_the_player_and_members_of_their_club(archive, ada) -> None:
    alena = Player.objects.get(name="Alena")
    viewers = {
        "stranger": Viewer(1, roles={0: "owner"}, players=frozenset([0])),
        "player": Viewer(1, players=frozenset([alena.pk])),
        "member": Viewer(1, roles={alena.space_id: "member"}),
        "operator": Viewer(1, operator=True),
    }
    for filters, may in (
        ({}, "stranger player member operator"),
        ({"player": alena}, "player member operator"),
        ({"player": alena.pk, "with_players": ("Dana",)}, "operator"),
        ({"player": alena.pk, "with_player": alena.pk}, "operator"),
        ({"with_players": ("Alena",)}, "operator"),
        ({"with_player": alena.pk}, "operator"),
        ({"player": "Alena"}, "operator"),
        ({"player": "Alena", "space": alena.space_id}, "member operator"),
    ):
        asked = Filters(lost_from=1, **filters)
        assert {who for who in viewers if asked.may_be_used_by(viewers[who])} == set(may.split()), filters
        assert Filters(**filters).may_be_used_by(EVERYBODY)


@pytest.mark.storage
def test_counts_scores_and_points_by_game(archive, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        counts = statistics.count_archive()
    by_verdict = {"verified": 1, "illegal": 1, "incomplete": 4}
    assert counts == statistics.Counts(6, 13, 4, {"taroky": 5, "strohmann": 1}, by_verdict)
    with django_assert_num_queries(len(GAMES)):
        rows = list(scores.player_scores())
    assert [(row.place, row.name, row.deals, row.total) for row in rows] == [
        *((1, name, 1, 105) for name in ("Alena", "Anna", "Dana", "Dana")),
        *((5, name, 1, -105) for name in ("Bořek", "Bořek", "Cyril", "Cyril")),
    ], "Ada's players and Ben's, each her own and his own"
    assert rows[0].person == Player.objects.get(name="Alena").pk
    alena = Player.objects.get(name="Alena")
    with django_assert_num_queries(1):
        by_game = list(statistics.by_game(alena))
    assert by_game == [{"game": "taroky", "deals": 1, "total": 105, "rules": Rules("taroky")}]
    assert list(statistics.by_game(Player.objects.get(name="Zora"))) == []


@pytest.mark.storage
def test_scores_follow_the_filters(archive, ada) -> None:
    dana = Player.objects.get(name="Dana", space=spaces.own(ada))
    for player in (dana, dana.pk):
        assert [row.person for row in scores.player_scores(Filters(player=player))] == [dana.pk]
    assert [row.name for row in scores.player_scores(Filters(player="dANA"))] == ["Dana"] * 2
    of_ada = Filters(player="dANA", space=spaces.own(ada).pk)
    assert [row.person for row in scores.player_scores(of_ada)] == [dana.pk]
    for nothing in (
        Filters(player="Anna", space=spaces.own(ada).pk), Filters(game="strohmann"),
        Filters(date_to=date(2026, 11, 19)), Filters(verdict="illegal"),
    ):  # fmt: skip
        assert not scores.player_scores(nothing)
    fitting = Filters(session="2026-11-20 table 2", game="taroky", verdict="verified")
    assert len(scores.player_scores(fitting)) == 4
    assert len(scores.player_scores(Filters(verdict="disputed"))) == 4


def test_players_with_their_numbers_of_deals(archive, ada, ben, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        players = list(player_page())
        counts = deal_counts(players)
        rows = [(player.name, player.space.user_id, counts[player.pk]) for player in players]
    names = [name for name, *_ in rows]
    assert names == sorted(names)
    found = {(name, user): number for name, user, number in rows}
    assert [found[name, ada.pk] for name in ("Alena", "Ada", "Dana")] == [4, 2, 3]
    assert [found[name, ben.pk] for name in ("Anna", "Dana")] == [1, 1]
    assert [player.name for player in find_players("LEN")] == ["Alena"]
    assert get_player(Player.objects.get(name="Ada").pk).name == "Ada"
    with pytest.raises(Player.DoesNotExist):
        get_player(0)
