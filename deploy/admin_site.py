"""The operator's site: Django's admin, with a page about the state of the archive."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone

from archive import counters
from archive.reading import operation
from deploy import instruments, replica

_LATE = 60
"""Seconds after which waiting work, a silent sweeper or a lagging replica needs the operator's attention."""


class OperatorSite(admin.AdminSite):  # type: ignore[misc]
    """Django's admin site. Operators sign in on the same page as all users, with the same rate limits."""

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer

    def get_urls(self) -> list[Any]:
        return [
            path("operation/", self.admin_view(self.operation_view), name="operation"),
            *super().get_urls(),
        ]

    def operation_view(self, request: HttpRequest) -> HttpResponse:
        """Show the page about the state of the archive."""
        context = {**self.each_context(request), "title": "How the site does", "lines": list(report())}
        return TemplateResponse(request, "admin/operation.html", context)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence about a part of the site. `well` is false if the part needs the operator's attention."""

    subject: str
    words: str
    well: bool = True


def report() -> Iterator[Line]:
    """Yield the most important figures of `deploy.metrics` as sentences."""
    figures = operation.get_figures()
    yield Line("Database", f"about {figures.deals:,} deals, {filesizeformat(figures.size)}.")
    if replica.REPLICA in connections.settings:
        lag = replica.lag()
        words = "it does not answer." if lag is None else f"it is {lag:.0f} s behind."
        yield Line("Replica", words, well=lag is not None and lag < _LATE)
    for name, waiting in figures.queues.items():
        yield _queue(name, waiting)
    yield Line("Checking again", f"{figures.chunks:,} chunks of running campaigns wait.")
    yield Line(
        "Errors in the archive",
        f"{figures.faults:,} records, parts and chunks failed because of an error in the archive.",
        well=not figures.faults,
    )
    yield _sweeper(counters.swept_at())
    yield from _saved(operation.last_saved())
    yield Line(
        "Webhooks",
        f"{figures.webhooks_behind:,} have not been sent all changes, the last of them "
        f"{figures.changes_behind:,}; "
        f"{figures.webhooks_stopped:,} were given up.",
    )
    yield Line(
        "Mail",
        f"{figures.mails:,} mails wait for the mail server, the oldest for {figures.mail_oldest:,.0f} s.",
        well=figures.mail_oldest < _LATE,
    )
    yield from _work(operation.get_work())
    yield _requests()


def _queue(name: str, waiting: operation.Waiting) -> Line:
    if waiting.messages is None:
        return Line(f"Queue {name}", "the broker does not answer.", well=False)
    words = f"{waiting.parts:,} parts of uploads wait, {waiting.messages:,} messages are in the queue"
    if waiting.parts:
        words += f"; the oldest has been waiting for {waiting.oldest:,.0f} s"
    # Flag only the queue of uploads that a user waits for, because bulk uploads may take long.
    return Line(f"Queue {name}", f"{words}.", well=name != "interactive" or waiting.oldest < _LATE)


def _sweeper(swept_at: float | None) -> Line:
    if swept_at is None:
        return Line("Sweeper", "it has not swept since the cache is there.", well=False)
    ago = time.time() - swept_at
    return Line("Sweeper", f"it last swept {ago:,.0f} s ago.", well=ago < _LATE)


def _saved(found: dict[str, datetime]) -> Iterator[Line]:
    for name, most in (("backup", 36), ("rehearsal", 40 * 24)):
        hours = (timezone.now() - found[name]) / timedelta(hours=1) if name in found else None
        words = "none has succeeded yet." if hours is None else f"one last succeeded {hours:,.0f} h ago."
        yield Line(name.capitalize(), words, well=hours is not None and hours < most)


def _work(work: operation.Work) -> Iterator[Line]:
    outcomes = ", ".join(f"{number:,} {name}" for name, number in work.outcomes.items())
    yield Line("Records", f"{outcomes}; in {work.parts:,} parts since the counters began.")
    verdicts = ", ".join(f"{number:,} {name}" for name, number in work.verdicts.items() if number)
    yield Line("Verdicts", f"{verdicts or 'none yet'}.")
    if work.checks:
        each = work.microseconds / work.checks
        yield Line("Engine", f"{each:,.0f} µs a deal, over {work.checks:,} that it has checked.")


def _requests() -> Line:
    found: Counter[str] = Counter()
    for metric in instruments.registry().collect():
        for sample in metric.samples:
            if sample.name == "tarock_requests_total":
                found[f"{sample.labels['status'][0]}xx"] += int(sample.value)
            elif sample.name == "tarock_cache_errors_total":
                found["cache errors"] += int(sample.value)
    words = ", ".join(f"{number:,} {name}" for name, number in sorted(found.items()) if number)
    return Line("Requests", f"{words or 'none'}; of the processes of this web server since its start.")
