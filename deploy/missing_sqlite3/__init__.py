"""SQLite backend for an embedded site that was never started. It refuses to connect; plain SQLite would
create an empty database."""
