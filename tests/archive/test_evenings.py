"""Evenings as they are stored: one start, one winner of two phones, adoption, removal."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from archive import access
from archive.access import Viewer
from archive.models import Change, Contribution, Deal, Evening, Session, Space, Upload
from archive.reading.evenings import deals_of
from archive.storing import corrections, evenings, removal, spaces
from archive.storing.evenings import Setup
from tests.archive.changing import succeeds
from tests.archive.test_sheets import played, sheet
from tests.support.storing import deal_of, store, stored, together

pytestmark = pytest.mark.django_db

SETUP = Setup(
    name="Tuesday", game="taroky", seats=4, options=[], date=date(2026, 11, 24), place="Hlučín",
    table=["Alena", "Bob", "Cyril", "Dana"], dealer="Dana", thrown_in=[], counts_thrown_in=False,
    stake="0.10", currency="Kč", ended=False,
)  # fmt: skip


def begin(space: Space, **how: Any) -> Evening:
    evening = evenings.start(uuid.uuid4(), space, SETUP, by=how.get("by"))
    assert evening is not None
    return evening


def duty(points: int = 60) -> Mapping[str, Any]:
    """A First Duty: 60 - 35 = 25 for Alena and Dana."""
    players = dict(zip("ABCD", SETUP.table, strict=True))
    lines = [["contract", "first"], ["bidder", "A"], ["partner", "D"], ["points", "bidder", points]]
    return {"players": players, "dealer": "D", "options": [], "lines": lines}


def enter(
    evening: Evening, number: int, deal: Mapping[str, Any], base: str = "", **how: Any
) -> Upload | None:
    how = {"viewer": Viewer(roles={evening.session.space_id: "owner"}), "by": None} | how
    return evenings.enter(evening, number, evenings.read_deal(evening, number, deal), base=base, **how)


def entered(evening: Evening, number: int, deal: Mapping[str, Any], **how: Any) -> Contribution:
    upload = enter(evening, number, deal, **how)
    assert upload is not None
    evenings.check_stored(store(upload))
    return Contribution.objects.get(session=evening.session, number=number)


def points(evening: Evening) -> dict[int, Any]:
    """The card points on each sheet."""
    viewer = Viewer(roles={evening.session.space_id: "owner"})
    return {deal.n: deal.lines[-1][-1] for deal in deals_of(evening, viewer)}


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_one_key_is_one_evening_whoever_is_first() -> None:
    house, key = spaces.house(), uuid.uuid4()
    found = together(*[lambda: evenings.start(key, house, SETUP, by=None) is not None] * 2)
    assert sorted(found) == [False, True]
    assert Evening.objects.count() == Session.objects.count() == 1


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_phones_that_change_one_version_or_setup_one_wins() -> None:
    evening, viewer = begin(spaces.house()), Viewer()
    base = evenings.version(entered(evening, 1, duty(60)))
    won = together(
        *[lambda value=value: succeeds(enter, evening, 1, duty(value), base) for value in (50, 40)]
    )
    assert (sorted(won), points(evening)) == ([False, True], {1: 50 if won[0] else 40})
    assert Change.objects.count() == 1

    def change(stake: str) -> bool:
        setup = Setup(**{name: getattr(SETUP, name) for name in Setup.__slots__} | {"stake": stake})
        return succeeds(evenings.change, evening, setup, 1, viewer=viewer, by=None)

    won = together(lambda: change("1"), lambda: change("2"))
    assert sorted(won) == [False, True]
    evening.refresh_from_db()
    assert (evening.version, evening.stake) == (2, "1" if won[0] else "2")


def test_an_adopted_evening_with_a_taken_name_gets_another_with_its_deals(ada) -> None:
    own, guest = spaces.own(ada), spaces.guest()
    mine, theirs, _third = begin(own), begin(guest), begin(guest)
    entered(mine, 1, duty(60))
    entered(theirs, 1, duty(50))
    withdrawn = entered(theirs, 2, duty(40))
    viewer = Viewer(roles={guest.pk: "owner"})
    evenings.withdraw(theirs, 2, base=evenings.version(withdrawn), viewer=viewer, by=None)
    number = theirs.session_id
    assert spaces.adopt(guest, own, by=ada) == 2
    theirs = Evening.objects.get(pk=theirs.pk)
    assert (theirs.session_id, theirs.session.name) == (number, "Tuesday (3)")
    assert (theirs.session.space, theirs.made_by) == (own, ada)
    assert (points(mine), points(theirs)) == ({1: 60}, {1: 50})
    with pytest.raises(evenings.Conflict):  # a version of a sheet that is gone
        enter(theirs, 2, duty(40), base=evenings.version(withdrawn))
    # Each sheet is recognized by its place: the withdrawn one is entered again.
    assert enter(theirs, 2, duty(30)) is None
    assert (points(theirs), Deal.objects.count()) == ({1: 50, 2: 30}, 3)


def test_an_evening_goes_with_its_space_and_stays_with_its_club(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ben)
    spaces.join(spaces.invite(club, by=ben), ada)
    own, of_club = begin(spaces.own(ada), by=ada), begin(club, by=ada)
    entered(own, 1, duty())
    entered(of_club, 1, duty(50))
    removal.delete_account(ada, with_contributions=True)
    assert list(Evening.objects.values_list("pk", "made_by")) == [(of_club.pk, None)]
    assert not evenings.may_run(Evening.objects.get(), Viewer()), "nobody has started it"
    assert points(of_club) == {1: 50}
    evenings.let_friends_join(Evening.objects.get(), access.viewer(ben))
    with pytest.raises(spaces.NotEmpty):
        spaces.delete_club(club)
    empty = spaces.found_club("Empty", by=ben)
    begin(empty)
    spaces.delete_club(empty)
    assert Evening.objects.get().pk == of_club.pk, "a club without deals is deleted with its evenings"
    removal.delete_account(ben, with_contributions=False, clubs=[club.pk])
    left = Evening.objects.get()
    assert (left.session.space.kind, left.join_key) == ("own", None), "friends enter nothing there any more"


def test_the_form_shows_a_sheet_that_came_as_text_if_its_number_is_its_own() -> None:
    space = spaces.house()
    other = sheet(number=7).replace("Alena", "Eva").replace("Bob", "Fay").replace("Cyril", "Guy")
    dated = sheet(number=1).replace("[Session", '[Date "2026-06-05"]\n[Session')
    stored(sheet(number=7), other.replace("Dana", "Hal"), sheet(number=400), sheet(number=401), dated)

    def shown(number: int) -> Evening | None:
        return evenings.of_sheet(Contribution.objects.filter(space=space, number=number).earliest("pk"))

    assert shown(7) is None, "another table has a deal 7, too"
    corrections.set_visibility(Contribution.objects.filter(number=7).latest("pk"), "withdrawn", by=None)
    found = [shown(number) for number in (7, 400, 401, 1)]
    assert [one and one.date == date(2026, 6, 5) for one in found] == [False, False, None, True]
    assert found[0] == found[1]
    assert all(one.has_ended for one in found if one)
    Evening.objects.update(game="troggu")
    assert shown(7) is None


@pytest.mark.parametrize("written", ["2026-06-??", "2026-??-??", ""])
def test_a_session_whose_day_is_not_known_keeps_its_deals_in_the_form(written: str) -> None:
    space = spaces.house()
    tag = f'[Date "{written}"]\n' if written else ""
    deal = deal_of(sheet(number=1).replace("[Session", f"{tag}[Session"))
    found = evenings.of_sheet(deal.contribution)
    assert found is not None
    entered(found, 2, duty())
    stored(played(1).replace("[Session", f"{tag}[Session"))

    def change(**how: Any) -> set[tuple[str, str]]:
        evening = Evening.objects.get()
        setup = replace(evenings.setup_of(evening), **how)
        viewer = Viewer(roles={space.pk: "owner"})
        evenings.change(evening, setup, evening.version, viewer=viewer, by=None)
        rows = Contribution.objects.filter(session=evening.session_id)
        assert rows.count() == 3
        return set(rows.values_list("session__name", "date"))

    assert change(name="July") == {("July", written)}
    assert change(date=date(2026, 7, 2)) == {("July", "2026-07-02")}
    words = [one.word for one in corrections.history(deal.contribution)]
    assert words == ["date", "session", "visibility"], "it stays covered meanwhile"


@pytest.mark.storage
def test_a_guests_empty_space_waits_a_month_for_the_deals_of_its_evening() -> None:
    evening = begin(spaces.guest())
    for days, is_there in ((29, True), (31, False)):
        Space.objects.update(made_at=timezone.now() - timedelta(days=60))
        Evening.objects.update(changed_at=timezone.now() - timedelta(days=days))
        spaces.remove_abandoned()
        assert Evening.objects.filter(pk=evening.pk).exists() == is_there
    assert not Space.objects.filter(kind="guest").exists()
