"""Visitors read from a replica, who may have sent something reads from the primary database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client

from archive import tokens
from archive.models import Session
from deploy import metrics, replica
from tests import samples
from tests.storing import deal_of

pytestmark = pytest.mark.storage


@pytest.fixture
def stale(transactional_db: None, settings: Any) -> Iterator[str]:
    """A replica that is behind: it has one deal, the primary database another as well. A word that only pages
    with the second have."""
    if connection.vendor != "postgresql":
        pytest.skip("a replica is another server's, and SQLite has none")
    deal_of(samples.TAROKY)
    own = dict(connection.settings_dict)
    name = f"{own['NAME']}_replica"
    connection.close()
    place = {"host": own["HOST"] or None, "port": own["PORT"] or None, "user": own["USER"] or None}
    server = {**place, "password": own["PASSWORD"] or None, "dbname": "postgres", "autocommit": True}
    with psycopg.connect(**server) as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}"')
        admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{own["NAME"]}"')
    connections.settings[replica.REPLICA] = {**own, "NAME": name}
    connections[replica.REPLICA].alias = "of this test"  # else Django lets no test have it
    settings.DATABASE_ROUTERS = ["deploy.replica.Router"]
    deal_of(samples.NOT_HELD.replace('[Session "', '[Session "later, '))
    yield "later"
    connections[replica.REPLICA].close()
    del connections[replica.REPLICA]
    del connections.settings[replica.REPLICA]
    replica._replica.broken_until = 0.0
    with psycopg.connect(**server) as admin:
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def sees(client: Client, address: str = "/sessions/", **headers: str) -> bool:
    """Whether an answer has what the replica does not have yet."""
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer.content[:300]
    return b"later" in b"".join(answer.streaming_content if answer.streaming else [answer.content])


def test_visitors_read_what_the_replica_has(stale: str) -> None:
    visitor = Client()
    for address, accept in (("/sessions/", "*/*"), ("/api/v1/deals", "*/*"), ("/api/v1/deals", "text/csv")):
        assert not sees(visitor, address, accept=accept), (address, accept)
    # This thread is no request: it reads and writes the primary.
    assert Session.objects.filter(name__contains=stale).exists()

    user = User.objects.create_user("anna", password="a long one")
    token = tokens.make(user, "a program", scopes=["deals:write"])[1]
    assert sees(visitor, "/api/v1/deals", authorization=f"Token {token}")
    # Signing in: the form is a visitor's, what comes then is not.
    signing_in = {"login": "anna", "password": "a long one"}
    assert visitor.post("/accounts/login/", signing_in).status_code == 302
    assert sees(visitor)
    assert not sees(Client())


def test_a_guest_sees_at_once_what_he_has_sent(stale: str) -> None:
    guest = Client()
    sent = guest.post("/upload/", {"text": samples.ILLEGAL_BID})
    assert sent.status_code == 302, sent.content[:500]
    assert guest.get(sent["Location"]).status_code == 200
    assert sees(guest)


def test_a_replica_that_is_away_is_done_without(stale: str) -> None:
    assert replica.lag() == 0  # it is no standby
    connections[replica.REPLICA].close()
    connections[replica.REPLICA].settings_dict["NAME"] += "_that_is_not_there"
    assert sees(Client())
    assert replica._replica.broken_until
    assert replica.lag() is None
    assert b"tarock_replica_up 0.0" in metrics.text()
