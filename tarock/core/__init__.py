"""Concepts that all games share: cards, records, findings, the table and score lines."""
