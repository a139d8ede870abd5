"""The metrics for Prometheus: metrics of this server (`instruments`), and metrics of the whole archive, which
come from the database, the broker and the cache."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

from django.conf import settings
from django.db import connection, connections
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from archive import counters, database
from archive.reading import operation
from deploy import instruments, replica


def _disks() -> dict[str, float]:
    free = {}
    for name, folder in (("var", settings.VAR_DIR), ("temporary", tempfile.gettempdir())):
        with suppress(OSError):
            usage = shutil.disk_usage(folder)
            free[name] = usage.free / usage.total
    return free


def text() -> bytes:
    """Return all metrics in Prometheus' text format."""
    archive = CollectorRegistry()
    archive.register(_Archive())
    return generate_latest(instruments.registry()) + generate_latest(archive)


class _Archive(Collector):
    """Collector of the archive's metrics. While the database is down, the database's metrics are missing."""

    def describe(self) -> list[Metric]:
        """Return no names, because the registry would otherwise collect all metrics just to get the names."""
        return []

    def collect(self) -> Iterator[Metric]:
        try:
            figures = operation.get_figures()
        except database.AWAY:
            connection.close()
            figures = None
        yield _gauge("database_up", "Whether the database answers.", figures is not None)
        if figures is not None:
            yield from _of_figures(figures)
            for name, when in operation.last_saved().items():
                yield _gauge(f"{name}_timestamp_seconds", f"When a {name} last succeeded.", when.timestamp())
        if replica.REPLICA in connections.settings:
            lag = replica.lag()
            yield _gauge("replica_up", "Whether the replica answers.", lag is not None)
            if lag is not None:
                yield _gauge("replica_lag_seconds", "Delay of the replica in seconds.", lag)
        yield _gauge("disk_free_ratio", "Free part of the disk of a folder.", _disks(), "folder")
        yield from _of_work(operation.get_work())
        if (swept_at := counters.swept_at()) is not None:
            yield _gauge("sweep_timestamp_seconds", "When the sweeper last swept.", swept_at)


def _of_figures(figures: operation.Figures) -> Iterator[Metric]:
    queues = figures.queues
    messages = {name: one.messages for name, one in queues.items() if one.messages is not None}
    parts = {name: waiting.parts for name, waiting in queues.items()}
    oldest = {name: waiting.oldest for name, waiting in queues.items()}
    yield _gauge("queue_messages", "Messages in a queue of the broker.", messages, "queue")
    yield _gauge("parts_waiting", "Parts of uploads not stored yet.", parts, "queue")
    yield _gauge("part_oldest_seconds", "For how long the oldest of these waits.", oldest, "queue")
    yield _gauge("broker_up", "Whether the broker answers.", len(messages) == len(queues))
    yield _gauge("chunks_waiting", "Chunks of running campaigns not verified yet.", figures.chunks)
    yield _gauge("faults", "Records, parts and chunks that failed because of our own code.", figures.faults)
    yield _gauge("deals", "About how many deals are stored.", figures.deals)
    yield _gauge("database_bytes", "Bytes of the database on the disk.", figures.size)
    yield _gauge("webhooks_behind", "Webhooks not yet sent all changes.", figures.webhooks_behind)
    yield _gauge("webhooks_stopped", "Webhooks that were given up.", figures.webhooks_stopped)
    yield _gauge("webhook_changes_behind", "Changes since the place of the last.", figures.changes_behind)
    yield _gauge("mails_waiting", "Mails that wait for the mail server.", figures.mails)
    yield _gauge("mail_oldest_seconds", "Age of the oldest of these.", figures.mail_oldest)


def _of_work(work: operation.Work) -> Iterator[Metric]:
    yield _counter("records", "Records of uploads, by their outcome.", work.outcomes, "outcome")
    yield _counter("verdicts", "New deals, by their verdict.", work.verdicts, "verdict")
    yield _counter("parts", "Parts of uploads stored.", work.parts)
    yield _counter("checks", "Records that the engine has checked.", work.checks)
    yield _counter("mails_sent", "Mails that the mail server has accepted.", work.mails_sent)
    yield _counter("mails_given_up", "Mails given up.", work.mails_given_up)
    seconds = work.microseconds / 1_000_000
    yield _counter("check_seconds", "Total time of the engine's checks in seconds.", seconds)


def _metric(
    kind: type[CounterMetricFamily | GaugeMetricFamily],
    name: str,
    words: str,
    value: float | Mapping[str, float],
    label: str = "",
) -> Metric:
    """Return a metric with a single value or, with `label`, with one value for each key of `value`."""
    if not isinstance(value, Mapping):
        return kind(f"tarock_{name}", words, value)
    family = kind(f"tarock_{name}", words, labels=[label])
    for key, number in value.items():
        family.add_metric([key], number)
    return family


_gauge = partial(_metric, GaugeMetricFamily)
_counter = partial(_metric, CounterMetricFamily)
