"""The views, one module for each kind of thing that has an address."""
