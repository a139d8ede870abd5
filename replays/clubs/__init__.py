"""Clubs, players, sessions, rankings."""
