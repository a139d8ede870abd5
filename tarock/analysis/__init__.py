"""Computations on a record: verdict, replay, audit, variations."""
