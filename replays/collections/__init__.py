"""Collections of deals with notes."""
