"""Values that pages, scripts, API and command line show."""
