"""A deal on the table: what a replay shows at each step, as values for the page and its script."""
