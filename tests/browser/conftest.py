"""Chromium at a table: a site that runs, deals to look at, and what must never happen in a page."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, BrowserType, Page, expect

from archive.shown import ShownDeal
from archive.storing import queue
from tests.support import samples, workers
from tests.support.settling import settle
from tests.support.storing import deals_of

from .measures import complaints_of

NAMES_OF_MODULES = """addEventListener("DOMContentLoaded", async () => {
    const chosen = "link[rel=modulepreload], script[type=module]";
    for (const { href, src } of document.querySelectorAll(chosen)) {
        const module = await import(href || src);
        for (const name of Object.keys(module)) {
            Object.defineProperty(window, name, { configurable: true, get: () => module[name] });
        }
    }
    for (const name of Object.keys(window.page ?? {})) {
        const { page } = window;
        Object.defineProperty(window, name, { configurable: true, get: () => page[name] });
    }
});"""
"""Makes what the modules of a page export into names of the page, for the tests that look inside."""

SAVES_DATA = """if (window.NetworkInformation) {
    Object.defineProperty(NetworkInformation.prototype, "saveData", { configurable: true, get: () => true });
}"""
"""Starting an evening must not load the engine of 7 MB in each test."""

Address = Callable[[str], str]
Store = Callable[[str], list[ShownDeal]]
OpenPage = Callable[..., Page]
Replay = Callable[..., Page]

expect.set_options(timeout=60_000)

PAGES = [
    "/", "/upload/", "/check/", "/check/own/", "/evenings/", "/board/", "/deals/", "/deals/{deal}/",
    "/deals/{deal}/replay/?step=30", "/deals/{deal}/replay/?step=30&view=B", "/deals/{disputed}/audit/",
    "/deals/{illegal}/audit/", "/deals/{sheet}/audit/", "/deals/{wrong_sheet}/audit/", "/notation/sheets/",
    "/rules/", "/rules/taroky/", "/players/", "/sessions/{session}/", "/accounts/login/", "/no-such-page/",
]  # fmt: skip
"""Those that are looked at in every language and on every screen; `places` fills them in."""


@pytest.fixture
def store(transactional_db: None) -> Store:
    """Stores what is in a text, where the worker is not what is looked at; gives its deals."""
    return deals_of


@pytest.fixture
def taroky(store: Store) -> ShownDeal:
    """The hand-worked Taroky deal, verified."""
    return store(samples.ANNOTATED)[0]


@pytest.fixture
def places(store: Store) -> dict[str, int]:
    """The numbers in the URLs of pages."""
    (disputed,) = store(samples.WRONG_CLAIM)
    (sent_twice,) = store(samples.UNFINISHED)
    store(samples.UNFINISHED.replace("Alena", "Adéla"))
    (illegal,) = store(samples.ILLEGAL)
    (sheet,) = store(samples.DISPUTED_SHEET)
    (wrong_sheet,) = store(samples.SHEET_THAT_CANNOT_BE.replace('[Deal "7"]', '[Deal "8"]'))
    found = {"disputed": disputed.pk, "sent_twice": sent_twice.pk, "illegal": illegal.pk}
    found |= {"sheet": sheet.pk, "wrong_sheet": wrong_sheet.pk}
    for game, players in (("taroky", 4), ("troggu", 8), ("grosstarock", 4)):
        (deal,) = store(samples.as_text(samples.simulated(game, players, seed=6)))
        found["deal" if game == "taroky" else game] = deal.pk
    settle()
    assert disputed.contribution.session_id is not None
    return {**found, "player": disputed.seats[0].player.pk, "session": disputed.contribution.session_id}


@pytest.fixture(autouse=True)
def _all_answered(transactional_db: None) -> Iterator[None]:
    """Before the database is emptied, what the closed browser still asked for is answered: a request and
    the flush, each with a lock that the other needs, end in a deadlock."""
    running: list[object] = []

    def begun(**_: Any) -> None:
        running.append(None)

    def ended(**_: Any) -> None:
        if running:
            running.pop()

    request_started.connect(begun)
    request_started.connect(settle)  # it has begun when it settles
    request_finished.connect(ended)
    yield
    until = time.monotonic() + 10
    while running and time.monotonic() < until:
        time.sleep(0.01)
    request_started.disconnect(begun)
    request_started.disconnect(settle)
    request_finished.disconnect(ended)


@pytest.fixture(autouse=True)
def _workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in the site's own process, which store a deal before the page has its response; not together
    with a real worker."""
    if "live_worker" not in request.fixturenames:
        monkeypatch.setattr(queue, "send", workers.send)


@pytest.fixture(autouse=True)
def _names_of_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(kind: type, name: str) -> None:
        make = getattr(kind, name)

        def with_names(*args: Any, **options: Any) -> Any:
            context = make(*args, **options)
            context.add_init_script(NAMES_OF_MODULES)
            context.add_init_script(SAVES_DATA)
            context.set_default_timeout(120_000)
            return context

        monkeypatch.setattr(kind, name, with_names)

    named(Browser, "new_context")
    named(BrowserType, "launch_persistent_context")


@pytest.fixture
def open_page(new_context: Callable[..., Any]) -> OpenPage:
    """Opens a page in a browser of its own, with options of Playwright's `new_context`."""
    return lambda **how: new_context(**how).new_page()


@pytest.fixture
def watched(page: Page) -> Iterator[Page]:
    """A page in which no script fails and no policy is broken: anything on the console fails the test."""
    complaints = complaints_of(page)
    yield page
    assert complaints == []


@pytest.fixture
def phone(open_page: OpenPage, address: Address) -> Iterator[Any]:
    """An English phone with the app for evenings, on which no script fails and no policy is broken."""
    from .phone import PHONE, Phone

    made = Phone(open_page(**PHONE), address)
    yield made
    assert made.complaints == []


@pytest.fixture
def replay(watched: Page, address: Address, taroky: ShownDeal) -> Replay:
    """Opens the replay of the hand-worked deal, in a window of some size."""

    def opened(query: str = "", size: tuple[int, int] | None = None) -> Page:
        if size:
            watched.set_viewport_size({"width": size[0], "height": size[1]})
        watched.goto(address(f"/deals/{taroky.pk}/replay/{query and '?'}{query}"))
        return watched

    return opened


@pytest.fixture
def deals_file(tmp_path: Path) -> Path:
    """A file with a good deal, an illegal one, and one that cannot be read."""
    path = tmp_path / "evening.tgn"
    path.write_text("\n".join([samples.ANNOTATED, samples.ILLEGAL, samples.DEALT_TWICE]), encoding="utf-8")
    return path


@pytest.fixture
def address(live_server: Any) -> Address:
    """From a path to its address on the running site."""
    return lambda path: f"{live_server}{path}"
