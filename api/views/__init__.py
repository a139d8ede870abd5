"""The API's views, one module per subject."""
