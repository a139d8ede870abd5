"""What pages and API both need of HTTP: the viewer of a request, limits, waiting."""
