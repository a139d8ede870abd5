"""Clients of the API, deals to look at, and no limit on how often tests may ask."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.authtoken.models import Token

from archive import selectors, services
from archive.models import Deal

from . import samples

TGN = "application/vnd.tgn"
JSON = "application/json"
NDJSON = "application/x-ndjson"


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
def _no_rates(settings: Any) -> None:
    """No rate limits, save in the tests that set some."""
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}


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
    return ApiClient(Token.objects.create(user=alena).key)


@pytest.fixture
def stranger(borek: User) -> ApiClient:
    """A client with Bořek's token."""
    return ApiClient(Token.objects.create(user=borek).key)


@pytest.fixture
def store(db: None) -> Callable[..., Deal]:
    """Stores one record as a page or the API would, and by default has it verified; gives the deal."""

    def stored(data: str | bytes, *, user: User | None = None, verify: bool = True) -> Deal:
        raw = data.encode() if isinstance(data, str) else data
        upload = services.store_upload(raw=raw, user=user, source="api", queue=False)
        (item,) = upload.items.all()
        assert item.deal_id is not None, item.message
        if verify:
            services.verify(item.deal_id)
        return selectors.deal(item.deal_id)

    return stored


@pytest.fixture
def taroky(store: Callable[..., Deal]) -> Deal:
    """The deal of the specification, verified."""
    return store(samples.TAROKY)


@pytest.fixture
def troggu(store: Callable[..., Deal]) -> Deal:
    """The solo of Troggu, verified."""
    return store(samples.TROGGU)
