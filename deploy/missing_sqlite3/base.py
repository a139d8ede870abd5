"""The database backend used when the site's database does not exist."""

from typing import Any

from django.core.management.base import CommandError
from django.db import OperationalError
from django.db.backends.sqlite3 import base


class NoDatabase(OperationalError, CommandError):  # type: ignore[misc]
    """Error: the database does not exist. It is also a `CommandError`, so commands print no traceback."""


class DatabaseWrapper(base.DatabaseWrapper):  # type: ignore[misc]
    """SQLite backend that refuses to connect."""

    def get_new_connection(self, conn_params: Any) -> Any:
        raise NoDatabase(
            f"There is no database: DATABASE_URL is not set, and {self.settings_dict['NAME']} does not exist."
            " Set DATABASE_URL, or start `make run` once."
        )
