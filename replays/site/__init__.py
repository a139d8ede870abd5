"""Code that all parts of the site share."""
