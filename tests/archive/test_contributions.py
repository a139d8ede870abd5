"""Several senders of one deal: each says their own, and nobody learns what others have hidden."""

from __future__ import annotations

from functools import reduce
from itertools import product

import pytest
from django.utils import timezone

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.models import (
    Contribution,
    Deal,
    GuestVariations,
    Player,
    Seat,
    Space,
    UploadItem,
    Variations,
)
from archive.reading import deals, statistics
from archive.reading.deals import get_deal
from archive.reading.filters import Filters
from archive.reading.uploads import original_of, results_of
from archive.shown import ShownDeal
from archive.storing import campaigns, corrections, feed, spaces, sums, sums_check, uploads
from tests.archive.changing import contribution_of
from tests.support import samples, storing
from tests.support.storing import WHAT_IS_SENT, deal_of, everything, outcomes, shown, store, stored

pytestmark = pytest.mark.django_db


def contributions_of(deal: ShownDeal) -> list[tuple]:
    """Return the contributions: sender, verdict, claim, first name, points of the first seat."""
    return [
        (
            *(one.sender.username if one.sender else None, one.verdict, one.claimed and one.claimed["A"]),
            *(one.seats.all()[0].player.name, one.seats.all()[0].points),
        )
        for one in deals.contributions_to(deal.pk)
    ]


@pytest.mark.storage
def test_a_second_senders_names_and_claim_are_his_own(ada, ben) -> None:
    deal = deal_of(samples.TAROKY, user=ada)
    unclaimed = samples.TAROKY.replace('[Score "A=105 B=-105 C=-105 D=105"]\n', "").replace("Alena", "Al")
    for text, user in ((samples.DISPUTED, ben), (unclaimed, None)):
        upload = stored(text, user=user)
        assert (outcomes(upload), results_of(upload)[0].deal) == (["known"], deal.pk)
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
    assert [(one[1], one[4]) for one in contributions_of(deal)] == [(deal.verdict, None)] * 2


def test_each_result_says_what_its_sender_is_told(ada, ben) -> None:
    stored(samples.TAROKY, user=ada)
    for user in (ben, ben, None, None):
        results = results_of(stored(samples.DISPUTED, samples.dealt(1), user=user))
        assert [result.verdict for result in results] == ["disputed", "incomplete"], user
        digests = [Deal.objects.get(pk=result.deal).hex_digest for result in results]
        assert [result.digest for result in results] == digests
    assert [result.verdict for result in results_of(stored(samples.TAROKY, user=ada))] == ["verified"]


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


ALL_CHANGED = reduce(lambda text, change: text.replace(*change, 1), CHANGES.values(), samples.PLACED)
CHANGED = {
    **{(word,): samples.PLACED.replace(*change, 1) for word, change in CHANGES.items()},
    tuple(CHANGES): samples.with_tag(ALL_CHANGED, '[Referee "Zoe"]', before="Deal"),
}
"""`PLACED` with other details, by the words for them: each alone, and all."""


@pytest.mark.storage
def test_a_user_who_says_otherwise_is_told_what_differs(ada) -> None:
    together = stored(samples.PLACED, *CHANGED.values(), user=ada)
    before = everything(without=WHAT_IS_SENT)
    found = results_of(together)
    assert results_of(together, wrong_only=True) == found[1:]
    for (words, text), result in zip(CHANGED.items(), found[1:], strict=True):
        for told in (*results_of(stored(text, user=ada)), result):
            assert (told.outcome, told.differs, told.verdict) == ("known", words, "verified")
    assert everything(without=WHAT_IS_SENT) == before
    assert Contribution.objects.count() == 1
    assert not Player.objects.filter(name="Anna").exists()


def test_the_same_in_another_form_is_the_same(ada) -> None:
    """The content counts, not the characters: other blanks, or tags in another order, make no difference."""
    stored(samples.dealt(1, Event="e", Referee="Zoe", Arbiter="Eva"), user=ada)
    for tags in ("Arbiter Referee Event", "Event Referee Arbiter"):
        values = {"Event": "e", "Referee": "Zoe", "Arbiter": "Eva"}
        text = samples.dealt(1, **{name: values[name] for name in tags.split()})
        assert results_of(stored(text.replace("\n", " \n"), user=ada))[0].differs == ()
    assert Contribution.objects.count() == 1


@pytest.mark.storage
def test_each_space_says_one_thing(ada, ben) -> None:
    guests, club = [spaces.guest(), spaces.guest()], spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    for _ in range(2):
        for who in ({"user": ada}, {"user": ben}, {}, *({"space": guest} for guest in guests)):
            stored(samples.TAROKY, samples.DISPUTED, **who)
    stored(samples.TAROKY, user=ada, space=club)
    of_another_member = stored(samples.DISPUTED, user=ben, space=club)
    assert results_of(of_another_member)[0].differs == ("players", "claim")
    expected = [spaces.own(ada), spaces.own(ben), spaces.house(), *guests, club]
    assert [one.space for one in Contribution.objects.all()] == expected
    assert (Contribution.objects.get(space=club).sender, Seat.objects.count()) == (ada, 24)
    assert Player.objects.filter(name="Alena").count() == 6, "each space has its own players"
    assert not Player.objects.filter(name="Anna").exists()


@pytest.mark.storage
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


HIDDEN = ("unlisted", "members", "withdrawn")


@pytest.fixture
def club(ada) -> Space:
    return spaces.found_club("Tarok Hlučín", by=ada, visibility="members")


def hide(club: Space, visibility: str, text: str = samples.TAROKY) -> Contribution:
    """A hidden contribution of the club, whose deal was stored long ago."""
    user = club.members.get(role="owner").user
    said = contribution_of(text, user=user, space=club, visibility="members")
    if visibility != "members":
        corrections.set_visibility(said, visibility, by=user)
    Deal.objects.filter(pk=said.deal_id).update(
        **dict.fromkeys(("stored_at", "verified_at"), "2026-01-01T00:00Z")
    )
    said.refresh_from_db()
    return said


def check() -> None:
    """Of each deal that was public there is one row; of others one for each space; and all sums are right."""
    seen: set[tuple[bytes, int | None]] = set()
    for one in Contribution.objects.select_related("deal"):
        assert (bytes(one.deal.digest), one.space_id) not in seen
        seen.add((bytes(one.deal.digest), one.space_id))
    public = Deal.objects.filter(contributions__was_public=True).distinct()
    digests = [bytes(deal.digest) for deal in public]
    assert len(set(digests)) == len(digests)
    assert not [deal for deal in Deal.objects.exclude(pk__in=public) if bytes(deal.digest) in digests]
    sums.settle()
    assert list(sums_check.check()) == []


@pytest.mark.parametrize(
    ("visibility", "sent"), [*product(HIDDEN, ["public"]), ("members", "unlisted"), ("unlisted", "members")]
)
def test_a_stranger_gets_a_new_deal(visibility: str, sent: str, club, ada, ben) -> None:
    """And is not told of the hidden one, from an account or a browser; users who can see it recognize it."""
    hidden, now = hide(club, visibility), timezone.now()
    own = stored(samples.TAROKY, user=ada, visibility="members")
    assert outcomes(own) == ["stored" if visibility == "withdrawn" else "known"]
    guest = spaces.guest()
    for who in ({"space": guest, "visibility": "unlisted"}, {"user": ben, "visibility": sent}):
        upload = stored(samples.TAROKY, **who)
        assert outcomes(upload) == ["stored"]
        uploads.read_again(upload)
        assert outcomes(store(upload)) == ["stored"], "read again it is the same"
        assert outcomes(stored(samples.TAROKY, **who)) == ["known"]
    seen = storing.deals(viewer=Viewer(roles={guest.pk: "owner"}))
    assert [deal.contribution.space for deal in seen] == [guest], "a browser's own copy is its own"
    deal = get_deal(Contribution.objects.get(part__upload=upload).key, access.viewer(ben))
    assert deal.pk > hidden.deal_id
    assert min(deal.stored_at, deal.verified_at) >= now
    assert (str(deal.key), deal.deal.former.count()) == (str(deal.pk), 0)
    check()
    hidden.refresh_from_db()
    assert (hidden.deal_id == deal.pk) == (sent == "public")
    assert outcomes(stored(samples.TAROKY, user=ada, space=club)) == ["known"]


def test_members_see_a_deal_once_and_find_it_under_its_former_id(club, ada, ben) -> None:
    stored(samples.dealt(7), user=ada, space=club)
    upload = stored(samples.dealt(1), samples.TAROKY, samples.dealt(2), user=ada, space=club)
    hidden = Contribution.objects.get(space=club, deal=results_of(upload)[1].deal)
    former, latest, member = hidden.key, feed.latest(), access.viewer(ada)
    public = contribution_of(samples.TAROKY, user=ben)
    hidden.refresh_from_db()
    digest = (bytes(public.deal.digest),)
    assert [deal.contribution for deal in storing.deals(Filters(digest=digest), member)] == [hidden]
    assert [deal.contribution for deal in storing.deals(Filters(digest=digest))] == [public]
    assert [deal.key for deal in storing.deals(viewer=EVERYBODY)] == [Key(public.deal_id)]
    for key in (former, Key(former.deal)):
        assert get_deal(key, member).contribution == hidden
        for viewer in (EVERYBODY, access.viewer(ben)):
            with pytest.raises(Deal.DoesNotExist):
                get_deal(key, viewer)
    entries = [(entry.kind, entry.key) for entry in feed.changes(latest, viewer=member).entries]
    assert entries == [("stored", public.key), ("withdrawn", former), ("stored", hidden.key)]
    assert [entry.key for entry in feed.changes(latest).entries] == [public.key]
    results = results_of(upload)
    of_upload = Contribution.objects.filter(part__upload=upload).order_by("n").values_list("pk", flat=True)
    assert [result.contribution for result in results] == list(of_upload)
    assert [bool(result.line) for result in results] == [True, False, False]
    assert UploadItem.objects.filter(part__upload=upload).count() == 3
    check()
    assert statistics.count_archive().deals == 1


def test_members_share_the_hidden_deal_until_one_publishes_it(club, ada, ben) -> None:
    spaces.join(spaces.invite(club, by=ada), ben)
    hidden = hide(club, "members")
    upload = stored(samples.TAROKY, user=ben, visibility="members")
    assert outcomes(upload) == ["known"]
    own = Contribution.objects.get(part__upload=upload)
    assert own.deal_id == hidden.deal_id
    assert [deal.contribution for deal in storing.deals(viewer=access.viewer(ben))] == [hidden]
    assert str(get_deal(own.key, access.viewer(ben)).key) == str(own.key)
    former, now = own.deal_id, own.part.upload.accepted_at
    corrections.set_visibility(own, "public", by=ben)
    own.refresh_from_db()
    hidden.refresh_from_db()
    assert own.deal_id == hidden.deal_id > former
    deal = get_deal(own.deal_id)
    assert deal.contribution == own
    assert min(deal.stored_at, deal.verified_at) >= now
    assert [(entry.kind, entry.key) for entry in feed.changes().entries] == [("shown", own.key)]
    check()


@pytest.mark.parametrize("as_public", [False, True])
def test_a_member_sends_the_hidden_deal_to_the_public(as_public: bool, club, ada) -> None:
    hidden, now = hide(club, "members"), timezone.now()
    corrected = contribution_of(samples.ILLEGAL_BID, user=ada) if as_public else None
    upload = stored(samples.TAROKY, user=ada, replaces=corrected)
    assert outcomes(upload) == ["known"]
    (result,) = results_of(upload)
    hidden.refresh_from_db()
    assert hidden.deal_id == result.deal
    assert get_deal(result.deal).stored_at >= now
    assert ("stored", result.deal) in [(entry.kind, entry.key.deal) for entry in feed.changes().entries]
    check()


@pytest.mark.storage
def test_hidden_copies_become_one_with_the_first_public(club, ada, ben) -> None:
    """The published deal keeps its id: it has been its sender's all the time."""
    copies = [hide(club, "members"), contribution_of(samples.TAROKY, user=ben, visibility="members")]
    copies.append(contribution_of(samples.TAROKY, space=spaces.guest(), visibility="unlisted"))
    assert len({one.deal_id for one in copies}) == 3
    saved = {
        deal: Variations.objects.create(deal_id=copies[deal].deal_id, user=user, visibility=visibility)
        for deal, user, visibility in ((0, ada, "public"), (2, ben, "private"))
    }
    # One guest shared variations of two copies: one list of them stays.
    for copy, device in ((0, b"one"), (0, b"two"), (2, b"two")):
        GuestVariations.objects.create(deal_id=copies[copy].deal_id, device=device)
    corrections.set_visibility(copies[1], "public", by=ben)
    for one in copies:
        one.refresh_from_db()
    guests = GuestVariations.objects.filter(deal=copies[1].deal_id).order_by("device")
    assert [bytes(one.device) for one in guests] == [b"one", b"two"]
    assert GuestVariations.objects.count() == 2
    assert {one.deal_id for one in copies} == {Deal.objects.get().pk}
    assert copies[1].feed_kind == "shown"
    for number, visibility in ((0, "link"), (2, "private")):
        saved[number].refresh_from_db()
        assert (saved[number].deal_id, saved[number].visibility) == (copies[1].deal_id, visibility)
    check()
    # A deal that was public is no secret: later copies share it, hidden or not.
    corrections.set_visibility(copies[1], "withdrawn", by=ben)
    assert contribution_of(samples.TAROKY).deal_id == copies[1].deal_id
    check()


def test_a_deal_moves_to_a_club_that_has_a_copy(club, ada, ben) -> None:
    own = contribution_of(samples.TAROKY, user=ben, visibility="members")
    there = hide(club, "members")
    assert own.deal_id != there.deal_id
    spaces.join(spaces.invite(club, by=ada), ben)
    assert corrections.move(Contribution.objects.get(pk=own.pk), club, by=ben) == there.key
    assert list(Deal.objects.all()) == [there.deal]
    check()


@pytest.mark.storage
def test_a_guest_with_copies_signs_in(ada, ben) -> None:
    own = contribution_of(samples.TAROKY, user=ada, visibility="members")
    guest = spaces.guest()
    twice = contribution_of(samples.TAROKY, space=guest, visibility="unlisted")
    replaced = contribution_of(samples.ILLEGAL_BID, space=guest, visibility="unlisted")
    store(storing.receive(samples.TAROKY, space=guest, visibility="unlisted", replaces=replaced))
    assert twice.deal_id != own.deal_id
    spaces.adopt(guest, spaces.own(ada), by=ada)
    replaced.refresh_from_db()
    assert (replaced.space, replaced.replaced_by) == (spaces.own(ada), own)
    assert not Deal.objects.filter(pk=twice.deal_id).exists()
    check()


def test_copies_stay_copies_when_the_engine_finds_another_digest(club, ada, ben) -> None:
    """A space with the deal under its new digest keeps both apart, as before."""
    copies = [hide(club, "members"), contribution_of(samples.TAROKY, user=ben, visibility="members")]
    new = bytes(copies[0].deal.digest)
    other = contribution_of(samples.dealt(3), space=spaces.house(), visibility="members")
    Deal.objects.filter(pk__in=[one.deal_id for one in copies]).update(digest=b"before")
    Deal.objects.filter(pk=other.deal_id).update(digest=new)
    stored(samples.TAROKY, user=ben, visibility="members")
    campaigns.verify_now(list(Deal.objects.filter(digest=b"before")))
    found = [bytes(Deal.objects.get(pk=one.deal_id).digest) for one in copies]
    assert found == [new, b"before"]


def test_a_hidden_deal_with_the_new_digest_of_a_public_one_joins_it(club, ben) -> None:
    hidden = hide(club, "members")
    digest = bytes(hidden.deal.digest)
    Deal.objects.update(digest=b"before")
    assert hidden.deal_id != contribution_of(samples.TAROKY, user=ben).deal_id
    campaigns.verify_now(list(Deal.objects.filter(pk=hidden.deal_id)))
    assert bytes(Deal.objects.get().digest) == digest
    check()


def test_a_part_that_is_stored_again_changes_nothing(club, ben) -> None:
    hide(club, "members")
    upload = stored(samples.TAROKY, samples.TAROKY, user=ben)
    assert len({result.deal for result in results_of(upload)}) == 1
    before = storing.everything(without=["Part", "Upload", "UploadItem"])
    results = results_of(upload)
    uploads.read_again(upload)
    store(upload)
    assert storing.everything(without=["Part", "Upload", "UploadItem"]) == before
    assert results_of(upload) == results
