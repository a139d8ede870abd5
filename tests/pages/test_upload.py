"""Uploading without a script: pasted, as files, good and bad records side by side; how far it is; quotas."""

from __future__ import annotations

import re
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.core.files.base import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from archive.errors import Unavailable
from archive.models import Contribution, Deal, Part, Session, Upload
from archive.reading.uploads import upload_bytes
from archive.shown import ShownDeal
from archive.storing import intake, spaces, uploads
from archive.web import waiting
from replays.uploads.views import uploads as views
from tarock.notation import pieces
from tests.engine.test_bga import LOG
from tests.support import samples
from tests.support.storing import shown, stored

from .conftest import Page, browser_of, missing, page_at, page_of, text_of, work

pytestmark = pytest.mark.django_db


def send(client: Client, **data: Any) -> Any:
    return client.post("/upload/", data, follow=True)


@pytest.fixture
def _small_parts(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Uploads are cut into parts of a record or two."""
    settings.FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
    monkeypatch.setattr(pieces, "PIECE", 2_000)
    monkeypatch.setattr(File, "DEFAULT_CHUNK_SIZE", 2_000)


def sent() -> str:
    return b"".join(upload_bytes(Upload.objects.get())).decode()


def file(text: str | bytes, name: str = "deals.tgn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def test_a_pasted_deal_is_stored_without_an_account(client: Client) -> None:
    page = page_at(client, "/upload/")
    (form,) = [attrs for tag, attrs in page.tags if tag == "form" and "data-upload" in attrs]
    assert (form["method"], form["enctype"]) == ("post", "multipart/form-data")
    assert "You don’t need an account" in page.text
    answer = send(client, text=samples.ANNOTATED.replace("\n", "\r\n"))
    assert answer.redirect_chain[-1][0] == f"/uploads/{Upload.objects.get().pk}/"
    page = Page(answer.text)
    assert missing(page.text, "1 deal stored", "Verified") == []
    assert f"/deals/{shown(Deal.objects.get()).pk}/" in page.attributes("href")
    assert sent() == samples.ANNOTATED


def test_good_records_are_kept_and_bad_ones_shown_with_their_place(client: Client) -> None:
    text = samples.DEALT_TWICE + "\n" + samples.ANNOTATED + "\n" + samples.ANNOTATED
    answer = send(client, files=file(text))
    assert Deal.objects.count() == 1
    counts = ("1 deal stored", "1 already in the archive", "1 record can’t be read")
    place = ("Line 18, column 8", "Found ♦1 a second time")
    assert missing(Page(answer.text).text, *counts, *place) == []
    assert '<span class="line-number">18</span>deal C <mark>D1</mark> S9' in answer.text
    assert sent() == text


def test_a_file_of_another_kind_is_named_and_has_no_editor(client: Client) -> None:
    page = Page(send(client, files=file("Datum;Anna;Bruno\n1.11.2026;3;-3\n", "evening.csv")).text)
    assert missing(page.text, "1 record can’t be read", "Found a table", "Bring in old results") == []
    assert "Edit and send again" not in page.text


def test_a_text_in_an_old_encoding_is_read_and_the_page_says_so(client: Client) -> None:
    data = samples.ANNOTATED.encode("cp1250")
    page = Page(send(client, files=file(data)).text)
    assert missing(page.text, "1 deal stored", "It was read as Windows-1250") == []
    assert b"".join(upload_bytes(Upload.objects.get())) == data


def test_a_text_that_can_be_read_in_two_ways_is_a_question(client: Client) -> None:
    data = samples.ANNOTATED.replace("Bořek", "Søren").encode("cp1252", "replace")
    page = send(client, files=file(data))
    assert missing(Page(page.text).text, "Which line is right?", '[B "Sřren"]', "Windows-1252") == []
    (first,) = Upload.objects.all()
    where = f"/uploads/{first.pk}/records/1/encoding/"
    assert client.post(where, {"encoding": "utf-7"}).status_code == 404
    Upload.objects.update(visibility="unlisted")
    answer = client.post(where, {"encoding": "cp1252"}, follow=True)
    assert Upload.objects.values_list("space", "visibility").distinct().count() == 1, "as the first one"
    assert missing(Page(answer.text).text, "1 deal stored", "It was read as Windows-1252") == []
    assert shown(Deal.objects.get()).players["B"] == "Søren"
    assert b"".join(upload_bytes(Upload.objects.get(mends=first))) == data


def test_a_log_of_board_game_arena_is_stored_and_kept_as_it_is(client: Client) -> None:
    page = Page(send(client, files=file(LOG, "log.json")).text)
    assert missing(page.text, "3 deals stored", "Verified 3") == []
    assert b"".join(upload_bytes(Upload.objects.get())) == LOG


def test_a_known_deal_leads_to_the_one_that_is_there(client: Client, taroky: ShownDeal) -> None:
    """The verdict is that on what was sent: somebody else sent the deal first, with the right score."""
    page = Page(send(client, text=samples.ANNOTATED).text)
    assert missing(page.text, "Already in the archive", "Verified") == []
    assert f"/deals/{taroky.pk}/" in page.attributes("href")
    text = Page(send(Client(), text=samples.WRONG_CLAIM).text).text
    assert f"Already in the archive — deal {taroky.pk} ≠ Disputed" in text


def test_what_cannot_be_taken_is_refused_in_plain_words(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 500
    nothing = "Paste some deals or choose a file."
    for text, files, *messages in (
        ("", [], nothing),
        ("  \n", [], nothing),
        ("", [file("x", f"{n}.tgn") for n in range(21)], "at most 20 files"),
        (samples.ANNOTATED, [file("x" * 2000, "big.tgn")], "big.tgn is too large", "The text is too large"),
    ):
        page = page_of(client.post("/upload/", {"text": text} | ({"files": files} if files else {})), 400)
        assert missing(page.text, *messages) == []
    assert not Upload.objects.exists()


def test_several_files_and_a_paste_in_one_go(client: Client) -> None:
    files = [file(samples.TROGGU, "a.tgn"), file(b"\xff\xfe", "b.tgn")]
    answer = send(client, text=samples.ANNOTATED, files=files)
    assert answer.redirect_chain[-1][0] == "/uploads/"
    assert (Upload.objects.count(), Deal.objects.count()) == (3, 2)
    assert re.findall(r"(\S+\.tgn|Pasted text) (\d) (\d) (\d)", Page(answer.text).text) == [
        ("b.tgn", "0", "0", "1"), ("a.tgn", "1", "0", "0"), ("Pasted text", "1", "0", "0"),
    ]  # fmt: skip


def test_a_request_that_is_too_large_is_not_read(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 500
    answer = client.post("/upload/", {"files": file("x" * 1_100_000)})
    assert "the limit is 500 bytes at a time" in page_of(answer, 413).text
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 10_000
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 500
    answer = client.post("/upload/", {"text": samples.ANNOTATED})
    assert "Send it as a file." in page_of(answer, 413).text
    assert client.post("/upload/", {"files": file(samples.ANNOTATED)}).status_code == 302


@pytest.mark.parametrize(
    ("stored", "status", "messages"),
    [
        (0, 503, ("Nothing was stored: The text could not be stored: the archive is busy.",
                  "a.tgn could not be stored")),
        (1, 200, ("1 deal stored", "a.tgn could not be stored: the archive is busy.")),
    ],
)  # fmt: skip
def test_a_database_that_takes_nothing_more(
    client: Client, monkeypatch: pytest.MonkeyPatch, stored: int, status: int, messages: tuple[str, ...]
) -> None:
    real = uploads.receive

    def keep(*args: Any, **kwargs: Any) -> Upload:
        if Upload.objects.count() >= stored:
            raise Unavailable
        return real(*args, **kwargs)

    monkeypatch.setattr(uploads, "receive", keep)
    answer = send(client, text=samples.ANNOTATED, files=[file("x", "a.tgn")])
    assert missing(page_of(answer, status).text, *messages) == []
    assert Upload.objects.count() == stored


@pytest.fixture
def eva(client: Client) -> User:
    user = User.objects.create_user("eva")
    client.force_login(user)
    return user


def test_only_so_many_requests_wait_at_a_time(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[Upload] = []
    monkeypatch.setattr(uploads, "wait", lambda upload, seconds: waited.append(upload))
    places = BoundedSemaphore(1)
    monkeypatch.setattr(waiting, "WAIT_PLACES", places)
    with places:
        assert client.post("/upload/", {"text": "1"}).status_code == 302
        assert not waited
    assert client.post("/upload/", {"text": "2"}).status_code == 302
    assert len(waited) == 1


def test_who_has_sent_too_much_is_told_when_to_come_back(client: Client, settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 2 * 16_384
    assert [client.post("/upload/", {"text": text}).status_code for text in "12"] == [302, 302]
    refused = client.post("/upload/", {"text": "3"})
    text = page_of(refused, 429).text
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert re.search(r"Try again in \d+ minutes\. You can send more when you are signed in\.", text)
    assert Upload.objects.count() == 2
    # Another address has its own quota; so has who is signed in.
    assert Client(REMOTE_ADDR="192.0.2.7").post("/upload/", {"text": "4"}).status_code == 302
    client.force_login(User.objects.create_user("eva"))
    assert client.post("/upload/", {"text": "5"}).status_code == 302


def test_a_quota_is_asked_for_before_the_body_is_read(client: Client, settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 1
    client.post("/upload/", {"text": "1"})
    body = mock.Mock(side_effect=AssertionError)
    with mock.patch("django.core.handlers.wsgi.WSGIRequest._load_post_and_files", body):
        assert Client(enforce_csrf_checks=True).post("/upload/", {"text": "2"}).status_code == 429


@pytest.mark.usefixtures("idle", "_small_parts")
def test_an_upload_that_waits_shows_how_far_it_is(client: Client) -> None:
    """Without a script the page reloads itself; with one the changing part is requested."""
    text = samples.as_text(samples.simulated("strohmann", 2, 8))
    answer = send(client, files=file(text))
    address = answer.redirect_chain[-1][0]
    page = Page(answer.text)
    assert ("0 % stored" in page.text, "left" in page.text) == (True, False)
    assert page.attributes("data-poll") == [address]
    assert "refresh" in page.attributes("http-equiv")
    parts = list(Part.objects.order_by("number").values_list("pk", flat=True))
    assert len(parts) > 3
    intake.store(parts[0])
    Upload.objects.update(accepted_at=timezone.now() - timedelta(minutes=2))
    page = page_at(client, address)
    assert f"{100 // len(parts)} % stored; about" in page.text
    assert re.search(r"about \d+ minutes left", page.text)
    assert page.attributes("data-poll") == [address]
    assert f"{Deal.objects.count()} deal" in page.text
    assert "is being stored" in text_of(client, "/uploads/")
    work()
    page = page_at(client, address)
    assert "8 deals stored" in page.text
    assert "% stored" not in page.text
    assert not page.attributes("data-poll")
    assert "refresh" not in page.attributes("http-equiv")
    assert len([a for tag, a in page.tags if a.get("class") == "item item-stored"]) == 8


def test_a_large_upload_is_shown_in_pages_and_counts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "PER_PAGE", 4)
    good = samples.simulated("strohmann", 2, 6)
    text = "\n".join([samples.as_text(good), samples.DEALT_TWICE, samples.ILLEGAL, samples.DEALT_TWICE])
    answer = send(client, files=file(text))
    address = answer.redirect_chain[-1][0]

    def numbers(query: str) -> list[str]:
        html = client.get(address + query).text
        return re.findall(r'<span class="item-number muted">(\d+)</span>', html)

    page = Page(answer.text)
    assert "9 records read 7 deals stored 2 records can’t be read" in page.text
    assert "✓ Verified 6 ✕ Illegal 1" in page.text
    assert numbers("") == ["1", "2", "3", "4"]
    assert "?after=3" in page.attributes("href")
    assert numbers("?after=3") == ["5", "6", "7", "8"]
    assert numbers("?after=7") == ["9"]
    assert "?wrong=1" in page.attributes("href")
    assert numbers("?wrong=1") == ["7", "9"]
    assert numbers("?after=x") == numbers("?after=99999999999999999999") == numbers("")


def test_a_fault_of_ours_shows_no_traceback(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(record: object) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr(intake, "check", broken)
    text = Page(send(client, text=samples.ANNOTATED).text).text
    assert missing(text, "1 error on our side", "the operator can see what happened") == []
    assert "secret" not in text


def test_what_is_said_otherwise_than_before_is_named(client: Client, eva: User) -> None:
    send(client, text=samples.ANNOTATED)
    text = Page(send(client, text=samples.WRONG_CLAIM.replace('"Cyril"', '"Cyrus"')).text).text
    assert "You sent this deal before with different details: players, score written down. The arch" in text
    assert Contribution.objects.count() == 1


@pytest.mark.usefixtures("_small_parts")
def test_the_excerpt_reads_one_part(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    good = samples.as_text(samples.simulated("strohmann", 2, 8))
    answer = send(client, files=file(f"{good}\n{samples.DEALT_TWICE}\n{good}"))
    assert Part.objects.count() > 6
    line = good.count("\n") + 1 + 18
    assert f'<span class="line-number">{line}</span>deal C <mark>D1</mark> S9' in answer.text
    read: list[int] = []
    whole = Part.bytes.fget
    assert whole is not None

    def counted(part: Part) -> bytes:
        read.append(part.pk)
        return whole(part)

    monkeypatch.setattr(Part, "bytes", property(counted))
    with django_assert_max_num_queries(14):
        client.get(answer.redirect_chain[-1][0])
    assert len(read) == 1


def test_the_result_counts_verdicts_and_gives_reasons(client: Client, eva: User) -> None:
    text = "\n".join([samples.ANNOTATED, samples.ILLEGAL, samples.UNFINISHED, samples.DEALT_TWICE])
    page = Page(send(client, text=text).text)
    head, _, items = page.text.partition("Sessions:")
    counts = ("✓ Verified 1", "✕ Illegal 1", "… Incomplete 1", "1 record can’t be read")
    assert missing(head, *counts) == []
    assert "trick 4" in items.lower()
    assert f"/sessions/{Session.objects.get().pk}/" in page.attributes("href")
    # Deals that were there count too.
    page = Page(send(client, text=samples.ANNOTATED + "\n" + samples.ILLEGAL).text)
    head = page.text.partition("Sessions:")[0]
    assert missing(head, "2 already in the archive", "✓ Verified 1", "✕ Illegal 1") == []
    # The claim and the score by the rules; a record that the archive cannot keep is not stored.
    text = Page(send(Client(), text=samples.WRONG_CLAIM).text).text
    claimed = "Written down: Alena +100, Bořek −100, Cyril −100, Dana +100"
    assert missing(text, claimed, "By the rules: Alena +105, Bořek −105, Cyril −105, Dana +105") == []
    text = Page(send(client, text=samples.ANNOTATED.replace("Cyril", "C" * 201)).text).text
    assert missing(text, "Not stored", "201 characters") == []


def test_the_failures_can_be_downloaded_alone(client: Client, eva: User) -> None:
    second = samples.DEALT_TWICE.replace('"Alena"', '"Adéla"')
    for good, bad in ((samples.ANNOTATED, [samples.DEALT_TWICE, second]), (samples.ILLEGAL, [])):
        answer = send(client, text="\n".join([good, *bad]))
        link = f"{answer.redirect_chain[-1][0]}failures"
        assert (link in Page(answer.text).attributes("href")) == bool(bad)
        failures = client.get(link)
        assert failures.getvalue().decode() == "".join(bad)
        assert failures["Content-Disposition"].startswith("attachment")
        assert Client().get(link).status_code == 404


def test_what_was_corrected_says_so(client: Client, eva: User) -> None:
    """An illegal deal that a corrected one replaces, and a record that could not be parsed."""
    answer = send(client, text=samples.ILLEGAL + "\n" + samples.DEALT_TWICE)
    address, page = answer.redirect_chain[-1][0], Page(answer.text)
    bad = shown(Deal.objects.get())
    edits = [link for link in page.attributes("href") if link.endswith("/edit/")]
    assert [client.get(link).status_code for link in edits] == [200, 200]
    assert "Corrected" not in page.text
    for link, text in zip(edits, (samples.ANNOTATED, samples.TROGGU), strict=True):
        client.post(link, {"text": text, "action": "send"})
    first, second = Deal.objects.exclude(pk=bad.pk).order_by("pk")
    page = page_at(client, address)
    assert missing(page.text, f"Corrected — deal {first.pk}", f"Corrected — deal {second.pk}") == []
    assert f"/deals/{first.pk}/" in page.attributes("href")
    assert "Edit and send again" not in page.text


def test_nothing_is_to_be_edited_that_somebody_else_sent(client: Client, eva: User) -> None:
    ota = User.objects.create_user("ota")
    club = spaces.found_club("Tarok", by=ota)
    spaces.join(spaces.invite(club, by=ota), eva)
    stored(samples.ILLEGAL, user=ota, space=club)
    text = Page(send(client, text=samples.ILLEGAL, space=club.pk).text).text
    assert "Already in the archive" in text
    assert "Edit and send again" not in text


def test_a_guests_upload_belongs_to_its_session() -> None:
    browsers = sender, *_others = Client(), Client(), browser_of(User.objects.create_user("adam"))
    send(sender, text=samples.ANNOTATED)
    here = f"/uploads/{Upload.objects.get().pk}/"
    for path in ("", "?wrong=1", "original"):
        assert [browser.get(f"{here}{path}").status_code for browser in browsers] == [200, 404, 404]
    assert [here in browser.get("/uploads/").text for browser in browsers] == [True, False, False]


def test_deals_are_public_and_do_not_name_the_sender(client: Client, eva: User) -> None:
    send(client, text=samples.ANNOTATED)
    deal = shown(Deal.objects.get())
    assert Upload.objects.get().user == deal.contribution.sender == eva
    for path in ("", "replay/", "audit/", "deal.json", "deal.tgn"):
        answer = Client().get(f"/deals/{deal.pk}/{path}")
        assert answer.status_code == 200
        assert "eva" not in answer.text.replace("evaluat", "")
    assert Client().get(f"/deals/{deal.pk}/original").status_code == 404


def test_what_was_sent_is_shown_as_text_only(client: Client) -> None:
    for sending in ({"text": samples.SCRIPT}, {"files": file(samples.SCRIPT, f"{samples.SCRIPT}.tgn")}):
        page = Page(send(client, **sending).text)
        assert not page.unsafe
        assert samples.SCRIPT in page.text


def test_what_was_sent_comes_back_byte_for_byte_and_never_as_a_page(client: Client) -> None:
    raw = "<html>\r\n\ufeff" + samples.SCRIPT
    send(client, text=raw)
    answer = client.get(f"/uploads/{Upload.objects.get().pk}/original")
    assert answer.getvalue().decode() == raw.replace("\r\n", "\n")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
