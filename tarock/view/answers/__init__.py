"""Answers to a page's questions, as JSON."""
