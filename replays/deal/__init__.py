"""The pages of one deal, and the contents of each replay step, as values for the page and its script."""
