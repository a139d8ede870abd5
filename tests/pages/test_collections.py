"""Collections: their pages, their notes in the replay, and who sees which deal of them."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.errors import Gone
from archive.models import Collected, Collection, Contribution, Deal, Opened
from archive.shown import ShownDeal
from archive.storing import collections as storing
from tarock.notation import read
from tests.support import samples
from tests.support.storing import deal_of, stored

from .conftest import browser_of, missing, page_at, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


@pytest.fixture
def course(alena: User, taroky: ShownDeal) -> Collection:
    """Alena's public collection of one deal, with a note at step 12."""
    made = storing.begin(alena, "Announcing the Pagat", "For beginners", "public")
    storing.add(made, taroky.deal, 12, "here the flek was wrong")
    return made


def comments(client: Client, deal: ShownDeal, more: str = "") -> dict[int, list[str]]:
    """The comments of each frame that has any."""
    frames = json.loads(client.get(f"/deals/{deal.pk}/frames.json?{more}").text)["frames"]
    rows = {n: re.findall('<p class="comment">(.*?)</p>', one["status"]) for n, one in enumerate(frames)}
    return {n: texts for n, texts in rows.items() if texts}


def test_a_deal_is_added_to_a_new_collection_with_a_note(alena: User, taroky: ShownDeal) -> None:
    client = browser_of(alena)
    sent = {"collection": "", "title": "My Pagats", "note": "lost  here", "step": "12"}
    answer = client.post(f"/deals/{taroky.pk}/collect/", sent)
    made = Collection.objects.get()
    assert answer["Location"] == f"/collections/{made.key}/"
    assert (made.title, made.visibility, made.by) == ("My Pagats", "private", "alena")
    # The second note at a step follows the first; the deal is there once.
    client.post(f"/deals/{taroky.pk}/collect/", {"collection": str(made.key), "note": "again", "step": "12"})
    entry = Collected.objects.get()
    assert (entry.deal_id, entry.place, entry.by_step) == (taroky.pk, 1, [(12, "lost  here\nagain")])
    # A step after the end is the last.
    client.post(f"/deals/{taroky.pk}/collect/", {"collection": str(made.key), "note": "end", "step": "999"})
    entry.refresh_from_db()
    assert entry.by_step[1:] == [(len(taroky.record.events), "end")]
    # All notes at a step together have 1000 characters.
    client.post(
        f"/deals/{taroky.pk}/collect/", {"collection": str(made.key), "note": "x" * 1000, "step": "12"}
    )
    entry.refresh_from_db()
    assert entry.by_step[0][1] == f"lost  here\nagain\n{'x' * 983}"


def test_a_wrong_form_says_why_and_stores_nothing(alena: User, taroky: ShownDeal) -> None:
    for sent, error in (
        ({"title": "", "step": "1"}, "Enter a title, or choose one of your collections."),
        ({"title": "\u200b", "step": "1"}, "This can’t be used as a name."),
        ({"title": "x", "step": "1", "note": "x" * 1001}, "at most 1000 characters"),
        ({"title": "x", "step": "-1"}, ""),
        ({"collection": str(uuid4()), "step": "1"}, "is not one of the available choices"),
    ):
        answer = browser_of(alena).post(f"/deals/{taroky.pk}/collect/", sent)
        assert (answer.status_code, error in answer.text) == (400, True), sent
    assert not Collection.objects.exists()


def test_a_note_is_in_the_replay_of_those_who_come_by_the_collection(
    client: Client, taroky: ShownDeal, course: Collection
) -> None:
    before, after = comments(client, taroky), comments(client, taroky, f"collection={course.key}")
    note = "Note: here the flek was wrong"
    assert after == {**before, 12: [*before.get(12, []), note]}
    # A seat's view shows no comments on moves, and a key that leads nowhere changes nothing.
    assert note not in str(comments(client, taroky, f"collection={course.key}&view=A"))
    assert comments(client, taroky, f"collection={uuid4()}") == before
    page = page_at(client, f"/deals/{taroky.pk}/replay/?collection={course.key}&step=12")
    assert missing(page.text, "Announcing the Pagat", "1 of 1", note) == []


def test_the_reader_sees_how_far_they_are(
    client: Client, borek: User, alena: User, taroky: ShownDeal, course: Collection
) -> None:
    second = deal_of(samples.TROGGU)
    storing.add(course, second.deal)
    reader = browser_of(borek)
    page = page_at(reader, f"/deals/{taroky.pk}/replay/?collection={course.key}")
    assert f"/deals/{second.pk}/replay/?collection={course.key}&step=0" in page.attributes("href")
    for _again in range(2):
        reader.get(f"/deals/{taroky.pk}/replay/?collection={course.key}&step=3")
    assert Opened.objects.count() == 1
    assert "You have opened 1 of 2 deals." in page_at(reader, f"/collections/{course.key}/").text
    assert "You have opened" not in page_at(client, f"/collections/{course.key}/").text


def test_of_a_collection_everybody_sees_what_they_may(
    client: Client, alena: User, taroky: ShownDeal, course: Collection
) -> None:
    whole = b"".join(client.get(f"/collections/{course.key}/collection.tgn").streaming_content)
    assert [one.record.players["A"] for one in read(whole) if one.record] == ["Alena"]
    Contribution.objects.filter(deal=taroky.pk).update(visibility="withdrawn")
    page = page_at(client, f"/collections/{course.key}/")
    assert missing(page.text, "A deal that you can’t see", "withdrawn or deleted") == []
    assert "flek" not in page.text
    assert b"".join(client.get(f"/collections/{course.key}/collection.tgn").streaming_content) == b""
    Deal.objects.filter(pk=taroky.pk).delete()
    assert "A deal that you can’t see" in page_at(client, f"/collections/{course.key}/").text


def test_a_private_collection_is_its_owners(
    client: Client, alena: User, borek: User, taroky: ShownDeal, course: Collection
) -> None:
    operator = browser_of(User.objects.create_user("operator", is_staff=True))
    for visibility, listed, there in (("private", False, 404), ("link", False, 200), ("public", True, 200)):
        Collection.objects.update(visibility=visibility)
        for visitor in (client, browser_of(borek)):
            for name in ("", "collection.tgn", "feed.xml"):
                assert visitor.get(f"/collections/{course.key}/{name}").status_code == there, visibility
            assert ("Announcing the Pagat" in visitor.get("/collections/").text) == listed
            notes = comments(visitor, taroky, f"collection={course.key}")
            assert ("here the flek was wrong" in str(notes)) == (there == 200)
            assert visitor.post(f"/collections/{course.key}/", {"delete": "1"}).status_code == 404
        own = browser_of(alena)
        assert "Announcing the Pagat" in page_at(own, "/collections/").text
        for reader in (own, operator):
            assert reader.get(f"/collections/{course.key}/").status_code == 200
    assert client.get(f"/deals/{taroky.pk}/collect/")["Location"].startswith("/accounts/login/")


def test_the_owner_orders_changes_and_deletes(
    alena: User, borek: User, taroky: ShownDeal, course: Collection
) -> None:
    client = browser_of(alena)
    second = storing.add(course, deal_of(samples.TROGGU).deal, 0, "first of all")
    first = course.entries.get(deal=taroky.pk)
    form = {
        "title": "Pagat", "about": "two\nlines", "visibility": "link",
        f"note-{first.pk}-12": "right after all", f"note-{second.pk}-0": "", f"note-{10**9}-1": "nobody's",
    }  # fmt: skip
    page = page_of(client.post(f"/collections/{course.key}/", {**form, "title": "\u200b"}), 400)
    assert missing(page.text, "This can’t be used as a name.", "right after all") == [], "it stays"
    assert first.by_step == course.entries.get(pk=first.pk).by_step
    client.post(f"/collections/{course.key}/", {**form, "up": str(second.pk)})
    course.refresh_from_db()
    assert (course.title, course.about, course.visibility) == ("Pagat", "two\nlines", "link")
    rows = [(row.pk, row.place, row.by_step) for row in course.entries.all()]
    assert rows == [(second.pk, 1, []), (first.pk, 2, [(12, "right after all")])]
    newer = storing.begin(borek, "Newer", visibility="public")
    theirs = storing.add(newer, taroky.deal)
    for gone in (second, theirs):  # the second is in another's collection, and stays there
        client.post(f"/collections/{course.key}/", {**form, "remove": str(gone.pk)})
    assert [row.pk for row in newer.entries.all()] == [theirs.pk]
    Collection.objects.update(visibility="public", changed_at="2026-01-01T00:00Z")
    storing.remove(course, 0)
    text = page_at(client, "/collections/").text
    assert text.rindex("Pagat") < text.index("Newer"), "the one changed last comes first"
    # Deals added meanwhile come last and keep their notes; the first deal stays first.
    added = [storing.add(course, deal_of(text).deal, 3, "new") for text in (samples.TROGGU, samples.dealt(1))]
    client.post(f"/collections/{course.key}/", {**form, "up": str(first.pk)})
    rows = [(row.pk, row.by_step) for row in course.entries.all()]
    kept = [(row.pk, [(3, "new")]) for row in added]
    assert (added[0].place, rows) == (3, [(first.pk, [(12, "right after all")]), *kept])
    answer = client.post(f"/collections/{course.key}/", {"delete": "1"})
    assert answer["Location"] == "/collections/"
    assert Collection.objects.get() == newer


def test_a_note_from_an_old_page_leaves_a_new_title(taroky: ShownDeal, course: Collection) -> None:
    old = Collection.objects.get(pk=course.pk)
    Collection.objects.update(title="Renamed in another tab")
    storing.add(old, taroky.deal, 3, "a note")
    assert Collection.objects.get().title == "Renamed in another tab"


@pytest.mark.django_db(transaction=True)
def test_a_deal_or_collection_deleted_meanwhile_is_gone(taroky: ShownDeal, course: Collection) -> None:
    other = deal_of(samples.TROGGU).deal
    Deal.objects.filter(pk=other.pk).delete()
    with pytest.raises(Gone):
        storing.add(course, other)
    Collection.objects.all().delete()
    with pytest.raises(Gone):
        storing.add(course, taroky.deal)


def test_collections_have_bounds(
    alena: User, borek: User, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MOST", "MOST_DEALS", "MOST_NOTES"):
        monkeypatch.setattr(storing, name, 1)
    made = storing.begin(alena, "one")
    storing.add(made, taroky.deal, 1, "one")
    storing.begin(borek, "another's")
    with pytest.raises(storing.TooMany):
        storing.begin(alena, "two")
    with pytest.raises(storing.TooMany):
        storing.add(made, taroky.deal, 2, "two")
    with pytest.raises(storing.TooMany):
        storing.add(made, deal_of(samples.TROGGU).deal)
    sent = {"title": "two", "step": "0"}
    answer = browser_of(alena).post(f"/deals/{taroky.pk}/collect/", sent)
    assert (answer.status_code, "You have reached a limit" in answer.text) == (400, True)


def test_a_corrected_deal_leads_to_its_correction(client: Client, alena: User, course: Collection) -> None:
    stored(samples.TROGGU, user=alena)
    old = Contribution.objects.get(deal__game="taroky")
    new = Contribution.objects.get(deal__game="troggu")
    Contribution.objects.filter(pk=old.pk).update(
        visibility="replaced", covered_visibility="public", replaced_by=new
    )
    page = page_at(client, f"/collections/{course.key}/")
    assert "This deal has been corrected since." in page.text
    assert f"/deals/{new.deal_id}/" in page.attributes("href")
    # Better records cover score sheets and results without correcting them.
    Contribution.objects.filter(pk=old.pk).update(visibility="covered")
    assert "This deal has been corrected since." not in page_at(client, f"/collections/{course.key}/").text


def test_a_feed_has_the_public_deals_added_last_first(
    client: Client, alena: User, course: Collection
) -> None:
    stored(samples.TROGGU, user=alena)
    second = Deal.objects.get(game="troggu")
    storing.add(course, second)
    first = course.entries.get(place=1).deal_id
    text = client.get(f"/collections/{course.key}/feed.xml").text
    assert text.index(f"testserver/deals/{second.pk}/") < text.index(f"testserver/deals/{first}/")
    Contribution.objects.filter(deal=second).update(visibility="unlisted")
    for reader, number in ((client, 1), (browser_of(alena), 2)):
        tgn = b"".join(reader.get(f"/collections/{course.key}/collection.tgn").streaming_content)
        page = reader.get(f"/collections/{course.key}/").text
        assert (len(list(read(tgn))), f"/deals/{second.pk}/" in page) == (number, number == 2)
    assert f"testserver/deals/{second.pk}/" not in client.get(f"/collections/{course.key}/feed.xml").text
