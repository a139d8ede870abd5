"""Uploading without a script: pasted, as files, good and bad records side by side."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from archive import services
from archive.models import Deal, Upload

from . import samples
from .conftest import Page, Store

pytestmark = pytest.mark.django_db


def send(client: Client, **data: Any) -> Any:
    return client.post("/upload/", data, follow=True)


def file(text: str | bytes, name: str = "deals.tgn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def test_the_form_is_there_without_an_account(client: Client) -> None:
    page = Page(client.get("/upload/").content.decode())
    (form,) = [attrs for tag, attrs in page.tags if tag == "form" and "data-upload" in attrs]
    assert form["method"] == "post"
    assert form["enctype"] == "multipart/form-data"
    assert "No account is needed" in page.text


def test_a_pasted_deal_is_stored(client: Client) -> None:
    answer = send(client, text=samples.TAROKY.replace("\n", "\r\n"))
    deal = Deal.objects.get()
    assert answer.redirect_chain[-1][0] == f"/uploads/{deal.upload_id}/"
    page = Page(answer.content.decode())
    assert "1 deal stored" in page.text
    assert f"/deals/{deal.pk}/" in page.attributes("href")
    assert "Being verified" in page.text
    assert deal.text is not None
    assert deal.text.startswith('[TGN "1"]')
    assert bytes(deal.upload.raw).decode() == samples.TAROKY


def test_good_records_are_kept_and_bad_ones_shown_with_their_place(client: Client) -> None:
    text = samples.MALFORMED + "\n" + samples.TAROKY + "\n" + samples.TAROKY
    page = Page(send(client, files=file(text)).content.decode())
    assert Deal.objects.count() == 1
    assert "1 deal stored" in page.text
    assert "1 already there" in page.text
    assert "1 that can’t be read" in page.text
    assert "Line 18, column 8" in page.text
    assert "found D1 a second time" in page.text
    assert bytes(Upload.objects.get().raw).decode() == text


def test_the_excerpt_shows_the_line_with_the_fault_marked(client: Client) -> None:
    html = send(client, text=samples.MALFORMED).content.decode()
    assert '<span class="line-number">18</span>deal C <mark>D1</mark> S9' in html


def test_several_files_and_a_paste_in_one_go(client: Client) -> None:
    other = samples.as_text(samples.simulated("troggu", 3))
    answer = send(client, text=samples.TAROKY, files=[file(other, "a.tgn"), file(b"\xff\xfe", "b.tgn")])
    assert Upload.objects.count() == 3
    page = Page(answer.content.decode())
    assert Deal.objects.count() == 2
    assert "a.tgn" in page.text
    assert "b.tgn" in page.text


def test_a_known_deal_leads_to_the_one_that_is_there(client: Client, taroky: Deal) -> None:
    page = Page(send(client, text=samples.TAROKY).content.decode())
    assert "Already there" in page.text
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
    assert "1 that can’t be read" in page.text


def test_what_is_too_large_is_refused_in_plain_words(client: Client, settings: Any) -> None:
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 500
    answer = client.post("/upload/", {"text": samples.TAROKY, "files": file("x" * 2000, "big.tgn")})
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
    send(client, text=samples.TAROKY)
    assert Upload.objects.get().user == user
    assert Deal.objects.get().uploaded_by == user
    assert "Pasted text" in client.get("/uploads/").content.decode()


def test_what_was_sent_is_shown_as_text_only(client: Client) -> None:
    page = Page(
        send(
            client, text=samples.SCRIPT, files=file(samples.SCRIPT, f"{samples.SCRIPT}.tgn")
        ).content.decode()
    )
    assert not page.unsafe
    assert samples.SCRIPT in page.text


def test_uploads_without_an_account_are_limited(client: Client, settings: Any, store: Store) -> None:
    settings.ANONYMOUS_UPLOADS_PER_HOUR = 2
    assert client.post("/upload/", {"text": "1"}).status_code == 302
    assert client.post("/upload/", {"text": "2"}).status_code == 302
    refused = client.post("/upload/", {"text": "3"})
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert "Too many uploads" in refused.content.decode()
    assert Upload.objects.count() == 2
    # Another address has its own count; so has nobody who is signed in.
    assert Client(REMOTE_ADDR="192.0.2.7").post("/upload/", {"text": "4"}).status_code == 302
    client.force_login(User.objects.create_user("eva"))
    assert client.post("/upload/", {"text": "5"}).status_code == 302


def test_a_forged_address_does_not_help(client: Client, settings: Any) -> None:
    settings.ANONYMOUS_UPLOADS_PER_HOUR = 1
    assert client.post("/upload/", {"text": "1"}, HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 302
    assert client.post("/upload/", {"text": "2"}, HTTP_X_FORWARDED_FOR="192.0.2.2").status_code == 429


def test_behind_a_proxy_the_address_is_the_one_that_it_names(client: Client, settings: Any) -> None:
    settings.ANONYMOUS_UPLOADS_PER_HOUR = 1
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    assert client.post("/upload/", {"text": "1"}, HTTP_X_FORWARDED_FOR="a, 192.0.2.1").status_code == 302
    assert client.post("/upload/", {"text": "2"}, HTTP_X_FORWARDED_FOR="b, 192.0.2.1").status_code == 429
    assert client.post("/upload/", {"text": "3"}, HTTP_X_FORWARDED_FOR="b, 192.0.2.2").status_code == 302


def test_a_form_from_elsewhere_is_refused() -> None:
    answer = Client(enforce_csrf_checks=True).post("/upload/", {"text": samples.TAROKY})
    assert answer.status_code == 403
    assert "This form could not be accepted" in answer.content.decode()
    assert not Upload.objects.exists()


def _refused(*_: Any, **__: Any) -> None:
    raise OperationalError("database is locked")


def test_what_the_database_refuses_for_now_is_stored_later(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(services._Storing, "store", _refused)
        answer = send(client, text=samples.TAROKY)
    page = Page(answer.content.decode())
    assert "It is kept, and will be stored by itself" in page.text
    assert "not stored" not in page.text.replace("has not stored this yet", "")
    address = answer.redirect_chain[-1][0]
    assert page.attributes("data-poll") == [f"{address}?fragment=1"]
    Upload.objects.update(next_try_at=timezone.now())
    services.read_waiting(Upload.objects.get().pk)
    page = Page(client.get(address).content.decode())
    assert "1 deal stored" in page.text
    assert "The archive is busy" not in page.text


def test_a_database_that_takes_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(Upload, "save", _refused)
        answer = client.post("/upload/", {"text": samples.TAROKY, "files": [file("x", "a.tgn")]})
    page = Page(answer.content.decode())
    assert answer.status_code == 503
    assert "Nothing was stored: The text could not be kept: the archive is busy." in page.text
    assert "a.tgn could not be kept" in page.text
    assert not Upload.objects.exists()


def test_a_database_that_takes_nothing_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Upload.save

    def once(self: Upload, *args: Any, **kwargs: Any) -> None:
        if Upload.objects.exists():
            _refused()
        real(self, *args, **kwargs)

    monkeypatch.setattr(Upload, "save", once)
    page = Page(send(client, text=samples.TAROKY, files=[file("x", "a.tgn")]).content.decode())
    assert "1 deal stored" in page.text
    assert "a.tgn could not be kept: the archive is busy." in page.text
