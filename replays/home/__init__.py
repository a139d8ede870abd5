"""The front page, rules, notation, dumps, accounts."""
