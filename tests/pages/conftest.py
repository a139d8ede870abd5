"""Fixtures of the pages' tests: stored deals, and a parser of HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.backends.jinja2 import Template
from django.test import Client
from django.test.signals import template_rendered
from django.utils import translation

from archive.models import Part, Space, Upload
from archive.shown import ShownDeal
from archive.storing import intake, spaces, uploads
from tests.pages.evenings import Phone
from tests.pages.tables import TABLES
from tests.support import samples
from tests.support.seasons import season
from tests.support.storing import deals_of

Store = Callable[..., list[ShownDeal]]


def work(upload: Upload | None = None, seconds: float = 0) -> bool:
    """Stores what waits, as workers would."""
    for pk in list(Part.objects.filter(state="waiting").values_list("pk", flat=True)):
        intake.store(pk)
    return True


@pytest.fixture(autouse=True)
def _default_language() -> None:
    """Begin each test in the default language, because a request leaves the language of its user active."""
    translation.deactivate()


@pytest.fixture
def idle(_quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that do nothing for now: uploads are stored and wait."""
    monkeypatch.setattr(uploads, "wait", lambda upload, seconds: False)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers so quick that what is sent to a page is stored before its answer."""
    monkeypatch.setattr(uploads, "wait", work)


@pytest.fixture(autouse=True)
def _contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jinja's templates tell the test client what they are given, as Django's do."""
    render = Template.render

    def telling(self: Template, context: Any = None, request: Any = None) -> str:
        template_rendered.send(sender=self, template=self, context=context or {})
        return render(self, context, request)

    monkeypatch.setattr(Template, "render", telling)


@pytest.fixture
def store(db: None) -> Store:
    """Stores what is in a text; gives its deals."""
    return deals_of


@pytest.fixture
def taroky(store: Store) -> ShownDeal:
    """The hand-worked Taroky deal, verified."""
    return store(samples.ANNOTATED)[0]


@pytest.fixture(params=TABLES, ids=[f"{game} with {players}" for game, players in TABLES])
def table_deal(request: pytest.FixtureRequest, store: Store) -> ShownDeal:
    """A simulated deal of each game, at tables of every size."""
    game, players = request.param
    return store(samples.as_text(samples.simulated(game, players, seed=5)))[0]


class Page(HTMLParser):
    """The content of a page: its tags with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inline_script = False
        self._in: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._in.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._in and self._in[-1] == tag:
            self._in.pop()

    def handle_data(self, data: str) -> None:
        if self._in:
            self.inline_script = self.inline_script or bool(data.strip())
        elif data.strip():
            self.texts.append(" ".join(data.split()))

    @property
    def text(self) -> str:
        """All text, blanks folded."""
        return re.sub(r" ([,:;.])(?= |$)", r"\1", " ".join(self.texts))

    def attributes(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.tags if name in attrs]

    @property
    def unsafe(self) -> list[str]:
        """Whatever a strict policy would forbid: inline script and style, handlers, such addresses."""
        found = ["inline script or style"] if self.inline_script else []
        for tag, attrs in self.tags:
            if tag == "style" or (tag == "script" and not attrs.get("src")):
                found.append(f"<{tag}>")
            for name, value in attrs.items():
                if name == "style" or name.startswith("on"):
                    found.append(f"<{tag} {name}>")
                if name in ("href", "src", "action") and (value or "").strip().lower().startswith(
                    ("javascript:", "data:")
                ):
                    found.append(f"<{tag} {name}={value}>")
        return found


def missing(text: str, *words: str) -> list[str]:
    """Return the words that are not in a text."""
    return [one for one in words if one not in text]


def present(text: str, *words: str) -> list[str]:
    """Return the words that are in a text, and should not be."""
    return [one for one in words if one in text]


def page_of(answer: Any, status: int = 200) -> Page:
    """Return the page of an answer with this status."""
    assert answer.status_code == status, answer.text[:300]
    return Page(answer.text)


def page_at(client: Client, address: str, *query: Any, **more: Any) -> Page:
    answer = client.get(address, *query, **more)
    assert answer.status_code == 200, address
    return Page(answer.text)


def browser_of(user: User) -> Client:
    """Return a browser in which this user is signed in."""
    browser = Client()
    browser.force_login(user)
    return browser


def text_of(client: Client, address: str, *query: Any, **more: Any) -> str:
    return page_at(client, address, *query, **more).text


@pytest.fixture
def alena() -> User:
    return User.objects.create_user("alena", password="-secret-7")


@pytest.fixture
def borek() -> User:
    return User.objects.create_user("borek", password="-secret-7")


@pytest.fixture
def signed_in(client: Client, alena: User) -> Client:
    """Alena's browser."""
    client.force_login(alena)
    return client


@pytest.fixture
def other(borek: User) -> Client:
    """Bořek's browser."""
    return browser_of(borek)


@pytest.fixture
def club(signed_in: Client) -> Space:
    """A club that Alena has started on the site."""
    answer = signed_in.post("/clubs/new/", {"name": "Tarok", "place": "Hlučín", "visibility": "public"})
    made = Space.objects.get(kind="club")
    assert answer["Location"] == f"/clubs/{made.pk}/"
    return made


@pytest.fixture
def phone(signed_in: Client, club: Space) -> Phone:
    """Alena's phone, with an evening of her club."""
    phone = Phone(signed_in)
    phone.start(space=club.pk)
    return phone


@pytest.fixture
def second(phone: Phone, other: Client, club: Space, borek: User) -> Phone:
    """Bořek's phone at the same evening: he is a member."""
    spaces.join(spaces.invite(club, by=User.objects.get(username="alena")), borek)
    return Phone(other, phone.key)


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("owner")


@pytest.fixture
def of_club(owner: User) -> Space:
    """A club of his, with the deals of a season."""
    found = spaces.found_club("Tarok", by=owner)
    season(found, owner)
    return found
