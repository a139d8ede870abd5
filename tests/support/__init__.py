"""Helpers for the tests of all folders."""
