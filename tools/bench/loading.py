"""Benchmark of loading each type of page in Chromium: largest paint, layout shifts, and kilobytes.

Each page is loaded with an empty cache. Paint and kilobytes are those of a phone whose processor is slowed
down four times. Layout shifts are measured in three windows over a slow line, so that scripts arrive late.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from django.test import Client
from django.test.testcases import LiveServerThread

from tools.bench import Options
from tools.bench.database import site_here
from tools.chromium import chromium
from tools.page_types import APPS, OWN_PAGE_TYPES, PAGE_TYPES, store_examples

WINDOWS = {"390": (390, 844), "740": (740, 360), "1280": (1280, 844)}
SLOW_LINE = {"offline": False, "latency": 100, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
SLOWDOWN = 4
PAINT, SHIFT, KILOBYTES = 1.5, 0.1, 76.0
"""Limits: seconds until the largest paint, cumulative layout shift, kilobytes of a page with its files."""

HEAD = (
    f"  LCP < {PAINT} s; CLS < {SHIFT} at {' / '.join(WINDOWS)} px; files ≤ {KILOBYTES:.0f} kB but for apps"
)

SHIFTS = """new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) sum += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 500);
})"""
"""How far things moved without input, as browsers add it up: Cumulative Layout Shift."""

_PAINT = """new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime / 1000))
        .observe({ type: "largest-contentful-paint", buffered: true });
})"""

_QUIET = """new Promise((resolve) => {
    let before = -1;
    const timer = setInterval(() => {
        const { length } = performance.getEntriesByType("resource");
        if (length === before) { clearInterval(timer); resolve(); }
        before = length;
    }, 1000);
})"""
"""Waits until a second has passed without another file."""


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve the site on a free port of this machine; yield its URL."""
    server = LiveServerThread("127.0.0.1", static_handler=lambda handler: handler)
    server.start()
    server.is_ready.wait()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.terminate()


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """Run Chromium; yield None if this machine has no Chromium or no Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    program = chromium()
    if sync_playwright is None or program is None:
        print("  There is no Chromium or no Playwright here: nothing is measured in a browser.")
        yield None
        return
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched
        launched.close()


def _load(
    chrome: Any, url: str, window: str, cookie: Any, line: dict[str, Any] | None
) -> tuple[Any, list[float]]:
    """Load a page with an empty cache. Return the page, and the kilobytes of each response."""
    width, height = WINDOWS[window]
    context = chrome.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    if cookie:
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": url}])
    context.set_default_timeout(120_000)
    page, sizes = context.new_page(), []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    if line:
        session.send("Network.emulateNetworkConditions", line)
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"] / 1000))
    answer = page.goto(url)
    assert answer.status == 200, (url, answer.status)
    page.evaluate(_QUIET)
    return page, sizes


def _measure(chrome: Any, name: str, url: str, cookie: Any) -> bool:
    """Print the figures of a page; return whether all are within their limits."""
    page, sizes = _load(chrome, url, "390", cookie, None)
    paint, weight, requests = page.evaluate(_PAINT), sum(sizes), len(sizes)
    page.context.close()
    shifts = []
    for window in WINDOWS:
        page, _sizes = _load(chrome, url, window, cookie, SLOW_LINE)
        shifts.append(page.evaluate(SHIFTS))
        page.context.close()
    exceeded = {
        "LCP": paint >= PAINT,
        "CLS": max(shifts) >= SHIFT,
        "kB": weight > KILOBYTES and name not in APPS,
    }
    verdict = ", ".join(figure for figure, is_over in exceeded.items() if is_over)
    moved = " / ".join(f"{shift:.3f}" for shift in shifts)
    print(
        f"  {name:32s} {paint:6.2f} s   {moved:>21s}   {weight:6.1f} kB in {requests:2d}"
        f"   {f'NOT reached: {verdict}' if verdict else 'reached'}",
        flush=True,
    )
    return not verdict


def report(options: Options) -> bool:
    """Print a row for each type of page; return whether all are within their limits."""
    with site_here():
        from django.contrib.auth.models import User

        user = User.objects.create_user("ada", "ada@example.org", "cards on the table")
        places = store_examples(user)
        client = Client()
        client.force_login(user)
        cookie, good = client.cookies["sessionid"], True
        with served() as root, browser() as chrome:
            if chrome is None:
                return True
            print(HEAD)
            for types, session in ((PAGE_TYPES, None), (OWN_PAGE_TYPES, cookie)):
                for name, path in types.items():
                    good &= _measure(chrome, name, root + path.format(**places), session)
    return good
