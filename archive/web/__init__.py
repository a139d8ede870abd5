"""HTTP code that the pages and the API share: the viewer, limits, waiting, the format of errors, and errors
outside views."""
