"""Database backend of an embedded site that was never started. SQLite would create an empty database."""
