"""Several senders describe one deal: each contribution has its own verdict; the deal stays as it is."""

from __future__ import annotations

import pytest

from archive.models import Contribution, Deal, Player, Seat
from archive.reading import deals
from archive.reading.filters import Filters
from archive.reading.uploads import original_of, results_of
from archive.shown import ShownDeal
from archive.storing import spaces, uploads
from tests import samples, storing
from tests.storing import WHAT_IS_SENT, deal_of, everything, outcomes, shown, store, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def contributions_of(deal: ShownDeal) -> list[tuple]:
    """Return the contributions: sender, verdict, claim, first name, points of the first seat."""
    return [
        (
            one.sender.username if one.sender else None,
            one.verdict,
            one.claimed and one.claimed["A"],
            one.seats.all()[0].player.name,
            one.seats.all()[0].points,
        )
        for one in deals.contributions_to(deal.pk)
    ]


def test_a_second_senders_names_and_claim_are_his_own(ada, ben) -> None:
    deal = deal_of(samples.TAROKY, user=ada)
    unclaimed = samples.TAROKY.replace('[Score "A=105 B=-105 C=-105 D=105"]\n', "").replace("Alena", "Al")
    for text, user in ((samples.DISPUTED, ben), (unclaimed, None)):
        upload = stored(text, user=user)
        assert outcomes(upload) == ["known"]
        assert results_of(upload)[0].deal == deal.pk
    assert contributions_of(deal) == [
        ("ada", "verified", 105, "Alena", 105),
        ("ben", "disputed", 100, "Anna", 105),
        (None, "verified", None, "Al", 105),
    ]
    deal = deals.get_deal(deal.pk)
    assert (deal.verdict, deal.contribution.sender, deal.players["A"]) == ("verified", ada, "Alena")
    assert storing.deal(Filters(verdict="disputed")).contribution.sender == ben
    assert [len(storing.deals(Filters(player=name))) for name in ("Anna", "Al")] == [1, 1]


@pytest.mark.parametrize("text", [samples.ILLEGAL_BID, samples.INCOMPLETE])
def test_a_deal_without_a_score_has_no_claim_to_dispute(text: str, ada, ben) -> None:
    deal = deal_of(text, user=ada)
    stored(text.replace("A=105 B=-105 C=-105 D=105", "A=1 B=1 C=1 D=-3"), user=ben)
    assert [one[1] for one in contributions_of(deal)] == [deal.verdict] * 2
    assert [one[4] for one in contributions_of(deal)] == [None] * 2


def test_each_result_says_what_its_sender_is_told(ada, ben) -> None:
    stored(samples.TAROKY, user=ada)
    for user in (ben, None):
        for _ in range(2):
            upload = stored(samples.DISPUTED, samples.dealt(1), user=user)
            results = results_of(upload)
            assert [result.verdict for result in results] == ["disputed", "incomplete"], user
            assert [result.digest for result in results] == [
                Deal.objects.get(pk=result.deal).hex_digest for result in results
            ]
    upload = stored(samples.TAROKY, user=ada)
    assert [result.verdict for result in results_of(upload)] == ["verified"]


# --- the same space again ----------------------------------------------------------------------------------

CHANGES = {
    "players": ('[A "Alena"]', '[A "Anna"]'),
    "session": ('[Session "2026-11-20 table 2"]', '[Session "another"]'),
    "number": ('[Deal "7"]', '[Deal "8"]'),
    "date": ('[Date "2026-11-20"]', '[Date "2026-11-??"]'),
    "event": ("Hlučín club evening", "Opava club evening"),
    "site": ('[Site "Hlučín"]', '[Site "Opava"]'),
    "claim": ("A=105 B=-105 C=-105 D=105", "A=100 B=-100 C=-100 D=100"),
    "tags": ('[Deal "7"]', '[Deal "7"]\n[Referee "Zoe"]'),
    "comments": ("A bid first", "A bid first { at last }"),
}


@pytest.mark.parametrize("word", CHANGES)
@pytest.mark.parametrize("together", [False, True], ids=["later", "in one part"])
def test_a_user_who_says_otherwise_is_told_what_differs(word: str, together: bool, ada) -> None:
    other = samples.PLACED.replace(*CHANGES[word], 1)
    assert other != samples.PLACED
    if together:
        upload = stored(samples.PLACED, other, user=ada)
    else:
        stored(samples.PLACED, user=ada)
        before = everything(without=WHAT_IS_SENT)
        upload = stored(other, user=ada)
        assert everything(without=WHAT_IS_SENT) == before
    *_, last = results_of(upload)
    assert (last.outcome, last.differs, last.verdict) == ("known", (word,), "verified")
    assert results_of(upload, wrong_only=True) == [last]
    assert Contribution.objects.count() == 1
    assert not Player.objects.filter(name="Anna").exists()


def test_all_that_differs_is_named_in_order(ada) -> None:
    stored(samples.PLACED, user=ada)
    text = samples.PLACED
    for change in CHANGES.values():
        text = text.replace(*change, 1)
    upload = stored(text.replace('[Deal "8"]', '[Deal "8"]\n[Referee "Zoe"]'), user=ada)
    assert results_of(upload)[0].differs == tuple(CHANGES)


def test_the_same_in_another_form_is_the_same(ada) -> None:
    """The content counts, not the characters: other blanks, or tags in another order, make no difference."""
    stored(samples.dealt(1, Event="e", Referee="Zoe", Arbiter="Eva"), user=ada)
    for tags in ({"Arbiter": "Eva", "Referee": "Zoe", "Event": "e"}, {}):
        text = samples.dealt(1, **(tags or {"Event": "e", "Referee": "Zoe", "Arbiter": "Eva"}))
        upload = stored(text.replace("\n", " \n"), user=ada)
        assert results_of(upload)[0].differs == ()
    assert Contribution.objects.count() == 1


def test_each_space_says_one_thing(ada, ben) -> None:
    guests = [spaces.guest(), spaces.guest()]
    for _ in range(2):
        for who in ({"user": ada}, {"user": ben}, {}, *({"space": guest} for guest in guests)):
            stored(samples.TAROKY, samples.DISPUTED, **who)
    expected = [spaces.own(ada), spaces.own(ben), spaces.house(), *guests]
    assert [one.space for one in Contribution.objects.all()] == expected
    assert Seat.objects.count() == 20
    assert Player.objects.filter(name="Alena").count() == 5, "each space has its own players"
    assert not Player.objects.filter(name="Anna").exists()


def test_two_members_of_a_club_say_one_thing(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    stored(samples.TAROKY, user=ada, space=club)
    upload = stored(samples.DISPUTED, user=ben, space=club)
    assert results_of(upload)[0].differs == ("players", "claim")
    assert Contribution.objects.get().sender == ada


# --- who goes -----------------------------------------------------------------------------------------------


def test_removing_a_sender_keeps_what_he_said(ada, ben) -> None:
    upload = stored(samples.TAROKY, user=ada)
    stored(samples.TAROKY, user=ben)
    for user in (ada, ben):
        user.delete()
    upload.refresh_from_db()
    assert upload.user is None
    assert [one[0] for one in contributions_of(Deal.objects.get())] == [None, None]
    assert results_of(upload)[0].verdict == "verified"
    assert original_of(shown(Deal.objects.get()).contribution).text == samples.TAROKY


# --- replies about other senders ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("visibility", "outcome"),
    [("public", "known"), ("unlisted", "stored"), ("members", "stored"), ("withdrawn", "stored")],
)
def test_nobody_is_told_that_a_deal_is_there_which_he_may_not_see(
    visibility: str, outcome: str, ada, ben
) -> None:
    """The sender gets a new deal, from an account or a browser; users who can see the other one recognize
    it."""
    club = spaces.found_club("Tarok", by=ada)
    contributions_of = deal_of(samples.TAROKY, user=ada, space=club).contribution
    Contribution.objects.filter(pk=contributions_of.pk).update(visibility=visibility)
    upload = stored(samples.TAROKY, user=ben)
    assert outcomes(upload) == [outcome]
    uploads.read_again(upload)
    assert outcomes(store(upload)) == [outcome], "read again it is the same"
    Contribution.objects.exclude(pk=contributions_of.pk).update(visibility="members")
    own = stored(samples.TAROKY, user=ada, visibility="members")
    assert outcomes(own) == ["stored" if visibility == "withdrawn" else "known"]
    guest = spaces.guest()
    assert outcomes(stored(samples.TAROKY, space=guest)) == [outcome]
    assert outcomes(stored(samples.TAROKY, space=guest)) == ["known"], "what he sent himself he knows"
    assert Deal.objects.count() == 1
