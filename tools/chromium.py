"""Find the browser for the browser tests and the benchmarks."""

from __future__ import annotations

import os
import shutil


def chromium() -> str | None:
    """Return the path of Chromium (`TEST_CHROMIUM`, or as found on this machine), or None."""
    # Prefer the headless shell, because it does the same work in less than half the time.
    programs = (
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    )  # fmt: skip
    return os.environ.get("TEST_CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)
