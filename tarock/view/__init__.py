"""Values prepared for display on pages, and as JSON for scripts and the API."""
