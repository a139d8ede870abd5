"""Uploads, their results, and the editor."""
