"""The front page, and the pages for rules, notation, dumps and accounts."""
