"""The panel next to the table: tabs, on a small screen in a sheet over the table."""

from playwright.sync_api import Page


def open_panel(page: Page) -> None:
    """Open the sheet, where there is one that is closed."""
    link = page.locator("#panel-link")
    if link.is_visible() and link.get_attribute("aria-expanded") != "true":
        link.click()


def open_tab(page: Page, name: str) -> None:
    """Open a tab of the panel: `Moves`, `Score` or `View`."""
    open_panel(page)
    page.get_by_role("tab", name=name, exact=True).click()
