"""How often one may ask: readers and writers apart, by user or by address."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from archive.web.throttles import Throttle
from deploy.settings import REST_FRAMEWORK
from tests import samples
from tests.storing import secret_of

from .conftest import ApiClient
from .shape import assert_error


@pytest.fixture
def rates(settings: Any) -> Any:
    """Sets the rates of this test."""

    def to(**rates: str | None) -> None:
        named = {name.replace("_", "-"): rate for name, rate in rates.items()}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": named}

    return to


def test_the_site_s_own_rates() -> None:
    assert REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] == {
        "api-read": "600/min",
        "api-write": "120/min",
        "api-scores": "30/min",
        "api-refused": "30/min",
    }


def test_readers_and_writers_are_counted_apart(writer: ApiClient, rates: Any) -> None:
    rates(api_read="2/min", api_write="1/min")
    assert writer.send(samples.TAROKY).status_code == 201
    response = writer.send(samples.TROGGU)
    assert_error(response, 429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 60
    assert writer.ask("deals").status_code == 200
    assert writer.ask("games").status_code == 200
    assert_error(writer.ask("deals"), 429, "throttled")


def test_to_play_by_the_engine_counts_as_reading(reader: ApiClient, rates: Any) -> None:
    rates(api_read="2/min", api_write="1/min")
    for left in (1, 0):
        answer = reader.send(samples.TAROKY, path="positions")
        assert answer.status_code == 200
        assert answer["RateLimit"].startswith(f'"api-read";r={left};')
    assert_error(reader.ask("games"), 429, "throttled")
    assert reader.send(samples.TAROKY, path="verify").status_code == 200
    assert_error(reader.send(samples.TAROKY, path="verify"), 429, "throttled")


def test_scores_are_counted_by_themselves_too(reader: ApiClient, writer: ApiClient, rates: Any) -> None:
    rates(api_read="9/min", api_scores="1/min")
    first = reader.ask("scores")
    assert first["RateLimit-Policy"] == '"api-read";q=9;w=60, "api-scores";q=1;w=60'
    assert first["RateLimit"].startswith('"api-read";r=8;t=')
    assert '"api-scores";r=0;t=' in first["RateLimit"]
    assert_error(reader.ask("scores"), 429, "throttled")
    assert reader.ask("deals").status_code == 200
    assert writer.ask("scores").status_code == 200  # somebody else


def test_a_sending_too_many_stores_nothing(writer: ApiClient, rates: Any) -> None:
    rates(api_read="100/min", api_write="1/min")
    writer.send(samples.TAROKY)
    writer.send(samples.TROGGU)
    assert [deal["game"] for deal in writer.ask("deals").json()["results"]] == ["taroky"]


def test_users_are_counted_one_by_one(writer: ApiClient, stranger: ApiClient, rates: Any) -> None:
    rates(api_read="1/min")
    assert writer.ask("games").status_code == 200
    assert stranger.ask("games").status_code == 200
    assert_error(writer.ask("games"), 429, "throttled")


def test_two_tokens_in_turn_are_still_one_user(alena: User, rates: Any) -> None:
    rates(api_read="1/min")
    assert ApiClient(secret_of(alena)).ask("games").status_code == 200
    assert_error(ApiClient(secret_of(alena)).ask("games"), 429, "throttled")


def test_who_has_no_token_is_counted_by_address(reader: ApiClient, rates: Any) -> None:
    rates(api_read="1/min")
    assert reader.ask("games", REMOTE_ADDR="192.0.2.1").status_code == 200
    assert reader.ask("games", REMOTE_ADDR="192.0.2.2").status_code == 200
    assert_error(reader.ask("games", REMOTE_ADDR="192.0.2.1"), 429, "throttled")


def test_an_address_cannot_be_made_up(reader: ApiClient, rates: Any) -> None:
    # There is no proxy in front of this site, so the header is only the client's claim.
    rates(api_read="1/min")
    assert reader.ask("games", headers={"X-Forwarded-For": "198.51.100.1"}).status_code == 200
    assert_error(reader.ask("games", headers={"X-Forwarded-For": "198.51.100.2"}), 429, "throttled")


def test_without_a_rate_nothing_is_counted(reader: ApiClient, rates: Any) -> None:
    rates(api_read=None)
    for _ in range(5):
        assert reader.ask("games").status_code == 200


def test_those_that_come_at_the_same_time_are_all_counted(rates: Any) -> None:
    rates(api_read="200/min")
    with ThreadPoolExecutor(10) as clients:
        statuses = list(clients.map(lambda _: ApiClient().ask("games").status_code, range(250)))
    assert (statuses.count(200), statuses.count(429)) == (200, 50)


def test_a_window_ends(reader: ApiClient, rates: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rates(api_read="2/sec")
    seconds = 1000.0
    monkeypatch.setattr(Throttle, "timer", lambda _: seconds)
    assert [reader.ask("games").status_code for _ in range(3)] == [200, 200, 429]
    cache.delete("throttle_api-read_127.0.0.1")  # as the cache does after a second
    seconds += 1
    assert reader.ask("games")["RateLimit"] == '"api-read";r=1;t=1'
