"""Apps that run on the user's device: evening, board, variations, and the check of the user's own records."""
