"""What pages and API both need of HTTP: the viewer, limits, waiting, the shape of errors, last resorts."""
