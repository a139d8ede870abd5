"""Code that all subjects share."""
