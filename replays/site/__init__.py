"""Parts that every subject uses."""
