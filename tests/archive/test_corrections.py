"""Corrections: each detail, its history, who can see it; moving to a club; one record in another's place."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from functools import partial

import pytest
from django.http import Http404
from django.utils import timezone

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.errors import Gone
from archive.models import CHOSEN, Change, Contribution, Deal, Player, Session
from archive.reading import scores, sessions, statistics
from archive.reading.deals import get_deal, latest_verified
from archive.reading.filters import Filters
from archive.reading.players import find_players, get_player
from archive.reading.uploads import results_of
from archive.storing import corrections, feed, players, spaces, uploads
from archive.storing.contribution_data import NotStorable, from_contribution, from_record
from archive.storing.corrections import (
    AnotherDeal,
    OriginalGone,
    adopt,
    correct,
    history,
    replace,
    set_visibility,
)
from tarock.notation import read_one
from tests.archive.changing import contribution_of, counts_nowhere
from tests.archive.test_contributions import CHANGED
from tests.support import samples, settling, storing
from tests.support.storing import (
    everything,
    outcomes,
    part_of,
    receive,
    shown,
    small_parts,
    store,
    stored,
    together,
)

pytestmark = pytest.mark.django_db


@pytest.mark.storage
@pytest.mark.parametrize("words", CHANGED, ids=" ".join)
def test_each_word_is_corrected_and_the_change_is_kept(words: tuple[str, ...], ada, ben) -> None:
    said, other = contribution_of(samples.PLACED, user=ada), read_one(CHANGED[words])
    before, began = asdict(from_contribution(said)), timezone.now()
    assert correct(said, other, by=ben) == list(words)
    deal = get_deal(said.deal_id)
    assert (deal.record, deal.score) == (other, samples.TAROKY_SCORE)
    assert from_contribution(deal.contribution) == from_record(other)
    assert deal.contribution.fingerprint == from_record(other).fingerprint
    assert deal.contribution.played_on == date(2026, 11, 1 if "date" in words else 20)
    assert began <= Change.objects.get().at <= timezone.now()
    changes = history(said)
    assert [(change.user, change.word) for change in changes] == [("ben", word) for word in words]
    for change in changes:
        values = before[change.word], asdict(from_record(other))[change.word]
        kept = [list(value) if isinstance(value, tuple) else value for value in values]
        assert [change.before, change.after] == kept
    assert outcomes(stored(CHANGED[words], user=ada)) == ["known"]


def test_what_was_deleted_meanwhile_is_gone(ada) -> None:
    """Another tab has moved the deal to a club that has it already, while this one corrects it."""
    club = spaces.found_club("Tarok", by=ada)
    stored(samples.PLACED, space=club, user=ada)
    said = contribution_of(samples.PLACED, user=ada, space=spaces.own(ada))
    there = Contribution.objects.select_related("deal").get(pk=said.pk)
    corrections.move(said, club, by=ada)
    with pytest.raises(Gone):
        correct(there, read_one(samples.PLACED.replace("Alena", "Anna")), by=ada)
    with pytest.raises(Http404):
        corrections.move(there, club, by=ada)


def test_the_latest_change_comes_first(ada, ben, django_assert_num_queries) -> None:
    said = contribution_of(samples.dealt(1, Event="one"), user=ada)
    for event, user in (("two", ada), ("three", ben)):
        correct(said, read_one(samples.dealt(1, Event=event)), by=user)
    with django_assert_num_queries(1):
        found = [(one.user, one.before, one.after) for one in history(said)]
    assert found == [("ben", "two", "three"), ("ada", "one", "two")]
    ben.delete()
    assert [one.user for one in history(said)] == ["", "ada"]
    stored(samples.dealt(9, players="WXYZ"))
    players.set_pseudonym(Player.objects.get(name="W"), "of another space")
    correct(said, read_one(samples.dealt(1, Event="three", players="WXYZ")), by=ada)
    with django_assert_num_queries(2):
        assert history(said)[0].after == list("WXYZ")


def test_the_claim_decides_what_is_disputed(ada) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    for verdict, other, text in (
        ("disputed", "verified", samples.DISPUTED), ("verified", "disputed", samples.TAROKY)
    ):  # fmt: skip
        correct(said, read_one(text), by=ada)
        settling.settle()
        said = Contribution.objects.select_related("deal").get()
        assert (said.verdict, statistics.count_archive().by_verdict) == (verdict, {verdict: 1})
        assert not storing.deals(Filters(verdict=other))


@pytest.mark.parametrize("text", [samples.ILLEGAL_BID, samples.INCOMPLETE])
def test_no_claim_makes_a_score_where_there_is_none(text: str, ada) -> None:
    said = contribution_of(text, user=ada)
    for claim in ("A=0 B=0 C=0 D=0", "A=1 B=-1 C=-1 D=1"):
        correct(said, read_one(text.replace("A=105 B=-105 C=-105 D=105", claim)), by=ada)
        said.refresh_from_db()
        assert said.verdict == said.deal.verdict
        assert [seat.points for seat in said.seats.all()] == [None] * 4


def test_who_sits_out_and_has_0_in_the_claim_disputes_nothing(ada) -> None:
    """A 3, B −7, D 4; C sits out."""
    text = samples.as_text(samples.simulated("grosstarock", 4, seed=6))
    assert '[Score "A=3 B=-7 C=0 D=4"]' in text
    said = contribution_of(text, user=ada)
    assert correct(said, read_one(text.replace("2024-05-24", "2024-05-25")), by=ada)
    said.refresh_from_db()
    assert said.verdict == "verified"


def test_a_new_player_and_session_are_made_and_the_old_ones_stay(ada) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    other = samples.TAROKY.replace("Alena", "Anna").replace("table 2", "table 3")
    correct(said, read_one(other), by=ada)
    settling.settle()
    assert set(Player.objects.values_list("name", flat=True)) == {"Alena", "Anna", "Bořek", "Cyril", "Dana"}
    assert set(Player.objects.values_list("space", flat=True)) == {spaces.own(ada).pk}
    assert Session.objects.count() == 2
    assert [player.name for player in find_players()] == ["Anna", "Bořek", "Cyril", "Dana"]
    assert [row.total for row in scores.player_scores(Filters(player="Anna"))] == [105]
    assert [session.name for session in sessions.find_sessions()] == ["2026-11-20 table 3"]
    correct(said, read_one(samples.TAROKY), by=ada)
    assert Player.objects.count() == 5, "they are found again"


def test_what_another_space_says_stays_and_shows_the_deal_that_one_withdrew(ada, ben) -> None:
    own, other = contribution_of(samples.TAROKY, user=ada), contribution_of(samples.TAROKY, user=ben)
    before = from_contribution(other)
    correct(own, read_one(samples.DISPUTED), by=ada)
    other = Contribution.objects.get(pk=other.pk)
    assert (from_contribution(other), other.verdict) == (before, "verified")
    set_visibility(own, "withdrawn", by=ada)
    (deal,) = storing.deals()
    assert deal.contribution == get_deal(deal.pk).contribution == other
    settling.settle()
    assert statistics.count_archive().by_verdict == {"verified": 1}
    assert {row.name for row in scores.player_scores()} == {"Alena", "Bořek", "Cyril", "Dana"}


def test_the_same_again_changes_nothing_and_another_deal_is_refused(ada) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    before = everything()
    assert correct(said, read_one(samples.TAROKY), by=ada) == []
    for text in (samples.ILLEGAL_BID, samples.INCOMPLETE, samples.dealt(1)):
        with pytest.raises(AnotherDeal):
            correct(said, read_one(text), by=ada)
    with pytest.raises(NotStorable):
        correct(said, read_one(samples.TAROKY.replace("Alena", "x" * 201)), by=ada)
    assert everything() == before
    # A correction does not show what is hidden.
    stale = Contribution.objects.get(pk=said.pk)
    set_visibility(said, "withdrawn", by=ada)
    correct(stale, read_one(samples.DISPUTED.replace("table 2", "table 3")), by=ada)
    assert Contribution.objects.get().visibility == "withdrawn"


def test_a_record_sent_again_is_adopted(ada, ben) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    again = stored(samples.dealt(1), samples.MALFORMED, samples.DISPUTED, user=ada)
    assert results_of(again)[2].differs == ("players", "claim")
    assert adopt(said, part_of(again), 2, by=ben) == ["players", "claim"]
    deal = get_deal(said.deal_id)
    assert deal.record == read_one(samples.DISPUTED)
    assert deal.contribution.part.upload.pk != again.pk, "the original stays what was sent first"
    for n, error in ((0, AnotherDeal), (1, OriginalGone), (3, OriginalGone)):
        with pytest.raises(error):
            adopt(said, part_of(again), n, by=ben)
    again.parts.update(data=b"")
    with pytest.raises(OriginalGone):
        adopt(said, part_of(again), 2, by=ben)


def test_withdrawn_is_gone_from_every_selector_and_comes_back(ada, ben) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    stored(samples.dealt(1), user=ben)
    own = Viewer(ada.pk, roles={spaces.own(ada).pk: "owner"})
    settling.settle()
    counted = statistics.count_archive()
    assert set_visibility(said, "withdrawn", by=ada)
    for viewer in (EVERYBODY, own):
        assert counts_nowhere(said, viewer)
        assert not list(statistics.by_game(Player.objects.get(name="Alena"), viewer))
        assert not storing.deals(Filters(player="Alena"), viewer)
        assert sessions.totals_after(shown(said), viewer) == {}
    assert latest_verified(date(2030, 1, 1), 5) == []
    assert statistics.count_archive() == statistics.Counts(1, 4, 0, {"taroky": 1}, {"incomplete": 1})
    assert get_deal(said.deal_id, own).contribution == said
    assert not set_visibility(said, "withdrawn", by=ada), "it is"
    assert set_visibility(said, "public", by=ben)
    settling.settle()
    assert statistics.count_archive() == counted
    found = [(one.user, one.before, one.after) for one in history(said)]
    assert found == [("ben", "withdrawn", "public"), ("ada", "public", "withdrawn")]


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_corrections_at_once_follow_one_another(ada) -> None:
    said = contribution_of(samples.dealt(1, Event="0"), user=ada)
    records = [read_one(samples.dealt(1, Event=str(n), players=(f"P{n}", *"XYZ"))) for n in range(1, 5)]
    together(*[lambda record=record: correct(said, record, by=ada) for record in records])
    events = [change for change in history(said) if change.word == "event"]
    assert (len(events), events[-1].before) == (4, "0")
    assert [change.before for change in events[:-1]] == [change.after for change in events[1:]]
    deal = get_deal(said.deal_id)
    assert deal.record == records[int(events[0].after) - 1], "names and event are of one of them"


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_two_in_the_place_of_one_at_once(ada) -> None:
    """The second sender finds it replaced: the new record is stored next to it."""
    old = contribution_of(samples.ILLEGAL_BID, user=ada)
    sent = [receive(text, user=ada, replaces=old) for text in (samples.TAROKY, samples.INCOMPLETE)]
    together(*[lambda upload=upload: store(upload) for upload in sent])
    old.refresh_from_db()
    assert (old.visibility, list(old.replaced_by.replaces.all())) == ("replaced", [old])
    assert Change.objects.count() == 1
    new = Contribution.objects.filter(part__upload__in=sent)
    assert {deal.contribution for deal in storing.deals()} == set(new)


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_hiding_beside_correcting_loses_neither(ada) -> None:
    said = contribution_of(samples.TAROKY, user=ada)
    hide = partial(set_visibility, Contribution.objects.get(), "withdrawn", by=ada)
    together(hide, lambda: correct(said, read_one(samples.DISPUTED), by=ada))
    said = Contribution.objects.get()
    assert (said.visibility, said.verdict) == ("withdrawn", "disputed")


@pytest.mark.storage
def test_a_deal_moves_to_a_club_with_its_history(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ben, visibility="members")
    spaces.join(spaces.invite(club, by=ben), ada)
    bad = contribution_of(samples.ILLEGAL_BID, user=ada)
    store(receive(samples.DISPUTED, user=ada, replaces=bad))
    said = Contribution.objects.get(replaces=bad)
    correct(said, read_one(samples.TAROKY), by=ada)
    players.set_pseudonym(Player.objects.get(name="Cyril"), "C.")
    players.set_pseudonym(Player.objects.get(name="Dana"), "the club shows her name")
    stored(samples.dealt(1, players=("Dana", *"XYZ")), user=ben, space=club)
    said = Contribution.objects.prefetched().select_related("deal").get(pk=said.pk)
    before, latest = from_contribution(said), feed.latest()
    assert access.viewer(ada).may_move(said)
    assert not access.viewer(ben).may_move(said)
    key = corrections.move(said, club, by=ada)
    now = Contribution.objects.prefetched().get(pk=said.pk)
    assert (key, now.space, now.visibility, now.session.space) == (said.key, club, "members", club)
    assert from_contribution(now) == before
    assert {seat.player.space for seat in now.seated} == {club}
    assert [seat.player.display_name for seat in now.seated] == ["Alena", "Bořek", "C.", "Dana"]
    assert {change.user for change in history(now)} == {"ada"}
    words = [change.word for change in history(now)]
    assert words[:2] == ["visibility", "club"]
    assert {"players", "claim"} <= set(words)
    former = Contribution.objects.get(pk=bad.pk)
    assert (former.space, former.visibility, former.replaced_by) == (club, "replaced", now)
    for viewer, change in (
        (EVERYBODY, "withdrawn"), (access.viewer(ben), "shown"), (access.viewer(ada), "shown")
    ):  # fmt: skip
        told = [(entry.kind, entry.key.contribution) for entry in feed.changes(latest, viewer=viewer).entries]
        assert {(change, said.pk), ("withdrawn", bad.pk)} <= set(told)
    assert not access.viewer(ada).may_move(now)
    assert corrections.move(now, club, by=ada) == said.key, "it is there"


def test_a_deal_that_the_club_has_with_the_same_details_becomes_one_with_it(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    own = contribution_of(samples.DISPUTED, user=ada)
    there = contribution_of(samples.TAROKY, user=ada, space=club)
    correct(own, read_one(samples.TAROKY), by=ada)
    assert (corrections.move(own, club, by=ada), Contribution.objects.get()) == (there.key, there)
    assert {change.word for change in history(there)} == {"players", "claim"}
    entries = [(entry.kind, entry.key.contribution) for entry in feed.changes(0).entries]
    assert entries == [("stored", there.pk), ("withdrawn", own.pk)]
    hidden = [
        contribution_of(samples.dealt(1), user=user, space=space, visibility="members")
        for user, space in ((ada, spaces.own(ada)), (ben, club))
    ]
    assert hidden[0].deal_id != hidden[1].deal_id
    assert corrections.move(hidden[0], club, by=ada) == hidden[1].key
    assert not Deal.objects.filter(pk=hidden[0].deal_id).exists()


@pytest.mark.parametrize("visibility", [*CHOSEN, "withdrawn"])
def test_where_the_club_has_other_details_nothing_moves(visibility: str, ada) -> None:
    club = spaces.found_club("Tarok", by=ada)
    record = samples.TAROKY if visibility == "withdrawn" else samples.DISPUTED
    own, there = contribution_of(samples.TAROKY, user=ada), contribution_of(record, user=ada, space=club)
    set_visibility(there, visibility, by=ada)
    before = everything()
    with pytest.raises(corrections.AlreadyThere) as error:
        corrections.move(own, club, by=ada)
    assert error.value.key == there.key
    assert error.value.details == ([] if visibility == "withdrawn" else ["players", "claim"])
    assert everything() == before


def test_a_former_record_that_the_club_has_itself_stays(ada) -> None:
    club = spaces.found_club("Tarok", by=ada)
    contribution_of(samples.ILLEGAL_BID, user=ada, space=club)
    bad = contribution_of(samples.ILLEGAL_BID, user=ada)
    store(receive(samples.TAROKY, user=ada, replaces=bad))
    moved, latest = Contribution.objects.get(replaces=bad), feed.latest()
    corrections.move(moved, club, by=ada)
    told = [(entry.kind, entry.key.contribution) for entry in feed.changes(latest).entries]
    assert told == [("corrected", moved.pk)]
    bad.refresh_from_db()
    assert (bad.space, bad.visibility, bad.replaced_by) == (spaces.own(ada), "replaced", None)


@pytest.fixture
def illegal(ada) -> Contribution:
    return contribution_of(samples.ILLEGAL_BID, user=ada)


@pytest.mark.storage
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
    settling.settle()
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
    assert not any(set_visibility(old, visibility, by=ada) for visibility in CHOSEN)
    assert Contribution.objects.get(pk=old.pk).visibility == "replaced"
    found = [(one.user, one.word, one.before, one.after) for one in history(old)]
    assert found == [("ada", "visibility", "unlisted", "replaced")]
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
    assert contribution_of(records[0], user=ada, replaces=third) == first
    assert seen() == [first, second, third]
    set_visibility(first, "members", by=ada)
    assert contribution_of(records[1], user=ada, replaces=first) == second
    set_visibility(second, "public", by=ada)
    assert seen() == [second, third], "the first was for members when it was replaced"


@pytest.mark.parametrize("before", ["unlisted", "members"])
def test_a_club_does_not_see_what_the_mover_had_replaced(before: str, ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    spaces.join(spaces.invite(club, by=ada), ben)
    hidden, shown = samples.ILLEGAL_BID, samples.INCOMPLETE
    for text, visibility in ((hidden, before), (shown, "public")):
        old = contribution_of(text, user=ada, visibility=visibility)
        new = contribution_of(samples.TAROKY, user=ada, replaces=old)
    corrections.move(new, club, by=ada)
    texts = {
        name: {one.part.entry(one.n).source.strip() for one in access.readable(viewer)}
        for name, viewer in (("member", access.viewer(ben)), ("mover", access.viewer(ada)))
    }
    assert texts["member"] == {shown.strip(), samples.TAROKY.strip()}
    assert texts["mover"] == {hidden.strip(), shown.strip(), samples.TAROKY.strip()}


def test_one_after_the_other(illegal, ada) -> None:
    """All lead to the last; and back to the first it goes, too."""
    second = contribution_of(samples.INCOMPLETE, user=ada, replaces=illegal)
    third = contribution_of(samples.TAROKY, user=ada, replaces=second)
    assert set(third.replaces.all()) == {illegal, second}
    found = [get_deal(one.deal_id).contribution for one in (illegal, second, third)]
    assert found == [illegal, second, third]
    assert [deal.contribution for deal in storing.deals()] == [third]
    back = contribution_of(samples.ILLEGAL_BID, user=ada, replaces=third)
    assert (back, set(back.replaces.all())) == (illegal, {second, third})
    assert [deal.contribution for deal in storing.deals()] == [illegal]
    assert back.replaced_by is None
    assert [(one.user, one.after) for one in history(illegal)] == [("ada", "public"), ("ada", "replaced")]


def test_a_deal_that_was_known_already_takes_the_place_of_two(illegal, ada) -> None:
    known = contribution_of(samples.TAROKY, user=ada, visibility="members")
    other = contribution_of(samples.INCOMPLETE, user=ada)
    for old in (illegal, other):
        assert outcomes(stored(samples.TAROKY, user=ada, replaces=old)) == ["known"]
    known.refresh_from_db()
    assert (known.visibility, set(known.replaces.all())) == ("public", {illegal, other})
    assert [(one.before, one.after) for one in history(known)] == [("members", "public")]
    assert [deal.contribution for deal in storing.deals()] == [known]


@pytest.mark.parametrize(
    "texts", [(samples.MALFORMED,), (samples.TAROKY, samples.dealt(1)), (b"",), (samples.ILLEGAL_BID,)]
)
def test_what_is_no_single_good_record_of_another_deal_replaces_nothing(
    texts: tuple[str, ...], illegal, ada
) -> None:
    stored(*texts, user=ada, replaces=illegal)
    illegal.refresh_from_db()
    assert (illegal.visibility, illegal.replaced_by) == ("public", None)


def test_what_was_withdrawn_or_is_of_another_space_is_not_replaced(illegal, ada, ben) -> None:
    of_ben = contribution_of(samples.TAROKY, user=ben, replaces=illegal, visibility="unlisted")
    illegal.refresh_from_db()
    assert (illegal.visibility, illegal.replaced_by, of_ben.visibility) == ("public", None, "unlisted")
    set_visibility(illegal, "withdrawn", by=ada)
    new = contribution_of(samples.TAROKY, user=ada, replaces=illegal)
    illegal.refresh_from_db()
    assert (illegal.visibility, illegal.replaced_by, new.visibility) == ("withdrawn", None, "public")
    with pytest.raises(Deal.DoesNotExist):
        get_deal(illegal.deal_id)


def test_a_large_upload_replaces_nothing_even_if_a_part_has_one_record(illegal, ada, monkeypatch) -> None:
    small_parts(monkeypatch, 1000)
    upload = receive(samples.many(9), b"\n", samples.TAROKY, user=ada, replaces=illegal)
    last = upload.parts.order_by("number").last()
    assert last.number > 0
    last.data = uploads.compress(samples.TAROKY.encode())
    last.save()
    store(upload)
    last.refresh_from_db()
    assert (last.records, last.stored) == (1, 1)
    assert Contribution.objects.get(pk=illegal.pk).visibility == "public"


def test_storing_the_part_again_changes_nothing(illegal, ada) -> None:
    upload = stored(samples.TAROKY, user=ada, replaces=illegal)
    set_visibility(Contribution.objects.get(part__upload=upload), "members", by=ada)
    settling.settle()
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
