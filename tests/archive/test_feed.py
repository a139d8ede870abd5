"""The feed of changes: what it says of each thing that can happen, and to whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from archive.access import EVERYBODY, Viewer
from archive.models import Contribution, ContributionQuerySet, Deal, Player
from archive.storing import campaigns, corrections, feed, players, removal, spaces
from tarock.notation import read_one
from tests.support import samples
from tests.support.storing import stored, together

pytestmark = pytest.mark.django_db


def kinds(after: int = 0, viewer: Viewer = EVERYBODY, **how: Any) -> list[tuple[str, str]]:
    """Return the feed after a number: kind and deal."""
    return [(entry.kind, str(entry.key)) for entry in feed.changes(after, 100, viewer, **how).entries]


@pytest.mark.storage
def test_what_is_stored_stands_in_it_in_order_page_by_page(ada) -> None:
    found = feed.changes()
    assert (found.entries, found.last, found.more) == ([], 0, False)
    stored(samples.TAROKY, samples.ILLEGAL_BID, samples.dealt(1), user=ada)
    found = feed.changes()
    assert [entry.kind for entry in found.entries] == ["stored"] * 3
    deals = list(Deal.objects.order_by("pk").values_list("pk", flat=True))
    assert [entry.key.deal for entry in found.entries] == deals
    told = found.entries[0].as_json
    said = Contribution.objects.order_by("pk").first()
    numbers = [entry.number for entry in found.entries]
    assert told == {
        **{"change": numbers[0], "kind": "stored", "deal": f"{said.deal_id}-{said.pk}"},
        **{"digest": said.deal.hex_digest, "game": "taroky", "verdict": "verified"},
    }
    assert (found.last, found.more) == (numbers[2], False)
    first = feed.changes(0, 2)
    second = feed.changes(first.last, 3)
    for page, expected, more in ((first, numbers[:2], True), (second, numbers[2:], False)):
        assert [entry.number for entry in page.entries] == expected
        assert (page.last, page.more) == (expected[-1], more)


def test_last_counts_nothing_hidden(ada) -> None:
    club = spaces.found_club("Tarok", by=ada)
    stored(samples.dealt(1), user=ada)
    before = feed.changes()
    for n in range(2, 5):
        stored(samples.dealt(n), user=ada, space=club, visibility="members")
        assert (feed.changes().last, feed.changes(before.last).last) == (before.last, before.last)
    assert feed.changes(before.last).end == feed.latest() == before.last + 3
    assert len(feed.changes(before.last, viewer=Viewer(roles={club.pk: "member"})).entries) == 3
    hidden = Contribution.objects.order_by("-pk").first()
    corrections.set_visibility(hidden, "public", by=ada)
    assert kinds(before.last) == [("shown", str(hidden.key))]
    assert feed.changes(before.last).last == feed.latest()
    corrections.set_visibility(hidden, "members", by=ada)
    assert kinds(before.last) == [("withdrawn", str(hidden.key))]


def test_a_change_moves_it_to_the_end(ada) -> None:
    stored(samples.dealt(1), samples.dealt(2), user=ada)
    first, second = Contribution.objects.order_by("pk")
    last = feed.latest()
    corrections.correct(first, read_one(samples.dealt(1, Event="other")), by=ada)
    assert kinds(last) == [("corrected", str(first.key))]
    assert kinds() == [("stored", str(second.key)), ("corrected", str(first.key))]


def test_who_saw_it_is_told_that_it_is_gone_and_nobody_else(ada, ben) -> None:
    club = spaces.found_club("Tarok", by=ada)
    stored(samples.dealt(1), user=ada, space=club)
    stored(samples.dealt(2), user=ada, space=club, visibility="members")
    public, hidden = Contribution.objects.order_by("pk")
    members = Viewer(roles={club.pk: "member"})
    assert kinds() == [("stored", str(public.key))]
    assert len(kinds(viewer=members)) == len(kinds(viewer=members, space=club.pk)) == 2
    corrections.set_visibility(public, "unlisted", by=ada)
    assert kinds() == [("withdrawn", str(public.key))]
    assert kinds(viewer=members) == [("stored", str(hidden.key)), ("shown", str(public.key))]
    corrections.set_visibility(hidden, "withdrawn", by=ada)
    assert kinds(viewer=members)[-1] == ("withdrawn", str(hidden.key))
    assert kinds() == [("withdrawn", str(public.key))], "a stranger never saw the hidden one"
    corrections.set_visibility(hidden, "public", by=ada)
    assert kinds()[-1] == ("shown", str(hidden.key))
    told = feed.changes().entries[0].as_json
    assert [told[name] for name in ("digest", "game", "verdict")] == [None] * 3


def test_what_changes_while_the_feed_is_read_stands_in_the_next_piece(ada, monkeypatch) -> None:
    """Between the reading of contributions and of removals one deal changes, and another is removed."""
    stored(samples.dealt(1), samples.dealt(2), user=ada)
    changed, removed = Contribution.objects.order_by("pk")
    last = feed.latest()
    corrections.set_visibility(removed, "withdrawn", by=ada)
    read_contributions = ContributionQuerySet.fetch_all

    def then_others_write(found: ContributionQuerySet) -> ContributionQuerySet:
        rows = read_contributions(found)
        len(rows)
        monkeypatch.undo()
        corrections.set_visibility(changed, "unlisted", by=ada)
        removal.purge(timezone.now())
        return rows

    monkeypatch.setattr(ContributionQuerySet, "fetch_all", then_others_write)
    first = feed.changes(last)
    second = feed.changes(first.last)
    told = [str(entry.key) for piece in (first, second) for entry in piece.entries]
    assert str(changed.key) in told, "a change that is not in this piece must be in the next"
    assert told[-1] == str(removed.key)


@pytest.mark.storage
def test_what_is_purged_is_gone_for_those_who_saw_it_and_had_not_heard(ada) -> None:
    club = spaces.found_club("Tarok", by=ada)
    for number, visibility in enumerate(("public", "unlisted", "members")):
        stored(samples.dealt(number), user=ada, space=club, visibility=visibility)
    public, unlisted, hidden = Contribution.objects.order_by("pk")
    members = Viewer(roles={club.pk: "member"})
    for said in (public, unlisted, hidden):
        corrections.set_visibility(said, "withdrawn", by=ada)
    last = feed.latest()
    removal.purge(timezone.now())
    assert not Contribution.objects.exists()
    of_members = [("withdrawn", str(said.key)) for said in (public, unlisted, hidden)]
    assert kinds(last, members) == kinds(last, members, space=club.pk) == of_members
    assert kinds(last) == kinds(last, Viewer(roles={club.pk + 1: "owner"})) == of_members[:1]
    page = feed.changes(last, 2, members)
    assert (len(page.entries), page.more) == (2, True)
    rest = feed.changes(page.last, 2, members)
    assert (len(rest.entries), rest.more, feed.changes(rest.last, 2, members).entries) == (1, False, [])
    own = stored(samples.dealt(3), user=ada).space
    both = Viewer(roles={club.pk: "member", own.pk: "owner"})
    assert kinds(last, both, space=club.pk) == of_members
    assert [kind for kind, _key in kinds(last, both, space=own.pk)] == ["stored"]
    assert feed.scope(both, club.pk) == feed.scope(members) != feed.scope(both)
    assert [kind for kind, _key in kinds(last)] == ["withdrawn", "stored"]
    assert feed.latest() > last + 3, "no number is given twice"


@pytest.mark.storage
def test_another_answer_or_name_is_told_of_all_deals_that_show_it(ada) -> None:
    stored(samples.dealt(1), samples.TAROKY, user=ada)
    deal = Deal.objects.get(verdict="verified")
    said = deal.contributions.get()
    Deal.objects.filter(pk=deal.pk).update(clauses="", sheet="")
    for changed, expected in ((1, [("verdict", str(said.key))]), (0, [])):
        last = feed.latest()
        assert (campaigns.verify_now(list(Deal.objects.all())), kinds(last)) == (changed, expected)
    player = Player.objects.get(name="Alena")
    for change in (
        lambda: players.set_pseudonym(player, "Q"),
        lambda: players.rename(player, "Xaver"),  # not seen: he has a pseudonym
        lambda: players.set_pseudonym(player, ""),
    ):
        last = feed.latest()
        change()
        expected = [] if player.pseudonym and player.name == "Xaver" else [("corrected", str(said.key))]
        assert kinds(last) == expected
    # The deals of all names of a person.
    players.merge(Player.objects.get(name="Ada"), player)
    last = feed.latest()
    players.set_pseudonym(player, "Q")
    assert len(kinds(last)) == Contribution.objects.count() == 2


@pytest.mark.storage
def test_numbers_in_the_order_of_visibility(transactional_db, ada, ben) -> None:
    """Two uploads are stored at the same time: a client reading the feed never sees a number before a smaller
    one appears."""
    stored(samples.dealt(1), user=ada)
    first = feed.latest()

    def store(user: Any, start: int) -> None:
        for n in range(start, start + 5):
            stored(samples.dealt(n), user=user)
            numbers = [entry.number for entry in feed.changes().entries]
            assert numbers == list(range(first, first + len(numbers)))

    together(lambda: store(ada, 100), lambda: store(ben, 200))
    assert len(feed.changes().entries) == 11
