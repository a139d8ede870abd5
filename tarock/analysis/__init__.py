"""What can be computed from a record: verdict, replay, audit, variations."""
