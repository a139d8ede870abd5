"""Concepts shared by all games: cards, records, findings, the table, score lines."""
