"""Views of the front page, the rules, and accounts."""
