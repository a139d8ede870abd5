"""Analysis of records: verification, replay, audit of scores, and variations."""
