"""Workers in the test's own process, for tests in which only their results matter."""

from __future__ import annotations

from collections.abc import Iterable

from archive.storing import campaigns, hindsight, intake, queue


def run(task: str, number: int) -> None:
    """Run a task as a worker would."""
    if task == queue.STORE_PART:
        intake.store(number)
    elif task == queue.HINDSIGHT_SPAN:
        hindsight.compute(number)
    else:
        campaigns.verify_chunk(number)


def send(task: str, numbers: Iterable[int], _queue: str) -> None:
    """Replacement for `archive.storing.queue.send`: run each task at once."""
    for number in list(numbers):
        run(task, number)


class Workers:
    """Replacement for the workers: it runs each task at once; while it is ``away``, tasks wait for `work`."""

    def __init__(self) -> None:
        self.away = False
        self.waiting: list[tuple[str, int]] = []

    def send(self, task: str, numbers: Iterable[int], _queue: str) -> None:
        """As `archive.storing.queue.send`."""
        self.waiting += [(task, number) for number in reversed(list(numbers))]
        if not self.away:
            self.work()

    def work(self, most: int = 1_000_000) -> None:
        """Run the waiting tasks, or the first of them."""
        for _ in range(min(most, len(self.waiting))):
            run(*self.waiting.pop(0))
