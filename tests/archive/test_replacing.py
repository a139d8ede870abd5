"""A corrected record in the place of an illegal one."""

from __future__ import annotations

import pytest

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.models import CHOSEN, Contribution, Deal, Player, Session
from archive.reading import sessions, statistics
from archive.reading.deals import get_deal
from archive.reading.players import get_player
from archive.storing import corrections, feed, spaces, uploads
from archive.storing.corrections import history, replace, set_visibility
from tests import samples, storing
from tests.archive.changing import contribution_of, counts_nowhere
from tests.storing import everything, outcomes, receive, store, stored

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def illegal(ada) -> Contribution:
    return contribution_of(samples.ILLEGAL_BID, user=ada)


def test_a_corrected_record_stands_in_the_place_of_an_illegal_one(ada, ben) -> None:
    text = samples.ILLEGAL_BID.replace("Alena", "Misread").replace("table 2", "misread")
    for name in ("Bořek", "Cyril", "Dana"):
        text = text.replace(name, f"{name} misread")
    old = contribution_of(text, user=ada, visibility="unlisted")
    new = contribution_of(samples.TAROKY, user=ada, replaces=old)
    old.refresh_from_db()
    assert (old.visibility, old.replaced_by, list(new.replaces.all())) == ("replaced", new, [old])
    assert new.visibility == "unlisted", "the viewers of the old one see the new one"
    set_visibility(new, "public", by=ada)
    own = Viewer(ada.pk, roles={spaces.own(ada).pk: "owner"})
    with_link = Viewer(links=frozenset({f"deal-{old.pk}"}))
    for viewer in (own, with_link):
        assert get_deal(old.deal_id, viewer).contribution == old, "it is there for those who saw it"
    with pytest.raises(Deal.DoesNotExist):
        get_deal(old.deal_id)
    for viewer in (EVERYBODY, own):
        assert counts_nowhere(old, viewer)
    assert statistics.count_archive() == statistics.Counts(1, 4, 1, {"taroky": 1}, {"verified": 1})
    assert sessions.get_session(new.session_id).name == "2026-11-20 table 2"
    with pytest.raises(Session.DoesNotExist):
        sessions.get_session(old.session_id)
    with pytest.raises(Player.DoesNotExist):
        get_player(Player.objects.get(name="Misread").pk)
    assert [(one.user, one.word, one.before, one.after) for one in history(old)] == [
        ("ada", "visibility", "unlisted", "replaced")
    ]
    set_visibility(new, "members", by=ada)
    for viewer in (EVERYBODY, with_link):
        with pytest.raises(Deal.DoesNotExist):
            get_deal(old.deal_id, viewer)


def test_each_record_of_a_chain_is_for_those_who_saw_it(ada) -> None:
    records = samples.ILLEGAL_BID, samples.INCOMPLETE, samples.TAROKY
    first = contribution_of(records[0], user=ada, visibility="members")
    second = contribution_of(records[1], user=ada, replaces=first)
    assert not second.was_public, "the correction is for members from the beginning"
    assert not feed.changes().entries
    set_visibility(second, "public", by=ada)
    third = contribution_of(records[2], user=ada, replaces=second)

    def seen() -> list[Contribution]:
        return list(access.readable().order_by("pk"))

    assert seen() == [second, third]
    set_visibility(third, "withdrawn", by=ada)
    assert seen() == []
    set_visibility(third, "public", by=ada)
    assert seen() == [second, third]
    back = contribution_of(records[0], user=ada, replaces=third)
    assert back == first
    assert seen() == [first, second, third]
    set_visibility(first, "members", by=ada)
    again = contribution_of(records[1], user=ada, replaces=first)
    assert again == second
    set_visibility(second, "public", by=ada)
    assert seen() == [second, third], "the first was for members when it was replaced"


def test_a_club_does_not_see_what_the_mover_had_replaced(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    hidden, shown = samples.ILLEGAL_BID, samples.INCOMPLETE
    for text, visibility in ((hidden, "members"), (shown, "public")):
        old = contribution_of(text, user=ada, visibility=visibility)
        new = contribution_of(samples.TAROKY, user=ada, replaces=old)
    corrections.move(new, club, by=ada)
    texts = {
        name: {one.part.entry(one.n).source.strip() for one in access.readable(viewer)}
        for name, viewer in (("member", access.viewer(ben)), ("mover", access.viewer(ada)))
    }
    assert texts["member"] == {shown.strip(), samples.TAROKY.strip()}
    assert texts["mover"] == {hidden.strip(), shown.strip(), samples.TAROKY.strip()}


def test_what_was_replaced_stays_so(illegal, ada) -> None:
    contribution_of(samples.TAROKY, user=ada, replaces=illegal)
    for visibility in CHOSEN:
        assert not set_visibility(illegal, visibility, by=ada)
    assert Contribution.objects.get(pk=illegal.pk).visibility == "replaced"


def test_one_after_the_other(illegal, ada) -> None:
    """All lead to the last; and back to the first it goes, too."""
    second = contribution_of(samples.INCOMPLETE, user=ada, replaces=illegal)
    third = contribution_of(samples.TAROKY, user=ada, replaces=second)
    assert set(third.replaces.all()) == {illegal, second}
    assert [get_deal(one.deal_id).contribution for one in (illegal, second, third)] == [
        illegal,
        second,
        third,
    ]
    assert [deal.contribution for deal in storing.deals()] == [third]
    back = contribution_of(samples.ILLEGAL_BID, user=ada, replaces=third)
    assert back == illegal
    assert set(back.replaces.all()) == {second, third}
    assert [deal.contribution for deal in storing.deals()] == [illegal]
    assert back.replaced_by is None
    assert [one.after for one in history(illegal)] == ["public", "replaced"]


def test_two_in_the_place_of_one(illegal, ada) -> None:
    """The second sender finds it replaced: the new record is stored next to it."""
    first = contribution_of(samples.TAROKY, user=ada, replaces=illegal)
    second = contribution_of(samples.INCOMPLETE, user=ada, replaces=illegal)
    illegal.refresh_from_db()
    assert illegal.replaced_by == first
    assert {deal.contribution for deal in storing.deals()} == {first, second}


def test_one_in_the_place_of_two(illegal, ada) -> None:
    other = contribution_of(samples.INCOMPLETE, user=ada)
    for old in (illegal, other):
        new = contribution_of(samples.TAROKY, user=ada, replaces=old)
    assert set(new.replaces.all()) == {illegal, other}
    assert [deal.contribution for deal in storing.deals()] == [new]


def test_the_corrected_deal_was_known_already(illegal, ada) -> None:
    known = contribution_of(samples.TAROKY, user=ada, visibility="members")
    upload = stored(samples.TAROKY, user=ada, replaces=illegal)
    assert outcomes(upload) == ["known"]
    known.refresh_from_db()
    assert (known.visibility, list(known.replaces.all())) == ("public", [illegal])
    assert [(one.before, one.after) for one in history(known)] == [("members", "public")]


def test_the_same_deal_replaces_nothing(illegal, ada) -> None:
    stored(samples.ILLEGAL_BID, user=ada, replaces=illegal)
    assert Contribution.objects.get().visibility == "public"


def test_what_was_withdrawn_is_not_shown_by_replacing_it(illegal, ada) -> None:
    set_visibility(illegal, "withdrawn", by=ada)
    new = contribution_of(samples.TAROKY, user=ada, replaces=illegal)
    illegal.refresh_from_db()
    assert (illegal.visibility, illegal.replaced_by, new.visibility) == ("withdrawn", None, "public")
    with pytest.raises(Deal.DoesNotExist):
        get_deal(illegal.deal_id)


@pytest.mark.parametrize("texts", [(samples.MALFORMED,), (samples.TAROKY, samples.dealt(1)), (b"",)])
def test_what_is_no_single_good_record_replaces_nothing(texts: tuple[str, ...], illegal, ada) -> None:
    stored(*texts, user=ada, replaces=illegal)
    assert Contribution.objects.get(pk=illegal.pk).visibility == "public"


def test_a_large_upload_replaces_nothing_even_if_a_part_has_one_record(illegal, ada) -> None:
    upload = receive(samples.many(900), b"\n", samples.TAROKY, user=ada, replaces=illegal)
    last = upload.parts.order_by("number").last()
    assert last.number > 0
    text = samples.TAROKY.encode()
    last.data = uploads.compress(text)
    last.save()
    store(upload)
    last.refresh_from_db()
    assert (last.records, last.stored) == (1, 1)
    assert Contribution.objects.get(pk=illegal.pk).visibility == "public"


def test_nothing_of_another_space_is_replaced(illegal, ben) -> None:
    new = contribution_of(samples.TAROKY, user=ben, replaces=illegal)
    illegal.refresh_from_db()
    assert (illegal.visibility, illegal.replaced_by, new.visibility) == ("public", None, "public")


def test_storing_the_part_again_changes_nothing(illegal, ada) -> None:
    upload = stored(samples.TAROKY, user=ada, replaces=illegal)
    set_visibility(Contribution.objects.get(part__upload=upload), "members", by=ada)
    before = everything(without=["Part", "Upload", "UploadItem"])
    uploads.read_again(upload)
    store(upload)
    assert everything(without=["Part", "Upload", "UploadItem"]) == before


def test_nothing_is_put_in_place_of_what_is_gone(illegal, ada) -> None:
    upload = receive(samples.TAROKY, user=ada, replaces=illegal)
    illegal.delete()
    store(upload)
    upload.refresh_from_db()
    assert upload.replaces is None
    replace(upload, 0)
    assert Contribution.objects.get().visibility == "public"
    assert corrections.history(Contribution.objects.get()) == []
