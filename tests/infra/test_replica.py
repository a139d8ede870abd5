"""Visitors read from a replica, who may have sent something reads from the primary database."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from archive import tokens
from archive.models import Note, Session
from deploy import metrics, replica
from tests.support import databases, samples
from tests.support.settling import settle
from tests.support.storing import deal_of
from tools.site import Site
from tools.waiting import eventually


@pytest.fixture
def stale(transactional_db: None, settings: Any) -> Iterator[str]:
    """A replica that is behind: it has one deal, the primary database another as well. A word that only pages
    with the second have."""
    if connection.vendor != "postgresql":
        pytest.skip("a replica is another server's, and SQLite has none")
    deal_of(samples.TAROKY)
    settle()
    Note.write("heartbeat")
    own = dict(connection.settings_dict)
    name = f"{own['NAME']}_replica"
    databases.make(name, copy_of=own["NAME"])
    connections.settings[replica.REPLICA] = {**own, "NAME": name}
    connections[replica.REPLICA].alias = "of this test"  # else Django lets no test have it
    settings.DATABASE_ROUTERS = ["deploy.replica.Router"]
    deal_of(samples.NOT_HELD.replace('[Session "', '[Session "later, '))
    settle()
    yield "later"
    connections[replica.REPLICA].close()
    del connections[replica.REPLICA]
    del connections.settings[replica.REPLICA]
    replica._replica = replica._Replica()
    databases.drop(name)


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

    guest = Client()
    sent = guest.post("/upload/", {"text": samples.ILLEGAL_BID})
    assert sent.status_code == 302, sent.content[:500]
    assert guest.get(sent["Location"]).status_code == 200
    assert sees(guest), "a guest sees at once what he has sent"


def age_heartbeat(seconds: float) -> None:
    """Let the replica have a heartbeat of this age, as one that receives nothing any more."""
    with connections[replica.REPLICA].cursor() as cursor:
        cursor.execute("UPDATE archive_note SET noted_at = now() - %s * interval '1 s'", [seconds])
    replica._replica.lag_read_at = -math.inf


def test_a_replica_that_is_too_far_behind_or_away_is_not_read_from(stale: str, settings: Any) -> None:
    settings.REPLICA_MAX_LAG = 600
    for age, is_read in ((300, True), (602, False), (3600, False), (-2, True), (0, True)):
        age_heartbeat(age)
        assert sees(Client()) != is_read, age
        (shown,) = re.findall(r"^tarock_replica_lag_seconds (\S+)$", metrics.text().decode(), re.MULTILINE)
        for found in (replica.lag(), float(shown)):
            assert found is not None
            assert max(0, age) <= found < max(0, age) + 200
        assert b"tarock_replica_up 1.0" in metrics.text()
    for statement in ("DELETE FROM archive_note", "DROP TABLE archive_note"):
        with connections[replica.REPLICA].cursor() as cursor:
            cursor.execute(statement)
        replica._replica.lag_read_at = -math.inf
        assert sees(Client()), statement
        assert replica.lag() == math.inf
    connections[replica.REPLICA].close()
    connections[replica.REPLICA].settings_dict["NAME"] += "_that_is_not_there"
    assert sees(Client())
    assert replica._replica.broken_until
    assert replica.lag() is None
    assert b"tarock_replica_up 0.0" in metrics.text()


def test_the_lag_is_read_once_a_second_and_not_at_each_request(stale: str) -> None:
    def queries(number: int) -> int:
        with CaptureQueriesContext(connections[replica.REPLICA]) as captured:
            for _ in range(number):
                assert not sees(Client())
        return sum("heartbeat" in query["sql"] for query in captured)

    replica._replica.lag_read_at = -math.inf
    with patch.object(replica, "LAG_IS_GOOD_FOR", 60):
        assert queries(3) == 1
    with patch.object(replica, "LAG_IS_GOOD_FOR", 0):
        assert queries(2) == 2


@pytest.mark.slow
def test_the_sweeper_writes_the_heartbeat(database_url: str, tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no replica")
    given = {name: os.environ[name] for name in ("REDIS_URL", "SECRET_KEY", "HTTPS")}
    urls = {"DATABASE_URL": database_url, "DATABASE_REPLICA_URL": database_url}
    site = Site(tmp_path, "sweeper", **given, **urls)

    def last() -> datetime | None:
        return Note.objects.filter(name="heartbeat").values_list("noted_at", flat=True).first()

    site.sweeper.start()
    try:
        first = eventually(last, 60)
        assert first is not None, site.output
        assert eventually(lambda: (last() or first) > first, 10)
    finally:
        site.stop()
