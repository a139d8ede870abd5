"""Tokens: how they are sent, what they may be used for, and when they are no good."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from archive import tokens
from archive.models import SCOPES, Contribution, Token
from archive.shown import ShownDeal
from archive.storing import spaces
from tests import samples
from tests.storing import secret_of

from .conftest import ApiClient
from .shape import assert_error

INVALID = 'Bearer realm="api", error="invalid_token"'


def ask(header: str, path: str = "uploads/1", **extra: Any) -> Any:
    return Client().get(f"/api/v1/{path}", headers={"Authorization": header}, **extra)


@pytest.mark.parametrize("scheme", ["Bearer", "Token", "bearer", "TOKEN"])
def test_two_words_for_one_thing(scheme: str, alena: User) -> None:
    assert ask(f"{scheme} {secret_of(alena)}").status_code == 404  # known, but there is no such upload


@pytest.mark.parametrize(
    "header", ["Basic YWxlbmE6LQ==", "Bearer", "Bearer  ", "", "nonsense", "Token tarock_", "Bearer Bořek"]
)
def test_what_is_no_token_is_refused_for_reading_too(header: str, alena: User) -> None:
    tokens.make(alena, "hers")
    response = ask(header.encode().decode("latin-1"), "deals")
    assert_error(response, 401, "authentication_failed")
    assert response["WWW-Authenticate"] == INVALID


def test_without_a_token_no_token_is_called_wrong(reader: ApiClient) -> None:
    response = reader.send(samples.TAROKY)
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="api"'


def test_a_token_that_is_over(alena: User) -> None:
    token, secret = tokens.make(alena, "short", lasts=timedelta(hours=1))
    assert ask(f"Bearer {secret}", "deals").status_code == 200
    Token.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert_error(ask(f"Bearer {secret}", "deals"), 401, "authentication_failed")


def test_the_hash_is_no_token(alena: User) -> None:
    token, secret = tokens.make(alena, "hers")
    digest = bytes(Token.objects.get(pk=token.pk).digest).hex()
    for wrong in (digest, f"tarock_{digest}", secret[:-1], secret.upper()):
        assert_error(ask(f"Bearer {wrong}", "deals"), 401, "authentication_failed")


def test_the_last_use_is_not_written_each_time(alena: User, django_assert_num_queries: Any) -> None:
    token, secret = tokens.make(alena, "hers")
    tokens.find(secret)
    first = Token.objects.get().last_used_at
    assert first is not None
    with django_assert_num_queries(1):
        tokens.find(secret)
    Token.objects.update(last_used_at=first - timedelta(hours=1))
    tokens.find(secret)
    assert Token.objects.get(pk=token.pk).last_used_at >= first


# --- scopes ---------------------------------------------------------------------------------------------


def outcome(response: Any) -> str:
    """The scope that was needed, or the status."""
    if response.status_code != 403:
        return str(response.status_code)
    error = assert_error(response, 403, "scope_needed")
    challenge = re.fullmatch(
        r'Bearer realm="api", error="insufficient_scope", scope="(.+)"', response["WWW-Authenticate"]
    )
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


def test_a_token_without_scopes_reads_as_its_owner(alena: User, of_club: Contribution) -> None:
    Contribution.objects.update(visibility="members")
    client = ApiClient(secret_of(alena, []))
    assert client.ask(f"deals/{of_club.deal_id}").status_code == 200
    assert ApiClient().ask(f"deals/{of_club.deal_id}").status_code == 404
    assert client.send(samples.TAROKY, path="verify").status_code == 200
    assert outcome(client.send(samples.TAROKY)) == "deals:write"
    assert outcome(client.send(samples.TAROKY, path="uploads")) == "deals:write"
    assert_error(client.send("", path="nothing"), 404, "not_found")


def test_the_scopes_of_sending_and_withdrawing(alena: User) -> None:
    writer, remover = (ApiClient(secret_of(alena, [scope])) for scope in SCOPES[:2])
    assert outcome(remover.send(samples.TAROKY)) == "deals:write"
    response = writer.send(samples.TAROKY)
    assert outcome(response) == "201"
    deal = f"deals/{response.json()['results'][0]['id']}"
    withdraw, show = '{"visibility": "withdrawn"}', '{"visibility": "members"}'
    json = "application/json"
    assert outcome(writer.send(withdraw, json, f"{deal}/visibility")) == "deals:delete"
    assert outcome(remover.send(show, json, f"{deal}/visibility")) == "deals:write"
    assert outcome(remover.send(samples.TAROKY, path=f"{deal}/correction")) == "deals:write"
    assert outcome(remover.send("", path="uploads/1/records/0/adopt")) in ("deals:write", "404")
    assert outcome(writer.send(samples.TAROKY, path=f"{deal}/correction")) == "200"
    assert outcome(writer.send(show, json, f"{deal}/visibility")) == "200"
    assert outcome(remover.send(withdraw, json, f"{deal}/visibility")) == "200"


@pytest.mark.parametrize("path", ["correction", "visibility"])
def test_the_scope_for_what_others_sent(path: str, alena: User, of_club: Contribution) -> None:
    body = samples.TAROKY if path == "correction" else '{"visibility": "members"}'
    kind = "application/vnd.tgn" if path == "correction" else "application/json"
    where = f"deals/{of_club.deal_id}/{path}"
    assert outcome(ApiClient(secret_of(alena, SCOPES[:2])).send(body, kind, where)) == "club:admin"
    assert outcome(ApiClient(secret_of(alena, ["club:admin"])).send(body, kind, where)) == "deals:write"
    both = ApiClient(secret_of(alena, ["deals:write", "club:admin"]))
    assert outcome(both.send(body, kind, where)) == "200"


def test_a_scope_gives_nobody_more_than_he_may(alena: User, taroky: ShownDeal) -> None:
    alena.is_staff = True
    client = ApiClient(secret_of(alena))  # of one who is no staff: nothing was saved
    assert "campaigns:write" in Token.objects.get().scopes
    assert_error(client.send("{}", "application/json", "campaigns"), 403, "permission_denied")
    response = client.send('{"visibility": "members"}', "application/json", f"deals/{taroky.pk}/visibility")
    assert_error(response, 403, "permission_denied")


def test_campaigns_take_a_scope(alena: User) -> None:
    User.objects.filter(pk=alena.pk).update(is_staff=True)
    some = ApiClient(secret_of(alena, SCOPES[:3]))
    assert outcome(some.send("{}", "application/json", "campaigns")) == "campaigns:write"
    one = ApiClient(secret_of(alena, SCOPES[3:]))
    where = one.send("{}", "application/json", "campaigns").json()["url"].partition("/api/v1/")[2]
    assert some.ask(where).status_code == 200


# --- limits ---------------------------------------------------------------------------------------------


@pytest.fixture
def two_refusals(settings: Any) -> None:
    rates = {"api-refused": "2/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


def test_who_tries_tokens_is_told_to_wait(alena: User, two_refusals: None) -> None:
    secret = secret_of(alena)
    for _ in range(2):
        assert_error(ask("Bearer tarock_0", "deals"), 401, "authentication_failed")
    for header in ("Bearer tarock_0", "Basic x", f"Bearer {secret}"):
        response = ask(header, "deals")
        assert_error(response, 429, "throttled")
        assert 0 < int(response["Retry-After"]) <= 60
    assert ask(f"Bearer {secret}", "deals", REMOTE_ADDR="192.0.2.1").status_code == 200
    assert Client().get("/api/v1/deals").status_code == 200  # who shows no token reads on


def test_who_sends_without_a_token_is_told_to_wait(
    reader: ApiClient, writer: ApiClient, two_refusals: None
) -> None:
    for code in (401, 401, 429):
        assert reader.send(samples.TAROKY).status_code == code
    assert writer.send(samples.TAROKY, REMOTE_ADDR="192.0.2.1").status_code == 201


# --- the command ----------------------------------------------------------------------------------------


def test_the_operator_makes_one(alena: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_token", "alena", "--days", "10", "--scope", "deals:write", "--scope", "club:admin")
    token = tokens.find(capsys.readouterr().out.strip())
    assert token is not None
    assert (token.user, token.scopes) == (alena, ["deals:write", "club:admin"])
    call_command("make_token", "alena")
    sends = ApiClient(capsys.readouterr().out.strip()).send(samples.TAROKY)
    assert sends.status_code == 201


@pytest.mark.parametrize(
    "given", [["nobody"], ["alena", "--days", "0"], ["alena", "--scope", "campaigns:write"]]
)
def test_what_the_command_refuses(given: list[str], alena: User) -> None:
    with pytest.raises(CommandError):
        call_command("make_token", *given)
    assert not Token.objects.exists()


# --- whose it is ----------------------------------------------------------------------------------------


def test_whose_a_token_is(alena: User, of_club: Contribution) -> None:
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


def test_a_token_that_may_only_read_says_so(alena: User) -> None:
    token = tokens.make(alena, "x", lasts=timedelta(days=1))[1]
    me = ApiClient(token).ask("me").json()
    assert me["scopes"] is None
    assert me["expires_at"] > timezone.now().isoformat()


def test_without_a_token_there_is_nobody_to_tell_of(reader: ApiClient) -> None:
    assert_error(reader.ask("me"), 401, "not_authenticated")
