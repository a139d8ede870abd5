"""Operations for migrations that run while the previous release is still serving requests."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddIndex


class AddIndexBeside(AddIndexConcurrently):
    """Add an index without blocking writers. On SQLite, which doesn't support this, add the index as usual.
    The migration must set `atomic = False`."""

    def database_forwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        _way(schema_editor).database_forwards(self, app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: Any, *states: Any) -> None:
        _way(schema_editor).database_backwards(self, app_label, schema_editor, *states)


def _way(schema_editor: Any) -> type[AddIndex]:
    return AddIndexConcurrently if schema_editor.connection.vendor == "postgresql" else AddIndex
