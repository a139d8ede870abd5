"""SQLite backend that refuses to connect, because Django's would create an empty database."""
