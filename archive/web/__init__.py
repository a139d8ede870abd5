"""HTTP for pages and API: the viewer, limits, waiting, the shape of errors, last resorts."""
