"""Zweier: a small game for two, made up to show what a game's folder has to hold. No archive knows it."""
