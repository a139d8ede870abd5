"""The tests of the archive, its engine and its faces."""
