"""Data that pages store on the device: its owner, and the complete list on the page on privacy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

import replays
from replays.site.device import COOKIES, STORED, USER_COOKIE
from tests.pages.conftest import text_of
from tests.storing import secret_of

ROOT = Path(replays.__file__).parents[1]

WRITES = re.compile(r"\b(?:setItem|caches\.open|cookieStore\.set|indexedDB\.open)\(\s*([^\s,)]+)")
"""Each place where a script keeps something, with the name that it gives it."""

KNOWN = {
    'owned("evenings-start"', "owned(`board:${key}`", "PREFIX", "TREE", "SHELL", "CACHE", "name",
    "owned(name",
}  # fmt: skip
"""Names as they are written there; each of the constants is read below."""

NAMES = (
    r"\bowned\([\"`]([\w-]+:?)",
    r"\bkeep\(\"[\w-]+\", \"([\w-]+)\"\)",
    r"\bremember(?:ed)?\(\"([\w-]+)\"",
    r"const (?:SHELL|CACHE) = [\"`]([\w-]+-)",
)


def scripts() -> Iterator[str]:
    """All scripts that the site gives to browsers."""
    for folder in ("replays/static", "templates", "api/static"):
        for path in (ROOT / folder).rglob("*.js"):
            if "pyodide" not in str(path) and "swagger" not in str(path) and "redoc" not in str(path):
                yield path.read_text()


def test_the_list_names_what_the_scripts_keep() -> None:
    text = "\n".join(scripts())
    written = set(WRITES.findall(text))
    assert written <= KNOWN, "a name that no list has: add it to replays/site/device.py"
    named = {name for pattern in NAMES for name in re.findall(pattern, text)}
    assert named == {name for name, *_rest in STORED}
    assert "document.cookie =" not in text


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_the_page_on_privacy_has_the_list(language: str, client: Client) -> None:
    html = client.get("/privacy/", headers={"Accept-Language": language}).content.decode()
    for name, _what, _long in (*COOKIES, *STORED):
        assert f"<code>{name}</code>" in html, name


@pytest.mark.django_db
def test_every_cookie_is_in_the_list(client: Client, alena: User) -> None:
    client.post("/language", {"language": "cs", "next": "/"})
    client.get("/evenings/start.json")
    form = {"username": "fresh", "password1": "-secret-7x", "password2": "-secret-7x"}
    client.post("/accounts/signup/", form)
    assert set(client.cookies) == {name for name, *_rest in COOKIES}
    assert text_of(client, "/")


@pytest.mark.django_db
def test_scripts_know_who_is_signed_in(alena: User) -> None:
    client = Client()
    assert USER_COOKIE not in client.get("/").cookies
    client.force_login(alena)
    cookie = client.get("/").cookies[USER_COOKIE]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == (str(alena.pk), "Lax", "")
    assert USER_COOKIE not in client.get("/").cookies, "once is enough"
    answer = client.post("/accounts/logout/")
    assert answer.cookies[USER_COOKIE].value == ""
    # A session that ended by itself.
    client.force_login(alena)
    client.get("/")
    client.session.flush()
    assert client.get("/evenings/start.json").cookies[USER_COOKIE].value == ""


@pytest.mark.django_db
def test_a_token_is_no_sign_in(alena: User) -> None:
    headers = {"Authorization": f"Bearer {secret_of(alena)}"}
    assert USER_COOKIE not in Client().get("/api/v1/me", headers=headers).cookies


@pytest.mark.django_db
def test_the_page_that_phones_keep_is_the_same_for_all(alena: User, client: Client) -> None:
    unknown = client.get("/evenings/").content
    client.force_login(alena)
    assert client.get("/evenings/").content == unknown
