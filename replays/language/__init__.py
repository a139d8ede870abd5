"""Words, names, verdicts and money in the reader's language."""
