"""HTTP code shared by pages and API: the viewer, limits, waiting, error format, errors outside views."""
