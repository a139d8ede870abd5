"""The database of an embedded site that was never started: SQLite would create an empty one."""
