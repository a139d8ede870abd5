"""Values prepared for display on pages, in scripts, in the API and on the command line."""
