"""Clients of the API, deals to look at, workers that are never late, and no limit on how often tests may
ask."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from archive.shown import ShownDeal
from archive.storing import queue
from tests.support import samples
from tests.support.storing import deal_of, secret_of
from tests.support.workers import Workers
from tools.site import IMPATIENT, Site

TGN = "application/vnd.tgn"
JSON = "application/json"
NDJSON = "application/x-ndjson"

Store = Callable[..., ShownDeal]
Rates = Callable[..., None]


class ApiClient(Client):
    """Asks below `/api/v1`; gives the 500 that a visitor would get, where the plain client would raise."""

    def __init__(self, token: str | None = None) -> None:
        headers = {"Authorization": f"Token {token}"} if token else None
        super().__init__(raise_request_exception=False, headers=headers)

    def ask(
        self, path: str = "", query: dict[str, Any] | None = None, accept: str | None = None, **extra: Any
    ) -> Any:
        """GET, with the query and Accept given."""
        headers = {"Accept": accept} if accept is not None else {}
        return self.get(
            f"/api/v1/{path}", query or {}, headers={**headers, **extra.pop("headers", {})}, **extra
        )

    def send(self, data: str | bytes, content_type: str = TGN, path: str = "deals", **extra: Any) -> Any:
        """POST a body as it is."""
        raw = data.encode() if isinstance(data, str) else data
        return self.generic("POST", f"/api/v1/{path}", raw, content_type=content_type, **extra)


@pytest.fixture(autouse=True)
def rates(settings: Any) -> Rates:
    """Sets rate limits; there are none before."""

    def to(**rates: str | None) -> None:
        named = {name.replace("_", "-"): rate for name, rate in rates.items()}
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": named}

    to()
    return to


@pytest.fixture
def alena(db: None) -> User:
    """Somebody who sends deals."""
    return User.objects.create_user("alena", password="-")


@pytest.fixture
def borek(db: None) -> User:
    """Somebody else."""
    return User.objects.create_user("borek", password="-")


@pytest.fixture
def reader(db: None) -> ApiClient:
    """A client without a token."""
    return ApiClient()


@pytest.fixture
def writer(alena: User) -> ApiClient:
    """A client with Alena's token."""
    return ApiClient(secret_of(alena))


@pytest.fixture
def stranger(borek: User) -> ApiClient:
    """A client with Bořek's token."""
    return ApiClient(secret_of(borek))


@pytest.fixture
def staff(db: None) -> ApiClient:
    """A client with a token of the operator's staff."""
    user = User.objects.create_user("operator", password="-", is_staff=True)
    return ApiClient(secret_of(user))


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    """Workers in the test's own process."""
    made = Workers()
    real = transaction.on_commit

    def on_commit(callback: Callable[[], None], *rest: Any, **more: Any) -> None:
        # A test that runs in a transaction never commits.
        if any(getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
            callback()
        else:
            real(callback, *rest, **more)

    monkeypatch.setattr(transaction, "on_commit", on_commit)
    monkeypatch.setattr(queue, "send", made.send)
    return made


@pytest.fixture(scope="package")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as `make run` starts it, with its sample deals, which are its oldest; ``token`` is one of its
    operator's staff. The tests share it: each stores deals of its own, and reads lists only of those or of
    the oldest."""
    many = "1000000/min"  # what schemathesis asks
    folder = tmp_path_factory.mktemp("product") / "var"
    rates = dict.fromkeys(("API_RATE_READ", "API_RATE_WRITE", "API_RATE_SCORES", "API_RATE_REFUSED"), many)
    site = Site(folder, "supervisor", DOWNLOADS_PER_HOUR="1000000", **rates, **IMPATIENT)
    site.start()
    site.make_user()
    yield site
    site.stop()


@pytest.fixture
def store(db: None) -> Store:
    """Stores one record; gives its deal."""
    return deal_of


@pytest.fixture
def taroky(store: Store) -> ShownDeal:
    """The deal of the specification."""
    return store(samples.TAROKY)


@pytest.fixture
def troggu(store: Store) -> ShownDeal:
    """The solo of Troggu."""
    return store(samples.TROGGU)
