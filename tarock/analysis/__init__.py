"""Analysis of a record: verdict, replay, audit, variations."""
