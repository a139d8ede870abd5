"""Writes to the archive: uploads, corrections, clubs, players, removal, and the feed of changes."""
