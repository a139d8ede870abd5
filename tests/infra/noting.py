"""A task for the tests of the queues: it notes in a file what it is about to do, and takes its time."""

import time
from pathlib import Path

from deploy.celery import app


@app.task(name="tests.note")  # type: ignore[untyped-decorator]
def note(file: str, what: str, seconds: float) -> None:
    """One line, appended."""
    with Path(file).open("a", encoding="utf-8") as notes:
        notes.write(f"{what}\n")
    time.sleep(seconds)
