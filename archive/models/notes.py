"""Notes about the operation of the archive, shared by all machines."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now


class Note(models.Model):
    """Time when something last happened (`backup`, `heartbeat` …), or the hash of an applied migration."""

    name = models.CharField(max_length=100, primary_key=True)
    text = models.TextField(blank=True, default="")
    noted_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name

    @classmethod
    def write(cls, *names: str, **texts: str) -> None:
        """Insert or replace these notes in one statement, with the current time from the database's clock."""
        rows = [cls(name=name, text=texts.get(name, ""), noted_at=Now()) for name in (*names, *texts)]
        cls._default_manager.bulk_create(
            rows, update_conflicts=True, unique_fields=["name"], update_fields=["text", "noted_at"]
        )
