"""A deal on the table: what a replay shows at each step, as values that the page draws and its script is given."""
