"""`GET /uploads/{id}`: for whoever sent it, and nobody else."""

import pytest
from django.contrib.auth.models import User

from archive import services

from . import samples
from .conftest import ApiClient
from .shape import assert_error

pytestmark = pytest.mark.storage


def test_the_uploader_reads_the_report_again(writer: ApiClient) -> None:
    sent = writer.send("\n".join([samples.TAROKY, samples.MALFORMED, samples.TAROKY])).json()
    assert (sent["stored"], sent["known"], sent["malformed"]) == (1, 1, 1)
    again = writer.get(sent["url"])
    assert again.json() == sent
    assert "private" in again["Cache-Control"]  # nobody's cache but the uploader's


def test_it_shows_the_verdicts_of_now(writer: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    services.verify(sent["results"][0]["id"])
    assert writer.get(sent["url"]).json()["results"][0]["verdict"] == "verified"


def test_nobody_else_finds_it(writer: ApiClient, stranger: ApiClient, reader: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    theirs = assert_error(stranger.get(sent["url"]), 404, "not_found")
    none = assert_error(stranger.ask("uploads/999999999"), 404, "not_found")
    assert theirs == none  # nothing tells them apart
    response = reader.get(sent["url"])
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == "Token"


def test_the_operator_does(writer: ApiClient, stranger: ApiClient, borek: User) -> None:
    sent = writer.send(samples.TAROKY).json()
    borek.is_staff = True
    borek.save()
    assert stranger.get(sent["url"]).json() == sent


def test_a_known_deal_of_somebody_else_s_upload(writer: ApiClient, stranger: ApiClient) -> None:
    first = writer.send(samples.TAROKY).json()
    second = stranger.send(samples.TAROKY).json()
    assert second["results"][0]["id"] == first["results"][0]["id"]
    assert_error(stranger.get(first["url"]), 404)
    assert_error(writer.get(second["url"]), 404)


@pytest.mark.parametrize("query", [{"step": "1"}, {"user": "alena"}])
def test_parameters_it_does_not_take(query: dict[str, str], writer: ApiClient) -> None:
    sent = writer.send(samples.TAROKY).json()
    assert_error(writer.get(sent["url"], query), 400, "invalid_parameter")


def test_an_upload_takes_few_queries(writer: ApiClient, django_assert_max_num_queries: object) -> None:
    sent = writer.send("\n".join([samples.TAROKY, samples.MALFORMED, samples.TROGGU])).json()
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        writer.get(sent["url"])
