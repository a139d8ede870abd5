"""Storing uploads: the bytes are kept, a good record becomes one deal, a bad one loses no other."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connection

from archive import services
from archive.models import Deal, Player, Seat, Session, Upload, UploadItem, VerificationRun
from archive.services import UploadTooLarge, first_day, store_upload
from tarock.notation import read_each
from tests.archive import samples

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def outcomes(upload: Upload) -> list[str]:
    return [item.outcome for item in upload.items.all()]


def test_every_field_of_a_stored_deal(django_user_model):
    user = django_user_model.objects.create_user("alena")
    upload = store_upload(
        raw=samples.TAROKY.encode(), user=user, source="api", filename="evening.tgn", media_type="text/plain"
    )

    assert (upload.source, upload.filename, upload.media_type, upload.user) == (
        "api",
        "evening.tgn",
        "text/plain",
        user,
    )
    item = upload.items.get()
    assert (item.n, item.outcome, item.line) == (0, "stored", 1)
    deal = item.deal
    assert deal.game == "taroky"
    assert len(deal.digest) == 64
    assert deal.players_count == 4
    assert deal.dealer == "D"
    assert (deal.date_text, deal.played_on) == ("2026-11-20", date(2026, 11, 20))
    assert (deal.event, deal.site) == ("Hlučín club evening", "Hlučín")
    assert deal.session.name == "2026-11-20 table 2"
    assert deal.deal_number == 7
    assert deal.options == ["settle-uncontested"]
    assert deal.claim == samples.TAROKY_SCORE
    assert json.loads(deal.record)["events"][0] == ["A", "bid", "first"]
    assert deal.text.startswith('[TGN "1"]\n[Game "taroky"]\n[A "Alena"]\n')
    assert deal.original == samples.TAROKY
    assert deal.original_form == "tgn"
    assert (deal.uploaded_by, deal.upload) == (user, upload)
    assert [(seat.seat, seat.player.name, seat.points) for seat in deal.seating.all()] == [
        ("A", "Alena", None),
        ("B", "Bořek", None),
        ("C", "Cyril", None),
        ("D", "Dana", None),
    ]


def test_a_stored_deal_waits_for_its_verdict():
    deal = store_upload(raw=samples.TAROKY.encode()).items.get().deal
    assert deal.is_pending
    assert (deal.verdict, deal.score, deal.facts, deal.verified_at) == ("", None, {}, None)
    run = deal.runs.get()
    assert (run.state, run.attempts, run.verdict) == ("queued", 0, "")


def test_the_message_goes_out_only_on_commit(django_capture_on_commit_callbacks, monkeypatch):
    sent = []
    monkeypatch.setattr(services, "_send", sent.append)
    with django_capture_on_commit_callbacks() as callbacks:
        store_upload(raw=samples.many(3))
    assert sent == []
    for callback in callbacks:
        callback()
    assert sent == [sorted(Deal.objects.values_list("pk", flat=True))]


def test_without_queueing_there_are_runs_but_no_message(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        store_upload(raw=samples.many(2), queue=False)
    assert callbacks == []
    assert VerificationRun.objects.filter(state="queued").count() == 2


@pytest.mark.parametrize(
    "raw",
    [
        samples.TAROKY.encode(),
        samples.MALFORMED.encode(),
        b"",
        b"no record at all",
        samples.TAROKY.encode("utf-16"),
        b"\xff\xfe\x00[TGN \x80]",
        samples.TAROKY.replace("Alena", "Al\xe9na").encode("latin-1", "replace"),
        b"\0" * 100,
        b'{"tgn": 1}',
        b"[1, 2",
        bytes(range(256)),
    ],
    ids=[
        "good",
        "bad",
        "empty",
        "prose",
        "utf-16",
        "bytes",
        "latin-1",
        "nul",
        "json",
        "half-json",
        "all-bytes",
    ],
)
def test_the_bytes_are_kept_whatever_they_are(raw):
    upload = store_upload(raw=raw)
    kept = Upload.objects.get(pk=upload.pk)
    assert bytes(kept.raw) == raw
    assert kept.size == len(raw)
    assert kept.error == ""
    assert outcomes(upload), "every upload says something about itself"


def test_bytes_that_are_not_utf8_are_told_with_their_place():
    raw = samples.TAROKY.encode().replace("Bořek".encode(), b"Bo\xf8ek")
    item = store_upload(raw=raw).items.get()
    assert item.outcome == "malformed"
    assert item.line == 4
    assert item.message
    assert not Deal.objects.exists()


def test_a_bad_record_between_good_ones():
    raw = "\n".join([samples.dealt(1), samples.MALFORMED, samples.dealt(2)]).encode()
    upload = store_upload(raw=raw)
    assert outcomes(upload) == ["stored", "malformed", "stored"]
    bad = upload.items.get(n=1)
    begin = samples.dealt(1).count("\n") + 2
    card = samples.MALFORMED.split("\n").index(next(li for li in samples.MALFORMED.split("\n") if "S2" in li))
    assert (bad.line, bad.column) == (begin + card, len("deal B ") + 1)
    assert "S2" in bad.message
    assert bad.source.startswith('[TGN "1"]')
    assert bad.deal is None
    assert Deal.objects.count() == 2


def test_the_same_deal_twice_in_one_upload_and_in_a_later_one():
    upload = store_upload(raw=(samples.TAROKY + "\n" + samples.DISPUTED).encode())
    assert outcomes(upload) == ["stored", "known"]
    deal = Deal.objects.get()
    assert [item.deal for item in upload.items.all()] == [deal, deal]
    assert "record 1" in upload.items.get(n=1).message

    later = store_upload(raw="\n".join([samples.dealt(5), samples.TAROKY]).encode())
    assert outcomes(later) == ["stored", "known"]
    assert later.items.get(n=1).deal == deal
    assert Deal.objects.count() == 2
    assert not Player.objects.filter(name="Anna").exists(), "a known deal adds no player"


def test_a_known_deal_keeps_what_the_first_upload_said():
    first = store_upload(raw=samples.TAROKY.encode())
    store_upload(raw=samples.DISPUTED.encode())
    deal = Deal.objects.get()
    assert deal.claim == samples.TAROKY_SCORE
    assert deal.upload == first
    assert deal.seating.get(seat="A").player.name == "Alena"
    assert deal.runs.count() == 1


def test_players_and_sessions_are_found_again_by_name():
    store_upload(raw=samples.many(3, Session="Table 1"))
    store_upload(raw=samples.many(3, first=3, Session="Table 1"))
    assert Player.objects.count() == 4
    assert Session.objects.get().deals.count() == 6
    assert Seat.objects.filter(player__name="Ada").count() == 6


def test_a_name_at_two_seats_is_one_player():
    store_upload(raw=samples.dealt(1, players=("Ada", "Ben", "Ada", "Dov")).encode())
    assert Player.objects.count() == 3
    assert Seat.objects.filter(player__name="Ada").count() == 2


def test_the_limit_is_looked_at_before_reading(settings, monkeypatch):
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 100
    monkeypatch.setattr(services, "read_each", lambda raw: pytest.fail("it was read"))
    with pytest.raises(UploadTooLarge) as caught:
        store_upload(raw=b"x" * 101)
    assert (caught.value.limit, caught.value.size) == (100, 101)
    assert "101" in str(caught.value)
    assert not Upload.objects.exists()


def test_an_upload_of_exactly_the_limit_is_read(settings):
    settings.ARCHIVE_MAX_UPLOAD_BYTES = len(samples.TAROKY.encode())
    assert outcomes(store_upload(raw=samples.TAROKY.encode())) == ["stored"]


def test_records_beyond_the_limit_are_told_and_the_others_stored(settings):
    settings.ARCHIVE_MAX_RECORDS = 3
    upload = store_upload(raw=samples.many(5))
    assert outcomes(upload) == ["stored", "stored", "stored", "refused"]
    left = upload.items.get(n=3)
    line = 3 * (samples.dealt(0).count("\n") + 1) + 1
    assert left.line == line
    assert "from number 4 on were not stored" in left.message
    assert f"line {line}" in left.message


@pytest.mark.parametrize("text", ["{}\n", '[TGN "1"]\n\n'], ids=["json", "text"])
def test_what_is_beyond_the_limit_is_not_read(settings, monkeypatch, text):
    """Reading five million bytes of empty records would take longer than anybody waits for a page."""
    read = []

    def counted(raw):
        for entry in read_each(raw):
            read.append(entry.n)
            yield entry

    settings.ARCHIVE_MAX_RECORDS = 20
    monkeypatch.setattr(services, "read_each", counted)
    upload = store_upload(raw=text.encode() * (settings.ARCHIVE_MAX_UPLOAD_BYTES // len(text)))
    assert read == list(range(21))
    assert outcomes(upload) == ["malformed"] * 20 + ["refused"]


@pytest.mark.parametrize("name", ["A\0da", "A\ud800da"], ids=["nul", "half-surrogate"])
def test_what_the_database_cannot_hold_is_refused_beside_a_good_one(name):
    bad = samples.as_json(1, players={"A": name, "B": "Ben", "C": "Cleo", "D": "Dov"})
    upload = store_upload(raw=bad + b"\n" + samples.as_json(2))
    assert outcomes(upload)[0] in ("refused", "malformed")
    assert outcomes(upload)[1] == "stored"
    assert Deal.objects.count() == 1


def test_a_nul_in_an_event_is_refused():
    item = store_upload(raw=samples.as_json(1, events=[["A", "bid", "fi\0rst"]])).items.get()
    assert item.outcome in ("refused", "malformed")
    assert item.message
    assert not Deal.objects.exists()


def test_a_written_out_escape_is_no_nul():
    """The six letters ``\\u0000`` in a name are letters."""
    upload = store_upload(
        raw=samples.as_json(1, players={"A": "\\u0000", "B": "Ben", "C": "Cleo", "D": "Dov"})
    )
    assert outcomes(upload) == ["stored"]
    assert Player.objects.filter(name="\\u0000").exists()


@pytest.mark.parametrize("tags", [{"Session": "x" * 201}, {}], ids=["session", "player"])
def test_names_that_are_too_long_are_refused(tags):
    names = ("Ada", "Ben", "Cleo", "Dov") if tags else ("y" * 201, "Ben", "Cleo", "Dov")
    upload = store_upload(raw=(samples.dealt(1, players=names, **tags) + "\n" + samples.dealt(2)).encode())
    assert outcomes(upload) == ["refused", "stored"]
    assert "201" in upload.items.get(n=0).message


def test_long_tags_are_kept_whole():
    store_upload(raw=samples.dealt(1, Event="e" * 300, Deal="9" * 9).encode())
    deal = Deal.objects.get()
    assert deal.event == "e" * 300
    assert deal.deal_number == 999_999_999


def test_a_record_that_only_json_can_hold_has_no_text():
    events = [["A", "bid", "first"], ["A", "play", "T1"], ["C", "play", "T2"], ["B", "play", "T3"]]
    deal = store_upload(raw=samples.as_json(1, events=events)).items.get().deal
    assert deal.text is None
    assert deal.original_form == "json"
    assert json.loads(deal.record)["events"] == events


def test_a_record_that_the_database_refuses_does_not_lose_the_others(monkeypatch):
    """The tag is taken for a number that no column holds: a fault of ours, met only when it is written."""
    number = services._deal_number
    monkeypatch.setattr(services, "_deal_number", lambda text: 2**70 if text == "13" else number(text))
    raw = "\n".join([samples.dealt(1), samples.dealt(2, Deal="13"), samples.dealt(3, Deal="14")]).encode()
    upload = store_upload(raw=raw)
    assert outcomes(upload) == ["stored", "refused", "stored"]
    assert "fault in the archive" in upload.items.get(n=1).message
    assert Deal.objects.count() == 2
    assert Seat.objects.count() == 8
    assert VerificationRun.objects.count() == 2


def test_a_repetition_of_a_record_that_could_not_be_stored(monkeypatch):
    insert = services._Storing._insert

    def broken(self, batch):
        insert(self, batch)
        if any(prepared.n == 0 for prepared in batch):
            raise IntegrityError("no")

    monkeypatch.setattr(services._Storing, "_insert", broken)
    raw = "\n".join([samples.dealt(1), samples.dealt(2), samples.dealt(1)]).encode()
    assert outcomes(store_upload(raw=raw)) == ["refused", "stored", "refused"]
    assert Deal.objects.count() == 1


def test_a_fault_of_ours_while_reading_keeps_the_upload_and_its_traceback(monkeypatch):
    def broken(raw):
        raise RuntimeError("the reader broke")

    monkeypatch.setattr(services, "read_each", broken)
    upload = store_upload(raw=samples.TAROKY.encode())
    kept = Upload.objects.get(pk=upload.pk)
    assert bytes(kept.raw) == samples.TAROKY.encode()
    assert "the reader broke" in kept.error
    item = kept.items.get()
    assert item.outcome == "refused"
    assert "the reader broke" not in item.message
    assert not Deal.objects.exists()


def test_an_upload_is_read_again_when_the_fault_is_mended(monkeypatch, django_capture_on_commit_callbacks):
    known = store_upload(raw=samples.dealt(1).encode()).items.get().deal
    raw = "\n".join([samples.dealt(1), samples.MALFORMED, samples.dealt(2), samples.dealt(3)]).encode()
    with monkeypatch.context() as broken:
        broken.setattr(services, "read_each", lambda raw: 1 / 0)
        upload = store_upload(raw=raw)
    assert outcomes(upload) == ["refused"]

    with django_capture_on_commit_callbacks() as callbacks:
        again = services.read_again(upload.pk)
    assert len(callbacks) == 1
    assert outcomes(again) == ["known", "malformed", "stored", "stored"]
    assert again.items.get(n=0).deal == known
    assert Upload.objects.get(pk=upload.pk).error == ""


def test_reading_again_what_was_read_well_changes_nothing(django_capture_on_commit_callbacks):
    upload = store_upload(raw="\n".join([samples.dealt(1), samples.dealt(2), samples.dealt(1)]).encode())
    deals = [item.deal for item in upload.items.all()]
    with django_capture_on_commit_callbacks() as callbacks:
        again = services.read_again(upload.pk)
    assert callbacks == []
    assert outcomes(again) == ["stored", "stored", "known"]
    assert [item.deal for item in again.items.all()] == deals
    assert VerificationRun.objects.count() == 2


def test_a_fault_while_reading_again_keeps_what_was_said_before(monkeypatch):
    upload = store_upload(raw=samples.dealt(1).encode())
    monkeypatch.setattr(services, "read_each", lambda raw: 1 / 0)
    again = services.read_again(upload.pk)
    assert outcomes(again) == ["stored"]
    assert "ZeroDivisionError" in Upload.objects.get(pk=upload.pk).error


def test_an_anonymous_sender_is_nobody():
    upload = store_upload(raw=samples.TAROKY.encode(), user=AnonymousUser())
    assert upload.user is None
    assert Deal.objects.get().uploaded_by is None


def test_five_hundred_records_in_few_queries(django_assert_max_num_queries):
    raw = samples.many(500, Session="A long evening")
    most = 70 if connection.vendor == "sqlite" else 35  # SQLite takes fewer parameters in a statement
    with django_assert_max_num_queries(most):
        upload = store_upload(raw=raw)
    assert outcomes(upload) == ["stored"] * 500
    assert Deal.objects.count() == 500
    assert Seat.objects.count() == 2000
    assert VerificationRun.objects.filter(state="queued").count() == 500
    by_age = list(Deal.objects.order_by("created_at").values_list("upload_items__n", flat=True))
    assert by_age == list(range(500)), "the deals of one upload keep its order"
    with django_assert_max_num_queries(20):
        again = store_upload(raw=raw)
    assert set(outcomes(again)) == {"known"}
    assert Deal.objects.count() == 500


def test_removing_the_sender_keeps_the_deal(django_user_model):
    user = django_user_model.objects.create_user("gone")
    store_upload(raw=samples.TAROKY.encode(), user=user)
    user.delete()
    assert Deal.objects.get().uploaded_by is None
    assert Upload.objects.get().user is None


def test_removing_a_deal_keeps_what_was_said_about_the_upload():
    upload = store_upload(raw=samples.TAROKY.encode())
    Deal.objects.get().delete()
    item = UploadItem.objects.get(upload=upload)
    assert (item.outcome, item.deal) == ("stored", None)
    assert outcomes(store_upload(raw=samples.TAROKY.encode())) == ["stored"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-20", date(2026, 11, 20)),
        ("2026-11-??", date(2026, 11, 1)),
        ("2026-??-??", date(2026, 1, 1)),
        ("????-??-??", None),
        ("2026-02-31", None),
        ("0000-01-01", None),
        ("2026-??-15", date(2026, 1, 15)),
        ("", None),
        ("yesterday", None),
    ],
)
def test_the_first_day_of_a_partly_known_date(text, day):
    assert first_day(text) == day
