"""Operations of migrations that run while the code of before serves."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddIndex


class AddIndexBeside(AddIndexConcurrently):
    """Add an index without a lock that anybody waits for; on SQLite, where there is no such thing, as usual.
    The migration has `atomic = False`."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = AddIndex if usual else AddIndexConcurrently
        operation.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        usual = schema_editor.connection.vendor != "postgresql"
        operation = AddIndex if usual else AddIndexConcurrently
        operation.database_backwards(self, app_label, schema_editor, from_state, to_state)
