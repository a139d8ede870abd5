"""The views, one module per subject."""
