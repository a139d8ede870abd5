"""Sums equal their rows: every change marks them, and any process recomputes them at any time."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from archive.access import EVERYBODY, Viewer
from archive.models import Cell, Contribution, Deal, Mark, Player, Seat, Session, Tally, Total
from archive.reading.filters import Filters
from archive.reading.paging import Step
from archive.reading.players import player_page
from archive.reading.scores import Choice, player_scores
from archive.reading.sessions import find_sessions
from archive.reading.statistics import count_archive
from archive.reading.years import club_year
from archive.storing import corrections, removal, spaces, sums, sums_check
from tests.archive.test_results import result
from tests.archive.test_sheets import sheet
from tests.support import samples
from tests.support.storing import deal_of, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def marked() -> set[tuple[str, int]]:
    return set(Mark.objects.values_list("kind", "number"))


def test_every_change_marks_what_it_touches_and_nothing_else_is_marked(ada: Any) -> None:
    club = spaces.found_club("Tarok", by=ada)
    deal = deal_of(samples.dealt(1, Session="Night", Date="2026-01-02"), space=club)
    night = ("evening", Session.objects.get().pk)
    block = ("deals", deal.pk // Tally.BLOCK)
    assert (marked(), sums.settle()) == ({night, block}, 2)
    assert (marked(), sums.settle()) == (set(), 0)
    row = Contribution.objects.filter(deal=deal.pk)
    day = ("evening", sums.evening_of_day(club.pk, date(2026, 1, 2)))
    one, other = Player.objects.order_by("pk")[:2]
    changes = [
        (lambda: row.update(feed_number=99, site="Graz"), set()),
        (lambda: row.update(visibility="members"), {night, block}),
        (lambda: Seat.objects.filter(seat="A").update(points=7), {night, block}),
        (lambda: Deal.objects.update(declarer="B"), {night, block}),
        (lambda: row.update(session=None), {night, day, block}),
        (lambda: row.update(played_on=None), {day, ("evening", sums.evening_of_day(club.pk, None)), block}),
        (
            lambda: Player.objects.filter(pk=one.pk).update(same_as=other),
            {("player", pk) for pk in (one.pk, other.pk)},
        ),
        (lambda: corrections.set_visibility(row.get(), "withdrawn", by=None), None),
        (lambda: removal.purge(timezone.now()), None),
    ]
    for change, expected in changes:
        change()
        assert expected is None or marked() == expected
        sums.settle()
        assert list(sums_check.check()) == []
    for model in (Cell, Total, Tally):
        assert not model.objects.exists()


def row(name: str, choice: Choice, viewer: Viewer = EVERYBODY, **filters: Any) -> tuple[int, ...]:
    """A player's deals, evenings and points, and how many deals and points of these are only stated."""
    (one,) = [one for one in player_scores(Filters(**filters), viewer, choice) if one.name == name]
    return one.deals, one.evenings, one.total, one.stated_deals, one.stated_points


def test_cards_sheets_results_and_totals_count_as_one_chooses(ada: Any) -> None:
    """Alena: cards 10 (of the session First), sheet 25 (June 7), result −3 (June 8), and −8 of the total of
    the evening May, of 24 deals, whose sheet gives her 30. The total of a hidden evening says 100."""
    club = spaces.found_club("Tarok", by=ada)
    own = Viewer(ada.pk, roles={club.pk: "member"})
    names = ("Alena", "Bob", "Cyril", "Dana")
    deal = deal_of(samples.dealt(1, players=names, Session="First", Date="2026-01-09"), space=club)
    Deal.objects.filter(pk=deal.pk).update(verdict="verified")
    deal.deal.contributions.update(verdict="verified")
    Seat.objects.filter(contribution__deal=deal.pk).update(points=0)
    Seat.objects.filter(contribution__deal=deal.pk, seat="A").update(points=10)
    may = sheet(65, 1).replace("June", "May")
    stored(sheet(60, 7), result('result -3 "Alena"\nresult 3 "Bob"\n', 8), may, space=club)
    total = result('result -8 "Alena"\nresult 8 "Bob"\n', None, Played="24").replace("June", "May")
    stored(total, space=club)
    hidden = result('result 100 "Alena"\nresult -100 "Bob"\n', None).replace("June", "July")
    stored(hidden, sheet(60, 2).replace("June", "July"), space=club, visibility="members")
    expected = [
        # deals, evenings, points, and of these stated: deals, points
        (EVERYBODY, "verified", (1, 1, 10, 0, 0)),
        (EVERYBODY, "computed", (3, 3, 10 + 25 + 30, 0, 0)),
        (EVERYBODY, "all", (1 + 2 + 24, 3, 10 + 25 - 3 - 8, 25, -3 - 8)),
        (own, "computed", (4, 4, 10 + 25 + 30 + 25, 0, 0)),
        (own, "all", (1 + 2 + 24 + 1, 4, 10 + 25 - 3 - 8 + 100, 26, -3 - 8 + 100)),
    ]
    sums.settle()
    for viewer, count, figures in expected:
        choice = Choice(count=count)
        assert row("Alena", choice, viewer) == figures
        assert row("Alena", Choice(count=count, best=99), viewer) == figures, "from cells"
        assert row("Alena", choice, viewer, since=timezone.now() - timedelta(days=1)) == figures, "from seats"
    # Cyril is not in the total of May, so the sheet of that evening counts for him: 65 − 35 = 30 lost.
    assert row("Cyril", Choice(count="all")) == (3, 3, 0 - 25 - 30, 0, 0)
    assert list(sums_check.check()) == []
    # A year of the club has an evening with a result alone, but none with a deal that breaks off. Its deals
    # are cards, three sheets and two results, and players have the deals that totals state.
    alone = result('result 1 "Emil"\nresult -1 "Bob"\n', 3).replace("June", "August")
    stored(alone, samples.BROKEN_OFF, space=club)
    before = list(Contribution.objects.values("pk", "played_on", "date"))
    Contribution.objects.update(played_on=date(2026, 5, 1), date="2026-05-01")
    sums.settle()
    year = club_year(club, own, 2026, "en")
    assert (year.evenings, year.deals) == (5, 6)
    assert year.players[:2] == [("Bob", 29), ("Alena", 28)]
    for row_before in before:
        Contribution.objects.filter(pk=row_before.pop("pk")).update(**row_before)
    # The evening of May no longer has a total, so that its sheet counts: 25 − 3 + 30 + 10.
    corrections.set_visibility(
        Contribution.objects.get(session__name="May", number=None), "withdrawn", by=None
    )
    sums.settle()
    assert row("Alena", Choice(count="all")) == (4, 3, 10 + 25 - 3 + 30, 1, -3)


def test_points_of_any_size_are_added_up(ada: Any) -> None:
    club = spaces.found_club("Tarok", by=ada)
    stored(*(result(f'result {10**9} "Alena"\n', number) for number in range(1, 5)), space=club)
    sums.settle()
    for choice in (Choice(count="all"), Choice(count="all", best=1)):
        assert row("Alena", choice) == (4, 1, 4 * 10**9, 4, 4 * 10**9)
    assert list(player_scores()) == []


def test_no_more_seats_are_added_up_than_a_page_can_wait_for(monkeypatch: Any) -> None:
    monkeypatch.setattr("archive.reading.scores.MOST", 1)
    stored(*(samples.dealt(seed, Event="Cup") for seed in range(2)))
    Contribution.objects.update(verdict="verified")
    Seat.objects.update(points=1)
    found = player_scores(Filters(event="cup"))
    assert ({one.deals for one in found}, found.is_partial) == ({1}, True)


IN_ENGLISH = ["Åse", "Bäbi", "Bořek", "Chrudoš", "Cyril", "Ödön", "Šimon", "Søren", "Žaneta"]
IN_CZECH = [
    "Åse", "Bäbi", "Bořek", "Cyril", "Čeněk", "Dana", "Hynek", "Chrudoš",
    "Simon", "Šimon", "Zoe", "Žaneta",
]  # fmt: skip


@pytest.mark.parametrize(("languages", "names"), [(("en", "de", "ja"), IN_ENGLISH), (("cs",), IN_CZECH)])
def test_players_stand_as_a_reader_of_the_language_sorts_them(languages: Any, names: list[str]) -> None:
    around = [*reversed(names), *names]
    stored(*[samples.dealt(n, players=around[n : n + 4]) for n in range(len(names))])
    sums.settle()
    for _again in range(2):
        for language in languages:
            assert [player.name for player in player_page("", language)] == names
        Player.objects.update(sort_name=None, sort_name_cs=None)
        assert sums.fill_sort_names() == len(names)


def test_lists_go_on_from_a_row_in_both_directions(ada: Any) -> None:
    club = spaces.found_club("Tarok", by=ada)
    days = ("2025-01-01", "2025-12-31", "2025-12-31", "", "2025-02-01")
    for number, day in enumerate(days):
        names = (f"Č{number}", f"b{number}", "X", "Y")
        tags = {"Date": day} if day else {}
        stored(samples.dealt(number, players=names, Session=f"S{number}", **tags), space=club)
    Contribution.objects.filter(session__name="S4").update(visibility="members")
    sums.settle()
    member = Viewer(ada.pk, roles={club.pk: "member"})
    other = Viewer(roles={spaces.guest().pk: "owner"})
    public, every = ["S2", "S1", "S0", "S3"], ["S2", "S1", "S4", "S0", "S3"]
    for viewer, expected in ((Viewer(), public), (other, public), (member, every)):
        assert [one.name for one in find_sessions(viewer, year=2025)] == expected[:-1], "not the undated one"
        assert not find_sessions(viewer, year=2026)
        for space in (None, club.pk):
            whole = find_sessions(viewer, space)
            assert [one.name for one in whole] == expected
            _walk(lambda step, v=viewer, s=space: find_sessions(v, s, step, 2), whole)
        for language in ("en", "cs"):
            whole = player_page(language=language, viewer=viewer)
            names = [one.name for one in whole]
            assert names == sorted(names, key=lambda name: name.replace("Č", "c").lower())
            _walk(lambda step, v=viewer, la=language: player_page("", la, v, step, 3), whole)
    assert count_archive().sessions == 4


def _walk(page: Any, whole: Any) -> None:
    """From page to page to the end, and back."""
    ids, found, step = [one.pk for one in whole], [], Step()
    while True:
        here = page(step)
        assert (here.previous is None) == (not found)
        found += [one.pk for one in here]
        if here.next is None:
            break
        step = Step(after=here.next)
    assert found == ids
    back = [one.pk for one in here]
    while here.previous is not None:
        here = page(Step(before=here.previous))
        back = [one.pk for one in here] + back
    assert back == ids
