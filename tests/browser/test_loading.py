"""While the modules of a page arrive, nothing that can be seen moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from .conftest import Address

pytestmark = pytest.mark.browser

SHIFTS = """new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 500);
})"""
"""How far things moved without a tap, as browsers add it up: Cumulative Layout Shift."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (740, 360), (1280, 800)])
def test_nothing_moves_when_the_script_comes_late(
    width: int, height: int, address: Address, browser: Browser, places: dict[str, int]
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 100, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
    network.send("Network.emulateNetworkConditions", slow)
    for path in ("/deals/{deal}/replay/", "/deals/{deal}/try/", "/board/"):
        page.goto(address(path.format(**places)))
        page.wait_for_load_state("networkidle")
        assert page.evaluate(SHIFTS) < 0.1, path
    context.close()
