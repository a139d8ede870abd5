"""Views of the front page, rules, accounts."""
