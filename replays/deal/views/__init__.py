"""Views of deals."""
