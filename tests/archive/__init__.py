"""Tests of the archive: what is stored, verified, read, and shown to the operator."""
