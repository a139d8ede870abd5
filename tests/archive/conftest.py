"""What the archive's tests share: no messages but those a test looks at, and people to send uploads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from archive.storing import queue

Message = tuple[str, list[int], str]


@pytest.fixture(autouse=True)
def messages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What would have been sent to workers, in the order in which it is sent; none listens here."""
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
