"""Celery tasks: each carries ids and is one call to a service."""

from __future__ import annotations

from celery import shared_task

from archive import services


@shared_task
def verify_deal(deal_id: int) -> None:
    """Work on the open verification run of this deal, if there is one to take; safe to run twice."""
    services.verify(deal_id)


@shared_task
def read_upload(upload_id: int) -> None:
    """Read and store an upload that could not be stored when it came, if it still waits; safe to run
    twice."""
    services.read_waiting(upload_id)


@shared_task
def sweep_unverified() -> None:
    """Queue again whatever still has to be stored or verified and whose message or worker is gone."""
    services.sweep()
