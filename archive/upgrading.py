"""Operations for migrations that run while the previous release is still serving requests."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddIndex, RemoveIndex


class AddIndexBeside(AddIndexConcurrently):
    """Add an index without blocking writers. On SQLite, which doesn't support this, add the index as usual.
    The migration must set `atomic = False`."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = AddIndex if usual else AddIndexConcurrently
        operation.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = AddIndex if usual else AddIndexConcurrently
        operation.database_backwards(self, app_label, schema_editor, from_state, to_state)


class RemoveIndexBeside(RemoveIndexConcurrently):
    """Remove an index without blocking writers; see `AddIndexBeside`."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = RemoveIndex if usual else RemoveIndexConcurrently
        operation.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = RemoveIndex if usual else RemoveIndexConcurrently
        operation.database_backwards(self, app_label, schema_editor, from_state, to_state)
