"""The same sent again with the same Idempotency-Key is the same upload."""

from datetime import timedelta

import pytest
from django.utils import timezone

from archive.models import Deal, Part, Upload
from archive.storing import spaces, sweeper, uploads
from tests.support import samples
from tests.support.storing import secret_of

from .conftest import ApiClient
from .shape import assert_error

KEY = {"Idempotency-Key": "evening-12/3"}
ONCE = "Idempotent-Replayed"


@pytest.mark.parametrize(("path", "first", "again"), [("deals", 201, 201), ("uploads", 202, 200)])
def test_the_same_again_is_the_same_upload(path, first, again, writer) -> None:
    sent = writer.send(samples.TAROKY, path=path, headers=KEY)
    assert sent.status_code == first
    assert ONCE not in sent
    replayed = writer.send(samples.TAROKY, path=path, headers=KEY)
    assert replayed.status_code == again
    assert replayed[ONCE] == "true"
    assert replayed["Location"] == sent["Location"]
    assert replayed.json()["upload"] == sent.json()["upload"]
    assert [result["outcome"] for result in replayed.json()["results"]] == ["stored"]  # not `known`
    if path == "deals":
        assert replayed.json() == sent.json()
    assert Upload.objects.count() == Deal.objects.count() == 1


def test_what_could_not_be_taken_cannot_be_taken_again(writer) -> None:
    sent, replayed = (writer.send("nothing like a record", headers=KEY) for _ in range(2))
    assert_error(replayed, 422, "malformed", report=True)
    assert replayed[ONCE] == "true"
    assert replayed.json() == sent.json()
    assert Upload.objects.count() == 1


def test_an_upload_of_many_parts(writer, workers) -> None:
    workers.away = True
    many = samples.TAROKY * 500
    sent = writer.send(many, path="uploads", headers=KEY)
    assert Part.objects.count() > 1
    assert writer.send(many, path="uploads", headers=KEY).json()["url"] == sent.json()["url"]
    assert_error(writer.send(many[:-5], path="uploads", headers=KEY), 422, "key_reused")
    assert Upload.objects.count() == 1


def test_something_else_with_the_same_key(writer, alena) -> None:
    club = spaces.found_club("Tarok", by=alena)
    writer.send(samples.TAROKY, headers=KEY)
    for body, path in (
        (samples.TROGGU, "deals"),
        (samples.TAROKY + "\n", "deals"),
        ("", "deals"),
        *((samples.TAROKY, f"deals?{more}") for more in ("visibility=members", "encoding=cp1250")),
        (samples.TAROKY, f"deals?club={club.pk}"),
    ):
        assert_error(writer.send(body, path=path, headers=KEY), 422, "key_reused")
    assert Upload.objects.count() == 1


def test_another_key_and_another_user_are_another_upload(writer, stranger, alena) -> None:
    """Two tokens of one user have their keys together."""

    def sent(client: ApiClient, **headers: str) -> int:
        return client.send(samples.TAROKY, headers=headers).json()["upload"]

    numbers = [
        sent(writer, **KEY),
        sent(writer, **{"Idempotency-Key": "x"}),
        sent(writer),
        sent(stranger, **KEY),
    ]
    assert len(set(numbers)) == 4
    assert sent(ApiClient(secret_of(alena)), **KEY) == numbers[0]


def test_what_is_no_key(writer) -> None:
    for key in ("", " ", "two words", "Bořek".encode().decode("latin-1"), "x" * 256):
        response = writer.send(samples.TAROKY, headers={"Idempotency-Key": key})
        assert_error(response, 400, "bad_request")
    assert not Upload.objects.exists()
    assert writer.send(samples.TAROKY, headers={"Idempotency-Key": "~" * 255}).status_code == 201


def test_while_the_first_comes_in(writer, alena) -> None:
    uploads.receive([b"x"], limit=10, user=alena, key=KEY["Idempotency-Key"], send=False)
    Upload.objects.update(accepted_at=None)
    response = writer.send(samples.TAROKY, headers=KEY)
    assert_error(response, 409, "key_in_use")
    assert int(response["Retry-After"]) > 0
    assert Upload.objects.count() == 1


@pytest.mark.parametrize("number", [1, 500])
def test_who_comes_second_stores_nothing(number, writer, monkeypatch) -> None:
    """Both have looked whether there is an upload with the key, and found none."""
    body = samples.TAROKY * number
    monkeypatch.setattr(uploads, "find_earlier", lambda *_, **__: None)
    assert writer.send(body, path="uploads", headers=KEY).status_code == 202
    parts = Part.objects.count()
    assert_error(writer.send(body, path="uploads", headers=KEY), 409, "key_in_use")
    assert (Upload.objects.count(), Part.objects.count()) == (1, parts)


def test_what_was_not_kept_may_be_sent_with_the_same_key(writer, settings) -> None:
    """It counts for the quota once."""
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 10
    assert_error(writer.send(samples.TAROKY, headers=KEY), 413, "too_large")
    settings.ARCHIVE_MAX_UPLOAD_BYTES = 10**6
    settings.ARCHIVE_QUOTA_DEALS = 1
    for _ in range(2):
        assert writer.send(samples.TAROKY, headers=KEY).status_code == 201
    assert_error(writer.send(samples.TAROKY), 429, "throttled")


def test_a_key_is_forgotten_after_a_day(writer) -> None:
    """By a request that uses it again, or by the sweeper."""
    first = writer.send(samples.TAROKY, headers=KEY).json()["upload"]
    Upload.objects.update(received_at=timezone.now() - timedelta(hours=23))
    sweeper.clean()
    assert writer.send(samples.TAROKY, headers=KEY).json()["upload"] == first
    Upload.objects.update(received_at=timezone.now() - timedelta(hours=24))
    assert writer.send(samples.TROGGU, headers=KEY).status_code == 201
    Upload.objects.update(received_at=timezone.now() - timedelta(hours=24))
    sweeper.clean()
    assert {(upload.key, bytes(upload.digest)) for upload in Upload.objects.all()} == {("", b"")}
