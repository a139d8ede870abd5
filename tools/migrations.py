"""Record the hash of each new migration.

    python -m tools.migrations

A line of `archive/migrations/hashes.txt` never changes; a test compares it with the migration file.
"""

from __future__ import annotations

import os

import django

from tools.site import PROJECT

LINES = PROJECT / "archive" / "migrations" / "hashes.txt"


def read() -> dict[str, str]:
    """Return the recorded hashes by the name of the migration."""
    return dict(line.split() for line in LINES.read_text().splitlines()) if LINES.exists() else {}


def main() -> None:
    """Add a line for each migration without one."""
    from archive import migration_hashes

    lines = migration_hashes.of_files() | read()
    LINES.write_text("".join(f"{name} {lines[name]}\n" for name in sorted(lines)))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    main()
