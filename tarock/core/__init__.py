"""Terms that all games share: cards, records, findings, the table, score lines."""
