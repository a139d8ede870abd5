"""The browser that browser tests and the bench drive."""

from __future__ import annotations

import os
import shutil


def chromium() -> str | None:
    """The Chromium to drive: the one in `TEST_CHROMIUM`, the one of this machine, or None."""
    named = os.environ.get("TEST_CHROMIUM")
    if named:
        return named
    # The one without a window does the same work in less than half the time.
    for name in (
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    ):  # fmt: skip
        found = shutil.which(name)
        if found:
            return found
    application = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return application if os.path.exists(application) else None
