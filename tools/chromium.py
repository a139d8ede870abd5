"""Find the browser for the browser tests and the benchmarks."""

from __future__ import annotations

import os
import shutil


def chromium() -> str | None:
    """Return the path of Chromium (`TEST_CHROMIUM`, or as found on this machine), or None."""
    named = os.environ.get("TEST_CHROMIUM")
    if named:
        return named
    # Prefer the headless shell, because it does the same work in less than half the time.
    for name in (
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    ):  # fmt: skip
        found = shutil.which(name)
        if found:
            return found
    application = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return application if os.path.exists(application) else None
