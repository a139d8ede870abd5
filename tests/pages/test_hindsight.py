"""Hindsight is shown where all cards are open and the end is known, and nowhere else."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.contrib.auth.models import User

from archive.models import Contribution, Hindsight, HindsightSpan, Member, Seat, Space
from archive.reading import hindsight as reading
from archive.storing import hindsight, queue, spaces
from tarock.analysis import hindsight as engine
from tests.support import samples
from tests.support.storing import deal_of

from .conftest import present

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

WORDS = 'id="hindsight"'
MARK = 'class="cost"'


@pytest.fixture(autouse=True)
def few_tricks(monkeypatch) -> None:
    monkeypatch.setattr(queue, "send", lambda *_: None)
    monkeypatch.setattr(engine, "TRICKS", 5)


@pytest.fixture
def club(owner: User) -> Space:
    return spaces.found_club("Tarok", by=owner)


def analysed(text: str = samples.TAROKY, **how: object) -> int:
    deal = deal_of(text, **how)
    hindsight.cover()
    hindsight.compute(deal.pk // HindsightSpan.DEALS)
    return deal.pk


def page(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.text


def test_pages_with_all_cards_and_the_end_show_what_cards_cost(client) -> None:
    pk = analysed()
    losses = Hindsight.objects.get(pk=pk).read("taroky").losses
    assert losses
    for name in ("", "audit/", "replay/"):
        shown = page(client, f"/deals/{pk}/{name}")
        assert WORDS in shown
        assert "What is hindsight?" in shown
        assert shown.count("data-turning") >= len([loss for loss in losses if loss.rank])
        assert (MARK in shown) == (name == "replay/")
    assert "Hindsight" in page(client, f"/deals/{pk}/print/")
    frames = client.get(f"/deals/{pk}/frames.json").json()
    assert WORDS in frames["chart"]
    assert frames["moves"].count(MARK) == len(losses)
    assert WORDS not in frames["hidden"]["chart"]
    assert MARK not in frames["hidden"]["moves"]
    # No view that hides cards or the end shows it.
    queries = ("view=B", "hands=none", "spoilers=off", "view=B&guess=1", "view=B&hands=all&spoilers=off")
    for query, place in product(queries, ("replay/?step=40", "replay/?step=999", "frames.json?step=999")):
        shown = client.get(f"/deals/{pk}/{place}&{query}").text
        assert present(shown, "hindsight", "Hindsight", MARK.replace('"', '\\"'), MARK) == [], (query, place)


def test_what_was_not_calculated_says_why(client) -> None:
    waiting = deal_of(samples.TAROKY)
    assert "Not calculated. It will be calculated soon." in page(client, f"/deals/{waiting.pk}/")
    (misere,) = samples.simulated("grosstarock", 3)
    alone = deal_of(samples.as_text([misere]))
    assert "best play is not defined" in page(client, f"/deals/{alone.pk}/")
    illegal = deal_of(samples.ILLEGAL_BID)
    assert WORDS not in page(client, f"/deals/{illegal.pk}/")


def test_a_club_can_show_none(client, owner: User, club: Space) -> None:
    pk = analysed(space=club, user=owner)
    assert WORDS in page(client, f"/deals/{pk}/")
    client.force_login(owner)
    fields = {"action": "club", "name": "Tarok", "place": "", "hides_hindsight": "on"}
    assert client.post(f"/clubs/{club.pk}/settings/", fields).status_code == 302
    assert Space.objects.get(pk=club.pk).hides_hindsight
    for name in ("", "audit/", "replay/", "print/"):
        assert WORDS not in page(client, f"/deals/{pk}/{name}")
        assert MARK not in page(client, f"/deals/{pk}/{name}")


def test_sums_over_a_players_deals_are_for_the_player_and_their_club(
    client, owner: User, club: Space, monkeypatch
) -> None:
    monkeypatch.setattr(reading, "LEAST_DEALS", 1)
    mate, other = (User.objects.create_user(name) for name in ("mia", "otto"))
    Member.objects.create(space=club, user=mate, role="member")
    deal_of(samples.TAROKY)  # a guest's, which the player's page doesn't show
    pk = analysed(space=club, user=owner)
    found = Hindsight.objects.get(pk=pk).read("taroky")
    seat = found.losses[0].seat
    contribution = Contribution.objects.get(deal=pk, space=club)
    player = Seat.objects.get(contribution=contribution, seat=seat).player
    own = sum(loss.points for loss in found.losses if loss.seat == seat)
    for user, sees in ((owner, True), (mate, True), (other, False), (None, False)):
        client.logout()
        if user:
            client.force_login(user)
        shown = page(client, f"/players/{player.pk}/")
        assert ('id="losses"' in shown) is sees
        assert ("Dearest cards" in shown) is sees
        assert (f"/deals/{contribution.key}/replay/?step=" in shown.partition("Dearest cards")[2]) is sees
        assert (f">{own}.00<" in shown) is sees
    Space.objects.filter(pk=club.pk).update(hides_hindsight=True)
    client.force_login(mate)
    assert 'id="losses"' not in page(client, f"/players/{player.pk}/")
    Space.objects.filter(pk=club.pk).update(hides_hindsight=False)
    monkeypatch.setattr(reading, "LEAST_DEALS", 2)
    assert 'id="losses"' not in page(client, f"/players/{player.pk}/")


def test_the_page_of_an_evening_names_its_dearest_card(client, owner: User, club: Space) -> None:
    records = samples.simulated("taroky", 4, 4, seed=3)
    for record in records:
        record.tags |= {"Session": "Friday", "Date": "2026-11-20"}
    for record in records:
        analysed(samples.as_text([record]), space=club, user=owner)
    found = {row.pk: row.read("taroky").losses for row in Hindsight.objects.filter(dearest__gt=0)}
    by_cost = sorted(found, key=lambda pk: -max(loss.points for loss in found[pk]))
    costs = [max(loss.points for loss in found[pk]) for pk in by_cost]
    assert costs[0] > costs[1], "the deals have different dearest cards"
    session = Contribution.objects.get(deal=by_cost[0]).session
    where = f"/sessions/{session.pk}/"

    def dearest() -> tuple[int, int, int] | None:
        text = page(client, where).partition("The dearest card of the evening:")[2]
        found = re.search(r"/deals/(\d+)[-\d]*/replay/\?step=(\d+).*?cost (\d+)", text, re.DOTALL)
        return found and tuple(map(int, found.groups()))

    def expected(pk: int) -> tuple[int, int, int]:
        loss = max(found[pk], key=lambda loss: loss.points)
        return pk, loss.step + 1, loss.points

    assert dearest() == expected(by_cost[0])
    Contribution.objects.filter(deal=by_cost[0]).update(visibility="members")
    assert dearest() == expected(by_cost[1]), "a guest does not see the dearest one"
    client.force_login(owner)
    assert dearest() == expected(by_cost[0])
    Space.objects.filter(pk=club.pk).update(hides_hindsight=True)
    assert dearest() is None


def test_the_board_has_no_values_for_a_club_that_shows_none(client, owner: User, club: Space) -> None:
    deal = deal_of(samples.TAROKY, space=club, user=owner)
    client.force_login(owner)
    box = 'id="show-values"'
    places = [f"/deals/{deal.pk}/try/", f"/deals/{deal.pk}/board/", f"/board/?club={club.pk}"]
    for where in places:
        shown = page(client, where)
        assert box in shown
        assert 'id="what-is-hindsight"' in shown
    Space.objects.filter(pk=club.pk).update(hides_hindsight=True)
    assert [where for where in places if box in page(client, where)] == []
    assert box in page(client, "/board/")
