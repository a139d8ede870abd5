"""What pages and API read: deals by search, sessions, players, clubs, uploads, statistics."""
