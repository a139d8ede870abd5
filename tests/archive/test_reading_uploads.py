"""Reading uploads: who may see one, its progress, its results, and whether a file was loaded."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from archive import access
from archive.access import Viewer
from archive.models import Deal, Part, Upload
from archive.reading import uploads
from archive.reading.clubs import upload_space
from archive.storing import intake, spaces
from tests.support import samples
from tests.support.storing import receive, shown, small_parts, store, stored

pytestmark = pytest.mark.django_db

MIXED = [samples.dealt(1), samples.dealt(1), samples.MALFORMED, samples.dealt(2, Session="x" * 201)]


def test_uploads_of_a_user(ada, ben, django_assert_num_queries) -> None:
    first = stored(*MIXED, user=ada)
    second = stored(samples.dealt(3), user=ada)
    stored(samples.dealt(4))
    stored(samples.dealt(5), user=ben)
    with django_assert_num_queries(1):
        found = [
            (one.pk, *(getattr(one, f"{name}_count") for name in ("records", *Part.COUNTS)))
            for one in uploads.uploads_of(ada)
        ]
    assert found == [(second.pk, 1, 1, 0, 0, 0, 0), (first.pk, 4, 1, 1, 1, 1, 0)]
    club = spaces.found_club("Tarok", by=ada)
    third = stored(samples.dealt(6), user=ada, space=club)
    assert [one.pk for one in uploads.uploads_of(ada)] == [third.pk, second.pk, first.pk]
    with django_assert_num_queries(1):
        assert [(one.pk, one.stored_count) for one in uploads.uploads_to(club.pk)] == [(third.pk, 1)]


def test_an_upload_is_for_those_who_may_see_it(ada, ben) -> None:
    guest = spaces.guest()
    upload, other = stored(samples.dealt(1), user=ada), stored(samples.dealt(1), space=guest)
    browser = access.viewer(AnonymousUser(), guest=guest.pk)
    for one, viewer in ((upload, access.viewer(ada)), (upload, Viewer(operator=True)), (other, browser)):
        assert uploads.get_upload(one.pk, viewer) == one
    hidden = [(upload.pk, access.viewer(ben)), (upload.pk, browser), (other.pk, Viewer())]
    for number, viewer in [*hidden, (0, Viewer(operator=True))]:
        with pytest.raises(Upload.DoesNotExist):
            uploads.get_upload(number, viewer)


def test_an_upload_probably_goes_to_the_club_of_the_last_one(ada, ben, django_user_model) -> None:
    """Otherwise to a club in which its sender is at least a secretary."""
    club, other = spaces.found_club("Tarok", by=ada), spaces.found_club("Other", by=ben)
    eva = django_user_model.objects.create_user("eva")
    for user in (ada, eva):
        spaces.join(spaces.invite(other, by=ben), user)
    assert [upload_space(access.viewer(user)) for user in (ada, eva)] == [club, None]
    other.members.filter(user=eva).update(role="secretary")
    assert upload_space(access.viewer(eva)) == other
    for number, (user, space, expected) in enumerate(
        ((ada, other, other), (ada, club, club), (ben, other, club), (ada, None, club), (ada, other, other))
    ):
        stored(samples.dealt(number), user=user, **({"space": space} if space else {}))
        assert upload_space(access.viewer(ada)) == expected, number


@pytest.fixture
def large(ada, monkeypatch) -> Upload:
    """An upload of three parts, none of them stored yet: 200 deals, every tenth malformed."""
    small_parts(monkeypatch, 20_000)
    texts = [samples.dealt(n) for n in range(200)]
    texts[::10] = [text.replace("deal D", "deal E") for text in texts[::10]]
    return receive("\n".join(texts), user=ada)


@pytest.mark.storage
def test_progress_of_an_upload(large, django_assert_num_queries) -> None:
    assert uploads.progress_of(large).expected == 0
    first, second, third = large.parts.all()
    intake.store(first.pk)
    with django_assert_num_queries(1):
        told = uploads.progress_of(large)
    assert (told.parts, told.parts_done, told.finished, told.size) == (3, 1, False, large.size)
    assert told.records == told.stored + told.malformed > 0
    assert told.expected == told.records * large.size // (large.size // 3)
    Part.objects.filter(pk=second.pk).update(state="failed")
    assert uploads.progress_of(large).failed == 1
    intake.store(third.pk)
    large.refresh_from_db()
    told = uploads.progress_of(large)
    assert (told.parts_done, told.finished) == (3, True)


def test_results_come_as_far_as_the_parts_are_done_one_after_the_other(large) -> None:
    first, second, third = large.parts.all()
    intake.store(third.pk)
    assert uploads.results_of(large) == []
    intake.store(first.pk)
    first.refresh_from_db()
    assert len(uploads.results_of(large, most=5000)) == first.records
    intake.store(second.pk)
    found = [(result.n, result.outcome) for result in uploads.results_of(large, most=5000)]
    assert found == [(n, "stored" if n % 10 else "malformed") for n in range(200)]


@pytest.mark.storage
def test_results_by_pages_are_the_results(large, django_assert_num_queries) -> None:
    store(large)
    whole = uploads.results_of(large, most=5000)
    for size in (1, 7, 33, 199, 200):
        after = -1 if size > 1 else 190
        paged = []
        while page := uploads.results_of(large, after=after, most=size):
            assert len(page) <= size
            paged += page
            after = page[-1].n
        assert paged == whole[-len(paged) :]
        assert len(paged) == (200 if size > 1 else 9)
    with django_assert_num_queries(4):
        page = uploads.results_of(large, after=60, most=10)
    assert [result.n for result in page] == list(range(61, 71))
    digests = dict(Deal.objects.values_list("pk", "digest"))
    assert all(result.deal is None or digests[result.deal].hex() == result.digest for result in whole)
    assert {result.verdict for result in whole} == {"incomplete", None}
    assert [result.n for result in whole if result.line is not None][:2] == [0, 1]

    # Only those that were not kept.
    wrong = uploads.results_of(large, wrong_only=True)
    assert [result.n for result in wrong] == list(range(0, 200, 10))
    assert {result.finding.reason for result in wrong} == {wrong[0].finding.reason}
    assert [r.n for r in uploads.results_of(large, after=90, most=3, wrong_only=True)] == [100, 110, 120]
    assert uploads.results_of(large, after=190, wrong_only=True) == []


def test_the_original_is_the_text_as_it_was_sent(django_assert_num_queries) -> None:
    texts = [samples.dealt(1), samples.MALFORMED, samples.TAROKY]
    stored("\r\n".join(text.replace("\n", "\r\n") for text in texts))
    lead = shown(Deal.objects.latest("pk")).contribution
    with django_assert_num_queries(1):
        found = uploads.original_of(lead)
    assert (found.text.rstrip("\n"), found.form) == (samples.TAROKY.rstrip("\n"), "tgn")
    stored(b"[" + samples.as_json(7) + b",\n " + samples.as_json(8) + b"]")
    found = uploads.original_of(shown(Deal.objects.latest("pk")).contribution)
    assert (found.text, found.form) == (samples.as_json(8).decode(), "json")


def test_whether_a_file_was_loaded() -> None:
    raw = samples.TAROKY.encode()
    upload = receive(raw, source="cli", filename="a.tgn")
    assert not uploads.was_loaded(raw, "a.tgn"), "it is not stored yet"
    store(upload)
    assert uploads.was_loaded(raw, "a.tgn")
    assert not uploads.was_loaded(raw, "b.tgn")
    assert not uploads.was_loaded(raw.replace(b"105", b"106"), "a.tgn")
    for wrong in ({"failed": 1}, {"failed": 0, "state": "failed"}):
        Part.objects.update(**wrong)
        assert not uploads.was_loaded(raw, "a.tgn"), wrong
