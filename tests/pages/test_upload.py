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
from django.utils import timezone, translation

from archive.errors import Unavailable
from archive.models import Contribution, Deal, Part, Upload
from archive.reading.uploads import results_of, upload_bytes
from archive.shown import ShownDeal
from archive.storing import intake, uploads
from archive.web import waiting
from replays.language.names import Names
from replays.uploads.views import uploads as views
from tarock.notation import pieces
from tarock.words import sentences
from tests import samples
from tests.storing import shown

from .conftest import Page, work

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
    """Return the stored data of the one upload."""
    return b"".join(upload_bytes(Upload.objects.get())).decode()


def file(text: str | bytes, name: str = "deals.tgn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def test_the_form_is_there_without_an_account(client: Client) -> None:
    page = Page(client.get("/upload/").content.decode())
    (form,) = [attrs for tag, attrs in page.tags if tag == "form" and "data-upload" in attrs]
    assert form["method"] == "post"
    assert form["enctype"] == "multipart/form-data"
    assert "You don’t need an account" in page.text


def test_a_pasted_deal_is_stored(client: Client) -> None:
    answer = send(client, text=samples.ANNOTATED.replace("\n", "\r\n"))
    deal = shown(Deal.objects.get())
    assert answer.redirect_chain[-1][0] == f"/uploads/{Upload.objects.get().pk}/"
    page = Page(answer.content.decode())
    assert "1 deal stored" in page.text
    assert f"/deals/{deal.pk}/" in page.attributes("href")
    assert "Verified" in page.text
    assert sent() == samples.ANNOTATED


def test_good_records_are_kept_and_bad_ones_shown_with_their_place(client: Client) -> None:
    text = samples.DEALT_TWICE + "\n" + samples.ANNOTATED + "\n" + samples.ANNOTATED
    page = Page(send(client, files=file(text)).content.decode())
    assert Deal.objects.count() == 1
    assert "1 deal stored" in page.text
    assert "1 already in the archive" in page.text
    assert "1 record can’t be read" in page.text
    assert "Line 18, column 8" in page.text
    assert "Found ♦1 a second time" in page.text
    assert sent() == text


def test_the_excerpt_shows_the_line_with_the_fault_marked(client: Client) -> None:
    html = send(client, text=samples.DEALT_TWICE).content.decode()
    assert '<span class="line-number">18</span>deal C <mark>D1</mark> S9' in html


def test_a_known_deal_leads_to_the_one_that_is_there(client: Client, taroky: ShownDeal) -> None:
    page = Page(send(client, text=samples.ANNOTATED).content.decode())
    assert "Already in the archive" in page.text
    assert f"/deals/{taroky.pk}/" in page.attributes("href")
    assert "Verified" in page.text


@pytest.mark.parametrize("data", [{}, {"text": "  \n"}])
def test_nothing_sent_is_said_so(client: Client, data: dict[str, str]) -> None:
    answer = client.post("/upload/", data)
    assert answer.status_code == 400
    assert "Paste some deals or choose a file." in answer.content.decode()
    assert not Upload.objects.exists()


def test_an_empty_file_is_an_upload_without_a_record(client: Client) -> None:
    page = Page(send(client, files=file(b"", "empty.tgn")).content.decode())
    assert "1 record can’t be read" in page.text


def test_what_is_too_large_is_refused_in_plain_words(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 500
    answer = client.post("/upload/", {"text": samples.ANNOTATED, "files": file("x" * 2000, "big.tgn")})
    html = answer.content.decode()
    assert answer.status_code == 400
    assert "big.tgn is too large" in html
    assert "The text is too large" in html
    assert not Upload.objects.exists()


def test_too_many_files_are_refused(client: Client) -> None:
    answer = client.post("/upload/", {"files": [file("x", f"{n}.tgn") for n in range(21)]})
    assert answer.status_code == 400
    assert "At most 20 files" in answer.content.decode()


def test_an_upload_belongs_to_who_is_signed_in(client: Client, django_user_model: type[User]) -> None:
    user = django_user_model.objects.create_user("eva", password="eva")
    client.force_login(user)
    send(client, text=samples.ANNOTATED)
    assert Upload.objects.get().user == user
    assert shown(Deal.objects.get()).contribution.sender == user
    assert "Pasted text" in client.get("/uploads/").content.decode()


def test_what_was_sent_is_shown_as_text_only(client: Client) -> None:
    for sending in ({"text": samples.SCRIPT}, {"files": file(samples.SCRIPT, f"{samples.SCRIPT}.tgn")}):
        page = Page(send(client, **sending).content.decode())
        assert not page.unsafe
        assert samples.SCRIPT in page.text


def test_a_form_from_elsewhere_is_refused() -> None:
    answer = Client(enforce_csrf_checks=True).post("/upload/", {"text": samples.ANNOTATED})
    assert answer.status_code == 403
    assert "The form was not accepted" in answer.content.decode()
    assert not Upload.objects.exists()


def test_several_files_and_a_paste_in_one_go(client: Client) -> None:
    other = samples.as_text(samples.simulated("troggu", 3))
    answer = send(client, text=samples.ANNOTATED, files=[file(other, "a.tgn"), file(b"\xff\xfe", "b.tgn")])
    assert answer.redirect_chain[-1][0] == "/uploads/"
    assert Upload.objects.count() == 3
    assert Deal.objects.count() == 2
    text = Page(answer.content.decode()).text
    assert re.findall(r"(\S+\.tgn|Pasted text) (\d) (\d) (\d)", text) == [
        ("b.tgn", "0", "0", "1"),
        ("a.tgn", "1", "0", "0"),
        ("Pasted text", "1", "0", "0"),
    ]


def test_what_is_too_long_to_be_pasted_is_said_so(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 500
    answer = client.post("/upload/", {"text": samples.ANNOTATED})
    assert answer.status_code == 413
    assert "Send it as a file." in answer.content.decode()
    assert client.post("/upload/", {"files": file(samples.ANNOTATED)}).status_code == 302


def test_a_request_that_is_too_large_is_not_read(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = 500
    answer = client.post("/upload/", {"files": file("x" * 1_100_000)})
    assert answer.status_code == 413
    assert "The limit is 500\xa0bytes at a time" in answer.content.decode()


def test_a_database_that_takes_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _busy_after(0, monkeypatch)
    answer = client.post("/upload/", {"text": samples.ANNOTATED, "files": [file("x", "a.tgn")]})
    page = Page(answer.content.decode())
    assert answer.status_code == 503
    assert "Nothing was stored: The text could not be stored: the archive is busy." in page.text
    assert "a.tgn could not be stored" in page.text
    assert not Upload.objects.exists()


def test_a_database_that_takes_nothing_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _busy_after(1, monkeypatch)
    page = Page(send(client, text=samples.ANNOTATED, files=[file("x", "a.tgn")]).content.decode())
    assert "1 deal stored" in page.text
    assert "a.tgn could not be stored: the archive is busy." in page.text


def _busy_after(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = uploads.receive

    def keep(*args: Any, **kwargs: Any) -> Upload:
        if Upload.objects.count() >= number:
            raise Unavailable
        return real(*args, **kwargs)

    monkeypatch.setattr(uploads, "receive", keep)


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


# --- quotas -------------------------------------------------------------------------------------------------


def test_who_has_sent_too_much_is_told_when_to_come_back(client: Client, settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 2 * 16_384
    assert client.post("/upload/", {"text": "1"}).status_code == 302
    assert client.post("/upload/", {"text": "2"}).status_code == 302
    refused = client.post("/upload/", {"text": "3"})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 3600
    text = Page(refused.content.decode()).text
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


def test_a_forged_address_does_not_help(client: Client, settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 1
    assert client.post("/upload/", {"text": "1"}, HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 302
    assert client.post("/upload/", {"text": "2"}, HTTP_X_FORWARDED_FOR="192.0.2.2").status_code == 429


def test_behind_a_proxy_the_address_is_the_one_that_it_names(client: Client, settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 1
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    assert client.post("/upload/", {"text": "1"}, HTTP_X_FORWARDED_FOR="a, 192.0.2.1").status_code == 302
    assert client.post("/upload/", {"text": "2"}, HTTP_X_FORWARDED_FOR="b, 192.0.2.1").status_code == 429
    assert client.post("/upload/", {"text": "3"}, HTTP_X_FORWARDED_FOR="b, 192.0.2.2").status_code == 302


# --- how far it is ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("idle", "_small_parts")
def test_an_upload_that_waits_shows_how_far_it_is(client: Client) -> None:
    """Without a script the page reloads itself; with one the changing part is requested."""
    text = samples.as_text(samples.simulated("strohmann", 2, 8))
    answer = send(client, files=file(text))
    address = answer.redirect_chain[-1][0]
    page = Page(answer.content.decode())
    assert "0 % is stored" in page.text
    assert "left" not in page.text
    assert page.attributes("data-poll") == [address]
    assert "refresh" in page.attributes("http-equiv")
    parts = list(Part.objects.order_by("number").values_list("pk", flat=True))
    assert len(parts) > 3
    intake.store(parts[0])
    Upload.objects.update(accepted_at=timezone.now() - timedelta(minutes=2))
    page = Page(client.get(address).content.decode())
    assert f"{100 // len(parts)} % is stored; about" in page.text
    assert re.search(r"about \d+ minutes left", page.text)
    assert page.attributes("data-poll") == [address]
    assert f"{Deal.objects.count()} deal" in page.text
    assert "is being stored" in Page(client.get("/uploads/").content.decode()).text
    work()
    page = Page(client.get(address).content.decode())
    assert "8 deals stored" in page.text
    assert "% is stored" not in page.text
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
        html = client.get(address + query).content.decode()
        return re.findall(r'<span class="item-number muted">(\d+)</span>', html)

    page = Page(answer.content.decode())
    assert "9 records read 7 deals stored 2 records can’t be read" in page.text
    assert "✓ Verified 6 ✕ Illegal 1" in page.text
    assert numbers("") == ["1", "2", "3", "4"]
    assert "?after=3" in page.attributes("href")
    assert numbers("?after=3") == ["5", "6", "7", "8"]
    assert numbers("?after=7") == ["9"]
    assert "?wrong=1" in page.attributes("href")
    assert numbers("?wrong=1") == ["7", "9"]
    assert numbers("?after=x") == numbers("?after=99999999999999999999") == numbers("")


def test_a_fault_of_ours_is_told_without_its_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(record: object) -> None:
        raise RuntimeError("a secret of ours")

    with monkeypatch.context() as patch:
        patch.setattr(intake, "check", broken)
        text = Page(send(client, text=samples.ANNOTATED).content.decode()).text
    assert "1 error on our side" in text
    assert "the operator can see what happened" in text
    assert "secret" not in text


def test_what_is_said_otherwise_than_before_is_named(client: Client) -> None:
    client.force_login(User.objects.create_user("eva"))
    send(client, text=samples.ANNOTATED)
    again = samples.WRONG_CLAIM.replace('"Cyril"', '"Cyrus"')
    address = send(client, text=again).redirect_chain[-1][0]
    for language, said in {
        "en": "You sent this deal before with other details: players, score written down. The archive",
        "de": "Spieler, aufgeschriebenes Ergebnis",
        "cs": "hráči, zapsané skóre",
        "ja": "プレイヤー、記入された得点",
    }.items():
        text = Page(client.get(address, headers={"accept-language": language}).content.decode()).text
        assert said in text
    assert Contribution.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "place", "said"),
    [
        ("en", "Line 18, column 8", "Found ♦1 a second time; it was already dealt to B"),
        ("de", "Zeile 18, Spalte 8", None),
        ("cs", "Řádek 18, sloupec 8", None),
        ("ja", "18行目", None),
    ],
)
def test_what_is_wrong_is_said_in_the_readers_language(
    client: Client, language: str, place: str, said: str | None
) -> None:
    address = send(client, text=samples.DEALT_TWICE).redirect_chain[-1][0]
    text = Page(client.get(address, headers={"accept-language": language}).content.decode()).text
    found = results_of(Upload.objects.get())[0].finding
    assert found is not None
    with translation.override(language):
        wanted = said or Names("", {}).sentence(sentences.finding, found)
    assert wanted in text
    assert place in text


@pytest.mark.usefixtures("_small_parts")
def test_the_excerpt_is_taken_from_the_part_that_it_is_in(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    good = samples.as_text(samples.simulated("strohmann", 2, 8))
    answer = send(client, files=file(f"{good}\n{samples.DEALT_TWICE}\n{good}"))
    assert Part.objects.count() > 6
    line = good.count("\n") + 1 + 18
    assert f'<span class="line-number">{line}</span>deal C <mark>D1</mark> S9' in answer.content.decode()
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


def test_what_cannot_be_kept_is_said_and_not_stored(client: Client) -> None:
    text = Page(send(client, text=samples.ANNOTATED.replace("Cyril", "C" * 201)).content.decode()).text
    assert "Not stored" in text
    assert "201 characters" in text


def test_the_verdict_is_that_on_what_was_sent(client: Client, taroky: ShownDeal) -> None:
    """Somebody else sent the deal first, with the right score."""
    text = Page(send(client, text=samples.WRONG_CLAIM).content.decode()).text
    assert f"Already in the archive — deal {taroky.pk} ≠ Disputed" in text
