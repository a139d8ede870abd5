"""All writes to the archive: uploads, corrections, clubs, players, deletion, and the feed of changes."""
