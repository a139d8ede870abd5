"""Pages for newcomers to a game."""
