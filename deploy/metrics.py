"""The metrics for Prometheus: metrics of this server (`instruments`), and metrics of the whole archive, which
come from the database, the broker and the cache."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress

from django.conf import settings
from django.db import connection, connections
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from archive import counters, database
from archive.reading import operation
from deploy import instruments, replica


def _disks() -> Metric:
    free = GaugeMetricFamily(
        "tarock_disk_free_ratio", "Free part of the disk of a folder.", labels=["folder"]
    )
    for name, folder in (("var", settings.VAR_DIR), ("temporary", tempfile.gettempdir())):
        with suppress(OSError):
            usage = shutil.disk_usage(folder)
            free.add_metric([name], usage.free / usage.total)
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
        yield _disks()
        yield from _of_work(operation.get_work())
        if (swept_at := counters.swept_at()) is not None:
            yield _gauge("sweep_timestamp_seconds", "When the sweeper last swept.", swept_at)


def _of_figures(figures: operation.Figures) -> Iterator[Metric]:
    messages = GaugeMetricFamily(
        "tarock_queue_messages", "Messages in a queue of the broker.", labels=["queue"]
    )
    parts = GaugeMetricFamily("tarock_parts_waiting", "Parts of uploads not stored yet.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "tarock_part_oldest_seconds", "For how long the oldest of these waits.", labels=["queue"]
    )
    for name, waiting in figures.queues.items():
        if waiting.messages is not None:
            messages.add_metric([name], waiting.messages)
        parts.add_metric([name], waiting.parts)
        oldest.add_metric([name], waiting.oldest)
    yield from (messages, parts, oldest)
    broker = all(waiting.messages is not None for waiting in figures.queues.values())
    yield _gauge("broker_up", "Whether the broker answers.", broker)
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
    records = CounterMetricFamily(
        "tarock_records", "Records of uploads, by their outcome.", labels=["outcome"]
    )
    for name, number in work.outcomes.items():
        records.add_metric([name], number)
    verdicts = CounterMetricFamily("tarock_verdicts", "New deals, by their verdict.", labels=["verdict"])
    for name, number in work.verdicts.items():
        verdicts.add_metric([name], number)
    yield from (records, verdicts)
    yield CounterMetricFamily("tarock_parts", "Parts of uploads stored.", work.parts)
    yield CounterMetricFamily("tarock_checks", "Records that the engine has checked.", work.checks)
    yield CounterMetricFamily(
        "tarock_mails_sent", "Mails that the mail server has accepted.", work.mails_sent
    )
    yield CounterMetricFamily("tarock_mails_given_up", "Mails given up.", work.mails_given_up)
    seconds = work.microseconds / 1_000_000
    yield CounterMetricFamily(
        "tarock_check_seconds", "Total time of the engine's checks in seconds.", seconds
    )


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"tarock_{name}", words, value)
