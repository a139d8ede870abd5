"""What makes files that are in the repository. Nothing here is needed to run the site."""
