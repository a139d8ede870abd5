"""The pages of one deal, and what a replay shows at each step, as values for the page and its script."""
