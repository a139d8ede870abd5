"""Tokens: how they are sent, what they may be used for, and when they are no good; how often one may ask."""

import functools
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from archive import tokens
from archive.models import SCOPES, Contribution, Deal, Token
from archive.storing import spaces
from archive.web.throttles import Throttle
from deploy.settings import REST_FRAMEWORK
from tests.support import samples
from tests.support.storing import deal_of, secret_of

from .conftest import JSON, TGN, ApiClient
from .shape import assert_error


def ask(header: str, path: str = "uploads/1", **extra: Any) -> Any:
    return Client().get(f"/api/v1/{path}", headers={"Authorization": header}, **extra)


def test_what_is_no_token_is_refused_for_reading_too(alena) -> None:
    """Neither is the stored hash of one, nor one that has expired, nor that of a user who was switched off. A
    token has either scheme."""
    token, secret = tokens.make(alena, "hers", lasts=timedelta(hours=1))
    for scheme in ("Bearer", "Token", "bearer", "TOKEN"):
        assert ask(f"{scheme} {secret}", "deals").status_code == 200
        assert ask(f"{scheme} {secret}").status_code == 404  # known, but there is no such upload
    digest = bytes(Token.objects.get(pk=token.pk).digest).hex()
    wrong = ["Basic YWxlbmE6LQ==", "Bearer", "Bearer  ", "", "nonsense", "Token tarock_", "Bearer Bořek"]
    wrong += [f"Bearer {word}" for word in (digest, f"tarock_{digest}", secret[:-1], secret.upper())]
    for number, header in enumerate((*wrong, f"Bearer {secret}", f"Bearer {secret}")):
        if number == len(wrong):
            User.objects.filter(pk=alena.pk).update(is_active=False)
        elif number > len(wrong):
            User.objects.filter(pk=alena.pk).update(is_active=True)
            Token.objects.filter(pk=token.pk).update(expires_at=timezone.now())
        response = ask(header.encode().decode("latin-1"), "deals")
        assert_error(response, 401, "authentication_failed")
        assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'


def test_the_last_use_is_not_written_each_time(alena, django_assert_num_queries) -> None:
    other, (token, secret) = tokens.make(alena, "another")[0], tokens.make(alena, "hers")
    tokens.find(secret)
    first = Token.objects.get(pk=token.pk).last_used_at
    assert first is not None
    with django_assert_num_queries(1):
        tokens.find(secret)
    for minutes, is_noted in ((4, False), (6, True)):
        Token.objects.filter(pk=token.pk).update(last_used_at=first - timedelta(minutes=minutes))
        tokens.find(secret)
        assert (Token.objects.get(pk=token.pk).last_used_at >= first) == is_noted
    assert Token.objects.get(pk=other.pk).last_used_at is None


# --- scopes ---------------------------------------------------------------------------------------------


def outcome(response: Any) -> str:
    """The scope that was needed, or the status."""
    if response.status_code != 403:
        return str(response.status_code)
    error = assert_error(response, 403, "scope_needed")
    wanted = r'Bearer realm="api", error="insufficient_scope", scope="(.+)"'
    challenge = re.fullmatch(wanted, response["WWW-Authenticate"])
    assert challenge is not None
    assert f"“{challenge[1]}”" in error["detail"]
    return challenge[1]


@pytest.fixture
def of_club(alena: User, borek: User) -> Contribution:
    """What Bořek sent to Alena's club."""
    club = spaces.found_club("Tarok", by=alena)
    spaces.join(spaces.invite(club, by=alena), borek)
    response = ApiClient(secret_of(borek)).send(samples.TAROKY, path=f"deals?club={club.pk}")
    assert response.status_code == 201
    return Contribution.objects.get()


def test_each_sending_needs_its_scopes(alena, of_club) -> None:
    """A token without scopes reads as its owner. For what others sent to the club it needs one more."""
    Contribution.objects.update(visibility="members")
    club, own = f"deals/{of_club.deal_id}", f"deals/{deal_of(samples.TROGGU, user=alena).pk}"
    client = functools.cache(lambda *scopes: ApiClient(secret_of(alena, scopes)))
    assert client().ask(club).status_code == 200
    assert ApiClient().ask(club).status_code == 404
    write, delete, admin, _ = SCOPES
    withdraw, show = '{"visibility": "withdrawn"}', '{"visibility": "members"}'
    for path, body, scopes, expected in (
        ("verify", samples.TAROKY, [], "200"),
        ("nothing", "", [], "404"),
        ("deals", samples.NOT_HELD, [delete], write),
        ("deals", samples.NOT_HELD, [write], "201"),
        ("uploads", samples.NOT_HELD, [], write),
        (f"uploads/{of_club.part.upload_id}/records/0/adopt", "", [delete], write),
        ("imports", "", [delete], write),
        ("webhooks", '{"url": "https://receiver.example/"}', [write, delete], admin),
        (f"{own}/move", '{"club": 1}', [delete], write),
        (f"{own}/correction", samples.TROGGU, [delete], write),
        (f"{own}/correction", samples.TROGGU, [write], "200"),
        (f"{own}/visibility", show, [delete], write),
        (f"{own}/visibility", show, [write], "200"),
        (f"{own}/visibility", withdraw, [write], delete),
        (f"{own}/visibility", withdraw, [delete], "200"),
        (f"{club}/correction", samples.TAROKY, [write, delete], admin),
        (f"{club}/correction", samples.TAROKY, [admin], write),
        (f"{club}/correction", samples.TAROKY, [write, admin], "200"),
        (f"{club}/visibility", show, [write, delete], admin),
        (f"{club}/visibility", show, [admin], write),
        (f"{club}/visibility", show, [write, admin], "200"),
        ("deals/visibility?mine=true", show, [write], "200"),
        ("deals/visibility", show, [write, delete], admin),
        ("deals/visibility", show, [admin], write),
        ("deals/visibility", show, [write, admin], "200"),
        ("deals/visibility", withdraw, [write, admin], delete),
        ("deals/visibility", withdraw, [delete], admin),
        ("deals/visibility", withdraw, [delete, admin], "200"),
    ):
        answer = client(*scopes).send(body, JSON if body[:1] == "{" else TGN, path)
        assert outcome(answer) == expected, (path, body[:30], scopes)


def test_campaigns_take_a_scope(alena) -> None:
    User.objects.filter(pk=alena.pk).update(is_staff=True)
    some = ApiClient(secret_of(alena, SCOPES[:3]))
    assert outcome(some.send("{}", JSON, "campaigns")) == "campaigns:write"
    one = ApiClient(secret_of(alena, SCOPES[3:]))
    where = one.send("{}", JSON, "campaigns").json()["url"].partition("/api/v1/")[2]
    assert some.ask(where).status_code == 200


def test_a_client_without_a_valid_token_is_told_to_wait(alena, reader, writer, rates) -> None:
    """A client that tries tokens, and one that sends without a token."""
    rates(api_refused="2/min")
    secret = secret_of(alena)
    for _ in range(2):
        assert_error(ask("Bearer tarock_0", "deals"), 401, "authentication_failed")
    for header in ("Bearer tarock_0", "Basic x", f"Bearer {secret}"):
        response = ask(header, "deals")
        assert_error(response, 429, "throttled")
        assert 0 < int(response["Retry-After"]) <= 60
    assert ask(f"Bearer {secret}", "deals", REMOTE_ADDR="192.0.2.1").status_code == 200
    assert reader.ask("deals").status_code == 200  # a client without a token reads on
    for code in (401, 401, 429):
        assert reader.send(samples.TAROKY, REMOTE_ADDR="192.0.2.2").status_code == code
    assert writer.send(samples.TAROKY, REMOTE_ADDR="192.0.2.1").status_code == 201


# --- the command ----------------------------------------------------------------------------------------


def test_the_operator_makes_one(alena, capsys) -> None:
    call_command("make_token", "alena", "--days", "10", "--scope", "deals:write", "--scope", "club:admin")
    token = tokens.find(capsys.readouterr().out.strip())
    assert token is not None
    assert (token.user, token.scopes) == (alena, ["deals:write", "club:admin"])
    call_command("make_token", "alena")
    sends = ApiClient(capsys.readouterr().out.strip()).send(samples.TAROKY)
    assert sends.status_code == 201
    for given in ("nobody", "alena --days 0", "alena --scope campaigns:write"):
        with pytest.raises(CommandError):
            call_command("make_token", *given.split())
    assert Token.objects.count() == 2


# --- whose it is ----------------------------------------------------------------------------------------


def test_whose_a_token_is(alena, of_club) -> None:
    client = ApiClient(secret_of(alena))
    club = {"id": of_club.space_id, "kind": "club", "name": "Tarok", "role": "owner", "visibility": "public"}
    root = "http://testserver/api/v1"
    assert client.ask("me").json() == {
        "user": alena.pk,
        "name": "alena",
        "token": "test",
        "scopes": ["deals:write", "deals:delete", "club:admin"],
        "expires_at": None,
        "spaces": [{**club, "deals": f"{root}/deals?club={of_club.space_id}"}],
        "deals": f"{root}/deals",
        "uploads": f"{root}/uploads",
    }
    client.send(samples.TROGGU)
    own = client.ask("me").json()["spaces"][-1]
    assert (own["kind"], own["role"], own["deals"]) == ("own", "owner", f"{root}/deals")
    me = ApiClient(tokens.make(alena, "only reads", lasts=timedelta(days=1))[1]).ask("me").json()
    assert me["scopes"] is None
    assert me["expires_at"] > timezone.now().isoformat()


# --- how often one may ask ---------------------------------------------------------------------------------


def test_the_site_s_own_rates() -> None:
    assert REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] == {
        "api-read": "600/min",
        "api-write": "120/min",
        "api-scores": "30/min",
        "api-refused": "30/min",
    }


def test_each_answer_says_how_much_is_left_and_readers_and_writers_are_counted_apart(writer, rates) -> None:
    """A request too many stores nothing."""
    rates(api_read="4/min", api_write="1/hour")
    asked = (3, "deals", 200), (2, "deals/0", 404), (1, "nothing/here", 404), (0, "deals?x=1", 400)
    for left, path, status in asked:
        response = writer.ask(path)
        assert response.status_code == status
        assert response["RateLimit-Policy"] == '"api-read";q=4;w=60'
        assert re.fullmatch(rf'"api-read";r={left};t=(59|60)', response["RateLimit"])
    refused = writer.ask("deals")
    assert_error(refused, 429, "throttled")
    assert refused["RateLimit"].startswith('"api-read";r=0;t=')
    assert 0 < int(refused["Retry-After"]) <= 60
    sent = writer.send(samples.TAROKY)
    assert (sent.status_code, sent["RateLimit-Policy"]) == (201, '"api-write";q=1;w=3600')
    assert sent["RateLimit"].startswith('"api-write";r=0;t=')
    refused = writer.send(samples.TROGGU)
    assert_error(refused, 429, "throttled")
    assert 60 < int(refused["Retry-After"]) <= 3600
    assert Deal.objects.count() == 1


def test_a_bad_token_and_a_bad_form_are_counted_too(rates, db) -> None:
    rates(api_read="2/min")
    guesser = ApiClient("no-such-token")
    assert guesser.ask("deals").status_code == 401
    assert guesser.ask("deals", accept="image/png").status_code == 401
    assert_error(guesser.ask("deals"), 429, "throttled")


def test_to_play_by_the_engine_counts_as_reading_and_to_verify_as_writing(reader, rates) -> None:
    rates(api_read="2/min", api_write="1/min")
    for left in (1, 0):
        answer = reader.send(samples.TAROKY, path="positions")
        assert answer.status_code == 200
        assert answer["RateLimit"].startswith(f'"api-read";r={left};')
    assert_error(reader.ask("games"), 429, "throttled")
    assert reader.send(samples.TAROKY, path="verify").status_code == 200
    assert_error(reader.send(samples.TAROKY, path="verify"), 429, "throttled")


def test_scores_are_counted_by_themselves_too(reader, writer, rates) -> None:
    rates(api_read="9/min", api_scores="1/min")
    first = reader.ask("scores")
    assert first["RateLimit-Policy"] == '"api-read";q=9;w=60, "api-scores";q=1;w=60'
    assert first["RateLimit"].startswith('"api-read";r=8;t=')
    assert '"api-scores";r=0;t=' in first["RateLimit"]
    assert_error(reader.ask("scores"), 429, "throttled")
    assert reader.ask("deals").status_code == 200
    assert writer.ask("scores").status_code == 200  # somebody else


def test_each_user_is_counted_with_all_tokens(writer, stranger, alena, rates) -> None:
    rates(api_read="1/min")
    for client in (writer, stranger):
        assert client.ask("games").status_code == 200
    for client in (writer, ApiClient(secret_of(alena))):
        assert_error(client.ask("games"), 429, "throttled")


def test_a_client_without_a_token_is_counted_by_address(reader, rates) -> None:
    """There is no proxy in front of this site, so the header is only the client's claim."""
    rates(api_read="1/min")
    for address in ("192.0.2.1", "192.0.2.2"):
        assert reader.ask("games", REMOTE_ADDR=address).status_code == 200
    for claim in ("198.51.100.1", "198.51.100.2"):
        response = reader.ask("games", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": claim})
        assert_error(response, 429, "throttled")
    rates(api_read=None)
    for _ in range(5):
        assert reader.ask("games").status_code == 200


def test_those_that_come_at_the_same_time_are_all_counted(rates) -> None:
    rates(api_read="90/min")
    with ThreadPoolExecutor(10) as clients:
        statuses = list(clients.map(lambda _: ApiClient().ask("games").status_code, range(120)))
    assert (statuses.count(200), statuses.count(429)) == (90, 30)


def test_a_window_ends(reader, rates, monkeypatch) -> None:
    rates(api_read="2/sec")
    seconds = 1000.0
    monkeypatch.setattr(Throttle, "timer", lambda _: seconds)
    assert [reader.ask("games").status_code for _ in range(3)] == [200, 200, 429]
    cache.delete("throttle_api-read_127.0.0.1")  # as the cache does after a second
    seconds += 1
    assert reader.ask("games")["RateLimit"] == '"api-read";r=1;t=1'
