"""Privacy of uploads: the sender and the operator can see them; each case is also requested by others."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Deal, Upload
from tests import samples
from tests.storing import shown

pytestmark = pytest.mark.django_db


def paths(upload: Upload) -> list[str]:
    return [f"/uploads/{upload.pk}/", f"/uploads/{upload.pk}/?wrong=1", f"/uploads/{upload.pk}/original"]


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def eva() -> User:
    return User.objects.create_user("eva")


@pytest.fixture
def of_eva(eva: User) -> Upload:
    client_of(eva).post("/upload/", {"text": samples.ANNOTATED})
    return Upload.objects.get()


def test_the_sender_sees_his_upload(eva: User, of_eva: Upload) -> None:
    for path in paths(of_eva):
        assert client_of(eva).get(path).status_code == 200


def test_the_operator_sees_every_upload(of_eva: Upload) -> None:
    staff = client_of(User.objects.create_user("op", is_staff=True))
    for path in paths(of_eva):
        assert staff.get(path).status_code == 200


@pytest.mark.parametrize("who", ["another", "nobody"])
def test_for_others_it_does_not_exist(of_eva: Upload, who: str) -> None:
    client = client_of(User.objects.create_user("adam") if who == "another" else None)
    for path in paths(of_eva):
        assert client.get(path).status_code == 404
    assert f"/uploads/{of_eva.pk}/" not in client.get("/uploads/").content.decode()


def test_an_anonymous_upload_belongs_to_its_session() -> None:
    sender, other, adam = Client(), Client(), User.objects.create_user("adam")
    sender.post("/upload/", {"text": samples.ANNOTATED})
    upload = Upload.objects.get()
    for path in paths(upload):
        assert sender.get(path).status_code == 200
        assert other.get(path).status_code == 404
        assert client_of(adam).get(path).status_code == 404
    assert f"/uploads/{upload.pk}/" in sender.get("/uploads/").content.decode()
    assert f"/uploads/{upload.pk}/" not in other.get("/uploads/").content.decode()


def test_after_signing_out_ones_uploads_are_hidden(eva: User, of_eva: Upload) -> None:
    client = client_of(eva)
    assert client.get(f"/uploads/{of_eva.pk}/").status_code == 200
    client.logout()
    assert client.get(f"/uploads/{of_eva.pk}/").status_code == 404


def test_the_deals_themselves_are_public_and_do_not_name_the_sender(of_eva: Upload) -> None:
    deal = shown(Deal.objects.get())
    for path in ("", "replay/", "audit/", "deal.json", "deal.tgn"):
        answer = Client().get(f"/deals/{deal.pk}/{path}")
        assert answer.status_code == 200
        assert "eva" not in answer.content.decode().replace("evaluat", "")
    assert Client().get(f"/deals/{deal.pk}/original").status_code == 404


def test_what_was_sent_comes_back_byte_for_byte_and_never_as_a_page() -> None:
    client = Client()
    raw = "<html>\r\n\ufeff" + samples.SCRIPT
    client.post("/upload/", {"text": raw})
    answer = client.get(f"/uploads/{Upload.objects.get().pk}/original")
    assert b"".join(answer.streaming_content).decode() == raw.replace("\r\n", "\n")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
