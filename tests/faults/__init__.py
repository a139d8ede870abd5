"""What the archive bears."""
