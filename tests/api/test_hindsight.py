"""Hindsight: the stored losses of a deal, and the values of all cards at a step."""

from __future__ import annotations

import pytest

from archive.models import Deal, Hindsight, HindsightSpan, Player
from archive.storing import hindsight, queue, spaces
from tarock.analysis import hindsight as engine
from tarock.core.cards import CARDS
from tests.support import samples
from tests.support.storing import deal_of, secret_of

from .conftest import ApiClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(monkeypatch) -> list[int]:
    """The spans for which messages were sent."""
    sent: list[int] = []
    monkeypatch.setattr(queue, "send", lambda _task, pks, _queue: sent.extend(pks))
    monkeypatch.setattr(engine, "TRICKS", 5)
    return sent


def analysed(deal: int) -> None:
    hindsight.cover()
    hindsight.compute(deal // HindsightSpan.DEALS)


def test_stored_losses_and_values_at_a_step(reader, asked) -> None:
    deal = deal_of(samples.TAROKY)
    path = f"deals/{deal.pk}/hindsight"
    first = reader.ask(path)
    waiting = first.json()
    assert (waiting["why"], waiting["cards"], waiting["position"]) == ("waiting", [], None)
    assert asked == [deal.pk // HindsightSpan.DEALS], "opening a deal asks for it"
    reader.ask(path).json()
    assert len(asked) == 1, "but only once"
    analysed(deal.pk)
    found = reader.ask(path, headers={"If-None-Match": first["ETag"]}).json()
    events = deal.record.events
    plays = [step for step, event in enumerate(events) if event[1] == "play"][-20:]
    assert [card["step"] for card in found["cards"]] == plays
    assert found["why"] is None
    assert found["unit"] == deal.unit
    losing = [card for card in found["cards"] if card["loss"]]
    assert losing
    for card in losing[-2:]:
        position = reader.ask(f"{path}?step={card['step']}").json()["position"]
        values = position["values"]
        assert (position["seat"], position["why"]) == (card["seat"], None)
        assert values[card["best"]] == max(values.values()) == values[card["card"]] + card["loss"]
        assert {name.partition("(")[0] for name in values} <= set(CARDS)
    losses = dict.fromkeys("ABCD", 0)
    for card in losing:
        losses[card["seat"]] += card["loss"]
    (listed,) = reader.ask("deals?fields=losses").json()["results"]
    assert listed["losses"] == reader.ask(f"deals/{deal.pk}").json()["losses"] == losses
    (change,) = reader.ask("changes?fields=losses").json()["changes"]
    assert change["shown"] == {"losses": losses}
    ranks = [card["turning_point"] for card in losing if card["turning_point"]]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))


def test_positions_without_values_say_why(reader, asked) -> None:
    deal = deal_of(samples.TAROKY)
    last = len(deal.record.events)
    for step, why in ((0, "not-in-play"), (last - 48, "limit"), (last, "not-in-play")):
        position = reader.ask(f"deals/{deal.pk}/hindsight?step={step}").json()["position"]
        assert (position["values"], position["why"]) == (None, why)
    assert reader.ask(f"deals/{deal.pk}/hindsight?step={last + 1}").status_code == 404
    illegal = deal_of(samples.ILLEGAL_BID)
    assert reader.ask(f"deals/{illegal.pk}/hindsight").json()["why"] == "illegal"
    assert Deal.objects.count() == 2
    assert asked == [deal.pk // HindsightSpan.DEALS], "no worker is asked for what has no values"


def test_losses_of_a_player_are_searched_by_their_club_alone(reader, asked, alena, borek) -> None:
    club = spaces.found_club("Tarok", by=alena)
    deal = deal_of(samples.TAROKY, space=club, user=alena)
    analysed(deal.pk)
    (player,) = Player.objects.filter(space=club, name="Cyril")
    dearest = Hindsight.objects.get(pk=deal.pk).dearest
    mate, stranger = (ApiClient(secret_of(user)) for user in (alena, borek))
    for client in (reader, mate, stranger):
        for most, number in ((dearest, 1), (dearest + 1, 0)):
            assert len(client.ask(f"deals?lost_from={most}").json()["results"]) == number
        ask = f"lost_from={dearest}"
        own = 200 if client is mate else 403
        assert client.ask(f"deals?{ask}&player_id={player.pk}").status_code == own
        assert client.ask(f"deals?{ask}&player=Cyril&club={club.pk}").status_code == own
        assert client.ask(f"deals?{ask}&with_players=Cyril&club={club.pk}").status_code == own
        assert client.ask(f"deals?{ask}&player=Cyril").status_code == 403
        assert client.ask(f"scores?{ask}").status_code == 400, "they are not summed up over players"
