"""Pages that run on the device: evening, board, variations, own check."""
