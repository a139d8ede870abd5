"""The views, a module for each kind of page."""
