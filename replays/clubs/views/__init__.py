"""Views of clubs, players and sessions."""
