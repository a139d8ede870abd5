"""Clauses, sentences, names: everything that makes a sentence."""
