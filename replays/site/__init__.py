"""What every subject uses."""
