"""Forms for entering deals by hand."""
