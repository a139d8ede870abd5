"""Uploading, results of uploads, the editor."""
