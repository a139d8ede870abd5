"""Texts of the engine: clauses, sentences and names."""
