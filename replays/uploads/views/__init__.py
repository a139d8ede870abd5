"""Views of uploads and the editor."""
