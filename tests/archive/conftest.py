"""Fixtures of the archive's tests: no messages except those that a test looks at, and users who send
uploads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from archive.models import Contribution, Deal, Player, UploadItem
from archive.storing import corrections, players, queue, spaces
from tarock.analysis.simulate import simulate
from tarock.notation import dump_json
from tests.archive.dumping import GAMES, unwritable
from tests.support import samples, settling
from tests.support.storing import stored

Message = tuple[str, list[int], str]


@pytest.fixture(autouse=True)
def messages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """The messages that would have been sent to workers, in order; no worker receives them."""
    sent: list[Message] = []
    if "live_worker" not in request.fixturenames:

        def send(task: str, numbers: Any, name: str) -> None:
            if waiting := list(numbers):
                sent.append((task.rpartition(".")[2], waiting[::-1], name))

        monkeypatch.setattr(queue, "send", send)
    return sent


@pytest.fixture
def ada(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ada")


@pytest.fixture
def ben(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ben")


@pytest.fixture
def impatient() -> Iterator[None]:
    """This connection waits but a moment for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SET lock_timeout = '50ms'" if connection.vendor == "postgresql" else "PRAGMA busy_timeout = 50"
        )
    yield
    connection.close()


@pytest.fixture(scope="module")
def archive(stored_once: None) -> dict[str, Any]:
    """Deals of all games in three months: two clubs that both had some of them, people's own, the house's;
    some hidden, with a pseudonym, under several names, without a day or with a part of one. Stored once for
    all tests of a module: what a test changes, or leaves of them, is rolled back after it."""
    ada, ben = (User.objects.create_user(name) for name in ("ada", "ben"))
    brno = spaces.found_club("Tarok Brno", by=ada, place="Brno", visibility="members")
    wien = spaces.found_club("Tarock Wien", by=ben)
    for game, seats in GAMES.items():
        some = [dump_json(record) for record in simulate(game, deals=4, seed=5, players=seats)]
        stored("\n".join(some), space=brno, user=ada, visibility="public")
        stored("\n".join(some[::-1][:3]), space=wien, user=ben)  # in another order: each deal is there
        stored(some[0], user=ben)
    stored(samples.TAROKY, samples.ILLEGAL_BID, samples.INCOMPLETE, user=ada)
    stored(samples.DISPUTED, samples.HANDS_UNKNOWN, samples.AGREED, user=ben)
    stored(unwritable(), user=ben)
    stored(samples.TAROKY.replace('"Alena"', '"Lena"'))
    stored(samples.INCOMPLETE, user=ben)  # in the very words of another
    comments = {"0": ["quiet; \\ “quotes”", "two"]}
    tags = {"Round": 'the "second"', "Event": "Hlučín; 火曜会", "Session": "nobody’s"}
    stored(samples.as_json(50, comments=comments, tags=tags), space=spaces.guest())
    dates = ("2025-??-??", "2026-10-??", "2026-10-05", "")
    for n, date in enumerate(dates):
        tags = {"Session": f"evening {n % 3}", "Deal": str(n + 1)} | ({"Date": date} if date else {})
        stored(samples.dealt(n, **tags), space=(wien, brno)[n % 2], user=ben, visibility="public")
    assert not UploadItem.objects.filter(deal_id=None).exists()
    # Of names, the restored archive must know what everybody sees alone.
    alena = Player.objects.get(space=spaces.own(ada), name="Alena")
    players.set_pseudonym(alena, "Queen of Tarocks")
    met = Player.objects.filter(space=wien, name__in=["Ada", "Ben", "Cleo", "Dov"])
    players.merge(
        met.get(name="Ada"), Player.objects.filter(space=wien).exclude(pk__in=met).order_by("pk")[0]
    )
    hidden = {}
    for n, visibility in enumerate(("unlisted", "members", "withdrawn"), start=100):
        stored(samples.dealt(n, players=(f"Hidden {visibility}", "B", "C", "D")), space=wien, user=ben)
        hidden[visibility] = Contribution.objects.order_by("pk").last()
        corrections.set_visibility(hidden[visibility], visibility, by=ben)
    # Shown by what Wien says, since what Brno says is for its members: its number is the first all the same.
    first = Contribution.objects.filter(space=brno).order_by("pk")[0]
    corrections.set_visibility(first, "members", by=ada)
    months = [datetime(2026, month, 3, 4, 5, 6, 789, tzinfo=UTC) for month in (9, 10, 11)]
    numbers = list(Deal.objects.order_by("pk").values_list("pk", flat=True))
    for n, pk in enumerate(numbers):
        at = months[3 * n // len(numbers)] + timedelta(minutes=n)
        Deal.objects.filter(pk=pk).update(stored_at=at)
    settling.settle()
    return {"brno": brno, "wien": wien, "hidden": hidden, "first": first}
