"""Views of the apps."""
