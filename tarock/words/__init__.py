"""Texts of the engine: clauses, sentences and names, in four languages."""
