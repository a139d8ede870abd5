"""Players of a space: called otherwise, one under several names, one again each for himself, and hidden."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive.access import Viewer
from archive.models import Contribution, Deal, Member, Player, Seat, Session, Space
from archive.publishing import dumps, export
from archive.reading import deals, sessions, statistics, uploads
from archive.reading.filters import Filters
from archive.reading.players import deal_counts, find_players, get_player, is_player
from archive.reading.scores import player_scores
from archive.storing import corrections, spaces
from archive.storing.players import (
    AnotherSpace,
    AtOneTable,
    merge,
    rename,
    set_pseudonym,
    this_is_me,
    unmerge,
)
from archive.storing.spaces import NameTaken
from tarock.games import GAMES
from tarock.notation import dump_json, read_one
from tarock.notation.limits import MAX_TEXT
from tests.support import samples, settling, storing
from tests.support.storing import shown, stored

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ada(stored_once: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture(scope="module")
def club(ada: User) -> Space:
    """Taroky is played by Alena, Bořek, Cyril, Dana; in other deals Ada and Eva play, too."""
    club = spaces.found_club("Tarok", by=ada)
    texts = [samples.TAROKY]
    for n, name in enumerate(("Ada", "Eva", "Alena")):
        texts.append(samples.dealt(n, players=(name, "X", "Y", "Z"), Session="Night"))
    stored(*texts, space=club)
    for name, points in (("Ada", 1), ("Eva", 2), ("Alena", 4)):  # by hand: this is about adding up
        said = Contribution.objects.filter(session__name="Night", seats__player__name=name)
        Seat.objects.filter(contribution__in=said).update(points=0)
        Seat.objects.filter(contribution__in=said, seat="A").update(points=points)
    Contribution.objects.filter(session__name="Night").update(verdict="verified")
    Deal.objects.update(verdict="verified")
    settling.settle()
    return club


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def scores() -> dict[str, tuple[int, int]]:
    settling.settle()
    others = ("X", "Y", "Z", "Bořek", "Cyril", "Dana")
    return {row.name: (row.deals, row.total) for row in player_scores() if row.name not in others}


def places(table: sessions.SessionTable) -> list[sessions.Standing]:
    return list(chain.from_iterable(table.standings.values()))


def heads() -> dict[str, str]:
    found = Player.objects.select_related("same_as")
    return {one.name: one.head.name for one in found if one.name != one.head.name}


def state() -> list[tuple[Any, ...]]:
    """Return all stored data of players except sums, and the seats."""
    names = [one.name for one in Player._meta.concrete_fields if one.name not in Player.FIGURES]
    seats = Seat.objects.order_by("contribution", "seat").values_list("contribution", "seat", "player")
    members = Member.objects.order_by("pk").values_list()
    return [*Player.objects.order_by("pk").values_list(*names), *seats, *members]


def test_a_new_name_may_make_a_record_longer_than_one_that_is_sent(club, ada, tmp_path) -> None:
    space = spaces.found_club("Long names", by=ada)
    text = samples.as_text(samples.simulated("taroky", 4))
    while (missing := MAX_TEXT - len(text.encode())) > 100:
        text += "{ " + "x" * min(missing - 5, 1990) + " }\n"
    stored(text, space=space)
    rename(Player.objects.filter(space=space)[0], "A" * 200)
    (deal,) = deals.iter_deals(Filters(space=space.pk), without=())
    assert len(deal.canonical.encode()) > MAX_TEXT
    assert deal.checked.verdict == "verified"
    assert read_one(b"".join(export.tgn([deal]))) == deal.record
    (month,) = dumps.write(tmp_path, current=True)
    assert month.records == Deal.objects.count()


def test_a_new_name_is_shown_and_the_old_one_still_counts(club) -> None:
    alena = player("Alena")
    rename(alena, "Helena")
    assert alena.name == "Helena"
    assert scores()["Helena"] == (2, 109)
    assert len(storing.deals(Filters(player="Helena"))) == 2
    assert len(storing.deals(Filters(player="alena"))) == 2, "he is found by the old name, too"
    assert [one.pk for one in find_players("Alena")] == [alena.pk]
    stored(samples.dealt(7, players=("Alena", "X", "Y", "Z")), space=club)
    settling.settle()
    assert list(deal_counts(find_players("Helena")).values()) == [3]
    assert not [one for one in find_players() if one.name == "Alena"]
    deal = shown(Deal.objects.latest("pk"))
    assert (deal.players["A"], deal.record.players["A"]) == ("Helena", "Helena")
    assert get_player(Player.objects.get(name="Alena").pk) == alena
    again = stored(samples.TAROKY, samples.TAROKY.replace("Alena", "Helena"), space=club)
    assert [result.differs for result in uploads.results_of(again)] == [(), ()]


@pytest.mark.storage
def test_a_name_or_pseudonym_that_is_taken_in_the_club_is_refused(club, ben) -> None:
    set_pseudonym(player("Eva"), "E.")
    alena, before = player("Alena"), state()
    for change, names in ((rename, ("Ada", "Bořek", "E.")), (set_pseudonym, ("Ada", "E."))):
        for name in names:
            with pytest.raises(NameTaken):
                change(alena, name)
            assert (state(), alena.name) == (before, "Alena"), name
    rename(alena, "Alena")
    assert state() == before
    set_pseudonym(player("Eva"), "Eva")
    other = spaces.found_club("Other", by=ben)
    stored(samples.dealt(40, players=("Helena", "P", "Q", "R")), space=other)
    rename(player("Alena"), "Helena")
    assert Player.objects.filter(name="Helena").count() == 2, "the names of another club are free"
    rename(player("Bořek"), "BOREK")
    assert find_players("bořek").get().name == "BOREK"


@pytest.mark.parametrize("used", [False, True], ids=["not used meanwhile", "used meanwhile"])
def test_there_and_back(used: bool, club) -> None:
    alena = player("Alena")
    rename(alena, "Helena")
    if used:
        stored(samples.dealt(7, players=("Alena", "X", "Y", "Z")), space=club)
    rename(alena, "Alena")
    settling.settle()
    assert (alena.head.name, heads()) == ("Alena", {"Helena": "Alena"})
    assert (alena.head == alena) != used, "records keep the name that they were sent with"
    assert list(deal_counts(find_players("Helena")).values()) == [2 + used]
    assert scores()["Alena"] == (2, 109)


def test_another_name_stands_for_the_person(club) -> None:
    """Whoever renames or hides an alias, renames or hides the person."""
    merge(player("Ada"), player("Eva"))
    rename(player("Ada"), "Eva Nová")
    assert heads() == {"Ada": "Eva Nová", "Eva": "Eva Nová"}
    set_pseudonym(player("Ada"), "E.")
    assert {player(name).display_name for name in ("Ada", "Eva", "Eva Nová")} == {"E."}
    assert not Player.objects.filter(same_as__same_as__isnull=False).exists()


def test_two_become_one(club, ada) -> None:
    mine = Member.objects.get(space=club)
    this_is_me(mine, player("Ada"))
    merge(player("Ada"), player("Eva"))
    assert scores() == {"Alena": (2, 109), "Eva": (2, 3)}
    for filters in (Filters(player="ada"), Filters(player="ada", seats=4)):
        assert [(row.name, row.total) for row in player_scores(filters)] == [("Eva", 3)]
    assert [one.name for one in find_players("ada")] == ["Eva"]
    assert list(deal_counts(find_players("ada")).values()) == [2]
    assert [row["deals"] for row in statistics.by_game(player("Eva"))] == [2]
    table = sessions.session_table(Session.objects.get(name="Night"))
    assert [one.name for one in table.players] == ["Eva", "X", "Y", "Z", "Alena"]
    assert {row.player.name: row.total for row in places(table) if row.total} == {"Eva": 3, "Alena": 4}
    assert {deal.players["A"] for deal in storing.deals(Filters(player=player("Ada")))} == {"Eva"}
    mine.refresh_from_db()
    assert mine.player.head == player("Eva")
    this_is_me(mine, player("Ada"))
    assert mine.player == player("Eva")
    assert statistics.count_archive().players == len(find_players()) == 8


@pytest.mark.storage
def test_a_chain_and_its_undoing_step_by_step(club) -> None:
    this_is_me(Member.objects.get(space=club), player("Ada"))
    separate = state()
    merge(player("Ada"), player("Eva"))
    one_step = state()
    for one, other in (("Ada", "Eva"), ("Eva", "Ada"), ("Eva", "Eva"), ("Ada", "Ada")):
        merge(player(one), player(other))
    unmerge(player("Eva"))
    assert state() == one_step, "what is one already stays so, and who is nobody's other name is his own"
    merge(player("Eva"), player("Alena"))
    assert (heads(), scores()) == ({"Ada": "Alena", "Eva": "Alena"}, {"Alena": (4, 112)})
    unmerge(player("Eva"))
    assert (state(), scores()) == (one_step, {"Alena": (2, 109), "Eva": (2, 3)})
    unmerge(player("Ada"))
    assert state() == separate
    assert scores() == {"Alena": (2, 109), "Eva": (1, 2), "Ada": (1, 1)}
    # Ada is merged by another name and comes with all of it; then one of the chain leaves alone.
    merge(player("Ada"), player("Eva"))
    merge(player("Ada"), player("Alena"))
    assert heads() == {"Ada": "Alena", "Eva": "Alena"}
    unmerge(player("Ada"))
    assert (heads(), scores()) == ({"Eva": "Alena"}, {"Alena": (3, 111), "Ada": (1, 1)})
    unmerge(player("Eva"))
    # Renamed after being merged, and parted.
    merge(player("Ada"), player("Eva"))
    rename(player("Eva"), "Ada")
    assert heads() == {"Eva": "Ada"}, "known by the other of his names"
    assert scores()["Ada"] == (2, 3)
    unmerge(player("Eva"))
    assert scores() == {"Alena": (2, 109), "Eva": (1, 2), "Ada": (1, 1)}
    # Everyone who came by way of another leaves with them: Ada, called Adele now, with Eva, and Eva with X.
    merge(player("Ada"), player("Eva"))
    merge(player("Eva"), player("Alena"))
    assert scores() == {"Alena": (4, 112)}


def test_two_who_sat_at_one_table_or_are_of_two_spaces_are_two(club, ada) -> None:
    """Alena and Bořek played a deal together, whatever other names they have."""
    merge(player("Ada"), player("Alena"))
    for session in ("2026-11-20 table 2", "Later"):
        before = state()
        for one, other in (("Alena", "Bořek"), ("Bořek", "Alena"), ("Ada", "Bořek")):
            with pytest.raises(AtOneTable) as met:
                merge(player(one), player(other))
            assert met.value.contribution.session.name == session, "the latest"
        assert state() == before
        stored(samples.dealt(8, players=("Alena", "Bořek", *"YZ"), Session="Later"), space=club)
    stored(samples.dealt(9, players=("Ferda", *"PQR")), user=ada)
    for one, other in (("Ferda", "Eva"), ("Eva", "Ferda")):
        with pytest.raises(AnotherSpace):
            merge(player(one), player(other))
    with pytest.raises(AnotherSpace):
        this_is_me(Member.objects.get(space=club), player("Ferda"))


def test_a_correction_leaves_the_names_of_one_person(club, ada) -> None:
    """The written names stay, so that a merge can be undone."""
    merge(player("Alena"), player("Eva"))
    said = Contribution.objects.get(deal__clauses__contains="taroky", session__name="2026-11-20 table 2")
    other = samples.TAROKY.replace("Alena", "Eva").replace("Bořek", "Bořivoj")
    assert corrections.correct(said, read_one(other), by=ada) == ["players"]
    names = [seat.player.name for seat in Contribution.objects.get(pk=said.pk).seats.all()]
    assert names == ["Alena", "Bořivoj", "Cyril", "Dana"]


def everything_visible(viewer: Viewer) -> str:
    """All that selectors hand out with names, as one text."""
    settling.settle()
    found: list[object] = []
    for deal in storing.deals(viewer=viewer):
        whole = deals.get_deal(deal.pk, viewer)
        found += [deal.players, whole.canonical, dump_json(whole.record), whole.record]
        found += [one.record(read_one(whole.deal.text)) for one in deals.contributions_to(whole.pk, viewer)]
        found += corrections.history(whole.contribution)
    found += [(str(one), one.display_name) for one in find_players(viewer=viewer)]
    found += [row.name for row in player_scores(viewer=viewer)]
    for session in sessions.find_sessions(viewer):
        table = sessions.session_table(session, viewer=viewer)
        found += [str(one) for one in table.players] + [str(row.player) for row in places(table)]
    return repr([str(one) for one in found])


@pytest.mark.storage
def test_a_pseudonym_is_shown_everywhere_in_place_of_the_names(club, ada) -> None:
    said = storing.deals(Filters(player="Alena", session="2026-11-20 table 2"))[0].contribution
    corrections.correct(said, read_one(samples.TAROKY.replace("Bořek", "Bořivoj")), by=ada)
    merge(player("Ada"), player("Alena"))
    own = Viewer(ada.pk, roles={club.pk: "owner"})
    set_pseudonym(player("Alena"), "Mme Λ")
    for viewer in (Viewer(), own):
        text = everything_visible(viewer)
        assert "Mme Λ" in text
        assert not [name for name in ("Alena", "Ada") if name in text]
        for name in ("alena", "Ada"):
            assert not storing.deals(Filters(player=name), viewer)
            assert not find_players(name, viewer=viewer)
            assert not player_scores(Filters(player=name), viewer)
        assert len(storing.deals(Filters(player="MME λ"), viewer)) == 3
    assert not is_player("Alena")
    stored(samples.dealt(20, players=("Alena", *"XYZ")), space=club)
    assert "Alena" not in everything_visible(own), "nor what comes later"
    rename(player("Alena"), "Helena")
    assert "lena" not in everything_visible(own)
    assert not is_player("Helena")
    set_pseudonym(player("Helena"), "")
    assert "Mme" not in everything_visible(own)
    assert len(storing.deals(Filters(player="ada"))) == 4


def test_what_was_given_out_under_a_pseudonym_comes_back_as_the_same(club, ada) -> None:
    set_pseudonym(player("Alena"), "Mme Λ")
    before = state()
    deal = deals.get_deal(storing.deals(Filters(session="2026-11-20 table 2"))[0].pk)
    assert '[A "Mme Λ"]' in deal.canonical
    assert uploads.results_of(stored(deal.canonical, space=club))[0].differs == ()
    assert corrections.correct(deal.contribution, read_one(deal.canonical), by=ada) == []
    changed = deal.canonical.replace('[Deal "7"]', '[Deal "8"]')
    assert corrections.correct(deal.contribution, read_one(changed), by=ada) == ["number"]
    stored(samples.dealt(30, players=("Mme Λ", *"XYZ")), space=club)
    number = Player.objects.count()
    assert state()[:number] == before[:number], "nobody new"
    settling.settle()
    assert list(deal_counts(find_players("mme")).values()) == [3]


@pytest.mark.parametrize("into", ["Eva", "Ada"])
def test_merging_never_brings_a_hidden_name_to_light(into: str, club) -> None:
    set_pseudonym(player("Ada"), "A.")
    before = state()
    merge(player({"Eva": "Ada", "Ada": "Eva"}[into]), player(into))
    shown = everything_visible(Viewer())
    assert not [name for name in ("Ada", "Eva") if name in shown]
    assert scores() == {"Alena": (2, 109), "A.": (2, 3)}
    unmerge(player("Eva"))
    assert state() == before
    set_pseudonym(player("Eva"), "E.")
    merge(player({"Eva": "Ada", "Ada": "Eva"}[into]), player(into))
    assert player("Ada").display_name == player("Eva").display_name == f"{into[0]}.", "if both are hidden"


def test_a_new_display_name_replaces_the_old_one_where_a_person_has_two_seats(club) -> None:
    """Nobody knows which of the two seats was theirs, so these have only a name."""
    stored(samples.dealt(40, players=("Ada", "Ada", "Y", "Z")), space=club)

    def names() -> set[str]:
        return set(Seat.objects.filter(player=None).values_list("name", flat=True))

    assert names() == {"Ada"}
    set_pseudonym(player("Eva"), "E.")
    merge(player("Ada"), player("Eva"))
    assert names() == {"E."}
    unmerge(player("Ada"))
    assert names() == {"E."}, "whose seats these were is not known any more"
    set_pseudonym(player("Eva"), "")
    assert names() == {"Eva"}
    rename(player("Eva"), "Evelina")
    assert names() == {"Evelina"}


def test_a_list_of_players_costs_one_query_however_they_are_called(club, django_assert_num_queries) -> None:
    merge(player("Ada"), player("Eva"))
    set_pseudonym(player("Eva"), "E.")
    settling.settle()
    with django_assert_num_queries(1):
        players = list(find_players())
        counts = deal_counts(players)
        found = [(one.display_name, counts[one.pk], one.space.name) for one in players]
    assert ("E.", 2, "Tarok") in found
    with django_assert_num_queries(len(GAMES)):
        list(player_scores())
    session = sessions.get_session(Session.objects.get(name="Night").pk)
    with django_assert_num_queries(4):
        table = sessions.session_table(session)
        assert "E." in {str(row.player) for row in places(table)}
