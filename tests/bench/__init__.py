"""Measurements, as ratios within one run: `make bench`. None is a test; what is too slow fails nobody."""
