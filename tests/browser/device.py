"""Read and write the entries that a page stores on the device."""

from typing import Any

from playwright.sync_api import Page

_STORE = "import('/static/replays/store.js').then((store) => store.opened.then(() => store))"


def store(page: Page, name: str, value: Any) -> None:
    """Keep an entry on the device of a page."""
    page.evaluate(
        f"([name, value]) => {_STORE}.then((store) => store.put({{ [name]: value }}))", [name, value]
    )


def stored(page: Page, name: str) -> Any:
    """Return an entry, or None."""
    return page.evaluate(f"(name) => {_STORE}.then((store) => store.get(name))", name)


def names(page: Page) -> list[str]:
    """Return the names of all entries, of the tab and of earlier versions, too."""
    found: list[str] = page.evaluate(
        f"""() => {_STORE}.then(
            (store) => [...store.namesIn(""), ...Object.keys(localStorage), ...Object.keys(sessionStorage)]
        )"""
    )
    return found
